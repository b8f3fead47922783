"""Detectors that take whole blocks, such as days, as their AUCs."""

import math

import numpy as np
import pytest
import reference_drift as slow
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import roclab as rl
from roclab.errors import InputError, ShortReferenceError

CALM = [0.80, 0.82, 0.78] * 12


def reference():
    return rl.DriftReference.from_blocks(CALM)


def test_the_reference_has_the_statistics_of_its_blocks():
    found = reference()
    assert (found.n_blocks, found.n_events, found.block_events) == (36, 36, 1.0)
    assert found.block_mean == pytest.approx(0.8)
    # No positive autocorrelation, so the plain standard error.
    assert found.standard_error == pytest.approx(np.std(CALM, ddof=1) / 6)
    assert math.isnan(found.pooled_auc)
    assert not found.varies_slowly
    assert not found.pooled_disagrees
    assert repr(found) == "DriftReference(36 whole blocks, mean AUC 0.800)"


def test_slow_variation_is_said():
    waves = 0.8 + 0.1 * np.sin(np.arange(60) / 5)
    found = rl.DriftReference.from_blocks(waves)
    assert found.varies_slowly
    assert "varies slowly" in repr(found)


def test_blocks_give_the_same_evidence_as_the_events_they_were_cut_from():
    rng = np.random.default_rng(5)
    y = rng.random(4000) < 0.4
    scores = np.round(rng.normal(size=4000) + 1.2 * y, 1)
    of_events = rl.DriftReference(y[:2000], scores[:2000], per_class=5)
    of_blocks = rl.DriftReference.from_blocks(of_events.block_aucs)
    assert of_blocks.standard_error == of_events.standard_error
    assert of_blocks.df == of_events.df
    by_event = rl.BlockEDetector(of_events, average_run_length=1e9)
    by_block = rl.BlockEDetector(of_blocks, average_run_length=1e9)
    assert not by_event.update_many(y[2000:], scores[2000:])
    for auc in [slow.auc(one) for one in slow.blocks(zip(y[2000:], scores[2000:], strict=True), 5)]:
        assert by_block.update_block(auc) is None
    assert by_block.n_blocks == by_event.n_blocks == by_block.n_events
    assert by_block.limits == by_event.limits == (0, 1)  # short blocks spread up to 1
    assert by_block.bounds == by_event.bounds
    assert by_block.statistic == pytest.approx(by_event.statistic, rel=1e-12)


@pytest.mark.parametrize(("alternative", "direction"), [("less", "drop"), ("greater", "rise")])
@given(aucs=st.lists(st.floats(0, 1), max_size=40))
def test_the_evidence_is_that_of_the_definition(alternative, direction, aucs):
    detector = rl.BlockEDetector(reference(), alternative=alternative, average_run_length=9e14)
    side = direction == "rise"
    for auc in aucs:
        if detector.update_block(auc) is not None:  # the evidence is gone
            return
    bound, limit = detector.bounds[side], detector.limits[not side]
    expected = slow.evidence(aucs, bound, direction, limit)
    assert detector.statistic == pytest.approx(expected, rel=1e-9)


def test_aucs_far_above_the_reference_count_as_its_mean_and_two_deviations():
    aucs = np.array([0.70, 0.72, 0.74, 0.76, 0.78] * 6)
    known = rl.DriftReference.from_blocks(aucs)
    detector = rl.BlockEDetector(known)
    ceiling = aucs.mean() + 2 * aucs.std(ddof=1)
    assert detector.limits == (0.0, pytest.approx(ceiling))
    assert f"(counted as at most {ceiling:.4g})" in detector.condition
    other = rl.BlockEDetector(known)
    detector.update_block(0.99)
    other.update_block(ceiling)
    assert detector.statistic == other.statistic
    # The bound is that of the mean of what counts: one of these AUCs is above the ceiling.
    high = np.array([0.74, 0.76] * 15 + [0.99])
    limited = rl.BlockEDetector(rl.DriftReference.from_blocks(high))
    counted = rl.DriftReference.from_blocks(np.minimum(high, limited.limits[1]))
    low = counted.block_mean - stats.t.ppf(0.95, counted.df) * counted.standard_error
    assert limited.bounds[0] == pytest.approx(low, rel=1e-9)
    assert limited.reference_block_mean == pytest.approx(high.mean())
    chart = rl.BlockCUSUM(rl.DriftReference.from_blocks(high))
    assert chart.bounds[0] != limited.bounds[0]  # a chart of sums has no bets


