"""Alarm of a drift detector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from roclab.result import Result

Direction = Literal["drop", "rise"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Alarm(Result):
    """A change of the AUC: its time, size and significance.

    Attributes
    ----------
    detector : str
        Class of the detector.
    direction : {"drop", "rise"}
        Whether the AUC has decreased or increased.
    event, block : int
        The event, counted from 1, and the block that raised the alarm.
    since_event : int
        Estimated start of the change: the first event of the first block that contributes.
    reference_auc, auc : float
        AUC of the reference, and of the events since `since_event`, at most the last 20,000.
    difference, low, high : float
        `auc` minus `reference_auc`, with its confidence interval. The events were selected because
        their AUC is low (or high), so the difference is exaggerated and the interval optimistic;
        see the page on drift for how much.
    confidence_level : float
        Nominal confidence level of the interval.
    n_pos, n_neg : int
        Number of positive and negative examples in `auc`.
    statistic, threshold : float
        Statistic of the detector, and the value at which it raises an alarm.
    pvalue : float or None
        `BlockDriftTest`: upper bound of the probability that an unchanged stream ever has evidence
        at least as strong.
    alpha : float or None
        `BlockDriftTest`: upper bound of the probability that an unchanged stream ever raises an
        alarm.
    average_run_length : float or None
        `BlockCUSUM`: average number of events between false alarms.
    time : object
        Time of the event, if a `StreamWatcher` received it.
    key : object
        Key of the stream, if its `StreamWatcher` has one.
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
    time: Any = None
    key: Any = None

    def __repr__(self) -> str:
        return (
            f"Alarm({self.direction} at event {self.event:,}: AUC {self.reference_auc:.3f} -> "
            f"{self.auc:.3f} since event {self.since_event:,}, statistic {self.statistic:.3g} >= "
            f"{self.threshold:.3g})"
        )
