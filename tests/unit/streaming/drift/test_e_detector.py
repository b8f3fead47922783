"""The e-detector: its evidence from the definition, and what its alarms say."""

import itertools
import math
import pickle

import numpy as np
import pytest
import reference_drift as slow
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.report.documents.streaming import alarm_sentence
from roclab.streaming.drift import blocks as block_module

events = st.lists(st.tuples(st.booleans(), st.integers(0, 4).map(float)), min_size=2, max_size=60)


def one_by_one(detector, stream):
    return [alarm for event in stream if (alarm := detector.update(*event)) is not None]


@given(events, st.integers(1, 3), st.sampled_from([0.3, 0.6, 0.9]))
def test_the_evidence_is_that_of_the_definition(stream, per_class, bound):
    for alternative, sides in {
        "less": ["drop"],
        "greater": ["rise"],
        "two-sided": ["drop", "rise"],
    }.items():
        detector = rl.BlockEDetector(
            bound, per_class=per_class, alternative=alternative, average_run_length=1e14
        )
        assert not one_by_one(detector, stream)
        aucs = [slow.auc(block) for block in slow.blocks(stream, per_class)]
        expected = np.mean([slow.evidence(aucs, bound, side) for side in sides])
        assert detector.statistic == pytest.approx(expected, rel=1e-12)
        assert (detector.n_events, detector.n_blocks) == (len(stream), len(aucs))


@pytest.mark.parametrize("auc", [0.3, 0.5, 0.9])
def test_evidence_grows_by_one_a_block_on_average_while_nothing_has_changed(auc):
    # Blocks of one pair have AUC 1 with the probability `auc`, else 0: all streams of five blocks.
    mean = {"less": 0.0, "greater": 0.0, "two-sided": 0.0}
    for won in itertools.product([0, 1], repeat=5):
        probability = math.prod(auc if one else 1 - auc for one in won)
        for alternative in mean:
            detector = rl.BlockEDetector(
                auc, per_class=1, alternative=alternative, average_run_length=1e14
            )
            for one in won:
                detector.update_many([0, 1], [0.5, float(one)])
            mean[alternative] += probability * detector.statistic
    assert mean == pytest.approx(dict.fromkeys(mean, 5.0), abs=1e-12)


def test_blocks_at_the_bound_raise_no_alarm():
    """Their evidence reaches every threshold in time, but shows no drop."""
    detector = rl.BlockEDetector(0.5, per_class=1, average_run_length=20)
    assert detector.update_many([0, 1] * 50, [0.5] * 100) == ()
    assert detector.statistic == pytest.approx(50)
    assert detector.threshold == 10
    assert len(detector.update_many([0, 1] * 2, [0.5, 0.4] * 2)) == 1


@given(
    events,
    st.sampled_from([{"per_class": 1}, {"per_class": 2}, {"events": 2}, {"events": 7}]),
    st.lists(st.integers(0, 60), max_size=4),
)
def test_many_at_once_are_the_same_as_one_by_one(stream, rule, cuts):
    single = rl.BlockEDetector(0.8, average_run_length=20, **rule)
    many = rl.BlockEDetector(0.8, average_run_length=20, **rule)
    expected = one_by_one(single, stream)
    labels, scores = np.array([e[0] for e in stream]), np.array([e[1] for e in stream])
    alarms = []
    for part in np.split(np.arange(len(stream)), sorted(c for c in cuts if c < len(stream))):
        alarms += many.update_many(labels[part], scores[part])
    assert alarms == expected
    assert many.statistic == single.statistic
    assert (many.n_events, many.n_blocks) == (single.n_events, single.n_blocks)


@given(events, st.integers(2, 9))
def test_blocks_of_so_many_events_wait_for_both_classes(stream, size):
    test = rl.BlockEDetector(0.5, events=size, average_run_length=1e14)
    one_by_one(test, stream)
    cut = slow.blocks(stream, 1, size)
    assert test.n_blocks == len(cut)
    assert test.statistic == pytest.approx(slow.evidence([slow.auc(b) for b in cut], 0.5))


