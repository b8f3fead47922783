"""Means over splits of one data set, whose training rows are largely the same."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import t as student


@dataclass(frozen=True, kw_only=True)
class CorrectedMean:
    """A mean with the standard error of Nadeau and Bengio (2003).

    Attributes
    ----------
    value : float
        The mean.
    error : float
        Its standard error: the variance over splits is divided not by their number, but multiplied
        by 1 / splits + test rows / training rows, since splits share rows.
    splits : int
        How many there are.
    """

    value: float
    error: float
    splits: int

    @classmethod
    def of(cls, values: npt.ArrayLike, tests_per_training: float) -> CorrectedMean:
        """The mean of values, one a split; a split has so many test rows for a training row."""
        known = np.asarray(values, dtype=np.float64)
        variance = float(known.var(ddof=1))
        return cls(
            value=float(known.mean()),
            error=math.sqrt((1 / len(known) + tests_per_training) * variance),
            splits=len(known),
        )

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """By Student's distribution, with a degree of freedom less than there are splits."""
        reach = float(student.ppf((1 + level) / 2, self.splits - 1)) * self.error
        return self.value - reach, self.value + reach

    @property
    def pvalue(self) -> float:
        """Of the test, on both sides, that the mean is 0; 1 if all values are."""
        if self.error == 0:
            return float(self.value == 0)
        return float(2 * student.sf(abs(self.value) / self.error, self.splits - 1))
