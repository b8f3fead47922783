"""Predictions and labels joined by id, in bounded memory, with nothing lost unseen."""

import datetime
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.streaming import LabelledScore


def pair(joined):
    return joined.y_true, joined.y_score


def test_a_label_finds_its_prediction():
    pending = rl.PendingLabels(10)
    assert pending.add_prediction("a", 0.25) is None
    assert pending.add_prediction("b", 1) is None
    joined = pending.add_label("a", True)
    assert (joined.y_true, joined.y_score) == (True, 0.25)
    assert (joined.time, joined.sample_weight, joined.segments) == (None, None, {})
    assert len(pending) == 1
    window = rl.WindowAUC(10)
    window.update(**joined.event)
    assert window.n_pos == 1
    window.revert(**joined.event)
    assert len(window) == 0


def test_a_label_is_used_once():
    pending = rl.PendingLabels(10)
    pending.add_prediction("a", 0.25)
    assert pending.add_label("a", 1) is not None
    assert pending.add_label("a", 1) is None
    assert pending.counts.to_dict() == {
        "joined": 1,
        "pending": 0,
        "evicted": 0,
        "expired": 0,
        "duplicates": 0,
        "early": 0,
        "unmatched": 1,
    }


def test_the_oldest_prediction_goes_when_there_are_too_many():
    pending = rl.PendingLabels(2)
    for key in "abc":
        pending.add_prediction(key, 0.5)
    assert [pending.add_label(key, 1) is None for key in "abc"] == [True, False, False]
    assert (pending.counts.evicted, pending.counts.unmatched) == (1, 1)


def test_the_first_of_two_predictions_counts():
    pending = rl.PendingLabels(2)
    pending.add_prediction("a", 0.1)
    pending.add_prediction("a", 0.9)
    assert pair(pending.add_label("a", 0)) == (0, 0.1)
    assert pending.counts.duplicates == 1


def test_early_labels_are_kept_if_asked():
    pending = rl.PendingLabels(2, keep_early_labels=True)
    assert pending.add_label("a", 1) is None
    assert pending.add_label("a", 0) is None
    assert pending.counts.early == 1
    assert pair(pending.add_prediction("a", 0.5)) == (1, 0.5)
    for key in "xyz":
        pending.add_label(key, 1)
    assert pending.counts.to_dict() == {
        "joined": 1,
        "pending": 0,
        "evicted": 0,
        "expired": 0,
        "duplicates": 0,
        "early": 2,
        "unmatched": 2,  # the second label of a, and x
    }
    assert pending.add_prediction("x", 0.5) is None
    assert pair(pending.add_prediction("z", 0.5)) == (1, 0.5)
    assert rl.PendingLabels(2).add_label("a", 1) is None


@pytest.mark.parametrize("unit", [1, 0.5, datetime.timedelta(hours=1)])
def test_what_is_too_old_expires(unit):
    start = 0 * unit if not isinstance(unit, datetime.timedelta) else datetime.datetime(2024, 1, 1)
    pending = rl.PendingLabels(10, max_age=10 * unit)
    pending.add_prediction("a", 0.1, time=start)
    pending.add_prediction("b", 0.2, time=start + 5 * unit)
    assert pair(pending.add_label("a", 1, time=start + 10 * unit)) == (1, 0.1)  # just in time
    pending.add_prediction("c", 0.3, time=start + 16 * unit)  # b is too old now
    assert len(pending) == 1
    assert pending.add_label("b", 1, time=start + 12 * unit) is None
    assert (pending.counts.expired, pending.counts.unmatched) == (1, 1)


def test_a_prediction_out_of_order_is_too_old_for_its_label():
    pending = rl.PendingLabels(10, max_age=10)
    pending.add_prediction("new", 0.1, time=100)
    pending.add_prediction(
        "old", 0.2, time=50
    )  # behind the newer one, so not looked at before its label
    assert pending.add_label("old", 1, time=100) is None
    assert (pending.counts.expired, pending.counts.unmatched) == (1, 1)
    assert pair(pending.add_label("new", 1, time=100)) == (1, 0.1)


def test_an_early_label_may_be_too_old_as_well():
    pending = rl.PendingLabels(10, max_age=10, keep_early_labels=True)
    pending.add_label("a", 1, time=0)
    assert pending.add_prediction("a", 0.5, time=11) is None
    assert (pending.counts.unmatched, pending.counts.expired) == (1, 0)
    assert len(pending) == 1


