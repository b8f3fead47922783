"""Confidence intervals for sensitivity at a given specificity, and the reverse."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import Alternative
from roclab.checks.options import Progress, RandomState, check_interval
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import is_undefined
from roclab.errors import InputError, SmallSampleWarning
from roclab.inference.estimation.resampling import (
    Draws,
    resample_rates,
)
from roclab.inference.intervals.bootstrap import percentile
from roclab.inference.intervals.interval import Interval, containing, warn_of_defects
from roclab.inference.intervals.order_statistics import RateDistribution
from roclab.inference.intervals.proportions import wilson_ends
from roclab.measures import at_threshold
from roclab.measures.at_threshold import checked_rate
from roclab.numeric.distributions import critical_value, tail_levels
from roclab.numeric.sums import without_rounding

RateMethod = Literal["auto", "order_statistics", "wilson", "bootstrap"]


def sensitivity_at(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    specificity: float,
    method: RateMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: npt.ArrayLike | None = None,
    progress: Progress | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> Interval:
    """Compute the sensitivity at a given specificity, with a confidence interval.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    specificity : float
        Specificity, from 0 to 1. Its threshold is estimated from the same data.
    method : {"auto", "order_statistics", "wilson", "bootstrap"}, default "auto"
        ``"order_statistics"`` needs no resampling and no assumption on the scores: it mixes Clopper
        and Pearson's intervals of the sensitivity over the distribution of the threshold's rank.
        ``"wilson"`` is the score interval of a proportion with the variance of the replicates, and
        ``"bootstrap"`` takes percentiles of the replicates; both are too narrow if the class that
        determines the threshold is small. ``"auto"`` is ``"order_statistics"``, and ``"wilson"``
        with clusters.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. A one-sided interval needs more than 0.5.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Two-sided or one-sided interval. ``"greater"`` gives a lower bound, ``"less"`` an upper
        bound; the other end is that of the range of the measure.
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
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    Interval
        `standard_error` is the standard deviation of the replicates, or with
        ``"order_statistics"`` that of the confidence distribution. nan and warnings as for
        `auc_interval`. A `SmallSampleWarning` says that the class that determines the threshold
        is too small for an end of the interval, which is then 0 or 1.

    Notes
    -----
    The value is read from the ROC curve with linear interpolation; where the curve is vertical,
    it is the highest. O(n), or O(n) per replicate. With weights, effective sample sizes replace the
    numbers of examples.

    References
    ----------
    C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413.
    M. P. Fay, M. A. Proschan and E. Brittain, Biometrics 71 (2015) 146-156: intervals of a
    function of two rates by mixing their confidence distributions.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.9]
    >>> sensitivity_at(y, s, specificity=0.8, method="wilson", rng=0)
    sensitivity_at(specificity=0.8) 0.867 [0.33, 0.99], 95 % Wilson, 3+ 3-
    """
    wanted = _RateAt("sensitivity_at", "specificity", checked_rate("specificity", specificity))
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    return _interval(
        wanted,
        ranking,
        method,
        confidence_level,
        alternative,
        Draws.of(n_resamples, rng, stratified, cluster, progress),
    )


def specificity_at(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sensitivity: float,
    method: RateMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: npt.ArrayLike | None = None,
    progress: Progress | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> Interval:
    """Compute the specificity at a given sensitivity, with a confidence interval.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    sensitivity : float
        Sensitivity, from 0 to 1. Its threshold is estimated from the same data.
    method : {"auto", "order_statistics", "wilson", "bootstrap"}, default "auto"
        ``"order_statistics"`` needs no resampling and no assumption on the scores: it mixes Clopper
        and Pearson's intervals of the specificity over the distribution of the threshold's rank.
        ``"wilson"`` is the score interval of a proportion with the variance of the replicates, and
        ``"bootstrap"`` takes percentiles of the replicates; both are too narrow if the class that
        determines the threshold is small. ``"auto"`` is ``"order_statistics"``, and ``"wilson"``
        with clusters.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. A one-sided interval needs more than 0.5.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Two-sided or one-sided interval. ``"greater"`` gives a lower bound, ``"less"`` an upper
        bound; the other end is that of the range of the measure.
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
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    Interval
        As for `sensitivity_at`.

    Notes
    -----
    The value is read from the ROC curve with linear interpolation; where the curve is horizontal,
    it is the highest. O(n), or O(n) per replicate.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.9]
    >>> specificity_at(y, s, sensitivity=0.8, method="wilson", rng=0)
    specificity_at(sensitivity=0.8) 0.867 [0.33, 0.99], 95 % Wilson, 3+ 3-
    """
    wanted = _RateAt("specificity_at", "sensitivity", checked_rate("sensitivity", sensitivity))
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    return _interval(
        wanted,
        ranking,
        method,
        confidence_level,
        alternative,
        Draws.of(n_resamples, rng, stratified, cluster, progress),
    )


@dataclass(frozen=True)
class _RateAt:
    """The rate to estimate, and the value of the other rate."""

    name: str
    given: str
    rate: float

    def value(self, ranking: Ranking) -> float:
        if self.given == "specificity":
            return at_threshold.sensitivity(ranking, specificity=self.rate)
        return at_threshold.specificity(ranking, sensitivity=self.rate)

    def replicates(self, ranking: Ranking, draws: Draws) -> npt.NDArray[np.float64]:
        at = np.array([self._curve_rate])
        if self.given == "specificity":
            return resample_rates(ranking, draws, at, across=1.0, up=0.0)[:, 0]
        return 1 - resample_rates(ranking, draws, at, across=0.0, up=1.0)[:, 0]

    @property
    def _curve_rate(self) -> float:
        """The given rate as a coordinate of the ROC curve: FPR or TPR."""
        return 1 - self.rate if self.given == "specificity" else self.rate

    def number(self, ranking: Ranking) -> float:
        summary = ranking.summary
        return summary.effective_pos if self.given == "specificity" else summary.effective_neg

    def distribution(self, ranking: Ranking) -> RateDistribution:
        masses, summary = (ranking.neg, ranking.pos), ranking.summary
        sizes = (summary.effective_neg, summary.effective_pos)
        if self.given == "sensitivity":
            masses, sizes = (ranking.pos[::-1], ranking.neg[::-1]), sizes[::-1]
        return RateDistribution(*masses, sizes, self.rate)


def _interval(
    wanted: _RateAt,
    ranking: Ranking,
    method: Any,
    confidence_level: float,
    alternative: Alternative,
    draws: Draws,
) -> Interval:
    level, side = check_interval(confidence_level, alternative, method, RateMethod)
    chosen = method
    if method == "auto":
        chosen = "order_statistics" if draws.clusters is None else "wilson"
    if chosen == "order_statistics" and draws.clusters is not None:
        raise InputError(
            found="{method=}'order_statistics' assumes independent examples and does not support "
            "{cluster}",
            fix="Choose {method=}'wilson'.",
        )
    low = high = error = value = math.nan
    used: int | None = None if chosen == "order_statistics" else 0
    unbounded = False
    levels = tail_levels(level, side)
    if not is_undefined(ranking) and chosen == "order_statistics":
        value = wanted.value(ranking)
        found = wanted.distribution(ranking)
        low, high, error = *map(found.quantile, levels), found.standard_error
        unbounded = found.unbounded(levels)
    elif not is_undefined(ranking):
        draws.prepare(ranking)
        value = wanted.value(ranking)
        replicates = wanted.replicates(ranking, draws)
        replicates = without_rounding(replicates[~np.isnan(replicates)], value, (0.0, 1.0))
        used = len(replicates)
        if used:
            error = float(replicates.std())
            if chosen == "bootstrap":
                low, high = percentile(replicates, levels)
            else:
                number = wanted.number(ranking)
                ends = wilson_ends(value, error**2, number, critical_value(level, side))
                low, high = map(float, ends)
    # Where the curve is vertical the value is its upper end, which order statistics may exclude.
    low, high = containing(value, low, high)
    if not math.isnan(low):
        low = 0.0 if side == "less" else low
        high = 1.0 if side == "greater" else high
    interval = Interval(
        measure=f"{wanted.name}({wanted.given}={wanted.rate:g})",
        value=value,
        low=low,
        high=high,
        standard_error=error,
        confidence_level=level,
        method=chosen,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
        alternative=side,
        n_resamples=used,
    )
    warn_of_defects(interval)
    if unbounded and 0 < wanted.rate < 1:
        _warn_of_few(wanted, ranking, levels)
    return interval


def _warn_of_few(wanted: _RateAt, ranking: Ranking, levels: tuple[float, float]) -> None:
    """Warn that an end is 0 or 1 since all examples of a class may be beyond the threshold."""
    count = ranking.n_neg if wanted.given == "specificity" else ranking.n_pos
    upper = wanted.rate >= 0.5  # the threshold may be beyond the last example, or else the first
    share, tail = (wanted.rate, levels[0]) if upper else (1 - wanted.rate, 1 - levels[1])
    # The distribution has half of the probability at the end, see `RateDistribution`.
    enough = math.floor(math.log(2 * tail) / math.log(share)) + 1
    SmallSampleWarning(
        found="{count} {label} examples do not bound the threshold of {given} {rate}",
        needed="all of them are on one side of it with probability {share}, and {enough} examples "
        "are needed",
        fix="The interval goes to {end}. Choose a {given} nearer to 0.5, or collect more examples.",
        count=f"{count:,}",
        label="negative" if wanted.given == "specificity" else "positive",
        given=wanted.given,
        rate=f"{wanted.rate:g}",
        share=f"{share**count:.2g}",
        enough=f"{enough:,}",
        end=int(not upper),
    ).issue()
