"""Confidence bands for the ROC curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.options import (
    Progress,
    RandomState,
    check_choice,
    check_level,
    check_method,
    refuse_clusters,
)
from roclab.curves import ROCCurve, roc_curve
from roclab.curves.reading import tpr_at
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import is_undefined, warn_if_undefined
from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.formatting import method_name
from roclab.inference.bands.band_width import bootstrap_margins, ks_margins
from roclab.inference.bands.binormal import binormal_fit
from roclab.inference.estimation.resampling import (
    Draws,
    resample_rates,
)
from roclab.inference.intervals.order_statistics import RateDistribution
from roclab.inference.intervals.proportions import ascending_rates, wilson_ends
from roclab.numeric.distributions import critical_value, tail_levels
from roclab.result import ReadOnlyArrays, Result

BandKind = Literal["simultaneous", "pointwise"]
BandMethod = Literal["auto", "bootstrap", "ks", "order_statistics", "wilson", "binormal"]
Floats = npt.NDArray[np.float64]

# The methods of each kind, the recommended one first.
METHODS: dict[str, tuple[str, ...]] = {
    "simultaneous": ("bootstrap", "ks", "binormal"),
    "pointwise": ("order_statistics", "wilson", "bootstrap", "binormal"),
}
_WITHOUT_CLUSTERS = ("ks", "order_statistics", "binormal")
_POINTS = 201


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ROCBand(Result, ReadOnlyArrays):
    """A ROC curve with a confidence band.

    Attributes
    ----------
    fpr : ndarray
        Ascending false positive rates.
    tpr : ndarray
        True positive rates of the curve, the highest where it is vertical, or of a binormal fit.
    low, high : ndarray
        Lower and upper ends of the band.
    auc : float
        Area under the whole curve, also if the band is for a part of it.
    kind : {"simultaneous", "pointwise"}
        Whether the level is that of the whole band, or of each point separately.
    method : str
        Method of the band.
    confidence_level : float
        Nominal confidence level.
    n_pos, n_neg : int
        Number of positive and negative examples.
    fpr_margin, tpr_margin : float or None
        Shift of the curve to the left and up, or to the right and down, that gives the band; None
        for other methods.
    n_resamples : int or None
        Number of bootstrap replicates used; None for methods without resampling.
    """

    fpr: Floats
    tpr: Floats
    low: Floats
    high: Floats
    auc: float
    kind: BandKind
    method: str
    confidence_level: float
    n_pos: int
    n_neg: int
    fpr_margin: float | None = None
    tpr_margin: float | None = None
    n_resamples: int | None = None

    def __len__(self) -> int:
        return len(self.fpr)

    def __repr__(self) -> str:
        width = float(np.mean(self.high - self.low))
        return (
            f"ROCBand({100 * self.confidence_level:g} % {self.kind}, {method_name(self.method)}, "
            f"{len(self):,} points, mean width {width:.2f}, {self.n_pos}+ {self.n_neg}-)"
        )


def roc_band(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    kind: BandKind = "simultaneous",
    fpr: npt.ArrayLike | None = None,
    method: BandMethod = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: npt.ArrayLike | None = None,
    progress: Progress | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> ROCBand:
    """Compute the ROC curve with a confidence band.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    kind : {"simultaneous", "pointwise"}, default "simultaneous"
        A simultaneous band contains the whole true curve with probability `confidence_level`; a
        pointwise band contains the true positive rate at each false positive rate with this
        probability, and the whole curve much less often.
    fpr : array-like, optional
        Ascending false positive rates of the band; by default 0, 0.005, ..., 1.
    method : {"auto", "bootstrap", "ks", "order_statistics", "wilson", "binormal"}, default "auto"
        Simultaneous: ``"bootstrap"`` (``"auto"`` is the same) shifts the curve by a quantile of its
        distance from the replicates; ``"ks"`` by that of Kolmogorov and Smirnov, which needs no
        replicates and is wider. Pointwise: ``"order_statistics"`` (``"auto"`` is the same without
        clusters) needs no replicates; ``"wilson"`` (``"auto"`` with clusters) is the score interval
        of a rate with the variance of the replicates, and ``"bootstrap"`` takes percentiles of the
        replicates, both too narrow near the corners. They are the intervals of `sensitivity_at`.
        ``"binormal"`` is around the curve of `binormal_fit`.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It is that of the whole band if it is simultaneous,
        otherwise that at each point.
    n_resamples : int, default 2000
        Number of resamples, such as bootstrap replicates or permutations.
    rng : None, int or numpy.random.Generator, optional
        Random state. Pass an int for reproducible results.
    stratified : bool, default True
        Resample positives and negatives separately. Otherwise all rows are resampled together, and
        replicates that lack a class are left out.
    cluster : array-like, optional
        Cluster of each row, such as a patient. Clusters instead of rows are then assumed to be
        independent: the variance is Obuchowski's, and the bootstrap resamples clusters.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is `n_resamples`.
    sample_weight : array-like, optional
        Sample weights; not with a ranking. ``"ks"`` and ``"binormal"`` do not support them.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    ROCBand
        All values are nan, with an `UndefinedMeasureWarning`, if a class is missing or there is no
        binormal fit. The ends are nan, with the same warning, if a class is in one cluster only, or
        no replicate has both classes.

    Notes
    -----
    With m positives and n negatives (with weights, their effective numbers), a simultaneous band
    lies between the curve shifted by (-a, +b) and by (+a, -b). ``"ks"``: a and b are the quantiles
    of the two-sided Kolmogorov-Smirnov statistic of n and of m examples, each at the level
    sqrt(confidence_level), so that both classes hold jointly at `confidence_level`.
    ``"bootstrap"``: a = c / sqrt(n) and b = c / sqrt(m), where c is the quantile of the largest
    distance between replicate and curve in that direction, and at least the confidence bound for n
    or m examples without an error. ``"binormal"``: a + b x plus and minus its standard error
    times the normal quantile, or simultaneously, after Working and Hotelling, times the root of
    the quantile of chi-squared with two degrees of freedom; x is the normal deviate of the FPR.

    O(n) per replicate; ``"order_statistics"`` O(n) and a few milliseconds per point.

    References
    ----------
    G. Campbell, Statistics in Medicine 13 (1994) 499-508.
    S. A. Macskassy, F. Provost, S. Rosset, Proc. 22nd ICML (2005) 537-544.
    M. P. Fay, M. A. Proschan and E. Brittain, Biometrics 71 (2015) 146-156, for the mixture of
    confidence distributions in ``"order_statistics"``.
    G. Ma, W. J. Hall, Medical Decision Making 13 (1993) 191-197.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]
    >>> band = roc_band(y, s, kind="pointwise", method="wilson", fpr=[0, 0.25, 0.5], rng=0)
    >>> band
    ROCBand(95 % pointwise, Wilson, 3 points, mean width 0.76, 2+ 2-)
    >>> band.tpr, band.low.round(2), band.high.round(2)
    (array([0.5 , 0.75, 1.  ]), array([0.08, 0.2 , 0.34]), array([0.92, 0.97, 1.  ]))
    """
    level = check_level(confidence_level)
    check_choice("kind", kind, BandKind)
    chosen = _method(kind, method, clustered=cluster is not None)
    refuse_clusters(cluster, chosen, _WITHOUT_CLUSTERS)
    grid = np.linspace(0, 1, _POINTS) if fpr is None else ascending_rates(fpr, "fpr")
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    if chosen == "ks" and ranking.weighted:
        raise InputError(
            found="{method=}'ks' does not support {sample_weight}",
            fix="Leave out {sample_weight}, or choose {method=}'bootstrap'.",
        )
    draws = Draws.of(n_resamples, rng, stratified, cluster, progress)
    used = draws.n_resamples if chosen in ("bootstrap", "wilson") else None
    if chosen == "binormal":
        fit = binormal_fit(ranking, confidence_level=level)
        low, high = fit.ends_at(grid, _binormal_quantile(kind, level))
        tpr = fit.tpr_at(grid)
        return _band(
            ranking, grid, (low, tpr, high), fit.auc.value, kind, chosen, level, None, used
        )
    if is_undefined(ranking):
        warn_if_undefined("A ROC band", ranking, undefined="All of it")
        nan = np.full(len(grid), np.nan)
        return _band(ranking, grid, (nan, nan, nan), math.nan, kind, chosen, level, None, used)
    if used is not None:
        draws.prepare(ranking)
    curve = roc_curve(ranking)
    tpr = tpr_at(curve, grid)
    margins: tuple[float, float] | None = None
    if chosen == "order_statistics":
        low, high = _by_order_statistics(ranking, grid, tpr, level)
    elif kind == "pointwise":
        low, high, used = _pointwise(ranking, grid, tpr, chosen, level, draws)
    else:
        if chosen == "ks":
            margins = ks_margins(ranking, level)
        else:
            margins, used = bootstrap_margins(ranking, curve, level, draws)
        low, high = _shifted(curve, grid, margins)
    if used == 0:
        UndefinedMeasureWarning(
            found="There are no bootstrap replicates with both classes",
            needed="a ROC band needs them (with clusters: two clusters with each class)",
            fix="The ends of the band are nan. Without clusters keep {stratified=}True.",
        ).issue()
    area = ranking.summary.auc
    return _band(ranking, grid, (low, tpr, high), area, kind, chosen, level, margins, used)


def _method(kind: str, method: Any, *, clustered: bool) -> str:
    chosen: str = check_method(method, BandMethod)
    allowed = METHODS[kind]
    if chosen != "auto" and chosen not in allowed:
        raise InputError(
            found=f"{{method=}}{{value}} has no {kind} band",
            fix="Choose 'auto', {allowed}.",
            value=repr(chosen),
            allowed=f"{', '.join(map(repr, allowed[:-1]))} or {allowed[-1]!r}",
        )
    if chosen != "auto":
        return chosen
    return next(one for one in allowed if not (clustered and one in _WITHOUT_CLUSTERS))


def _by_order_statistics(
    ranking: Ranking, grid: Floats, tpr: Floats, level: float
) -> tuple[Floats, Floats]:
    summary = ranking.summary
    sizes = summary.effective_neg, summary.effective_pos
    found = RateDistribution.along(ranking.neg, ranking.pos, sizes, 1 - grid)
    levels = tail_levels(level, "two-sided")
    ends = np.array([[one.quantile(tail) for tail in levels] for one in found])
    # Where the curve is vertical the value is its upper end.
    return np.minimum(ends[:, 0], tpr), np.maximum(ends[:, 1], tpr)


def _pointwise(
    ranking: Ranking, grid: Floats, tpr: Floats, method: str, level: float, draws: Draws
) -> tuple[Floats, Floats, int]:
    replicates = resample_rates(ranking, draws, grid, across=1.0, up=0.0)
    replicates = replicates[~np.isnan(replicates[:, 0])]
    if not len(replicates):
        nan = np.full(len(grid), np.nan)
        return nan, nan, 0
    if method == "bootstrap":
        low, high = np.quantile(replicates, tail_levels(level, "two-sided"), axis=0)
    else:
        low, high = wilson_ends(
            tpr,
            replicates.var(axis=0),
            ranking.summary.effective_pos,
            critical_value(level, "two-sided"),
        )
    return low, high, len(replicates)


def _binormal_quantile(kind: str, level: float) -> float:
    # Root of the quantile of chi-squared with two degrees of freedom.
    if kind == "simultaneous":
        return math.sqrt(-2 * math.log(1 - level))
    return critical_value(level, "two-sided")


def _shifted(curve: ROCCurve, grid: Floats, margins: tuple[float, float]) -> tuple[Floats, Floats]:
    """The curve shifted down to the right, and up to the left."""
    aside, up = margins
    if math.isnan(aside):
        nan = np.full(len(grid), np.nan)
        return nan, nan
    right, left = grid - aside, grid + aside
    low = np.where(right < 0, 0, tpr_at(curve, right, lowest=True) - up)
    high = np.where(left > 1, 1, tpr_at(curve, left) + up)
    return np.maximum(low, 0), np.minimum(high, 1)


def _band(
    ranking: Ranking,
    fpr: Floats,
    rates: tuple[Floats, Floats, Floats],
    auc: float,
    kind: BandKind,
    method: str,
    level: float,
    margins: tuple[float, float] | None,
    used: int | None,
) -> ROCBand:
    low, tpr, high = rates
    return ROCBand(
        fpr=fpr,
        tpr=tpr,
        low=low,
        high=high,
        auc=auc,
        kind=kind,
        method=method,
        confidence_level=level,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
        fpr_margin=None if margins is None else margins[0],
        tpr_margin=None if margins is None else margins[1],
        n_resamples=used,
    )