def test_an_early_label_out_of_order_is_too_old_for_its_prediction():
    pending = rl.PendingLabels(10, max_age=10, keep_early_labels=True)
    pending.add_label("new", 1, time=100)
    pending.add_label("old", 1, time=50)  # behind the newer one
    assert pending.counts.early == 2
    assert pending.add_prediction("old", 0.5, time=100) is None
    assert (pending.counts.early, pending.counts.unmatched, len(pending)) == (1, 1, 1)


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 30)), max_size=80),
    st.integers(1, 4),
    st.sampled_from([None, 3, 12]),
    st.booleans(),
)
def test_nothing_is_lost_unseen(calls, most, max_age, keep_early):
    pending = rl.PendingLabels(most, max_age=max_age, keep_early_labels=keep_early)
    predictions = labels = joined = 0
    for is_label, key, time in calls:
        if is_label:
            labels += 1
            joined += pending.add_label(key, 1, time=time) is not None
        else:
            predictions += 1
            joined += pending.add_prediction(key, 0.5, time=time) is not None
        counts = pending.counts
        assert len(pending) == counts.pending <= most
        assert counts.early <= (most if keep_early else 0)
        assert counts.joined == joined
        assert labels == counts.joined + counts.early + counts.unmatched
        assert predictions == (
            counts.joined + counts.pending + counts.evicted + counts.expired + counts.duplicates
        )


def test_a_pickled_one_goes_on():
    pending = rl.PendingLabels(2, max_age=5)
    pending.add_prediction("a", 0.5, time=1)
    copy = pickle.loads(pickle.dumps(pending))
    assert pair(copy.add_label("a", 1, time=2)) == (1, 0.5)
    assert copy.counts.joined == 1
    assert pending.counts.joined == 0
    pending.reset()
    assert pending.add_label("a", 1, time=2) is None


@pytest.mark.parametrize("most", [0, -1, 1.5, True, None])
def test_the_bound_is_checked(most):
    with pytest.raises(rl.InputError, match="max_pending"):
        rl.PendingLabels(most)


@pytest.mark.parametrize("age", [0, -1, math.nan, "1", datetime.timedelta(0)])
def test_the_age_is_checked(age):
    with pytest.raises(rl.InputError, match="max_age"):
        rl.PendingLabels(1, max_age=age)


def test_an_age_needs_times():
    pending = rl.PendingLabels(1, max_age=5)
    with pytest.raises(rl.InputError, match="needs the time of every prediction"):
        pending.add_prediction("a", 0.5)


@pytest.mark.parametrize("score", [math.nan, math.inf, 10**400, "0.5", None])
def test_scores_are_checked_at_once(score):
    pending = rl.PendingLabels(1)
    with pytest.raises(rl.InputError, match="y_score"):
        pending.add_prediction("a", score)
    assert len(pending) == 0


def test_a_pair_has_what_its_prediction_had():
    """Time and weight were lost in the join, so a window of time had nothing to go by."""
    pending = rl.PendingLabels(10, max_age=100)
    segments = {"region": "north", "product": ("card", 2)}
    pending.add_prediction("a", 0.9, time=3, sample_weight=2.5, segments=segments)
    pending.add_prediction("b", 0.1, time=1)
    segments["region"] = "changed later"
    joined = [pending.add_label(key, key == "a", time=50) for key in "ab"]
    assert joined[0].segments == {"region": "north", "product": ("card", 2)}
    assert repr(joined[0]) == (
        "LabelledScore(y_true=True, y_score=0.9, time=3, sample_weight=2.5, "
        "segments={'region': 'north', 'product': ('card', 2)})"
    )
    assert repr(joined[1]) == "LabelledScore(y_true=False, y_score=0.1, time=1)"
    assert joined[0].event == {"y_true": True, "y_score": 0.9, "time": 3, "sample_weight": 2.5}
    assert joined[1].event == {"y_true": False, "y_score": 0.1, "time": 1, "sample_weight": None}
    window = rl.TimeWindowAUC(10, lateness=5)
    for one in joined:
        window.update(**one.event)
    assert (window.now, window.auc, window.ranking().weighted) == (3, 1.0, True)
    window.revert(**joined[0].event)
    assert len(window) == 1


