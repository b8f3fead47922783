"""Intervals of sums and ratios of two independent estimates, from the interval of each.

The method of variance estimates recovery (MOVER) takes the variance at an end of the interval from
the distance between the estimate and its own end. Unlike the delta method on the log scale it needs
no continuity correction if a count is 0.

References
----------
R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10: a difference of proportions.
A. Donner, G. Y. Zou, Statistical Methods in Medical Research 21 (2012) 347-359: sums and ratios.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple


class Bounded(NamedTuple):
    """An estimate with the ends of its interval and its variance."""

    value: float
    low: float
    high: float
    variance: float

    def scaled(self, factor: float, shift: float = 0.0) -> Bounded:
        """``shift + factor * estimate``; a negative factor exchanges the ends."""
        return self.through(lambda value: shift + factor * value, factor)

    def plus(self, other: Bounded) -> Bounded:
        """The sum with an independent estimate."""
        value = self.value + other.value
        below = math.hypot(self.value - self.low, other.value - other.low)
        above = math.hypot(self.high - self.value, other.high - other.value)
        return Bounded(value, value - below, value + above, self.variance + other.variance)

    def over(self, other: Bounded) -> Bounded:
        """The ratio to an independent estimate, neither negative; nan for 0 / 0."""
        (a, low, high, of_a), (b, other_low, other_high, of_b) = self, other
        if not (a > 0 or b > 0):
            return UNKNOWN
        product = a * b
        inner, outer = low * (2 * a - low), other_high * (2 * b - other_high)
        lower = 0.0
        if inner > 0:
            lower = inner / (product + math.sqrt(max(product**2 - inner * outer, 0.0)))
        inner, outer = high * (2 * a - high), other_low * (2 * b - other_low)
        reach = product + math.sqrt(max(product**2 - inner * outer, 0.0))
        upper = reach / outer if outer > 0 else math.inf
        if b == 0:
            return Bounded(math.inf, lower, upper, math.nan)
        return Bounded(a / b, lower, upper, (of_a + (a / b) ** 2 * of_b) / b**2)

    def through(self, function: Callable[[float], float], slope: float) -> Bounded:
        """A monotone function of the estimate, with its slope there."""
        low, high = sorted((function(self.low), function(self.high)))
        return Bounded(function(self.value), low, high, slope * slope * self.variance)


UNKNOWN = Bounded(math.nan, math.nan, math.nan, math.nan)