def test_both_sides_have_a_limit():
    detector = rl.BlockEDetector(reference(), alternative="two-sided")
    known = reference()
    width = 2 * known.block_aucs.std(ddof=1)
    assert detector.limits == pytest.approx((known.block_mean - width, known.block_mean + width))


@pytest.mark.parametrize("kind", [rl.BlockEDetector, rl.BlockCUSUM])
def test_an_alarm_counts_blocks_and_keeps_their_times(kind):
    detector = kind(reference(), average_run_length=1000)
    raised = [
        detector.update_block(0.8 if day < 5 else 0.55, time=day + 1, since_time=day)
        for day in range(40)
    ]
    alarm = next(one for one in raised if one is not None)
    assert (alarm.since_event, alarm.since_time) == (6, 5)
    assert alarm.event == alarm.block == alarm.time == raised.index(alarm) + 1
    assert alarm.n_blocks == alarm.event - 5
    assert (alarm.block_mean, alarm.reference_block_mean) == (
        pytest.approx(0.55),
        pytest.approx(0.8),
    )
    assert math.isnan(alarm.pooled_auc)
    assert (alarm.n_pos, alarm.n_neg) == (0, 0)


@pytest.mark.parametrize("kind", [rl.BlockEDetector, rl.BlockCUSUM])
def test_bytes_continue_with_equal_values(kind):
    one = kind(reference(), average_run_length=1000)
    for auc in (0.7, 0.75, 0.6):
        one.update_block(auc, time="Monday")
    other = kind.from_bytes(one.to_bytes())
    assert repr(other) == repr(one)
    for auc in [0.6] * 30:
        first, second = one.update_block(auc), other.update_block(auc)
        assert repr(first) == repr(second)
    assert other.to_bytes() == one.to_bytes()


def test_the_run_length_can_be_set_while_it_runs():
    detector = rl.BlockEDetector(reference(), average_run_length=1e9)
    for _ in range(5):
        assert detector.update_block(0.6) is None
    reached = detector.statistic
    detector.average_run_length = 10
    assert detector.statistic == reached > detector.threshold == 10
    assert detector.update_block(0.6).average_run_length == 10
    with pytest.raises(InputError, match="average_run_length=0 is out of range"):
        detector.average_run_length = 0


def test_fewer_than_thirty_blocks_are_refused():
    with pytest.raises(ShortReferenceError, match="has 29 blocks; 30 blocks are needed") as error:
        rl.DriftReference.from_blocks([0.8] * 29)
    assert error.value.events_needed == 30
    assert rl.DriftReference.from_blocks([0.8] * 30).standard_error == pytest.approx(2 / 30)


@pytest.mark.parametrize(("bad", "shown"), [(1.1, "1.1"), (math.nan, "nan"), (-0.1, "-0.1")])
def test_an_auc_out_of_range_is_refused(bad, shown):
    with pytest.raises(InputError, match=rf"block_aucs holds {shown} \(first in row 2\)"):
        rl.DriftReference.from_blocks([0.8, 0.8, bad] * 10)
    detector = rl.BlockEDetector(reference())
    with pytest.raises(InputError, match=f"auc is {shown}; the AUC of a block lies between"):
        detector.update_block(bad)
    assert detector.n_blocks == 0


def test_events_and_whole_blocks_do_not_mix():
    whole = rl.BlockEDetector(reference())
    for feed in (lambda: whole.update(1, 0.5), lambda: whole.update_many([0, 1], [0.1, 0.2])):
        with pytest.raises(InputError, match="made of whole blocks"):
            feed()
    with pytest.raises(InputError, match="has events, which it cuts into blocks"):
        rl.BlockEDetector(0.8).update_block(0.7)
