"""Exact AUC of a time window over a stream."""

from __future__ import annotations

import math
import struct
from datetime import datetime, timedelta
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.options import shown
from roclab.errors import InputError
from roclab.streaming.event_time import Clock
from roclab.streaming.events import WindowEvents
from roclab.streaming.windows.readings import Readings
from roclab.streaming.windows.state import WindowState


class TimeWindowAUC(_core.TimeWindow, WindowEvents, Readings, WindowState):
    """Exact AUC of the events of the last `duration` of a stream.

    The window holds the events after ``now - duration``, where `now` is the latest time seen.
    Events may arrive out of order: an event that is late by at most `lateness` is added as if it
    had arrived in time, so that the order of arrival does not matter; later events are ignored and
    counted in `n_late`.

    Parameters
    ----------
    duration : float or timedelta
        Length of the window. With a timedelta, times are datetimes or datetime64, in UTC if they
        have no time zone; with a number, times are numbers in the same unit.
    lateness : float or timedelta, optional
        Maximum delay of an event, at most the duration; by default 0.

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

    _kind, _settings_format = b"TA", struct.Struct("<?dd")

    def __init__(
        self, duration: float | timedelta, *, lateness: float | timedelta | None = None
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
        self._update(y_true, y_score, self._clock.time(time), sample_weight)

    def _times(self, time: Any, /) -> tuple[npt.NDArray[np.float64], ...]:
        return (self._clock.times(time),)

    def advance_to(self, time: Any) -> None:
        """Advance the time without an event.

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
            Window of another worker, with the same duration and lateness. It stays unchanged.
        """
        if not isinstance(other, TimeWindowAUC):
            raise InputError(
                found="{other} is a {kind}",
                needed="a TimeWindowAUC merges with another TimeWindowAUC",
                kind=type(other).__name__,
            )
        if other._settings() != self._settings():
            raise InputError(
                found="This window has duration {duration} and lateness {lateness}, {other} has "
                "{other_duration} and {other_lateness}",
                needed="windows to merge need equal settings",
                duration=shown(self.duration),
                lateness=shown(self.lateness),
                other_duration=shown(other.duration),
                other_lateness=shown(other.lateness),
            )
        self._merge(other)
        return self

    def _load(self, data: bytes) -> None:
        super()._load(data)
        if math.isnan(self._now):
            raise InputError(found="its time is nan")
        self._clock.shown_time(self._now)  # raises if that is not a date

    def _settings(self) -> tuple[bool, float, float]:
        return self._clock.dated, self._duration, self._lateness

    @classmethod
    def _from_settings(cls, dated: bool, duration: float, lateness: float) -> TimeWindowAUC:
        show = Clock(dated=dated).shown_length
        return cls(show(duration), lateness=show(lateness))