class TestAlarm:
    @pytest.fixture
    def reference(self):
        return rl.DriftReference(*slow.stream(np.random.default_rng(1), 4000, 2.0), per_class=5)

    @pytest.fixture
    def changed(self):
        rng = np.random.default_rng(2)
        before, after = slow.stream(rng, 2000, 2.0), slow.stream(rng, 2000, 1.0)
        return tuple(np.concatenate(parts) for parts in zip(before, after, strict=True))

    def test_says_what_was_tested_and_found(self, reference, changed):
        detector = rl.BlockEDetector(reference)
        alarm = detector.update_many(*changed)[0]
        assert (alarm.detector, alarm.direction) == ("BlockEDetector", "drop")
        assert 2000 < alarm.event < 2600
        assert 1800 < alarm.since_event < alarm.event
        now = slice(alarm.since_event - 1, alarm.event)
        events = list(zip(*(column[now] for column in changed), strict=True))
        cut = [slow.auc(block) for block in slow.blocks(events, 5)]
        assert alarm.n_blocks == len(cut)
        assert alarm.block_mean == pytest.approx(np.mean(cut), rel=1e-12)
        assert alarm.reference_block_mean == reference.block_mean
        assert alarm.difference == alarm.block_mean - alarm.reference_block_mean < 0
        assert alarm.block_mean < alarm.bound == detector.bounds[0] < reference.block_mean
        assert alarm.pooled_auc == rl.auc(*(column[now] for column in changed))
        assert alarm.reference_pooled_auc == reference.pooled_auc
        assert (alarm.n_pos, alarm.n_neg) == (changed[0][now].sum(), (~changed[0][now]).sum())
        assert alarm.statistic >= alarm.threshold == 1e6 / reference.block_events
        assert alarm.average_run_length == 1_000_000
        assert alarm.condition == (
            f"the expected AUC of each block, given the past, is at least {alarm.bound:.4g}"
        )

    def test_block_and_event_agree_with_the_cut(self, reference, changed):
        alarm = rl.BlockEDetector(reference).update_many(*changed)[0]
        cut = slow.blocks(list(zip(*changed, strict=True)), 5)
        ends = np.cumsum([len(block) for block in cut])
        assert alarm.event == ends[alarm.block - 1]
        assert alarm.since_event - 1 in {0, *ends.tolist()}

    def test_begins_anew_afterwards(self, reference, changed):
        test = rl.BlockEDetector(reference)
        first, second, *_ = test.update_many(*changed)
        assert second.since_event > first.event
        again = rl.BlockEDetector(reference)
        later = again.update_many(*(column[first.event :] for column in changed))[0]
        assert later.event == second.event - first.event
        assert later.statistic == second.statistic

    def test_in_words(self):
        detector = rl.BlockEDetector(0.9, per_class=1, average_run_length=20)
        [alarm] = detector.update_many([0, 1] * 3, [0.4] * 6)
        assert alarm_sentence(alarm) == (
            "The mean AUC of blocks has dropped from 0.900 to 0.500, below the bound 0.900, in 3 "
            f"blocks since event 1; detected at event 6 (statistic {alarm.statistic:.3g}, "
            "threshold 10). Average number of events to a false alarm: at least 20, if events are "
            "independent, and the expected AUC of each block, given the past, is at least 0.9. "
            "Pooled AUC, not tested: 0.900 in the reference, 0.500 now."
        )
        assert "\n" not in repr(alarm)
        assert alarm.to_dict()["since_event"] == 1

    def test_has_the_times_of_its_events(self, reference, changed):
        times = np.datetime64("2024-01-01T00", "h") + np.arange(len(changed[0])).astype("m8[h]")
        many = rl.BlockEDetector(reference).update_many(*changed, time=times)
        assert [one.time for one in many] == [times[one.event - 1] for one in many]
        assert [one.since_time for one in many] == [times[one.since_event - 1] for one in many]
        single, alarms = rl.BlockEDetector(reference), []
        for label, score, time in zip(*changed, times, strict=True):
            alarms.append(single.update(label, score, time=time))
        assert tuple(one for one in alarms if one is not None) == many
        with pytest.raises(rl.InputError, match="y_true has 3 rows and time has 2"):
            single.update_many([0, 1, 1], [0.1, 0.2, 0.3], time=[1, 2])

    @pytest.mark.parametrize("alternative", ["greater", "two-sided"])
    def test_a_rise_is_found_where_it_is_looked_for(self, reference, alternative):
        stream = slow.stream(np.random.default_rng(3), 4000, 3.0)
        assert rl.BlockEDetector(reference).update_many(*stream) == ()
        alarm = rl.BlockEDetector(reference, alternative=alternative).update_many(*stream)[0]
        assert alarm.direction == "rise"
        assert alarm.difference > 0
        assert "risen" in alarm_sentence(alarm)


