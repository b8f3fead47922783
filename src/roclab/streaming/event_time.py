"""When events happen: plain numbers, or dates kept as microseconds since 1970."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.validation import number_or_nan
from roclab.vector import as_vector

__all__ = ["Clock"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LONGEST = timedelta(days=999_999_999) // _MICROSECOND
_FIRST, _LAST = np.array(["0001-01-01", "9999-12-31T23:59:59"], "datetime64[s]")
# In microseconds. Months and years are not among them, since they have no fixed length.
_UNITS = {
    **{"W": 604_800e6, "D": 86_400e6, "h": 3_600e6, "m": 60e6, "s": 1e6, "ms": 1e3, "us": 1.0},
    **{"ns": 1e-3, "ps": 1e-6, "fs": 1e-9, "as": 1e-12},
}


@dataclass(frozen=True)
class Clock:
    """How a window reads times and lengths of time; one window has either dates or numbers."""

    dated: bool

    def length(self, value: Any, name: str) -> float:
        """A length of time as the core has it."""
        needed = "a timedelta, as the duration is" if self.dated else "a finite number"
        if self.dated and isinstance(value, timedelta | np.timedelta64) and value == value:
            length = _length_in_microseconds(value, name)
            if abs(length) <= _LONGEST:
                return length
            needed = "a timedelta of up to 999,999,999 days"
        if not self.dated and math.isfinite(number_or_nan(value)):
            return number_or_nan(value)
        raise InputError(f"{name}={value!r:.60} is not {needed}.")

    def time(self, value: Any) -> Any:
        """A moment as the core has it; plain numbers are checked there."""
        if not self.dated:
            if isinstance(value, datetime | np.datetime64):
                raise InputError(
                    f"time is {value!r}, but the duration of this window is a plain number. Make "
                    "the window with a timedelta as its duration."
                )
            return value
        if isinstance(value, datetime):
            aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
            return float((aware - _EPOCH) // _MICROSECOND)
        if isinstance(value, np.datetime64) and not np.isnat(value):
            return float(_microseconds(np.array([value]))[0])
        raise InputError(
            f"time is {value!r}; a datetime or datetime64 is needed, since the duration of this "
            "window is a timedelta."
        )

    def times(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Many moments as the core has them."""
        found = as_vector(values, "time")
        if self.dated:
            if found.dtype.kind == "M":
                return _microseconds(found)
            return np.array([self.time(value) for value in found.tolist()], np.float64)
        if found.dtype.kind not in "iuf":
            first = found.flat[0] if found.size else found.dtype
            raise InputError(
                f"time holds {first!r}; numbers are needed, since the duration of this window is "
                "one."
            )
        times = found.astype(np.float64)
        finite = np.isfinite(times)
        if not finite.all():
            row = int(np.argmin(finite))
            raise InputError(
                f"time holds {times[row]} (first in row {row}); finite numbers are needed."
            )
        return times

    def shown_length(self, value: float) -> float | timedelta:
        """A length of time as the user has it."""
        return timedelta(microseconds=value) if self.dated else value

    def shown_time(self, value: float) -> float | datetime | None:
        """A moment as the user has it; None if there was none."""
        if math.isinf(value):
            return None
        return _EPOCH + timedelta(microseconds=value) if self.dated else value


def _length_in_microseconds(value: timedelta | np.timedelta64, name: str) -> float:
    if isinstance(value, timedelta):
        return float(value // _MICROSECOND)
    unit, count = np.datetime_data(value.dtype)
    if unit not in _UNITS:
        raise InputError(
            f"{name}={value!r} has no fixed length; weeks, days or smaller units are needed. For a "
            "month of 30 days pass timedelta(days=30)."
        )
    return float(value.astype(np.int64)) * count * _UNITS[unit]


def _microseconds(times: npt.NDArray[np.datetime64]) -> npt.NDArray[np.float64]:
    """Since 1970; of years that datetimes have, too."""
    # Finer units do not reach farther, and in coarser ones microseconds would overflow.
    if np.datetime_data(times.dtype)[0] not in ("ns", "ps", "fs", "as"):
        beyond = (times < _FIRST.astype(times.dtype)) | (times > _LAST.astype(times.dtype))
        if beyond.any():
            raise InputError(
                f"time is {times[int(np.argmax(beyond))]}; dates of the years 1 to 9999 are needed."
            )
    return times.astype("datetime64[us]").astype(np.int64).astype(np.float64)
