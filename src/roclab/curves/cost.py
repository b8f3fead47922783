"""The cost curve: the cost of the best threshold, for every prevalence and ratio of costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import shown
from roclab.curves.hull import roc_hull
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import is_undefined, warn_if_undefined
from roclab.errors import InputError
from roclab.result import EXACT, ReadOnlyArrays, Result


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostCurve(Result, ReadOnlyArrays):
    """The lowest normalized expected cost at every probability-cost: piecewise linear.

    With prevalence p, cost a of a false positive and cost b of a false negative, the
    *probability-cost* is ``p b / (p b + (1 - p) a)``, and the expected cost per example, divided
    by ``p b + (1 - p) a``, is the *normalized expected cost*.

    Attributes
    ----------
    probability_cost : ndarray
        The ends of the pieces, from 0 to 1.
    cost : ndarray
        Normalized expected cost at each of them.
    thresholds : ndarray
        The best threshold on each piece, decreasing; one fewer than ends.
    fpr, tpr : ndarray
        The rates at each of these thresholds: vertices of the ROC hull.
    """

    probability_cost: npt.NDArray[np.float64]
    cost: npt.NDArray[np.float64]
    thresholds: npt.NDArray[Any] = field(metadata=EXACT)
    fpr: npt.NDArray[np.float64]
    tpr: npt.NDArray[np.float64]

    def at(self, probability_cost: float) -> float:
        """Normalized expected cost of the best threshold at a probability-cost.

        Parameters
        ----------
        probability_cost : float
            Probability-cost, between 0 and 1.
        """
        return float(np.interp(_share(probability_cost), self.probability_cost, self.cost))

    def threshold_at(self, probability_cost: float) -> float:
        """The best threshold at a probability-cost; the stricter one of two equally good ones.

        Parameters
        ----------
        probability_cost : float
            Probability-cost, between 0 and 1.
        """
        inner = self.probability_cost[1:-1]
        threshold: float = self.thresholds.item(
            int(np.searchsorted(inner, _share(probability_cost)))
        )
        return threshold

    def area(self) -> float:
        """Area under the curve: the mean cost if every probability-cost is equally likely."""
        widths = np.diff(self.probability_cost)
        return float(np.sum(widths * (self.cost[1:] + self.cost[:-1])) / 2)

    def __len__(self) -> int:
        return len(self.thresholds)

    def __repr__(self) -> str:
        pieces = "piece" if len(self) == 1 else "pieces"
        return f"CostCurve({len(self):,} {pieces}, highest cost {np.max(self.cost):.3f})"


def cost_curve(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> CostCurve:
    """The cost curve: the lower envelope of the cost lines of all thresholds.

    Each threshold is a line, from its false positive rate at probability-cost 0 to its false
    negative rate at 1. The vertices of the ROC hull are the lines of the envelope, and the slopes
    of the hull's edges its corners. To call everything, or nothing, positive is included.

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
    CostCurve
        One piece of nan, with `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    O(n log n).

    References
    ----------
    C. Drummond, R. C. Holte, Cost curves, Machine Learning 65 (2006) 95-130.

    Examples
    --------
    >>> curve = cost_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> curve
    CostCurve(2 pieces, highest cost 0.250)
    >>> curve.probability_cost, curve.cost
    (array([0. , 0.5, 1. ]), array([0.  , 0.25, 0.  ]))
    >>> curve.thresholds
    array([0.8, 0.4])
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    warn_if_undefined("A cost curve", ranking)
    if is_undefined(ranking):
        ends, cost, unknown = np.array([0.0, 1.0]), np.full(2, np.nan), np.full(1, np.nan)
        return CostCurve(
            probability_cost=ends, cost=cost, thresholds=unknown, fpr=unknown, tpr=unknown
        )
    hull = roc_hull(ranking)
    right, up = hull.neg / hull.neg.sum(), hull.pos / hull.pos.sum()
    ends = np.concatenate(([0.0], right / (right + up), [1.0]))
    # A hull that starts vertically, or ends horizontally, has a vertex that is nowhere best.
    wide = ends[1:] > ends[:-1]
    ends = np.concatenate((ends[:1], ends[1:][wide]))
    fpr, tpr, thresholds = hull.fpr[wide], hull.tpr[wide], hull.thresholds[wide]
    cost = np.concatenate((fpr[:1], (1 - tpr) * ends[1:] + fpr * (1 - ends[1:])))
    return CostCurve(probability_cost=ends, cost=cost, thresholds=thresholds, fpr=fpr, tpr=tpr)


def _share(probability_cost: float) -> float:
    if not 0 <= probability_cost <= 1:
        raise InputError(
            found="{probability_cost=}{value} is out of range",
            needed="a number between 0 and 1 is needed",
            fix="With prevalence p and costs a, b of a false positive and negative, pass "
            "p b / (p b + (1 - p) a).",
            value=shown(probability_cost),
        )
    return probability_cost
