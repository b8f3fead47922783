"""Power of studies of scores that are not normal, planned by a formula and from a pilot study."""

from __future__ import annotations

import math
import warnings
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import roclab as rl
from roclab_studies.coverage.panel_populations import FAMILIES, PanelPopulation

METHODS = ("delong", "pilot")
POPULATIONS = ("equal", "wide", "very wide", "exponential", "t3", "third", "bimodal")
AUC, AGAINST, POWER = 0.8, 0.7, 0.8
PILOT = 100  # examples of each class
RUNS = 2000
SEED = 20_261_118


@dataclass(frozen=True, kw_only=True)
class Question:
    """A population, and how studies of it are planned."""

    method: str
    family: str
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs

    def __str__(self) -> str:
        return f"{self.method}, {self.family}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """Median of the planned sizes, and the share of studies of such sizes that rejected."""

    n_pos: float
    rejected: int

    @property
    def power(self) -> float:
        """Share of the studies that rejected."""
        return self.rejected / self.runs

    @property
    def standard_error(self) -> float:
        """That of the power."""
        return math.sqrt(self.power * (1 - self.power) / self.runs)


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(method=method, family=family, runs=RUNS // fewer)
        for family in POPULATIONS
        for method in METHODS
    ]


def answer(question: Question) -> Answer:
    """Plan a study, each from another pilot, and try it."""
    population = PanelPopulation(family=question.family, auc=AUC)
    rng = np.random.default_rng([SEED, list(FAMILIES).index(question.family)])
    sizes, rejected = [], 0
    for _ in range(question.runs):
        variance: dict[str, Any] = {"method": "delong"}
        if question.method == "pilot":
            variance = {"pilot": rl.Ranking(*_sample(population, rng, PILOT))}
        plan = rl.plan_auc_study(AUC, null_value=AGAINST, power=POWER, **variance)
        sizes.append(plan.n_pos)
        sample = _sample(population, rng, math.ceil(plan.n_pos))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            test = rl.compare_to_value(*sample, value=AGAINST, method="delong")
        rejected += test.pvalue < 0.05
    return Answer(
        **asdict(question), n_pos=float(f"{np.median(sizes):.6g}"), rejected=int(rejected)
    )


def _sample(
    population: PanelPopulation, rng: np.random.Generator, size: int
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
    pos, neg = population.draw(rng, size, size, 1)
    return np.repeat([True, False], size), np.concatenate([pos[0], neg[0]])
