"""Monitoring of a stream: regular readings of a window, and alarms."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal, Self

from roclab.checks.options import check_count, check_level, shown
from roclab.data.serialization import Serializable, checked_counts, packed, unpacked
from roclab.errors import EventNotFoundError, InputError, ShortReferenceError
from roclab.inference import Interval
from roclab.result import Result
from roclab.streaming.drift.alarm import Alarm
from roclab.streaming.drift.blocks import Block, BlockCutter, BlockRule
from roclab.streaming.drift.cusum import BlockCUSUM
from roclab.streaming.drift.detector import refuse_weights
from roclab.streaming.drift.e_detector import BlockEDetector
from roclab.streaming.drift.reference import DriftReference, least_events
from roclab.streaming.drift.settings import DetectorSettings
from roclab.streaming.windows.kinds import WINDOWS, kind_of
from roclab.streaming.windows.protocol import StreamingAUC, is_window

_LEAST = 2  # examples of each class in a reference
_MOST = 1_000_000  # events of a reference that grows
_QUIET = 1000  # events after an alarm, if the window has no size
# What can be restored, by the name of its class.
_KINDS = WINDOWS | {one.__name__: one for one in (BlockCUSUM, BlockEDetector)}

NotWatched = Literal[
    "no detector",
    "reference incomplete",
    "too few positives",
    "too few negatives",
    "no complete block",
]


@dataclass(frozen=True, kw_only=True, repr=False)
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


class StreamWatcher(Serializable):
    """A window and a drift detector, with a given reference or one made of the first events.

    Parameters
    ----------
    window : StreamingAUC
        Window that receives the events.
    every : int
        Number of events between two steps.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for each interval by itself.
    detector : BlockEDetector or BlockCUSUM, optional
        Drift detector.
    reference_events : int or None, default 0
        Without a detector: number of first events that form its reference; more if a class is
        missing. None: 300, and more for as long as they are too few for `DriftReference`; of more
        than a million, the last. 0: no detector. If a given number is too small, `update` raises
        the `ShortReferenceError` that says how many are needed, and the reference begins again with
        the next event.
    detector_settings : DetectorSettings, optional
        Settings of the detector that is made of these events. By default those of
        ``BlockEDetector(DriftReference(y_true, y_score))``.
    quiet_events : int, optional
        Number of events after an alarm in which further alarms are suppressed: a persistent change
        raises one alarm after another. By default the size of the window, or 1,000 if it has none.
    key : hashable, optional
        Name of the stream, for its alarms.

    Attributes
    ----------
    event, alarms : int
        Number of events that were added, and of alarms that were not suppressed. `revert` changes
        neither: an event number is never used again.
    detector : BlockEDetector, BlockCUSUM or None
        The detector; None while it has no reference.
    reference : DriftReference or None
        Reference made of the first events, once it is complete. It is not part of the bytes.
    reference_error : ShortReferenceError or None
        Why the first events are no reference yet.

    Examples
    --------
    >>> from roclab import BlockEDetector, WindowAUC
    >>> watcher = StreamWatcher(WindowAUC(100), every=2, detector=BlockEDetector(0.9))
    >>> watcher.update(1, 0.8), watcher.update(0, 0.3)[0].auc
    ((), 1.0)
    """

    _kind: ClassVar = b"SR"
    _version: ClassVar = 3

    def __init__(
        self,
        window: StreamingAUC,
        *,
        every: int,
        confidence_level: float = 0.95,
        detector: BlockEDetector | BlockCUSUM | None = None,
        reference_events: int | None = 0,
        detector_settings: DetectorSettings | None = None,
        quiet_events: int | None = None,
        key: Hashable = None,
    ) -> None:
        if not is_window(window):
            raise InputError(
                found="{window} is {value}",
                needed="a window is needed",
                fix="Pass for example WindowAUC(1000).",
                value=shown(window),
            )
        if detector is not None:
            _check_detector(detector)
        self._window: Any = window
        self.key = key
        self.every = check_count("every", every)
        self._level = check_level(confidence_level)
        self._settings = self._checked_settings(detector, reference_events, detector_settings)
        self._grows = reference_events is None
        first = least_events() if reference_events is None else reference_events
        self._waits = detector is None and first != 0
        self._expect(check_count("reference_events", first, 0))
        self._skipped = 0
        quiet = getattr(window, "size", _QUIET) if quiet_events is None else quiet_events
        self._quiet_events = check_count("quiet_events", quiet, 0)
        self._quiet_until = 0
        self.detector = detector
        self.reference: DriftReference | None = None
        self.reference_error: ShortReferenceError | None = None
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
        """Add an event, and return the alarm and the step that follow, if any.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event, for the window and for alarms.
        sample_weight : float, optional
            Weight of the event. Detectors take no weights, so only without a detector.
        """
        if self._waits or self.detector is not None:
            refuse_weights(sample_weight)
        self._window.update(y_true, y_score, time=time, sample_weight=sample_weight)
        self.event += 1
        found: list[StreamStep | Alarm] = []
        alarm = self._detect(y_true, y_score, time)
        if alarm is not None and self.event >= self._quiet_until:
            self._quiet_until = self.event + self._quiet_events
            self.alarms += 1
            found.append(replace(alarm, key=self.key))
        if self.event % self.every == 0:
            found.append(self.step())
        return tuple(found)

    def revert(
        self,
        y_true: Any,
        y_score: Any,
        *,
        time: Any = None,
        sample_weight: float | None = None,
    ) -> None:
        """Remove the newest event that was added with these arguments, wherever it still counts.

        To correct a label, revert the event with the old label, and update with the new one.

        - **The window** removes it as its own `revert` does: events that it had displaced do not
          return.
        - **The detector** removes it from its incomplete block, or from the reference that is
          incomplete, as if it had never been added. Complete blocks and a complete reference have
          been used, and stay as they are; so does the estimate of how many events a growing
          reference needs.

        It suffices that one of them holds the event: a block may reach back further than the
        window. Event numbers count what was added, so no step or alarm changes its number.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : object, optional
            Time of the event; required by a `TimeWindowAUC`. A detector removes an event of this
            time, or of any time without it.
        sample_weight : float, optional
            Weight of the event.

        Raises
        ------
        EventNotFoundError
            Neither the window nor the detector nor the incomplete reference holds such an event;
            nothing has changed.
        """
        if self._waits or self.detector is not None:
            refuse_weights(sample_weight)
        missing = None
        try:
            self._window.revert(y_true, y_score, time=time, sample_weight=sample_weight)
        except EventNotFoundError as error:
            missing = error
        if not self._forget(y_true, y_score, time) and missing is not None:
            raise missing

    @property
    def not_watched(self) -> NotWatched | None:
        """Why no alarm was possible so far; None once the detector has tested a block.

        There is no detector; or its reference is incomplete, has too few positives or has too few
        negatives; or its first block is incomplete.
        """
        if self.detector is not None:
            return None if self.detector.n_blocks else "no complete block"
        if not self._waits:
            return "no detector"
        if self._first.waiting < self._reference_events:
            return "reference incomplete"
        return "too few positives" if self._first.waiting_pos < _LEAST else "too few negatives"

    @property
    def reference_missing(self) -> int:
        """Number of events until the reference is complete, if no class is missing."""
        return max(1, self._reference_events - self._first.waiting) if self._waits else 0

    @property
    def watched_events(self) -> int:
        """Number of events that the detector has received, without those of its reference."""
        return 0 if self.detector is None else self.event - self._skipped

    def step(self) -> StreamStep:
        """The current reading of the window."""
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
        found = self.not_watched or f"{self.alarms:,} alarm{'s' * (self.alarms != 1)}"
        return f"StreamWatcher({self._window!r}, {self.event:,} events, {found})"

    @staticmethod
    def _checked_settings(detector: Any, reference_events: Any, settings: Any) -> DetectorSettings:
        """Return the settings of the detector to make, or their defaults."""
        if settings is None:
            return DetectorSettings()
        if not isinstance(settings, DetectorSettings):
            raise InputError(
                found="{detector_settings} is {value}",
                needed="DetectorSettings are needed",
                fix="Pass for example DetectorSettings(average_run_length=1e5).",
                value=shown(settings),
            )
        if detector is not None or reference_events == 0:
            raise InputError(
                found="{detector_settings} are those of a detector that is made of first events, "
                "and this one is not",
                fix="Pass {reference_events}, and no {detector}; or omit {detector_settings}.",
            )
        return settings

    def _content(self) -> bytes:
        parts = [self._window] if self.detector is None else [self._window, self.detector]
        kinds = [kind_of(part, type(self).__name__, _KINDS) for part in parts]
        expected = self._reference_events if self._waits else 0
        settings = [self.every, self._level, expected, self.key, self._grows]
        made = list(self._settings.to_dict().values()) if self._waits else None
        counts = [self._quiet_events, self._quiet_until, self._skipped, self.event, self.alarms]
        numbers, waiting = self._first.state()
        saved = [part.to_bytes() for part in parts]
        return packed([kinds, settings, made, counts, numbers], [*waiting, *saved])

    @classmethod
    def _restored(cls, content: bytes, *_: Any) -> Self:
        (kinds, settings, made, counts, numbers), parts = unpacked(content)
        every, level, expected, key, grows = settings
        saved = zip(kinds, parts[2:], strict=True)
        window, *detector = (_KINDS[kind].from_bytes(part) for kind, part in saved)
        watcher = cls(
            window,
            every=every,
            confidence_level=level,
            detector=detector[0] if detector else None,
            reference_events=checked_counts([expected])[0],
            detector_settings=None if made is None else _settings_of(made),
            key=key,
        )
        watcher._grows = bool(grows)
        watcher._first.restore(numbers, parts[:2])
        watcher._quiet_events, watcher._quiet_until, watcher._skipped = checked_counts(counts[:3])
        watcher.event, watcher.alarms = checked_counts(counts[3:])
        return watcher

    def _detect(self, y_true: Any, y_score: Any, time: Any) -> Alarm | None:
        if self.detector is not None:
            alarm = self.detector.update(y_true, y_score, time=time)
            # Count events from the start of the stream, not of the detector.
            return None if alarm is None else _shifted(alarm, self._skipped)
        if self._waits:
            block = self._first.add(y_true, y_score, time)
            if block is not None:
                self._begin(block)
        return None

    def _forget(self, y_true: Any, y_score: Any, time: Any) -> bool:
        """Remove an event from the incomplete reference or block; whether it was there."""
        if self._waits:
            return self._first.remove(y_true, y_score, time)
        if self.detector is None:
            return False
        try:
            self.detector.revert(y_true, y_score, time=time)
        except EventNotFoundError:
            return False
        return True

    def _begin(self, first: Block) -> None:
        """Make the detector of the first events, or let a reference grow that is too short."""
        try:
            reference = self._settings.make_reference(first.labels, first.scores)
            self.detector = self._settings.make_detector(reference)
        except ShortReferenceError as error:
            if not self._grows:
                raise
            self.reference_error = error
            enough = max(error.events_needed, len(first.labels) + 1)
            kept = slice(0 if enough <= _MOST else -(_MOST // 2), None)
            self._expect(min(enough, _MOST))
            again = first.labels[kept], first.scores[kept], first.times[kept]
            tuple(self._first.add_checked(*again))  # completes none
        else:
            self.reference = reference
            self._waits, self.reference_error = False, None
            self._skipped = self.event

    def _expect(self, events: int) -> None:
        """Wait for a reference of `events` events."""
        # It is a block, too: it waits for both classes, in bounded memory.
        rule = BlockRule(least=_LEAST, events=max(events, 2 * _LEAST))
        self._first = BlockCutter(rule)
        self._reference_events = rule.events


def _check_detector(detector: Any) -> None:
    if not isinstance(detector, BlockEDetector | BlockCUSUM):
        raise InputError(
            found="{detector} is {value}",
            needed="a BlockEDetector or BlockCUSUM is needed",
            fix="To have one made of the first events, pass {reference_events}.",
            value=shown(detector),
        )
    detector._check_blocks(whole=False)  # a watcher has single events


def _settings_of(values: list[Any]) -> DetectorSettings:
    names = [one.name for one in fields(DetectorSettings)]
    return DetectorSettings(**dict(zip(names, values, strict=True)))


def _shifted(alarm: Alarm, events: int) -> Alarm:
    return replace(alarm, event=alarm.event + events, since_event=alarm.since_event + events)
