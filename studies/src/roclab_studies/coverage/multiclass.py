"""How often the intervals of the AUC of several classes contain its true value."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import roclab as rl
from roclab.inference import multiclass_auc_interval

SIZES = ((8, 15, 40), (25, 25, 25, 25), (30, 100, 300))
RUNS = 1000
LARGE = 600_000  # examples of the sample that has the true value
SEED = 20_261_117

Labels = npt.NDArray[np.intp]
Scores = npt.NDArray[np.float64]


def _probabilities(rng: np.random.Generator, labels: Labels, classes: int) -> Scores:
    logits = rng.standard_t(3, size=(len(labels), classes))
    logits[np.arange(len(labels)), labels] += 1.5
    odds = np.exp(logits)
    return np.round(odds / odds.sum(axis=1, keepdims=True), 2)


def _one_unknown(rng: np.random.Generator, labels: Labels, classes: int) -> Scores:
    scores = rng.gamma(2, size=(len(labels), classes))
    scores[np.arange(len(labels)), labels] += 3 * (labels > 0)
    return scores


def _grades(rng: np.random.Generator, labels: Labels, classes: int) -> Scores:
    del classes
    return np.ceil(rng.exponential(size=len(labels)) * (1 + labels))


FAMILIES: dict[str, tuple[str, Any, tuple[str, ...]]] = {
    "probabilities": (
        "probabilities from Student's t",
        _probabilities,
        ("hand_till", "macro", "weighted"),
    ),
    "gamma": ("gamma, one class like chance", _one_unknown, ("hand_till", "macro", "weighted")),
    "grades": (
        "one score, exponential, rounded up",
        _grades,
        ("hand_till", "hand_till_weighted"),
    ),
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """An average of a population, with classes of fixed sizes."""

    method: str
    family: str
    sizes: str
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * sum(map(int, self.sizes.split()))

    def __str__(self) -> str:
        return f"{self.method}, {self.family}, {self.sizes}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """The true value, how many intervals contain it, and how wide they are."""

    truth: float
    covered: int
    mean_width: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(method=average, family=family, sizes=" ".join(map(str, sizes)), runs=RUNS // fewer)
        for family, (_, _, averages) in FAMILIES.items()
        for sizes in SIZES
        for average in averages
    ]


def answer(question: Question) -> Answer:
    """Draw samples, and look which intervals contain the true value."""
    _, make, _ = FAMILIES[question.family]
    sizes = [int(size) for size in question.sizes.split()]
    # The same samples for all averages.
    rng = np.random.default_rng([SEED, list(FAMILIES).index(question.family), *sizes])
    times = LARGE // sum(sizes)
    many = np.repeat(np.arange(len(sizes)), [times * size for size in sizes])
    average: Any = question.method
    truth = rl.multiclass_auc(many, make(rng, many, len(sizes)), average=average)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    covered, widths = 0, []
    for _ in range(question.runs):
        found = multiclass_auc_interval(labels, make(rng, labels, len(sizes)), average=average)
        covered += found.low <= truth <= found.high
        widths.append(found.high - found.low)
    return Answer(
        **asdict(question),
        truth=float(f"{truth:.6g}"),
        covered=int(covered),
        mean_width=float(f"{np.mean(widths):.4g}"),
    )
