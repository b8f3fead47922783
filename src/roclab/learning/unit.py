"""A linear unit over standardised features, without a standardised copy of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils.sparsefuncs import mean_variance_axis, min_max_axis

from roclab.errors import InputError

Floats = npt.NDArray[np.float64]

_FAR = 1e3  # standard deviations from zero beyond which centring afterwards loses precision
_BLOCK = 1 << 11  # rows at once, whose squares stay in cache
_SMALLEST, _LARGEST = 1e-140, 1e140  # deviations whose squares neither under- nor overflow
_MOST = 1e307  # largest value of a feature: differences stay finite
_LEAST = 1e-303  # smallest deviation: coefficients of a smaller one would overflow


@dataclass(frozen=True, kw_only=True, eq=False)
class Scaling:
    """Mean and standard deviation by which each feature is standardised.

    Attributes
    ----------
    mean, deviation : ndarray
        Mean and deviation of each feature; 0 and 1 without scaling.
    constant : ndarray of bool
        Whether the feature is constant, up to denormal numbers.
    """

    mean: Floats
    deviation: Floats
    constant: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, features: Any, weights: Floats | None, *, standardize: bool) -> Scaling:
        """Return the scaling of dense or sparse features."""
        mean, deviation, constant = _moments(features, weights)
        extreme = ~((deviation > _SMALLEST) & (deviation < _LARGEST))
        if extreme.any():
            # Squares overflow long before the features do: repeat in units of the largest value.
            columns = features[:, extreme]
            largest = _largest(columns)
            if (largest > _MOST).any():
                raise InputError(
                    found="X holds {largest}",
                    needed=f"features must lie between {-_MOST:g} and {_MOST:g}, so that their "
                    "differences are finite",
                    fix="Rescale them.",
                    largest=f"{largest.max():g}",
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
    """Maps parameters to net inputs z, one a row, and gradients by z back to the parameters.

    Parameters are one coefficient for each standardised feature, then the bias. Sparse data stay
    sparse. Dense data are copied only if their columns lie so far from zero that subtracting the
    means afterwards would lose precision.
    """

    def __init__(self, features: Any, scaling: Scaling) -> None:
        self.scaling = scaling
        self._features, self._mean = features, scaling.mean
        if not issparse(features) and (np.abs(scaling.mean) / _FAR > scaling.deviation).any():
            self._features, self._mean = features - scaling.mean, np.zeros_like(scaling.mean)

    def forward(self, parameters: Floats) -> Floats:
        """Return the net inputs, which are linear in the parameters."""
        slopes = self._slopes(parameters[:-1])
        z: Floats = self._features @ slopes
        z += parameters[-1] - self._mean @ slopes
        return z

    def backward(self, by_z: Floats) -> Floats:
        """Return the gradient by the parameters, given that by the net inputs."""
        total = by_z.sum()
        by_slopes = self._features.T @ by_z - self._mean * total
        return np.append(self._slopes(by_slopes), total)

    def to_features(self, parameters: Floats) -> tuple[Floats, float]:
        """Return coefficients and intercept for the original features."""
        slopes = self._slopes(parameters[:-1])
        return slopes, float(parameters[-1] - self.scaling.mean @ slopes)

    def from_features(self, coefficients: Floats, intercept: float) -> Floats:
        """Return the parameters for coefficients and intercept of the original features."""
        return np.append(
            coefficients * self.scaling.deviation, intercept + self.scaling.mean @ coefficients
        )

    def _slopes(self, coefficients: Floats) -> Floats:
        return np.where(self.scaling.constant, 0.0, coefficients / self.scaling.deviation)


def _moments(features: Any, weights: Floats | None) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
    """Return mean and standard deviation of each feature, and whether it is constant."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean, variance = (_sparse_variance if issparse(features) else _variance)(features, weights)
        # Rounding alone gives a constant feature this variance.
        rounding = features.shape[0] * np.finfo(float).eps
        constant = variance <= rounding * variance + (rounding * mean) ** 2
    return mean, np.sqrt(variance), constant


def _variance(features: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """Return mean and variance, computed in two passes, block by block."""
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
