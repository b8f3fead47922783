"""Confidence intervals for any measure: in closed form, or by resampling."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import Alternative
from roclab.checks.options import (
    Progress,
    RandomState,
    check_interval,
)
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.row_groups import Membership
from roclab.errors import InputError, SmallSampleWarning, UndefinedMeasureWarning
from roclab.inference.estimation.influence import acceleration, jackknife
from roclab.inference.estimation.resampling import (
    Draws,
    half_samples,
    resample_measure,
)
from roclab.inference.intervals.auc import auc_interval, unwarned_interval
from roclab.inference.intervals.bootstrap import bca, percentile, variance_of
from roclab.inference.intervals.half_sampling import half_sampling_ends
from roclab.inference.intervals.interval import Interval, containing, warn_of_defects
from roclab.inference.intervals.scored_auc import scored_auc_interval
from roclab.measures.specification import single_measure, word_of
from roclab.numeric.distributions import tail_levels
from roclab.numeric.sums import without_rounding

MeasureIntervalMethod = Literal["auto", "half_sampling", "bootstrap", "bca"]
_MOST_LEFT_OUT = 20_000
# The average precision depends on the negatives that score as high as the upper half of the
# positives. With fewer of them its intervals are too short for some populations: this is their
# lowest coverage at 95 %, in percent. See the documentation of coverage.
_ENOUGH_HIGH_NEGATIVES, _WORST = 20, 84


def interval(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    measure: str | Callable[..., Any],
    method: MeasureIntervalMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: npt.ArrayLike | None = None,
    progress: Progress | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    **options: Any,
) -> Interval:
    """Compute any measure with a confidence interval.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    measure : str or callable
        Measure that returns one number, such as `partial_auc`, or its specification, such as
        ``"partial_auc(fpr_range=(0, 0.1))"``.
    method : {"auto", "half_sampling", "bootstrap", "bca"}, default "auto"
        ``"auto"`` is the closed form of `auc_interval` for the AUC and the Gini coefficient, that
        of `scored_auc_interval` for the scored AUC, and ``"half_sampling"`` for other measures.
        ``"half_sampling"`` computes the measure on random halves of the sample, which determine its
        standard error and its bias; the interval has Student's quantile on the logit scale of the
        measure's range (the log scale with one bound, its own scale with none).
        ``"bootstrap"`` takes percentiles of the replicates; with few positives they are too
        narrow, and for measures of the ROC convex hull too high. ``"bca"`` corrects them for bias
        and skewness, and leaves out each example once to estimate the skewness.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. A one-sided interval needs more than 0.5.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Two-sided or one-sided interval. ``"greater"`` gives a lower bound, ``"less"`` an upper
        bound; the other end is that of the range of the measure.
    n_resamples : int, default 2000
        Number of resamples, such as bootstrap replicates or permutations. Closed forms do not use
        it.
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
    **options
        Options of the measure, such as ``fpr_range=(0, 0.1)``.

    Returns
    -------
    Interval
        `method` names the method that was used. With resampling, `standard_error` is the standard
        deviation of the replicates, and `n_resamples` the number of replicates in which the measure
        is defined. nan and warnings as for `auc_interval`; a `SmallSampleWarning` says that the
        interval of the average precision may be too short.

    Notes
    -----
    The scores are sorted once.

    With n examples of a class, a half has n / 2 of them, without replacement. For v the value, h
    the mean over halves and s their standard deviation, the bias is ``(h - v) / (2**(2/3) - 1)``:
    that of the H-measure and the KS statistic falls with the power 2/3 of the sample size. The
    interval is ``v - bias`` plus and minus ``t sqrt(s**2 + bias**2)`` on the transformed scale. If
    all halves agree, it is Wilson's, for a proportion of the smaller class.

    References
    ----------
    J. Shao and C. F. J. Wu, Annals of Statistics 17 (1989) 1176-1197.
    D. N. Politis, J. P. Romano and M. Wolf, *Subsampling*, Springer 1999.
    B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap*, 1993, chapters 12 to 14.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.9]
    >>> interval(y, s, measure="ks_statistic", rng=0)
    ks_statistic 0.667 [0.00, 0.99], 95 % half-sampling, 3+ 3-
    >>> from roclab import partial_auc
    >>> interval([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], measure=partial_auc, tpr_range=(0.5, 1), rng=0)
    partial_auc(tpr_range=(0.5, 1)) 0.375 [0.00, 0.50], 95 % half-sampling, 2+ 2-
    """
    entry, chosen = single_measure(measure, "an interval", **options)
    word = word_of(entry, chosen)
    level, side = check_interval(confidence_level, alternative, method, MeasureIntervalMethod)
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    if method == "auto" and entry.name in _CLOSED_FORMS and not chosen:
        with_closed_form = _CLOSED_FORMS[entry.name]
        return with_closed_form(ranking, level, side, cluster)
    method = "half_sampling" if method == "auto" else method
    draws = Draws.of(n_resamples, rng, stratified, cluster, progress)

    def value_of(drawn: Ranking) -> float:
        return float(entry.value_of(drawn, **chosen))

    if method == "bca":
        _check_jackknife(ranking, cluster)
    draws.prepare(ranking)
    value = value_of(ranking)
    low = high = error = math.nan
    used = 0
    if ranking.n_pos and ranking.n_neg:
        with warnings.catch_warnings():
            # Replicates in which the measure is undefined are left out.
            warnings.simplefilter("ignore", UndefinedMeasureWarning)
            resample = half_samples if method == "half_sampling" else resample_measure
            values = resample(value_of, [ranking], draws)[:, 0]
            skewness = acceleration(jackknife(value_of, ranking)) if method == "bca" else 0.0
        levels, bounds = tail_levels(level, side), entry.range_with(chosen)
        values = without_rounding(values[~np.isnan(values)], value, bounds)
        used = len(values)
        if method == "half_sampling":
            numbers = _independent_examples(ranking, draws)
            trials = entry.trials(numbers)
            low, high = half_sampling_ends(value, values, bounds, numbers, level, side, trials)
        elif method == "bootstrap":
            low, high = percentile(values, levels)
        elif not math.isnan(skewness):
            low, high = bca(values, value, skewness, levels)
        error = math.sqrt(variance_of(values))
        low = bounds[0] if side == "less" else low
        high = bounds[1] if side == "greater" else high
        low, high = containing(value, low, high)
    found = Interval(
        measure=word,
        value=value,
        low=low,
        high=high,
        standard_error=error,
        confidence_level=level,
        method=method,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
        alternative=side,
        n_resamples=used,
    )
    # If the value is nan although both classes are present, the measure has already warned.
    if not (math.isnan(value) and ranking.n_pos and ranking.n_neg):
        warn_of_defects(found)
    if entry.name == "average_precision" and method == "half_sampling" and not math.isnan(low):
        _warn_of_few(ranking)
    return found


def _auc_interval(
    ranking: Ranking, level: float, side: Alternative, cluster: npt.ArrayLike | None
) -> Interval:
    return auc_interval(ranking, confidence_level=level, alternative=side, cluster=cluster)


def _scored_auc_interval(
    ranking: Ranking, level: float, side: Alternative, cluster: npt.ArrayLike | None
) -> Interval:
    return scored_auc_interval(ranking, confidence_level=level, alternative=side, cluster=cluster)


def _gini_interval(
    ranking: Ranking, level: float, side: Alternative, cluster: npt.ArrayLike | None
) -> Interval:
    """The interval of the AUC on the scale of the Gini coefficient, 2 AUC - 1."""
    clusters = None if cluster is None else Membership.of(cluster)
    of_auc = unwarned_interval(ranking, confidence_level=level, alternative=side, clusters=clusters)
    found = replace(
        of_auc,
        measure="gini",
        value=2 * of_auc.value - 1,
        low=2 * of_auc.low - 1,
        high=2 * of_auc.high - 1,
        standard_error=2 * of_auc.standard_error,
    )
    warn_of_defects(found)
    return found


_CLOSED_FORMS = {
    "auc": _auc_interval,
    "gini": _gini_interval,
    "scored_auc": _scored_auc_interval,
}


def _warn_of_few(ranking: Ranking) -> None:
    """Warn if few negatives determine the average precision."""
    positives = np.cumsum(ranking.pos)
    middle = int(np.searchsorted(positives, positives[-1] / 2))
    share = float(ranking.neg[middle:].sum()) / float(ranking.neg.sum())
    count = share * ranking.summary.effective_neg
    if count >= _ENOUGH_HIGH_NEGATIVES:
        return
    SmallSampleWarning(
        found="{count} negative examples score as high as the upper half of the positives",
        needed="with fewer than {enough}, intervals of average_precision at 95 % contained the "
        "true value in as few as {worst} % of simulated samples, least if scores have heavy tails",
        fix="Collect more negative examples, or report the AUC with auc_interval.",
        count=f"{count:.0f}",
        enough=_ENOUGH_HIGH_NEGATIVES,
        worst=_WORST,
    ).issue()


def _independent_examples(ranking: Ranking, draws: Draws) -> tuple[float, float]:
    """Effective numbers of positive and negative examples, or of clusters with them."""
    if draws.clusters is None:
        return ranking.summary.effective_pos, ranking.summary.effective_neg
    rows = ranking.rows()
    numbers = draws.clusters.among(rows.numbers, len(rows.labels)).numbers
    pos, neg = (
        float(np.count_nonzero(np.bincount(numbers[rows.labels == side]))) for side in (1, 0)
    )
    return pos, neg


def _check_jackknife(ranking: Ranking, cluster: Any) -> None:
    """Refuse weights, clusters and samples for which the jackknife of BCa takes too long."""
    if ranking.weighted or cluster is not None:
        raise InputError(
            found="{method=}'bca' leaves out each example once, which is not implemented for "
            "weights or clusters",
            fix="Choose {method=}'bootstrap'.",
        )
    distinct = int(np.count_nonzero(ranking.pos) + np.count_nonzero(ranking.neg))
    if distinct > _MOST_LEFT_OUT:
        raise InputError(
            found="{method=}'bca' would compute the measure {times} times, once per distinct "
            "example",
            needed=f"at most {_MOST_LEFT_OUT:,} times are allowed",
            fix="Choose {method=}'bootstrap'.",
            times=f"{distinct:,}",
        )
