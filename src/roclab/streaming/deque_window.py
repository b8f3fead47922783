"""STAND-IN for `roclab.streaming.window`: the same answers, slowly. To be removed by its merge."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.inference.auc import unwarned_interval
from roclab.inference.interval_result import Interval
from roclab.ranking import Ranking
from roclab.streaming.single_event import checked_event
from roclab.summary import RangeSummary

__all__ = ["WindowAUC"]


class WindowAUC:
    """The AUC of the last `size` events."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._events: deque[tuple[bool, Any, float | None]] = deque(maxlen=size)

    def update(self, y_true: Any, y_score: Any, sample_weight: Any = None) -> None:
        """Take in one event."""
        self._events.append((*checked_event(y_true, y_score), sample_weight))

    def update_many(
        self, y_true: npt.ArrayLike, y_score: npt.ArrayLike, return_auc: bool = False
    ) -> npt.NDArray[np.float64] | None:
        """Take in many events."""
        values = []
        for label, score in zip(np.asarray(y_true), np.asarray(y_score), strict=True):
            self.update(label, score)
            if return_auc:
                values.append(self.auc)
        return np.array(values) if return_auc else None

    def revert(self, y_true: Any, y_score: Any) -> None:
        """Take an event out again."""
        self._events.remove((*checked_event(y_true, y_score), None))

    def reset(self) -> None:
        """Forget everything."""
        self._events.clear()

    def ranking(self) -> Ranking:
        """A snapshot."""
        labels = [event[0] for event in self._events]
        weights = [event[2] for event in self._events]
        scores = np.array([event[1] for event in self._events], dtype=float)
        if any(weight is not None for weight in weights):
            given = [1.0 if weight is None else weight for weight in weights]
            return Ranking(np.array(labels, bool), scores, sample_weight=given)
        return Ranking(np.array(labels, bool), scores)

    @property
    def summary(self) -> RangeSummary:
        """The summary of the window's content."""
        return self.ranking().summary

    @property
    def auc(self) -> float:
        """Area under the ROC curve."""
        return self.summary.auc

    @property
    def auc_variance(self) -> float:
        """DeLong's variance of it."""
        return self.summary.auc_variance

    @property
    def n_pos(self) -> int:
        """Positive events."""
        return sum(event[0] for event in self._events)

    @property
    def n_neg(self) -> int:
        """Negative events."""
        return len(self) - self.n_pos

    def interval(
        self,
        method: Any = "auto",
        confidence_level: float = 0.95,
        alternative: Any = "two-sided",
    ) -> Interval:
        """The AUC with its interval."""
        return unwarned_interval(
            self.summary, method=method, confidence_level=confidence_level, alternative=alternative
        )

    def __len__(self) -> int:
        return len(self._events)
