"""Protocol of all windows over a stream."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from roclab.data.ranking import Ranking
from roclab.inference import Interval


def is_window(value: Any) -> bool:
    """Whether a value is a window, and not the class of one, which has its methods, too."""
    return isinstance(value, StreamingAUC) and not isinstance(value, type)


@runtime_checkable
class StreamingAUC(Protocol):
    """A sample that changes one event at a time, with its current AUC.

    Values that are undefined because a class is missing are nan without a warning: one class is
    normal in a stream.
    """

    @property
    def auc(self) -> float:
        """The AUC; ties count half."""

    @property
    def n_pos(self) -> int:
        """Number of positive events."""

    @property
    def n_neg(self) -> int:
        """Number of negative events."""

    def update(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: float | None = None
    ) -> None:
        """Add an event.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event; required and used by windows of a duration only.
        sample_weight : float, optional
            Weight of the event. Events of weight 0 are ignored.
        """

    def revert(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: float | None = None
    ) -> None:
        """Remove the newest event that was added with these arguments.

        Events that it had removed from the window do not return. If the window holds no such
        event, it stays unchanged, and `EventNotFoundError` is raised.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event; required and used by windows of a duration only.
        sample_weight : float, optional
            Weight of the event.
        """

    def reset(self) -> None:
        """Remove all events."""

    def interval(self) -> Interval:
        """The AUC with its confidence interval."""

    def ranking(self) -> Ranking:
        """The current content as a `Ranking`."""
