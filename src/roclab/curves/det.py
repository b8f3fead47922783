"""The detection error tradeoff curve."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from roclab.curves.columns import counts_above, threshold_range, thresholds_of
from roclab.curves.curve import curve
from roclab.data.ranking import Ranking
from roclab.numeric.sums import running_sum
from roclab.ranking_arguments import RankingArguments, lacks
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


@curve(title="A detection error tradeoff curve", undefined="Every rate")
def det_curve(ranking: Ranking, **_: Unpack[RankingArguments]) -> DETCurve:
    """The detection error tradeoff curve: both error rates, one point per distinct score.

    Parameters
    ----------
    {arguments}

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
    if lacks(ranking):
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
