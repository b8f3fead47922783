"""Predictions and labels joined by id, in bounded memory, with nothing lost unseen."""

import datetime
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl


def test_a_label_finds_its_prediction():
    pending = rl.PendingLabels(10)
    assert pending.add_prediction("a", 0.25) is None
    assert pending.add_prediction("b", 1) is None
    joined = pending.add_label("a", True)
    assert joined == (True, 0.25)
    assert (joined.y_true, joined.y_score) == (True, 0.25)
    assert len(pending) == 1
    window = rl.WindowAUC(10)
    window.update(*joined)
    assert window.n_pos == 1


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
    assert pending.add_label("a", 0) == (0, 0.1)
    assert pending.counts.duplicates == 1


def test_early_labels_are_kept_if_asked():
    pending = rl.PendingLabels(2, keep_early_labels=True)
    assert pending.add_label("a", 1) is None
    assert pending.add_label("a", 0) is None
    assert pending.counts.early == 1
    assert pending.add_prediction("a", 0.5) == (1, 0.5)
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
    assert pending.add_prediction("z", 0.5) == (1, 0.5)
    assert rl.PendingLabels(2).add_label("a", 1) is None


@pytest.mark.parametrize("unit", [1, 0.5, datetime.timedelta(hours=1)])
def test_what_is_too_old_expires(unit):
    start = 0 * unit if not isinstance(unit, datetime.timedelta) else datetime.datetime(2024, 1, 1)
    pending = rl.PendingLabels(10, max_age=10 * unit)
    pending.add_prediction("a", 0.1, time=start)
    pending.add_prediction("b", 0.2, time=start + 5 * unit)
    assert pending.add_label("a", 1, time=start + 10 * unit) == (1, 0.1)  # just in time
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
    assert pending.add_label("new", 1, time=100) == (1, 0.1)


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
    assert copy.add_label("a", 1, time=2) == (1, 0.5)
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
