"""Predicted variances and covariances of AUCs, for planning studies without data.

Scores are assumed normal in both classes, with the same standard deviation; an AUC of theta then
means that the class means are A = sqrt(2) probit(theta) standard deviations apart.

References
----------
N. A. Obuchowski, D. K. McClish, Statistics in Medicine 16 (1997) 1529-1542.
N. A. Obuchowski, M. L. Lieber, F. H. Wians, Clinical Chemistry 50 (2004) 1118-1125, equation 3.
R. L. Plackett, Biometrika 41 (1954) 351-360.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from roclab.numeric.distributions import normal_quantile
from roclab.numeric.sums import dot

Sizes = tuple[float, float]
Correlations = tuple[float, float]
# Covariance of two AUCs, given the numbers of positives and negatives, and the correlations of the
# scores among positives and among negatives; the variance of one AUC if both are the same.
Covariance = Callable[[float, float, Sizes, Correlations], float]

# sqrt(2) and 1 / (32 pi), rounded as published and as in other packages.
_ROOT_TWO, _SCALE = 1.414, 0.0099
# Relative rounding error of sizes that were solved for.
_ROUNDING = 1e-9
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(64)


def whole(size: float) -> int:
    """A size rounded up to whole examples."""
    return math.ceil(size * (1 - _ROUNDING))


def _obuchowski(first: float, second: float, sizes: Sizes, correlations: Correlations) -> float:
    """Delta method from means and standard deviations, as for a fitted binormal curve.

    Equation 3 of 2004 is the case of one AUC: 0.0099 exp(-A^2 / 2) (5 A^2 + 8 + (A^2 + 8) / ratio)
    divided by the number of positives. Like it, the covariance ignores the correlation of the two
    parameters of a curve.
    """
    n_pos, n_neg = sizes
    in_pos, in_neg = correlations
    a, b = (_ROOT_TWO * normal_quantile(value) for value in (first, second))
    of_means = 8 * (in_pos / n_pos + in_neg / n_neg)
    of_deviations = a * b * (5 * in_pos**2 / n_pos + in_neg**2 / n_neg)
    return _SCALE * math.exp(-(a**2 + b**2) / 4) * (of_means + of_deviations)


def _delong(first: float, second: float, sizes: Sizes, correlations: Correlations) -> float:
    """Exact covariance of the empirical AUCs, which DeLong's method estimates."""
    n_pos, n_neg = sizes
    in_pos, in_neg = correlations
    a, b = normal_quantile(first), normal_quantile(second)
    whole = _orthant_excess(a, b, (in_pos + in_neg) / 2)
    same_pos, same_neg = _orthant_excess(a, b, in_pos / 2), _orthant_excess(a, b, in_neg / 2)
    return (whole + (n_neg - 1) * same_pos + (n_pos - 1) * same_neg) / (n_pos * n_neg)


def _orthant_excess(a: float, b: float, correlation: float) -> float:
    """P(X < a, Y < b) - P(X < a) P(Y < b) of standard normal X and Y, by Plackett's integral.

    With the arcsine of the correlation as variable the integrand is smooth up to correlation 1.
    """
    arc = math.asin(correlation)
    angles = arc / 2 * (_NODES + 1)
    sines = np.sin(angles)
    # (a^2 + b^2 - 2 a b sin) / (2 cos^2), without cancellation if a = b.
    exponents = a * b / (1 + sines) + (a - b) ** 2 / 2 / (1 - sines**2)
    return float(arc / 2 * dot(_NODE_WEIGHTS, np.exp(-exponents)) / (2 * math.pi))


COVARIANCES: dict[str, Covariance] = {"obuchowski": _obuchowski, "delong": _delong}
