"""The chart: its sums from the definition, and a threshold that has the stated run length."""

import pickle

import numpy as np
import pytest
import reference_drift as slow
import scipy.stats

import roclab as rl
from roclab.report.documents.streaming import alarm_sentence
from roclab.streaming.drift import cusum as module


@pytest.fixture(scope="module")
def reference():
    return rl.Ranking(*slow.stream(np.random.default_rng(1), 20_000, 1.5))


@pytest.fixture(scope="module")
def chart(reference):
    return rl.BlockCUSUM(reference, average_run_length=100_000)


@pytest.fixture(autouse=True)
def begun_anew(chart):
    chart.reset()


def test_the_sum_is_that_of_the_definition(chart, reference):
    stream = slow.stream(np.random.default_rng(2), 400, 1.5)
    bound = rl.auc_interval(reference, confidence_level=0.95, alternative="greater").low
    aucs = [slow.auc(block) for block in slow.blocks(list(zip(*stream, strict=True)), 5)]
    expected = slow.cusum(aucs, bound - 0.025)
    assert max(expected) > 0
    seen = []
    for event in zip(*stream, strict=True):
        before = chart.n_blocks
        assert chart.update(*event) is None
        if chart.n_blocks > before:
            seen.append(chart.statistic * chart.limits["drop"])
    assert seen == pytest.approx(expected, abs=1e-12)


def test_an_alarm_says_what_was_tested_and_found(chart, reference):
    rng = np.random.default_rng(3)
    parts = slow.stream(rng, 3000, 1.5), slow.stream(rng, 3000, 1.0)
    labels, scores = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    alarm = chart.update_many(labels, scores)[0]
    assert (alarm.detector, alarm.direction) == ("BlockCUSUM", "drop")
    assert 3000 < alarm.event < 3800
    assert 2800 < alarm.since_event < alarm.event
    now = slice(alarm.since_event - 1, alarm.event)
    cut = slow.blocks(list(zip(labels[now], scores[now], strict=True)), 5)
    assert alarm.n_blocks == len(cut)
    assert alarm.block_mean == pytest.approx(np.mean([slow.auc(block) for block in cut]))
    assert alarm.pooled_auc == rl.auc(labels[now], scores[now])
    assert alarm.reference_block_mean == alarm.reference_pooled_auc == rl.auc(reference)
    assert alarm.difference == alarm.block_mean - alarm.reference_block_mean
    assert alarm.block_mean < alarm.bound - 0.025
    assert alarm.statistic >= alarm.threshold == 1
    assert alarm.average_run_length == 100_000
    assert alarm.condition == (
        "events are independent, and blocks are independent of each other and vary as those of the "
        "reference do"
    )
    assert "at least 100,000, if events are independent" in alarm_sentence(alarm)


class TestCalibratedOnBlocks:
    """A reference of events in their order: the chart is calibrated on its own blocks."""

    @pytest.fixture
    def events(self):
        stream = slow.wandering(np.random.default_rng(1), 10_000, 1.5, distance=1.0)
        return rl.DriftReference(*stream)

    def test_has_the_run_length_of_its_blocks(self, events):
        chart = rl.BlockCUSUM(events, average_run_length=100_000, reference_confidence=0.5)
        assert chart.bounds == (pytest.approx(events.block_mean), 1.0)
        steps = events._deviations(0.5)
        assert steps.mean() == pytest.approx(0, abs=1e-12)
        variance = np.var(steps) / np.var(events.block_aucs)
        median = scipy.stats.chi2.ppf(0.5, events.df) / events.df
        assert variance == pytest.approx((events.n_blocks - 1) / events.df / median)
        blocks = module._average_run_length(-steps - 0.025, chart.limits["drop"])
        assert blocks * events.block_events == pytest.approx(100_000, rel=0.02)

    def test_more_confidence_needs_a_lower_bound_and_a_higher_limit(self, events):
        low, high = (rl.BlockCUSUM(events, reference_confidence=level) for level in (0.5, 0.99))
        assert high.bounds[0] < low.bounds[0]
        assert high.limits["drop"] > low.limits["drop"]

    def test_blocks_that_do_not_vary_are_refused(self):
        with pytest.raises(rl.InputError, match="all have the same AUC, so that their variance"):
            rl.BlockCUSUM(rl.DriftReference([0, 1] * 200, [0.0, 1.0] * 200))


def test_a_rise_is_found_where_it_is_looked_for(reference):
    stream = slow.stream(np.random.default_rng(4), 3000, 2.2)
    both = rl.BlockCUSUM(reference, alternative="two-sided", average_run_length=100_000)
    assert set(both.limits) == {"drop", "rise"}
    assert both.update_many(*stream)[0].direction == "rise"


def test_longer_runs_need_higher_limits(reference, chart):
    longer = rl.BlockCUSUM(reference, average_run_length=10_000_000)
    assert longer.limits["drop"] > chart.limits["drop"]
    assert longer.average_run_length == 10_000_000


def test_the_reference_is_taken_at_its_bound(reference):
    block = ([0] * 5 + [1] * 5, [0.0] * 10)  # an AUC of one half
    for confidence in (0.5, 0.9, 0.99):
        one = rl.BlockCUSUM(
            reference, reference_confidence=confidence, average_run_length=1e12, rng=7
        )
        assert one.update_many(*block) == ()
        bound = rl.auc(reference)
        if confidence > 0.5:
            interval = rl.auc_interval(
                reference, confidence_level=confidence, alternative="greater"
            )
            bound = interval.low
        assert one.statistic * one.limits["drop"] == pytest.approx(bound - 0.025 - 0.5)


