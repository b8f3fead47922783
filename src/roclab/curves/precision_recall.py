"""The precision-recall curve and the precision-recall-gain curve."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from roclab.curves.columns import counts_above, threshold_range, thresholds_of
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import is_undefined, warn_if_undefined
from roclab.numeric.sums import dot, running_sum
from roclab.result import EXACT, ReadOnlyArrays, Result

Floats = npt.NDArray[np.float64]

_ROUNDING = 1e-12  # relative, of sums of weights


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PrecisionRecallCurve(Result, ReadOnlyArrays):
    """Precision and recall at every threshold, from the strictest to the most lenient.

    Attributes
    ----------
    precision : ndarray
        Share of positives among the examples at or above the threshold.
    recall : ndarray
        Share of all positives at or above the threshold; never decreasing.
    thresholds : ndarray of float
        Decreasing; the first is infinite, so nothing is called positive.
    """

    precision: Floats
    recall: Floats
    thresholds: npt.NDArray[Any] = field(metadata=EXACT)

    def __len__(self) -> int:
        return len(self.recall)

    def __repr__(self) -> str:
        ends = threshold_range(self.thresholds)
        return f"PrecisionRecallCurve({len(self):,} points, thresholds {ends})"


def precision_recall_curve(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    thin: bool = False,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> PrecisionRecallCurve:
    """The precision-recall curve: one point per distinct score, and (recall 0, precision 1).

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    thin : bool, default False
        Of the thresholds with equal recall keep the first and the last: the drawn curve and the
        average precision do not change. The points are those of scikit-learn's
        ``drop_intermediate=True``.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    PrecisionRecallCurve
        With ``thresholds[0] == inf``, where recall is 0 and precision is 1 by convention. Without
        positives recall is nan, with `UndefinedMeasureWarning`.

    Notes
    -----
    O(n log n). The points are those of scikit-learn's `precision_recall_curve` in reverse order,
    that of `roc_curve`; scikit-learn has no threshold for the point at recall 0. Between points,
    precision is not linear: see `precision_recall_gain_curve`.

    References
    ----------
    J. Davis, M. Goadrich, ICML (2006) 233-240.

    Examples
    --------
    >>> curve = precision_recall_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> curve.recall
    array([0. , 0.5, 1. , 1. ])
    >>> curve.precision
    array([1.        , 1.        , 0.66666667, 0.5       ])
    >>> curve.thresholds
    array([inf, 0.8, 0.4, 0.1])
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    warn_if_undefined(
        "A precision-recall curve", ranking, needs="positive examples", undefined="Recall"
    )
    true_positives = np.cumsum(ranking.pos[::-1])
    called = true_positives + np.cumsum(ranking.neg[::-1])
    recall = np.full(len(called) + 1, np.nan)
    if ranking.n_pos:
        recall[0] = 0
        recall[1:] = true_positives / true_positives[-1]
    precision = np.concatenate(([1.0], true_positives / called))
    thresholds = thresholds_of(ranking)
    if thin:
        kept = np.ones(len(recall), dtype=np.bool_)
        found = ranking.pos[::-1] > 0
        kept[2:-1] = found[1:-1] | found[2:]
        precision, recall, thresholds = precision[kept], recall[kept], thresholds[kept]
    return PrecisionRecallCurve(precision=precision, recall=recall, thresholds=thresholds)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PrecisionRecallGainCurve(Result, ReadOnlyArrays):
    """Gains in precision and recall over calling everything positive, from recall gain 0 to 1.

    Attributes
    ----------
    precision_gain : ndarray
        0 for the precision of calling everything positive, 1 for precision 1; below 0 where a
        threshold is worse than that.
    recall_gain : ndarray
        0 for a recall equal to the share of positives, 1 for recall 1; never decreasing.
    thresholds : ndarray of float
        Decreasing. The first is nan if the curve begins between two thresholds.
    """

    precision_gain: Floats
    recall_gain: Floats
    thresholds: npt.NDArray[Any] = field(metadata=EXACT)

    def area(self) -> float:
        """Area under the curve: the mean precision gain over recall gains from 0 to 1."""
        steps = np.diff(self.recall_gain)
        return dot(steps, self.precision_gain[1:] + self.precision_gain[:-1]) / 2

    def __len__(self) -> int:
        return len(self.recall_gain)

    def __repr__(self) -> str:
        return f"PrecisionRecallGainCurve({len(self):,} points, area {self.area():.3f})"


def precision_recall_gain_curve(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> PrecisionRecallGainCurve:
    """The precision-recall-gain curve of Flach and Kull, from recall gain 0 to 1.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    PrecisionRecallGainCurve
        A single point of nan, with `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    With a share pi of positives, the gain of a precision (or recall) v is
    (v - pi) / ((1 - pi) v). On this scale points may be joined by straight lines, which correspond
    to a random choice between two thresholds, and the area has a meaning. If no threshold has
    exactly recall pi, the curve begins on the line between the two around it. O(n log n).

    References
    ----------
    P. Flach, M. Kull, NIPS 28 (2015) 838-846.

    Examples
    --------
    >>> curve = precision_recall_gain_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> curve.recall_gain, curve.precision_gain
    (array([0., 1., 1.]), array([1. , 0.5, 0. ]))
    >>> curve.area()
    0.75
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    warn_if_undefined("A precision-recall-gain curve", ranking)
    if is_undefined(ranking):
        nothing = np.full(1, np.nan)
        return PrecisionRecallGainCurve(
            precision_gain=nothing, recall_gain=nothing, thresholds=nothing
        )
    points = _from_base_recall(ranking)
    # pi / (1 - pi) = P / N, so that a gain is 1 - (P/N) FP/TP, and for recall FN in place of FP
    odds = points.tp[-1] / points.fp[-1]
    recall_gain = np.maximum(1 - odds * (points.fn / points.tp), 0)
    recall_gain[0] = 0  # which may be rounded
    return PrecisionRecallGainCurve(
        precision_gain=1 - odds * (points.fp / points.tp),
        recall_gain=recall_gain,
        thresholds=points.thresholds,
    )


class _Counts(NamedTuple):
    """True positives, false negatives, false positives and thresholds, from strict to lenient."""

    tp: Floats
    fn: Floats
    fp: Floats
    thresholds: npt.NDArray[Any]


def _from_base_recall(ranking: Ranking) -> _Counts:
    """The counts from recall pi on."""
    all_points = _Counts(
        counts_above(ranking.pos).astype(np.float64),
        # Summed from below, not subtracted from the total: small weights must not vanish.
        running_sum(ranking.pos)[::-1].astype(np.float64),
        counts_above(ranking.neg).astype(np.float64),
        thresholds_of(ranking),
    )
    positives, negatives = all_points.tp[-1], all_points.fp[-1]
    tp = positives * (positives / (positives + negatives))
    fn = positives * (negatives / (positives + negatives))
    # Distance of each point beyond recall pi, computed from the smaller count for precision.
    beyond, slack = (all_points.tp - tp, tp) if tp < fn else (fn - all_points.fn, fn)
    after = int(np.searchsorted(beyond, -_ROUNDING * slack))
    rest = _Counts(*(column[after:] for column in all_points))
    if beyond[after] <= _ROUNDING * slack:
        return rest
    part = -beyond[after - 1] / (beyond[after] - beyond[after - 1])
    before = all_points.fp[after - 1]
    start = (tp, fn, before + part * (all_points.fp[after] - before), np.nan)
    return _Counts(*(np.append(one, column) for one, column in zip(start, rest, strict=True)))
