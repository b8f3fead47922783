"""Cohorts by the calendar: every moment belongs to one, whatever the clocks do."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from roclab.streaming.calendar import Calendar, as_datetime, iso, microseconds

QUARTER = 15 * 60 * 1_000_000
# Where clocks change at midnight, by half an hour, by a day, or not at all.
CHANGES = {
    "UTC": datetime(2026, 3, 29, tzinfo=UTC),
    "Europe/Berlin": datetime(2026, 3, 29, tzinfo=UTC),
    "Europe/London": datetime(2026, 10, 25, tzinfo=UTC),
    "America/New_York": datetime(2026, 11, 1, tzinfo=UTC),
    "America/Sao_Paulo": datetime(2018, 11, 4, tzinfo=UTC),
    "America/Havana": datetime(2026, 11, 1, tzinfo=UTC),
    "Asia/Kathmandu": datetime(1986, 1, 1, tzinfo=UTC),
    "Asia/Kolkata": datetime(2026, 3, 29, tzinfo=UTC),
    "Australia/Lord_Howe": datetime(2026, 4, 4, tzinfo=UTC),
    "Pacific/Apia": datetime(2011, 12, 30, tzinfo=UTC),
}


def moments(change):
    """Every quarter of an hour of ten days, and the moment before it."""
    first = microseconds(change) - 480 * QUARTER
    begins = first + np.arange(960, dtype=np.int64) * QUARTER
    return np.stack([begins - 1, begins], axis=1).ravel()


@pytest.mark.parametrize("period", ["hour", "day", "week"])
@pytest.mark.parametrize("time_zone", CHANGES)
def test_cohorts_follow_one_another(time_zone, period):
    calendar = Calendar(period, time_zone)
    times = moments(CHANGES[time_zone])
    found = calendar.cohorts(times)
    assert found.tolist() == [calendar.cohort(time) for time in times.tolist()]
    for time, cohort in zip(times.tolist(), found.tolist(), strict=True):
        end = calendar.after(cohort)
        assert cohort <= time < end
        assert (calendar.cohort(cohort), calendar.cohort(end)) == (cohort, end)
        assert calendar.cohort(end - 1) == cohort


@pytest.mark.parametrize("time_zone", CHANGES)
def test_a_day_has_one_date_and_a_week_begins_on_monday(time_zone):
    zone = ZoneInfo(time_zone)
    times = moments(CHANGES[time_zone])
    for period in ("day", "week"):
        for time, cohort in zip(
            times.tolist(), Calendar(period, time_zone).cohorts(times).tolist(), strict=True
        ):
            local, begin = (as_datetime(one).astimezone(zone).date() for one in (time, cohort))
            assert (local - begin).days == (0 if period == "day" else local.weekday())


def test_days_of_23_and_25_hours():
    calendar = Calendar("day", "Europe/Berlin")
    for day, hours in (("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)):
        begin = microseconds(datetime.fromisoformat(day).replace(tzinfo=ZoneInfo("Europe/Berlin")))
        assert calendar.cohort(begin) == begin
        assert calendar.after(begin) - begin == hours * 4 * QUARTER


def test_an_hour_that_a_clock_shows_twice_is_two_cohorts():
    calendar = Calendar("hour", "Europe/Berlin")
    first = microseconds(datetime(2026, 10, 25, 0, 30, tzinfo=UTC))
    names = [iso(calendar.cohort(first + number * 4 * QUARTER)) for number in range(3)]
    assert names == ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"]


def test_no_times_have_no_cohorts():
    assert Calendar("hour", "UTC").cohorts(np.zeros(0, np.int64)).tolist() == []
