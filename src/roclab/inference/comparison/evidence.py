"""One-sided p-values and confidence bounds of a difference.

All kinds of evidence share one interface, so that the alternatives are defined once, in
`roclab.inference.comparison.alternatives`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.intervals.closed_form import CLOSED_FORMS
from roclab.numeric.distributions import normal_cdf, normal_quantile, student_cdf, student_quantile

# Differences that are equal as fractions may differ by rounding.
_ROUNDING = 1e-12
_FARTHEST = 37.0  # normal quantile beyond which probabilities are 0 in floats


class Evidence(Protocol):
    """One-sided p-values and confidence bounds of a true difference."""

    @property
    def method(self) -> str:
        """Name of the test, for results."""

    def above(self, null: float) -> float:
        """p-value of the null hypothesis that the difference is at most `null`."""

    def below(self, null: float) -> float:
        """p-value of the null hypothesis that the difference is at least `null`."""

    def low(self, error: float) -> float:
        """Lower confidence bound at level ``1 - error``."""

    def high(self, error: float) -> float:
        """Upper confidence bound at level ``1 - error``."""

    def statistic(self, null: float) -> float:
        """Distance of the estimate from `null` in standard errors; nan if undefined."""


@dataclass(frozen=True, kw_only=True)
class Wald:
    """An estimate with a standard error (nan if undefined), normal or with Student's t."""

    difference: float
    standard_error: float
    df: float | None = None
    method: str = "delong"

    def statistic(self, null: float) -> float:
        """Difference minus `null`, in standard errors."""
        return (self.difference - null) / self.standard_error

    def above(self, null: float) -> float:
        """Tail above the statistic."""
        return self._tail(-self.statistic(null))

    def below(self, null: float) -> float:
        """Tail below the statistic."""
        return self._tail(self.statistic(null))

    def low(self, error: float) -> float:
        """Difference minus a quantile times the standard error."""
        return self.difference + self._quantile(error) * self.standard_error

    def high(self, error: float) -> float:
        """Difference plus a quantile times the standard error."""
        return self.difference - self._quantile(error) * self.standard_error

    def _tail(self, statistic: float) -> float:
        return student_cdf(self.df, statistic)

    def _quantile(self, probability: float) -> float:
        return student_quantile(self.df, probability)


@dataclass(frozen=True, kw_only=True)
class Score:
    """An AUC minus a value, with Hanley and McNeil's variance at the AUC of the null hypothesis.

    Ties reduce the variance by the factor of the Mann-Whitney test.
    """

    estimate: Estimate
    value: float

    method = "score"

    def statistic(self, null: float) -> float:
        """Distance from the AUC of the null hypothesis, in its standard errors."""
        return (self.estimate.value - self.value - null) / self.standard_error(null)

    def standard_error(self, null: float) -> float:
        """Standard error if the AUC is the value plus `null`."""
        theta = self.value + null
        pos, neg = self.estimate.pos, self.estimate.neg
        spread = (
            theta * (1 - theta)
            + (pos - 1) * (theta / (2 - theta) - theta**2)
            + (neg - 1) * (2 * theta**2 / (1 + theta) - theta**2)
        )
        spread *= self.estimate.tie_factor
        return math.sqrt(spread / (pos * neg)) if pos and neg else math.nan

    def above(self, null: float) -> float:
        """Normal tail above the statistic."""
        return normal_cdf(-self.statistic(null))

    def below(self, null: float) -> float:
        """Normal tail below the statistic."""
        return normal_cdf(self.statistic(null))

    def low(self, error: float) -> float:
        """Lowest difference that a test at level `error` does not reject."""
        return self._ends(error)[0] - self.value

    def high(self, error: float) -> float:
        """Highest difference that a test at level `error` does not reject."""
        return self._ends(error)[1] - self.value

    def _ends(self, error: float) -> tuple[float, float]:
        return CLOSED_FORMS["score"](self.estimate, -normal_quantile(error))