def test_an_early_label_gets_what_its_prediction_had():
    pending = rl.PendingLabels(10, keep_early_labels=True)
    pending.add_label("a", 1, time=2)
    joined = pending.add_prediction("a", 0.5, time=7, sample_weight=3, segments={"region": None})
    assert joined == LabelledScore(
        y_true=1, y_score=0.5, time=7, sample_weight=3, segments={"region": None}
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sample_weight": -1}, "sample_weight is -1"),
        ({"sample_weight": math.nan}, "sample_weight is nan"),
        ({"sample_weight": "2"}, "sample_weight is '2'"),
        ({"segments": "north"}, "segments is 'north'; a mapping of names to values is needed"),
        ({"segments": [("region", "north")]}, "segments is .* a mapping"),
    ],
)
def test_what_a_prediction_has_is_checked_at_once(options, words):
    pending = rl.PendingLabels(2)
    with pytest.raises(rl.InputError, match=words):
        pending.add_prediction("a", 0.5, **options)
    assert len(pending) == 0


START = datetime.datetime(2024, 1, 1)
DAY = datetime.timedelta(days=1)


@pytest.mark.parametrize(
    ("max_age", "time", "words"),
    [
        (10, START, "time is datetime.* but max_age is a plain number"),
        (10, "5", "time is '5'; a finite number is needed, since max_age is a number"),
        (10, math.inf, "time is inf; a finite number"),
        (10, math.nan, "time is nan; a finite number"),
        (10, 10**400, "time is 1000.*; a finite number"),
        (10, 1j, "time is 1j; a finite number"),
        (10, np.array([1, 2]), "time is .*; a finite number"),
        (DAY, 5.0, "time is 5.0; a datetime or datetime64 is needed, since max_age is a timedelta"),
        (DAY, datetime.date(2024, 1, 1), "a datetime or datetime64 is needed"),
        (DAY, np.datetime64("NaT", "s"), "a datetime or datetime64 is needed"),
        (DAY, datetime.datetime.max, "dates of the years 1 to 9999 are needed"),
    ],
)
def test_a_time_that_has_no_age_is_refused_and_changes_nothing(max_age, time, words):
    """The first one was taken, and every later call failed."""
    pending = rl.PendingLabels(3, max_age=max_age, keep_early_labels=True)
    before = pending.to_bytes()
    for call in (pending.add_prediction, pending.add_label):
        with pytest.raises(rl.InputError, match=words):
            call("a", 0.5, time=time)
    assert pending.to_bytes() == before


def test_dates_of_all_kinds_are_one_time():
    """Without a time zone they are in UTC, as in windows; they could not be compared."""
    pending = rl.PendingLabels(5, max_age=np.timedelta64(1, "D"))
    berlin = datetime.timezone(datetime.timedelta(hours=1))
    times = {
        "plain": START,
        "aware": START.replace(hour=1, tzinfo=berlin),
        "numpy": np.datetime64("2024-01-01"),
    }
    for key, time in times.items():
        pending.add_prediction(key, 0.5, time=time)
    pending = rl.PendingLabels.from_bytes(pending.to_bytes())
    for key, time in times.items():
        assert pending.add_label(key, 1, time=START + DAY).time == time
    pending.add_prediction("late", 0.5, time=START)
    assert pending.add_label("late", 1, time=np.datetime64("2024-01-02T00:00:01")) is None


@pytest.mark.parametrize("id", [math.nan, np.float64("nan"), ("a", math.nan)])
def test_an_id_that_is_never_found_again_is_refused(id):
    pending = rl.PendingLabels(3, max_age=5)
    for call in (pending.add_prediction, pending.add_label):
        with pytest.raises(rl.InputError, match=r"id is .*; NaN does not equal itself"):
            call(id, 1, time=1)
    with pytest.raises(TypeError, match="unhashable"):
        pending.add_prediction(["a"], 0.5, time=100)
    pending.add_prediction("a", 0.5, time=1)
    assert pending.add_label("a", 1, time=2) is not None  # time 100 was not passed


def test_bytes_without_times_are_refused_by_name():
    """Version 1 did not keep the weight and segments of a prediction."""
    old = b"RLPL\x01\x00\x82\xaaM\xfd[[5,10,false,null],[0,0,0,0,0],[],[]]"
    with pytest.raises(rl.SerializationError, match=r"written in version 1; .* reads version 2"):
        rl.PendingLabels.from_bytes(old)
