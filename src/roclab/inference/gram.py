"""Dot products of every two rows of a matrix, in integers.

Their digits are the same on every processor, and differences of them lose none. BLAS does the work:
numbers are split into limbs so short that it has nothing to round, in whatever order it adds.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Gram"]

Floats = npt.NDArray[np.float64]
Objects = npt.NDArray[np.object_]

_FIXED_POINT_BITS = 60
_EXACT_BITS = 53  # whole numbers up to 2**53 are exact in doubles
_LIMB_BITS = 21  # at most: sums of products over 2**11 columns are then still exact
_COLUMNS = 1 << 13  # at most, where there are several limbs: they should stay in the cache
_BLOCKS = 1 << 7  # of columns, whose sums have 64 bits at most


@dataclass(frozen=True, kw_only=True, eq=False)
class Gram:
    """Dot products of every two rows: Python integers over one denominator.

    Attributes
    ----------
    products : ndarray of int
        A symmetric matrix.
    denominator : int
        What they are to be divided by.
    """

    products: Objects
    denominator: int

    @classmethod
    def of_deviations(cls, rows: Floats) -> Gram:
        """Those of the deviations from the mean of each row, for whole numbers: exact."""
        length = rows.shape[1]
        sums = np.array([int(total) for total in rows.sum(axis=1)], np.object_)
        products = length * _products(rows) - np.multiply.outer(sums, sums)
        return cls(products=products, denominator=length)

    @classmethod
    def of_numbers(cls, rows: Floats) -> Gram:
        """Those of finite numbers, rounded to multiples of 2**-60 of about the largest of a row.

        The rows are overwritten.
        """
        exponents = [_to_fixed_point(row) for row in rows]
        finest = max(0, *exponents)
        units = np.array([1 << (finest - exponent) for exponent in exponents], np.object_)
        products = _products(rows) * np.multiply.outer(units, units)
        return cls(products=products, denominator=1 << 2 * finest)

    def values(self) -> Floats:
        """The products, each to the nearest double; OverflowError if one is beyond these."""
        return self._divided(self.products)

    def squared_distances(self) -> Floats:
        """The squared norm of each difference of two rows, likewise."""
        own = np.diag(self.products)
        return self._divided(own[:, np.newaxis] + own - 2 * self.products)

    def _divided(self, integers: Objects) -> Floats:
        # Python rounds the quotient of integers once.
        return np.asarray(integers / self.denominator, np.float64)


def _to_fixed_point(values: Floats) -> int:
    """Scale in place by the power of two that gives the largest 60 bits, and round."""
    largest = max(float(values.max()), -float(values.min()))
    exponent = _FIXED_POINT_BITS - math.frexp(largest)[1]
    half = exponent // 2  # 2**exponent may be beyond the doubles
    for factor in (2.0**half, 2.0 ** (exponent - half)):
        values *= factor
    np.rint(values, out=values)
    return exponent


def _products(rows: Floats) -> Objects:
    count, length = rows.shape
    bits = max(math.frexp(float(end))[1] for end in (rows.min(), rows.max()))
    limbs = max(math.ceil(bits / _LIMB_BITS), 1)
    width = math.ceil(bits / limbs)
    columns = 1 << (_EXACT_BITS - 2 * width)
    columns = columns if limbs == 1 else min(columns, _COLUMNS)
    pairs = list(itertools.combinations_with_replacement(range(limbs), 2))
    total = np.zeros((count, count), np.object_)
    for begin in range(0, length, _BLOCKS * columns):
        end = min(begin + _BLOCKS * columns, length)
        sums = np.zeros((2 * limbs - 1, count, count), np.int64)
        for start in range(begin, end, columns):
            parts = _split(rows[:, start : start + columns], limbs, width)
            for i, j in pairs:
                products = (parts[i] @ parts[j].T).astype(np.int64)
                sums[i + j] += products if i == j else products + products.T
        for place, part in enumerate(sums):
            total += part.astype(np.object_) << (place * width)
    return total


def _split(numbers: Floats, limbs: int, width: int) -> list[Floats]:
    """The lowest limb first; each has `width` bits, and a sign."""
    parts = []
    for _ in range(limbs - 1):
        high = np.rint(numbers * 2.0**-width)
        parts.append(numbers - high * 2.0**width)
        numbers = high
    return [*parts, numbers]
