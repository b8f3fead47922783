"""Decision curves against counting, on small samples with ties."""

import numpy as np
import pytest
import reference_probability as twin
from hypothesis import given
from hypothesis import strategies as st
from strategies import MILD_WEIGHTS, truths, weights

import roclab as rl

THRESHOLDS = np.array([0.0, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9])
SCORES = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.75, 1.0])


@st.composite
def samples(draw, columns=1):
    """(truth, probabilities of each model, weights or None)."""
    truth = draw(truths(draw(st.integers(2, 25))))
    scores = [
        np.array(draw(st.lists(SCORES, min_size=len(truth), max_size=len(truth))))
        for _ in range(columns)
    ]
    weight = draw(st.one_of(st.none(), weights(truth, MILD_WEIGHTS)))
    return truth, *scores, weight


@given(samples(), st.sampled_from([None, 0.05, 0.5]))
def test_net_benefit_is_counted(sample, prevalence):
    truth, scores, weight = sample
    curve = rl.decision_curve(
        truth, scores, thresholds=THRESHOLDS, prevalence=prevalence, sample_weight=weight
    )
    for place, threshold in enumerate(THRESHOLDS.tolist()):
        options = {"threshold": threshold, "prevalence": prevalence}
        expected = float(twin.net_benefit(truth, scores, weight, **options))
        assert curve.net_benefit[place] == pytest.approx(expected, abs=1e-12)
        assert (
            rl.measures.net_benefit(truth, scores, sample_weight=weight, **options)
            == (curve.net_benefit[place])
        )
        everybody = twin.net_benefit(truth, np.ones(len(truth)), weight, **options)
        assert curve.treat_all[place] == pytest.approx(float(everybody), abs=1e-12)
    assert (curve.low <= curve.net_benefit).all()
    assert (curve.net_benefit <= curve.high).all()
    assert curve.standardized.max() <= 1 + 1e-12


@given(samples())
def test_intervals_are_those_of_two_cells(sample):
    truth, scores, _ = sample
    curve = rl.decision_curve(truth, scores, thresholds=THRESHOLDS)
    for place, threshold in enumerate(THRESHOLDS.tolist()):
        treated = scores >= threshold
        tp, fp = np.count_nonzero(treated & truth), np.count_nonzero(treated & ~truth)
        ends = twin.multinomial_net_benefit_ends(tp, fp, len(truth), threshold)
        assert (curve.low[place], curve.high[place]) == pytest.approx(ends, abs=1e-9)


@given(samples(columns=2), st.sampled_from([None, 0.05, 0.5]))
def test_differences_are_those_of_the_curves(sample, prevalence):
    truth, first, second, weight = sample
    table = rl.ScoreTable(truth, {"a": first, "b": second}, sample_weight=weight)
    found = rl.decision_curve(table, thresholds=THRESHOLDS, prevalence=prevalence)
    (pair,) = found.differences
    expected = found["a"].net_benefit - found["b"].net_benefit
    np.testing.assert_allclose(pair.difference, expected, atol=1e-12)
    assert (pair.low <= pair.difference).all()
    assert (pair.difference <= pair.high).all()
    assert (pair.low < pair.high).all()


@given(samples(columns=2))
def test_intervals_of_differences_are_those_of_rows(sample):
    truth, first, second, _ = sample
    table = rl.ScoreTable(truth, {"a": first, "b": second})
    (pair,) = rl.decision_curve(table, thresholds=THRESHOLDS).differences
    for place, threshold in enumerate(THRESHOLDS.tolist()):
        low, high = twin.net_benefit_difference_ends(truth, first, second, threshold)
        value = pair.difference[place]
        assert pair.low[place] == pytest.approx(min(low, value), abs=1e-9)
        assert pair.high[place] == pytest.approx(max(high, value), abs=1e-9)


@given(samples(columns=2))
def test_swapping_the_models_changes_the_sign(sample):
    truth, first, second, _ = sample
    (pair,) = rl.decision_curve(rl.ScoreTable(truth, {"a": first, "b": second})).differences
    (back,) = rl.decision_curve(rl.ScoreTable(truth, {"b": second, "a": first})).differences
    np.testing.assert_allclose(pair.difference, -back.difference, atol=1e-12)
    np.testing.assert_allclose(pair.low, -back.high, atol=1e-9)


@given(samples(), st.integers(2, 3))
def test_weights_are_repetitions(sample, times):
    truth, scores, _ = sample
    again = rl.decision_curve(np.tile(truth, times), np.tile(scores, times))
    weighted = rl.decision_curve(truth, scores, sample_weight=np.full(len(truth), float(times)))
    np.testing.assert_allclose(weighted.net_benefit, again.net_benefit, atol=1e-12)
    plain = rl.decision_curve(truth, scores)
    np.testing.assert_allclose(weighted.low, plain.low, atol=1e-9)
