"""What every window over a stream can do."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from roclab.inference.interval_result import Interval
from roclab.ranking import Ranking
from roclab.summary import RangeSummary

__all__ = ["StreamingAUC"]


class StreamingAUC(Protocol):
    """A window: events go in one by one, and AUC with its interval can be read at any time.

    What is not defined is nan, without a warning: a window of one class is nothing unusual.
    """

    def update(self, y_true: Any, y_score: Any, sample_weight: Any = None) -> None:
        """Take in one event."""

    def update_many(
        self, y_true: npt.ArrayLike, y_score: npt.ArrayLike, return_auc: bool = False
    ) -> npt.NDArray[np.float64] | None:
        """Take in many; gives the AUC after each if asked to."""

    def revert(self, y_true: Any, y_score: Any) -> None:
        """Take an event out again."""

    def reset(self) -> None:
        """Forget everything."""

    @property
    def auc(self) -> float:
        """Area under the ROC curve, ties half."""

    @property
    def auc_variance(self) -> float:
        """DeLong's variance of it."""

    @property
    def n_pos(self) -> int:
        """Positive events."""

    @property
    def n_neg(self) -> int:
        """Negative events."""

    @property
    def summary(self) -> RangeSummary:
        """The summary of the window's content."""

    def interval(
        self,
        method: Any = "auto",
        confidence_level: float = 0.95,
        alternative: Any = "two-sided",
    ) -> Interval:
        """The AUC with its interval."""

    def ranking(self) -> Ranking:
        """A snapshot."""

    def __len__(self) -> int: ...
