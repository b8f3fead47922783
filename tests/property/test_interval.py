"""`auc_interval` against its formulas in 60 digits, and what every interval must be."""

import json
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
import reference
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import (
    FLOAT_DTYPES,
    LARGE_SCORES,
    MILD_WEIGHTS,
    large_truths,
    one_class_samples,
    samples,
    weighted_samples,
)

import roclab as rl
from roclab import _core

# Samples without spread are drawn often; one test below says what they must warn of.
pytestmark = pytest.mark.filterwarnings("ignore::roclab.DegenerateIntervalWarning")

LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
METHODS = ("auto", "delong", "score", "newcombe")


@st.composite
def two_of_each(draw, sample):
    """A drawn sample that has at least two rows of each class."""
    drawn = draw(sample)
    kept = drawn[0] if len(drawn) == 2 else drawn[0][drawn[2] > 0]
    assume(2 <= kept.sum() <= len(kept) - 2)
    return drawn


def expected_interval(truth, scores, confidence_level, weight=None):
    rows = reference.split(truth, scores, weight)
    n_pos, n_neg = map(reference.effective_number, rows)
    estimate = reference.auc(truth, scores, weight)
    variance = reference.auc_variance(truth, scores, weight)
    return reference.wilson_interval(estimate, variance, n_pos, n_neg, confidence_level)


def ends(interval):
    return interval.low, interval.high


@given(two_of_each(samples(min_size=4)), LEVELS)
def test_auto_is_wilsons_with_the_blended_dispersion(sample, level):
    interval = rl.auc_interval(*sample, confidence_level=level)
    assert ends(interval) == pytest.approx(expected_interval(*sample, level), rel=1e-10, abs=1e-12)


@given(two_of_each(weighted_samples(samples(min_size=4), kinds=MILD_WEIGHTS)), LEVELS)
def test_auto_with_weights_uses_effective_numbers(sample, level):
    truth, scores, weight = sample
    interval = rl.auc_interval(truth, scores, sample_weight=weight, confidence_level=level)
    expected = expected_interval(truth, scores, level, weight)
    assert ends(interval) == pytest.approx(expected, rel=1e-9, abs=1e-11)


@given(two_of_each(weighted_samples(samples(min_size=4), kinds=MILD_WEIGHTS)), LEVELS)
def test_delong_is_wald_cut_to_the_unit_interval(sample, level):
    truth, scores, weight = sample
    for weights in (None, weight):
        interval = rl.auc_interval(
            truth, scores, sample_weight=weights, confidence_level=level, method="delong"
        )
        value = float(reference.auc(truth, scores, weights))
        error = sqrt(reference.auc_variance(truth, scores, weights))
        z = NormalDist().inv_cdf(0.5 + level / 2)
        expected = max(0.0, value - z * error), min(1.0, value + z * error)
        assert interval.standard_error == pytest.approx(error, rel=1e-10, abs=1e-7)
        assert ends(interval) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
@given(sample=two_of_each(weighted_samples(samples(min_size=4), kinds=MILD_WEIGHTS)), level=LEVELS)
def test_the_estimate_lies_inside_and_the_fields_say_what_was_asked(method, sample, level):
    truth, scores, weight = sample
    interval = rl.auc_interval(
        truth, scores, sample_weight=weight, method=method, confidence_level=level
    )
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    assert 0 <= interval.low <= interval.value <= interval.high <= 1
    assert interval.value == rl.auc(ranking)
    assert interval.standard_error >= 0
    assert interval.confidence_level == level
    assert (interval.n_pos, interval.n_neg) == (ranking.n_pos, ranking.n_neg)
    assert rl.auc_interval(ranking, method=method, confidence_level=level) == interval
    assert json.loads(json.dumps(interval.to_dict()))["high"] == interval.high


@given(weighted_samples())
def test_auto_is_an_interval_for_any_weights(sample):
    truth, scores, weight = sample
    interval = rl.auc_interval(truth, scores, sample_weight=weight)
    assert 0 <= interval.low <= interval.value <= interval.high <= 1
    assert interval.low < interval.high


@given(samples(max_size=20), st.booleans())
def test_one_example_of_a_class(sample, positive):
    truth, scores = sample
    truth = np.full(len(truth), positive)
    truth[0] = not positive
    value = reference.auc(truth, scores)
    interval = rl.auc_interval(truth, scores)
    expected = reference.wilson_interval(value, 0, int(truth.sum()), int((~truth).sum()))
    assert ends(interval) == pytest.approx(expected, rel=1e-10, abs=1e-12)
    assert np.isnan(interval.standard_error)
    with pytest.warns(rl.UndefinedMeasureWarning):
        delong = rl.auc_interval(truth, scores, method="delong")
    assert delong.value == interval.value
    assert np.isnan(ends(delong)).all()


