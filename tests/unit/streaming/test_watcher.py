"""A watched stream: its reference is made of the first events, and takes bounded memory."""

import math
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
import reference_drift as slow

import roclab as rl
from roclab.errors import EventNotFoundError
from roclab.streaming import Alarm, DetectorSettings
from roclab.streaming import watcher as watcher_module
from roclab.streaming.drift import blocks as block_module
from roclab.streaming.watcher import StreamStep, StreamWatcher


def watch(**options):
    return StreamWatcher(rl.WindowAUC(20), **{"every": 10} | options)


@pytest.fixture
def asked(monkeypatch):
    """The events of each reference that is tried."""
    made = []

    def make_reference(_, y_true, y_score):
        made.append((y_true.tolist(), y_score.tolist()))
        return rl.DriftReference([0, 1] * 60, [0.1, 0.4] * 60, per_class=1)

    monkeypatch.setattr(DetectorSettings, "make_reference", make_reference)
    return made


def told(watched, events):
    return [one for event in events for one in watched.update(*event)]


def test_the_reference_is_made_of_the_first_events(asked):
    stream = list(zip(*slow.stream(np.random.default_rng(0), 60), strict=True))
    watched = watch(reference_events=50)
    assert watched.reference_missing == 50
    told(watched, stream[:49])
    assert (watched.reference_missing, asked, watched.reference) == (1, [], None)
    told(watched, stream[49:])
    assert watched.reference_missing == 0
    [(labels, scores)] = asked
    assert list(zip(labels, scores, strict=True)) == stream[:50]  # in their order
    assert watched.detector.n_events == 10
    assert watched.reference.n_events == 120


def test_by_default_the_reference_keeps_its_order_and_is_cut_into_blocks():
    labels, scores = slow.wandering(np.random.default_rng(0), 3000, 2.0, distance=1.0)
    watched = rl.StreamWatcher(rl.WindowAUC(100), every=10**6, reference_events=2000)
    assert told(watched, zip(labels, scores, strict=True)) == []
    reference = rl.DriftReference(labels[:2000], scores[:2000])
    assert reference.pooled_disagrees
    assert watched.detector.bounds == rl.BlockEDetector(reference).bounds


def test_a_reference_that_is_too_short_is_refused_when_it_is_complete():
    stream = list(zip(*slow.stream(np.random.default_rng(0), 900), strict=True))
    watched = rl.StreamWatcher(rl.WindowAUC(20), every=1000, reference_events=100)
    told(watched, stream[:99])
    with pytest.raises(rl.InputError, match="30 blocks are needed, which takes about"):
        watched.update(*stream[99])
    assert (watched.event, watched.reference_missing) == (100, 100)
    assert watched.detector is None


def test_a_reference_that_waits_for_a_class_takes_bounded_memory(monkeypatch, asked):
    monkeypatch.setattr(block_module, "_MOST_WAITING", 100)
    watched = watch(reference_events=30)
    told(watched, [(False, float(number)) for number in range(5000)])
    assert (watched.reference_missing, asked) == (1, [])
    told(watched, [(True, 0.0), (True, 6000.0)])
    [(labels, scores)] = asked
    assert sum(labels) == 2
    assert 52 <= len(labels) <= 103
    assert scores[-3:] == [4999, 0, 6000]


def test_a_reference_grows_for_as_long_as_it_is_too_short():
    labels, scores = slow.stream(np.random.default_rng(0), 2000, 1.8)
    watched = rl.StreamWatcher(rl.WindowAUC(20), every=10**6, reference_events=None)
    assert watched.reference_missing == 300
    assert "reference incomplete" in repr(watched)
    events = list(zip(labels, scores, strict=True))
    size = 0
    while watched.detector is None:
        watched.update(*events[size])
        size += 1
    assert watched.reference_error is None
    assert (watched.reference_missing, watched.watched_events) == (0, 0)
    reference = rl.DriftReference(labels[:size], scores[:size])
    assert watched.detector.bounds == rl.BlockEDetector(reference).bounds
    told(watched, events[size:])
    assert watched.watched_events == 2000 - size


