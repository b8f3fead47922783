"""What a detector says when the AUC of a stream has changed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

__all__ = ["Alarm", "Direction"]

Direction = Literal["drop", "rise"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Alarm:
    """A change of the AUC: when, how large, how sure.

    Attributes
    ----------
    detector : str
        The detector's class.
    direction : {"drop", "rise"}
        Whether the AUC has fallen or risen.
    event, block : int
        The event, counted from 1, and the block that raised the alarm.
    since_event : int
        Where the change seems to have begun: the first event of the first block that counts.
    reference_auc, auc : float
        The AUC of the reference, and that of the events since `since_event`; of the last 20,000 of
        them if they are more.
    difference, low, high : float
        The second less the first, with its interval. The events were chosen because their AUC is
        low (or high), so the difference is exaggerated and the interval too optimistic; see the
        page on drift for how much.
    confidence_level : float
        Nominal level of the interval.
    n_pos, n_neg : int
        Positive and negative examples of which `auc` is that.
    statistic, threshold : float
        The detector's statistic, and the value from which on it raises an alarm.
    pvalue : float or None
        `BlockDriftTest`: the chance that an unchanged stream ever looks so much changed, at most.
    alpha : float or None
        `BlockDriftTest`: the chance of a false alarm, ever, at most.
    average_run_length : float or None
        `BlockCUSUM`: events between false alarms, on average.
    """

    detector: str
    direction: Direction
    event: int
    block: int
    since_event: int
    reference_auc: float
    auc: float
    difference: float
    low: float
    high: float
    confidence_level: float
    n_pos: int
    n_neg: int
    statistic: float
    threshold: float
    pvalue: float | None = None
    alpha: float | None = None
    average_run_length: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return asdict(self)

    def __repr__(self) -> str:
        return (
            f"Alarm({self.direction} at event {self.event:,}: AUC {self.reference_auc:.3f} -> "
            f"{self.auc:.3f} since event {self.since_event:,}, statistic {self.statistic:.3g} >= "
            f"{self.threshold:.3g})"
        )
