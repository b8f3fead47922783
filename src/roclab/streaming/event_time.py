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
# In microseconds, without months and years, which have no fixed length.
_UNITS = {
    **{"W": 604_800e6, "D": 86_400e6, "h": 3_600e6, "m": 60e6, "s": 1e6, "ms": 1e3, "us": 1.0},
    **{"ns": 1e-3, "ps": 1e-6, "fs": 1e-9, "as": 1e-12},
}


@dataclass(frozen=True)
class Clock:
    """Conversion of times and durations; a window has either dates or numbers."""

    dated: bool

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
                    found="{time} is {value}, but the duration of this window is a plain number",
                    fix="Create the window with a timedelta as {duration}.",
                    value=shown(value),
                )
            return value
        if isinstance(value, datetime):
            aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
            return float((aware - _EPOCH) // _MICROSECOND)
        if isinstance(value, np.datetime64) and not np.isnat(value):
            return float(_microseconds(np.array([value]))[0])
        raise InputError(
            found="{time} is {value}",
            needed="a datetime or datetime64 is needed, since the duration of this window is a "
            "timedelta",
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
            raise InputError(
                found="{time} is {value}",
                needed="dates of the years 1 to 9999 are needed",
                value=times[int(np.argmax(beyond))],
            )
    return times.astype("datetime64[us]").astype(np.int64).astype(np.float64)