def test_a_reference_that_grows_is_saved_while_it_does():
    stream = list(zip(*slow.stream(np.random.default_rng(0), 2000, 1.8), strict=True))
    for saved_at in (0, 299, 300, 350, 1500):
        one = rl.StreamWatcher(rl.WindowAUC(20), every=50, reference_events=None)
        told(one, stream[:saved_at])
        other = rl.StreamWatcher.from_bytes(one.to_bytes())
        assert other.reference_missing == one.reference_missing
        assert told(other, stream[saved_at:]) == told(one, stream[saved_at:])
        assert other.to_bytes() == one.to_bytes()
        assert other.detector is not None


def test_a_reference_that_grows_without_end_takes_bounded_memory(monkeypatch):
    monkeypatch.setattr(watcher_module, "_MOST", 1000)
    sizes = []

    def make(_, y_true, y_score):
        sizes.append((len(y_true), y_score[0], y_score[-1]))
        raise rl.errors.ShortReferenceError(found="It is too short", events_needed=2 * len(y_true))

    monkeypatch.setattr(DetectorSettings, "make_reference", make)
    watched = watch(reference_events=None)
    told(watched, [(number % 2, float(number)) for number in range(3000)])
    # 300, 600, then at most 1,000: the last half of them is kept.
    assert sizes == [
        (300, 0, 299),
        (600, 0, 599),
        *((1000, first, first + 999) for first in range(100, 1601, 500)),
    ]


def test_other_errors_of_the_detector_are_raised():
    watched = watch(reference_events=None, detector_settings=DetectorSettings(margin=0.9))
    with pytest.raises(rl.InputError, match="give the bound -0"):
        told(watched, [(number % 2, 1.0) for number in range(300)])


def test_without_a_reference_there_is_no_detector():
    watched = watch()
    steps = told(watched, [(number % 2 == 0, 1.0) for number in range(100)])
    assert (watched.reference_missing, watched.detector) == (0, None)
    assert [step.event for step in steps] == list(range(10, 101, 10))
    assert isinstance(steps[-1], StreamStep)
    assert (steps[-1].auc, steps[-1].n_pos, steps[-1].statistic) == (0.5, 10, None)
    assert watched.watched_events == 0
    assert repr(watched).endswith("100 events, no detector)")


def test_a_lasting_change_is_told_again_after_a_pause():
    watched = watch(
        detector=rl.BlockEDetector(0.9, per_class=1, average_run_length=100), quiet_events=100
    )
    calls = [(number % 2 == 0, 0.5) for number in range(1000)]
    alarms = [one.event for one in told(watched, calls) if isinstance(one, Alarm)]
    assert len(alarms) == watched.alarms > 5
    assert min(np.diff(alarms)) >= 100


@pytest.mark.parametrize(
    ("window", "pause"),
    [
        (lambda: rl.WindowAUC(70), 70),
        (lambda: rl.ApproximateWindowAUC(90, 0.1), 90),
        (rl.CumulativeAUC, 1000),
    ],
    ids=["sliding", "approximate", "cumulative"],
)
def test_the_pause_is_as_long_as_the_window(window, pause):
    detector = rl.BlockEDetector(0.9, per_class=1, average_run_length=100)
    watched = StreamWatcher(window(), every=10**6, detector=detector)
    alarms = [one.event for one in told(watched, [(n % 2 == 0, 0.5) for n in range(3000)])]
    assert pause <= min(np.diff(alarms)) < pause + 20


def test_alarms_carry_the_time_and_the_key_of_the_stream():
    watched = rl.StreamWatcher(
        rl.TimeWindowAUC(50), every=100, detector=rl.BlockEDetector(0.99, per_class=1), key="north"
    )
    found = [one for t in range(40) for one in watched.update(t % 2, 0.4, time=float(t))]
    alarms = [one for one in found if isinstance(one, Alarm)]
    assert {one.key for one in alarms} == {"north"}
    assert [one.time for one in alarms] == [one.event - 1.0 for one in alarms]
    assert [one.since_time for one in alarms] == [one.since_event - 1.0 for one in alarms]
    assert alarms[0].to_dict()["key"] == "north"


def test_an_event_that_is_refused_is_not_counted():
    watched = rl.StreamWatcher(rl.WindowAUC(5), every=1)
    with pytest.raises(rl.InputError):
        watched.update(1, float("nan"))
    assert watched.event == 0
    with pytest.raises(rl.InputError, match="time"):
        rl.StreamWatcher(rl.TimeWindowAUC(5), every=1).update(1, 0.5)


