"""The drift study: its streams are what they should be, and its counts those of the library."""

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.drift import detectors, streams
from roclab_studies.runner import question_of


def question(**wanted):
    [found] = [
        one
        for one in detectors.questions()
        if all(getattr(one, name) == value for name, value in wanted.items())
    ]
    return found


@pytest.mark.parametrize("kind", ["independent", "positive rate", "mixture", "difficulty"])
def test_streams_have_the_auc_they_should(kind):
    labels, scores = streams.made(kind, np.random.default_rng(0), 0.9, 400_000)
    assert rl.auc(labels, scores) == pytest.approx(0.9, abs=0.012)
    assert labels.mean() == pytest.approx(0.3, abs=0.005)


def test_autocorrelated_scores_are_better_within_blocks():
    labels, scores = streams.made("autocorrelated", np.random.default_rng(0), 0.9, 50_000)
    reference = rl.DriftReference(labels, scores, per_class=5)
    assert reference.block_mean > reference.pooled_auc + 0.03
    assert np.corrcoef(scores[1:], scores[:-1])[0, 1] > 0.3


def test_a_large_drop_is_found_and_a_calm_stream_is_counted():
    asked = question(
        kind="change", method="e_detector", population="independent", auc=0.9, drop=0.1
    )
    found = detectors.answer(replace(asked, streams=2))
    assert (found.events, found.calm, found.found) == (40_000, 2, 2)
    assert 100 < found.delay < 3000
    assert -0.25 < found.difference < -0.05
    assert found.true_difference == pytest.approx(-0.1, abs=0.003)


@pytest.mark.parametrize("method", ["e_detector", "cusum"])
def test_recorded_delays_are_those_of_the_library_as_it_is(method):
    """If a detector has changed: python -m roclab_studies drift --again --methods <method>."""
    rows = STUDIES["drift"].recorded()
    row = next(
        row
        for row in rows
        if (row.kind, row.method, row.population) == ("change", method, "autocorrelated")
        and (row.auc, row.drop) == (0.9, 0.1)
    )
    assert detectors.answer(question_of(detectors, row)) == row


def test_the_truth_of_windows():
    states = ("calm", "fallen", "lower", "calm", "calm", "fallen")
    true = streams.Truth(0.9, states)
    assert true.falls == [(2001, 6000), (10_001, 12_000)]
    assert true.calm_events == 6000
    assert true.found([1500, 3000, 5000]) == [1000]
    assert true.found([7999, 11_000]) == [5999, 1000]
    assert true.false([1500, 3000, 9000]) == (2, 0)
    assert true.false([8500]) == (1, 0)


def test_at_least_nine_of_ten_falls_are_found():
    """The promise of the study, from its record: by the default detector, on real streams."""
    rows = [row for row in STUDIES["real_drift"].recorded() if row.method == "e_detector"]
    falls = sum(row.falls for row in rows)
    assert falls >= 30
    assert sum(row.found for row in rows) >= 0.9 * falls
    shuffled = [row for row in rows if row.kind == "shuffled"]
    events, alarms = (sum(getattr(row, name) for row in shuffled) for name in ("events", "alarms"))
    assert alarms <= events / 1_000_000
