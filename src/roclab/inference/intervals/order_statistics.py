"""Interval of one rate at a given value of the other, from order statistics of both classes.

In the words of `specificity_at`: the threshold with sensitivity s is unknown. The number K of
positives at or above it has the binomial distribution of m trials with probability s, whatever the
scores. If K = k, the threshold lies between two neighbouring positives, and the specificity between
the shares of negatives below them: two beta distributions, as for Clopper and Pearson's interval.
The distribution of the specificity is their mixture over k. Where its two bounds differ, it is the
mean of both, as for a mid-p interval.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Masses = npt.NDArray[np.float64 | np.int64]

_LEAST = 1e-12  # smaller probabilities of k are left out
_MOST_TERMS = 400  # of the mixture; more are merged
_NEAR_ONE = 1 - 1e-15  # probability at 1 itself is not below it


class RateDistribution:
    """Confidence distribution of the rate of one class at a given rate of the other.

    Parameters
    ----------
    given, rated : ndarray
        Weights of the two classes at the distinct scores, such that the `given` class lies at the
        start: positives from the highest score down, or negatives from the lowest score up.
    sizes : tuple of float
        Effective number of examples of both classes.
    rate : float
        The given rate, of examples of the given class before the threshold.
    """

    def __init__(self, given: Masses, rated: Masses, sizes: tuple[float, float], rate: float):
        self._fill(_Places(given, rated, sizes), rate)

    @classmethod
    def along(
        cls, given: Masses, rated: Masses, sizes: tuple[float, float], rates: Floats
    ) -> Iterator[RateDistribution]:
        """The distributions at several given rates."""
        places = _Places(given, rated, sizes)
        for rate in rates.tolist():
            one = cls.__new__(cls)
            one._fill(places, rate)
            yield one

    def _fill(self, places: _Places, rate: float) -> None:
        weights, rest = places.around(rate)
        self.number = places.number
        # Probabilities that all examples are before the threshold, and that none is.
        self.ends = float(weights[-1]), float(weights[0])
        kept = np.flatnonzero(weights > _LEAST)
        stride = -(-len(kept) // _MOST_TERMS)
        starts = np.arange(0, len(kept), stride)
        self.weights = np.add.reduceat(weights[kept], starts)
        self.weights /= self.weights.sum()
        self.high = self.number * rest[kept[starts]]
        self.low = self.number * rest[kept[np.append(starts[1:], len(kept)) - 1] + 1]

    def below(self, rate: float) -> float:
        """Probability of rates below this one."""
        from scipy.special import betainc

        size = self.number
        with np.errstate(invalid="ignore"):
            low = betainc(self.low, np.maximum(size - self.low, 0) + 1, rate)
            high = betainc(self.high + 1, np.maximum(size - self.high, 0), rate)
        # A beta distribution with a parameter of 0 is a point at 0, or at 1.
        low = np.where(self.low <= 0, 1.0, low)
        high = np.where(self.high >= size, 0.0, high)
        return float(np.sum(self.weights * (low + high))) / 2

    def quantile(self, level: float) -> float:
        """Rate below which this probability lies."""
        from scipy.optimize import brentq
        from scipy.special import ndtri

        low, high = 0.0, _NEAR_ONE
        mean, spread = self._moments
        guess = mean + float(ndtri(level)) * spread
        for near in (guess - spread, guess + spread):
            if low < near < high:
                low, high = (near, high) if self.below(near) < level else (low, near)
        if low == 0 and self.below(low) >= level:
            return 0.0
        if high == _NEAR_ONE and self.below(high) <= level:
            return 1.0
        return float(brentq(lambda rate: self.below(rate) - level, low, high, xtol=1e-12))

    def unbounded(self, levels: tuple[float, float]) -> bool:
        """Whether a quantile is 0 or 1 since the given class does not bound the threshold."""
        tails = levels[0], 1 - levels[1]
        return any(0 < tail <= end / 2 for tail, end in zip(tails, self.ends, strict=True))

    @property
    def standard_error(self) -> float:
        """Standard deviation."""
        return self._moments[1]

    @property
    def _moments(self) -> tuple[float, float]:
        """Mean and standard deviation."""
        size = self.number + 1
        means = np.concatenate([self.low / size, (self.high + 1) / size])
        variances = means * (1 - means) / (size + 1)
        weights = np.concatenate([self.weights, self.weights]) / 2
        mean = float(np.sum(weights * means))
        return mean, math.sqrt(float(np.sum(weights * (variances + (means - mean) ** 2))))


class _Places:
    """Places between neighbouring examples of the given class.

    Examples of one score are taken as spread evenly over it, which is what linear interpolation of
    the ROC curve means.
    """

    def __init__(self, given: Masses, rated: Masses, sizes: tuple[float, float]) -> None:
        self.given_number, self.number = sizes
        shares, others = (np.cumsum(mass) / mass.sum() for mass in (given, rated))
        at = np.flatnonzero(given)
        counts = np.maximum(np.round(given[at] * (self.given_number / given.sum())), 1).astype(
            np.intp
        )
        inside = (np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)) + 1.0
        cell = np.repeat(at, counts)
        part = inside / np.repeat(counts, counts)
        # Share of the given class up to each of its examples, and of the rated one after it.
        self.before = shares[cell] - (1 - part) * (given[cell] / given.sum())
        middle = inside / np.repeat(counts + 1, counts)
        rest = 1 - others[cell] + (1 - middle) * (rated[cell] / rated.sum())
        self.rest = np.concatenate([[1.0], rest, [0.0]])

    def around(self, rate: float) -> tuple[Floats, Floats]:
        """Probability that the threshold lies in each place, and the rest at both ends of it."""
        from scipy.special import betainc

        # Farther away probabilities are below `_LEAST` (Hoeffding's inequality).
        reach = math.sqrt(math.log(2 / _LEAST) / (2 * self.given_number))
        first, last = np.searchsorted(self.before, (rate - reach, rate + reach))
        hits = self.given_number * self.before[first:last]
        # Probability that the threshold lies beyond each example.
        beyond = np.zeros(len(self.before) + 2)
        beyond[: first + 1] = 1.0
        beyond[first + 1 : last + 1] = betainc(
            hits, np.maximum(self.given_number - hits, 0) + 1, rate
        )
        return beyond[:-1] - beyond[1:], self.rest