def test_weights_are_for_windows_without_a_detector():
    watched = rl.StreamWatcher(rl.WindowAUC(5), every=2)
    watched.update(1, 0.9, sample_weight=2.0)
    assert watched.update(0, 0.1, sample_weight=1.0)[0].auc == 1.0
    for options in ({"detector": rl.BlockEDetector(0.9)}, {"reference_events": 50}):
        other = rl.StreamWatcher(rl.WindowAUC(5), every=2, **options)
        with pytest.raises(rl.InputError, match="Drift detectors take no weights"):
            other.update(1, 0.9, sample_weight=2.0)
        assert other.event == 0


@pytest.mark.parametrize("saved_at", [0, 30, 150, 199])
@pytest.mark.parametrize(
    ("window", "size"), [(rl.WindowAUC, [20]), (rl.TimeWindowAUC, [20]), (rl.CumulativeAUC, [])]
)
def test_a_restored_watcher_continues(saved_at, window, size):
    stream = list(zip(*slow.stream(np.random.default_rng(0), 400, 2.0), strict=True))
    stream += [(label, -score) for label, score in stream]

    def follow(watched, events, first):
        return [
            one
            for number, event in enumerate(events, first)
            for one in watched.update(*event, time=float(number))
        ]

    options = {"every": 50, "quiet_events": 30, "reference_events": 150, "key": ("north", 1)}
    settings = DetectorSettings(per_class=1, average_run_length=1000, margin=0.01)
    one = rl.StreamWatcher(window(*size), detector_settings=settings, **options)
    follow(one, stream[:saved_at], 0)
    other = rl.StreamWatcher.from_bytes(one.to_bytes())
    assert repr(other) == repr(one)
    expected = follow(one, stream[saved_at:], saved_at)
    assert follow(other, stream[saved_at:], saved_at) == expected
    assert other.to_bytes() == one.to_bytes()
    assert any(isinstance(found, Alarm) and found.key == ("north", 1) for found in expected)


def test_windows_of_others_have_no_bytes():
    class Mine(rl.WindowAUC):
        pass

    with pytest.raises(rl.InputError, match="has a Mine; only windows and detectors of roclab"):
        rl.StreamWatcher(Mine(5), every=1).to_bytes()


def test_a_weight_is_a_weight_and_not_a_time():
    """It was passed third, where windows of time take the time."""
    metric = rl.RiverAUC(rl.CumulativeAUC())
    metric.update(True, 0.9, 2.5)
    metric.update(False, 0.1, 1.5)
    assert metric.window.ranking().weighted
    with pytest.raises(TypeError):
        rl.TimeWindowAUC(5).update(1, 0.5, 3.0)


@pytest.mark.parametrize("name", ["reference_events", "quiet_events"])
@pytest.mark.parametrize("value", [-5, 2.5, "x", True])
def test_numbers_of_events_are_checked(name, value):
    with pytest.raises(rl.InputError, match=f"{name}=.* is out of range; an integer from 0"):
        watch(**{name: value})


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, lambda reference: rl.BlockEDetector(reference)),
        (
            {"alternative": "two-sided", "margin": 0.02, "average_run_length": 1e5},
            lambda reference: rl.BlockEDetector(
                reference, alternative="two-sided", margin=0.02, average_run_length=1e5
            ),
        ),
        (
            {"detector": "cusum", "drop": 0.1, "reference_confidence": 0.9},
            lambda reference: rl.BlockCUSUM(reference, drop=0.1, reference_confidence=0.9),
        ),
    ],
    ids=["default", "e-detector", "cusum"],
)
def test_settings_make_the_detector_they_describe(settings, expected):
    labels, scores = slow.stream(np.random.default_rng(0), 1000, 1.8)
    settings = DetectorSettings(per_class=6, **settings)
    watched = watch(reference_events=1000, detector_settings=settings)
    told(watched, zip(labels, scores, strict=True))
    reference = rl.DriftReference(labels, scores, per_class=6)
    assert watched.reference.block_aucs.tolist() == reference.block_aucs.tolist()
    assert watched.detector.to_bytes() == expected(reference).to_bytes()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"detector": "chart"}, "detector='chart' is not an option"),
        ({"average_run_length": 0}, "average_run_length=0 is out of range"),
        ({"alternative": "lower"}, "alternative='lower' is not an option"),
        ({"reference_confidence": 1}, "reference_confidence=1 is out of range"),
        ({"per_class": 2, "events": 9}, "two rules for the end"),
        ({"drop": 0.1}, "drop is a setting of cusum, and detector='e-detector'"),
        ({"detector": "cusum", "margin": 0.1}, "margin is a setting of e-detector"),
    ],
)
def test_settings_are_checked_at_once(settings, words):
    with pytest.raises(rl.InputError, match=words):
        DetectorSettings(**settings)


