"""Streams are judged by the monitor's own rule, with what differs from it and nothing else."""

import numpy as np
import pytest

import roclab as rl
from roclab_studies.monitor.fleets import StreamBlocks
from roclab_studies.monitor.judging import judged, reference_blocks


def stream(aucs):
    places = np.arange(len(aucs))
    return StreamBlocks(np.asarray(aucs), places, places)


def drawn(seed, *means):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(mean, 0.02, 60) for mean in means])


def test_references_are_those_of_the_monitor():
    assert [reference_blocks("default", one) for one in ("hour", "day", "week")] == [168, 30, 30]
    assert [reference_blocks(one, "hour") for one in ("first 30", "first 90")] == [30, 90]


def test_an_alarm_is_that_of_the_detector():
    aucs = drawn(0, 0.8, 0.7)
    [told] = judged(stream(aucs), 1000.0).alarms
    detector = rl.BlockEDetector(rl.DriftReference.from_blocks(aucs[:30]), average_run_length=1000)
    at = next(place for place in range(30, 120) if detector.update_block(aucs[place]) is not None)
    assert told.block == at
    assert abs(told.since - 60) <= 2
    assert told.mean == pytest.approx(aucs[told.since : at + 1].mean())
    assert told.reference_mean == pytest.approx(aucs[:30].mean())
    assert judged(stream(aucs), 1000.0).bound == detector.bounds[0]


def test_worse_alarms_replace_others_and_recovered_streams_are_watched_again():
    found = judged(stream(drawn(1, 0.8, 0.7, 0.55)), 1000.0).alarms
    assert [one.worse for one in found] == [False, True]
    found = judged(stream(drawn(1, 0.8, 0.7, 0.8, 0.7)), 1000.0).alarms
    assert [one.worse for one in found] == [False, False]
    assert [one.since // 60 for one in found] == [1, 3]


def test_without_a_ceiling_bets_allow_for_an_auc_of_1():
    aucs = drawn(2, 0.8, 0.75)
    assert judged(stream(aucs), 1000.0).alarms[0].block + 10 < (
        judged(stream(aucs), 1000.0, method="no ceiling").alarms[0].block
    )
    reference = rl.DriftReference.from_blocks(aucs[:30])
    # By hand: Student's quantile of the mean, and stakes of the whole way up to 1.
    bound = judged(stream(aucs), 1000.0, method="no ceiling").bound
    width = rl.DriftReference.from_blocks(aucs[:30]).standard_error
    assert reference.block_mean - 1.9 * width < bound < reference.block_mean - 1.6 * width
    evidence = np.zeros(7)
    stakes = np.array([0.9, 0.5, 0.25, 0.125, 1 / 16, 1 / 32, 1 / 64]) / (1 - bound)
    for place in range(30, 120):
        evidence = (1 + evidence) * (1 + stakes * (bound - aucs[place]))
        if evidence.mean() >= 1000:
            break
    assert judged(stream(aucs), 1000.0, method="no ceiling").alarms[0].block == place


def test_a_stream_without_a_reference_says_nothing():
    found = judged(stream(np.full(20, 0.8)), 1000.0)
    assert (found.alarms, found.bound) == ([], None)
