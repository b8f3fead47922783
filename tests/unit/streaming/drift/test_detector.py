"""What all detectors do: events of an incomplete block can be reverted, and bytes stay the same."""

import copy
import functools
from datetime import datetime

import numpy as np
import pytest

import roclab as rl
from roclab.errors import EventNotFoundError


@functools.cache  # its calibration takes a while
def chart():
    reference = rl.DriftReference([0, 1] * 120, np.arange(240) % 7, per_class=2)
    return rl.BlockCUSUM(reference, average_run_length=1000)


MADE = {
    "BlockEDetector": lambda: rl.BlockEDetector(0.6, per_class=2),
    "BlockCUSUM": lambda: copy.deepcopy(chart()),
}
(NO_UNIT,) = np.array([np.iinfo(np.int64).min]).view("M8")  # missing; numpy warns of writing one
EVENTS = [(1, 0.4), (0, 0.1), (1, 0.4), (0, 0.8)]


@pytest.mark.parametrize("name", MADE)
def test_revert_is_as_if_the_event_had_never_come(name):
    one, other = MADE[name](), MADE[name]()
    for place, (label, score) in enumerate([(1, 7.0), *EVENTS[:2], (0, 0.1), *EVENTS[2:]]):
        one.update(label, score, time=place)
        if place == 2:
            one.revert(1, 7.0, time=0)
        if place == 3:
            one.revert(0, 0.1)  # the newest of two
    for (label, score), time in zip(EVENTS, (1, 2, 4, 5), strict=True):
        other.update(label, score, time=time)
    assert one.statistic == other.statistic > 0
    assert (one.n_blocks, one.n_events, other.n_events) == (1, 6, 4)


@pytest.mark.parametrize("name", MADE)
def test_an_event_that_the_block_does_not_hold(name):
    detector = MADE[name]()
    detector.update_many(*zip(*EVENTS, strict=True))
    detector.update(1, 0.4, time=datetime(2024, 1, 1))
    before = detector.to_bytes()
    for label, score, time in [(0, 0.1, None), (1, 0.4, datetime(2024, 1, 2)), (1, 0.4, "today")]:
        with pytest.raises(EventNotFoundError) as caught:
            detector.revert(label, score, time=time)
        assert "is in the incomplete block. Complete blocks have been tested" in str(caught.value)
    with pytest.raises(rl.InputError, match="take no weights"):
        detector.revert(1, 0.4, sample_weight=1.0)
    with pytest.raises(rl.InputError, match="y_score is nan"):
        detector.revert(1, float("nan"))
    assert detector.to_bytes() == before


def test_whole_blocks_have_no_events_to_revert():
    detector = rl.BlockEDetector(rl.DriftReference.from_blocks([0.9, 0.8] * 20))
    with pytest.raises(rl.InputError, match="made of whole blocks"):
        detector.revert(1, 0.5)


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize(
    "time",
    [None, 5, datetime(2024, 1, 1), np.datetime64("NaT", "h"), NO_UNIT, np.datetime64(3, "ns")],
)
def test_bytes_of_a_restored_detector_are_the_same(name, time):
    """The length of a block became a float; a missing time could not be restored."""
    detector = MADE[name]()
    for event in EVENTS[:3]:
        detector.update(*event, time=time)
    again = type(detector).from_bytes(detector.to_bytes())
    assert again.to_bytes() == detector.to_bytes()
    for each in (detector, again):
        each.revert(1, 0.4)
    assert again.to_bytes() == detector.to_bytes()


def test_the_block_begins_with_the_first_event_that_is_left():
    detector = rl.BlockEDetector(0.9, per_class=1, average_run_length=3)
    for time in range(3):
        detector.update(0, 0.5, time=time)
    detector.revert(0, 0.5, time=0)
    alarm = detector.update(1, 0.1, time=7)
    assert (alarm.since_time, alarm.since_event, alarm.event) == (1, 2, 4)
    detector.update(0, 0.5, time=8)
    detector.revert(0, 0.5)
    detector.update(0, 0.5, time=9)
    alarm = detector.update(1, 0.1, time=10)
    assert (alarm.since_time, alarm.since_event, alarm.event) == (9, 6, 7)
