"""The chart: its sums from the definition, and a threshold that has the stated run length."""

import pickle

import numpy as np
import pytest
import reference_drift as slow

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
    bound = rl.auc_interval(reference, confidence_level=0.9, alternative="greater").low
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


def test_an_alarm_says_when_how_large_and_how_sure(chart, reference):
    rng = np.random.default_rng(3)
    parts = slow.stream(rng, 3000, 1.5), slow.stream(rng, 3000, 1.0)
    labels, scores = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    alarm = chart.update_many(labels, scores)[0]
    assert (alarm.detector, alarm.direction) == ("BlockCUSUM", "drop")
    assert 3000 < alarm.event < 3800
    assert 2800 < alarm.since_event < alarm.event
    now = rl.Ranking(
        labels[alarm.since_event - 1 : alarm.event], scores[alarm.since_event - 1 : alarm.event]
    )
    assert alarm.auc == rl.auc(now)
    assert alarm.difference == rl.auc(now) - rl.auc(reference)
    assert alarm.statistic >= alarm.threshold == 1
    assert (alarm.average_run_length, alarm.alpha, alarm.pvalue) == (100_000, None, None)
    assert "one false alarm per 100,000 events on average" in alarm_sentence(alarm)


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


@pytest.mark.parametrize(
    ("rule", "rate"), [((3, None), 0.5), ((3, None), 0.05), ((None, 20), 0.1), ((None, 4), 0.9)]
)
def test_blocks_are_drawn_in_the_sizes_they_have_in_streams(rule, rate):
    rng = np.random.default_rng(5)
    rule = module.BlockRule.of(*rule)
    drawn = module._block_sizes(rule, rate, rng)
    events = list(zip(rng.random(100_000) < rate, np.zeros(100_000), strict=True))
    cut = slow.blocks(events, rule.least, rule.events)
    pos = np.array([sum(label for label, _ in block) for block in cut])
    size = np.array([len(block) for block in cut])
    assert drawn.sum(axis=1).mean() == pytest.approx(size.mean(), rel=0.03)
    assert drawn[:, 0].mean() == pytest.approx(pos.mean(), rel=0.03)
    assert drawn[:, 0].std() == pytest.approx(pos.std(), rel=0.06, abs=0.02)
    assert drawn.min() >= rule.least


def test_a_pickled_chart_goes_on_as_if_nothing_had_happened(chart):
    stream = slow.stream(np.random.default_rng(6), 3000, 1.0)
    chart.update_many(*(column[:501] for column in stream))
    copy = pickle.loads(pickle.dumps(chart))
    rest = [column[501:] for column in stream]
    assert copy.update_many(*rest) == chart.update_many(*rest) != ()
    assert copy.statistic == chart.statistic


def test_weighted_references_are_drawn_by_weight():
    y, s = slow.stream(np.random.default_rng(7), 2000, 1.5)
    weighted = rl.Ranking(y, s, sample_weight=np.where(s > 1, 2.0, 1.0))
    repeated = rl.Ranking(np.concatenate([y, y[s > 1]]), np.concatenate([s, s[s > 1]]))
    drawn = module._drawn_places(weighted.pos, 50_000, np.random.default_rng(0))
    shares = np.bincount(drawn, minlength=len(weighted.scores)) / 50_000
    assert shares == pytest.approx(repeated.pos / repeated.n_pos, abs=0.006)


def test_weighted_references_have_the_class_rate_of_their_weights():
    y, s = slow.stream(np.random.default_rng(7), 2000, 1.5, rate=0.3)
    weighted = rl.Ranking(y, s, sample_weight=np.where(y, 3.0, 1.0))
    repeated = rl.Ranking(np.concatenate([y, y[y], y[y]]), np.concatenate([s, s[y], s[y]]))
    rule = module.BlockRule.of(5, None)
    drawn, length = module._drawn_blocks(weighted, rule, 3)
    expected, expected_length = module._drawn_blocks(repeated, rule, 3)
    assert length == expected_length
    assert drawn.std() == pytest.approx(expected.std(), rel=0.03)


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
        with pytest.raises(rl.InputError, match="draws blocks from the examples of a Ranking"):
            rl.BlockCUSUM(given)


def test_a_reference_whose_blocks_do_not_vary_is_refused():
    with pytest.raises(
        rl.InputError, match="all have the AUC 1, so that their variance is unknown"
    ):
        rl.BlockCUSUM(rl.Ranking([0, 1] * 50, [0.0, 1.0] * 50))


def test_large_blocks_that_never_fall_short_need_one_that_does(reference):
    chart = rl.BlockCUSUM(reference, per_class=2000, drop=0.2)
    level = rl.auc_interval(reference, confidence_level=0.9, alternative="greater").low - 0.1
    for shift, alarms in ((1.5, 0), (0.8, 1)):
        labels, scores = slow.stream(np.random.default_rng(8), 4300, shift)
        assert (rl.auc(labels, scores) < level) == bool(alarms)
        assert len(chart.update_many(labels, scores)) == alarms
        chart.reset()
