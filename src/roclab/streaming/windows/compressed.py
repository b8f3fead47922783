"""Compressed ranking of weighted data: AUC with bounded error from a few groups."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.options import check_between
from roclab.data.bounds import AUCBounds
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import warn_if_undefined
from roclab.result import Result


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class CompressedRanking(Result):
    """A few scores of a ranking with the weights at and between them, for AUC with bounded error.

    Attributes
    ----------
    eps : float
        `auc` differs from the AUC by at most eps / 2 times the AUC.
    auc : float
        Estimated AUC; nan if a class is missing.
    auc_bounds : AUCBounds
        Bounds of the exact AUC, up to rounding. Never wider than `eps` implies.
    scores : ndarray
        The listed scores in descending order. Each has positives.
    pos, neg : ndarray
        Weights of positives and negatives at the listed scores.
    gap_pos, gap_neg : ndarray
        Weights above the first listed score, between each two, and below the last: one entry more.
    """

    eps: float
    auc: float
    auc_bounds: AUCBounds
    scores: npt.NDArray[Any]
    pos: npt.NDArray[np.float64]
    neg: npt.NDArray[np.float64]
    gap_pos: npt.NDArray[np.float64]
    gap_neg: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return (
            f"CompressedRanking({len(self)} scores, AUC {self.auc:.6g} in "
            f"{self.auc_bounds.low:.6g} to {self.auc_bounds.high:.6g}, eps {self.eps:g})"
        )


def compressed_ranking(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    eps: float,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> CompressedRanking:
    """Short list of scores that determines the AUC with a relative error of at most eps / 2.

    After each listed score, the next is the lowest one above which the weight of the positives is
    at most 1 + eps times that down to this one. Scores in between count as tied. The list has
    O(log(W / w) / log(1 + eps)) scores, where W is the total weight of the positives and w the
    smallest; without weights, W / w is the number of positives.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    eps : float
        Twice the relative error that is allowed.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    CompressedRanking
        The list, the estimate and bounds of the AUC; these are nan, with `UndefinedMeasureWarning`,
        if a class is missing.

    See Also
    --------
    ApproximateWindowAUC : Maintains such a list over a stream, without weights.

    Notes
    -----
    O(k) for k distinct scores, after sorting. This is the list that section 7 of Tatti (2018)
    sketches for weights. Its size is not O((log k) / eps), as stated there: weights 1, 2, 4 and so
    on put every positive into it.

    Examples
    --------
    >>> compressed_ranking([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], eps=0.5, sample_weight=[1, 2, 1, 2])
    CompressedRanking(2 scores, AUC 0.875 in 0.875 to 0.875, eps 0.5)
    """
    allowed = checked_eps(eps)
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    warn_if_undefined("AUC", ranking, undefined="The estimate")
    pos = np.ascontiguousarray(ranking.pos[::-1], dtype=np.float64)
    neg = np.ascontiguousarray(ranking.neg[::-1], dtype=np.float64)
    places = _core.compressed_places(pos, allowed)
    at_pos, at_neg = pos[places], neg[places]
    gap_pos, gap_neg = _between(pos, places), _between(neg, places)
    auc, slack = _area(at_pos, at_neg, gap_pos, gap_neg)
    return CompressedRanking(
        eps=allowed,
        auc=auc,
        auc_bounds=AUCBounds(low=max(auc - slack, 0.0), high=min(auc + slack, 1.0)),
        scores=ranking.scores[::-1][places],
        pos=at_pos,
        neg=at_neg,
        gap_pos=gap_pos,
        gap_neg=gap_neg,
    )


def checked_eps(eps: Any) -> float:
    """Check the bound of the relative error."""
    return check_between(
        "eps",
        eps,
        0,
        math.inf,
        fix="The relative error is at most {eps} / 2: 0.1 is a good start, 0 is exact.",
        or_low=True,
    )


def _between(
    mass: npt.NDArray[np.float64], places: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    others = mass.copy()
    others[places] = 0
    starts = np.concatenate(([0], places))
    # A last entry of weight 0, since reduceat cannot start at the end of an array.
    sums: npt.NDArray[np.float64] = np.add.reduceat(np.append(others, 0.0), starts)
    return sums


def _area(
    pos: npt.NDArray[np.float64],
    neg: npt.NDArray[np.float64],
    gap_pos: npt.NDArray[np.float64],
    gap_neg: npt.NDArray[np.float64],
) -> tuple[float, float]:
    """Return the estimate of Algorithm 4 of the paper, and a bound of its error."""
    masses_pos, masses_neg = (
        np.append(np.stack((gaps[:-1], at), axis=1).ravel(), gaps[-1])
        for gaps, at in ((gap_pos, pos), (gap_neg, neg))
    )
    above = np.cumsum(masses_pos) - masses_pos / 2
    pairs = masses_pos.sum() * masses_neg.sum()
    if pairs == 0:
        return float("nan"), float("nan")
    slack = float((gap_pos * gap_neg).sum() / (2 * pairs))
    return float((above * masses_neg).sum() / pairs), slack