def test_the_same_seed_gives_the_same_limits(reference, chart):
    again = rl.BlockCUSUM(reference, average_run_length=100_000)
    assert again.limits == chart.limits
    other = rl.BlockCUSUM(reference, average_run_length=100_000, rng=1)
    assert other.limits != chart.limits
    assert other.limits["drop"] == pytest.approx(chart.limits["drop"], rel=0.03)


@pytest.mark.parametrize(
    "steps",
    [
        np.array([-1.0, 0.8]),  # a lattice
        np.array([-0.5, -0.4, -0.3, 0.1, 0.2, 0.7]),
        np.random.default_rng(0).normal(-0.2, 1, 4000),
        np.random.default_rng(0).normal(-1, 1, 4000),  # one step may be enough
    ],
    ids=["two steps", "six steps", "normal", "steep"],
)
def test_the_run_length_is_that_of_a_simulation(steps):
    threshold = module._threshold(steps, 300)
    assert module._average_run_length(steps, threshold) == pytest.approx(300, rel=0.15)
    found = slow.run_length(steps, threshold, 1500, np.random.default_rng(1))
    assert found == pytest.approx(300, rel=0.12)


def test_a_step_beyond_the_threshold_is_an_alarm():
    # One in fifty is, whatever was before, so an alarm comes every fifty steps.
    steps = np.array([-0.1] * 49 + [2.0])
    for threshold in (0.01, 0.5, 1.9):
        assert module._average_run_length(steps, threshold) == pytest.approx(50, rel=0.06)


def test_a_pickled_chart_goes_on_as_if_nothing_had_happened(chart):
    stream = slow.stream(np.random.default_rng(6), 3000, 1.0)
    chart.update_many(*(column[:501] for column in stream))
    copy = pickle.loads(pickle.dumps(chart))
    rest = [column[501:] for column in stream]
    assert copy.update_many(*rest) == chart.update_many(*rest) != ()
    assert copy.statistic == chart.statistic


def test_blocks_are_drawn_as_from_a_stream_of_the_same_population():
    rng = np.random.default_rng(5)
    y, s = slow.stream(rng, 3000, 1.5, rate=0.1)
    rule = module.BlockRule.of(3, None)
    drawn, length = module._drawn_blocks(rl.Ranking(y, s), rule, 3)
    rows = rng.integers(0, len(y), 60_000)
    cut = slow.blocks(list(zip(y[rows], s[rows], strict=True)), 3)
    assert length == pytest.approx(np.mean([len(block) for block in cut]), rel=0.05)
    assert drawn.std() == pytest.approx(np.std([slow.auc(block) for block in cut]), rel=0.05)
    assert drawn.mean() == pytest.approx(0, abs=1e-12)


def test_weighted_references_are_drawn_by_weight():
    y, s = slow.stream(np.random.default_rng(7), 2000, 1.5, rate=0.3)
    more = (s > 1) | y
    weighted = rl.Ranking(y, s, sample_weight=np.where(more, 2.0, 1.0))
    repeated = rl.Ranking(np.concatenate([y, y[more]]), np.concatenate([s, s[more]]))
    rule = module.BlockRule.of(5, None)
    for one, other in zip(
        module._drawn_blocks(weighted, rule, 3),
        module._drawn_blocks(repeated, rule, 3),
        strict=True,
    ):
        assert one == pytest.approx(other)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"drop": 0}, "drop=0"),
        ({"drop": 1.5}, "drop=1.5"),
        ({"average_run_length": 1}, "average_run_length=1"),
        ({"reference_confidence": 90}, "reference_confidence=90"),
        ({"reference_confidence": 0.4}, "reference_confidence=0.4"),
        ({"rng": "x"}, "rng='x'"),
        ({"alternative": "up"}, "alternative='up'"),
    ],
)
def test_options_are_checked(reference, options, words):
    with pytest.raises(rl.InputError, match=words):
        rl.BlockCUSUM(reference, **options)


def test_a_reference_without_examples_is_refused(reference):
    for given in (0.8, reference.summary):
        with pytest.raises(rl.InputError, match="is calibrated on the blocks of a DriftReference"):
            rl.BlockCUSUM(given)


def test_a_reference_whose_blocks_do_not_vary_is_refused():
    with pytest.raises(
        rl.InputError, match="all have the same AUC, so that their variance is unknown"
    ):
        rl.BlockCUSUM(rl.Ranking([0, 1] * 50, [0.0, 1.0] * 50))


def test_large_blocks_that_never_fall_short_need_one_that_does(reference):
    chart = rl.BlockCUSUM(reference, per_class=2000, drop=0.2)
    level = rl.auc_interval(reference, confidence_level=0.95, alternative="greater").low - 0.1
    for shift, alarms in ((1.5, 0), (0.8, 1)):
        labels, scores = slow.stream(np.random.default_rng(8), 4300, shift)
        assert (rl.auc(labels, scores) < level) == bool(alarms)
        assert len(chart.update_many(labels, scores)) == alarms
        chart.reset()
