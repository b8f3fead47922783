"""Monitoring of a stream: regular readings of a window, and alarms."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

from roclab.inference import Interval
from roclab.ranking import Ranking
from roclab.result import Result
from roclab.streaming.drift.alarm import Alarm
from roclab.streaming.drift.blocks import BlockCutter, BlockRule
from roclab.streaming.drift.detector import BlockDetector

_LEAST = 2  # examples of each class: with fewer a reference has no variance


@dataclass(frozen=True, kw_only=True)
class StreamStep(Result):
    """Reading of the window after an event.

    Attributes
    ----------
    event : int
        Number of events so far.
    auc, low, high : float
        AUC of the window and its confidence interval; nan if a class is missing.
    confidence_level : float
        Confidence level of the interval.
    n_pos, n_neg : int
        Number of positive and negative events in the window.
    statistic, threshold : float or None
        Statistic and threshold of the detector; None if there is no detector yet.
    """

    event: int
    auc: float
    low: float
    high: float
    confidence_level: float
    n_pos: int
    n_neg: int
    statistic: float | None = None
    threshold: float | None = None


class StreamWatcher:
    """A window and a drift detector, whose reference is given or made of the first events.

    Parameters
    ----------
    window : StreamingAUC
        Window that receives the events.
    every : int
        Number of events between two steps.
    confidence_level : float
        Confidence level of the intervals.
    detector : BlockDetector, optional
        Drift detector.
    reference_events : int, default 0
        Without a detector: number of first events that form its reference; more if a class is
        missing.
    make_detector : callable, optional
        Creates the detector from the reference.
    quiet_events : int, default 0
        Number of events after an alarm in which further alarms are suppressed: a persistent change
        raises one alarm after another.
    key : hashable, optional
        Name of the stream, for its alarms.

    Examples
    --------
    >>> from roclab import BlockDriftTest, WindowAUC
    >>> watcher = StreamWatcher(WindowAUC(100), every=2, detector=BlockDriftTest(0.9))
    >>> watcher.update(1, 0.8), watcher.update(0, 0.3)[0].auc
    ((), 1.0)
    """

    def __init__(
        self,
        window: Any,
        *,
        every: int,
        confidence_level: float = 0.95,
        detector: BlockDetector | None = None,
        reference_events: int = 0,
        make_detector: Callable[[Ranking], BlockDetector] | None = None,
        quiet_events: int = 0,
        key: Hashable = None,
    ) -> None:
        self._window = window
        self.key = key
        self.every = every
        self._level = confidence_level
        self._make_detector = make_detector if detector is None and reference_events else None
        # The reference is a block, too: it waits for both classes, in bounded memory.
        rule = BlockRule(least=_LEAST, events=max(reference_events, 2 * _LEAST))
        self._first = BlockCutter(rule)
        self._reference_events = rule.events
        self._skipped = 0
        self._quiet_events = quiet_events
        self._quiet_until = 0
        self.detector = detector
        self.event = 0
        self.alarms = 0

    def update(
        self,
        y_true: Any,
        y_score: Any,
        *,
        time: Any = None,
        sample_weight: float | None = None,
    ) -> tuple[StreamStep | Alarm, ...]:
        """Add an event; return the alarm and the step that follow, if any."""
        self._window.update(y_true, y_score, time=time, sample_weight=sample_weight)
        self.event += 1
        found: list[StreamStep | Alarm] = []
        alarm = self._detect(y_true, y_score)
        if alarm is not None and self.event >= self._quiet_until:
            self._quiet_until = self.event + self._quiet_events
            self.alarms += 1
            found.append(replace(alarm, time=time, key=self.key))
        if self.event % self.every == 0:
            found.append(self.step())
        return tuple(found)

    @property
    def reference_missing(self) -> int:
        """Number of events until the reference is complete, if no class is missing."""
        waits = self._make_detector is not None and self.detector is None
        return max(1, self._reference_events - self._first.event) if waits else 0

    def step(self) -> StreamStep:
        """Return the current reading of the window."""
        interval: Interval = self._window.interval(confidence_level=self._level)
        return StreamStep(
            event=self.event,
            auc=interval.value,
            low=interval.low,
            high=interval.high,
            confidence_level=self._level,
            n_pos=interval.n_pos,
            n_neg=interval.n_neg,
            statistic=None if self.detector is None else self.detector.statistic,
            threshold=None if self.detector is None else self.detector.threshold,
        )

    def __repr__(self) -> str:
        alarms = f"{self.alarms:,} alarm{'s' * (self.alarms != 1)}"
        return f"StreamWatcher({self._window!r}, {self.event:,} events, {alarms})"

    def _detect(self, y_true: Any, y_score: Any) -> Alarm | None:
        if self.detector is not None:
            alarm = self.detector.update(y_true, y_score)
            # Count events from the start of the stream, not of the detector.
            return None if alarm is None else _shifted(alarm, self._skipped)
        if self._make_detector is not None:
            block = self._first.add(y_true, y_score)
            if block is not None:
                self.detector = self._make_detector(Ranking(block.labels, block.scores))
                self._skipped = block.last_event
        return None


def _shifted(alarm: Alarm, events: int) -> Alarm:
    return replace(alarm, event=alarm.event + events, since_event=alarm.since_event + events)
