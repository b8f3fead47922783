"""A linear unit over standardised features, without a standardised copy of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils.sparsefuncs import mean_variance_axis, min_max_axis

from roclab.errors import InputError

__all__ = ["LinearUnit", "Scaling"]

Floats = npt.NDArray[np.float64]

_FAR = 1e3  # standard deviations from zero beyond which centring afterwards would lose digits
_BLOCK = 1 << 16  # rows at once
_SMALLEST, _LARGEST = 1e-140, 1e140  # deviations whose squares lie well within the doubles
_MOST = 1e307  # of a feature: differences stay finite
_LEAST = 1e-303  # of a deviation: coefficients of a smaller one would be beyond all doubles


@dataclass(frozen=True, kw_only=True, eq=False)
class Scaling:
    """What is taken off each feature, and what it is divided by.

    Attributes
    ----------
    mean, deviation : ndarray
        Of each feature; 0 and 1 where nothing is scaled.
    constant : ndarray of bool
        Features that never change, but for denormal numbers, and so say nothing.
    """

    mean: Floats
    deviation: Floats
    constant: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, features: Any, weights: Floats | None, *, standardize: bool) -> Scaling:
        """The scaling of these features, dense or sparse."""
        mean, deviation, constant = _moments(features, weights)
        extreme = ~((deviation > _SMALLEST) & (deviation < _LARGEST))
        if extreme.any():
            # Squares leave the range of doubles long before the features do: once more, in units of
            # the largest one.
            columns = features[:, extreme]
            largest = _largest(columns)
            if (largest > _MOST).any():
                raise InputError(
                    f"X holds {largest.max():g}; differences of features must be finite, so they "
                    f"lie between {-_MOST:g} and {_MOST:g}. Divide them."
                )
            units = np.maximum(largest, np.finfo(float).tiny)
            scaled = columns.multiply(1 / units).tocsr() if issparse(columns) else columns / units
            again = _moments(scaled, weights)
            mean[extreme], deviation[extreme] = again[0] * units, again[1] * units
            constant[extreme] = again[2] | (deviation[extreme] < _LEAST)
        if not standardize:
            return cls(mean=np.zeros_like(mean), deviation=np.ones_like(mean), constant=constant)
        return cls(mean=mean, deviation=np.where(constant, 1.0, deviation), constant=constant)


class LinearUnit:
    """From parameters to net inputs z, one a row, and from derivatives by z back to parameters.

    Parameters are one coefficient for each standardised feature, then the bias. Sparse data stay
    sparse, and dense data are not copied unless their columns lie so far from zero that taking off
    the means afterwards would lose digits.
    """

    def __init__(self, features: Any, scaling: Scaling) -> None:
        self.scaling = scaling
        self._features, self._mean = features, scaling.mean
        if not issparse(features) and (np.abs(scaling.mean) / _FAR > scaling.deviation).any():
            self._features, self._mean = features - scaling.mean, np.zeros_like(scaling.mean)

    def forward(self, parameters: Floats) -> Floats:
        """The net inputs. Linear in the parameters."""
        slopes = self._slopes(parameters[:-1])
        z: Floats = self._features @ slopes
        z += parameters[-1] - self._mean @ slopes
        return z

    def backward(self, by_z: Floats) -> Floats:
        """Derivatives by the parameters, from those by the net inputs."""
        total = by_z.sum()
        by_slopes = self._features.T @ by_z - self._mean * total
        return np.append(self._slopes(by_slopes), total)

    def to_features(self, parameters: Floats) -> tuple[Floats, float]:
        """Coefficients and intercept for features as they came."""
        slopes = self._slopes(parameters[:-1])
        return slopes, float(parameters[-1] - self.scaling.mean @ slopes)

    def from_features(self, coefficients: Floats, intercept: float) -> Floats:
        """The parameters that amount to these coefficients and this intercept."""
        return np.append(
            coefficients * self.scaling.deviation, intercept + self.scaling.mean @ coefficients
        )

    def _slopes(self, coefficients: Floats) -> Floats:
        return np.where(self.scaling.constant, 0.0, coefficients / self.scaling.deviation)


def _moments(features: Any, weights: Floats | None) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """Mean and standard deviation of each feature, and whether it never changes."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean, variance = (_sparse_variance if issparse(features) else _variance)(features, weights)
        # What rounding alone makes of a constant feature.
        rounding = features.shape[0] * np.finfo(float).eps
        constant = variance <= rounding * variance + (rounding * mean) ** 2
    return mean, np.sqrt(variance), constant


def _variance(features: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """Mean and variance in two passes, block by block."""
    rows, columns = features.shape
    w = np.ones(rows) if weights is None else weights
    total = w.sum()
    mean = w @ features / total
    variance = np.zeros(columns)
    for start in range(0, rows, _BLOCK):
        block = slice(start, start + _BLOCK)
        variance += w[block] @ (features[block] - mean) ** 2
    return mean, variance / total


def _sparse_variance(features: Any, weights: Floats | None) -> tuple[Floats, Floats]:
    mean, variance = mean_variance_axis(features, axis=0, weights=weights)
    return np.asarray(mean, np.float64), np.asarray(variance, np.float64)


def _largest(columns: Any) -> Floats:
    if issparse(columns):
        low, high = min_max_axis(columns, axis=0)
    else:
        low, high = columns.min(axis=0), columns.max(axis=0)
    largest: Floats = np.maximum(-low, high)
    return largest
