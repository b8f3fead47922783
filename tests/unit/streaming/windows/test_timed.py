"""TimeWindowAUC: which events are in it, what it takes and what it refuses."""

import math
import pickle
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

import roclab as rl

START = datetime(2024, 3, 1, 12, tzinfo=UTC)


def test_what_happened_a_duration_ago_has_left():
    window = rl.TimeWindowAUC(10)
    window.update(1, 0.8, time=0)
    window.update(0, 0.2, time=9.999)
    assert (window.n_pos, window.n_neg, window.now) == (1, 1, 9.999)
    window.advance_to(10)
    assert (window.n_pos, window.n_neg, window.now) == (0, 1, 10)
    assert math.isnan(window.auc)
    window.advance_to(5)
    assert window.now == 10


def test_late_events_enter_until_they_are_too_late():
    window = rl.TimeWindowAUC(10, lateness=4)
    window.update(1, 0.5, time=100)
    window.update(0, 0.1, time=96)
    window.update(0, 0.9, time=95.9)
    assert (len(window), window.n_late, window.auc) == (2, 1, 1.0)
    assert (window.duration, window.lateness) == (10, 4)


def test_none_is_late_by_default():
    window = rl.TimeWindowAUC(10)
    window.update(1, 0.5, time=100)
    window.update(1, 0.5, time=100)
    window.update(0, 0.1, time=99)
    assert (len(window), window.n_late) == (2, 1)


def test_late_by_the_whole_duration_is_outside():
    window = rl.TimeWindowAUC(10, lateness=10)
    window.update(1, 0.5, time=100)
    window.update(0, 0.1, time=90)
    window.update(0, 0.1, time=90.5)
    assert (len(window), window.n_late) == (2, 1)


def test_weight_zero_lets_time_pass():
    window = rl.TimeWindowAUC(10)
    window.update(1, 0.5, time=0)
    window.update(1, 0.5, time=20, sample_weight=0)
    assert (len(window), window.now) == (0, 20)


def test_before_the_first_event():
    window = rl.TimeWindowAUC(timedelta(hours=1))
    assert window.now is None
    assert len(window) == 0
    assert rl.TimeWindowAUC.from_bytes(window.to_bytes()).now is None


def test_dates():
    window = rl.TimeWindowAUC(timedelta(minutes=10), lateness=timedelta(minutes=1))
    window.update(1, 0.9, time=START)
    window.update(0, 0.1, time=np.datetime64("2024-03-01T12:05:00"))
    elsewhere = timezone(timedelta(hours=2))
    window.update(1, 0.7, time=datetime(2024, 3, 1, 14, 6, tzinfo=elsewhere))
    window.update(0, 0.3, time=datetime(2024, 3, 1, 12, 5, 30))
    assert (len(window), window.n_late) == (4, 0)
    assert window.now == START + timedelta(minutes=6)
    window.advance_to(START + timedelta(minutes=10) - timedelta(microseconds=1))
    assert len(window) == 4
    window.advance_to(START + timedelta(minutes=10))
    assert len(window) == 3
    copy = pickle.loads(pickle.dumps(window))
    assert (copy.now, copy.duration, copy.lateness) == (
        window.now,
        timedelta(minutes=10),
        timedelta(minutes=1),
    )


def test_many_dates():
    times = np.datetime64("2024-03-01T12:00") + np.arange(4) * np.timedelta64(1, "m")
    for given in (times, times.astype("datetime64[ns]"), times.astype(object), list(times)):
        window = rl.TimeWindowAUC(np.timedelta64(2, "m"))
        values = window.update_many([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], time=given, return_auc=True)
        np.testing.assert_equal(values, [math.nan, 1, 0.5, 1])


def test_many_events_are_the_same_as_one_by_one():
    rng = np.random.default_rng(2)
    n = 500
    labels, scores = rng.random(n) < 0.4, rng.normal(size=n).round(1)
    weights, times = rng.integers(0, 4, n) / 2, np.arange(n) - rng.integers(0, 9, n)
    together, single = rl.TimeWindowAUC(60, lateness=5), rl.TimeWindowAUC(60, lateness=5)
    values = together.update_many(
        labels, scores, time=times, sample_weight=weights, return_auc=True
    )
    for i in range(n):
        single.update(labels[i], scores[i], time=times[i], sample_weight=weights[i])
        np.testing.assert_equal(single.auc, values[i])
    assert single.to_bytes() == together.to_bytes()
    assert single.n_late == together.n_late > 0


def test_revert_names_the_time():
    window = rl.TimeWindowAUC(10)
    window.update(1, 0.5, time=1)
    window.update(1, 0.5, time=2)
    with pytest.raises(rl.InputError, match=r"y_true=1, y_score=0\.5, time=3 is in the window"):
        window.revert(1, 0.5, time=3)
    window.revert(1, 0.5, time=1)
    window.advance_to(11)
    assert len(window) == 1


