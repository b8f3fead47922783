"""Gram matrices in integer arithmetic.

Unlike those of BLAS they are the same on every processor, and their differences are exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from roclab import _core

Floats = npt.NDArray[np.float64]
Objects = npt.NDArray[np.object_]

_SUM_BITS = 126  # bits of the largest sum of squares that the core supports


@dataclass(frozen=True, kw_only=True, eq=False)
class IntegerSums:
    """Sums and dot products of rows of integers, in Python integers. Those of some columns add up.

    Attributes
    ----------
    length : int
        Number of columns.
    sums, products : ndarray of int
        Sum of each row, and symmetric matrix of the products of all pairs.
    """

    length: int
    sums: Objects
    products: Objects

    @classmethod
    def of(cls, rows: Floats, threads: int | None = None) -> IntegerSums:
        """Sums of rows that are in memory."""
        return cls(
            length=rows.shape[1],
            sums=rows.sum(axis=1, dtype=np.int64).astype(np.object_),
            products=_products(rows, threads),
        )

    @classmethod
    def of_zeros(cls, rows: int, length: int) -> IntegerSums:
        """Sums of rows that are 0 everywhere."""
        sums = np.zeros(rows, np.object_)
        return cls(length=length, sums=sums, products=np.multiply.outer(sums, sums))

    def __add__(self, other: IntegerSums) -> IntegerSums:
        return IntegerSums(
            length=self.length + other.length,
            sums=self.sums + other.sums,
            products=self.products + other.products,
        )

    def of_deviations(self) -> Gram:
        """Gram matrix of the deviations from each row's mean."""
        products = self.length * self.products - np.multiply.outer(self.sums, self.sums)
        return Gram(products=products, denominator=self.length)


@dataclass(frozen=True, kw_only=True, eq=False)
class Gram:
    """Dot products of all pairs of rows: Python integers with a common denominator.

    Attributes
    ----------
    products : ndarray of int
        Symmetric matrix of numerators.
    denominator : int
        Common denominator.
    """

    products: Objects
    denominator: int

    @classmethod
    def of_deviations(cls, rows: Floats) -> Gram:
        """Gram matrix of the deviations from each row's mean, exact for integers."""
        return IntegerSums.of(rows).of_deviations()

    @classmethod
    def of_numbers(cls, rows: Floats) -> Gram:
        """Gram matrix of finite numbers, rounded to multiples of a fraction of the row's largest.

        The fraction is 2**-53 for a million columns, 2**-56 for ten thousand. The rows are
        overwritten.
        """
        exponents = [_to_fixed_point(row) for row in rows]
        finest = max(0, *exponents)
        units = np.array([1 << (finest - exponent) for exponent in exponents], np.object_)
        products = _products(rows) * np.multiply.outer(units, units)
        return cls(products=products, denominator=1 << 2 * finest)

    def values(self) -> Floats:
        """The products, each rounded to the nearest double; OverflowError if one is too large."""
        return self._divided(self.products)

    def squared_distances(self) -> Floats:
        """The squared norm of each difference of two rows, rounded in the same way."""
        squares = np.diag(self.products)
        return self._divided(squares[:, np.newaxis] + squares - 2 * self.products)

    def _divided(self, integers: Objects) -> Floats:
        # Python rounds the quotient of integers once.
        return np.asarray(integers / self.denominator, np.float64)


def _to_fixed_point(values: Floats) -> int:
    """Scale in place by the largest power of two for which squares do not overflow, and round."""
    largest = max(float(values.max()), -float(values.min()))
    bits = (_SUM_BITS - len(values).bit_length()) // 2
    exponent = bits - math.frexp(largest)[1]
    half = exponent // 2  # 2**exponent may overflow
    for factor in (2.0**half, 2.0 ** (exponent - half)):
        values *= factor
    np.rint(values, out=values)
    return exponent


def _products(rows: Floats, threads: int | None = None) -> Objects:
    high, low = _core.whole_products(rows, threads or _core.thread_count())
    products: Objects = (high.astype(np.object_) << 64) + low.astype(np.object_)
    return products.reshape(len(rows), len(rows))
