"""The exact coverage of the intervals of rates at a threshold, over all outcomes."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import roclab as rl
from roclab.curves import OperatingPoint

METHODS = ("wilson", "clopper_pearson")
SIZES = ((10, 20), (30, 60))
RATES = ("sensitivity", "lr_pos", "lr_neg", "youden", "accuracy", "f1")
SENSITIVITIES = (0.5, 0.7, 0.8, 0.9, 0.95)
SPECIFICITIES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
PREVALENCE = 0.2


@dataclass(frozen=True, kw_only=True)
class Question:
    """A method, a rate, and the numbers of examples."""

    method: str
    rate: str
    n_pos: int
    n_neg: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.n_pos * self.n_neg

    def __str__(self) -> str:
        return f"{self.method}, {self.rate}, {self.n_pos}+{self.n_neg}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Mean and least coverage over pairs of true sensitivity and specificity."""

    mean: float
    least: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked; there is nothing random, so only small samples if `fewer`."""
    return [
        Question(method=method, rate=rate, n_pos=n_pos, n_neg=n_neg)
        for n_pos, n_neg in (SIZES if fewer == 1 else SIZES[:1])
        for method in METHODS
        for rate in RATES
    ]


def answer(question: Question) -> Answer:
    """Add the probabilities of all outcomes whose interval contains the true rate."""
    n_pos, n_neg, method = question.n_pos, question.n_neg, question.method
    ends = np.empty((2, n_pos + 1, n_neg + 1))
    chosen: Any = method
    for tp in range(n_pos + 1):
        for fp in range(n_neg + 1):
            ranking = rl.Ranking.from_groups([0, 1], pos=[n_pos - tp, tp], neg=[n_neg - fp, fp])
            point = rl.operating_point_interval(
                ranking, threshold=1, prevalence=PREVALENCE, method=chosen
            )
            ends[:, tp, fp] = point.rates[question.rate].low, point.rates[question.rate].high
    coverage = []
    for sensitivity in SENSITIVITIES:
        for specificity in SPECIFICITIES:
            weights = np.outer(_binomial(n_pos, sensitivity), _binomial(n_neg, 1 - specificity))
            truth = _true_rate(question.rate, sensitivity, specificity)
            inside = (ends[0] <= truth + 1e-12) & (truth - 1e-12 <= ends[1])  # not if undefined
            coverage.append(float(weights[inside].sum()))
    return Answer(
        **asdict(question),
        mean=float(f"{np.mean(coverage):.5g}"),
        least=float(f"{min(coverage):.5g}"),
    )


def _binomial(n: int, rate: float) -> list[float]:
    return [math.comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(n + 1)]


def _true_rate(rate: str, sensitivity: float, specificity: float) -> float:
    population = OperatingPoint(
        threshold=1,
        tp=PREVALENCE * sensitivity,
        fp=(1 - PREVALENCE) * (1 - specificity),
        tn=(1 - PREVALENCE) * specificity,
        fn=PREVALENCE * (1 - sensitivity),
    )
    return float(getattr(population, rate))