def test_two_workers_merge():
    whole = rl.TimeWindowAUC(50, lateness=50)
    parts = [rl.TimeWindowAUC(50, lateness=50) for _ in range(2)]
    rng = np.random.default_rng(3)
    for time in range(200):
        label, score = rng.random() < 0.5, rng.normal()
        for window in (whole, parts[rng.integers(2)]):
            window.update(label, score, time=time)
    merged = parts[0].merge(parts[1])
    assert merged is parts[0]
    assert (merged.n_pos, merged.n_neg, merged.now) == (whole.n_pos, whole.n_neg, whole.now)
    assert merged.auc == whole.auc
    assert merged.auc_variance == whole.auc_variance


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            lambda: rl.WindowAUC(4),
            "other is a WindowAUC; a TimeWindowAUC merges with another TimeWindowAUC",
        ),
        (lambda: rl.TimeWindowAUC(9), "duration 10.0 and lateness 0.0, other has 9.0 and 0.0"),
        (lambda: rl.TimeWindowAUC(timedelta(seconds=10)), "windows to merge need equal settings"),
    ],
)
def test_windows_that_do_not_merge(other, message):
    with pytest.raises(rl.InputError, match=message):
        rl.TimeWindowAUC(10).merge(other())


@pytest.mark.parametrize(
    ("duration", "lateness", "message"),
    [
        (0, None, "duration=0 is out of range; a duration above 0"),
        (-1, None, "duration=-1 is out of range"),
        (math.nan, None, "duration=nan is not a finite number"),
        (math.inf, None, "duration=inf is not a finite number"),
        (True, None, "duration=True is not a finite number"),
        ("1h", None, "duration='1h' is not a finite number"),
        (timedelta(0), None, r"duration=datetime.timedelta\(0\) is out of range"),
        (10, 11, "lateness=11 is out of range; it must lie between 0 and the duration, 10"),
        (10, -1, "lateness=-1 is out of range"),
        (10, timedelta(1), "is not a finite number"),
        (timedelta(1), 1, "lateness=1 is not a timedelta, like the duration"),
        (np.timedelta64(1, "M"), None, "has no fixed length; weeks, days or smaller units"),
        (np.timedelta64(2, "Y"), None, "has no fixed length"),
        (np.timedelta64(5), None, "has no fixed length"),
        (timedelta(90), np.timedelta64(1, "M"), "lateness=.* has no fixed length"),
        (np.timedelta64("NaT"), None, "is not a timedelta"),
        (np.timedelta64(10**15, "D"), None, "is not a timedelta of up to 999,999,999 days"),
        (timedelta.max, None, "is not a timedelta of up to 999,999,999 days"),
        (10**400, None, "duration=1000.* is not a finite number"),
    ],
)
def test_settings_that_are_refused(duration, lateness, message):
    with pytest.raises(rl.InputError, match=message):
        rl.TimeWindowAUC(duration, lateness=lateness)


@pytest.mark.parametrize(
    ("duration", "time", "message"),
    [
        (10, math.nan, "time is nan; a finite number is needed"),
        (10, math.inf, "time is inf"),
        (10, None, "time is None"),
        (10, "now", "time is 'now'"),
        (10, START, "duration of this window is a plain number"),
        (timedelta(1), 5.0, "time is 5.0; a datetime or datetime64 is needed"),
        (timedelta(1), np.datetime64("NaT"), "a datetime or datetime64 is needed"),
    ],
)
def test_times_that_are_refused(duration, time, message):
    window = rl.TimeWindowAUC(duration)
    with pytest.raises(rl.InputError, match=message):
        window.update(1, 0.5, time=time)
    with pytest.raises(rl.InputError, match=r"time (is|holds|has) .* need"):
        window.update_many([1], [0.5], time=[time])
    assert len(window) == 0
    assert window.now is None


def test_times_of_another_length():
    with pytest.raises(rl.InputError, match="time"):
        rl.TimeWindowAUC(10).update_many([0, 1], [0.1, 0.2], time=[1])


def test_a_time_must_be_given():
    with pytest.raises(rl.InputError, match="time is None; a finite number is needed"):
        rl.TimeWindowAUC(10).update(1, 0.5)


@pytest.mark.parametrize(
    ("value", "unit"),
    [
        (2, "W"),
        (14, "D"),
        (336, "h"),
        (20160, "m"),
        (1_209_600, "s"),
        (1_209_600_000_000_000, "ns"),
    ],
)
def test_durations_in_any_unit_that_has_a_length(value, unit):
    assert rl.TimeWindowAUC(np.timedelta64(value, unit)).duration == timedelta(days=14)


def test_the_longest_duration():
    longest = timedelta(days=999_999_999)
    assert abs(rl.TimeWindowAUC(longest).duration - longest) < timedelta(seconds=1)


@pytest.mark.parametrize("time", [np.datetime64(10**17, "Y"), np.datetime64("-0001-01-01")])
def test_dates_that_no_datetime_has(time):
    window = rl.TimeWindowAUC(timedelta(1))
    with pytest.raises(rl.InputError, match="dates of the years 1 to 9999 are needed"):
        window.update(1, 0.5, time=time)
    with pytest.raises(rl.InputError, match="dates of the years 1 to 9999 are needed"):
        window.update_many([1], [0.5], time=np.array([time]))
    window.update(1, 0.5, time=np.datetime64("9999-12-31T23:59:59"))
    assert window.now.year == 9999
