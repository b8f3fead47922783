"""Hedged capital: the constant means of values in [0, 1] that bets have not rejected.

m is a mean, x a value, K the capital of bets against m. Bets that the mean is above m gain
``1 + l (x - m)``, bets that it is below m gain ``1 - l (x - m)``. The capital of the former
decreases in m and that of the latter increases, so the means that are left form an interval, and
the ends of a grid that were rejected enclose it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.data.serialization import checked_counts

_STEPS = 10_000
_GRID = np.arange(_STEPS + 1) / _STEPS
# Largest share of the capital at stake. Waudby-Smith and Ramdas suggest 1/2 or 3/4; AUCs of blocks
# vary little, so that the share limits the bets, and a larger one decides sooner.
_SHARE = 0.9
with np.errstate(divide="ignore"):
    _MOST_ABOVE, _MOST_BELOW = _SHARE / _GRID, _SHARE / (1 - _GRID)

Floats = npt.NDArray[np.float64]


class HedgedCapital:
    """Confidence sequence for a constant mean, as a running intersection."""

    def __init__(self, error: float) -> None:
        self._limit = 2 / error
        self._growth = 2 * math.log(self._limit)
        self._n = 0
        self._total, self._squares = 0.5, 0.25
        self._first, self._last = 0, _STEPS
        self._above: Floats = np.ones(_STEPS + 1)
        self._below: Floats = np.ones(_STEPS + 1)

    @property
    def low(self) -> float:
        """Lower end: this mean and all below it are rejected, unless it is 0."""
        return self._first / _STEPS

    @property
    def high(self) -> float:
        """Upper end."""
        return self._last / _STEPS

    @property
    def empty(self) -> bool:
        """Whether all means are rejected: then the mean is not constant."""
        return self._first >= self._last

    def add(self, x: float) -> None:
        """Bet on a value. The cost is proportional to the length of the interval."""
        n = self._n = self._n + 1
        # sqrt(2 log(2 / error) / (v n log(1 + n))), where v n is the sum of squares before x.
        stake = math.sqrt(self._growth / (self._squares * math.log1p(n)))
        self._total += x
        self._squares += (x - self._total / (n + 1)) ** 2
        if self.empty:
            return
        left = slice(self._first, self._last + 1)
        gap = x - _GRID[left]
        self._above *= 1 + np.minimum(stake, _MOST_ABOVE[left]) * gap
        self._below *= 1 - np.minimum(stake, _MOST_BELOW[left]) * gap
        # Rejected means come first, or last, and the ends are mostly the only ones.
        if self._above[1] >= self._limit or self._below[-2] >= self._limit:
            self._shorten()

    def _shorten(self) -> None:
        """Move the ends to the innermost means that are rejected.

        They are kept: if bets of the other side reject an end, too, no mean is left.
        """
        above, below = (
            np.flatnonzero(capital >= self._limit) for capital in (self._above, self._below)
        )
        first = int(above[-1]) if len(above) else 0
        last = int(below[0]) if len(below) else len(self._below) - 1
        self._first, self._last = self._first + first, self._first + last
        kept = slice(first, last + 1)
        self._above, self._below = self._above[kept].copy(), self._below[kept].copy()

    def state(self) -> tuple[list[Any], list[bytes]]:
        """Return the counts and sums, and the capital."""
        numbers = [self._n, self._first, self._last, self._total, self._squares]
        return numbers, [one.astype("<f8").tobytes() for one in (self._above, self._below)]

    def restore(self, numbers: list[Any], parts: list[bytes]) -> None:
        """Continue from the result of `state`."""
        *counts, self._total, self._squares = numbers
        self._n, self._first, self._last = checked_counts(counts)
        above, below = (np.frombuffer(part, "<f8").astype(np.float64) for part in parts)
        size = max(0, self._last - self._first + 1)
        if not (max(self._first, self._last) <= _STEPS and len(above) == len(below) == size):
            raise ValueError("its capital is not that of its interval")
        if not all(np.isfinite(one).all() and (one >= 0).all() for one in (above, below)):
            raise ValueError("a capital is out of range")
        if not (0.5 <= self._total <= self._n + 0.5 and 0.25 <= self._squares <= self._n + 0.25):
            raise ValueError("a sum is out of range")
        self._above, self._below = above, below
