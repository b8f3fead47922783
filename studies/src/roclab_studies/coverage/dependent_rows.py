"""Coverage of intervals where rows belong together: in clusters, and in strata.

All methods see the same samples, drawn from seeds that belong to the cell. Methods that begin with
"naive" take the rows for independent, or all pairs for comparable. An interval whose ends are nan
counts as a miss.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

import roclab as rl
from roclab_studies.coverage.covered_share import CoveredShare

LEVEL = 0.95
SEED = 20_261_116
RESAMPLES = 999
SHARE = 0.4  # of positives
CORRELATION = 0.5  # of two models, within a row and within a cluster
CLUSTERED = (
    "naive auto",
    "naive delong",
    "auto",
    "delong",
    "logit",
    "bootstrap",
    "bca",
)
METHODS = {
    "one class": CLUSTERED,
    "mixed": CLUSTERED,
    "difference": ("naive delong", "delong", "bootstrap"),
    "strata": ("naive auto", "between", "within"),
}
DRAWN = ("bootstrap", "bca")
# Groups, and rows in each.
CLUSTERS = ((15, 10), (30, 5), (30, 20), (100, 5))
STRATA = ((5, 60), (20, 20), (100, 10), (400, 5))
CORRELATIONS = (0.0, 0.5)
AUCS = (0.7, 0.95)
RUNS, DRAWN_RUNS = 2000, 500

Sample = tuple[npt.NDArray[np.bool_], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.intp]]


@dataclass(frozen=True, kw_only=True)
class Question:
    """An interval, and the samples it is tried on.

    Attributes
    ----------
    design : str
        "one class", "mixed" or "difference" (clusters), or "strata".
    groups, rows : int
        Clusters or strata, and rows in each.
    spread : float
        Of clusters the intraclass correlation of the scores; of strata the standard deviation of
        the distance between the classes.
    """

    method: str
    design: str
    groups: int
    rows: int
    spread: float
    auc: float
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        return self.runs * (30 if self.method in DRAWN else 1) * self.groups * self.rows

    def __str__(self) -> str:
        return (
            f"{self.design}, {self.method}: {self.groups} of {self.rows}, {self.spread:g}, "
            f"AUC {self.auc:g}"
        )


@dataclass(frozen=True, kw_only=True)
class Answer(CoveredShare, Question):
    """What was found.

    Attributes
    ----------
    covered, undefined : int
        Samples whose interval holds the true value, and those that have no interval.
    mean_width : float
        Mean width where the ends are defined.
    """

    covered: int
    undefined: int
    mean_width: float


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    return [
        Question(
            method=method,
            design=design,
            groups=groups,
            rows=rows,
            spread=spread,
            auc=auc,
            runs=(DRAWN_RUNS if method in DRAWN else RUNS) // fewer,
        )
        for design, methods in METHODS.items()
        for groups, rows in (STRATA if design == "strata" else CLUSTERS)
        for spread in CORRELATIONS
        for auc in AUCS
        for method in methods
    ]


def true_value(question: Question) -> float:
    """What the interval should hold."""
    return 0.0 if question.design == "difference" else question.auc


def separation(question: Question) -> float:
    """Mean distance between the classes, with which the AUC is as asked."""
    spread = question.spread if question.design == "strata" else 0.0
    # Over strata the distance is normal: of Phi((m + spread z) / sqrt 2) the mean is this.
    return math.sqrt(2 + spread**2) * float(ndtri(question.auc))


def samples(question: Question) -> Iterator[Sample]:
    """Labels, scores of two models and groups of one sample after another."""
    cell = (list(METHODS).index(question.design), question.groups, question.rows)
    rng = np.random.default_rng(
        [SEED, *cell, round(100 * question.spread), round(1000 * question.auc)]
    )
    of_rows = np.repeat(np.arange(question.groups), question.rows)
    size, distance = len(of_rows), separation(question)
    by_group = question.design == "one class"
    for _ in range(question.runs):
        labels = rng.random(question.groups if by_group else size) < SHARE
        labels = labels[of_rows] if by_group else labels
        if question.design == "strata":
            level = 2 * rng.standard_normal(question.groups)
            apart = distance + question.spread * rng.standard_normal(question.groups)
            first = rng.standard_normal(size) + level[of_rows] + apart[of_rows] * labels
            yield labels, first, first, of_rows
            continue
        models = []
        shared: npt.NDArray[Any] | None = None
        for _ in range(2 if question.design == "difference" else 1):
            of_cluster, of_row = rng.standard_normal(question.groups), rng.standard_normal(size)
            noise = math.sqrt(question.spread) * of_cluster[of_rows]
            noise = noise + math.sqrt(1 - question.spread) * of_row
            if shared is not None:
                noise = CORRELATION * shared + math.sqrt(1 - CORRELATION**2) * noise
            shared = noise
            models.append(noise + distance * labels)
        yield labels, models[0], models[-1], of_rows


def interval(question: Question, sample: Sample, run: int) -> tuple[float, float]:
    """The ends of the interval asked for."""
    labels, first, second, groups = sample
    method = question.method.removeprefix("naive ")
    cluster = None if method != question.method else groups
    drawn: dict[str, Any] = {"n_resamples": RESAMPLES, "rng": run}
    found: Any
    if method in ("between", "within"):
        found = rl.stratified_auc_interval(labels, first, stratum=groups, method=method)
    elif question.design == "difference":
        found = rl.compare_auc(labels, first, second, method=method, cluster=cluster, **drawn)
    else:
        found = rl.auc_interval(labels, first, method=method, cluster=cluster, **drawn)
    return found.low, found.high


def answer(question: Question) -> Answer:
    """Make the intervals and count."""
    low, high = np.empty((2, question.runs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.UndefinedMeasureWarning)
        warnings.simplefilter("ignore", rl.DegenerateIntervalWarning)
        for run, sample in enumerate(samples(question)):
            low[run], high[run] = interval(question, sample, run)
    width, truth = high - low, true_value(question)
    return Answer(
        **asdict(question),
        covered=int(np.count_nonzero((low <= truth) & (truth <= high))),
        undefined=int(np.count_nonzero(np.isnan(width))),
        mean_width=float(f"{np.nanmean(width):.6g}") if not np.isnan(width).all() else math.nan,
    )
