"""The scores of both classes, with the positives shifted against the negatives.

Shifting the positives by tau turns the AUC into theta(-tau) of the margin curve, of which the
granular AUC consists. The rule for ties after a shift is here, for both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.curves.roc import ROCCurve
from roclab.curves.score_differences import Floats
from roclab.curves.score_scale import ScoreScale
from roclab.data.ranking import Ranking

_MOST_PAIRS_IN_64_BITS = 2**62


def shares_won(
    pos_scores: npt.NDArray[Any],
    pos: npt.NDArray[Any],
    neg_scores: npt.NDArray[Any],
    neg: npt.NDArray[Any],
    shifts: npt.NDArray[Any],
    *,
    exact: bool = False,
    strict: bool = False,
) -> Floats:
    """The share of pairs won by shifted positives, a tie counting half, at each shift.

    Whether a positive at y, shifted by d, is above, at or below a negative at x is decided by one
    of two rules. They differ only where y + d is not a double, though it rounds to x:

    - rounded: the double nearest to y + d is compared with x. A program that shifts the scores and
      computes the AUC of the result does this, and so did the paper on granular ROC curves: its
      numbers need this rule.
    - exact: y + d itself is compared with x. This decides the order of y - x and -d, and the
      result is a function of the differences alone: exchanging the classes, or the sign of all
      scores, reverses the margin curve and changes nothing else.

    Integers, and so scores with `decimals`, are never rounded: the rules agree. Neither rule gives
    all published numbers; docs/explanation/auc_and_ties.md shows where they differ.

    Parameters
    ----------
    pos_scores : ndarray of float64 or int64
        Distinct scores of the positives, ascending.
    pos : ndarray
        Positive mass at each of them: counts, or sums of weights.
    neg_scores : ndarray of float64 or int64
        Distinct scores of the negatives, ascending.
    neg : ndarray
        Negative mass at each of them: counts, or sums of weights.
    shifts : ndarray
        Numbers to add to every positive, in the type of the scores.
    exact : bool
        Whether to use the exact rule.
    strict : bool
        Count a tie as 0; only for the exact rule.

    Notes
    -----
    O(m log(n / m)) per shift, with m <= n distinct scores of the two classes. With counts the
    result is the double nearest to the share.
    """
    all_pos, all_neg = (mass.sum().item() for mass in (pos, neg))
    pairs = all_pos * all_neg
    whole = pos.dtype.kind == "i" and pairs < _MOST_PAIRS_IN_64_BITS
    kind = np.int64 if whole else np.float64
    twice = _core.shifted_wins(
        np.ascontiguousarray(pos_scores),
        np.ascontiguousarray(pos, dtype=kind),
        np.ascontiguousarray(neg_scores),
        np.ascontiguousarray(neg, dtype=kind),
        np.ascontiguousarray(shifts, dtype=pos_scores.dtype),
        exact,
        strict,
        _core.thread_count(),
    )
    # Rounded weights may exceed the end.
    return np.array([min(wins / (2 * pairs), 1.0) for wins in twice.tolist()], dtype=np.float64)


class ShiftedClasses:
    """Scores of both classes, ascending, with their mass; the positives can be shifted.

    Parameters
    ----------
    ranking : Ranking
        A ranking with both classes and finite scores.
    scale : ScoreScale
        Scale on which scores and shifts are compared.

    Attributes
    ----------
    positives, negatives : ndarray
        Distinct scores on the scale, ascending.
    pos_mass, neg_mass : ndarray
        Counts, or weights, of each.
    """

    def __init__(self, ranking: Ranking, scale: ScoreScale) -> None:
        scores = scale.scores(ranking.scores)
        self.scale = scale
        self.positives, self.pos_mass = _present(scores, ranking.pos)
        self.negatives, self.neg_mass = _present(scores, ranking.neg)

    def thetas(self, shifts: npt.ArrayLike) -> Floats:
        """The AUC after adding each of the shifts to every positive."""
        moves = np.asarray(shifts, dtype=self.positives.dtype)
        return shares_won(self.positives, self.pos_mass, self.negatives, self.neg_mass, moves)

    def curve(self, shift: Any) -> ROCCurve:
        """The ROC curve after adding `shift` to every positive; `thetas` has its area."""
        # A sum that overflows is infinite, which is right: beyond all scores.
        with np.errstate(over="ignore"):
            keys = self.positives + shift
        thresholds = _merged(keys, self.negatives)[::-1]
        return ROCCurve(
            fpr=_shares(self.negatives, self.neg_mass, thresholds),
            tpr=_shares(keys, self.pos_mass, thresholds),
            thresholds=np.concatenate(([np.inf], self.scale.values(thresholds))),
        )


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
    """The scores with mass; scores that are equal as doubles are merged."""
    there = np.flatnonzero(mass)
    scores, mass = scores[there], mass[there]
    new = scores[1:] != scores[:-1]
    if new.all():
        return scores, mass
    starts = np.concatenate(([0], np.flatnonzero(new) + 1))
    return scores[starts], np.add.reduceat(mass, starts)


def _merged(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The distinct values of two ascending arrays, ascending."""
    both = np.empty(len(a) + len(b), dtype=a.dtype)
    both[np.arange(len(a)) + b.searchsorted(a, "left")] = a
    both[np.arange(len(b)) + a.searchsorted(b, "right")] = b
    return both[np.concatenate(([True], both[1:] != both[:-1]))]
