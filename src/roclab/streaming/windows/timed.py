"""Exact AUC of a time window over a stream."""

from __future__ import annotations

import math
import struct
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.options import number_or_nan, shown
from roclab.errors import InputError
from roclab.streaming.event_time import Clock
from roclab.streaming.events import WindowEvents, check_event
from roclab.streaming.windows.readings import Readings
from roclab.streaming.windows.state import WindowState

_COUNT = struct.Struct("<Q")


class TimeWindowAUC(_core.TimeWindow, WindowEvents, Readings, WindowState):
    """Exact AUC of the events of the last `duration` of a stream.

    The window holds the events after ``now - duration``, where `now` is the latest time seen.
    Events may arrive out of order: an event that is late by at most `lateness` is added as if it
    had arrived in time, so that the order of arrival does not matter; later events are ignored and
    counted in `n_late`. One event that is dated far ahead removes all others, unless `max_ahead`
    bounds how far an event may advance the time.

    Parameters
    ----------
    duration : float or timedelta
        Length of the window. With a timedelta, times are datetimes or datetime64, in UTC if they
        have no time zone; with a number, times are numbers in the same unit.
    lateness : float or timedelta, optional
        Maximum delay of an event, at most the duration; by default 0.
    max_ahead : float or timedelta, optional
        Maximum advance of an event beyond `now`. Events further ahead are ignored and counted in
        `n_ahead`. After a pause of the stream that is longer, `advance_to` is needed. By default
        there is no bound. The first event has none; `advance_to` before it sets the time.

    Attributes
    ----------
    n_ahead : int
        Number of events that were too far ahead and were ignored.

    Notes
    -----
    O(log n) for each event that enters or leaves. One thread may write while others read.

    Examples
    --------
    >>> window = TimeWindowAUC(10, lateness=3)
    >>> for label, score, time in [(0, 0.9, 1), (1, 0.8, 12), (0, 0.4, 14), (1, 0.4, 11)]:
    ...     window.update(label, score, time=time)
    >>> window.update(0, 0.1, time=10)
    >>> window, window.n_late
    (TimeWindowAUC(AUC 0.750, 2+ 1-), 1)
    """

    _kind, _settings_format = b"TA", struct.Struct("<?ddd")
    _version: ClassVar = 2

    def __init__(
        self,
        duration: float | timedelta,
        *,
        lateness: float | timedelta | None = None,
        max_ahead: float | timedelta | None = None,
    ) -> None:
        self._clock = Clock(dated=isinstance(duration, timedelta | np.timedelta64))
        length = self._clock.length(duration, "duration")
        late = 0.0 if lateness is None else self._clock.length(lateness, "lateness")
        if not length > 0:
            raise InputError(
                found="{duration=}{value} is out of range",
                needed="a duration above 0 is needed",
                value=shown(duration),
            )
        if not 0 <= late <= length:
            raise InputError(
                found="{lateness=}{value} is out of range",
                needed="it must lie between 0 and the duration, {length}, since later events have "
                "already left the window",
                value=shown(lateness),
                length=shown(duration),
            )
        ahead = math.inf if max_ahead is None else self._clock.length(max_ahead, "max_ahead")
        if not ahead > 0:
            raise InputError(
                found="{max_ahead=}{value} is out of range",
                needed="a duration above 0 is needed",
                fix="Omit it for no bound.",
                value=shown(max_ahead),
            )
        self._ahead = ahead
        self.n_ahead = 0
        super().__init__(length, late)

    @property
    def duration(self) -> float | timedelta:
        """Length of the window."""
        return self._clock.shown_length(self._duration)

    @property
    def lateness(self) -> float | timedelta:
        """Maximum delay of an event."""
        return self._clock.shown_length(self._lateness)

    @property
    def max_ahead(self) -> float | timedelta | None:
        """Maximum advance of an event beyond `now`; None if there is no bound."""
        return None if math.isinf(self._ahead) else self._clock.shown_length(self._ahead)

    @property
    def now(self) -> float | datetime | None:
        """The latest time seen, in UTC; None before the first event."""
        return self._clock.shown_time(self._now)

    def update(
        self, y_true: Any, y_score: Any, *, time: Any = None, sample_weight: float | None = None
    ) -> None:
        """Add an event, and remove events that are too old at its time.

        Parameters
        ----------
        y_true : bool or int
            Target label: a boolean, 0/1 or -1/1.
        y_score : float
            Finite score, higher for the positive class.
        time : number or datetime
            Time of the event, required.
        sample_weight : float, optional
            Weight of the event. Events of weight 0 only advance the time.
        """
        moment = self._clock.time(time)
        # A time that is no number is refused by the core.
        if self._ahead < math.inf and self._is_ahead(number_or_nan(moment), self._now):
            check_event(y_true, y_score, sample_weight, moment)
            self.n_ahead += 1
        else:
            self._update(y_true, y_score, moment, sample_weight)

    def _update_many(
        self,
        labels: npt.NDArray[np.uint8],
        scores: npt.NDArray[np.float64],
        weights: npt.NDArray[np.float64] | None,
        times: npt.NDArray[np.float64],
        aucs: bool,
    ) -> npt.NDArray[np.float64]:
        kept = self._not_ahead(times)
        if kept is None:
            return super()._update_many(labels, scores, weights, times, aucs)
        before = self.auc
        some = None if weights is None else weights[kept]
        found = super()._update_many(labels[kept], scores[kept], some, times[kept], aucs)
        self.n_ahead += len(kept) - int(np.count_nonzero(kept))
        # An event that is ignored leaves the AUC as it was.
        return np.concatenate([[before], found])[np.cumsum(kept)] if aucs else found

    def _not_ahead(self, times: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_] | None:
        """Return which events are not too far ahead, one after the other; None if all are."""
        if math.isinf(self._ahead):
            return None
        latest = np.maximum.accumulate(np.concatenate([[self._now], times]))[:-1]
        beyond = self._is_ahead(times, latest)
        if not beyond.any():
            return None
        # From the first one that is ignored on, the latest time depends on those before.
        first = int(np.argmax(beyond))
        kept = np.ones(len(times), np.bool_)
        now = float(latest[first])
        for place, time in enumerate(times[first:].tolist(), first):
            kept[place] = not self._is_ahead(time, now)
            if kept[place] and time > now:
                now = time
        return kept

    def _is_ahead(self, time: Any, now: Any) -> Any:
        # Before the first event, now is minus infinity.
        return (time - now > self._ahead) & (now > -math.inf)

    def _times(self, time: Any, /) -> tuple[npt.NDArray[np.float64], ...]:
        return (self._clock.times(time),)

    def reset(self) -> None:
        """Remove all events and the time."""
        super().reset()
        self.n_ahead = 0

    def advance_to(self, time: Any) -> None:
        """Advance the time without an event, by any length.

        Parameters
        ----------
        time : number or datetime
            New time. One before `now` has no effect.
        """
        self._advance(self._clock.time(time))

    def _revert(self, y_true: Any, y_score: Any, time: Any, sample_weight: Any) -> bool:
        return super()._revert(y_true, y_score, self._clock.time(time), sample_weight)

    def merge(self, other: TimeWindowAUC) -> Self:
        """Add the events of another window of the same duration, and return this one.

        The time becomes the later of both, so that the result is the window of both streams.

        Parameters
        ----------
        other : TimeWindowAUC
            Window of another worker, with the same duration, lateness and `max_ahead`. It stays
            unchanged.
        """
        if not isinstance(other, TimeWindowAUC):
            raise InputError(
                found="{other} is a {kind}",
                needed="a TimeWindowAUC merges with another TimeWindowAUC",
                kind=type(other).__name__,
            )
        if other._settings() != self._settings():
            raise InputError(
                found="This window has {settings}, {other} has {other_settings}",
                needed="windows to merge need equal settings",
                settings=self._named_settings(),
                other_settings=other._named_settings(),
            )
        self.n_ahead += other.n_ahead
        self._merge(other)
        return self

    def _named_settings(self) -> str:
        ahead = "" if self.max_ahead is None else f" and max_ahead {shown(self.max_ahead)}"
        return f"duration {shown(self.duration)} and lateness {shown(self.lateness)}{ahead}"

    def _save(self) -> bytes:
        return _COUNT.pack(self.n_ahead) + super()._save()

    def _load(self, data: bytes) -> None:
        [self.n_ahead] = _COUNT.unpack_from(data)
        super()._load(data[_COUNT.size :])
        if math.isnan(self._now):
            raise InputError(found="its time is nan")
        self._clock.shown_time(self._now)  # raises if that is not a date

    def _settings(self) -> tuple[bool, float, float, float]:
        return self._clock.dated, self._duration, self._lateness, self._ahead

    @classmethod
    def _from_settings(
        cls, dated: bool, duration: float, lateness: float, ahead: float
    ) -> TimeWindowAUC:
        show = Clock(dated=dated).shown_length
        most = None if ahead == math.inf else show(ahead)
        return cls(show(duration), lateness=show(lateness), max_ahead=most)
