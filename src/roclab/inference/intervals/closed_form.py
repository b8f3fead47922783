"""Intervals for the AUC computed from its value, its variance and the sample sizes alone.

Streaming windows and partitions on a cluster keep these numbers, so they give the same intervals as
a sample in memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from roclab import _core
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.intervals.interval import Interval, finished_interval
from roclab.numeric.distributions import critical_value


def wald(estimate: Estimate, z: float) -> tuple[float, float]:
    """The estimate plus and minus its standard error times z, without clipping."""
    margin = z * math.sqrt(estimate.variance)
    return estimate.value - margin, estimate.value + margin


def _auto(estimate: Estimate, z: float) -> tuple[float, float]:
    value, variance = estimate.value, estimate.variance
    return _core.wilson_interval(value, variance, estimate.pos, estimate.neg, z)


def _delong(estimate: Estimate, z: float) -> tuple[float, float]:
    low, high = wald(estimate, z)
    # Not max(low, 0): with nan its result depends on the order of the arguments.
    return (0.0 if low < 0 else low), (1.0 if high > 1 else high)


def _logit(estimate: Estimate, z: float) -> tuple[float, float]:
    value = estimate.value
    slope = value * (1 - value)
    if not (slope > 0 and estimate.variance > 0):
        return math.nan, math.nan
    margin = z * math.sqrt(estimate.variance) / slope
    middle = math.log(value / (1 - value))
    return _expit(middle - margin), _expit(middle + margin)


def _score(estimate: Estimate, z: float) -> tuple[float, float]:
    spread = z * math.sqrt(estimate.tie_factor)
    return _core.score_interval(estimate.value, estimate.pos, estimate.neg, spread)


def _newcombe(estimate: Estimate, z: float) -> tuple[float, float]:
    return _core.newcombe_interval(estimate.value, estimate.pos, estimate.neg, z)


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else math.exp(x)


CLOSED_FORMS: dict[str, Callable[[Estimate, float], tuple[float, float]]] = {
    "auto": _auto,
    "delong": _delong,
    "logit": _logit,
    "score": _score,
    "newcombe": _newcombe,
}


def default_interval(estimate: Estimate, level: float) -> Interval:
    """The two-sided interval of ``method="auto"``."""
    return finished_interval(
        estimate=estimate,
        ends=_auto(estimate, critical_value(level, "two-sided")),
        level=level,
        method="auto",
        alternative="two-sided",
    )
