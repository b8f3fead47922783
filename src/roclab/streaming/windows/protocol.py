"""What every window over a stream can do."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from roclab.inference import Interval
from roclab.ranking import Ranking

__all__ = ["StreamingAUC"]


@runtime_checkable
class StreamingAUC(Protocol):
    """A sample that changes one event at a time, with its AUC at every moment.

    What is undefined, since a class is missing, is nan without a warning: one class is normal in a
    stream.
    """

    @property
    def auc(self) -> float:
        """The AUC, ties half."""

    @property
    def n_pos(self) -> int:
        """Positive events."""

    @property
    def n_neg(self) -> int:
        """Negative events."""

    def update(self, y_true: Any, y_score: Any) -> None:
        """Take an event in."""

    def interval(self) -> Interval:
        """The AUC with its confidence interval."""

    def ranking(self) -> Ranking:
        """What is there now."""
