"""Streams whose neighbouring events resemble each other: falls are found, and named rightly."""

import numpy as np
import pytest
import real_data
import reference_drift as slow

import roclab as rl


@pytest.fixture(scope="module")
def wandering():
    """A reference of 6,000 events, as many more like them, and 4,000 that are ranked worse.

    Scores of both classes move together every 50 events, and more so in the reference. So its AUC
    over all pairs is low, and over all pairs the stream that is ranked worse looks better.
    """
    rng = np.random.default_rng(5)
    before = slow.wandering(rng, 12_000, 2.0, distance=3.0, length=50)
    after = slow.wandering(rng, 4_000, 1.2, distance=0.5, length=50)
    labels, scores = (np.concatenate(columns) for columns in zip(before, after, strict=True))
    return labels, scores


def halves(columns, place):
    return [column[:place] for column in columns], [column[place:] for column in columns]


@pytest.mark.parametrize("kind", [rl.BlockEDetector, rl.BlockCUSUM])
def test_a_fall_is_found_though_the_pooled_auc_rises(wandering, kind):
    events, stream = halves(wandering, 6_000)
    reference = rl.DriftReference(*events, per_class=5)
    assert reference.pooled_disagrees
    assert reference.block_mean > 0.85 > 0.68 > reference.pooled_auc
    alarms = kind(reference).update_many(*stream)
    assert alarms
    assert 6_000 < alarms[0].event < 8_000
    for alarm in alarms:
        assert alarm.direction == "drop"
        assert alarm.block_mean < alarm.bound < alarm.reference_block_mean
        assert alarm.difference < -0.05
        assert alarm.pooled_auc > alarm.reference_pooled_auc  # said, and not tested


def test_blocks_against_the_pooled_auc_find_nothing_or_the_reverse(wandering):
    """Why a Ranking is a reference for independent events only."""
    events, stream = halves(wandering, 6_000)
    detector = rl.BlockEDetector(rl.Ranking(*events), alternative="two-sided")
    assert {alarm.direction for alarm in detector.update_many(*stream)} == {"rise"}
    assert detector.condition.startswith("events are independent")


def test_the_same_events_shuffled_raise_no_alarm(wandering):
    order = np.random.default_rng(0).permutation(12_000)
    events, stream = halves([column[:12_000][order] for column in wandering], 6_000)
    reference = rl.DriftReference(*events)
    assert not reference.pooled_disagrees
    for kind in (rl.BlockEDetector, rl.BlockCUSUM):
        assert kind(reference).update_many(*stream) == ()


@pytest.fixture(scope="module")
def electricity():
    """Labels, and scores of a frozen logistic regression."""
    rows = real_data.rows("electricity.csv.gz")
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    y = np.array([row.pop("class") == "UP" for row in rows])
    X = np.array([[float(cell) for cell in row.values()] for row in rows])
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    model.fit(X[:8000], y[:8000])
    return y[8000:], model.decision_function(X[8000:])


def test_falls_of_electricity_are_found(electricity):
    events, stream = halves(electricity, 8000)
    windows = [
        rl.auc(*(column[at : at + 2000] for column in stream)) for at in range(0, 28_000, 2000)
    ]
    assert max(windows) > 0.9
    assert min(windows) < 0.72
    reference = rl.DriftReference(*events)
    assert reference.pooled_disagrees
    alarms = rl.BlockEDetector(reference).update_many(*stream)
    assert any(6_000 < alarm.event <= 10_000 for alarm in alarms)
    assert any(12_000 < alarm.event <= 22_000 for alarm in alarms)
    assert all(alarm.difference < 0 for alarm in alarms)


def test_blocks_of_electricity_against_its_pooled_auc_never_fire(electricity):
    events, stream = halves(electricity, 8000)
    assert rl.BlockEDetector(rl.Ranking(*events)).update_many(*stream) == ()


def test_shuffled_rows_of_electricity_raise_no_alarm(electricity):
    order = np.random.default_rng(0).permutation(len(electricity[0]))
    events, stream = halves([column[order] for column in electricity], 8000)
    assert rl.BlockEDetector(rl.DriftReference(*events)).update_many(*stream) == ()
