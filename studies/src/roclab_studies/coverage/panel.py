"""How often every default interval holds the true value: one panel for all measures.

Populations, sizes and measures are crossed. Methods were chosen on some of the populations; the
others judge. "before" is the method that was the default earlier, on the same samples. An interval
whose ends are nan counts as a miss.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtri

import roclab as rl
from roclab.measures import find_measure
from roclab_studies.coverage.covered_share import CoveredShare
from roclab_studies.coverage.panel_populations import FAMILIES, PanelPopulation

Floats = npt.NDArray[np.float64]

SEED = 20_261_117
RESAMPLES = 100
SIZES = {
    "closed form": (
        *((5, 50), (10, 10), (10, 30), (10, 100), (10, 500)),
        *((20, 20), (20, 200), (50, 50)),
    ),
    "rate": ((10, 100), (10, 500), (50, 50)),
    "resampled": ((10, 100), (20, 20)),
}
# Resampling takes long: half of the populations, and fewer for the measures that matter less.
HALF = ("equal", "five", "gamma", "third", "very wide", "three", "exponential", "t3")
QUARTER = ("equal", "third", "exponential", "t3")
AUCS = (0.65, 0.8, 0.9)
MOST_AUC = {"third": 0.8}  # more is not to be had of positives that are like negatives
LEVELS = {"auc": (0.8, 0.9, 0.95)}
RATES = {
    "specificity_at(sensitivity=0.9)": (rl.specificity_at, {"sensitivity": 0.9}),
    "specificity_at(sensitivity=0.95)": (rl.specificity_at, {"sensitivity": 0.95}),
    "sensitivity_at(specificity=0.9)": (rl.sensitivity_at, {"specificity": 0.9}),
}
RESAMPLED = (
    "average_precision",
    "h_measure",
    "partial_auc(fpr_range=(0, 0.2))",
    "ks_statistic",
    "brier_score",
)
MINOR = RESAMPLED[2:]
PROBABILITIES = ("brier_score",)
BEFORE = {
    "scored_auc": "delong",
    **dict.fromkeys(RATES, "wilson"),
    **dict.fromkeys(RESAMPLED, "bootstrap"),
}
RUNS = {"closed form": 500, "rate": 200, "resampled": 200, "minor": 400, "clusters": 300}
CLUSTERED = "auc, clusters"
CLUSTER_SIZES = ("equal", "geometric", "lognormal")
LABELS = ("a class in each", "mixed")
CORRELATIONS = (0.0, 0.5)
MEAN_ROWS = 10


@dataclass(frozen=True, kw_only=True)
class Question:
    """An interval, and the samples it is tried on.

    Attributes
    ----------
    measure : str
        What is estimated.
    method : {"default", "before"}
        Method of the interval.
    family : str
        Population; of clusters their sizes, their labels and the correlation of their rows.
    n_pos, n_neg : int
        Examples; of clusters their number, and the mean number of rows.
    """

    measure: str
    method: str
    level: float
    family: str
    n_pos: int
    n_neg: int
    auc: float
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * (RESAMPLES if self.measure in RESAMPLED else 1)

    def __str__(self) -> str:
        return (
            f"{self.measure} {self.method} {100 * self.level:g} %, {self.family} "
            f"{self.n_pos}+{self.n_neg} AUC {self.auc:g}"
        )


@dataclass(frozen=True, kw_only=True)
class Answer(CoveredShare, Question):
    """What was found, in numbers of samples.

    Attributes
    ----------
    covered : int
        The interval holds the true value.
    below, above : int
        The true value is below or above the interval.
    warned : int
        There was a `SmallSampleWarning`.
    median_width : float
        Median width.
    """

    covered: int
    below: int
    above: int
    warned: int
    median_width: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    asked = []
    for measure in ("auc", "scored_auc", *RATES, *RESAMPLED):
        kind = (
            "rate" if measure in RATES else "resampled" if measure in RESAMPLED else "closed form"
        )
        families = FAMILIES if kind == "closed form" else QUARTER if measure in MINOR else HALF
        for family in families:
            aucs = AUCS if kind == "closed form" else (0.8,)
            for auc in [one for one in aucs if one <= MOST_AUC.get(family, 1)]:
                for n_pos, n_neg in SIZES[kind]:
                    methods = ["default"]
                    if measure in BEFORE and (n_pos, n_neg) == (10, 100):
                        methods.append("before")
                    asked += [
                        Question(
                            measure=measure,
                            method=method,
                            level=level,
                            family=family,
                            n_pos=n_pos,
                            n_neg=n_neg,
                            auc=auc,
                            runs=RUNS["minor" if measure in MINOR else kind] // fewer,
                        )
                        for method in methods
                        for level in LEVELS.get(measure, (0.95,))
                    ]
    asked += [
        Question(
            measure=CLUSTERED,
            method="default",
            level=0.95,
            family=f"{sizes} sizes, {labels}, {correlation:g}",
            n_pos=clusters,
            n_neg=MEAN_ROWS,
            auc=auc,
            runs=RUNS["clusters"] // fewer,
        )
        for sizes in CLUSTER_SIZES
        for labels in LABELS
        for correlation in CORRELATIONS
        for clusters in (10, 30)
        for auc in (0.7, 0.9)
    ]
    return asked


def answer(question: Question) -> Answer:
    """Make the intervals and count."""
    truth = question.auc
    if question.measure not in ("auc", CLUSTERED):
        share = question.n_pos / (question.n_pos + question.n_neg)
        truth = true_value(question.measure, question.family, question.auc, share)
    low, high = np.empty((2, question.runs))
    warned = 0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", rl.SmallSampleWarning)
        for run, interval in enumerate(intervals(question)):
            low[run], high[run] = interval.low, interval.high
            warned += bool(caught)
            caught.clear()
    # The true value is computed on a fine grid, and ends may coincide with it.
    near = 1e-9 * (1 + abs(truth))
    return Answer(
        **asdict(question),
        covered=int(np.count_nonzero((low <= truth + near) & (truth <= high + near))),
        below=int(np.count_nonzero(truth < low - near)),
        above=int(np.count_nonzero(truth > high + near)),
        warned=warned,
        median_width=float(f"{np.nanmedian(high - low):.4g}"),
    )


@cache
def population_of(family: str, auc: float) -> PanelPopulation:
    """The same population for all questions, since its separation takes a while to find."""
    return PanelPopulation(family=family, auc=auc)


@cache
def true_value(measure: str, family: str, auc: float, share: float) -> float:
    """What the interval should hold; some measures depend on the share of positives."""
    population = population_of(family, auc)
    if measure in RATES:
        function, given = RATES[measure]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return population.value(
                lambda y, s, sample_weight: (
                    function(y, s, sample_weight=sample_weight, **given).value
                )
            )
    entry, options = find_measure(measure)
    scale = _scale(measure, population)

    def value(labels: Any, scores: Floats, sample_weight: Floats) -> float:
        ranking = rl.Ranking(labels, scale(scores), sample_weight=sample_weight)
        return float(entry.value_of(ranking, **options))

    return population.value(value, share)


def intervals(question: Question) -> Iterator[Any]:
    """The interval of one sample after another; all methods see the same samples."""
    if question.measure == CLUSTERED:
        yield from _of_clusters(question)
        return
    method = {} if question.method == "default" else {"method": BEFORE[question.measure]}
    population = population_of(question.family, question.auc)
    cell = (list(FAMILIES).index(question.family), question.n_pos, question.n_neg)
    rng = np.random.default_rng([SEED, *cell, round(1000 * question.auc)])
    pos, neg = population.draw(rng, question.n_pos, question.n_neg, question.runs)
    labels = np.repeat([True, False], [question.n_pos, question.n_neg])
    scale = _scale(question.measure, population)
    for run, scores in enumerate(np.concatenate([pos, neg], axis=1)):
        if question.measure == "auc":
            yield rl.auc_interval(labels, scores, confidence_level=question.level)
        elif question.measure == "scored_auc":
            yield rl.scored_auc_interval(labels, scores, **method)
        elif question.measure in RATES:
            function, given = RATES[question.measure]
            yield function(labels, scores, **given, **method, rng=run, n_resamples=RESAMPLES)
        else:
            yield rl.interval(
                labels,
                scale(scores),
                measure=question.measure,
                **method,
                rng=run,
                n_resamples=RESAMPLES,
            )


def _scale(measure: str, population: PanelPopulation) -> Callable[[Floats], Floats]:
    """Scores as probabilities, where the measure needs them."""
    if measure not in PROBABILITIES:
        return lambda scores: scores
    middle = 0.0 if population.kind.scaled else population.separation / 2
    return lambda scores: np.asarray(expit(scores - middle))


def _of_clusters(question: Question) -> Iterator[Any]:
    sizes, labels, correlation = question.family.split(", ")
    kind, spread = sizes.removesuffix(" sizes"), float(correlation)
    seed = (CLUSTER_SIZES.index(kind), LABELS.index(labels), round(100 * spread), question.n_pos)
    rng = np.random.default_rng([SEED, *seed, round(1000 * question.auc)])
    distance = math.sqrt(2) * float(ndtri(question.auc))
    for _ in range(question.runs):
        rows = _cluster_sizes(rng, kind, question.n_pos)
        cluster = np.repeat(np.arange(len(rows)), rows)
        y = rng.random(len(cluster)) < 0.4
        if labels != "mixed":
            y = rng.permutation(np.arange(len(rows)) < round(0.4 * len(rows)))[cluster]
        noise = math.sqrt(spread) * rng.standard_normal(len(rows))[cluster]
        noise = noise + math.sqrt(1 - spread) * rng.standard_normal(len(cluster))
        yield rl.auc_interval(y, noise + distance * y, cluster=cluster)


def _cluster_sizes(rng: np.random.Generator, kind: str, count: int) -> npt.NDArray[np.int64]:
    if kind == "equal":
        return np.full(count, MEAN_ROWS)
    if kind == "geometric":
        return rng.geometric(1 / MEAN_ROWS, count)
    sizes = np.exp(rng.standard_normal(count) - 0.5) * MEAN_ROWS
    return np.maximum(np.round(sizes), 1).astype(np.int64)
