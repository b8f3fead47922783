"""Both classes of a ranking apart, so that positives can be moved against negatives.

Moving the positives by tau turns the AUC into theta(-tau) of the margin curve: what a granular AUC
is made of. What counts as a tie then is decided here, for both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.curves.roc import ROCCurve
from roclab.numeric.decimal_steps import ScoreScale
from roclab.numeric.score_differences import Floats
from roclab.ranking import Ranking

__all__ = ["ShiftedClasses", "frozen_curve", "shares_won"]

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
    """The share of pairs that moved positives win, a tie counting half, at each shift.

    Whether a positive at y, moved by d, is above, at or below a negative at x is decided by one of
    two rules. They differ only where y + d is not a double, though it rounds to x:

    - rounded: the double nearest to y + d is compared with x. So a program compares that moves
      the scores and takes the AUC of the result, and so the paper on granular ROC curves computed
      its table: its numbers need this rule.
    - exact: y + d itself is compared with x. So the order of y - x and -d is decided, and the
      result is a function of the differences alone: exchanging the classes, or the sign of all
      scores, turns the margin curve around and changes nothing else.

    Whole numbers, and so scores with `decimals`, are never rounded: the rules agree. No single one
    keeps all published numbers; docs/explanation/auc_and_ties.md shows where they differ.

    Parameters
    ----------
    pos_scores, neg_scores : ndarray of float64 or int64
        Distinct scores of each class, ascending.
    pos, neg : ndarray
        Their masses: counts, or weights.
    shifts : ndarray
        What is added to every positive, in the type of the scores.
    exact : bool
        Which rule.
    strict : bool
        Count a tie nothing; only for the exact rule.

    Notes
    -----
    O(m log(n / m)) for each shift, with m <= n distinct scores of the two classes. Counts give the
    double nearest to the share.
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
    # Rounding of weights may pass the end.
    return np.array([min(wins / (2 * pairs), 1.0) for wins in twice.tolist()], dtype=np.float64)


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
        self.scale = scale
        self.positives, self.pos_mass = _present(scores, ranking.pos)
        self.negatives, self.neg_mass = _present(scores, ranking.neg)

    def thetas(self, shifts: npt.ArrayLike) -> Floats:
        """The AUC after each of the shifts has been added to every positive."""
        moves = np.asarray(shifts, dtype=self.positives.dtype)
        return shares_won(self.positives, self.pos_mass, self.negatives, self.neg_mass, moves)

    def curve(self, shift: Any) -> ROCCurve:
        """The ROC curve after `shift` has been added to every positive; `thetas` has its area."""
        # A sum beyond all doubles is an infinity, which lies where it should: beyond all scores.
        with np.errstate(over="ignore"):
            keys = self.positives + shift
        thresholds = _merged(keys, self.negatives)[::-1]
        return frozen_curve(
            _shares(self.negatives, self.neg_mass, thresholds),
            _shares(keys, self.pos_mass, thresholds),
            np.concatenate(([np.inf], self.scale.values(thresholds))),
        )


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
