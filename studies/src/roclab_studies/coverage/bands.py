"""How often each band for a ROC curve holds the true curve, and how wide it is.

All methods see the same samples, drawn from seeds that belong to the cell. A band that is nan
counts as a miss. Two of the methods are no confidence bands, and here to show what they would have
claimed: the envelope of the replicates, and the granular curves of Dong and others.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

import roclab as rl
from roclab.curves.reading import tpr_at
from roclab.inference.estimation.resampling import Draws, resample_rates
from roclab_studies.coverage.covered_share import CoveredShare
from roclab_studies.populations import CUTS, WIDE, Labels, Population, Scores, labels_of

Floats = npt.NDArray[np.float64]

SIMULTANEOUS = ("bootstrap", "ks", "binormal")
POINTWISE = ("pointwise wilson", "pointwise bootstrap", "pointwise binormal")
NAIVE = ("envelope", "granular")
METHODS = (*SIMULTANEOUS, *POINTWISE, *NAIVE)
RESAMPLING = ("bootstrap", "pointwise wilson", "pointwise bootstrap", "envelope")
SIZES = ((10, 10), (30, 30), (30, 300), (100, 100), (1000, 1000))
AUCS = (0.7, 0.85, 0.95)
FAMILIES = {
    "equal": "normal, equal spread",
    "wide": "normal, positives twice as wide",
    "ordinal": "five levels",
    "mixed": "a third of positives like negatives",
}
# The simulation of Dong and others: normal classes around 0.45 and 0.65, standard deviation 0.2.
PAPER = "paper"
PAPER_SIZES = (100, 500, 2000, 10_000)
PAPER_MEANS, PAPER_SPREAD, GRANULARITY = (0.45, 0.65), 0.2, 0.02
PAPER_AUC = round(float(ndtr((0.65 - 0.45) / 0.2 / math.sqrt(2))), 4)
LIKE_NEGATIVES = 1 / 3
MOST_MIXED_AUC = 0.8  # more than 5/6 is not to be had of a third without skill
LEVEL = 0.95
GRID = np.linspace(0, 1, 201)
RATES = (0.05, 0.1, 0.3, 0.6)  # where points are judged by themselves
RUNS, PAPER_RUNS = 1000, 500
RESAMPLES = 499
SEED = 20_250_411


@dataclass(frozen=True, kw_only=True)
class Question:
    """A band, and the samples it is tried on."""

    method: str
    family: str
    n_pos: int
    n_neg: int
    auc: float
    runs: int

    @property
    def cost(self) -> float:
        """Rough time, to begin with what takes longest."""
        rows = self.n_pos + self.n_neg
        return self.runs * ((5000 + rows) * RESAMPLES if self.method in RESAMPLING else 5000 + rows)

    def __str__(self) -> str:
        return f"{self.method} {self.family} {self.n_pos}+{self.n_neg} AUC {self.auc}"


@dataclass(frozen=True, kw_only=True)
class Answer(CoveredShare, Question):
    """What was found, in numbers of samples.

    Attributes
    ----------
    covered : int
        The band holds the true curve at all FPRs of the grid but 0 and 1.
    inside : int
        It does so at all of them from 0.05 to 0.95.
    at_005, at_010, at_030, at_060 : int
        It holds the true TPR at this FPR.
    undefined : int
        The band is nan.
    mean_width : float
        Mean width over the grid and the samples where it is defined.
    """

    covered: int
    inside: int
    at_005: int
    at_010: int
    at_030: int
    at_060: int
    undefined: int
    mean_width: float

    @property
    def at_points(self) -> tuple[float, ...]:
        """The same for each of `RATES` by itself."""
        found = (self.at_005, self.at_010, self.at_030, self.at_060)
        return tuple(count / self.runs for count in found)


@dataclass(frozen=True, kw_only=True)
class CurvePopulation:
    """Two classes of which the ROC curve is known."""

    family: str
    auc: float

    @cached_property
    def _normal(self) -> Population:
        return Population(family=self.family, auc=self.auc)

    @cached_property
    def _distance(self) -> float:
        """Of the positives that are not like negatives, in the mixed family."""
        far = (self.auc - LIKE_NEGATIVES / 2) / (1 - LIKE_NEGATIVES)
        return math.sqrt(2) * float(ndtri(far))

    def scores(self, rng: np.random.Generator, labels: Labels) -> Scores:
        """One sample."""
        noise = rng.standard_normal(len(labels))
        if self.family == PAPER:
            return np.where(labels, PAPER_MEANS[1], PAPER_MEANS[0]) + PAPER_SPREAD * noise
        if self.family == "mixed":
            far = labels & (rng.random(len(labels)) >= LIKE_NEGATIVES)
            return noise + self._distance * far
        return self._normal.scores(noise, labels)

    def tpr(self, fpr: Floats) -> Floats:
        """The true curve."""
        x = ndtri(fpr)
        if self.family == PAPER:
            return np.asarray(ndtr((PAPER_MEANS[1] - PAPER_MEANS[0]) / PAPER_SPREAD + x))
        if self.family == "mixed":
            return LIKE_NEGATIVES * fpr + (1 - LIKE_NEGATIVES) * ndtr(self._distance + x)
        shift = self._normal.shift
        if self.family == "ordinal":
            cuts = np.concatenate(([np.inf], (CUTS + shift / 2)[::-1], [-np.inf]))
            return np.interp(fpr, ndtr(-cuts), ndtr(shift - cuts))
        return np.asarray(ndtr((shift + x) / (WIDE if self.family == "wide" else 1)))


def questions(fewer: int = 1) -> list[Question]:
    """All that is asked, with the number of runs divided by `fewer`."""
    asked = []
    for method in METHODS:
        cells = [
            (family, n_pos, n_neg, auc)
            for family, (n_pos, n_neg), auc in itertools.product(FAMILIES, SIZES, AUCS)
            if (family != "mixed" or auc <= MOST_MIXED_AUC) and method != "granular"
        ]
        asked += [_question(method, cell, RUNS // fewer) for cell in cells]
        asked += [
            _question(method, (PAPER, size, size, PAPER_AUC), PAPER_RUNS // fewer)
            for size in PAPER_SIZES
        ]
    return asked


def _question(method: str, cell: tuple[str, int, int, float], runs: int) -> Question:
    family, n_pos, n_neg, auc = cell
    return Question(method=method, family=family, n_pos=n_pos, n_neg=n_neg, auc=auc, runs=runs)


def samples(question: Question) -> Iterator[Scores]:
    """The scores of one sample after another, positives first; the same for all methods."""
    family = [*FAMILIES, PAPER].index(question.family)
    rng = np.random.default_rng(
        [SEED, family, question.n_pos, question.n_neg, round(1000 * question.auc)]
    )
    population = CurvePopulation(family=question.family, auc=question.auc)
    labels = labels_of(question.n_pos, question.n_neg)
    for _ in range(question.runs):
        yield population.scores(rng, labels)


def band(method: str, ranking: rl.Ranking, run: int) -> tuple[Floats, Floats]:
    """The lower and the upper end on the grid."""
    if method == "granular":
        curves = rl.granular_roc(ranking, granularity=GRANULARITY)
        return tpr_at(curves.low, GRID), tpr_at(curves.up, GRID)
    if method == "envelope":
        return envelope(ranking, run)
    kind, _, name = method.rpartition(" ")
    found = rl.roc_band(
        ranking,
        kind="pointwise" if kind else "simultaneous",
        method=name,
        confidence_level=LEVEL,
        fpr=GRID,
        n_resamples=RESAMPLES,
        rng=run,
    )
    return found.low, found.high


def envelope(ranking: rl.Ranking, run: int) -> tuple[Floats, Floats]:
    """Between the k-th lowest and k-th highest replicates at each FPR.

    With the largest k for which the level's share of replicates lie between them everywhere.
    """
    draws = Draws.of(RESAMPLES, run)
    replicates = resample_rates(ranking, draws, GRID, across=1.0, up=0.0)
    ordered = np.sort(replicates, axis=0)
    outside = np.array(
        [
            np.maximum(
                np.searchsorted(column, drawn, "left"),
                RESAMPLES - np.searchsorted(column, drawn, "right"),
            )
            for column, drawn in zip(ordered.T, replicates.T, strict=True)
        ]
    ).max(axis=0)
    reach = int(np.quantile(outside, LEVEL, method="higher"))
    return ordered[RESAMPLES - 1 - reach], ordered[reach]


def answer(question: Question) -> Answer:
    """Make the bands and count."""
    labels = labels_of(question.n_pos, question.n_neg)
    true = CurvePopulation(family=question.family, auc=question.auc).tpr(GRID)
    held = np.zeros((question.runs, len(GRID)), dtype=np.bool_)
    widths = np.empty(question.runs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.UndefinedMeasureWarning)
        for run, scores in enumerate(samples(question)):
            low, high = band(question.method, rl.Ranking(labels, scores), run)
            held[run] = (low <= true + 1e-12) & (true <= high + 1e-12)
            widths[run] = np.mean(high - low)
    middle = (GRID > 0.05 - 1e-9) & (GRID < 0.95 + 1e-9)
    at = {
        f"at_{round(100 * rate):03d}": int(held[:, np.abs(GRID - rate).argmin()].sum())
        for rate in RATES
    }
    defined = ~np.isnan(widths)
    return Answer(
        **asdict(question),
        covered=int(held[:, 1:-1].all(axis=1).sum()),
        inside=int(held[:, middle].all(axis=1).sum()),
        **at,
        undefined=int(np.count_nonzero(~defined)),
        mean_width=float(f"{widths[defined].mean():.4g}") if defined.any() else math.nan,
    )
