"""Comparison of scores at a distance: as doubles, or exactly in decimals.

The distance between 0.57 and 0.55 is 0.02 in decimals, but rounding decides in binary, where
``0.55 + 0.02 > 0.57``. A `ScoreScale` with decimals converts scores and distances to integer steps
of 10**-decimals, for which sums and comparisons are exact.
"""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.labels_and_scores import beyond_float64
from roclab.checks.options import check_between, check_count
from roclab.errors import InputError, Parameter

_MOST_DECIMALS = 18  # 10**18 is the largest power of ten in 64 bits
_LARGEST = 2**62 - 1  # the sum of two of them stays within 64 bits


class ScoreScale:
    """Scale on which scores and distances are compared.

    Parameters
    ----------
    decimals : int or None
        None for float64; otherwise values are integer steps of 10**-decimals.

    Attributes
    ----------
    unit : int
        Number of steps per 1.
    """

    def __init__(self, decimals: int | None) -> None:
        if decimals is not None:
            fix = "Pass the number of decimals of the scores, or None to compare them as doubles."
            check_count("decimals", decimals, 0, most=_MOST_DECIMALS, fix=fix)
        self.decimals = decimals
        self.unit = 1 if decimals is None else 10 ** int(decimals)

    def scores(self, scores: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Finite ascending scores on this scale: float64, or int64 steps."""
        if len(scores) and not (np.isfinite(scores[0]) and np.isfinite(scores[-1])):
            raise InputError(
                found="Some scores are infinite",
                needed="distances between scores need finite scores",
                fix="Clip them first.",
            )
        if self.decimals is None:
            if beyond_float64(scores):
                raise InputError(
                    found="The scores are integers beyond 2**53, which float64 rounds",
                    needed="distances between scores must be exact",
                    fix="Pass {decimals=}0 and a whole number as the distance, or subtract a "
                    "constant from the scores.",
                )
            return scores.astype(np.float64)
        return self._steps(scores, "y_score")

    def distance(self, value: Any, name: str = "granularity") -> Any:
        """Non-negative distance on this scale: a float, or an integer number of steps."""
        fix = "Pass the distance below which two scores count as equal."
        number = check_between(name, value, 0, math.inf, or_low=True, fix=fix)
        if self.decimals is None:
            return number
        whole = isinstance(value, Integral) and int(value) <= _LARGEST
        numbers = np.array([value], dtype=np.int64 if whole else np.float64)
        return int(self._steps(numbers, name)[0])

    def grid(self, intervals: int) -> list[Any]:
        """Ends of equal intervals from 0 to 1: floats, or integer numbers of steps."""
        if self.decimals is None:
            return list(np.linspace(0, 1, intervals + 1).tolist())
        if self.unit % intervals:
            raise InputError(
                found="{grid=}{value} cuts [0, 1] at numbers with more than {given} decimals",
                fix="Choose a {grid} that divides a power of ten, or more {decimals}.",
                value=intervals,
                given=self.decimals,
            )
        return [k * (self.unit // intervals) for k in range(intervals + 1)]

    def values(self, scores: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Convert from this scale to float64."""
        return np.asarray(scores / self.unit, dtype=np.float64)

    def _steps(self, values: npt.NDArray[Any], name: str) -> npt.NDArray[np.int64]:
        if values.dtype.kind in "biu":
            ends = (*values[:1].tolist(), *values[-1:].tolist())  # they ascend
            most = max(map(abs, ends), default=0)
            if most * self.unit > _LARGEST:
                raise self._too_large(name, most, _LARGEST)
            return values.astype(np.int64) * self.unit
        # Below this bound no two decimals share a double (float, half), and the error of the
        # product is less than half a step, so that rounding gives the original decimal.
        bound = 2 ** (np.finfo(values.dtype).nmant - 1)
        with np.errstate(over="ignore"):
            steps = np.rint(values.astype(np.float64) * self.unit)
        large = np.abs(steps) >= bound
        if large.any():
            raise self._too_large(name, values[int(np.argmax(large))], bound)
        other = (steps / self.unit).astype(values.dtype) != values
        if other.any():
            raise InputError(
                found="{name} holds {value}, which has more than {count} decimals",
                fix="Increase {decimals}, or round first.",
                name=Parameter(name),
                value=str(values[int(np.argmax(other))]),
                count=self.decimals,
            )
        return steps.astype(np.int64)

    def _too_large(self, name: str, value: Any, bound: int) -> InputError:
        return InputError(
            found="{name} holds {value}, too large for steps of 1e-{count}",
            needed="its type is exact up to {bound} steps",
            fix="Choose fewer {decimals}, or float64 scores.",
            name=Parameter(name),
            value=str(value),
            count=self.decimals,
            bound=f"{bound:.3g}",
        )
