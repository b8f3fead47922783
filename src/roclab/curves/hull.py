"""The upper convex hull of the ROC curve, and its concavities."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.curves.columns import as_thresholds, counts_above, thresholds_of
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import is_undefined, warn_if_undefined
from roclab.numeric.pooling import Blocks, pool
from roclab.result import EXACT, ReadOnlyArrays, Result


@dataclass(frozen=True, kw_only=True, repr=False)
class Concavity(Result):
    """A range of scores in which the ROC curve runs below its hull.

    Attributes
    ----------
    low, high : float
        The examples in it are those with ``low <= score < high``: `high` is the threshold at which
        the curve leaves the hull (infinite, and then no limit, at the start of the curve), and
        `low` the one at which it meets the hull again.
    area : float
        Area between the hull and the curve; the whole square has area 1.
    n_pos, n_neg : int or float
        Numbers of positive and negative examples in it; with weights, sums of weights.
    pvalue : float
        p-value of a test on other data; nan without one. The data in which a concavity was found
        cannot test it.
    """

    low: float
    high: float
    area: float
    n_pos: float
    n_neg: float
    pvalue: float = math.nan


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ROCHull(Result, ReadOnlyArrays):
    """The upper convex hull of a ROC curve: its vertices, and the masses between them.

    Attributes
    ----------
    fpr, tpr : ndarray
        The vertices, points of the ROC curve, from (0, 0) to (1, 1). No three lie on a line.
    thresholds : ndarray of float
        Decreasing; the first is infinite, so nothing is called positive.
    pos, neg : ndarray
        Positive and negative mass (counts, or sums of weights) between neighbouring vertices: of
        the examples with ``thresholds[i + 1] <= score < thresholds[i]``.
    concavities : tuple of Concavity
        Where the curve runs below the hull, from high to low scores.
    auc : float
        Area under the hull.
    """

    fpr: npt.NDArray[np.float64]
    tpr: npt.NDArray[np.float64]
    thresholds: npt.NDArray[Any] = field(metadata=EXACT)
    pos: npt.NDArray[Any]
    neg: npt.NDArray[Any]
    concavities: tuple[Concavity, ...]
    auc: float

    @property
    def intervals(self) -> npt.NDArray[np.float64]:
        """The score intervals between vertices: rows of (low, high), low inside, high outside."""
        return np.column_stack((self.thresholds[1:], self.thresholds[:-1]))

    def __len__(self) -> int:
        return len(self.fpr)

    def __repr__(self) -> str:
        count = len(self.concavities)
        noun = "concavity" if count == 1 else "concavities"
        return f"ROCHull({len(self):,} vertices, {count:,} {noun}, AUC {self.auc:.3f})"


def roc_hull(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> ROCHull:
    """The upper convex hull of the ROC curve, with its concavities.

    Every point of the hull can be reached by choosing at random between two thresholds, and only
    thresholds at its vertices are optimal for some prevalence and costs.

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
    ROCHull
        If a class is missing, everything that depends on it is nan, with `UndefinedMeasureWarning`.

    Notes
    -----
    O(n log n) for the sort, then O(number of distinct scores). Counts are compared and areas
    summed in integers of any size. With weights, slopes that agree to 1.4e-14 are equal.
    Thresholds are float64; those of integer scores beyond 2**53 are Python integers, in an array
    of objects.

    References
    ----------
    F. Provost, T. Fawcett, Machine Learning 42 (2001) 203-231.
    P. Flach, S. Wu, Repairing concavities in ROC curves, IJCAI 2005.

    Examples
    --------
    >>> hull = roc_hull([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])
    >>> hull
    ROCHull(4 vertices, 1 concavity, AUC 0.778)
    >>> hull.thresholds
    array([inf, 0.9, 0.4, 0.2])
    >>> hull.concavities[0].low, hull.concavities[0].high, hull.concavities[0].n_neg
    (0.4, 0.9, 2)
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    warn_if_undefined("A ROC hull", ranking)
    if is_undefined(ranking):
        return _one_edge(ranking)
    blocks = pool(ranking.neg[::-1], ranking.pos[::-1])
    thresholds = thresholds_of(ranking)[np.concatenate(([0], blocks.end))]
    concavities = _concavities(blocks, thresholds)
    return ROCHull(
        fpr=_rates(ranking.neg, blocks.x, blocks.end),
        tpr=_rates(ranking.pos, blocks.y, blocks.end),
        thresholds=thresholds,
        pos=blocks.y.astype(ranking.pos.dtype),
        neg=blocks.x.astype(ranking.neg.dtype),
        concavities=concavities,
        auc=_area(ranking, blocks, concavities),
    )


def _rates(
    mass: npt.NDArray[Any], edges: npt.NDArray[Any], ends: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """The share of a class at each vertex, equal to that of the ROC curve with weights too."""
    if mass.dtype.kind == "f":
        above = counts_above(mass)[np.concatenate(([0], ends))]
    else:
        above = np.concatenate(([0], np.cumsum(edges)))
    return np.asarray(above / above[-1], dtype=np.float64)


def _concavities(blocks: Blocks, thresholds: npt.NDArray[np.float64]) -> tuple[Concavity, ...]:
    bent = np.flatnonzero(blocks.excess)
    square = sum(blocks.x.tolist()) * sum(blocks.y.tolist())
    columns = (thresholds[bent + 1], thresholds[bent], blocks.excess[bent])
    masses = (blocks.y[bent], blocks.x[bent])
    return tuple(
        Concavity(low=low, high=high, area=excess / (2 * square), n_pos=pos, n_neg=neg)
        for low, high, excess, pos, neg in zip(
            *(column.tolist() for column in (*columns, *masses)), strict=True
        )
    )


def _area(ranking: Ranking, blocks: Blocks, concavities: tuple[Concavity, ...]) -> float:
    """Area under the hull; with weights, that of the curve plus the concavities: never less."""
    if ranking.weighted:
        added = math.fsum(concavity.area for concavity in concavities)
        return min(1.0, ranking.summary.auc + added)
    twice = np.sum(blocks.x * (2 * np.cumsum(blocks.y) - blocks.y))
    return int(twice) / (2 * ranking.n_pos * ranking.n_neg)


def _one_edge(ranking: Ranking) -> ROCHull:
    """The hull of a single class: an edge along a side of the square, with one rate nan."""
    examples = len(ranking.scores) > 0
    ends = np.array([0.0, 1.0] if examples else [0.0])
    unknown = np.full(len(ends), np.nan)
    lowest = as_thresholds(ranking.scores[:1])
    return ROCHull(
        fpr=ends if ranking.n_neg else unknown,
        tpr=ends if ranking.n_pos else unknown,
        thresholds=np.concatenate(([np.inf], lowest)),
        pos=np.array([ranking.pos.sum()][:examples], dtype=ranking.pos.dtype),
        neg=np.array([ranking.neg.sum()][:examples], dtype=ranking.neg.dtype),
        concavities=(),
        auc=math.nan,
    )
