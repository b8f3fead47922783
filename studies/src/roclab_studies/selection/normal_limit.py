"""Whether the joint normal limit of AUCs selects as the bootstrap does.

Four models are selected from twice: with replicates of resampled rows and with draws from the
normal limit, whichever of the two the library would take.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtri

import roclab as rl
from roclab.selection import criterion

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]

MODELS = 4
SAMPLES = 3
REPLICATES = 20_000
SEED = 20_261


def _normal(auc: float) -> Callable[[np.random.Generator, Labels], Floats]:
    """Scores that share half the variance of their noise, of models that are nearly equal."""

    def scores(rng: np.random.Generator, labels: Labels) -> Floats:
        shared = rng.normal(size=len(labels))
        noise = np.sqrt(0.5) * (shared + rng.normal(size=(MODELS, len(labels))))
        leads = np.linspace(0, 0.02, MODELS)[:, None]
        return noise + (np.sqrt(2) * ndtri(auc) + leads) * labels

    return scores


def _levels(rng: np.random.Generator, labels: Labels) -> Floats:
    return np.searchsorted([-0.5, 0.5, 1.5, 2.5], _normal(0.75)(rng, labels)).astype(np.float64)


def _probabilities(rng: np.random.Generator, labels: Labels) -> Floats:
    return expit(_normal(0.75)(rng, labels))


def _heavy(rng: np.random.Generator, labels: Labels) -> Floats:
    shared = rng.standard_t(2.5, size=len(labels))
    return shared + rng.standard_t(2.5, size=(MODELS, len(labels))) + labels


def _few_rows_differ(rows: int) -> Callable[[np.random.Generator, Labels], Floats]:
    def scores(rng: np.random.Generator, labels: Labels) -> Floats:
        first = rng.normal(size=len(labels)) + labels
        found = np.tile(first, (MODELS, 1))
        for model in found:
            changed = rng.choice(len(labels), rows, replace=False)
            model[changed] = rng.normal(size=rows) + labels[changed]
        return found

    return scores


# Title, measure, numbers of examples, and scores of all models.
POPULATIONS: dict[str, tuple[str, int, int, Callable[[np.random.Generator, Labels], Floats]]] = {
    "normal, AUC 0.75": ("auc", 1000, 1000, _normal(0.75)),
    "normal, AUC 0.97": ("auc", 1000, 1000, _normal(0.97)),
    "five levels": ("auc", 1000, 9000, _levels),
    "scored AUC of probabilities": ("scored_auc", 1000, 1000, _probabilities),
    "1,000 rows differ": ("auc", 5000, 5000, _few_rows_differ(1000)),
    "100 rows differ": ("auc", 5000, 5000, _few_rows_differ(100)),
    "exponential weights": ("auc", 5000, 5000, _normal(0.75)),
    "clusters of 5": ("auc", 5000, 5000, _normal(0.75)),
    "scored AUC, Student's t with 2.5 degrees of freedom": ("scored_auc", 5000, 5000, _heavy),
    "30 rows differ": ("auc", 5000, 5000, _few_rows_differ(30)),
    "normal, AUC 0.999": ("auc", 5000, 5000, _normal(0.999)),
    "10 rows differ": ("auc", 5000, 5000, _few_rows_differ(10)),
    "5 rows differ": ("auc", 5000, 5000, _few_rows_differ(5)),
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """A population, and the number of a sample of it."""

    population: str
    sample: int
    replicates: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return POPULATIONS[self.population][0]

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return sum(POPULATIONS[self.population][1:3])

    def __str__(self) -> str:
        return f"{self.population}, sample {self.sample}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """What the two selections have in common.

    Attributes
    ----------
    bound : float
        Bound of the skewness of differences, by which the library decides.
    win_shares, pvalues : float
        Largest difference of win shares, and of p-values, over the models.
    same : int
        1 if the contenders are the same.
    """

    bound: float
    win_shares: float
    pvalues: float
    same: int


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of replicates divided by `fewer`."""
    return [
        Question(population=name, sample=sample, replicates=REPLICATES // fewer)
        for name in POPULATIONS
        for sample in range(SAMPLES)
    ]


def answer(question: Question) -> Answer:
    """Select twice from one sample."""
    table, options = sample(question)
    found = []
    # From so many examples, and up to such a bound, the library takes the limit.
    for many in (np.inf, 0):
        with patch.multiple(criterion, _MANY=many, _MOST_SKEWNESS=np.inf):
            found.append(
                rl.select_model(
                    table, n_resamples=question.replicates, rng=question.sample, **options
                )
            )
    resampled, limit = found
    if (resampled.method, limit.method) != ("bootstrap", "joint_normal"):
        raise RuntimeError("the library no longer chooses between the two by these constants")
    pairs = list(zip(resampled.models, limit.models, strict=True))
    return Answer(
        **asdict(question),
        bound=float(f"{bound_of(table, options):.4g}"),
        win_shares=float(f"{max(abs(a.win_share - b.win_share) for a, b in pairs):.4g}"),
        pvalues=float(f"{max(abs(a.pvalue - b.pvalue) for a, b in pairs):.4g}"),
        same=int(resampled.contenders == limit.contenders),
    )


def sample(question: Question) -> tuple[rl.ScoreTable, dict[str, Any]]:
    """Scores of all models, and the options of the selection."""
    measure, n_pos, n_neg, draw = POPULATIONS[question.population]
    place = list(POPULATIONS).index(question.population)
    rng = np.random.default_rng([SEED, place, question.sample])
    labels = np.repeat([True, False], [n_pos, n_neg])
    scores = dict(zip("abcd", draw(rng, labels), strict=True))
    weights = rng.exponential(size=len(labels)) if "weights" in question.population else None
    options: dict[str, Any] = {"measure": measure}
    if "clusters" in question.population:
        options["cluster"] = np.arange(len(labels)) // 5
    return rl.ScoreTable(labels, scores, sample_weight=weights), options


def bound_of(table: rl.ScoreTable, options: dict[str, Any]) -> float:
    """Bound of the skewness of all differences."""
    seen = []

    def spy(*arguments: Any) -> float:
        seen.append(criterion_skewness(*arguments))
        return seen[-1]

    criterion_skewness = criterion.difference_skewness
    with patch.multiple(criterion, _MANY=0, difference_skewness=spy):
        rl.select_model(table, n_resamples=2, rng=0, **options)
    return seen[0]