class TestReference:
    def test_counts_with_the_end_of_its_interval(self):
        y, s = slow.stream(np.random.default_rng(1), 500)
        ranking = rl.Ranking(y, s)
        detector = rl.BlockEDetector(ranking, reference_confidence=0.9)
        bound = rl.auc_interval(ranking, confidence_level=0.9, alternative="greater").low
        assert detector.bounds == (bound, 1.0)
        assert detector.threshold == 100_000  # blocks of at least ten events
        both = rl.BlockEDetector(ranking.summary, alternative="two-sided")
        wider = rl.auc_interval(ranking)
        assert both.bounds == pytest.approx((wider.low, wider.high), abs=1e-12)
        assert both.condition.startswith("events are independent, and the expected AUC of each")

    def test_of_events_counts_with_the_bound_of_its_blocks(self):
        reference = rl.DriftReference(*slow.stream(np.random.default_rng(1), 3000))
        quantile = scipy.stats.t.ppf(0.95, reference.df)
        bound = reference.block_mean - quantile * reference.standard_error
        assert rl.BlockEDetector(reference).bounds == (pytest.approx(bound, rel=1e-12), 1.0)
        both = rl.BlockEDetector(reference, alternative="two-sided", margin=0.01)
        width = scipy.stats.t.ppf(0.975, reference.df) * reference.standard_error + 0.01
        mean = reference.block_mean
        assert both.bounds == pytest.approx((mean - width, mean + width))
        for rule in ({"per_class": 5}, {"events": 40}):
            with pytest.raises(rl.InputError, match="has its own rule for blocks"):
                rl.BlockEDetector(reference, **rule)

    def test_the_margin_goes_off_it(self):
        assert rl.BlockEDetector(0.8, margin=0.1).bounds[0] == pytest.approx(0.7)
        assert rl.BlockEDetector(0.8, margin=0.1, alternative="greater").bounds[1] == (
            pytest.approx(0.9)
        )

    def test_that_is_perfect_can_be_left_downwards_only(self):
        perfect = ([0, 1] * 200, [0.0, 1.0] * 200)
        for reference in (rl.Ranking(*perfect), rl.DriftReference(*perfect)):
            assert 0.8 < rl.BlockEDetector(reference).bounds[0] < 1
            with pytest.raises(
                rl.InputError, match="another alternative that does not test for a rise"
            ):
                rl.BlockEDetector(reference, alternative="two-sided")

    @pytest.mark.parametrize(
        ("reference", "words"),
        [
            (rl.Ranking([1, 1], [1, 2]), "2 positive and 0 negative"),
            (1.5, "reference=1.5 is out of range; a number between 0 and 1"),
            (True, "reference is a bool; a DriftReference, a Ranking, a RangeSummary or a known"),
            ([0, 1], "reference is a list; a DriftReference"),
        ],
    )
    def test_that_has_no_auc_is_refused(self, reference, words):
        with pytest.raises(rl.InputError, match=words):
            rl.BlockEDetector(reference)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"average_run_length": 1}, "average_run_length=1"),
        ({"average_run_length": True}, "average_run_length=True"),
        ({"reference_confidence": 0.4}, "reference_confidence=0.4"),
        ({"margin": -0.1}, "margin=-0.1"),
        ({"margin": 0.9}, "reference and margin give the bound -0.1 for a drop"),
        ({"margin": math.nan}, "margin=nan"),
        ({"per_class": 0}, "per_class=0"),
        ({"events": 1}, "events=1"),
        ({"events": 10, "per_class": 2}, "two rules"),
        ({"alternative": "down"}, "alternative='down'"),
    ],
)
def test_options_are_checked(options, words):
    with pytest.raises(rl.InputError, match=words):
        rl.BlockEDetector(0.8, **options)


@pytest.mark.parametrize(
    "event",
    [(2, 0.5), ("yes", 0.5), (None, 0.5)]
    + [(1, score) for score in (math.nan, math.inf, -math.inf, 10**400, "0.5", None)],
)
def test_events_are_checked_and_refused_ones_not_counted(event):
    test = rl.BlockEDetector(0.8)
    with pytest.raises(rl.InputError):
        test.update(*event)
    assert test.n_events == 0


def test_arrays_are_checked_before_any_event_is_taken():
    test = rl.BlockEDetector(0.8, per_class=1)
    with pytest.raises(rl.InputError, match="finite"):
        test.update_many([0, 1, 0], [0.1, 0.2, math.nan])
    assert (test.n_events, test.statistic) == (0, 0.0)


@pytest.mark.parametrize("positive", [True, 1, 1.0, np.bool_(1), np.int8(1), np.float32(1)])
def test_labels_may_be_of_any_kind(positive):
    test = rl.BlockEDetector(0.8, per_class=1)
    for negative in (False, 0, -1, np.int64(-1)):
        test.update(negative, 1)
        test.update(positive, np.float32(2))
    assert (test.n_blocks, test.statistic) == (4, pytest.approx(slow.evidence([1] * 4, 0.8)))


