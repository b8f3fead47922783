"""Do contenders contain the best model as often as promised? And the optimism, against the truth.

Scores of all models are normal, share a part of their noise, and are shifted for positives so that
each model has the AUC that the pattern says. The first model is best, or one of the best.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtri

import roclab as rl

RUNS, REPLICATES = 400, 500
SHARED = 0.5  # of the variance of the noise
SIZES = ((10, 10), (10, 50), (30, 30), (100, 100), (30, 300))
COUNTS = (2, 10, 50)
PATTERNS = ("equal", "half worse", "spread")
CLEAR = "one better"
CLEAR_SIZES = ((25, 25), (100, 100), (30, 470))
OTHERS = (("scored_auc", 1), ("brier_score", 5))  # measures, and by how much their runs are fewer
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Question:
    """How many models of which AUCs, on how many examples, chosen by what."""

    by: str
    pattern: str
    models: int
    n_pos: int
    n_neg: int
    runs: int

    @property
    def method(self) -> str:
        """What ``--methods`` chooses by."""
        return self.by

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        slow = 1 if self.by == "auc" else 5
        return slow * self.runs * self.models * (self.n_pos + self.n_neg)

    def __str__(self) -> str:
        return (
            f"{self.models} models by {self.by}, {self.pattern}, {self.n_pos}+ {self.n_neg}-, "
            f"{self.runs:,} runs"
        )


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Shares and means over the runs.

    Attributes
    ----------
    covered : float
        Runs in which the first model, which is best, was a contender at 95 %.
    best_chosen : float
        Runs in which the model chosen was one of the best.
    contenders : float
        Their mean number.
    optimism, optimism_error : float
        What the value of the chosen model had over its true value, and the standard error of that;
        nan where the true values are not known.
    estimated : float
        The optimism that was estimated.
    """

    covered: float
    best_chosen: float
    contenders: float
    optimism: float
    optimism_error: float
    estimated: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    asked = [
        Question(
            by="auc",
            pattern=pattern,
            models=models,
            n_pos=n_pos,
            n_neg=n_neg,
            runs=max(2, RUNS // fewer),
        )
        for pattern, models, (n_pos, n_neg) in itertools.product(PATTERNS, COUNTS, SIZES)
        if (pattern, models) != ("spread", 2)  # that is half worse
    ]
    asked += [
        Question(
            by="auc",
            pattern=CLEAR,
            models=models,
            n_pos=n_pos,
            n_neg=n_neg,
            runs=max(2, RUNS // fewer),
        )
        for models, (n_pos, n_neg) in itertools.product(COUNTS, CLEAR_SIZES)
    ]
    asked += [
        Question(
            by=by,
            pattern="equal",
            models=5,
            n_pos=size,
            n_neg=size,
            runs=max(2, RUNS // less // fewer),
        )
        for (by, less), size in itertools.product(OTHERS, (10, 30, 100))
    ]
    return asked


def answer(question: Question) -> Answer:
    """Draw tables and choose, again and again."""
    rng = np.random.default_rng([11, question.models, question.n_pos, question.n_neg])
    aucs = true_aucs(question.pattern, question.models)
    covered, best_chosen, sizes, gaps, estimates = [], [], [], [], []
    for run in range(question.runs):
        chosen = rl.select_model(
            drawn_table(question, aucs, rng), measure=question.by, n_resamples=REPLICATES, rng=run
        )
        best = int(str(chosen.best))
        covered.append("0" in chosen.contenders)
        best_chosen.append(aucs[best] == aucs[0])
        sizes.append(len(chosen.contenders))
        gaps.append(chosen.value - aucs[best] if question.by == "auc" else math.nan)
        estimates.append(chosen.optimism)
    return Answer(
        **asdict(question),
        covered=_rounded(np.mean(covered)),
        best_chosen=_rounded(np.mean(best_chosen)),
        contenders=_rounded(np.mean(sizes)),
        optimism=_rounded(np.mean(gaps)),
        optimism_error=_rounded(np.std(gaps, ddof=1) / math.sqrt(len(gaps))),
        estimated=_rounded(np.nanmean(estimates)),
    )


def true_aucs(pattern: str, models: int) -> Floats:
    """Of each model; the first has the highest."""
    if pattern == "equal":
        return np.full(models, 0.75)
    if pattern == CLEAR:
        return np.where(np.arange(models) < 1, 0.8, 0.7)
    if pattern == "half worse":
        return np.where(np.arange(models) < models - models // 2, 0.8, 0.65)
    return np.linspace(0.8, 0.65, models)


def drawn_table(question: Question, aucs: Floats, rng: np.random.Generator) -> rl.ScoreTable:
    """Labels, and scores of all models."""
    n = question.n_pos + question.n_neg
    labels = np.arange(n) < question.n_pos
    noise = math.sqrt(SHARED) * rng.normal(size=(n, 1))
    noise = noise + math.sqrt(1 - SHARED) * rng.normal(size=(n, question.models))
    scores = noise + labels[:, np.newaxis] * math.sqrt(2) * ndtri(aucs)
    if question.by != "auc":
        scores = expit(scores)
    return rl.ScoreTable(labels, {str(k): scores[:, k] for k in range(question.models)})


def _rounded(value: float | np.floating) -> float:  # type: ignore[type-arg]
    return float(f"{value:.4g}")
