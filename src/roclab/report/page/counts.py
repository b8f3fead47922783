"""The counts behind a decision panel: exact at up to a thousand thresholds of each model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.curves import ROCHull, operating_points
from roclab.curves.columns import counts_above
from roclab.data.ranking import Ranking
from roclab.decisions.threshold.goal import Goal
from roclab.report.formats import threshold

MOST_THRESHOLDS = 1000


@dataclass(frozen=True, kw_only=True)
class ClassCounts:
    """Examples that are called positive at each threshold, of all examples or of a group.

    Attributes
    ----------
    tp, fp : ndarray
        True and false positives at each threshold; with weights, their sums.
    tp_squared, fp_squared : ndarray or None
        With weights, the sums of their squares.
    """

    tp: npt.NDArray[Any]
    fp: npt.NDArray[Any]
    tp_squared: npt.NDArray[Any] | None = None
    fp_squared: npt.NDArray[Any] | None = None

    @classmethod
    def of(cls, ranking: Ranking, thresholds: npt.NDArray[Any]) -> ClassCounts:
        """Counts at thresholds from strict to lenient, the first of which is infinite."""
        # All but the first are scores of the model, so that no integer is rounded.
        wanted = np.array(thresholds[1:].tolist(), dtype=ranking.scores.dtype)
        above = len(ranking.scores) - np.searchsorted(ranking.scores, wanted)

        def counted(masses: npt.NDArray[Any]) -> npt.NDArray[Any]:
            return counts_above(masses)[np.concatenate(([0], above))]

        pos_squared, neg_squared = ranking.pos_squared, ranking.neg_squared
        return cls(
            tp=counted(ranking.pos),
            fp=counted(ranking.neg),
            tp_squared=None if pos_squared is None else counted(pos_squared),
            fp_squared=None if neg_squared is None else counted(neg_squared),
        )

    def to_dict(self) -> dict[str, list[float]]:
        """The growth of each count from threshold to threshold, which is short to write."""
        columns = {
            "tp": self.tp,
            "fp": self.fp,
            "tpSquared": self.tp_squared,
            "fpSquared": self.fp_squared,
        }
        return {
            name: np.diff(column, prepend=column[:1] * 0).tolist()
            for name, column in columns.items()
            if column is not None
        }


@dataclass(frozen=True, kw_only=True)
class ModelCounts:
    """A model at some of its thresholds, from strict to lenient.

    Attributes
    ----------
    name : str
        The model.
    thresholds : ndarray
        The first is infinite: nothing is called positive.
    texts : tuple of str
        The thresholds with as many digits as call the same examples positive.
    counts : ClassCounts
        Of all examples.
    groups : tuple of ClassCounts
        Of the examples of each group.
    """

    name: str
    thresholds: npt.NDArray[Any]
    texts: tuple[str, ...]
    counts: ClassCounts
    groups: tuple[ClassCounts, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        ranking: Ranking,
        hull: ROCHull,
        groups: Mapping[Any, Ranking] | None = None,
        goals: Sequence[Goal] = (),
    ) -> ModelCounts:
        """Counts at the best thresholds for these goals, at the hull, and evenly between.

        The vertices of the ROC hull are the thresholds that have the lowest cost for some costs.
        """
        points = operating_points(ranking)
        best = [int(goal.best(points.fpr, points.tpr)) for goal in goals]
        kept = np.concatenate((_hull_places(points.threshold, hull), np.array(best, np.intp)))
        places = _chosen(points.tp + points.fp, kept[kept >= 0])
        thresholds, below = points.threshold[places], points.score_below[places]
        return cls(
            name=name,
            thresholds=thresholds,
            texts=("above all scores", *map(_text, thresholds.tolist()[1:], below.tolist()[1:])),
            counts=ClassCounts.of(ranking, thresholds),
            groups=tuple(ClassCounts.of(one, thresholds) for one in (groups or {}).values()),
        )

    def to_dict(self) -> dict[str, Any]:
        """What the panel reads."""
        return {
            "name": self.name,
            "threshold": list(self.texts),
            **self.counts.to_dict(),
            "groups": [one.to_dict() for one in self.groups],
        }


def _text(value: float, below: float) -> str:
    return "any score" if value == -math.inf else threshold(value, below)


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
