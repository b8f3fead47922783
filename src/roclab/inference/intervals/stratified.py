"""Confidence intervals for the stratified AUC."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import Alternative, StratumWeighting
from roclab.checks.options import check_interval
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.row_groups import Membership
from roclab.errors import UndefinedMeasureWarning
from roclab.inference.intervals.interval import Interval
from roclab.inference.intervals.proportions import wilson_roots
from roclab.measures.stratified import StratumAUCs, stratum_aucs
from roclab.numeric.distributions import critical_value
from roclab.numeric.sums import dot

StratifiedMethod = Literal["between", "within"]


@dataclass(frozen=True, kw_only=True, repr=False, slots=True)
class StratifiedInterval(Interval):
    """The stratified AUC with its confidence interval.

    Attributes
    ----------
    measure : str
        ``"stratified_auc"``.
    value : float
        Stratified AUC.
    low, high : float
        Ends of the interval. One end of a one-sided interval is 0 or 1.
    standard_error : float
        Standard error between strata or within them, as `method` says; nan if it is undefined.
    confidence_level : float
        Nominal confidence level.
    method : str
        ``"between"`` or ``"within"``.
    n_pos, n_neg : int
        Number of positive and negative examples, in strata with both classes.
    alternative : {"two-sided", "less", "greater"}
        Which end is open: none, the lower or the upper.
    n_resamples : int or None
        None: there is no resampling.
    n_strata : int
        Number of strata with both classes; only these are used.
    n_strata_left_out, n_rows_left_out : int
        Number of strata that lack a class, and of their rows.
    weighting : {"pairs", "rows", "positives", "equal"}
        Weighting of the strata.
    """

    n_strata: int = 0
    n_strata_left_out: int = 0
    n_rows_left_out: int = 0
    weighting: str = "pairs"

    def __repr__(self) -> str:
        strata = f"{self.n_strata} strat{'um' if self.n_strata == 1 else 'a'}"
        left_out = f", {self.n_strata_left_out} left out" if self.n_strata_left_out else ""
        # Not super(): slots=True creates a second class, and super() would refer to the first.
        return f"{Interval.__repr__(self)}, {strata}{left_out}"


def stratified_auc_interval(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    stratum: npt.ArrayLike,
    weighting: StratumWeighting = "pairs",
    method: StratifiedMethod = "between",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> StratifiedInterval:
    """Compute the AUC over pairs within the same stratum, with a confidence interval.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    stratum : array-like
        Stratum of each row, such as the query whose results are ranked.
    weighting : {"pairs", "rows", "positives", "equal"}, default "pairs"
        Weights of the strata: their numbers of pairs of a positive and a negative, of rows, of
        positives, or equal.
    method : {"between", "within"}, default "between"
        ``"between"`` treats the strata as a random sample, as of queries: the variance is that of
        their AUCs, with Student's quantile of k - 1 degrees of freedom for k strata of equal
        weight, and fewer for unequal ones. ``"within"`` treats the strata as fixed, as the sites of
        a study: it adds up DeLong's variance of each, for which each stratum needs two examples of
        each class.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. A one-sided interval needs more than 0.5.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Two-sided or one-sided interval. ``"greater"`` gives a lower bound, ``"less"`` an upper
        bound; the other end is that of the range of the measure.
    sample_weight : array-like, optional
        Sample weights; not with a ranking. The weight of a pair is the product of both.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    StratifiedInterval
        nan with an `UndefinedMeasureWarning` if no stratum has both classes; with ``"within"`` the
        ends and the standard error are nan also if a stratum has only one example of a class. With
        a single stratum ``"between"`` goes from 0 to 1.

    Notes
    -----
    With weights s and AUCs t of the strata, and their weighted mean m, the variance within strata
    is ``sum s^2 v``. Between them it is ``c sum s^2 (t - m)^2`` with
    ``c = q / sum s^2 (1 - 2 s + q)`` and ``q = sum s^2``, which is unbiased if the AUCs are
    independent and have the same variance; for k equal weights c is k / (k - 1). Its degrees of
    freedom are Satterthwaite's: two times the squared expectation of the sum over its variance, for
    normal AUCs. The interval is Wilson's: all values whose distance from the estimate is at most
    the quantile times the standard error at that value. A variance of 0 is replaced by the largest
    possible one of independent strata, ``m (1 - m) sum s^2``.

    References
    ----------
    F. E. Satterthwaite, Biometrics Bulletin 2 (1946) 110-114.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 1, 1, 0, 1], [0.1, 0.4, 0.8, 0.8, 0.9, 0.2, 0.7, 0.6]
    >>> stratified_auc_interval(y, s, stratum=["a", "a", "b", "b", "b", "c", "d", "d"])
    stratified AUC 0.625 [0.05, 0.98], 95 % variation between strata, 4+ 3-, 3 strata, 1 left out
    """
    found = unwarned_stratified_interval(
        as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label),
        Membership.of(stratum, "stratum"),
        weighting=weighting,
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
    )
    if math.isnan(found.value):
        warning = UndefinedMeasureWarning(
            found="None of the {strata} strata has both classes",
            needed="the stratified AUC needs at least one such stratum",
            fix="The result is nan.",
            strata=f"{found.n_strata_left_out:,}",
        )
    elif math.isnan(found.low + found.high):
        warning = UndefinedMeasureWarning(
            found="Some strata have fewer than two examples of a class",
            needed="{method=}'within' needs two of each",
            fix="The ends of the interval are nan. Choose {method=}'between', which needs one.",
        )
    else:
        return found
    warning.issue()
    return found


def unwarned_stratified_interval(
    ranking: Ranking,
    strata: Membership,
    *,
    weighting: StratumWeighting = "pairs",
    method: StratifiedMethod = "between",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> StratifiedInterval:
    """`stratified_auc_interval` without warnings, for callers that warn once for many."""
    level, side = check_interval(confidence_level, alternative, method, StratifiedMethod)
    aucs = stratum_aucs(ranking, strata, weighting)
    count, value = len(aucs.values), aucs.value
    variance, df = _between(aucs) if method == "between" else (_within(aucs), None)
    z = critical_value(level, side, df)
    low, high = _wilson(aucs, variance, z)
    if count and side != "two-sided":
        low, high = (0.0, high) if side == "less" else (low, 1.0)
    return StratifiedInterval(
        measure="stratified_auc",
        value=value,
        low=low,
        high=high,
        standard_error=math.sqrt(variance),
        confidence_level=level,
        method=method,
        n_pos=aucs.n_pos,
        n_neg=aucs.n_neg,
        alternative=side,
        n_strata=count,
        n_strata_left_out=aucs.left_out,
        n_rows_left_out=aucs.rows_left_out,
        weighting=weighting,
    )


def _within(aucs: StratumAUCs) -> float:
    """Sum of the variances within strata."""
    return dot(aucs.shares**2, aucs.variances) if len(aucs.values) else math.nan


def _between(aucs: StratumAUCs) -> tuple[float, float]:
    """Variance of the weighted mean from the strata's AUCs, and its degrees of freedom."""
    shares, most = aucs.shares, len(aucs.values) - 1.0
    q, cubes, fourths = (float(np.sum(shares**power)) for power in (2, 3, 4))
    # Variances of the deviations from the mean, in units of the variance of an AUC.
    own = (1 - shares) ** 2 + np.maximum(q - shares**2, 0)
    expected = dot(shares**2, own)
    if most < 1 or expected <= 0:
        return math.nan, 0.0
    deviations = shares * (aucs.values - aucs.value)
    # Half the variance of the sum of squares: the squared covariances of all deviations.
    squares = q**4 + 2 * q * fourths - 4 * q * q * cubes + 2 * cubes**2
    squares += dot(shares**4, own**2 - (q - 2 * shares) ** 2)
    df = min(max(expected**2 / squares, 1.0), most) if squares > 0 else most
    return q / expected * dot(deviations, deviations), df


def _wilson(aucs: StratumAUCs, variance: float, z: float) -> tuple[float, float]:
    value = aucs.value
    if math.isnan(value):
        return math.nan, math.nan
    if math.isinf(z):  # a single stratum, which gives no variance
        return 0.0, 1.0
    spread = value * (1 - value)
    largest = dot(aucs.shares, aucs.shares)
    dispersion = variance / spread if variance > 0 and spread > 0 else largest
    if math.isnan(variance):
        return math.nan, math.nan
    low, high = wilson_roots(value, z * z * dispersion)
    return float(low), float(high)
