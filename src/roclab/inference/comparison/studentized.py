"""Studentized permutation test of two AUCs: the evidence of ``method="auto"`` where it is safe."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.data.ranking import Ranking
from roclab.inference.comparison.evidence import Evidence
from roclab.inference.comparison.permutation import samples_exchanged, twice_midranks
from roclab.inference.comparison.small_samples import Mover
from roclab.numeric.distributions import normal_cdf, normal_quantile

# Examples of each class: with fewer, or less balanced classes, exchanges do not imitate the
# skewness of an AUC near 1 if the ROC curves differ in shape; with more, all tests agree.
_FEWEST, _MANY, _IMBALANCE = 30, 100, 1.5
# Largest probability that all examples are missing on which a nearly perfect model fails.
_UNSEEN = 0.05
# Largest share of rows with the same score. Ranks of ties differ between models, and exchanges
# would break them.
_TIED = 0.1
# The seed is fixed: the same data have the same p-value. Draws end with 100 exchanges that are as
# far apart, which leaves a p-value above 0.05. It is never 0.05 or 0.01.
_SEED, EXCHANGES, _ENOUGH = 0, 2000, 100
_ROUNDING = 1e-9


class RankExchanges:
    """Exchanges of the two ranks of random rows, drawn once for all pairs of models.

    Parameters
    ----------
    rankings : sequence of Ranking
        The models, on the same rows.
    """

    def __init__(self, rankings: Sequence[Ranking]) -> None:
        self._rankings = rankings
        self._suited = [_suited(one) for one in rankings]

    def evidence(self, mover: Mover, a: int, b: int) -> Evidence:
        """Evidence about a difference of 0 of two models, or `mover` where exchanges do not suit.

        It depends neither on the other models nor on the order of rows and models.
        """
        if not (self._suited[a] and self._suited[b] and _visible(mover)):
            return mover
        constants, distance = mover.setting, abs(mover.statistic(0.0)) - _ROUNDING
        reached, drawn = self._drawn.reaching(
            a, b, constants.correlation, constants.weight, distance, _ENOUGH
        )
        return StudentizedPermutation(mover=mover, reached=reached, drawn=drawn)

    @cached_property
    def _drawn(self) -> _core.PairExchanges:
        ranks = np.concatenate([twice_midranks(one) for one in self._rankings])
        labels = self._rankings[0].rows().labels
        return _core.PairExchanges(labels, ranks.astype(np.uint32), _SEED, EXCHANGES)


def exchanged_samples(mover: Mover, first: Ranking, second: Ranking) -> Evidence:
    """Evidence about a difference of 0 of two samples, or `mover` where exchanges do not suit."""
    if not (_suited(first, second) and _visible(mover)):
        return mover
    reached = samples_exchanged(first, second).reaching(
        _SEED,
        EXCHANGES,
        _core.thread_count(),
        mover.setting.correlation,
        mover.setting.weight,
        abs(mover.statistic(0.0)) - _ROUNDING,
    )
    return StudentizedPermutation(mover=mover, reached=reached)


def _suited(*rankings: Ranking) -> bool:
    """Whether few examples are balanced, and most of them have a score of their own."""
    sizes = [size for one in rankings for size in (one.n_pos, one.n_neg)]
    smallest, largest = min(sizes), max(sizes)
    return (
        _FEWEST <= smallest < _MANY
        and largest <= _IMBALANCE * smallest
        and not any(one.weighted for one in rankings)
        and all(_distinct(one.pos + one.neg) for one in rankings)
    )


def _distinct(counts: npt.NDArray[Any]) -> bool:
    """Whether rows have few ties, given the number of rows with each score."""
    rows = counts.sum()
    return bool(2 * len(counts) >= rows and counts.max() <= _TIED * rows)


def _visible(mover: Mover) -> bool:
    """Whether the sample would show the examples on which a nearly perfect model fails.

    If it is right but for a share ``1 - auc`` of the examples of a class, it has that AUC, and
    looks perfect in a sample without them.
    """
    both = (mover.first, mover.second)
    weaker = min(max(one.value, 1 - one.value) for one in both)
    return weaker ** min(min(one.n_pos, one.n_neg) for one in both) <= _UNSEEN


@dataclass(frozen=True, kw_only=True)
class StudentizedPermutation:
    """Two AUCs whose distance is compared with that under exchanges.

    The distance is the statistic of `Mover`, and the limits are its limits. The one towards 0 moves
    such that it reaches 0 when the p-value reaches the error rate.

    Attributes
    ----------
    mover : Mover
        The two AUCs and their limits.
    reached, drawn : int
        Number of exchanges of the models or samples with at least the same distance, and of all.

    References
    ----------
    J. Besag, P. Clifford, Biometrika 78 (1991) 301-304 (draws until enough are as far apart).
    A. Janssen, Statistics and Probability Letters 36 (1997) 9-21.
    M. Pauly, T. Asendorf, F. Konietschke, Biometrical Journal 58 (2016) 1319-1337.
    """

    mover: Mover
    reached: int
    drawn: int = EXCHANGES

    method = "studentized_permutation"

    def statistic(self, null: float) -> float:
        """Normal quantile of the p-value at 0; elsewhere of the limit that reaches `null`."""
        own, difference = self.mover.statistic(null), self.mover.difference
        if own * difference <= 0:  # on the other side of the difference
            return own
        if null * difference > 0:  # between the difference and 0
            return own * self._at_zero / self._mover_at_zero
        return math.copysign(max(abs(own) - self._lag, abs(self._at_zero)), own)

    def above(self, null: float) -> float:
        """Tail above the statistic."""
        return normal_cdf(-self.statistic(null))

    def below(self, null: float) -> float:
        """Tail below the statistic."""
        return normal_cdf(self.statistic(null))

    def low(self, error: float) -> float:
        """Lower limit of the difference."""
        return self._limits(error, towards_zero=self.mover.difference > 0)[0]

    def high(self, error: float) -> float:
        """Upper limit of the difference."""
        return self._limits(error, towards_zero=self.mover.difference < 0)[1]

    def _limits(self, error: float, *, towards_zero: bool) -> tuple[float, float]:
        z = -normal_quantile(error)
        if towards_zero and z < abs(self._at_zero):
            z *= self._mover_at_zero / self._at_zero
        elif towards_zero:
            z += self._lag
        return self.mover.limits(z)

    @cached_property
    def _at_zero(self) -> float:
        """Normal quantile of the p-value, with the sign of the difference."""
        own = self._mover_at_zero
        found = -normal_quantile((1 + self.reached) / (1 + self.drawn) / 2)
        if not self.reached:  # farther than exchanges can say
            found = max(found, abs(own))
        return math.copysign(found, own)

    @cached_property
    def _mover_at_zero(self) -> float:
        return self.mover.statistic(0.0)

    @property
    def _lag(self) -> float:
        """How much nearer to 0 the statistic is than that of `mover`; 0 if it is not."""
        return max(abs(self._mover_at_zero) - abs(self._at_zero), 0.0)
