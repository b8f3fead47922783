"""Wu, Flach and Ferri's figure 2: how often noise changes which model a measure prefers.

Two data sets of 100 examples have true probabilities that are uniform, labels that follow from
them, and 10 and 11 labels swapped. Noise is added to the probabilities. The formula of the noise is
lost in the text of the paper that we have, so three readings of it are run.
"""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from roclab_studies.scored_auc.measures import measured

READINGS = {"half": (-0.5, 0.5), "both": (-1.0, 1.0), "up": (0.0, 1.0)}
NOISE = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0)
EXAMPLES, SWAPPED = 100, (10, 11)
RUNS = 40_000
BLOCK = 4_000
SEED = 20_070_917

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
MEASURES = ("auc", "scored", "brier", "accuracy")


@dataclass(frozen=True, kw_only=True)
class Question:
    """A reading of the noise and its size `k`."""

    reading: str
    k: float
    runs: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.reading

    @property
    def cost(self) -> float:
        """All take the same time."""
        return 1.0

    def __str__(self) -> str:
        return f"noise {self.reading}, k {self.k:g}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Counts of runs.

    Attributes
    ----------
    auc, scored, brier, accuracy : int
        In which the sign of the difference of the two models changed; a tie is a sign of its own.
    auc_only, brier_only, accuracy_only : int
        In which that of this measure changed and that of the scored AUC did not.
    not_auc, not_brier, not_accuracy : int
        In which that of the scored AUC changed and that of this measure did not.
    auc_reversed, scored_reversed, brier_reversed, accuracy_reversed : int
        In which the sign turned round, ties not counted.
    """

    auc: int
    scored: int
    brier: int
    accuracy: int
    auc_only: int
    not_auc: int
    brier_only: int
    not_brier: int
    accuracy_only: int
    not_accuracy: int
    auc_reversed: int
    scored_reversed: int
    brier_reversed: int
    accuracy_reversed: int


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(reading=reading, k=k, runs=RUNS // fewer)
        for reading, k in itertools.product(READINGS, NOISE)
    ]


def answer(question: Question) -> Answer:
    """Compare two models before and after noise, again and again."""
    low, high = READINGS[question.reading]
    place = list(READINGS).index(question.reading)
    rng = np.random.default_rng([SEED, place, round(1000 * question.k)])
    counts = dict.fromkeys(Answer.__annotations__, 0)
    for start in range(0, question.runs, BLOCK):
        runs = min(BLOCK, question.runs - start)
        before, after = signs(rng, runs, low=low, high=high, k=question.k)
        changed = {name: before[name] != after[name] for name in MEASURES}
        for name in MEASURES:
            counts[name] += int(changed[name].sum())
            counts[f"{name}_reversed"] += int((before[name] * after[name] < 0).sum())
            if name != "scored":
                counts[f"{name}_only"] += int((changed[name] & ~changed["scored"]).sum())
                counts[f"not_{name}"] += int((changed["scored"] & ~changed[name]).sum())
    return Answer(**asdict(question), **counts)


def signs(
    rng: np.random.Generator, runs: int, *, low: float, high: float, k: float
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Which of two models each measure prefers, before and after noise: 1, 0 or -1 a run."""
    values: list[list[dict[str, Floats]]] = []
    for swapped in SWAPPED:
        truth = rng.random((runs, EXAMPLES))
        labels = truth >= 0.5
        at = np.argpartition(rng.random(truth.shape), swapped, axis=1)[:, :swapped]
        np.put_along_axis(labels, at, ~np.take_along_axis(labels, at, axis=1), axis=1)
        noisy = np.clip(truth + k * rng.uniform(low, high, truth.shape), 0, 1)
        both = (measured(scores, labels) for scores in (truth, noisy))
        values.append([{name: getattr(one, name) for name in MEASURES} for one in both])
    first, second = values
    before, after = (
        {name: np.sign(np.round(a[name] - b[name], 12)) for name in MEASURES}
        for a, b in zip(first, second, strict=True)
    )
    return before, after
