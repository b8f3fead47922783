"""Intervals of any measure from its values on random halves of the sample.

On half of the sample a measure varies about its value on the whole as much as the latter varies
about the true value (the delete-half jackknife). This also holds for measures of the ROC convex
hull, for which the bootstrap is inconsistent. The bias of such a measure falls with the power 2/3
of the sample size, so that the mean difference between halves and whole determines it.

References
----------
J. Shao and C. F. J. Wu, *A general theory for jackknife variance estimation*, Annals of Statistics
17 (1989) 1176-1197.
D. N. Politis, J. P. Romano and M. Wolf, *Subsampling*, Springer 1999.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from roclab.choices import Alternative
from roclab.inference.estimation.joint_estimate import satterthwaite_df
from roclab.inference.estimation.measure_estimate import BIAS_RATIO
from roclab.inference.intervals.bootstrap import percentile, variance_of
from roclab.numeric.distributions import critical_value, tail_levels

_Values = npt.NDArray[np.float64]


def half_sampling_ends(
    value: float,
    halves: _Values,
    bounds: tuple[float, float],
    numbers: tuple[float, float],
    level: float,
    alternative: Alternative,
) -> tuple[float, float]:
    """Ends of the interval, on the logit scale or, with one bound, on the log scale.

    Parameters
    ----------
    value : float
        Value of the measure.
    halves : ndarray
        Its values on halves of the sample.
    bounds : tuple of float
        Range of the measure.
    numbers : tuple of float
        Numbers of independent positive and negative examples.
    level, alternative
        Confidence level, and which end is open.
    """
    critical = critical_value(level, alternative, satterthwaite_df(*numbers))
    if not len(halves):
        return math.nan, math.nan
    if math.isinf(critical):  # a class has a single example
        return bounds
    if not np.isfinite(halves).all() or not math.isfinite(value):
        return percentile(halves, tail_levels(level, alternative))
    bias = (float(halves.mean()) - value) / BIAS_RATIO
    # A bias is not known better than to its size.
    error = math.hypot(math.sqrt(variance_of(halves)), bias)
    return transformed_ends(value, bias, error, bounds, numbers, critical)


def transformed_ends(
    value: float,
    bias: float,
    error: float,
    bounds: tuple[float, float],
    numbers: tuple[float, float],
    critical: float,
) -> tuple[float, float]:
    """Ends of Wald's interval on the scale that suits the bounds: logit, log or none.

    Parameters
    ----------
    value, bias, error : float
        Value of the measure, its bias and its standard error.
    bounds, numbers
        As for `half_sampling_ends`.
    critical : float
        Critical value of the interval.
    """
    low, high = bounds
    centre = value - bias
    if math.isinf(low) and math.isinf(high):
        return centre - critical * error, centre + critical * error
    if math.isinf(high):
        near, far = log_ends(max(centre - low, (value - low) / 4), error, critical)
        return low + near, low + far
    if math.isinf(low):
        near, far = log_ends(max(high - centre, (high - value) / 4), error, critical)
        return high - far, high - near
    span = high - low
    share, error = (centre - low) / span, error / span
    if error > 0:
        # Half an example from the bounds, where the logit is infinite.
        inside = min(max(share, 0.5 / sum(numbers)), 1 - 0.5 / sum(numbers))
        middle, margin = math.log(inside / (1 - inside)), critical * error / (inside * (1 - inside))
        ends = _expit(middle - margin), _expit(middle + margin)
    else:
        # All halves agree: Wilson's interval of a proportion of the smaller class.
        share, w = (value - low) / span, critical**2 / min(numbers)
        reach = w / 2 + math.sqrt(w * (share * (1 - share) + w / 4))
        ends = share**2 / (share + reach), 1 - (1 - share) ** 2 / (1 - share + reach)
    return low + span * ends[0], low + span * ends[1]


def log_ends(value: float, error: float, critical: float) -> tuple[float, float]:
    """A positive value over and times the exponential of its relative error times a quantile."""
    if not value > 0:
        return value, value
    ratio = math.exp(min(critical * error / value, 700.0))
    return value / ratio, value * ratio


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
