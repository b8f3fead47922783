"""The ROC curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.curves.columns import counts_above, threshold_range, thresholds_of
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import warn_if_undefined
from roclab.numeric.sums import dot
from roclab.result import EXACT, ReadOnlyArrays, Result


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ROCCurve(Result, ReadOnlyArrays):
    """False and true positive rates at every threshold, from the strictest to the most lenient.

    Attributes
    ----------
    fpr, tpr : ndarray
        Share of negatives, and of positives, at or above the threshold.
    thresholds : ndarray of float
        Decreasing; the first is infinite and means a threshold above all scores, even if the
        highest score is infinite too.
    """

    fpr: npt.NDArray[np.float64]
    tpr: npt.NDArray[np.float64]
    thresholds: npt.NDArray[Any] = field(metadata=EXACT)

    @property
    def auc(self) -> float:
        """The area under the curve, with straight lines between its points."""
        return float(dot(np.diff(self.fpr), self.tpr[1:] + self.tpr[:-1]) / 2)

    def __iter__(self) -> Iterator[npt.NDArray[Any]]:
        """So that ``fpr, tpr, thresholds = roc_curve(y_true, y_score)``, as in scikit-learn."""
        return iter((self.fpr, self.tpr, self.thresholds))

    def __repr__(self) -> str:
        return f"ROCCurve({len(self.fpr):,} points, thresholds {threshold_range(self.thresholds)})"


def roc_curve(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    thin: bool = False,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> ROCCurve:
    """The ROC curve: one point per distinct score, and (0, 0).

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    thin : bool, default False
        Drop thresholds in the middle of a straight segment: the drawn curve and the area under it
        do not change. The points are those of scikit-learn's ``drop_intermediate=True``.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    ROCCurve
        With ``thresholds[0] == inf``. If a class is missing, its rate is nan, with
        `UndefinedMeasureWarning`.

    Notes
    -----
    O(n log n). Thresholds are float64; those of integer scores beyond 2**53 are Python integers,
    in an array of objects.

    With ``thin=True`` a threshold is dropped if the examples at it are as many as those at the
    threshold before, in each class. The highest and the lowest score stay.

    Examples
    --------
    >>> curve = roc_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> curve.fpr, curve.tpr
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]))
    >>> curve.thresholds
    array([inf, 0.8, 0.4, 0.1])
    >>> curve.auc
    0.875
    >>> fpr, tpr, thresholds = curve
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    warn_if_undefined("A ROC curve", ranking)
    false_positives, true_positives = counts_above(ranking.neg), counts_above(ranking.pos)
    thresholds = thresholds_of(ranking)
    if thin:
        kept = _corners(ranking.neg[::-1], ranking.pos[::-1])
        false_positives, true_positives = false_positives[kept], true_positives[kept]
        thresholds = thresholds[kept]
    fpr, tpr = _rate(false_positives, ranking.n_neg), _rate(true_positives, ranking.n_pos)
    return ROCCurve(fpr=fpr, tpr=tpr, thresholds=thresholds)


def _rate(running: npt.NDArray[Any], examples: int) -> npt.NDArray[np.float64]:
    if examples == 0:
        return np.full(len(running), np.nan)
    return np.asarray(running / running[-1], dtype=np.float64)


def _corners(neg: npt.NDArray[Any], pos: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which points remain when the curve is thinned, given the steps between points.

    From the steps, not from differences of running sums, in which small weights may vanish.
    """
    kept = np.ones(len(neg) + 1, dtype=np.bool_)
    kept[2:-1] = (neg[1:-1] != neg[2:]) | (pos[1:-1] != pos[2:])
    return kept