def test_settings_are_for_a_detector_that_is_made():
    settings = DetectorSettings()
    for options in ({}, {"detector": rl.BlockEDetector(0.9), "reference_events": 300}):
        with pytest.raises(rl.InputError, match="detector that is made of first events"):
            watch(detector_settings=settings, **options)
    with pytest.raises(rl.InputError, match=r"detector_settings is .*; DetectorSettings are"):
        watch(reference_events=300, detector_settings={"margin": 0.1})


class TestRevert:
    """A corrected label could not be applied."""

    def test_a_corrected_label(self):
        one, other = (watch(detector=rl.BlockEDetector(0.9, per_class=3)) for _ in range(2))
        for time, (label, score) in enumerate([(1, 0.9), (0, 0.2), (1, 0.3)]):
            one.update(label, score, time=time)
        one.revert(1, 0.3, time=2)
        one.update(0, 0.3, time=2)
        for time, (label, score) in enumerate([(1, 0.9), (0, 0.2), (0, 0.3)]):
            other.update(label, score, time=time)
        for watched in (one, other):
            for label, score in [(1, 0.1), (1, 0.2), (0, 0.5)]:
                watched.update(label, score, time=9)
        assert one._window.to_bytes() == other._window.to_bytes()
        assert one.detector.statistic == other.detector.statistic > 0
        assert (one.event, other.event, one.detector.n_blocks) == (7, 6, 1)

    def test_complete_blocks_stay(self):
        watched = watch(detector=rl.BlockEDetector(0.9, per_class=1))
        watched.update(1, 0.5)
        watched.update(0, 0.5)
        before = watched.detector.to_bytes()
        watched.revert(1, 0.5)
        assert watched.detector.to_bytes() == before
        assert (watched.step().n_pos, watched.step().n_neg) == (0, 1)
        with pytest.raises(EventNotFoundError, match=r"No event with y_true=1, y_score=0.5 is in"):
            watched.revert(1, 0.5)

    def test_a_block_may_reach_back_further_than_the_window(self):
        watched = StreamWatcher(rl.WindowAUC(2), every=9, detector=rl.BlockEDetector(0.9))
        for score in range(5):
            watched.update(0, score)
        watched.revert(0, 1)
        assert (len(watched._window), watched.detector._cutter.waiting) == (2, 4)
        with pytest.raises(EventNotFoundError):
            watched.revert(0, 1)

    def test_the_time_tells_equal_events_apart(self):
        """Of two with this label and score, the one of the complete block was reverted."""
        watched = watch(detector=rl.BlockEDetector(0.9, per_class=1))
        for label, time in [(1, 1), (0, 2), (1, 3)]:
            watched.update(label, 0.5, time=time)
        watched.revert(1, 0.5, time=1)
        assert watched.detector._cutter.waiting == 1
        watched.update(1, 0.5, time=1)
        watched.revert(1, 0.5)
        assert watched.detector._cutter.waiting == 1

    @pytest.mark.parametrize(
        "time",
        [
            datetime(2024, 1, 1),
            datetime(2024, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))),
            np.datetime64("2024-01-01T00"),
        ],
    )
    def test_dates_of_all_kinds_are_one_time(self, time):
        window = rl.TimeWindowAUC(timedelta(days=1))
        watched = StreamWatcher(window, every=9, detector=rl.BlockEDetector(0.9))
        watched.update(1, 0.5, time=datetime(2024, 1, 1, tzinfo=UTC))
        again = StreamWatcher.from_bytes(watched.to_bytes())
        for each in (watched, again):
            each.revert(1, 0.5, time=time)
            assert (len(each._window), each.detector._cutter.waiting) == (0, 0)

    def test_an_event_that_was_too_late_for_the_window(self):
        watched = StreamWatcher(rl.TimeWindowAUC(5), every=9, detector=rl.BlockEDetector(0.9))
        watched.update(1, 0.5, time=100)
        watched.update(1, 0.5, time=3)
        watched.revert(1, 0.5, time=3)
        assert (len(watched._window), watched.detector._cutter.waiting) == (1, 1)

    def test_the_reference_until_it_is_complete(self):
        labels, scores = slow.stream(np.random.default_rng(0), 1001, 1.8)
        watched = watch(reference_events=1000)
        for time, event in enumerate(zip(labels, scores, strict=True)):
            watched.update(*event, time=time)
            if time == 399:  # when the window has long dropped the event
                watched.revert(labels[17], scores[17], time=17)
                assert watched.reference_missing == 601
        expected = rl.DriftReference(np.delete(labels, 17), np.delete(scores, 17))
        assert watched.reference.block_aucs.tolist() == expected.block_aucs.tolist()
        with pytest.raises(EventNotFoundError):
            watched.revert(1, 99.0, time=18)

    def test_a_reference_that_grows(self):
        labels, scores = slow.stream(np.random.default_rng(0), 2000, 1.8)
        watched = watch(reference_events=None)
        for time in range(350):
            watched.update(labels[time], scores[time], time=time)
        assert watched.reference_error is not None
        watched.revert(labels[5], scores[5], time=5)
        time = 350
        while watched.detector is None:
            watched.update(labels[time], scores[time], time=time)
            time += 1
        expected = rl.DriftReference(np.delete(labels[:time], 5), np.delete(scores[:time], 5))
        assert watched.reference.block_aucs.tolist() == expected.block_aucs.tolist()

    @pytest.mark.parametrize("options", [{}, {"detector": rl.BlockEDetector(0.9)}])
    def test_what_is_refused_changes_nothing(self, options):
        watched = StreamWatcher(rl.TimeWindowAUC(5), every=9, **options)
        watched.update(1, 0.5, time=1)
        before = watched.to_bytes()
        wrong = [(1, math.nan), ("yes", 0.5)]
        for label, score in wrong:
            with pytest.raises(rl.InputError):
                watched.revert(label, score, time=1)
        with pytest.raises(rl.InputError, match="time is None"):
            watched.revert(1, 0.5)  # not taken for an event of any time
        with pytest.raises(rl.InputError, match=r"is in the window|take no weights"):
            watched.revert(1, 0.5, time=1, sample_weight=2.0)
        assert watched.to_bytes() == before

    def test_weights_without_a_detector(self):
        watched = watch()
        watched.update(1, 0.5, sample_weight=2.5)
        with pytest.raises(EventNotFoundError):
            watched.revert(1, 0.5)
        watched.revert(1, 0.5, sample_weight=2.5)
        assert (len(watched._window), watched.event) == (0, 1)


