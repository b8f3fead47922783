"""The rows of a ranking, with their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.labels_and_scores import (
    as_labels,
    as_scores,
    as_weights,
    check_same_length,
    nan_scores,
    read_only,
)
from roclab.lazy import computed_once


@dataclass(eq=False)  # not frozen, which would take as long as the smallest sort
class RankedRows:
    """The examples of a ranking, in the order of the input.

    Attributes
    ----------
    labels : ndarray of uint8
        1 for positive.
    scores : ndarray
        Scores, in a type of the core.
    weights : ndarray or None
        None without weights.
    numbers : ndarray or None
        Which rows of the input these are; None for all.
    """

    labels: npt.NDArray[np.uint8]
    scores: npt.NDArray[Any]
    weights: npt.NDArray[np.float64] | None = None
    numbers: npt.NDArray[np.intp] | None = None

    @classmethod
    def checked(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
    ) -> RankedRows:
        """From the arguments of a public function; copies."""
        labels, scores = checked_columns(y_true, y_score, pos_label)
        rows = cls(read_only(labels, y_true), read_only(scores, y_score))
        if sample_weight is not None:
            weights = as_weights(sample_weight, len(labels))
            kept = np.flatnonzero(weights)
            rows = cls(labels[kept], scores[kept], weights[kept], kept)
        if rows.scores.dtype.kind == "f" and np.isnan(rows.scores.min(initial=np.inf)):
            raise nan_scores(rows.scores, numbers=rows.numbers)
        return rows

    @computed_once
    def order(self) -> npt.NDArray[Any]:
        """The examples by ascending score; a stable sort. Computed on first use."""
        return frozen(_core.order_rows(self.scores, _core.thread_count()))

    @computed_once
    def groups(self) -> npt.NDArray[np.uint32]:
        """The index of each example's score in `Ranking.scores`. Computed on first use."""
        steps = np.zeros(len(self.order), np.uint32)
        steps[self.starts()[1:]] = 1
        groups = np.empty_like(steps)
        groups[self.order] = np.cumsum(steps, dtype=np.uint32)
        return frozen(groups)

    def starts(self) -> npt.NDArray[np.intp]:
        """Places in `order` at which the distinct scores begin."""
        ascending = self.scores[self.order]
        first = np.ones(min(len(ascending), 1), np.bool_)
        return np.flatnonzero(np.concatenate((first, ascending[1:] != ascending[:-1])))

    @property
    def is_sorted(self) -> bool:
        """Whether `order` was computed already."""
        return "order" in vars(self)

    def grouped(self) -> tuple[npt.NDArray[Any], ...]:
        """Distinct scores, positive and negative mass, and with weights the squared masses.

        The same numbers to the last bit whether the rows are sorted already or not.
        """
        if not self.is_sorted:
            threads = _core.thread_count()
            if self.weights is not None:
                return _core.group_weighted(self.labels, self.scores, self.weights, threads)
            scores, *counts = _core.group_scores(self.labels, self.scores, threads)
            return scores, *(count.view(np.int64) for count in counts)
        starts = self.starts()
        scores = self.scores[self.order[starts]]
        if self.weights is None:
            sizes = np.diff(starts, append=len(self.order))
            pos = np.add.reduceat(self.labels[self.order], starts, dtype=np.int64)
            return scores, pos, sizes - pos
        classes = self.labels.view(np.bool_), ~self.labels.view(np.bool_)
        return scores, *(
            # In the order of the rows, as the kernel adds.
            np.bincount(self.groups[side], self.weights[side] ** power, len(scores)) * 1.0
            for power in (1, 2)
            for side in classes
        )

    def consecutive(self, sizes: npt.NDArray[np.intp]) -> list[RankedRows]:
        """The first rows, the next ones and so on, sorted together with all rows."""
        part = np.repeat(np.arange(len(sizes)), sizes)
        order = self.order[_core.order_rows(part[self.order], _core.thread_count())]
        found = []
        for end, size in zip(np.cumsum(sizes).tolist(), sizes.tolist(), strict=True):
            inside = slice(end - size, end)
            weights = None if self.weights is None else self.weights[inside]
            rows = RankedRows(self.labels[inside], self.scores[inside], weights)
            vars(rows)["order"] = frozen(order[inside] - (end - size))
            found.append(rows)
        return found

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickled arrays come back writable.
        for value in state.values():
            if value is not None:
                frozen(value)
        vars(self).update(state)


def checked_columns(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, pos_label: Any
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[Any]]:
    """Labels and scores as the core takes them; scores may be NaN."""
    labels, scores = as_labels(y_true, pos_label), as_scores(y_score)
    check_same_length(len(labels), len(scores), "y_score")
    return labels, scores


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, made read-only."""
    array.flags.writeable = False
    return array