@pytest.mark.parametrize("method", METHODS)
@given(sample=one_class_samples())
def test_one_class_is_nan_with_a_warning(method, sample):
    with pytest.warns(rl.UndefinedMeasureWarning):
        interval = rl.auc_interval(*sample, method=method)
    assert np.isnan([interval.value, *ends(interval), interval.standard_error]).all()


@given(st.integers(2, 20), st.integers(2, 20), st.sampled_from([-1, 0, 1]))
def test_an_interval_without_width_is_warned_of(n_pos, n_neg, order):
    truth = np.repeat([True, False], [n_pos, n_neg])
    with pytest.warns(rl.DegenerateIntervalWarning):
        interval = rl.auc_interval(truth, order * truth.astype(float), method="delong")
    assert interval.low == interval.value == interval.high == (1 + order) / 2


@pytest.mark.parametrize("method", METHODS)
@given(sample=two_of_each(samples(min_size=4)))
def test_swapping_the_labels_mirrors(method, sample):
    truth, scores = sample
    interval = rl.auc_interval(truth, scores, method=method)
    mirrored = rl.auc_interval(~truth, scores, method=method)
    assert ends(mirrored) == pytest.approx((1 - interval.high, 1 - interval.low), abs=1e-12)
    assert mirrored.standard_error == pytest.approx(interval.standard_error, rel=1e-12)


@pytest.mark.parametrize("method", ["auto", "delong", "newcombe"])
@given(sample=two_of_each(samples(min_size=4, dtypes=FLOAT_DTYPES)))
def test_no_class_is_favoured(method, sample):
    """Which class is called positive, with scores turned round, is a matter of names."""
    truth, scores = sample
    interval = rl.auc_interval(truth, scores, method=method)
    turned = rl.auc_interval(~truth, -scores, method=method)
    assert ends(turned) == pytest.approx(ends(interval), abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@given(sample=two_of_each(samples(min_size=4)))
def test_more_confidence_is_never_narrower(method, sample):
    narrow, wide = (
        rl.auc_interval(*sample, method=method, confidence_level=level) for level in (0.8, 0.99)
    )
    assert wide.low <= narrow.low
    assert narrow.high <= wide.high


@given(two_of_each(weighted_samples(samples(min_size=4), kinds=MILD_WEIGHTS)))
def test_the_scale_of_weights_does_not_matter(sample):
    truth, scores, weight = sample
    one, other = (
        rl.auc_interval(truth, scores, sample_weight=scale * weight) for scale in (1, 1e6)
    )
    assert ends(other) == pytest.approx(ends(one), abs=1e-10)


@pytest.mark.filterwarnings("ignore::roclab.UndefinedMeasureWarning")
@pytest.mark.parametrize("size", [33, 1000, 65_537, 300_000])
@pytest.mark.parametrize("shape", LARGE_SCORES)
def test_large_samples_need_no_ranking(shape, size):
    rng = np.random.default_rng(size)
    scores = LARGE_SCORES[shape](rng, size)
    for balance, truth in large_truths(rng, scores).items():
        direct, ranked = rl.auc_interval(truth, scores), rl.auc_interval(rl.Ranking(truth, scores))
        np.testing.assert_equal(direct.to_dict(), ranked.to_dict(), balance)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(2, 2), (5, 50), (1000, 1000), (10**6, 10**6)])
def test_perfect_ranking_does_not_claim_certainty(n_pos, n_neg):
    truth = np.repeat([True, False], [n_pos, n_neg])
    low, high = reference.wilson_interval(1, 0, n_pos, n_neg)
    interval = rl.auc_interval(truth, truth.astype("i1"))
    assert (interval.value, interval.high, high) == (1, 1, 1)
    assert 1 - interval.low == pytest.approx(1 - low, rel=1e-8)
    assert interval.low < 1


@given(
    st.floats(0, 1),
    st.floats(0, 0.25),
    st.floats(1, 1e9),
    st.floats(1, 1e9),
    st.floats(0.01, 6),
    st.booleans(),
)
def test_auto_of_any_numbers(value, share, pos, neg, z, known):
    """Windows ask with effective numbers and any variance that such numbers can have."""
    variance = share * value * (1 - value) if known else np.nan
    low, high = _core.wilson_interval(value, variance, pos, neg, z)
    assert 0 <= low <= value <= high <= 1
    assert low < high
    mirrored = _core.wilson_interval(1 - value, variance, pos, neg, z)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)
    wider = _core.wilson_interval(value, variance, pos, neg, 1.1 * z)
    assert wider[0] <= low
    assert high <= wider[1]
