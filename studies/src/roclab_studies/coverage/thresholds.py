"""Coverage of the interval of a chosen threshold, and what its optimism is worth."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import roclab as rl
from roclab.decisions.threshold.goal import Goal
from roclab_studies.coverage.panel_populations import FAMILIES, PanelPopulation

METHODS = ("smoothed", "bootstrap")
POPULATIONS = tuple(name for name, family in FAMILIES.items() if family.cuts is None)
SIZES = ((20, 20), (30, 300), (200, 200))
COSTS = (1.0, 10.0)  # of a false negative; a false positive costs 1
AUC = 0.8
RUNS = 100
RESAMPLES = 200
SEED = 20_261_119


@dataclass(frozen=True, kw_only=True)
class Question:
    """A population, the size of its samples, the cost of a false negative, and a method."""

    method: str
    family: str
    n_pos: int
    n_neg: int
    cost_of_misses: float
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * (self.n_pos + self.n_neg + 1000 * (self.method == "smoothed"))

    def __str__(self) -> str:
        return f"{self.method}, {self.family}, {self.n_pos}+{self.n_neg}, {self.cost_of_misses:g}"


@dataclass(frozen=True, kw_only=True)
class Answer(Question):
    """How often the interval held the best threshold, its width, and two mean differences.

    `width` is the mean share of examples within the interval; `excess` the mean of the true cost
    minus that in the sample, and `optimism` its estimate.
    """

    covered: int
    width: float
    excess: float
    optimism: float

    @property
    def coverage(self) -> float:
        """Share of the samples whose interval held the best threshold."""
        return self.covered / self.runs


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(
            method=method,
            family=family,
            n_pos=n_pos,
            n_neg=n_neg,
            cost_of_misses=cost,
            runs=RUNS // fewer,
        )
        for family in POPULATIONS
        for n_pos, n_neg in SIZES
        for cost in COSTS
        for method in METHODS
    ]


def answer(question: Question) -> Answer:
    """Choose a threshold in each of many samples."""
    population = PanelPopulation(family=question.family, auc=AUC)
    goal = _goal(question)
    scores, pos, neg = population._cells(population.separation)
    tpr, fpr = (np.concatenate([[0.0], np.cumsum(mass[::-1])]) for mass in (pos, neg))
    true_cost = goal.expected_cost(fpr, tpr)
    strict = np.concatenate([[np.inf], scores[::-1]])
    best = strict[int(goal.best(fpr, tpr))]
    place = (question.n_pos, question.n_neg, int(question.cost_of_misses))
    rng = np.random.default_rng([SEED, list(FAMILIES).index(question.family), *place])
    covered, widths, excess, optimism = 0, [], [], []
    for _ in range(question.runs):
        drawn = population.draw(rng, question.n_pos, question.n_neg, 1)
        sample = np.concatenate([drawn[0][0], drawn[1][0]])
        labels = np.repeat([True, False], [question.n_pos, question.n_neg])
        low, high, chosen, gain = _interval(question, labels, sample, rng)
        covered += low <= best <= high
        widths.append(np.mean((sample >= low) & (sample <= high)))
        true = float(np.interp(-chosen.threshold, -strict[1:], true_cost[1:]))
        excess.append(
            (true_cost[0] if math.isinf(chosen.threshold) else true) - chosen.expected_cost
        )
        optimism.append(gain)
    return Answer(
        **asdict(question),
        covered=int(covered),
        width=round(float(np.mean(widths)), 6),
        excess=round(float(np.mean(excess)), 6),
        optimism=round(float(np.mean(optimism)), 6),
    )


def _goal(question: Question) -> Goal:
    return Goal.of(
        false_positive_cost=1,
        false_negative_cost=question.cost_of_misses,
        prevalence=None,
        max_fpr=None,
        min_tpr=None,
        capacity=None,
        of_data=question.n_pos / (question.n_pos + question.n_neg),
    )


def _interval(
    question: Question,
    labels: npt.NDArray[np.bool_],
    scores: npt.NDArray[np.float64],
    rng: np.random.Generator,
) -> tuple[float, float, Any, float]:
    """Ends of the interval, the choice, and the estimated optimism."""
    smoothed = question.method == "smoothed"
    choice = rl.choose_threshold(
        labels,
        scores,
        false_negative_cost=question.cost_of_misses,
        n_resamples=RESAMPLES if smoothed else 1,
        rng=rng,
    )
    if smoothed:
        return choice.low, choice.high, choice, choice.optimism
    points = rl.operating_points(labels, scores)
    pos, neg = (np.diff(mass, prepend=0) for mass in (points.tp, points.fp))
    tpr, fpr = (
        np.cumsum(rng.multinomial(total, mass / total, RESAMPLES), axis=1) / total
        for mass, total in ((pos, question.n_pos), (neg, question.n_neg))
    )
    goal = _goal(question)
    best = goal.best(fpr, tpr)
    # All examples are called positive at the lowest threshold, as at any below it.
    thresholds = np.append(points.threshold[:-1], -np.inf)
    low, high = np.quantile(thresholds[best], [0.025, 0.975], method="nearest")
    rows = np.arange(RESAMPLES)
    drawn = goal.expected_cost(fpr, tpr)[rows, best]
    gain = float(np.mean(goal.expected_cost(points.fpr, points.tpr)[best] - drawn))
    return float(low), float(high), choice, gain
