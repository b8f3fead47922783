"""Accurate sums that are the same on every processor.

The order in which BLAS adds depends on the processor and on the number of threads. The sums of
numpy have the same order everywhere.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

_SHORT = 1 << 10
# Rounding error of a measure, relative to its range, or to its values if that is infinite.
ROUNDING = 1e-12


def dot(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> float:
    """Dot product, the same on every processor."""
    return float(np.sum(a * b))


def in_whole_numbers(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Weights scaled by a power of two so that their sum has 61 bits, and rounded."""
    exponent = math.frexp(float(weights.sum()))[1] if len(weights) else 0
    return np.rint(np.ldexp(weights, 61 - exponent)).astype(np.int64)


def running_sum(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Cumulative sums of the first 0, 1, 2, ... values, in their type.

    Floats are added in pieces of about sqrt(n), so that the error of a sum over n values grows at
    most like sqrt(n), instead of n as in a plain cumsum of equal values.
    """
    n = len(values)
    sums = np.zeros(n + 1, dtype=values.dtype)
    if values.dtype.kind != "f" or n <= _SHORT:
        np.cumsum(values, out=sums[1:])
        return sums
    width = math.isqrt(n)
    whole = n - n % width
    pieces = np.cumsum(values[:whole].reshape(-1, width), axis=1)
    ends = np.concatenate(([0.0], np.cumsum(pieces[:, -1])))
    sums[1 : whole + 1] = (pieces + ends[:-1, np.newaxis]).ravel()
    sums[whole + 1 :] = ends[-1] + np.cumsum(values[whole:])
    return sums


def rounding_of(values: npt.NDArray[np.float64], bounds: tuple[float, float]) -> float:
    """Largest difference of two values, of a measure with these bounds, from rounding alone."""
    span = bounds[1] - bounds[0]
    return ROUNDING * (float(np.abs(values).max()) if math.isinf(span) else span)


def without_rounding(
    replicates: npt.NDArray[np.float64], value: Any, bounds: tuple[float, float]
) -> npt.NDArray[np.float64]:
    """Replicates, where those that differ from the value by rounding alone are equal to it.

    Parameters
    ----------
    replicates : ndarray
        Values of the replicates, or several models' in columns.
    value : float or ndarray
        Value of the whole sample, or those of the models.
    bounds : tuple of float
        Range of the measure.
    """
    span = bounds[1] - bounds[0]
    sizes = np.maximum(np.abs(replicates), np.abs(value)) if math.isinf(span) else span
    with np.errstate(invalid="ignore"):  # infinite minus infinite
        rounded = np.abs(replicates - value) <= ROUNDING * sizes
    return np.where(rounded & np.isfinite(sizes), value, replicates)
