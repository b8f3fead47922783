"""A watched stream: its reference is made of the first events, and takes bounded memory."""

import numpy as np
import pytest
import reference_drift as slow

import roclab as rl
from roclab.streaming import Alarm
from roclab.streaming.drift import blocks as block_module
from roclab.streaming.watcher import StreamStep, StreamWatcher


def watch(**options):
    made = []

    def make(reference):
        made.append(reference)
        return rl.BlockDriftTest(reference)

    settings = {"every": 10, "make_detector": make} | options
    return StreamWatcher(rl.WindowAUC(20), **settings), made


def told(watched, events):
    return [one for event in events for one in watched.update(*event)]


def test_the_reference_is_made_of_the_first_events():
    stream = list(zip(*slow.stream(np.random.default_rng(0), 60), strict=True))
    watched, made = watch(reference_events=50)
    assert watched.reference_missing == 50
    told(watched, stream[:49])
    assert (watched.reference_missing, made) == (1, [])
    told(watched, stream[49:])
    assert watched.reference_missing == 0
    [reference] = made
    expected = rl.Ranking(*zip(*stream[:50], strict=True))
    assert (reference.n_pos, reference.n_neg) == (expected.n_pos, expected.n_neg)
    assert rl.auc(reference) == rl.auc(expected)
    assert watched.detector.n_events == 10


def test_a_reference_that_waits_for_a_class_takes_bounded_memory(monkeypatch):
    monkeypatch.setattr(block_module, "_MOST_WAITING", 100)
    watched, made = watch(reference_events=30)
    told(watched, [(False, float(number)) for number in range(5000)])
    assert (watched.reference_missing, made) == (1, [])
    told(watched, [(True, 0.0), (True, 6000.0)])
    [reference] = made
    assert reference.n_pos == 2
    assert 50 <= reference.n_neg <= 101
    assert reference.scores[reference.neg > 0].max() == 4999


def test_without_a_reference_there_is_no_detector():
    watched, made = watch()
    steps = told(watched, [(number % 2 == 0, 1.0) for number in range(100)])
    assert (watched.reference_missing, watched.detector, made) == (0, None, [])
    assert [step.event for step in steps] == list(range(10, 101, 10))
    assert isinstance(steps[-1], StreamStep)
    assert (steps[-1].auc, steps[-1].n_pos, steps[-1].statistic) == (0.5, 10, None)


def test_a_lasting_change_is_told_again_after_a_pause():
    watched, _ = watch(detector=rl.BlockDriftTest(0.9, per_class=1), quiet_events=100)
    calls = [(number % 2 == 0, 0.5) for number in range(1000)]
    alarms = [one.event for one in told(watched, calls) if isinstance(one, Alarm)]
    assert len(alarms) == watched.alarms > 5
    assert min(np.diff(alarms)) >= 100


def test_alarms_carry_the_time_and_the_key_of_the_stream():
    watched = rl.StreamWatcher(
        rl.TimeWindowAUC(50), every=100, detector=rl.BlockDriftTest(0.99, per_class=1), key="north"
    )
    found = [one for t in range(40) for one in watched.update(t % 2, 0.4, time=float(t))]
    alarms = [one for one in found if isinstance(one, Alarm)]
    assert {one.key for one in alarms} == {"north"}
    assert [one.time for one in alarms] == [one.event - 1.0 for one in alarms]
    assert alarms[0].to_dict()["key"] == "north"


def test_an_event_that_is_refused_is_not_counted():
    watched = rl.StreamWatcher(rl.WindowAUC(5), every=1)
    with pytest.raises(rl.InputError):
        watched.update(1, float("nan"))
    assert watched.event == 0
    with pytest.raises(rl.InputError, match="time"):
        rl.StreamWatcher(rl.TimeWindowAUC(5), every=1).update(1, 0.5)


def test_a_weight_is_a_weight_and_not_a_time():
    """It was passed third, where windows of time take the time."""
    metric = rl.RiverAUC(rl.CumulativeAUC())
    metric.update(True, 0.9, 2.5)
    metric.update(False, 0.1, 1.5)
    assert metric.window.ranking().weighted
    with pytest.raises(TypeError):
        rl.TimeWindowAUC(5).update(1, 0.5, 3.0)
