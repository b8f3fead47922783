"""The counts behind a decision panel: exact at up to a thousand thresholds of each model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.curves import ROCHull, operating_points
from roclab.data.ranking import Ranking

MOST_THRESHOLDS = 1000


@dataclass(frozen=True, kw_only=True)
class ModelCounts:
    """A model at some of its thresholds, from strict to lenient.

    Attributes
    ----------
    name : str
        The model.
    threshold : tuple of float
        The first is infinite.
    score_below : tuple of float
        The highest score below each of them.
    tp, fp : tuple of float
        True and false positives at each of them.
    pos, neg : float
        Positives and negatives; with weights, their sums.
    effective_pos, effective_neg : float
        Their effective numbers.
    """

    name: str
    threshold: tuple[float, ...]
    score_below: tuple[float, ...]
    tp: tuple[float, ...]
    fp: tuple[float, ...]
    pos: float
    neg: float
    effective_pos: float
    effective_neg: float

    @classmethod
    def of(cls, name: str, ranking: Ranking, hull: ROCHull) -> ModelCounts:
        """Counts at the vertices of the ROC hull, where costs are lowest, and evenly between."""
        points = operating_points(ranking)
        places = _chosen(points.tp + points.fp, _hull_places(points.threshold, hull))

        def column(values: npt.NDArray[Any]) -> tuple[float, ...]:
            return tuple(values[places].tolist())

        return cls(
            name=name,
            threshold=column(points.threshold),
            score_below=column(points.score_below),
            tp=column(points.tp),
            fp=column(points.fp),
            pos=points.tp[-1].item(),
            neg=points.fp[-1].item(),
            effective_pos=ranking.summary.effective_pos,
            effective_neg=ranking.summary.effective_neg,
        )


def _hull_places(thresholds: npt.NDArray[np.float64], hull: ROCHull) -> npt.NDArray[np.intp]:
    """Places of the hull's vertices among the thresholds; evenly chosen ones if there are many."""
    vertices = np.searchsorted(-thresholds, -hull.thresholds)
    if len(vertices) > MOST_THRESHOLDS // 2:
        even = np.linspace(0, len(vertices) - 1, MOST_THRESHOLDS // 2).round().astype(np.intp)
        vertices = vertices[even]
    return np.asarray(vertices, dtype=np.intp)


def _chosen(called: npt.NDArray[Any], kept: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """At most a thousand places: those to keep, the ends, and places of evenly spaced counts."""
    if len(called) <= MOST_THRESHOLDS:
        return np.arange(len(called))
    wanted = np.linspace(0, float(called[-1]), MOST_THRESHOLDS - len(kept) - 2)
    even = np.searchsorted(called, wanted)
    chosen = np.zeros(len(called), dtype=np.bool_)
    chosen[np.concatenate((kept, even, [0, len(called) - 1]))] = True
    return np.flatnonzero(chosen)
