"""Wu, Flach and Ferri's tables 4 and 5: how well the models rank that measures choose.

A data set is cut at random into training, validation and test rows. Ten models of one kind are
trained, each without three attributes drawn at random. One is chosen by a measure on the validation
rows, and its AUC on the test rows is what counts. Every measure chooses among the same models.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import numpy.typing as npt

from roclab_studies.scored_auc.data import LARGE, SMALL, read
from roclab_studies.scored_auc.measures import measured
from roclab_studies.subset_learners import LEARNERS

MODELS, REMOVED = 10, 3
SHARE, LARGE_SHARE = 0.2, 0.5  # of the rows not learned from: those that validate
# Repetitions are answered in blocks, so that an interrupted study loses little.
BLOCKS, BLOCK_SIZE = 8, 250
LARGE_BLOCKS, LARGE_BLOCK_SIZE = 5, 10
SEED = 20_070_918

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class Question:
    """A data set, a learner, and some of the repetitions."""

    data: str
    learner: str
    block: int
    repetitions: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.data

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        seconds = {"tree": 1.0, "logistic regression": 0.5, "naive Bayes": 0.1}[self.learner]
        return seconds * (10 if self.data in ("spambase", "caravan", "mushroom") else 1)

    def __str__(self) -> str:
        return f"{self.data}, {self.learner}, block {self.block}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Means over the repetitions of a block.

    Attributes
    ----------
    rows, validation : int
        Of the data set, and of its validation part.
    scored, auc, brier : float
        AUC on the test rows of the model chosen by scored AUC, AUC or Brier score; of models that
        are equally good, the first.
    tie_broken : float
        The same of the model of the highest scored AUC among those of the highest AUC.
    any_model, best_model : float
        The same of a model chosen blindly, and of the one that is best on the test rows.
    over_auc, over_brier : float
        Test AUC gained by the scored AUC over the other measures.
    over_tie_broken : float
        The same over the AUC whose ties are broken.
    over_auc_error, over_brier_error, over_tie_broken_error : float
        Standard error of the gain over repetitions.
    same_auc, same_brier : float
        Share of repetitions in which the scored AUC chooses the same model as the other measure.
    auc_ties : float
        Share of repetitions in which several models have the highest validation AUC.
    auc_fit, scored_fit, brier_fit : float
        Correlation of test AUC with the validation measure over all models of the repetitions.
    auc_within, scored_within, brier_within : float
        The same among the ten models of a repetition, its mean; repetitions without variation
        of one of the two do not count.
    """

    rows: int
    validation: int
    scored: float
    auc: float
    brier: float
    tie_broken: float
    any_model: float
    best_model: float
    over_auc: float
    over_auc_error: float
    over_brier: float
    over_brier_error: float
    over_tie_broken: float
    over_tie_broken_error: float
    same_auc: float
    same_brier: float
    auc_ties: float
    auc_fit: float
    scored_fit: float
    brier_fit: float
    auc_within: float
    scored_within: float
    brier_within: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Trial:
    """Ten models of one repetition: their measures on validation rows, and the AUC on test rows."""

    auc: Floats
    scored: Floats
    brier: Floats
    test_auc: Floats


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of repetitions divided by `fewer`."""
    return [
        Question(data=data, learner=learner, block=block, repetitions=max(2, size // fewer))
        for names, blocks, size in (
            (SMALL, BLOCKS, BLOCK_SIZE),
            (LARGE, LARGE_BLOCKS, LARGE_BLOCK_SIZE),
        )
        for data, learner, block in itertools.product(names.values(), LEARNERS, range(blocks))
    ]


def trials(data: str, learner: str, repetitions: Iterable[int], share: float) -> Iterator[Trial]:
    """What these repetitions found; rows and attributes are the same for all learners.

    `share` is that of the rows not learned from that validate.
    """
    attributes, labels = read(data)
    for repetition in repetitions:
        rng = np.random.default_rng([SEED, repetition])
        learn, check, test = split(labels, share, rng)
        usable = subsets(len(attributes.sizes), rng)
        judge = np.concatenate((check, test))
        scores = LEARNERS[learner](attributes, labels, learn, judge, usable)
        validation = measured(scores[:, : len(check)], labels[check])
        yield Trial(
            auc=validation.auc,
            scored=validation.scored,
            brier=validation.brier,
            test_auc=measured(scores[:, len(check) :], labels[test]).auc,
        )


def split(labels: Labels, share: float, rng: np.random.Generator) -> tuple[Rows, Rows, Rows]:
    """Half of the rows to learn from; of the others the share that validates, and the rest.

    Drawn again if a part has one class only.
    """
    half = len(labels) // 2
    check = half + round(share * (len(labels) - half))
    while True:
        rows = rng.permutation(len(labels))
        parts = rows[:half], rows[half:check], rows[check:]
        if all(0 < labels[part].sum() < len(part) for part in parts):
            return parts


def subsets(count: int, rng: np.random.Generator) -> Labels:
    """Which of so many attributes each model may use: all but three."""
    return rng.random((MODELS, count)).argsort(axis=1) >= REMOVED


def answer(question: Question) -> Answer:
    """Train, choose and test, again and again, with the paper's shares."""
    return found_with(question, LARGE_SHARE if question.data in LARGE.values() else SHARE)


