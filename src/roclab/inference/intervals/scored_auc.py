"""Confidence intervals for the scored AUC."""

from __future__ import annotations

import math
from typing import Any, Literal, Unpack

import numpy.typing as npt

from roclab.choices import Alternative
from roclab.errors import SmallSampleWarning
from roclab.inference.estimation.estimate import estimate_of
from roclab.inference.estimation.joint_estimate import Estimate, satterthwaite_df
from roclab.inference.estimation.resampling import (
    Draws,
    Resampling,
    takes_resampling,
    with_examples,
)
from roclab.inference.intervals.bootstrap import bootstrap_interval
from roclab.inference.intervals.closed_form import wald
from roclab.inference.intervals.half_sampling import log_ends
from roclab.inference.intervals.interval import Interval, finished_interval, warn_of_defects
from roclab.numeric.distributions import critical_value
from roclab.options import check_interval
from roclab.ranking import Ranking, as_ranking
from roclab.row_groups import Membership
from roclab.summary import RangeSummary

# Lowest coverage, in percent, with 10 to 20 positives, and examples of a class from which it is
# 90 %: see the page on coverage.
_WORST, _ENOUGH = 88, 30

ScoredIntervalMethod = Literal["log", "delong", "bootstrap", "bca"]


@takes_resampling
def scored_auc_interval(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    method: ScoredIntervalMethod = "log",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    **resampling: Unpack[Resampling],
) -> Interval:
    """Compute the scored AUC with a confidence interval.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label
        As for `auc_interval`; scores must be finite.
    method : {"log", "delong", "bootstrap", "bca"}, default "log"
        ``"log"`` is the estimate times and over the exponential of its relative standard error
        times Student's quantile. ``"delong"`` is the estimate plus and minus its standard error
        times a normal quantile, clipped at 0: too short for small samples. The others resample.
    confidence_level, alternative
        As for `auc_interval`.
    {resampling}

    Returns
    -------
    Interval
        In the unit of the scores. nan and warnings as for `auc_interval`; a `SmallSampleWarning`
        with fewer than 30 examples of a class, if the method is ``"log"``.

    Notes
    -----
    The variance is DeLong's, with score margins instead of wins: theorem 6 of the paper, as
    printed, is too small (see the page on the scored AUC). Student's distribution has half of the
    degrees of freedom that means of normal numbers have, since score margins are skewed; with
    clusters, those of the clusters. About O(n), O(n log n) at worst.

    References
    ----------
    S. Wu, P. Flach and C. Ferri, *An improved model selection heuristic for AUC*, ECML 2007.

    Examples
    --------
    >>> scored_auc_interval([0, 1] * 32, [0.0, 0.5, 0.5, 1.0, 0.2, 0.3, 0.1, 0.9] * 8)
    scored AUC 0.488 [0.38, 0.62], 95 % log-transformed DeLong, 32+ 32-
    """
    level, side = check_interval(confidence_level, alternative, method, ScoredIntervalMethod)
    if method in ("log", "delong"):
        cluster = resampling.get("cluster")
        clusters = None if cluster is None else Membership.of(cluster)
        estimate = estimate_of(y_true, y_score, sample_weight, pos_label, "scored_auc", clusters)
        interval = finished_interval(
            estimate=estimate,
            ends=(_log if method == "log" else _wald)(estimate, level, side),
            level=level,
            method=method,
            alternative=side,
        )
    else:
        sample = with_examples(y_true, method, "log")
        ranking = as_ranking(sample, y_score, sample_weight=sample_weight, pos_label=pos_label)
        draws = Draws.of(**resampling)
        interval = bootstrap_interval(ranking, "scored_auc", method, level, side, draws)
    warn_of_defects(interval)
    if (
        method == "log"
        and not math.isnan(interval.low)
        and min(interval.n_pos, interval.n_neg) < _ENOUGH
    ):
        _warn_of_few(interval)
    return interval


def _warn_of_few(interval: Interval) -> None:
    SmallSampleWarning(
        found="There are {n_pos} positive and {n_neg} negative examples",
        needed="with fewer than {enough} of a class, intervals of the scored AUC at 95 % contained "
        "the true value in {worst} % to 98 % of simulated samples, least if scores are skewed",
        fix="Collect more examples, take the logarithm of skewed scores, or use auc_interval, "
        "which depends on their order alone.",
        n_pos=f"{interval.n_pos:,}",
        n_neg=f"{interval.n_neg:,}",
        enough=_ENOUGH,
        worst=_WORST,
    ).issue()


def _log(estimate: Estimate, level: float, side: Alternative) -> tuple[float, float]:
    df = estimate.df
    if df is None:
        df = satterthwaite_df(estimate.pos, estimate.neg) / 2
    if math.isnan(estimate.variance):
        return math.nan, math.nan
    return log_ends(estimate.value, math.sqrt(estimate.variance), critical_value(level, side, df))


def _wald(estimate: Estimate, level: float, side: Alternative) -> tuple[float, float]:
    low, high = wald(estimate, critical_value(level, side))
    return (0.0 if low < 0 else low), high
