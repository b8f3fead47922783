"""How often intervals of calibration and of net benefit hold the true value.

Probabilities are drawn, and outcomes with true probabilities that agree with them or not. None of
these populations was used to choose a method. An interval whose ends are nan counts as a miss.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

import roclab as rl
from roclab.decisions import calibration_summary
from roclab_studies.coverage.covered_share import CoveredShare

Floats = npt.NDArray[np.float64]

CALIBRATION = ("intercept", "slope", "observed/expected")
THRESHOLDS = (0.1, 0.3)
BENEFIT = tuple(
    f"{what} at {threshold}{design}"
    for what, design, threshold in product(
        ("net benefit", "difference"), ("", ", known prevalence"), THRESHOLDS
    )
)
SIZES = (50, 200, 1000)
RUNS = 1000
LEVEL = 0.95
SEED = 20_261_117
LARGE = 1_000_000  # examples from which true values are computed


class Drawn(NamedTuple):
    """Probabilities of a model and of a noisier one, and the true probabilities."""

    model: Floats
    other: Floats
    true: Floats


def _noisier(model: Floats, rng: np.random.Generator) -> Floats:
    noise = rng.standard_normal(len(model))
    return np.asarray(expit(logit(model) + 0.5 * noise), dtype=np.float64)


def _beta(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    true = rng.beta(2, 6, n)
    return true, true


def _heavy_tails(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    true = expit(np.clip(0.8 * rng.standard_t(4, n) - 1.5, -20, 20))
    return true, true


def _too_extreme(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    true = rng.beta(2, 3, n)
    return expit(1.6 * logit(true) - 0.3), true


def _too_low(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    true = rng.beta(1.5, 4, n)
    return true / (1.7 - 0.7 * true), true


def _no_skill(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    return rng.uniform(0.1, 0.5, n), np.full(n, 0.25)


def _ten_levels(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    true = rng.beta(2, 3, n)
    return np.clip(np.round(10 * true) / 10, 0.05, 0.95), true


POPULATIONS: dict[str, Callable[[np.random.Generator, int], tuple[Floats, Floats]]] = {
    "beta, calibrated": _beta,
    "heavy tails, calibrated": _heavy_tails,
    "too extreme": _too_extreme,
    "too low": _too_low,
    "no skill": _no_skill,
    "ten levels": _ten_levels,
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """An interval, and the samples it is tried on."""

    quantity: str
    population: str
    n: int
    runs: int

    @property
    def method(self) -> str:
        """Its name for the command line."""
        return self.quantity

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * (1000 + self.n)

    def __str__(self) -> str:
        return f"{self.quantity}, {self.population}, {self.n} examples"


@dataclass(frozen=True, kw_only=True)
class Answer(CoveredShare, Question):
    """What was found, in numbers of samples.

    Attributes
    ----------
    covered : int
        The interval holds the true value.
    below, above : int
        The true value is below or above the interval.
    median_width : float
        Median width.
    """

    covered: int
    below: int
    above: int
    median_width: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(quantity=quantity, population=population, n=n, runs=RUNS // fewer)
        for quantity, population, n in product((*CALIBRATION, *BENEFIT), POPULATIONS, SIZES)
    ]


def draw(population: str, rng: np.random.Generator, n: int) -> Drawn:
    """Probabilities of two models, and the true ones."""
    model, true = POPULATIONS[population](rng, n)
    return Drawn(model, _noisier(model, rng), true)


def samples(population: str, n: int, runs: int) -> Iterator[tuple[Drawn, npt.NDArray[np.bool_]]]:
    """One sample of a cell after another, with its outcomes."""
    rng = np.random.default_rng([SEED, list(POPULATIONS).index(population), n])
    for _ in range(runs):
        drawn = draw(population, rng, n)
        yield drawn, rng.random(n) < drawn.true


@cache
def prevalence_of(population: str) -> float:
    """The share of positives in the population."""
    return float(_large(population).true.mean())


@cache
def _large(population: str) -> Drawn:
    return draw(population, np.random.default_rng(SEED), LARGE)


@cache
def true_values(population: str) -> dict[str, float]:
    """What the intervals should hold: every example is positive in part, and negative in part."""
    drawn = _large(population)
    labels = np.repeat([True, False], len(drawn.true))
    weight = np.concatenate((drawn.true, 1 - drawn.true))
    twice = Drawn(*(np.tile(column, 2) for column in drawn))
    found = estimates(twice, labels, prevalence_of(population), weight)
    return {quantity: value for quantity, (value, _, _) in found.items()}


def estimates(
    drawn: Drawn,
    labels: npt.NDArray[np.bool_],
    prevalence: float,
    sample_weight: Floats | None = None,
) -> dict[str, tuple[float, float, float]]:
    """Value, lower and upper end of every quantity."""
    summary = calibration_summary(
        labels, drawn.model, sample_weight=sample_weight, confidence_level=LEVEL
    )
    parts = (summary.intercept, summary.slope, summary.observed_expected)
    found = {
        quantity: (one.value, one.low, one.high)
        for quantity, one in zip(CALIBRATION, parts, strict=True)
    }
    models = {"model": drawn.model, "other": drawn.other}
    table = rl.ScoreTable(labels, models, sample_weight=sample_weight)
    for design, known in (("", None), (", known prevalence", prevalence)):
        curves = rl.decision_curve(
            table, thresholds=THRESHOLDS, prevalence=known, confidence_level=LEVEL
        )
        curve, pair = curves["model"], curves.differences[0]
        for what, *columns in (
            ("net benefit", curve.net_benefit, curve.low, curve.high),
            ("difference", pair.difference, pair.low, pair.high),
        ):
            for place, threshold in enumerate(THRESHOLDS):
                value, low, high = (float(column[place]) for column in columns)
                found[f"{what} at {threshold}{design}"] = value, low, high
    return found


@cache
def ends(population: str, n: int, runs: int) -> dict[str, Floats]:
    """Lower and upper ends of every quantity in all samples of a cell."""
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.UndefinedMeasureWarning)
        for drawn, labels in samples(population, n, runs):
            rows.append(estimates(drawn, labels, prevalence_of(population)))
    return {quantity: np.array([row[quantity][1:] for row in rows]).T for quantity in rows[0]}


def answer(question: Question) -> Answer:
    """Make the intervals and count."""
    truth = true_values(question.population)[question.quantity]
    low, high = ends(question.population, question.n, question.runs)[question.quantity]
    return Answer(
        **asdict(question),
        covered=int(np.count_nonzero((low <= truth) & (truth <= high))),
        below=int(np.count_nonzero(truth < low)),
        above=int(np.count_nonzero(truth > high)),
        median_width=float(f"{np.nanmedian(high - low):.4g}"),
    )