@dataclass(frozen=True, kw_only=True, eq=False)
class Replicates:
    """An estimate with its bootstrap replicates.

    Attributes
    ----------
    difference : float
        The estimate.
    replicates : ndarray
        Its replicates.
    rounding : float
        Differences up to this one are rounding errors.
    """

    difference: float
    replicates: npt.NDArray[np.float64]
    rounding: float = _ROUNDING

    method = "bootstrap"

    def statistic(self, null: float) -> float:
        """Difference minus `null`, in standard deviations of the replicates."""
        return (self.difference - null) / self.standard_error

    @property
    def standard_error(self) -> float:
        """Standard deviation of the replicates; nan for fewer than two."""
        if len(self.replicates) < 2:
            return math.nan
        alike = float(np.ptp(self.replicates)) <= self.rounding
        return 0.0 if alike else float(np.std(self.replicates, ddof=1))

    def above(self, null: float) -> float:
        """Proportion of replicates not above `null`, counting one more."""
        reached = self.replicates - null <= self.rounding
        return (1 + int(np.count_nonzero(reached))) / (len(self.replicates) + 1)

    def below(self, null: float) -> float:
        """Proportion of replicates not below `null`, counting one more."""
        reached = self.replicates - null >= -self.rounding
        return (1 + int(np.count_nonzero(reached))) / (len(self.replicates) + 1)

    def low(self, error: float) -> float:
        """Largest replicate that `above` does not reject at level `error`; -inf if all."""
        # One more replicate not above it, and the p-value would be below the level.
        count = len(self.replicates)
        place = math.ceil(error * (count + 1) - _ROUNDING) - 1
        if place < 1:
            return -math.inf
        return float(np.quantile(self.replicates, (place - 1) / (count - 1), method="nearest"))

    def high(self, error: float) -> float:
        """Smallest replicate that `below` does not reject at level `error`; inf if all."""
        reflected = replace(self, replicates=-self.replicates, difference=-self.difference)
        return -reflected.low(error)


@dataclass(frozen=True, kw_only=True)
class Apart:
    """Two AUCs with separate intervals, for a difference whose variance is 0.

    If each true AUC is outside its interval with probability at most error / 2, then the true
    difference is outside the difference of the two intervals with probability at most error,
    however they depend on each other (Bonferroni's inequality).
    """

    first: Estimate
    second: Estimate

    method = "score"

    def statistic(self, null: float) -> float:  # noqa: ARG002
        """Undefined."""
        return math.nan

    def above(self, null: float) -> float:
        """Error rate at which `low` equals `null`."""
        return self._error(lambda z: self._ends(z)[0] > null)

    def below(self, null: float) -> float:
        """Error rate at which `high` equals `null`."""
        return self._error(lambda z: self._ends(z)[1] < null)

    def low(self, error: float) -> float:
        """Lower end of the first interval minus the upper end of the second."""
        return self._ends(-normal_quantile(error / 2))[0]

    def high(self, error: float) -> float:
        """Upper end of the first interval minus the lower end of the second."""
        return self._ends(-normal_quantile(error / 2))[1]

    def _ends(self, z: float) -> tuple[float, float]:
        (low_a, high_a), (low_b, high_b) = (
            # Not "auto", which would use the variance of 0. Without a tie correction, since the
            # bound must hold for any scores.
            _core.score_interval(estimate.value, estimate.pos, estimate.neg, z)
            for estimate in (self.first, self.second)
        )
        return low_a - high_b, high_a - low_b

    def _error(self, rejects: Callable[[float], bool]) -> float:
        low, high = 0.0, _FARTHEST
        if not rejects(low):
            return 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if rejects(middle) else (low, middle)
        return 2 * normal_cdf(-low)


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Two models that agree on the whole sample, such as those that order every pair alike.

    If their AUCs differed by d, they would order a pair differently with probability at least |d|,
    and agree on n pairs without a common row with probability at most (1 - |d|)^n.

    Attributes
    ----------
    pairs : float
        Number of pairs without a common row: the size of the smaller class. For means over rows,
        the number of rows.
    span : float
        Largest possible difference. An infinite one is not bounded by agreement.
    """

    pairs: float
    span: float = 1.0

    method = "agreement"

    def statistic(self, null: float) -> float:
        """0 if `null` is 0; otherwise undefined."""
        return 0.0 if null == 0 else math.nan

    def above(self, null: float) -> float:
        """Probability of agreement if the difference were `null`."""
        return math.pow(1 + null / self.span, self.pairs) if null < 0 else 1.0

    def below(self, null: float) -> float:
        """Probability of agreement if the difference were `null`."""
        return self.above(-null)

    def low(self, error: float) -> float:
        """Negative difference at which agreement has probability `error`."""
        return -self.high(error)

    def high(self, error: float) -> float:
        """Difference at which agreement has probability `error`."""
        return self.span * (1.0 - math.pow(error, 1 / self.pairs))
