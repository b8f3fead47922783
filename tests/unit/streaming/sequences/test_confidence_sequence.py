"""The confidence sequence of a stream: blocks, batches, bytes and what it refuses."""

import copy
import math
import pickle

import numpy as np
import pytest
import reference_drift as slow
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.report.document import document
from roclab.report.markdown import to_text
from roclab.streaming.sequences.hedged_capital import HedgedCapital

METHODS = ["hedged_capital", "empirical_bernstein"]
RULES = [{"per_class": 1}, {"per_class": 2}, {"events": 2}, {"events": 7}]
events = st.lists(st.tuples(st.booleans(), st.integers(0, 4).map(float)), min_size=1, max_size=60)


def columns(stream):
    return [np.array(column) for column in zip(*stream, strict=True)]


@given(events, st.integers(1, 3))
def test_the_interval_is_that_of_the_aucs_of_blocks(stream, per_class):
    sequence = rl.BlockConfidenceSequence(per_class=per_class, method="hedged_capital")
    expected = HedgedCapital(1 - 0.95)
    aucs = [slow.auc(block) for block in slow.blocks(stream, per_class)]
    for event in stream:
        sequence.update(*event)
    for auc in aucs:
        expected.add(auc)
    found = sequence.interval()
    assert found.value == pytest.approx(np.mean(aucs) if aucs else math.nan, nan_ok=True)
    if not expected.empty:
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-4)
    assert (found.n_blocks, found.n_events) == (len(aucs), len(stream))


@given(
    events,
    st.sampled_from(RULES),
    st.sampled_from(METHODS),
    st.lists(st.integers(0, 60), max_size=4),
)
def test_batches_do_not_matter_and_bytes_continue(stream, rule, method, cuts):
    single = rl.BlockConfidenceSequence(method=method, **rule)
    for place, event in enumerate(stream):
        single.update(*event, time=place)
    labels, scores = columns(stream)
    many = rl.BlockConfidenceSequence(method=method, **rule)
    for part in np.split(np.arange(len(stream)), sorted(c for c in cuts if c < len(stream))):
        many.update_many(labels[part], scores[part], time=part)
        many = rl.BlockConfidenceSequence.from_bytes(many.to_bytes())
    assert many.to_bytes() == single.to_bytes()
    assert repr(many.interval().to_dict()) == repr(single.interval().to_dict())


def test_before_the_first_block():
    sequence = rl.BlockConfidenceSequence(method="hedged_capital")
    sequence.update_many([1] * 50, np.arange(50.0))
    found = sequence.interval()
    assert math.isnan(found.value)
    assert (found.low, found.high, found.n_blocks, found.n_events) == (0, 1, 0, 50)
    sequence.update_many([], [])
    assert sequence.n_events == 50
    sequence.reset()
    assert (sequence.n_events, sequence.n_blocks) == (0, 0)


@pytest.mark.parametrize("method", METHODS)
def test_all_tied_scores_have_mean_one_half(method):
    sequence = rl.BlockConfidenceSequence(method=method)
    sequence.update_many([0, 1] * 2000, [0.4] * 4000)
    found = sequence.interval()
    assert found.value == 0.5
    assert found.low < 0.5 < found.high
    assert found.high - found.low < 0.05


def test_a_mean_that_changes_is_reported():
    sequence = rl.BlockConfidenceSequence(per_class=1, method="hedged_capital")
    sequence.update_many([0, 1] * 300, [0.5, 0.6] * 300, time=np.arange(600))
    sequence.update_many([0, 1] * 300, [0.5, 0.4] * 300, time=np.arange(600, 1200))
    found = sequence.interval()
    assert np.isnan([found.low, found.high]).all()
    assert 600 < found.changed_event <= 700
    assert found.changed_time == found.changed_event - 1
    assert f"[not constant: changed by event {found.changed_event}]" in repr(found)
    text = to_text(document(found))
    assert "No constant mean AUC of blocks is compatible with all blocks until event" in text
    again = rl.BlockConfidenceSequence.from_bytes(sequence.to_bytes())
    for one in (again, sequence):
        one.update_many([0, 1] * 9, [0.5, 0.4] * 9)
    assert again.to_bytes() == sequence.to_bytes()
    sequence.reset()
    assert sequence.interval().changed_event is None
    drifting = rl.BlockConfidenceSequence(per_class=1, method="empirical_bernstein")
    drifting.update_many([0, 1] * 600, [0.5, 0.6] * 300 + [0.5, 0.4] * 300)
    assert drifting.interval().low < 0.5 < drifting.interval().high


def test_a_mean_outside_of_the_interval_is_a_hint_of_drift():
    sequence = rl.BlockConfidenceSequence(per_class=1, method="hedged_capital")
    sequence.update_many([0, 1] * 300, [0.5, 0.6] * 300)
    assert "drift" not in repr(sequence)
    sequence.update_many([0, 1] * 40, [0.5, 0.4] * 40)
    found = sequence.interval()
    assert found.value < found.low < found.high
    assert repr(found).endswith("340 blocks; outside of the interval: does it drift?")


def test_a_higher_level_gives_a_longer_interval():
    rng = np.random.default_rng(0)
    labels = rng.random(5000) < 0.3
    scores = rng.normal(size=5000) + labels
    for method in METHODS:
        lengths = []
        for level in (0.5, 0.9, 0.95, 0.999):
            sequence = rl.BlockConfidenceSequence(confidence_level=level, method=method)
            sequence.update_many(labels, scores)
            found = sequence.interval()
            lengths.append(found.high - found.low)
        assert lengths == sorted(lengths)
        assert lengths[0] < lengths[-1] < 0.2


def test_copies_and_pickles_continue_alone():
    sequence = rl.BlockConfidenceSequence(per_class=1, method="hedged_capital")
    sequence.update_many([0, 1] * 30, [0.5, 0.6] * 30)
    before = sequence.to_bytes()
    for other in (copy.copy(sequence), copy.deepcopy(sequence)):
        other.update_many([0, 1] * 30, [0.5, 0.6] * 30)
    assert sequence.to_bytes() == before == pickle.loads(pickle.dumps(sequence)).to_bytes()


def test_what_is_refused():
    sequence = rl.BlockConfidenceSequence(method="hedged_capital")
    sequence.update(1, 0.5)
    with pytest.raises(rl.InputError, match=r"take no weights\. Omit sample_weight"):
        sequence.update(1, 0.5, sample_weight=1.0)
    with pytest.raises(rl.InputError, match="take no weights"):
        sequence.update_many([1], [0.5], sample_weight=[1.0])
    with pytest.raises(rl.InputError, match=r"^y_score=nan is not a score of a stream; a finite"):
        sequence.update(1, math.nan)
    with pytest.raises(rl.InputError, match=r"^y_score holds nan \(first in row 1\)"):
        sequence.update_many([1, 0], [0.5, math.nan])
    with pytest.raises(ValueError, match="y_true is 2"):
        sequence.update(2, 0.5)
    with pytest.raises(rl.InputError, match="time has 1"):
        sequence.update_many([1, 0], [0.5, 0.5], time=[1])
    assert sequence.n_events == 1
    with pytest.raises(rl.InputError, match="method='wald' is not an option"):
        rl.BlockConfidenceSequence(method="wald")
    with pytest.raises(rl.InputError, match="confidence_level=1 is out of range"):
        rl.BlockConfidenceSequence(confidence_level=1)
    with pytest.raises(rl.InputError, match="two rules"):
        rl.BlockConfidenceSequence(per_class=2, events=9)