def test_a_pickled_detector_goes_on_as_if_nothing_had_happened():
    stream = slow.stream(np.random.default_rng(4), 3000, 0.5)
    test = rl.BlockEDetector(0.75, average_run_length=1000)
    copy = pickle.loads(pickle.dumps(test))
    first = test.update_many(*(column[:777] for column in stream))
    copy = pickle.loads(pickle.dumps(test))
    rest = [column[777:] for column in stream]
    assert copy.update_many(*rest) == test.update_many(*rest) != ()
    assert copy.statistic == test.statistic
    test.reset()
    assert (test.n_events, test.n_blocks, test.statistic) == (0, 0, 0.0)
    assert test.update_many(*(column[:777] for column in stream)) == first


def test_a_class_that_does_not_come_needs_no_more_memory(monkeypatch):
    monkeypatch.setattr(block_module, "_MOST_WAITING", 100)
    test = rl.BlockEDetector(0.75, per_class=1, average_run_length=1e14)
    for number in range(1000):
        test.update(0, number)
    assert 50 <= len(test._cutter._labels) <= 100
    test.update(1, 1000 - 25.5)  # the last 25 of those that are left are above it
    assert test.n_blocks == 1
    [(first_event, labels, scores)] = test._recent._blocks
    assert first_event == 1
    assert rl.auc(labels, scores) == pytest.approx(1 - 25 / (len(labels) - 1))


@pytest.mark.parametrize("rule", [{"events": 40}, {"per_class": 15}])
def test_blocks_that_are_longer_than_what_may_wait_are_finished(rule, monkeypatch):
    monkeypatch.setattr(block_module, "_MOST_WAITING", 20)
    stream = [(number % 3 == 0, float(number % 7)) for number in range(400)]
    test = rl.BlockEDetector(0.5, average_run_length=1e14, **rule)
    one_by_one(test, stream)
    cut = slow.blocks(stream, rule.get("per_class", 1), rule.get("events", 0))
    assert test.n_blocks == len(cut) > 5
    assert test.statistic == pytest.approx(slow.evidence([slow.auc(block) for block in cut], 0.5))


def test_many_at_once_forget_the_same_events_of_a_long_block(monkeypatch):
    monkeypatch.setattr(block_module, "_MOST_WAITING", 20)
    rng = np.random.default_rng(0)
    labels, scores = slow.stream(rng, 3000, rate=0.02)
    single, many = (rl.BlockEDetector(0.8, per_class=2, average_run_length=1e14) for _ in range(2))
    one_by_one(single, zip(labels, scores, strict=True))
    many.update_many(labels, scores)
    assert (many.n_events, many.n_blocks) == (single.n_events, single.n_blocks)
    assert many.statistic == single.statistic != 0
    assert max(len(labels) for _, labels, _ in many._recent._blocks) <= 22


def test_an_old_change_is_dated_though_its_first_events_are_forgotten(monkeypatch):
    calm, fallen = ([0, 1], [0.1, 0.9]), ([0, 1] * 2, [0.1, 0.9, 0.9, 0.1])
    alarms = []
    for kept in (20_000, 10):
        monkeypatch.setattr(block_module, "_MOST_RECENT", kept)
        test = rl.BlockEDetector(0.6, per_class=1, average_run_length=1000)
        test.update_many(*(column * 20 for column in calm))
        alarms.append(test.update_many(*(column * 200 for column in fallen))[0])
    whole, last = alarms
    assert (last.event, last.since_event) == (whole.event, whole.since_event)
    assert whole.n_pos == (whole.event - whole.since_event + 1) / 2 > 20
    assert (last.n_pos, last.n_neg) == (5, 5)


def test_recent_blocks_hold_a_bounded_number_of_events(monkeypatch):
    monkeypatch.setattr(block_module, "_MOST_RECENT", 50)
    test = rl.BlockEDetector(0.5, per_class=1, average_run_length=1e14)
    for _ in range(1000):
        test.update_many([0, 1], [0.5, 0.5])
        assert sum(len(labels) for _, labels, _ in test._recent._blocks) <= 52
    assert sum(len(labels) for _, labels, _ in test._recent._blocks) >= 50


def test_weights_are_refused_clearly():
    detector = rl.BlockEDetector(0.8)
    message = "Drift detectors take no weights. Leave out sample_weight or the reference."
    with pytest.raises(rl.InputError) as one:
        detector.update(1, 0.5, sample_weight=2.0)
    with pytest.raises(rl.InputError) as many:
        detector.update_many([1], [0.5], sample_weight=[2.0])
    assert str(one.value) == str(many.value) == message
    assert detector.n_events == 0
