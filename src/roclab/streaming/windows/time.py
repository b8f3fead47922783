"""The AUC of the last so much time, exact at every event."""

from __future__ import annotations

import math
import struct
from datetime import datetime, timedelta
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.errors import InputError
from roclab.streaming.event_time import Clock
from roclab.streaming.events import in_parts, not_there
from roclab.streaming.state import Stored
from roclab.streaming.windows.readings import Readings

__all__ = ["TimeWindowAUC"]


class TimeWindowAUC(_core.TimeWindow, Readings, Stored):
    """The AUC of the events of the last `duration` of a stream, exact at every event.

    In the window is what happened after ``now - duration``, where `now` is the latest time seen.
    Events may come out of order: one that is late by no more than `lateness` takes its place as if
    it had come in time, so that the order of arrival makes no difference; one that is later is left
    out and counted in `n_late`.

    Parameters
    ----------
    duration : float or timedelta
        How far back the window reaches. As a timedelta, times are datetimes or datetime64, read as
        UTC where they name no time zone; as a number, times are numbers in the same unit.
    lateness : float or timedelta, default 0
        How late an event may come; not more than the duration.

    Notes
    -----
    O(log n) for each event that comes or goes. One thread may write while others read.

    Examples
    --------
    >>> window = TimeWindowAUC(10, lateness=3)
    >>> for label, score, time in [(0, 0.9, 1), (1, 0.8, 12), (0, 0.4, 14), (1, 0.4, 11)]:
    ...     window.update(label, score, time)
    >>> window.update(0, 0.1, time=10)
    >>> window, window.n_late
    (TimeWindowAUC(AUC 0.750, 2+ 1-), 1)
    """

    _magic, _version, _settings_format = b"RLTA", 1, struct.Struct("<?dd")

    def __init__(
        self, duration: float | timedelta, *, lateness: float | timedelta | None = None
    ) -> None:
        self._clock = Clock(dated=isinstance(duration, timedelta | np.timedelta64))
        length = self._clock.length(duration, "duration")
        late = 0.0 if lateness is None else self._clock.length(lateness, "lateness")
        if not length > 0:
            raise InputError(f"duration={duration!r} is not above 0.")
        if not 0 <= late <= length:
            raise InputError(
                f"lateness={lateness!r} is not from 0 to the duration, {duration!r}: what is later "
                "would have left the window already."
            )
        super().__init__(length, late)

    @property
    def duration(self) -> float | timedelta:
        """How far back the window reaches."""
        return self._clock.shown_length(self._duration)

    @property
    def lateness(self) -> float | timedelta:
        """How late an event may come."""
        return self._clock.shown_length(self._lateness)

    @property
    def now(self) -> float | datetime | None:
        """The latest time seen, in UTC; None before the first event."""
        return self._clock.shown_time(self._now)

    def update(
        self, y_true: Any, y_score: Any, time: Any, sample_weight: float | None = None
    ) -> None:
        """Take an event in, and let go what is too old by its time.

        Events of weight 0 only let time pass.
        """
        self._update(y_true, y_score, sample_weight, self._clock.time(time))

    def update_many(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        time: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        return_auc: bool = False,
    ) -> npt.NDArray[np.float64] | None:
        """Take events in, in the order in which they arrived.

        Parameters
        ----------
        y_true, y_score : array-like
            Labels and finite scores.
        time : array-like
            When each event happened.
        sample_weight : array-like, optional
            Weights; events of weight 0 only let time pass.
        return_auc : bool, default False
            Give back the AUC after each event.

        Returns
        -------
        ndarray or None
            nan where a class was missing.
        """
        times = self._clock.times(time)
        return in_parts(
            self._update_many, y_true, y_score, sample_weight, times, return_auc=return_auc
        )

    def advance_to(self, time: Any) -> None:
        """Let time pass without an event. A time before `now` changes nothing."""
        self._advance(self._clock.time(time))

    def revert(self, y_true: Any, y_score: Any, time: Any) -> None:
        """Take an event out again. Time does not go back."""
        if not self._revert(y_true, y_score, self._clock.time(time)):
            raise not_there(y_true, y_score, f" at time {time!r}")

    def merge(self, other: TimeWindowAUC) -> Self:
        """Take in what another window of the same duration holds, and give back this one.

        The clock goes to the later of both, so that the merged window is that of both streams.
        """
        if not isinstance(other, TimeWindowAUC):
            raise InputError(
                f"A TimeWindowAUC merges another TimeWindowAUC, not a {type(other).__name__}."
            )
        if other._settings() != self._settings():
            raise InputError(
                f"This window has duration {self.duration!r} and lateness {self.lateness!r}, the "
                f"other {other.duration!r} and {other.lateness!r}; only windows alike merge."
            )
        self._merge(other)
        return self

    def _load(self, data: bytes) -> None:
        super()._load(data)
        if math.isnan(self._now):
            raise InputError("its time is nan")
        self._clock.shown_time(self._now)  # raises where that is no date

    def _settings(self) -> tuple[bool, float, float]:
        return self._clock.dated, self._duration, self._lateness

    @classmethod
    def _made_with(cls, dated: bool, duration: float, lateness: float) -> TimeWindowAUC:
        show = Clock(dated=dated).shown_length
        return cls(show(duration), lateness=show(lateness))