def found_with(question: Question, share: float) -> Answer:
    """The answer if this share of the rows not learned from validates."""
    _, labels = read(question.data)
    start = question.block * question.repetitions
    repetitions = range(start, start + question.repetitions)
    found = list(trials(question.data, question.learner, repetitions, share))
    values = {
        name: np.array([getattr(trial, name) for trial in found])
        for name in ("auc", "scored", "brier", "test_auc")
    }
    test = values.pop("test_auc")
    chosen = {name: value.argmax(axis=1) for name, value in values.items()}
    highest = values["auc"] == values["auc"].max(axis=1, keepdims=True)
    chosen["tie_broken"] = np.where(highest, values["scored"], -1).argmax(axis=1)
    won = {name: np.take_along_axis(test, at[:, None], 1)[:, 0] for name, at in chosen.items()}
    half = len(labels) - len(labels) // 2
    means: dict[str, float] = {name: aucs.mean() for name, aucs in won.items()}
    for other in ("auc", "brier", "tie_broken"):
        gain = won["scored"] - won[other]
        means[f"over_{other}"] = gain.mean()
        means[f"over_{other}_error"] = gain.std(ddof=1) / np.sqrt(len(gain))
    for other in ("auc", "brier"):
        means[f"same_{other}"] = np.mean(chosen["scored"] == chosen[other])
    for name, value in values.items():
        means[f"{name}_fit"] = correlation(value.ravel()[None], test.ravel()[None])
        means[f"{name}_within"] = correlation(value, test)
    means["auc_ties"] = np.mean(highest.sum(axis=1) > 1)
    means["any_model"] = test.mean()
    means["best_model"] = test.max(axis=1).mean()
    return Answer(
        **asdict(question),
        rows=len(labels),
        validation=round(share * half),
        **{name: float(f"{value:.6g}") for name, value in means.items()},
    )


def together(answers: Sequence[Answer]) -> list[Answer]:
    """One answer for each data set and learner; blocks are of the same size."""
    groups: dict[tuple[str, str], list[Answer]] = {}
    for row in answers:
        groups.setdefault((row.data, row.learner), []).append(row)
    return [_merged(rows) for rows in groups.values()]


def _merged(rows: list[Answer]) -> Answer:
    values: dict[str, float] = {}
    for name, kind in Answer.__annotations__.items():
        column = np.array([getattr(row, name) for row in rows])
        if name.endswith("_error"):
            values[name] = math.sqrt(np.mean(column**2) / len(rows))
        elif kind == "float":
            values[name] = float(np.mean(column))
    return replace(rows[0], block=0, repetitions=sum(row.repetitions for row in rows), **values)


def correlation(first: Floats, second: Floats) -> float:
    """The mean over rows of the linear correlation; rows without variation do not count."""
    first, second = (a - a.mean(axis=1, keepdims=True) for a in (first, second))
    size = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    real = size > 1e-12
    return float(np.mean((first * second).sum(axis=1)[real] / size[real])) if real.any() else np.nan
