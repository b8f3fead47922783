"""Confidence bands for the ROC curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.curves import ROCCurve, roc_curve
from roclab.curves.columns import ReadOnlyArrays, read_only
from roclab.curves.reading import tpr_at
from roclab.errors import InputError
from roclab.inference.bands.band_width import bootstrap_margins, ks_margins
from roclab.inference.bands.binormal import binormal_fit
from roclab.inference.estimation.resampling import Draws, resample_rates
from roclab.inference.intervals.proportions import ascending_rates, wilson_ends
from roclab.numeric.distributions import critical_value, tail_levels
from roclab.options import Progress, RandomState, check_choice, check_level, refuse_clusters
from roclab.ranking import Ranking, as_ranking
from roclab.ranking_arguments import lacks, warn_of_lack, warn_undefined

__all__ = ["ROCBand", "roc_band"]

BandKind = Literal["simultaneous", "pointwise"]
BandMethod = Literal["auto", "bootstrap", "ks", "wilson", "binormal"]
Floats = npt.NDArray[np.float64]

# The methods of each kind, the recommended one first.
METHODS: dict[str, tuple[str, ...]] = {
    "simultaneous": ("bootstrap", "ks", "binormal"),
    "pointwise": ("wilson", "bootstrap", "binormal"),
}
_POINTS = 201


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ROCBand(ReadOnlyArrays):
    """A ROC curve between two others that hold the true one, or each of its points, so often.

    Attributes
    ----------
    fpr : ndarray
        Ascending false positive rates.
    tpr : ndarray
        The curve there: the highest true positive rate where it rises straight up, or that of a
        binormal fit.
    low, high : ndarray
        The ends of the band there.
    kind : {"simultaneous", "pointwise"}
        Whether the level is that of the whole band, or of each point by itself.
    method : str
        How the band was made.
    confidence_level : float
        Share of samples whose band holds the true curve, or of each point the true rate, nominally.
    n_pos, n_neg : int
        Positive and negative examples.
    fpr_margin, tpr_margin : float or None
        By how much the curve was moved aside and up, or aside and down, to make the band; None
        for one that was made in another way.
    n_resamples : int or None
        Bootstrap replicates that the band was made of; None if it needs none.
    """

    fpr: Floats
    tpr: Floats
    low: Floats
    high: Floats
    kind: BandKind
    method: str
    confidence_level: float
    n_pos: int
    n_neg: int
    fpr_margin: float | None = None
    tpr_margin: float | None = None
    n_resamples: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in vars(self).items()
        }

    def __len__(self) -> int:
        return len(self.fpr)

    def __repr__(self) -> str:
        width = float(np.mean(self.high - self.low))
        return (
            f"ROCBand({100 * self.confidence_level:g} % {self.kind}, {self.method}, "
            f"{len(self):,} points, mean width {width:.2f}, {self.n_pos}+ {self.n_neg}-)"
        )


def roc_band(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    kind: BandKind = "simultaneous",
    method: BandMethod = "auto",
    confidence_level: float = 0.95,
    fpr: npt.ArrayLike | None = None,
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: npt.ArrayLike | None = None,
    progress: Progress | None = None,
) -> ROCBand:
    """The ROC curve with a confidence band.

    Parameters
    ----------
    y_true : array-like or Ranking
        Labels (see `Ranking`), or a ranking that holds labels and scores.
    y_score : array-like
        Scores, higher for more positive.
    sample_weight : array-like, optional
        Weights of the examples; ``"ks"`` and ``"binormal"`` refuse them.
    pos_label : optional
        The value of `y_true` that is positive.
    kind : {"simultaneous", "pointwise"}, default "simultaneous"
        A simultaneous band holds the whole curve in a share `confidence_level` of all samples; a
        pointwise one holds the true positive rate at each false positive rate so often, and the
        whole curve much less often.
    method : {"auto", "bootstrap", "ks", "wilson", "binormal"}, default "auto"
        Simultaneous: ``"bootstrap"``, which ``"auto"`` is, moves the curve aside by the distance
        that replicates keep from it, and ``"ks"`` by that of Kolmogorov and Smirnov, which needs
        no replicates and is wider. Pointwise: ``"wilson"``, which ``"auto"`` is, is the score
        interval of a rate with the variance of the replicates, ``"bootstrap"`` the percentiles of
        these, too narrow near the corners. ``"binormal"``: around the curve of `binormal_fit`.
    confidence_level : float, default 0.95
        Between 0 and 1.
    fpr : array-like, optional
        Ascending false positive rates at which the band is wanted; by default 0, 0.005, ..., 1.
    n_resamples : int, default 2000
        Bootstrap replicates.
    rng : None, int or numpy.random.Generator, optional
        Where the randomness of the bootstrap comes from: a number gives the same band again.
    stratified : bool, default True
        Draw positives and negatives each by themselves. Otherwise rows are drawn from all, and
        replicates that lack a class are left out.
    cluster : array-like, optional
        The cluster of every row, such as a patient: the bootstrap then draws clusters.
    progress : callable, optional
        Called as ``progress(done, n_resamples)``.

    Returns
    -------
    ROCBand
        All nan, with `UndefinedMeasureWarning`, if a class is missing, or where there is no
        binormal fit. The ends are nan, with that warning, where a class lies in one cluster, or no
        replicate has both classes.

    Notes
    -----
    With m positives and n negatives (with weights, as many as they are worth), a simultaneous
    band runs between the curve moved by (-a, +b) and by (+a, -b). ``"ks"``: a and b are the
    quantiles of the two-sided Kolmogorov-Smirnov statistic of n and of m examples, each at the
    level sqrt(confidence_level), so that both classes hold together at `confidence_level`.
    ``"bootstrap"``: a = c / sqrt(n) and b = c / sqrt(m), with c the quantile of the largest
    distance between replicate and curve in that direction; but never less than what n or m
    examples without an error leave open. ``"binormal"``: a + b x plus and minus its standard error
    times the normal quantile, or simultaneously, after Working and Hotelling, times the root of
    the quantile of chi-squared with two degrees of freedom; x is the normal deviate of the FPR.

    O(n) for each replicate.

    References
    ----------
    G. Campbell, Statistics in Medicine 13 (1994) 499-508.
    S. A. Macskassy, F. Provost, S. Rosset, Proc. 22nd ICML (2005) 537-544.
    G. Ma, W. J. Hall, Medical Decision Making 13 (1993) 191-197.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]
    >>> band = roc_band(y, s, kind="pointwise", fpr=[0, 0.25, 0.5], rng=0)
    >>> band
    ROCBand(95 % pointwise, wilson, 3 points, mean width 0.76, 2+ 2-)
    >>> band.tpr, band.low.round(2), band.high.round(2)
    (array([0.5 , 0.75, 1.  ]), array([0.08, 0.2 , 0.34]), array([0.92, 0.97, 1.  ]))
    """
    level = check_level(confidence_level)
    check_choice("kind", kind, BandKind)
    chosen = _method(kind, method)
    refuse_clusters(cluster, chosen, ("ks", "binormal"))
    grid = np.linspace(0, 1, _POINTS) if fpr is None else ascending_rates(fpr, "fpr")
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    if chosen == "ks" and ranking.weighted:
        raise InputError(
            'method="ks" knows no weights: its quantiles are those of examples that count alike. '
            'Leave sample_weight out, or use method="bootstrap".'
        )
    draws = Draws.of(n_resamples, rng, stratified=stratified, cluster=cluster, progress=progress)
    used = draws.n_resamples if chosen in ("bootstrap", "wilson") else None
    if chosen == "binormal":
        fit = binormal_fit(ranking, confidence_level=level)
        low, high = fit.ends_at(grid, _binormal_quantile(kind, level))
        tpr = fit.tpr_at(grid)
        return _band(ranking, grid, (low, tpr, high), kind, chosen, level, None, used)
    if lacks(ranking):
        warn_of_lack("A ROC band", ranking, "both classes", "All of it")
        nowhere = np.full(len(grid), np.nan)
        return _band(ranking, grid, (nowhere, nowhere, nowhere), kind, chosen, level, None, used)
    curve = roc_curve(ranking)
    tpr = tpr_at(curve, grid)
    margins: tuple[float, float] | None = None
    if kind == "pointwise":
        low, high, used = _pointwise(ranking, grid, tpr, chosen, level, draws)
    else:
        if chosen == "ks":
            margins = ks_margins(ranking, level)
        else:
            margins, used = bootstrap_margins(ranking, curve, level, draws)
        low, high = _moved(curve, grid, margins)
    if used == 0:
        warn_undefined(
            "A ROC band needs replicates with both classes (in clusters: two clusters with each), "
            "and there is none. Its ends are nan. Without clusters keep stratified=True."
        )
    return _band(ranking, grid, (low, tpr, high), kind, chosen, level, margins, used)


def _method(kind: str, method: Any) -> str:
    allowed = METHODS[kind]
    word = method if isinstance(method, str) else None
    if word == "auto":
        return allowed[0]
    if word is None or word not in allowed:
        others = {one for methods in METHODS.values() for one in methods}
        known = f"is not for a {kind} band" if word in others else "is not known"
        raise InputError(
            f"method={method!r} {known}. Methods of a {kind} band: auto, {', '.join(allowed)}."
        )
    return word


def _pointwise(
    ranking: Ranking, grid: Floats, tpr: Floats, method: str, level: float, draws: Draws
) -> tuple[Floats, Floats, int]:
    replicates = resample_rates(ranking, draws, grid, across=1.0, up=0.0)
    replicates = replicates[~np.isnan(replicates[:, 0])]
    if not len(replicates):
        nowhere = np.full(len(grid), np.nan)
        return nowhere, nowhere, 0
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
    # The root of chi-squared of two degrees of freedom.
    if kind == "simultaneous":
        return math.sqrt(-2 * math.log(1 - level))
    return critical_value(level, "two-sided")


def _moved(curve: ROCCurve, grid: Floats, margins: tuple[float, float]) -> tuple[Floats, Floats]:
    """The curve moved down to the right, and up to the left."""
    aside, up = margins
    if math.isnan(aside):
        nowhere = np.full(len(grid), np.nan)
        return nowhere, nowhere
    right, left = grid - aside, grid + aside
    low = np.where(right < 0, 0, tpr_at(curve, right, lowest=True) - up)
    high = np.where(left > 1, 1, tpr_at(curve, left) + up)
    return np.maximum(low, 0), np.minimum(high, 1)


def _band(
    ranking: Ranking,
    fpr: Floats,
    rates: tuple[Floats, Floats, Floats],
    kind: BandKind,
    method: str,
    level: float,
    margins: tuple[float, float] | None,
    used: int | None,
) -> ROCBand:
    low, tpr, high = rates
    read_only(fpr, low, tpr, high)
    return ROCBand(
        fpr=fpr,
        tpr=tpr,
        low=low,
        high=high,
        kind=kind,
        method=method,
        confidence_level=level,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
        fpr_margin=None if margins is None else margins[0],
        tpr_margin=None if margins is None else margins[1],
        n_resamples=used,
    )
