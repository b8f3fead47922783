"""Both classes of a ranking apart, so that positives can be moved against negatives.

Moving the positives by tau turns the AUC into theta(-tau) of the margin curve: what a granular AUC
is made of.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.curves.decimal_steps import ScoreScale
from roclab.curves.roc import ROCCurve
from roclab.ranking import Ranking

__all__ = ["ShiftedClasses", "frozen_curve"]

_MOST_PAIRS_IN_64_BITS = 2**62
_MANY = 4  # times as many positives as negatives: then it is quicker to look up the negatives


class ShiftedClasses:
    """Scores of both classes, ascending, with their mass; the positives can be moved.

    Parameters
    ----------
    ranking : Ranking
        With examples of both classes and finite scores.
    scale : ScoreScale
        In which scores, and the shifts below, are compared.

    Attributes
    ----------
    positives, negatives : ndarray
        Distinct scores on the scale, ascending.
    pos_mass, neg_mass : ndarray
        Counts, or weights, of each.
    """

    def __init__(self, ranking: Ranking, scale: ScoreScale) -> None:
        scores = scale.scores(ranking.scores)
        exact = ranking.n_pos * ranking.n_neg < _MOST_PAIRS_IN_64_BITS
        kind = np.int64 if exact and not ranking.weighted else np.float64
        self.scale = scale
        self.positives, self.pos_mass = _present(scores, ranking.pos.astype(kind))
        self.negatives, self.neg_mass = _present(scores, ranking.neg.astype(kind))
        self._neg_below = np.concatenate((np.zeros(1, kind), np.cumsum(self.neg_mass)))
        self._pos_above = np.concatenate((np.cumsum(self.pos_mass[::-1])[::-1], np.zeros(1, kind)))
        self._pairs = self._pos_above[0] * self._neg_below[-1]
        self._places = _Places(self.negatives)
        self._moved = np.empty_like(self.positives)  # fresh memory for each shift would cost more

    def theta(self, shift: Any) -> float:
        """The AUC after `shift` has been added to every positive. O(n log n) at most."""
        moved = _moved(self.positives, shift, out=self._moved)
        few_negatives = len(self.positives) > _MANY * len(self.negatives)
        twice = self._by_negatives(moved) if few_negatives else self._by_positives(moved)
        if self.pos_mass.dtype.kind == "i":
            return int(twice) / (2 * int(self._pairs))
        return min(float(twice) / (2 * float(self._pairs)), 1.0)

    def _by_positives(self, moved: npt.NDArray[Any]) -> Any:
        """Twice the mass of the pairs won, ties once: the negatives below each positive."""
        # Positives below all negatives win nothing, those above all of them win every pair.
        first = moved.searchsorted(self.negatives[0], "left")
        last = moved.searchsorted(self.negatives[-1], "right")
        keys, mass = moved[first:last], self.pos_mass[first:last]
        places = self._places.of(keys)
        twice = 2 * (mass * self._neg_below[places]).sum()  # pairwise sums, more exact than @
        twice += 2 * self.pos_mass[last:].sum() * self._neg_below[-1]
        tied = self.negatives[places] == keys
        if tied.any():
            twice += (mass[tied] * self.neg_mass[places[tied]]).sum()
        return twice

    def _by_negatives(self, moved: npt.NDArray[Any]) -> Any:
        """The same by the positives above each negative."""
        places = moved.searchsorted(self.negatives, "left")
        twice = 2 * (self.neg_mass * self._pos_above[places]).sum()
        tied = moved[np.minimum(places, len(moved) - 1)] == self.negatives
        if tied.any():  # moved scores may have become equal by rounding
            after = moved.searchsorted(self.negatives[tied], "right")
            equal = self._pos_above[places[tied]] - self._pos_above[after]
            twice -= (self.neg_mass[tied] * equal).sum()
        return twice

    def curve(self, shift: Any) -> ROCCurve:
        """The ROC curve after `shift` has been added to every positive; its area is `theta`."""
        keys = _moved(self.positives, shift)
        thresholds = _merged(keys, self.negatives)[::-1]
        return frozen_curve(
            _shares(self.negatives, self.neg_mass, thresholds),
            _shares(keys, self.pos_mass, thresholds),
            np.concatenate(([np.inf], self.scale.values(thresholds))),
        )


class _Places:
    """How many of some ascending, distinct values lie below a key, for many keys at once.

    A table of buckets, equal steps of the value, gives the number of values in lower buckets; those
    in the key's own bucket are compared one by one. The same formula puts values and keys into
    buckets, and it is monotone whatever its rounding, so the result is exact. Values that crowd
    into few buckets are left to binary search.
    """

    _BUCKETS_PER_VALUE = 4
    _MOST_IN_A_BUCKET = 16

    def __init__(self, values: npt.NDArray[Any]) -> None:
        self._values = values
        buckets = self._BUCKETS_PER_VALUE * len(values)
        with np.errstate(over="ignore", divide="ignore"):
            self._scale = np.float64(buckets) / np.float64(values[-1] - values[0])
        self._start: npt.NDArray[np.int64] | None = None
        if 0 < self._scale < np.inf:
            counts = np.bincount(self._bucket(values), minlength=buckets + 1)
            if counts.max() <= self._MOST_IN_A_BUCKET:
                self._start = np.cumsum(counts) - counts

    def of(self, keys: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The number of values below each key; no key lies beyond the values on either side."""
        if self._start is None:
            return self._values.searchsorted(keys, "left")
        places = self._start[self._bucket(keys)]
        late = np.flatnonzero(self._values[places] < keys)
        while len(late):
            places[late] += 1
            late = late[self._values[places[late]] < keys[late]]
        return places

    def _bucket(self, keys: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        return np.asarray((keys - self._values[0]) * self._scale).astype(np.int64)


def frozen_curve(
    fpr: npt.NDArray[np.float64],
    tpr: npt.NDArray[np.float64],
    thresholds: npt.NDArray[np.float64],
) -> ROCCurve:
    """A curve of arrays that are made read-only."""
    for array in (fpr, tpr, thresholds):
        array.flags.writeable = False
    return ROCCurve(fpr=fpr, tpr=tpr, thresholds=thresholds)


def _shares(
    values: npt.NDArray[Any], mass: npt.NDArray[Any], thresholds: npt.NDArray[Any]
) -> npt.NDArray[np.float64]:
    """0, and then the share of the mass at or above each threshold."""
    from_top = np.concatenate((np.zeros(1, mass.dtype), np.cumsum(mass[::-1])))
    reached = len(values) - values.searchsorted(thresholds, "left")
    return np.concatenate((np.zeros(1), from_top[reached] / from_top[-1]))


def _present(
    scores: npt.NDArray[Any], mass: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The scores that have mass; scores that have become equal as doubles are one."""
    there = mass > 0
    scores, mass = scores[there], mass[there]
    new = np.concatenate(([True], scores[1:] != scores[:-1]))
    return scores[new], np.add.reduceat(mass, np.flatnonzero(new))


def _moved(
    scores: npt.NDArray[Any], shift: Any, out: npt.NDArray[Any] | None = None
) -> npt.NDArray[Any]:
    # A sum beyond all doubles becomes an infinity, which lies where it should: beyond all scores.
    with np.errstate(over="ignore"):
        moved: npt.NDArray[Any] = np.add(scores, shift, out=out)
    return moved


def _merged(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The distinct values of two ascending arrays, ascending."""
    both = np.empty(len(a) + len(b), dtype=a.dtype)
    both[np.arange(len(a)) + b.searchsorted(a, "left")] = a
    both[np.arange(len(b)) + a.searchsorted(b, "right")] = b
    return both[np.concatenate(([True], both[1:] != both[:-1]))]
