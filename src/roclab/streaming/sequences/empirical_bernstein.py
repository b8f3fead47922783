"""Empirical-Bernstein sequence: the running mean of the expectations of values in [0, 1]."""

from __future__ import annotations

import math
from typing import Any

from roclab.data.serialization import checked_counts
from roclab.numeric.mixture_boundary import gamma_exponential_boundary

# Sum of squares for which the sequence is narrowest: some hundreds of blocks of 5 + 5.
_BEST_SQUARES = 5.0


class EmpiricalBernstein:
    """Confidence sequence for a running mean, which may drift: not a running intersection."""

    empty = False

    def __init__(self, error: float) -> None:
        self._limit = math.log(2 / error)
        self._rho = _BEST_SQUARES / (2 * self._limit + math.log1p(2 * self._limit))
        self._n = 0
        self._total, self._squares = 0.0, 0.0
        self._radius = math.inf

    @property
    def low(self) -> float:
        """Lower end."""
        return max(0.0, (self._total - self._boundary()) / self._n) if self._n else 0.0

    @property
    def high(self) -> float:
        """Upper end."""
        return min(1.0, (self._total + self._boundary()) / self._n) if self._n else 1.0

    def add(self, x: float) -> None:
        """Add a value."""
        # The prediction of x comes from the values before it.
        self._squares += (x - (0.5 + self._total) / (self._n + 1)) ** 2
        self._total += x
        self._n += 1
        self._radius = math.nan

    def _boundary(self) -> float:
        """Return the deviation of the sum at which the mixture of bets reaches the limit."""
        if math.isnan(self._radius):
            self._radius = gamma_exponential_boundary(self._squares, self._rho, self._limit)
        return self._radius

    def state(self) -> tuple[list[Any], list[bytes]]:
        """Return the count and the sums."""
        return [self._n, self._total, self._squares], []

    def restore(self, numbers: list[Any], parts: list[bytes]) -> None:
        """Continue from the result of `state`."""
        count, self._total, self._squares = numbers
        [self._n] = checked_counts([count])
        if parts or not (0 <= self._total <= self._n and 0 <= self._squares <= self._n):
            raise ValueError("a sum is out of range")
        self._radius = math.nan if self._n else math.inf
