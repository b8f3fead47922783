"""Champion and challenger: intervals, decisions, batches, bytes and late labels."""

import math

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
score = st.integers(0, 3).map(float)
events = st.lists(st.tuples(st.booleans(), score, score), min_size=1, max_size=60)


def made(n, lead, seed=0, noise=0.5):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.4
    common = rng.normal(size=n) + labels
    a, b = (common + noise * rng.normal(size=n) for _ in range(2))
    return labels, a + lead * labels, b


@given(events, st.integers(1, 2))
def test_the_interval_is_that_of_differences_of_the_same_blocks(stream, per_class):
    duel = rl.SequentialComparison(per_class=per_class)
    expected = HedgedCapital(1 - 0.95)
    for event in stream:
        duel.update(*event)
    each = [
        [slow.auc(block) for block in slow.blocks([(y, s[i]) for y, *s in stream], per_class)]
        for i in range(2)
    ]
    for auc_a, auc_b in zip(*each, strict=True):
        expected.add((auc_a - auc_b + 1) / 2)
    found = duel.interval()
    if each[0]:
        means = [np.mean(aucs) for aucs in each]
        assert (found.auc_a, found.auc_b) == pytest.approx(means)
        assert found.difference == pytest.approx(means[0] - means[1], abs=1e-12)
    if not expected.empty:
        ends = 2 * expected.low - 1, 2 * expected.high - 1
        assert (found.low, found.high) == pytest.approx(ends, abs=2e-4)
    assert (found.n_blocks, found.n_events) == (len(each[0]), len(stream))


@given(
    events.map(lambda some: 8 * some),
    st.sampled_from([{"per_class": 1}, {"per_class": 2}, {"events": 7}]),
    st.sampled_from(METHODS),
    st.sampled_from([0.0, 0.5]),
    st.lists(st.integers(0, 480), max_size=4),
)
def test_batches_do_not_matter_and_bytes_continue(stream, rule, method, margin, cuts):
    options = {"method": method, "margin": margin, "names": ("x", "y")} | rule
    single, many = rl.SequentialComparison(**options), rl.SequentialComparison(**options)
    for place, event in enumerate(stream):
        single.update(*event, time=place)
    labels, a, b = (np.array(column) for column in zip(*stream, strict=True))
    for part in np.split(np.arange(len(stream)), sorted(c for c in cuts if c < len(stream))):
        many.update_many(labels[part], a[part], b[part], time=part)
        many = rl.SequentialComparison.from_bytes(many.to_bytes())
    assert many.to_bytes() == single.to_bytes()
    assert many.decided == single.decided
    assert repr(many.interval().to_dict()) == repr(single.interval().to_dict())


