"""How often the interval of a difference between two models holds the true one, for any measure.

Both models score the same rows. Their scores have the shape of a family of the panel, and depend on
each other by a normal copula within each class.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtr

import roclab as rl
from roclab.inference import MeasureComparison
from roclab.measures import find_measure
from roclab_studies.coverage.covered_share import CoveredShare
from roclab_studies.coverage.panel_populations import SHAPES, PanelPopulation

Floats = npt.NDArray[np.float64]

SEED = 20_261_118
# The degrees of freedom of influence functions were chosen on the first; the others judge.
CHOSEN_ON = ("very wide", "three", "exponential", "t3", "tenth")
HELD_OUT = ("lognormal", "weibull", "two peaks")
FAMILIES = (*CHOSEN_ON, *HELD_OUT)
AUCS = ((0.8, 0.8), (0.85, 0.75))
CORRELATION = 0.6
CLOSED = (
    "partial_auc(fpr_range=(0, 0.1))",
    "partial_auc(fpr_range=(0, 0.2))",
    "partial_auc(tpr_range=(0.8, 1))",
    "average_precision",
    "brier_score",
)
RESAMPLED = ("sensitivity(specificity=0.9)", "h_measure")
SIZES = {"closed": ((20, 20), (20, 200), (50, 50), (100, 400)), "resampled": ((20, 200), (50, 50))}
RUNS = {"closed": 300, "resampled": 150}
RESAMPLES = 100


@dataclass(frozen=True, kw_only=True)
class Question:
    """A measure, its method, and the samples on which two models are compared."""

    measure: str
    method: str
    family: str
    n_pos: int
    n_neg: int
    auc_a: float
    auc_b: float
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * (RESAMPLES if self.measure in RESAMPLED else 1)

    def __str__(self) -> str:
        return (
            f"{self.measure}, {self.family} {self.n_pos}+{self.n_neg} AUC {self.auc_a:g} and "
            f"{self.auc_b:g}"
        )


@dataclass(frozen=True, kw_only=True)
class Answer(CoveredShare, Question):
    """What was found, in numbers of samples.

    Attributes
    ----------
    covered : int
        The interval holds the true difference.
    below, above : int
        The true difference is below or above the interval.
    undefined : int
        The interval is nan, which counts as a miss.
    median_width : float
        Median width.
    """

    covered: int
    below: int
    above: int
    undefined: int
    median_width: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(
            measure=measure,
            method="auto",
            family=family,
            n_pos=n_pos,
            n_neg=n_neg,
            auc_a=auc_a,
            auc_b=auc_b,
            runs=RUNS[kind] // fewer,
        )
        for kind, measures in (("closed", CLOSED), ("resampled", RESAMPLED))
        for measure in measures
        for family in FAMILIES
        for auc_a, auc_b in (AUCS if kind == "closed" else AUCS[1:])
        for n_pos, n_neg in SIZES[kind]
    ]


def answer(question: Question) -> Answer:
    """Make the intervals and count."""
    share = question.n_pos / (question.n_pos + question.n_neg)
    of_models = [
        true_value(question.measure, question.family, auc, share)
        for auc in (question.auc_a, question.auc_b)
    ]
    truth = of_models[0] - of_models[1]
    low, high = np.empty((2, question.runs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for run, found in enumerate(comparisons(question)):
            low[run], high[run] = found.low, found.high
    near = 1e-9
    return Answer(
        **asdict(question),
        covered=int(np.count_nonzero((low <= truth + near) & (truth <= high + near))),
        below=int(np.count_nonzero(truth < low - near)),
        above=int(np.count_nonzero(truth > high + near)),
        undefined=int(np.count_nonzero(np.isnan(low))),
        median_width=float(f"{np.nanmedian(high - low):.4g}"),
    )


def comparisons(question: Question) -> Iterator[MeasureComparison]:
    """The comparison of one sample after another."""
    cell = (FAMILIES.index(question.family), question.n_pos, question.n_neg)
    rng = np.random.default_rng([SEED, *cell, round(1000 * question.auc_a)])
    labels = np.repeat([True, False], [question.n_pos, question.n_neg])
    for run in range(question.runs):
        scores = paired_scores(rng, question.family, labels, (question.auc_a, question.auc_b))
        if question.measure == "brier_score":
            scores = [
                _probabilities(one, population_of(question.family, auc))
                for one, auc in zip(scores, (question.auc_a, question.auc_b), strict=True)
            ]
        yield rl.compare_measure(
            labels, *scores, measure=question.measure, rng=run, n_resamples=RESAMPLES
        )


def paired_scores(
    rng: np.random.Generator, family: str, labels: npt.NDArray[np.bool_], aucs: tuple[float, float]
) -> list[Floats]:
    """Scores of two models with these AUCs on the same rows."""
    common = rng.standard_normal(len(labels))
    part = rng.random(len(labels))
    found = []
    for auc in aucs:
        population = population_of(family, auc)
        kind, apart = population.kind, population.separation
        own = rng.standard_normal(len(labels))
        latent = math.sqrt(CORRELATION) * common + math.sqrt(1 - CORRELATION) * own
        scores = SHAPES[kind.shape].ppf(ndtr(latent))
        if kind.scaled:
            found.append(np.where(labels, apart * scores, scores))
            continue
        shares = np.cumsum([share for share, _, _ in kind.parts])
        chosen = np.minimum(np.searchsorted(shares, part), len(shares) - 1)
        shift = np.array([times * apart + offset for _, times, offset in kind.parts])[chosen]
        scores = np.where(labels, kind.spread * scores + shift, scores)
        if kind.cuts is not None:
            scores = np.searchsorted(np.array(kind.cuts) + apart / 2, scores).astype(np.float64)
        found.append(scores)
    return found


@cache
def population_of(family: str, auc: float) -> PanelPopulation:
    """The same population for all questions, since its separation takes a while to find."""
    return PanelPopulation(family=family, auc=auc)


@cache
def true_value(measure: str, family: str, auc: float, share: float) -> float:
    """True value of one model."""
    entry, options = find_measure(measure)
    population = population_of(family, auc)

    def value(labels: Floats, scores: Floats, sample_weight: Floats) -> float:
        if measure == "brier_score":
            scores = _probabilities(scores, population)
        ranking = rl.Ranking(labels, scores, sample_weight=sample_weight)
        return float(entry.value_of(ranking, **options))

    return population.value(value, share)


def _probabilities(scores: Floats, population: PanelPopulation) -> Floats:
    middle = 0.0 if population.kind.scaled else population.separation / 2
    return np.asarray(expit(scores - middle))
