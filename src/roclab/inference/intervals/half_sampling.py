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

from roclab.checks.choices import Alternative
from roclab.inference.estimation.joint_estimate import satterthwaite_df
from roclab.inference.estimation.measure_estimate import BIAS_RATIO
from roclab.inference.intervals.bootstrap import percentile, variance_of
from roclab.inference.intervals.proportions import wilson_roots
from roclab.numeric.distributions import critical_value, tail_levels

_Values = npt.NDArray[np.float64]

# Weight of the dispersion of a proportion, as for the AUC.
_PRIOR_WEIGHT = 30.0


def half_sampling_ends(
    value: float,
    halves: _Values,
    bounds: tuple[float, float],
    numbers: tuple[float, float],
    level: float,
    alternative: Alternative,
    trials: float | None = None,
) -> tuple[float, float]:
    """Ends of the interval, on the logit scale or, with one bound, on the log scale.

    Parameters
    ----------
    value : float
        Value of the measure.
    halves : ndarray
        Its values on halves of the sample, without rounding.
    bounds : tuple of float
        Range of the measure.
    numbers : tuple of float
        Numbers of independent positive and negative examples.
    level : float
        Confidence level.
    alternative : {"two-sided", "less", "greater"}
        Which end is open.
    trials : float or None
        Number of trials of a proportion that varies as much as the measure may, if its standard
        error is not reliable near the upper bound (`Measure.trials`).
    """
    critical = critical_value(level, alternative, satterthwaite_df(*numbers))
    if not len(halves):
        return math.nan, math.nan
    if math.isinf(critical):  # a class has a single example
        return bounds
    if not np.isfinite(halves).all() or not math.isfinite(value):
        return percentile(halves, tail_levels(level, alternative))
    # Not the mean of the halves minus the value, which rounds if all of them agree.
    deviations = halves - value
    bias = float(deviations.mean()) / BIAS_RATIO
    # A bias is not known better than to its size.
    error = math.hypot(math.sqrt(variance_of(deviations)), bias)
    return transformed_ends(value, bias, error, bounds, numbers, critical, trials)


def transformed_ends(
    value: float,
    bias: float,
    error: float,
    bounds: tuple[float, float],
    numbers: tuple[float, float],
    critical: float,
    trials: float | None = None,
) -> tuple[float, float]:
    """Ends of Wald's interval on the scale that suits the bounds: logit, log or none.

    Parameters
    ----------
    value, bias, error : float
        Value of the measure, its bias and its standard error.
    bounds : tuple of float
        Range of the measure.
    numbers : tuple of float
        Numbers of independent positive and negative examples.
    critical : float
        Critical value of the interval.
    trials : float or None
        Number of trials of a proportion that varies as much as the measure may, if its standard
        error is not reliable near the upper bound (`Measure.trials`).
    """
    low, high = bounds
    centre = value - bias
    if error == 0 and math.isinf(high - low):
        return value, value
    if math.isinf(low) and math.isinf(high):
        return centre - critical * error, centre + critical * error
    if math.isinf(high):
        near, far = log_ends(max(centre - low, (value - low) / 4), error, critical)
        return low + near, low + far
    if math.isinf(low):
        near, far = log_ends(max(high - centre, (high - value) / 4), error, critical)
        return high - far, high - near
    span = high - low
    found = _bounded_ends(
        (value - low) / span, (centre - low) / span, error / span, numbers, critical, trials
    )
    return low + span * found[0], low + span * found[1]


def _bounded_ends(
    value: float,
    centre: float,
    error: float,
    numbers: tuple[float, float],
    critical: float,
    trials: float | None,
) -> tuple[float, float]:
    """Ends for a measure from 0 to 1."""
    if error == 0:  # all halves agree
        low, high = wilson_roots(value, critical**2 / (trials or min(numbers)))
        return float(low), float(high)
    # Half an example from the bounds, where the logit is infinite, unless the value is nearer.
    least = 0.5 / sum(numbers)
    inside = min(max(centre, min(least, value or least)), 1 - min(least, (1 - value) or least))
    spread = inside * (1 - inside)
    middle, margin = math.log(inside / (1 - inside)), critical * error / spread
    low, high = _expit(middle - margin), _expit(middle + margin)
    if trials is not None:
        # As for the AUC, the dispersion is a mean of that of the data and of that of a proportion,
        # where few examples show what could go wrong.
        total = sum(numbers)
        df = total - 1 if trials == total else satterthwaite_df(*numbers)
        informative = df if value <= 0.5 else 4 * df * value * (1 - value)
        weight = informative**2 / (_PRIOR_WEIGHT + informative**2)
        dispersion = weight * error**2 / spread + (1 - weight) / trials
        roots = wilson_roots(inside, critical**2 * dispersion)
        low, high = min(low, float(roots[0])), max(high, float(roots[1]))
    return low, high


def log_ends(value: float, error: float, critical: float) -> tuple[float, float]:
    """A positive value over and times the exponential of its relative error times a quantile."""
    if not value > 0:
        return value, value
    ratio = math.exp(min(critical * error / value, 700.0))
    return value / ratio, value * ratio


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
