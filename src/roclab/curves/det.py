"""The detection error tradeoff curve."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.curves.columns import counts_above, threshold_range, thresholds_of
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import is_undefined, warn_if_undefined
from roclab.numeric.sums import running_sum
from roclab.result import EXACT, ReadOnlyArrays, Result

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DETCurve(Result, ReadOnlyArrays):
    """False positive and false negative rates, from the strictest threshold to the most lenient.

    Attributes
    ----------
    fpr : ndarray
        Share of negatives at or above the threshold; never decreasing.
    fnr : ndarray
        Share of positives below the threshold; never increasing.
    thresholds : ndarray of float
        Decreasing; the first is infinite if a negative has the highest score.
    """

    fpr: Floats
    fnr: Floats
    thresholds: npt.NDArray[Any] = field(metadata=EXACT)

    def __len__(self) -> int:
        return len(self.fpr)

    def __repr__(self) -> str:
        points = f"{len(self):,} point{'s' * (len(self) != 1)}"
        ends = threshold_range(self.thresholds)
        return f"DETCurve({points}, thresholds {ends})"


def det_curve(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> DETCurve:
    """The detection error tradeoff curve: both error rates, one point per distinct score.

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
    DETCurve
        From the lowest threshold without false positives to the highest without false negatives:
        others have the same error of one kind and more of the other. A single point of nan, with
        `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    O(n log n). The points are those of scikit-learn's `det_curve` in reverse order, that of
    `roc_curve`. `plot` draws both rates as normal deviates: the curve is straight if the scores of
    both classes are normal.

    References
    ----------
    A. Martin, G. Doddington, T. Kamm, M. Ordowski, M. Przybocki, The DET curve in assessment of
    detection task performance, Eurospeech (1997) 1895-1898.

    Examples
    --------
    >>> curve = det_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> curve.fpr, curve.fnr
    (array([0. , 0.5]), array([0.5, 0. ]))
    >>> curve.thresholds
    array([0.8, 0.4])
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    warn_if_undefined("A detection error tradeoff curve", ranking, undefined="Every rate")
    if is_undefined(ranking):
        unknown = np.full(1, np.nan)
        return DETCurve(fpr=unknown, fnr=unknown, thresholds=unknown)
    false_positives = counts_above(ranking.neg)
    # Summed from below, not subtracted from the total: small weights must not vanish.
    false_negatives = running_sum(ranking.pos)[::-1]
    last_without_false_positives = int(np.argmax(ranking.neg[::-1] > 0))
    first_without_false_negatives = len(ranking.scores) - int(np.argmax(ranking.pos > 0))
    kept = slice(last_without_false_positives, first_without_false_negatives + 1)
    return DETCurve(
        fpr=false_positives[kept] / false_positives[-1],
        fnr=false_negatives[kept] / false_negatives[0],
        thresholds=thresholds_of(ranking)[kept],
    )
