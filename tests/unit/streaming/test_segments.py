"""A window for each key: the same numbers as windows of their own, within the limits."""

import functools
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.errors import EventNotFoundError

calls = st.lists(st.tuples(st.sampled_from("abcde"), st.booleans(), st.integers(0, 3)), max_size=80)


@given(calls, st.integers(1, 5), st.sampled_from([None, 3, 8, 100]))
def test_keys_have_the_windows_they_would_have_alone(stream, max_keys, max_events):
    segments = rl.SegmentedWindow(rl.WindowAUC(6), max_keys=max_keys, max_events=max_events)
    alone, used = {}, []  # the events of each key, and the keys by last use
    dropped = lost = 0
    for key, label, score in stream:
        segments.update(key, label, score)
        alone[key] = [*alone.get(key, []), (label, score)][-6:]
        used = [*(other for other in used if other != key), key]

        def total():
            return sum(map(len, alone.values()))

        while len(used) > max_keys or (max_events and total() > max_events and len(used) > 1):
            gone = used.pop(0)
            lost += len(alone.pop(gone))
            dropped += 1
        assert list(segments) == used
        assert segments.n_events == total()
        assert (segments.dropped_keys, segments.dropped_events) == (dropped, lost)
    for key, kept in alone.items():
        expected = rl.WindowAUC(6)
        for event in kept:
            expected.update(*event)
        assert key in segments
        assert (segments[key].n_pos, segments[key].n_neg) == (expected.n_pos, expected.n_neg)
        assert segments.auc(key) == pytest.approx(expected.auc, abs=1e-15, nan_ok=True)
        assert repr(segments.interval(key)) == repr(expected.interval())


@pytest.fixture
def three():
    """AUCs 1 (of one pair), 0.75 (of four) and 0.25 (of many)."""
    segments = rl.SegmentedWindow(rl.WindowAUC(1000))
    segments.update("tiny", 1, 2)
    segments.update("tiny", 0, 1)
    for label, score in [(1, 4), (1, 2), (0, 3), (0, 1)]:
        segments.update("small", label, score)
    for label, score in [(1, 1), (1, 3), (0, 2), (0, 4)] * 50:
        segments.update("large", label, score)
    segments.update("one class", 1, 1)
    return segments


def test_worst_keys(three):
    assert [(one.key, one.interval.value) for one in three.worst()] == [
        ("large", 0.25),
        ("small", 0.75),
        ("tiny", 1.0),
    ]
    assert [one.key for one in three.worst(count=1)] == ["large"]
    assert [one.key for one in three.worst(least=2)] == ["large", "small"]
    by_high = three.worst(sort_by="high")
    assert [one.key for one in by_high] == ["large", "small", "tiny"]
    assert by_high[0].interval.high < 0.4
    assert three.worst(count=1)[0].to_dict()["key"] == "large"


def test_an_uncertain_low_is_not_worst_by_its_upper_end(three):
    three.update("unlucky", 1, 0)
    three.update("unlucky", 0, 1)
    assert three.worst(count=1)[0].key == "unlucky"
    assert three.worst(count=1, sort_by="high")[0].key == "large"


def test_a_refused_event_makes_no_key():
    segments = rl.SegmentedWindow(rl.WindowAUC(6))
    with pytest.raises(rl.InputError):
        segments.update("a", 1, math.nan)
    assert (len(segments), segments.n_events) == (0, 0)
    assert "a" not in segments
    with pytest.raises(KeyError):
        segments.auc("a")


def test_weights_reach_the_windows():
    segments = rl.SegmentedWindow(rl.WindowAUC(6))
    for label, score, weight in [(1, 0.9, 1), (1, 0.4, 2), (0, 0.4, 3), (0, 0.1, 1)]:
        segments.update("a", label, score, sample_weight=weight)
    assert segments.auc("a") == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("make", "kept"),
    [
        (functools.partial(rl.WindowAUC, 6), 6),
        (functools.partial(rl.ApproximateWindowAUC, 6, 0.5), 6),
        (functools.partial(rl.DecayedAUC, 6), 20),
        (rl.CumulativeAUC, 20),
    ],
    ids=["window", "approximate", "decayed", "cumulative"],
)
def test_any_window_of_roclab_will_do(make, kept):
    segments, alone = rl.SegmentedWindow(make(), max_keys=1), make()
    segments.update("gone", 1, 0.5)
    for event in [(n % 3 == 0, (5 * n) % 4) for n in range(20)]:
        segments.update("a", *event)
        alone.update(*event)
    assert (segments.n_events, segments.dropped_keys, segments.dropped_events) == (kept, 1, 1)
    assert segments.auc("a") == alone.auc
    assert segments.interval("a") == alone.interval() == segments.worst(count=1)[0].interval
    copy = pickle.loads(pickle.dumps(segments))
    copy.update("a", 1, 7)
    alone.update(1, 7)
    assert (copy.auc("a"), copy["a"].to_bytes()) == (alone.auc, alone.to_bytes())


