"""How often intervals for a cross-validated AUC hold the true one, and how wide they are.

Classes are normal around two means in some dimensions, and the learner is Fisher's linear
discriminant, so that the true AUC of every model that was trained is known. The interval is for the
mean of these over the folds; it is also asked whether it holds the AUC of the model that is trained
on all of the data, which is the one that people go on to use. All methods see the same samples;
some see ten rounds of cross-validation, of which the first is the one that the others see.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri
from scipy.stats import t as student

import roclab as rl
from roclab.inference import FoldScores
from roclab_studies.coverage.covered_share import CoveredShare
from roclab_studies.populations import Labels, labels_of

Floats = npt.NDArray[np.float64]

ONE_ROUND = ("averaged auto", "averaged wald", "pooled auto", "pooled wald", "spread of folds")
TEN_ROUNDS = ("averaged auto, ten rounds", "spread of folds, ten rounds")  # with 5 folds
METHODS = (*ONE_ROUND, *TEN_ROUNDS)
SIZES = ((30, 30), (20, 180), (100, 100), (500, 500))
FOLDS = (5, 10)
AUCS = (0.7, 0.9)  # of the best linear score
DIMENSIONS = (3, 20)
LEVEL = 0.95
RUNS = 1000
SEED = 20_250_412


@dataclass(frozen=True, kw_only=True)
class Question:
    """An interval, and the samples it is tried on."""

    method: str
    n_pos: int
    n_neg: int
    folds: int
    dimensions: int
    auc: float
    runs: int

    @property
    def rounds(self) -> int:
        """How many times the data are cut into folds."""
        return 10 if self.method in TEN_ROUNDS else 1

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * self.rounds * self.folds * (500 + self.n_pos + self.n_neg)

    def __str__(self) -> str:
        cell = f"{self.n_pos}+{self.n_neg}, {self.folds} folds, {self.dimensions} dimensions"
        return f"{self.method} {cell}, AUC {self.auc}"


@dataclass(frozen=True, kw_only=True)
class Answer(CoveredShare, Question):
    """What was found.

    Attributes
    ----------
    covered : int
        Samples whose interval holds the mean of the true AUCs of the models of the folds.
    covered_final : int
        Samples whose interval holds the true AUC of the model trained on all data.
    mean_width : float
        Mean width.
    bias : float
        Mean of the estimate minus the mean of the true AUCs.
    """

    covered: int
    covered_final: int
    mean_width: float
    bias: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(
            method=method,
            n_pos=n_pos,
            n_neg=n_neg,
            folds=folds,
            dimensions=dimensions,
            auc=auc,
            runs=RUNS // fewer,
        )
        for method, (n_pos, n_neg), folds, dimensions, auc in itertools.product(
            METHODS, SIZES, FOLDS, DIMENSIONS, AUCS
        )
        if method in ONE_ROUND or folds == FOLDS[0]
    ]


class CrossValidated(NamedTuple):
    """Scores of one sample, and true AUCs."""

    scores: FoldScores
    true: float
    true_final: float


def samples(question: Question) -> Iterator[CrossValidated]:
    """One cross-validation after another; the same for all methods."""
    cell = (question.n_pos, question.n_neg, question.folds, question.dimensions)
    rng = np.random.default_rng([SEED, *cell, round(1000 * question.auc)])
    labels = labels_of(question.n_pos, question.n_neg)
    rows = np.arange(len(labels))
    distance = math.sqrt(2) * float(ndtri(question.auc))
    for _ in range(question.runs):
        data = rng.standard_normal((len(labels), question.dimensions))
        data[labels, 0] += distance
        first = _stratified(labels, question.folds, rng)
        # Further rounds have a stream of their own, so that the next sample is the same.
        others = rng.spawn(1)[0]
        scores, folds, true = [], [], []
        for number in range(question.rounds):
            fold = first if number == 0 else _stratified(labels, question.folds, others)
            found = np.empty(len(labels))
            for one in range(question.folds):
                held_out = fold == one
                direction, offset = _discriminant(data[~held_out], labels[~held_out])
                found[held_out] = data[held_out] @ direction - offset
                true.append(_true_auc(direction, distance))
            scores.append(found)
            folds.append(fold + number * question.folds)
        final = _true_auc(_discriminant(data, labels)[0], distance)
        together = FoldScores(
            y_true=np.tile(labels, question.rounds),
            y_score=np.concatenate(scores),
            fold=np.concatenate(folds),
            row=np.tile(rows, question.rounds),
        )
        yield CrossValidated(together, float(np.mean(true)), final)


def _stratified(labels: Labels, folds: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Folds of nearly as many examples of each class."""
    fold = np.empty(len(labels), dtype=np.intp)
    for of_class in (labels, ~labels):
        fold[of_class] = rng.permutation(np.arange(np.count_nonzero(of_class)) % folds)
    return fold


def _discriminant(data: Floats, labels: Labels) -> tuple[Floats, float]:
    """Fisher's direction, and the score half way between the means."""
    means = [data[of_class].mean(axis=0) for of_class in (labels, ~labels)]
    centred = data - np.where(labels[:, None], *means)
    direction = np.linalg.solve(centred.T @ centred / len(data), means[0] - means[1])
    return direction, float(direction @ (means[0] + means[1]) / 2)


def _true_auc(direction: Floats, distance: float) -> float:
    return float(ndtr(direction[0] * distance / math.sqrt(2 * direction @ direction)))


def interval(method: str, scores: FoldScores) -> tuple[float, float, float]:
    """Value, lower and upper end."""
    what, _, how = method.partition(",")[0].partition(" ")
    if what != "spread":
        found = rl.cross_validated_auc(scores, method=how, confidence_level=LEVEL)
        interval = found.averaged if what == "averaged" else found.pooled
        return interval.value, interval.low, interval.high
    values = [fold.value for fold in rl.cross_validated_auc(scores).folds]
    count, value = len(values), float(np.mean(values))
    quantile = student.ppf((1 + LEVEL) / 2, count - 1)
    margin = float(quantile * np.std(values, ddof=1)) / math.sqrt(count)
    return value, value - margin, value + margin


def answer(question: Question) -> Answer:
    """Make the intervals and count."""
    found = np.array(
        [
            (*interval(question.method, one.scores), one.true, one.true_final)
            for one in samples(question)
        ]
    )
    value, low, high, true, final = found.T
    return Answer(
        **asdict(question),
        covered=int(np.count_nonzero((low <= true) & (true <= high))),
        covered_final=int(np.count_nonzero((low <= final) & (final <= high))),
        mean_width=float(f"{np.mean(high - low):.4g}"),
        bias=float(f"{np.mean(value - true):.4g}"),
    )
