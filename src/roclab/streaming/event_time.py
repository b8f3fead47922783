"""When events happen: plain numbers, or dates kept as microseconds since 1970."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.vector import as_vector

__all__ = ["Clock"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class Clock:
    """How a window reads times and lengths of time; one window has either dates or numbers."""

    dated: bool

    def length(self, value: Any, name: str) -> float:
        """A length of time as the core has it."""
        if self.dated and isinstance(value, timedelta):
            return float(value // _MICROSECOND)
        if self.dated and isinstance(value, np.timedelta64) and not np.isnat(value):
            return float(value / np.timedelta64(1, "us"))
        plain = isinstance(value, Real) and not isinstance(value, bool | np.timedelta64)
        if not self.dated and plain and math.isfinite(value):
            return float(value)
        needed = "a timedelta, as the duration is" if self.dated else "a finite number"
        raise InputError(f"{name}={value!r} is not {needed}.")

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
            return float(value.astype("datetime64[us]").astype(np.int64))
        raise InputError(
            f"time is {value!r}; a datetime or datetime64 is needed, since the duration of this "
            "window is a timedelta."
        )

    def times(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Many moments as the core has them."""
        found = as_vector(values, "time")
        if self.dated:
            if found.dtype.kind == "M":
                return found.astype("datetime64[us]").astype(np.int64).astype(np.float64)
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