def test_windows_of_time():
    segments = rl.SegmentedWindow(rl.TimeWindowAUC(10), max_events=3)
    for key, time in [("a", 1), ("a", 2), ("b", 3)]:
        segments.update(key, 1, 0.5, time=time)
    assert segments.n_events == 3
    segments.update("a", 1, 0.5, time=12.5)  # both of a are too old now, so b may stay
    assert (segments.n_events, list(segments), segments.dropped_keys) == (2, ["b", "a"], 0)
    segments["b"].advance_to(20)
    segments.update("b", 0, 0.5, time=21)
    assert segments.n_events == 2
    for key in "cd":
        segments.update(key, 0, 0.5, time=22)
    assert (segments.n_events, list(segments)) == (3, ["b", "c", "d"])
    assert (segments.dropped_keys, segments.dropped_events) == (1, 1)
    with pytest.raises(rl.InputError, match="time is None"):
        segments.update("e", 1, 0.5)
    assert "e" not in segments


def test_a_pickled_one_goes_on():
    segments = rl.SegmentedWindow(rl.WindowAUC(4), max_keys=2)
    for key in "abc":
        segments.update(key, 1, 2)
        segments.update(key, 0, 1)
    copy = pickle.loads(pickle.dumps(segments))
    copy.update("d", 1, 1)
    assert list(copy) == ["c", "d"]
    assert copy.auc("c") == 1.0
    assert repr(segments) == "SegmentedWindow(2 keys, 4 events, 1 keys dropped)"
    segments.reset()
    assert (len(segments), segments.n_events, segments.dropped_keys) == (0, 0, 0)


@pytest.mark.parametrize(
    ("options", "words"), [({"max_keys": 0}, "max_keys=0"), ({"max_events": 0}, "max_events=0")]
)
def test_limits_are_checked(options, words):
    with pytest.raises(rl.InputError, match=words):
        rl.SegmentedWindow(rl.WindowAUC(6), **options)


@pytest.mark.parametrize("value", [rl.WindowAUC, lambda: rl.WindowAUC(5), None, 1000])
def test_only_a_window_is_a_window(value):
    with pytest.raises(rl.InputError, match=r"window is .*; an empty window is needed"):
        rl.SegmentedWindow(value)


def test_a_window_with_events_is_refused():
    used = rl.WindowAUC(5)
    used.update(1, 0.5)
    with pytest.raises(rl.InputError, match=r"window holds 1 events; an empty .* reset\(\) first"):
        rl.SegmentedWindow(used)


def test_keys_share_the_settings_of_the_window_and_nothing_else():
    template = rl.TimeWindowAUC(10, lateness=3, max_ahead=20)
    template.advance_to(1000)
    segments = rl.SegmentedWindow(template)
    segments.update("a", 1, 0.5, time=1)
    segments.update("b", 1, 0.5, time=100)
    template.update(1, 0.5, time=1000)
    again = rl.SegmentedWindow.from_bytes(segments.to_bytes())
    for each in (segments, again):
        each.update("c", 0, 0.5, time=5)
        settings = [
            (one.duration, one.lateness, one.max_ahead) for one in map(each.__getitem__, "abc")
        ]
        assert settings == [(10, 3, 20)] * 3
        assert [(len(each[key]), each[key].now) for key in "abc"] == [(1, 1), (1, 100), (1, 5)]
    assert again.to_bytes() == segments.to_bytes()


def test_windows_of_others_have_no_bytes():
    class Mine(rl.WindowAUC):
        pass

    with pytest.raises(rl.InputError, match="This SegmentedWindow has a Mine; only windows"):
        rl.SegmentedWindow(Mine(5)).to_bytes()


def test_revert_removes_from_the_window_of_its_key():
    segments = rl.SegmentedWindow(rl.WindowAUC(3), max_keys=3)
    for key in "ab":
        for label, score in [(1, 0.5), (0, 0.5), (1, 0.5)]:
            segments.update(key, label, score)
    segments.revert("a", 1, 0.5)
    assert (segments.n_events, len(segments["a"]), len(segments["b"])) == (5, 2, 3)
    assert list(segments) == ["a", "b"]  # a correction is no news of a key
    segments.revert("a", 1, 0.5)
    segments.revert("a", 0, 0.5)
    assert ("a" in segments, len(segments["a"]), segments.n_events) == (True, 0, 3)


def test_revert_of_what_is_not_there():
    segments = rl.SegmentedWindow(rl.WindowAUC(3), max_keys=2)
    for key in "abc":
        segments.update(key, 1, 0.5)
    before = segments.to_bytes()
    for key in ("a", "unknown", math.nan):
        with pytest.raises(EventNotFoundError, match=r"There is no window of the key="):
            segments.revert(key, 1, 0.5)
    with pytest.raises(EventNotFoundError, match=r"No event with y_true=0, y_score=0.5 is in"):
        segments.revert("b", 0, 0.5)
    with pytest.raises(rl.InputError, match="y_score is nan"):
        segments.revert("b", 1, math.nan)
    assert segments.to_bytes() == before


@pytest.mark.parametrize("key", [math.nan, ("north", math.nan)])
def test_a_key_that_is_never_found_again_is_refused(key):
    """Each missing region of a data frame made a key of its own, and bytes were lost."""
    segments = rl.SegmentedWindow(rl.WindowAUC(3))
    with pytest.raises(rl.InputError, match=r"key is .*; NaN does not equal itself.* Pass None"):
        segments.update(key, 1, 0.5)
    assert len(segments) == 0
