"""Bootstrap confidence intervals: percentile, bias-corrected and accelerated, and studentised.

References
----------
B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap*, 1993, chapters 12 to 14.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import Alternative, EstimatedMeasure
from roclab.data.ranking import Ranking
from roclab.inference.estimation.influence import acceleration, influences
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.estimation.resampling import (
    Draws,
    resample_moments,
    resample_values,
)
from roclab.inference.intervals.interval import Interval, finished_interval
from roclab.numeric.distributions import normal_cdf, normal_quantile, tail_levels
from roclab.numeric.sums import without_rounding

_Values = npt.NDArray[np.float64]


def bootstrap_interval(
    ranking: Ranking,
    measure: EstimatedMeasure,
    method: str,
    level: float,
    alternative: Alternative,
    draws: Draws,
) -> Interval:
    """Bootstrap interval of an AUC or scored AUC; replicates that lack a class are left out."""
    draws.prepare(ranking)
    estimate = Estimate.of(ranking.summary, measure)
    ends, used = (math.nan, math.nan), 0
    if ranking.n_pos and ranking.n_neg:
        levels = tail_levels(level, alternative)
        if method == "bootstrap_t":
            values, variances = resample_moments(ranking, draws, measure=measure)
            variances = variances[~np.isnan(values)]
        else:
            values = resample_values([ranking], draws, measure=measure)[:, 0]
        bounds = (0.0, 1.0) if measure == "auc" else (0.0, math.inf)
        values = without_rounding(values[~np.isnan(values)], estimate.value, bounds)
        used = len(values)
        if method == "bootstrap_t":
            ends = studentized(values, variances, estimate, levels)
        elif method == "bca":
            skewness = acceleration(influences(ranking, measure, draws))
            ends = bca(values, estimate.value, skewness, levels)
        else:
            ends = percentile(values, levels)
        if draws.clusters is not None:
            # DeLong's variance assumes independent rows.
            estimate = replace(estimate, variance=variance_of(values))
    return finished_interval(
        estimate=estimate,
        ends=ends,
        level=level,
        method=method,
        alternative=alternative,
        n_resamples=used,
    )


def percentile(replicates: _Values, levels: tuple[float, float]) -> tuple[float, float]:
    """Quantiles of the replicates at two levels."""
    if not len(replicates):
        return math.nan, math.nan
    if np.isfinite(replicates).all():
        low, high = np.quantile(replicates, levels)
    else:  # no interpolation between a finite number and infinity
        low = np.quantile(replicates, levels[0], method="lower")
        high = np.quantile(replicates, levels[1], method="higher")
    return float(low), float(high)


def variance_of(replicates: _Values) -> float:
    """Variance of the replicates: nan for fewer than two, infinite if a replicate is infinite."""
    if len(replicates) < 2:
        return math.nan
    return float(replicates.var(ddof=1)) if np.isfinite(replicates).all() else math.inf


def bca(
    replicates: _Values, value: float, accelerated: float, levels: tuple[float, float]
) -> tuple[float, float]:
    """Quantiles of the replicates at levels corrected for bias and skewness."""
    count = len(replicates)
    if not count:
        return math.nan, math.nan
    above, below = np.count_nonzero(replicates > value), np.count_nonzero(replicates < value)
    share = (count + below - above) / (2 * count)
    # At least half a replicate on either side: otherwise the correction is infinite.
    bias = normal_quantile(min(max(share, 0.5 / count), 1 - 0.5 / count))

    def corrected(level: float) -> float:
        if level in (0, 1):  # an open end
            return level
        shifted = bias + normal_quantile(level)
        return normal_cdf(bias + shifted / (1 - accelerated * shifted))

    return percentile(replicates, (corrected(levels[0]), corrected(levels[1])))


def studentized(
    replicates: _Values, variances: _Values, estimate: Estimate, levels: tuple[float, float]
) -> tuple[float, float]:
    """Bootstrap-t interval of an AUC on the logit scale.

    A replicate that separates the classes has variance 0 and an infinite logit. It is moved half a
    misranked pair inwards, with the variance of such a pair: twice this distance squared.
    """
    from scipy.special import expit, logit

    value, pos, neg = estimate.value, estimate.pos, estimate.neg
    if not (0 < value < 1 and estimate.variance > 0) or not len(replicates):
        return math.nan, math.nan
    half_a_pair = 0.5 / (pos * neg)
    inside = np.clip(replicates, half_a_pair, 1 - half_a_pair)
    variances = np.where(variances > 0, variances, inside * (1 - inside) / (pos * neg))
    scaled = (logit(inside) - logit(value)) * (inside * (1 - inside)) / np.sqrt(variances)
    upper, lower = np.quantile(scaled, [1 - levels[0], 1 - levels[1]])
    error = math.sqrt(estimate.variance) / (value * (1 - value))
    return float(expit(logit(value) - upper * error)), float(expit(logit(value) - lower * error))
