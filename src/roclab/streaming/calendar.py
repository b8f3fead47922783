"""Cohorts by the calendar: hours, days and weeks of a time zone.

Times are whole microseconds since 1970, in UTC; a cohort is named by the time of its beginning.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

Times = npt.NDArray[np.int64]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Offsets of time zones are whole quarters of an hour, since about 1972.
_QUARTER = 15 * 60 * 1_000_000
_DAY = 96 * _QUARTER
_DAYS_A_MONTH = 365.2425 / 12
_A_MONTH = {"hour": 24 * _DAYS_A_MONTH, "day": _DAYS_A_MONTH, "week": _DAYS_A_MONTH / 7}


def microseconds(time: datetime) -> int:
    """A time as whole microseconds since 1970; in UTC if it has no zone."""
    aware = time if time.tzinfo is not None else time.replace(tzinfo=UTC)
    return (aware - _EPOCH) // _MICROSECOND


def as_datetime(time: int) -> datetime:
    """Microseconds since 1970 as a date."""
    return _EPOCH + time * _MICROSECOND


@lru_cache(maxsize=100_000)
def iso(time: int) -> str:
    """Microseconds since 1970 in ISO 8601, with Z."""
    return as_datetime(time).isoformat().replace("+00:00", "Z")


class Calendar:
    """The cohorts of a model.

    Parameters
    ----------
    period : {"hour", "day", "week"}
        Length of a cohort. Weeks begin on Monday.
    time_zone : str
        Time zone in which days begin at midnight.
    """

    def __init__(self, period: str, time_zone: str) -> None:
        self.period, self.time_zone = period, time_zone
        self._zone = ZoneInfo(time_zone)
        self._of_quarter = lru_cache(maxsize=4096)(self._begin)
        self.after = lru_cache(maxsize=4096)(self._after)

    @property
    def per_month(self) -> float:
        """Number of cohorts in a month."""
        return _A_MONTH[self.period]

    @property
    def length(self) -> timedelta:
        """Length of a cohort, but for changes of the clock."""
        return timedelta(**{f"{self.period}s": 1})

    def cohort(self, time: int) -> int:
        """The beginning of the cohort that a time belongs to."""
        return self._of_quarter(time // _QUARTER)

    def cohorts(self, times: Times) -> Times:
        """The same for many times."""
        begins: set[int] = set()
        for day in np.unique(times // _DAY).tolist():
            begin = self.cohort(day * _DAY)
            while begin < (day + 1) * _DAY:
                begins.add(begin)
                begin = self.after(begin)
        known = np.array(sorted(begins), np.int64)
        return known[np.searchsorted(known, times, side="right") - 1]

    def _begin(self, quarter: int) -> int:
        local = as_datetime(quarter * _QUARTER).astimezone(self._zone)
        begin = local.replace(minute=0, second=0, microsecond=0)
        if self.period == "hour":
            return microseconds(begin)
        begin = begin.replace(hour=0, fold=0)
        if self.period == "week":
            begin -= timedelta(days=begin.weekday())
        return microseconds(begin.astimezone(UTC))

    def _after(self, cohort: int) -> int:
        """The beginning of the next cohort, which is the end of this one."""
        if self.period == "hour":
            # Of 30 or 90 minutes, where a clock is changed by half an hour.
            quarters = (cohort + number * _QUARTER for number in range(1, 9))
            return next(one for one in quarters if self.cohort(one) != cohort)
        # A day has 23 to 25 hours: half a day beyond the nominal end lies in the next cohort.
        days = 1 if self.period == "day" else 7
        beyond = cohort + (days * 24 + 12) * 4 * _QUARTER
        return self.cohort(beyond)

    def name(self, cohort: int) -> str:
        """The cohort as people write it: a date, a week or an hour of the time zone."""
        local = as_datetime(cohort).astimezone(self._zone)
        if self.period == "hour":
            return f"{local:%Y-%m-%d %H:%M}"
        return f"{local:%Y-%m-%d}" if self.period == "day" else f"week of {local:%Y-%m-%d}"