class TestNotWatched:
    def test_why(self):
        assert watch().not_watched == "no detector"
        watched = watch(reference_events=100)
        assert watched.not_watched == "reference incomplete"
        told(watched, [(0, 0.5)] * 150)
        assert watched.not_watched == "too few positives"
        assert repr(watched).endswith("150 events, too few positives)")
        watched = watch(reference_events=100)
        told(watched, [(1, 0.5)] * 150)
        assert watched.not_watched == "too few negatives"

    def test_until_a_block_is_complete(self):
        """0 alarms were reported of a detector that had tested nothing."""
        watched = watch(detector=rl.BlockEDetector(0.9, per_class=1))
        told(watched, [(0, 0.5)] * 50)
        assert (watched.not_watched, watched.watched_events) == ("no complete block", 50)
        assert repr(watched).endswith("50 events, no complete block)")
        told(watched, [(1, 0.5)])
        assert watched.not_watched is None
        assert repr(watched).endswith("51 events, 0 alarms)")


def test_parts_that_are_none_are_refused():
    for value in (None, rl.WindowAUC, 1000, rl.BlockEDetector(0.9)):
        with pytest.raises(rl.InputError, match=r"window is .*; a window is needed"):
            StreamWatcher(value, every=1)
    for value in ("e-detector", rl.BlockEDetector, rl.WindowAUC(5)):
        with pytest.raises(rl.InputError, match=r"detector is .*; a BlockEDetector or BlockCUSUM"):
            watch(detector=value)
    whole = rl.BlockEDetector(rl.DriftReference.from_blocks([0.9, 0.8] * 20))
    with pytest.raises(rl.InputError, match="reference of this detector is made of whole blocks"):
        watch(detector=whole)  # the first event was taken by the window, and then refused
