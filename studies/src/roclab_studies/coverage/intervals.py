"""How often each interval for the AUC holds the true one, and how wide it is.

All methods see the same samples, drawn from seeds that belong to the cell. An interval whose ends
are nan counts as a miss.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

import roclab as rl
from roclab_studies.coverage.covered_share import CoveredShare
from roclab_studies.populations import FAMILIES, Population, Scores, labels_of

CLOSED_FORMS = ("auto", "delong", "logit", "score", "newcombe")
BOOTSTRAPS = ("bootstrap", "bca", "bootstrap_t")
METHODS = (*CLOSED_FORMS, *BOOTSTRAPS)
SIZES = ((5, 5), (5, 50), (10, 10), (10, 100), (30, 30), (30, 300), (100, 100))
LARGE = (5000, 5000)
AUCS = (0.6, 0.8, 0.95, 0.99)
LEVEL = 0.95
# What else the default interval is asked: other levels, and one bound alone.
OTHER_CLAIMS = ((0.9, "two-sided"), (0.99, "two-sided"), (0.95, "greater"), (0.95, "less"))
RUNS = {"closed form": 10_000, "bootstrap": 2000}
LARGE_RUNS = {"closed form": 2000, "bootstrap": 500}
RESAMPLES = 999
SEED = 20_240_704


@dataclass(frozen=True, kw_only=True)
class Question:
    """An interval, and the samples it is tried on."""

    method: str
    level: float
    alternative: str
    family: str
    n_pos: int
    n_neg: int
    auc: float
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * (RESAMPLES if self.method in BOOTSTRAPS else 1) * self.n_neg

    def __str__(self) -> str:
        claim = "" if (self.level, self.alternative) == (LEVEL, "two-sided") else f"{self.level:g} "
        side = "" if self.alternative == "two-sided" else f"{self.alternative} "
        return f"{self.method} {claim}{side}{self.family} {self.n_pos}+{self.n_neg} AUC {self.auc}"


@dataclass(frozen=True, kw_only=True)
class Answer(CoveredShare, Question):
    """What was found, in numbers of samples.

    Attributes
    ----------
    covered : int
        The interval holds the true AUC.
    below, above : int
        The true AUC is below or above the interval.
    undefined : int
        An end is nan. These, `covered`, `below` and `above` add up to the runs.
    no_width : int
        Both ends are the same.
    mean_width : float
        Mean width where the ends are defined.
    """

    covered: int
    below: int
    above: int
    undefined: int
    no_width: int
    mean_width: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    asked = []
    for family, (n_pos, n_neg), auc in itertools.product(FAMILIES, (*SIZES, LARGE), AUCS):
        for method in METHODS:
            claims = [(LEVEL, "two-sided")]
            if method == "auto" and (n_pos, n_neg) != LARGE:
                claims += OTHER_CLAIMS
            kind = "bootstrap" if method in BOOTSTRAPS else "closed form"
            runs = (LARGE_RUNS if (n_pos, n_neg) == LARGE else RUNS)[kind] // fewer
            asked += [
                Question(
                    method=method,
                    level=level,
                    alternative=alternative,
                    family=family,
                    n_pos=n_pos,
                    n_neg=n_neg,
                    auc=auc,
                    runs=runs,
                )
                for level, alternative in claims
            ]
    return asked


def samples(question: Question) -> Iterator[Scores]:
    """The scores of one sample after another, positives first; the same for all methods."""
    cell = (list(FAMILIES).index(question.family), question.n_pos, question.n_neg)
    rng = np.random.default_rng([SEED, *cell, round(1000 * question.auc)])
    population = Population(family=question.family, auc=question.auc)
    labels = labels_of(question.n_pos, question.n_neg)
    for _ in range(question.runs):
        yield population.scores(rng.standard_normal(len(labels)), labels)


def answer(question: Question) -> Answer:
    """Make the intervals and count."""
    labels = labels_of(question.n_pos, question.n_neg)
    low, high = np.empty((2, question.runs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.UndefinedMeasureWarning)
        warnings.simplefilter("ignore", rl.DegenerateIntervalWarning)
        for run, scores in enumerate(samples(question)):
            interval = rl.auc_interval(
                labels,
                scores,
                method=question.method,
                confidence_level=question.level,
                alternative=question.alternative,
                n_resamples=RESAMPLES,
                rng=run,
            )
            low[run], high[run] = interval.low, interval.high
    width = high - low
    return Answer(
        **asdict(question),
        covered=int(np.count_nonzero((low <= question.auc) & (question.auc <= high))),
        below=int(np.count_nonzero(question.auc < low)),
        above=int(np.count_nonzero(question.auc > high)),
        undefined=int(np.count_nonzero(np.isnan(width))),
        no_width=int(np.count_nonzero(width == 0)),
        mean_width=float(f"{np.nanmean(width):.6g}") if not np.isnan(width).all() else math.nan,
    )