@pytest.mark.parametrize("method", METHODS)
def test_the_better_model_is_found_and_the_decision_stays(method):
    labels, a, b = made(6000, 0.7)
    duel = rl.SequentialComparison(names=("old", "new"), method=method)
    undecided = 0
    for event in zip(*(one[:3000].tolist() for one in (labels, a, b)), strict=True):
        undecided += duel.decided is None
        duel.update(*event)
    assert duel.decided == "old"
    found = duel.interval()
    assert found.decided_event == undecided
    assert 0 < found.low < found.difference < found.high
    assert f"old is better since event {undecided:,}" in repr(found)
    duel.update_many(labels[3000:], b[3000:] - 3 * labels[3000:], a[3000:])
    assert (duel.decided, duel.interval().decided_event) == ("old", undecided)
    swapped = rl.SequentialComparison(names=("new", "old"), method=method)
    swapped.update_many(labels[:3000], b[:3000], a[:3000])
    mirrored = swapped.interval()
    assert swapped.decided == "old"
    assert (-mirrored.high, -mirrored.low) == pytest.approx((found.low, found.high), abs=4e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_margin_makes_models_equivalent_or_a_lead_relevant(method):
    labels, a, b = made(20_000, 0.0)
    duel = rl.SequentialComparison(margin=0.05, method=method)
    duel.update_many(labels, a, b)
    assert duel.decided == "equivalent"
    found = duel.interval()
    assert -0.05 < found.low < 0 < found.high < 0.05
    assert "equivalent since event" in repr(found)
    alone = rl.SequentialComparison(method=method)
    alone.update_many(labels, a, b)
    assert alone.decided is None
    assert "undecided" in repr(alone.interval())
    better = rl.SequentialComparison(margin=0.05, method=method)
    better.update_many(*made(20_000, 1.0))
    assert better.decided == "a"
    assert better.interval().low > 0.05
    assert better.interval().decided_event > 0


def test_equal_scores_are_never_decided():
    duel = rl.SequentialComparison(per_class=1)
    duel.update_many([0, 1] * 3000, [0.4, 0.6] * 3000, [0.1, 0.2] * 3000)
    found = duel.interval()
    assert (duel.decided, found.difference) == (None, 0)
    assert found.low < 0 < found.high


def test_a_lead_that_reverses_is_reported():
    duel = rl.SequentialComparison(per_class=1)
    duel.update_many([0, 1] * 200, [0.4, 0.6] * 200, [0.6, 0.4] * 200, time=np.arange(400))
    duel.update_many([0, 1] * 400, [0.6, 0.4] * 400, [0.4, 0.6] * 400)
    found = duel.interval()
    assert (found.decided, found.auc_a, found.auc_b) == ("a", 1 / 3, 2 / 3)
    assert found.decided_time == found.decided_event - 1
    assert math.isnan(found.low)
    assert found.changed_event > 400
    assert "No constant difference of the mean AUCs of blocks" in to_text(document(found))
    drifting = rl.SequentialComparison(per_class=1, method="empirical_bernstein")
    drifting.update_many([0, 1] * 600, [0.6, 0.4] * 600, [0.4, 0.6] * 600)
    assert drifting.decided == "b"


def test_late_labels_reach_both_models_by_id():
    labels, a, b = made(400, 1.0)
    direct, joined = rl.SequentialComparison(), rl.SequentialComparison()
    pending = [rl.PendingLabels(max_pending=500) for _ in range(2)]
    for key in range(400):
        pending[0].add_prediction(key, float(a[key]))
        pending[1].add_prediction(key, float(b[key]))
    order = np.random.default_rng(1).permutation(400)
    for key in order.tolist():
        one, other = (each.add_label(key, bool(labels[key])) for each in pending)
        joined.update(one.y_true, one.y_score, other.y_score)
    direct.update_many(labels[order], a[order], b[order])
    assert joined.to_bytes() == direct.to_bytes()


def test_what_is_refused_changes_nothing():
    duel = rl.SequentialComparison()
    duel.update(1, 0.5, 0.5)
    before = duel.to_bytes()
    with pytest.raises(rl.InputError, match=r"^score_b=inf is not a score of a stream; a finite"):
        duel.update(1, 0.5, math.inf)
    with pytest.raises(rl.InputError, match=r"^score_a='x' is not a score"):
        duel.update(1, "x", 0.5)
    with pytest.raises(ValueError, match="y_true is 2"):
        duel.update(2, 0.5, 0.5)
    with pytest.raises(rl.InputError, match="take no weights"):
        duel.update(1, 0.5, 0.5, sample_weight=1.0)
    with pytest.raises(rl.InputError, match=r"^score_b: y_score holds nan"):
        duel.update_many([1, 0], [0.5, 0.5], [0.5, math.nan])
    with pytest.raises(rl.InputError, match=r"^score_b: y_true has 2 rows and y_score has 1"):
        duel.update_many([1, 0], [0.5, 0.5], [0.5])
    with pytest.raises(rl.InputError, match="y_true holds 3 values"):
        duel.update_many([1, 2, 3], [0.5] * 3, [0.5] * 3)
    assert duel.to_bytes() == before


@pytest.mark.parametrize(
    "names", ["ab", ("a",), ("a", "a"), ("a", ""), ("a", 1), ("equivalent", "b"), None]
)
def test_names_that_name_no_two_models(names):
    with pytest.raises(rl.InputError, match="cannot name two models"):
        rl.SequentialComparison(names=names)


@pytest.mark.parametrize("margin", [-0.1, 1, math.nan, "x"])
def test_margins_out_of_range(margin):
    with pytest.raises(rl.InputError, match=r"margin=.* is out of range"):
        rl.SequentialComparison(margin=margin)
