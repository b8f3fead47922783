"""How scores are compared with one another at a distance: as doubles, or exactly in decimals.

A distance of 0.02 between 0.57 and 0.55 is no question in decimals and a matter of luck in binary,
where ``0.55 + 0.02 > 0.57``. A `ScoreScale` with decimals turns scores and distances into whole
numbers of steps of 10**-decimals, for which sums and comparisons are exact.
"""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.validation import number_or_nan

__all__ = ["ScoreScale"]

_MOST_DECIMALS = 18  # 10**18 is the largest power of ten in 64 bits
_LARGEST = 2**62 - 1  # the sum of two of them stays within 64 bits


class ScoreScale:
    """The numbers in which scores and distances are compared.

    Parameters
    ----------
    decimals : int or None
        None for float64 as it comes; otherwise values are whole numbers of steps of 10**-decimals.

    Attributes
    ----------
    unit : int
        How many steps make one.
    """

    def __init__(self, decimals: int | None) -> None:
        if decimals is not None and (
            isinstance(decimals, bool)
            or not isinstance(decimals, Integral)
            or not 0 <= decimals <= _MOST_DECIMALS
        ):
            raise InputError(
                f"decimals={decimals!r}; a whole number from 0 to {_MOST_DECIMALS} is needed: how "
                "many digits behind the point the scores have. None compares them as doubles."
            )
        self.decimals = decimals
        self.unit = 1 if decimals is None else 10 ** int(decimals)

    def scores(self, scores: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Finite scores on this scale, in their order: float64, or int64 steps."""
        if len(scores) and not (np.isfinite(scores[0]) and np.isfinite(scores[-1])):
            raise InputError(
                "Distances between scores need finite scores; some are infinite. Clip them first."
            )
        if self.decimals is None:
            return scores.astype(np.float64)
        return self._steps(scores, "y_score")

    def distance(self, value: Any, name: str = "granularity") -> Any:
        """A distance that is not negative, on this scale: a float, or an int of steps."""
        number = number_or_nan(value)
        if not 0 <= number < math.inf:
            raise InputError(
                f"{name}={value!r:.60}; a finite number that is not negative is needed: the "
                "distance below which two scores are not told apart."
            )
        if self.decimals is None:
            return number
        whole = isinstance(value, Integral) and int(value) <= _LARGEST
        numbers = np.array([value], dtype=np.int64 if whole else np.float64)
        return int(self._steps(numbers, name)[0])

    def grid(self, intervals: int) -> list[Any]:
        """The ends of so many equal intervals from 0 to 1: floats, or ints of steps."""
        if self.decimals is None:
            return list(np.linspace(0, 1, intervals + 1).tolist())
        if self.unit % intervals:
            raise InputError(
                f"grid={intervals} cuts [0, 1] at numbers with more than {self.decimals} decimals. "
                "Choose a grid that divides a power of ten, or more decimals."
            )
        return [k * (self.unit // intervals) for k in range(intervals + 1)]

    def values(self, scores: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Back from this scale to ordinary numbers."""
        return np.asarray(scores / self.unit, dtype=np.float64)

    def _steps(self, values: npt.NDArray[Any], name: str) -> npt.NDArray[np.int64]:
        if values.dtype.kind in "biu":
            ends = (*values[:1].tolist(), *values[-1:].tolist())  # they ascend
            most = max(map(abs, ends), default=0)
            if most * self.unit > _LARGEST:
                raise InputError(self._too_large(name, most, _LARGEST))
            return values.astype(np.int64) * self.unit
        # Below this bound no two decimals share a double (float, half), and the product is less
        # than half a step off, so that rounding finds the decimal that was written.
        bound = 2 ** (np.finfo(values.dtype).nmant - 1)
        with np.errstate(over="ignore"):
            steps = np.rint(values.astype(np.float64) * self.unit)
        large = np.abs(steps) >= bound
        if large.any():
            raise InputError(self._too_large(name, values[int(np.argmax(large))], bound))
        other = (steps / self.unit).astype(values.dtype) != values
        if other.any():
            raise InputError(
                f"{name} holds {values[int(np.argmax(other))]!s}, which has more than "
                f"{self.decimals} decimals. Raise decimals, or round first."
            )
        return steps.astype(np.int64)

    def _too_large(self, name: str, value: Any, bound: int) -> str:
        return (
            f"{name} holds {value!s}, which in steps of 1e-{self.decimals} is beyond {bound:.3g}, "
            "the most that its type keeps apart. Choose fewer decimals, or float64 scores."
        )
