"""The normal, Student's t and chi-squared distributions.

scipy.special takes longer to import than the rest of roclab, so it is imported on first use, and
the quantiles of the usual confidence levels are stored here.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

_USUAL = {0.95: 1.6448536269514722, 0.975: 1.959963984540054, 0.995: 2.5758293035489004}


@cache
def _special() -> Any:
    """`scipy.special`. An import statement in a function costs as much as the function itself."""
    import scipy.special

    return scipy.special


def normal_cdf(x: float) -> float:
    """Probability that a standard normal variable is at most `x`."""
    return float(_special().ndtr(x))


def normal_cdfs(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """`normal_cdf` of each number."""
    return np.asarray(_special().ndtr(x), np.float64)


def normal_quantile(probability: float) -> float:
    """Quantile of the standard normal distribution."""
    if probability in _USUAL:
        return _USUAL[probability]
    return float(_special().ndtri(probability))


def normal_quantiles(probabilities: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Quantiles of the standard normal distribution."""
    return np.asarray(_special().ndtri(probabilities), dtype=np.float64)


def student_cdf(df: float | None, x: float) -> float:
    """Probability that Student's t with `df` degrees of freedom, or a normal, is at most `x`."""
    if df is None:
        return normal_cdf(x)
    return float(_special().stdtr(df, x))


def student_quantile(df: float | None, probability: float) -> float:
    """Quantile of Student's t, or of the normal distribution if `df` is None."""
    if df is None:
        return normal_quantile(probability)
    return float(_special().stdtrit(df, probability))


def chi_squared_quantile(df: float, probability: float) -> float:
    """Quantile of the chi-squared distribution."""
    from scipy.special import chdtri

    return float(chdtri(df, 1 - probability))


def chi_squared_tail(df: float, x: float) -> float:
    """Probability that a chi-squared variable exceeds `x`."""
    return float(_special().chdtrc(df, x))


def critical_value(confidence_level: float, alternative: str, df: float | None = None) -> float:
    """Critical value of an interval; infinite for 0 degrees of freedom."""
    two_sided = alternative == "two-sided"
    probability = (1 + confidence_level) / 2 if two_sided else confidence_level
    return math.inf if df is not None and df <= 0 else student_quantile(df, probability)


def tail_levels(confidence_level: float, alternative: str) -> tuple[float, float]:
    """Probabilities below the two ends of an interval; 0 or 1 for an open end."""
    outside = 1 - confidence_level
    if alternative == "two-sided":
        return outside / 2, 1 - outside / 2
    return (outside, 1.0) if alternative == "greater" else (0.0, 1 - outside)
