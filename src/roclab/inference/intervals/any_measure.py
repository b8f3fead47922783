"""Confidence intervals for any measure, by bootstrap."""

from __future__ import annotations

import math
import warnings
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.inference.estimation.influence import acceleration, jackknife
from roclab.inference.estimation.resampling import Draws, resample_measure
from roclab.inference.intervals.bootstrap import bca, percentile, variance_of
from roclab.inference.intervals.interval import Interval, warn_of_defects
from roclab.measures import find_measure
from roclab.measures.measure import MeasureFunction
from roclab.measures.specification import word_of
from roclab.numeric.distributions import tail_levels
from roclab.options import (
    Alternative,
    Progress,
    RandomState,
    check_alternative,
    check_level,
    check_method,
)
from roclab.ranking import Ranking, as_ranking

__all__ = ["interval"]

MeasureIntervalMethod = Literal["bootstrap", "bca"]
_METHODS: tuple[str, ...] = get_args(MeasureIntervalMethod)
_MOST_LEFT_OUT = 20_000


def interval(
    measure: str | MeasureFunction[..., Any],
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    method: MeasureIntervalMethod = "bootstrap",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: npt.ArrayLike | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Interval:
    """Any measure with a bootstrap confidence interval.

    Parameters
    ----------
    measure : str or callable
        A measure of one number, such as `partial_auc`, or the word for it, such as
        ``"partial_auc(max_fpr=0.1)"``.
    y_true, y_score, sample_weight, pos_label
        As for `auc_interval`.
    method : {"bootstrap", "bca"}, default "bootstrap"
        Percentiles of the replicates, or these corrected for bias and skewness, for which every
        example is left out once.
    confidence_level, alternative, n_resamples, rng, stratified, cluster, progress
        As for `auc_interval`.
    **options
        Options of the measure.

    Returns
    -------
    Interval
        Its standard error is the standard deviation of the replicates, and `n_resamples` the number
        of those in which the measure was defined. nan and warnings as for `auc_interval`.

    Notes
    -----
    The scores are sorted once. For the AUC and the scored AUC `auc_interval` and
    `scored_auc_interval` are much faster. A percentile interval of a measure that every sample
    flatters, such as the KS statistic or the area under the hull, lies too high: the bootstrap
    repeats the flattery.

    Examples
    --------
    >>> interval("ks_statistic", [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.9], rng=0)
    ks_statistic 0.667 [0.33, 1.00], 95 %, 3+ 3-
    >>> from roclab import partial_auc
    >>> interval(partial_auc, [0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], tpr_range=(0.5, 1), rng=0)
    partial_auc(tpr_range=(0.5, 1)) 0.375 [0.12, 0.50], 95 %, 2+ 2-
    """
    entry, chosen = find_measure(measure, **options)
    word = word_of(entry, chosen)
    if not entry.single:
        raise InputError(
            f"{entry.name} has several parts ({', '.join(entry.parts)}); an interval is for one "
            "number. list_measures() has the others."
        )
    check_method(method, _METHODS)
    side = check_alternative(alternative)
    level = check_level(confidence_level, side)
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    draws = Draws.of(n_resamples, rng, stratified=stratified, cluster=cluster, progress=progress)

    def value_of(drawn: Ranking) -> float:
        return float(entry.value_of(drawn, **chosen))

    if method == "bca":
        _check_that_rows_can_be_left_out(ranking, cluster)
    value = value_of(ranking)
    low = high = error = math.nan
    used = 0
    if ranking.n_pos and ranking.n_neg:
        with warnings.catch_warnings():
            # Of a replicate that does not define the measure; those are left out.
            warnings.simplefilter("ignore", UndefinedMeasureWarning)
            values = resample_measure(value_of, ranking, draws)
            skewness = acceleration(jackknife(value_of, ranking)) if method == "bca" else 0.0
        values = values[~np.isnan(values)]
        used = len(values)
        levels = tail_levels(level, side)
        if method == "bootstrap":
            low, high = percentile(values, levels)
        elif not math.isnan(skewness):
            low, high = bca(values, value, skewness, levels)
        error = math.sqrt(variance_of(values))
        low = entry.low if side == "less" else low
        high = entry.high if side == "greater" else high
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
    if not (math.isnan(value) and ranking.n_pos and ranking.n_neg):  # then the measure has warned
        warn_of_defects(found)
    return found


def _check_that_rows_can_be_left_out(ranking: Ranking, cluster: Any) -> None:
    if ranking.weighted or cluster is not None:
        raise InputError(
            'method="bca" leaves every example out once, which is not done with weights or '
            'clusters. Choose method="bootstrap".'
        )
    kinds = int(np.count_nonzero(ranking.pos) + np.count_nonzero(ranking.neg))
    if kinds > _MOST_LEFT_OUT:
        raise InputError(
            f'method="bca" would take the measure {kinds:,} times more, once for every kind of '
            f"example left out; it does so up to {_MOST_LEFT_OUT:,} times. "
            'Choose method="bootstrap".'
        )
