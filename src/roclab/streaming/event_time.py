"""Times of events: plain numbers, or dates as microseconds since 1970."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import number_or_nan, shown
from roclab.checks.vectors import as_vector
from roclab.errors import InputError, Parameter

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LONGEST = timedelta(days=999_999_999) // _MICROSECOND
_FIRST, _LAST = np.array(["0001-01-01", "9999-12-31T23:59:59"], "datetime64[s]")
_FIRST_MICROSECOND, _LAST_MICROSECOND = (
    1e6 * float(one.astype(np.int64)) for one in (_FIRST, _LAST)
)
# In microseconds, without months and years, which have no fixed length.
_UNITS = {
    **{"W": 604_800e6, "D": 86_400e6, "h": 3_600e6, "m": 60e6, "s": 1e6, "ms": 1e3, "us": 1.0},
    **{"ns": 1e-3, "ps": 1e-6, "fs": 1e-9, "as": 1e-12},
}


@dataclass(frozen=True)
class Clock:
    """Conversion of times and durations; a window has either dates or numbers.

    `named` is what decides which of them, in messages.
    """

    dated: bool
    named: str = "the duration of this window"

    def length(self, value: Any, name: str) -> float:
        """Convert a duration for the core."""
        allowed = "a timedelta, like the duration" if self.dated else "a finite number"
        if self.dated and isinstance(value, timedelta | np.timedelta64) and value == value:
            length = _length_in_microseconds(value, name)
            if abs(length) <= _LONGEST:
                return length
            allowed = "a timedelta of up to 999,999,999 days"
        if not self.dated and math.isfinite(number_or_nan(value)):
            return number_or_nan(value)
        raise InputError(
            found="{name=}{value} is not " + allowed, name=Parameter(name), value=shown(value)
        )

    def time(self, value: Any) -> Any:
        """Convert a time for the core, which checks plain numbers."""
        if not self.dated:
            if isinstance(value, datetime | np.datetime64):
                raise InputError(
                    found="{time} is {value}, but " + self.named + " is a plain number",
                    fix="Pass a timedelta as its length.",
                    value=shown(value),
                )
            return value
        if isinstance(value, datetime) and value == value:  # a missing one of pandas is none
            aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
            moment = float((aware - _EPOCH) // _MICROSECOND)
            if _FIRST_MICROSECOND <= moment <= _LAST_MICROSECOND:
                return moment
            raise _beyond(value)
        if isinstance(value, np.datetime64) and not np.isnat(value):
            return float(_microseconds(np.array([value]))[0])
        raise InputError(
            found="{time} is {value}",
            needed="a datetime or datetime64 is needed, since " + self.named + " is a timedelta",
            value=shown(value),
        )

    def moment(self, value: Any) -> float:
        """Convert a time and check it, as the core does."""
        if type(value) is float and not self.dated and math.isfinite(value):
            return value  # most of them, and quickly
        found = number_or_nan(self.time(value))
        if math.isfinite(found):
            return found
        raise InputError(
            found="{time} is {value}",
            needed="a finite number is needed, since " + self.named + " is a number",
            value=shown(value),
        )

    def times(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Convert an array of times for the core."""
        found = as_vector(values, "time")
        if self.dated:
            if found.dtype.kind == "M":
                return _microseconds(found)
            return np.array([self.time(value) for value in found.tolist()], np.float64)
        if found.dtype.kind not in "iuf":
            first = found.flat[0] if found.size else found.dtype
            raise InputError(
                found="{time} holds {value}",
                needed="numbers are needed, since the duration of this window is a number",
                value=shown(first),
            )
        times = found.astype(np.float64)
        finite = np.isfinite(times)
        if not finite.all():
            row = int(np.argmin(finite))
            raise InputError(
                found="{time} holds {value} (first in row {row})",
                needed="finite numbers are needed",
                value=times[row],
                row=row,
            )
        return times

    def shown_length(self, value: float) -> float | timedelta:
        """Convert a duration of the core for the user."""
        return timedelta(microseconds=value) if self.dated else value

    def shown_time(self, value: float) -> float | datetime | None:
        """Convert a time of the core for the user; None if there was none."""
        if math.isinf(value):
            return None
        return _EPOCH + timedelta(microseconds=value) if self.dated else value


def same_time(one: Any, other: Any) -> bool:
    """Whether two times are the same; dates without a time zone are in UTC, as in windows."""
    clock = Clock(dated=True)
    try:
        return bool(clock.time(one) == clock.time(other))
    except InputError:  # not both are dates
        return bool(one == other)


def _beyond(value: Any) -> InputError:
    return InputError(
        found="{time} is {value}",
        needed="dates of the years 1 to 9999 are needed",
        value=value,
    )


def _length_in_microseconds(value: timedelta | np.timedelta64, name: str) -> float:
    if isinstance(value, timedelta):
        return float(value // _MICROSECOND)
    unit, count = np.datetime_data(value.dtype)
    if unit not in _UNITS:
        raise InputError(
            found="{name=}{value} has no fixed length",
            needed="weeks, days or smaller units are needed",
            fix="For a month of 30 days pass timedelta(days=30).",
            name=Parameter(name),
            value=shown(value),
        )
    return float(value.astype(np.int64)) * count * _UNITS[unit]


def _microseconds(times: npt.NDArray[np.datetime64]) -> npt.NDArray[np.float64]:
    """Return microseconds since 1970, for the years that datetime supports."""
    # Finer units cannot exceed these years; coarser ones could overflow in microseconds.
    if np.datetime_data(times.dtype)[0] not in ("ns", "ps", "fs", "as"):
        beyond = (times < _FIRST.astype(times.dtype)) | (times > _LAST.astype(times.dtype))
        if beyond.any():
            raise _beyond(times[int(np.argmax(beyond))])
    return times.astype("datetime64[us]").astype(np.int64).astype(np.float64)
