"""TimeWindowAUC: which events are in it, what it takes and what it refuses."""

import math
import pickle
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

import roclab as rl

START = datetime(2024, 3, 1, 12, tzinfo=UTC)
(NO_UNIT,) = np.array([5]).view("m8")  # numpy warns of writing one


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


@pytest.mark.parametrize(
    "time",
    [
        datetime.max,
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-12))),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=12))),
    ],
    ids=str,
)
def test_dates_that_utc_does_not_have_are_refused(time):
    """They were taken, and then neither the time could be read nor the bytes restored."""
    window = rl.TimeWindowAUC(timedelta(days=1))
    for call in (window.update, window.revert):
        with pytest.raises(rl.InputError, match="dates of the years 1 to 9999 are needed"):
            call(1, 0.5, time=time)
    with pytest.raises(rl.InputError, match="dates of the years 1 to 9999 are needed"):
        window.update_many([1], [0.5], time=[time])
    with pytest.raises(rl.InputError, match="dates of the years 1 to 9999 are needed"):
        window.advance_to(time)
    assert (len(window), window.now) == (0, None)


def test_a_missing_date_of_pandas_is_named():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(rl.InputError, match="time is NaT; a datetime or datetime64 is needed"):
        rl.TimeWindowAUC(timedelta(days=1)).update(1, 0.5, time=pandas.NaT)


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
        (lambda: rl.TimeWindowAUC(9), "duration 10.0 and lateness 0.0, other has duration 9.0 and"),
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
        (NO_UNIT, None, "has no fixed length"),
        (timedelta(90), np.timedelta64(1, "M"), "lateness=.* has no fixed length"),
        (np.timedelta64("NaT", "s"), None, "is not a timedelta"),
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
        (timedelta(1), np.datetime64("NaT", "s"), "a datetime or datetime64 is needed"),
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


def test_an_event_far_ahead_empties_the_window_unless_it_is_bounded():
    times = [*range(60), 10_000]
    free, bounded = rl.TimeWindowAUC(100), rl.TimeWindowAUC(100, max_ahead=50)
    for window in (free, bounded):
        window.update_many([0, 1] * 30 + [1], np.arange(61.0), time=times)
    assert (len(free), free.now, free.n_ahead, free.max_ahead) == (1, 10_000, 0, None)
    assert (len(bounded), bounded.now, bounded.n_ahead, bounded.max_ahead) == (60, 59, 1, 50)
    bounded.update(1, 0.5, time=59 + 50)  # just within
    bounded.update(1, 0.5, time=109 + 50.001)
    assert (bounded.now, bounded.n_ahead, bounded.n_late) == (109, 2, 0)
    with pytest.raises(rl.InputError, match="No event with"):
        bounded.revert(1, 0.5, time=109 + 50.001)
    bounded.revert(1, 0.5, time=109)
    assert bounded.n_ahead == 2


def test_after_a_long_pause_the_time_is_advanced_explicitly():
    window = rl.TimeWindowAUC(timedelta(hours=1), max_ahead=timedelta(minutes=5))
    assert window.max_ahead == timedelta(minutes=5)
    window.update(1, 0.5, time=START)  # the first event has no bound
    later = START + timedelta(days=1)
    window.update(1, 0.5, time=later)
    assert (len(window), window.n_ahead, window.now) == (1, 1, START)
    window.advance_to(later)
    window.update(1, 0.5, time=later)
    assert (len(window), window.n_ahead, window.now) == (1, 1, later)
    window.reset()
    assert (window.now, window.n_ahead) == (None, 0)
    window.advance_to(START)
    window.update(1, 0.5, time=later)
    assert (len(window), window.n_ahead) == (0, 1)


def test_an_event_that_is_ignored_is_checked_all_the_same():
    window = rl.TimeWindowAUC(10, max_ahead=1)
    window.update(1, 0.5, time=0)
    for event, weight in (((2, 0.5), None), ((1, math.nan), None), ((1, 0.5), -1)):
        with pytest.raises(rl.InputError):
            window.update(*event, time=100, sample_weight=weight)
    for time in (math.inf, math.nan, None, "1"):
        with pytest.raises(rl.InputError, match="time"):
            window.update(1, 0.5, time=time)
    assert (window.n_ahead, window.now) == (0, 0)


@pytest.mark.parametrize("seed", range(20))
def test_many_events_are_ignored_as_if_one_by_one(seed):
    rng = np.random.default_rng(seed)
    size = 200
    labels, scores = rng.random(size) < 0.5, rng.integers(0, 5, size) / 4
    times = np.arange(size) + rng.integers(-3, 4, size) + 40.0 * (rng.random(size) < seed / 40)
    times[0] = 0
    weights = rng.integers(0, 3, size) if seed % 2 else None
    options = {"lateness": 3, "max_ahead": 20}
    one, many = rl.TimeWindowAUC(30, **options), rl.TimeWindowAUC(30, **options)
    expected = []
    for place in range(size):
        weight = None if weights is None else weights[place]
        one.update(labels[place], scores[place], time=times[place], sample_weight=weight)
        expected.append(one.auc)
    for part in (slice(0, 90), slice(90, size)):
        found = many.update_many(
            *(labels[part], scores[part]),
            time=times[part],
            sample_weight=None if weights is None else weights[part],
            return_auc=True,
        )
        np.testing.assert_array_equal(found, expected[part])
    assert many.to_bytes() == one.to_bytes()
    assert (many.n_ahead, many.n_late, many.now) == (one.n_ahead, one.n_late, one.now)
    assert (many.n_ahead > 0) == (seed > 0)


def test_the_bound_and_its_count_survive_bytes_pickles_and_merges():
    window = rl.TimeWindowAUC(10, max_ahead=5)
    window.update_many([0, 1, 1], [0.1, 0.2, 0.3], time=[1, 2, 100])
    for again in (
        rl.TimeWindowAUC.from_bytes(window.to_bytes()),
        pickle.loads(pickle.dumps(window)),
    ):
        assert (again.max_ahead, again.n_ahead) == (5, 1)
        again.update(1, 0.5, time=200)
        assert (again.n_ahead, len(again), window.n_ahead) == (2, 2, 1)
        assert (again.merge(window).n_ahead, len(again)) == (3, 4)
    with pytest.raises(rl.InputError, match=r"lateness 0.0 and max_ahead 5.0, other has duration"):
        window.merge(rl.TimeWindowAUC(10))


@pytest.mark.parametrize("ahead", [0, -1, math.nan, math.inf, "1", timedelta(1)])
def test_the_bound_of_times_ahead_is_checked(ahead):
    with pytest.raises(rl.InputError, match="max_ahead="):
        rl.TimeWindowAUC(10, max_ahead=ahead)
