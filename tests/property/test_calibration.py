"""Calibration curves and summaries against scikit-learn, SciPy and counting, with ties."""

import math
import warnings

import numpy as np
import pytest
import reference_probability as twin
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve as sklearn_calibration_curve
from strategies import MILD_WEIGHTS, truths, weights

import roclab as rl
from roclab.decisions import calibration_summary

TIED = st.sampled_from([0.05, 0.1, 0.25, 0.3, 0.5, 0.7, 0.75, 0.9])
ENDS = st.sampled_from([0.0, 1.0, 0.1, 0.3, 1e-300, 1 - 1e-16])


@st.composite
def samples(draw, values=TIED, least=2):
    """(truth, probabilities, weights or None), with both classes."""
    truth = draw(truths(draw(st.integers(least, 30))))
    scores = np.array(draw(st.lists(values, min_size=len(truth), max_size=len(truth))))
    return truth, scores, draw(st.one_of(st.none(), weights(truth, MILD_WEIGHTS)))


@given(samples(st.one_of(TIED, ENDS, st.floats(0, 1))), st.integers(1, 12))
def test_bins_of_equal_width_are_those_of_scikit_learn(sample, n_bins):
    truth, scores, _ = sample
    # scikit-learn's edges are rounded twice, so that 0.3 may be on either side of one.
    edges = np.linspace(0, 1, n_bins + 1)
    assume(not np.isclose(scores[:, None], edges[1:-1], rtol=1e-9).any())
    rate, mean = sklearn_calibration_curve(truth, scores, n_bins=n_bins)
    found = rl.calibration_curve(truth, scores, n_bins=n_bins)
    np.testing.assert_allclose(found.observed_rate, rate, atol=1e-12)
    np.testing.assert_allclose(found.mean_probability, mean, atol=1e-12)


@given(st.integers(1, 8), st.integers(1, 6), st.randoms(use_true_random=False))
def test_bins_of_equal_size_are_those_of_scikit_learn(n_bins, size, random):
    n = n_bins * size
    scores = np.array(random.sample(range(1, 1000), n)) / 1000
    truth = np.array([random.random() < 0.5 for _ in range(n)])
    assume(truth.any() and not truth.all())
    rate, mean = sklearn_calibration_curve(truth, scores, n_bins=n_bins, strategy="quantile")
    found = rl.calibration_curve(truth, scores, n_bins=n_bins, strategy="quantile")
    np.testing.assert_allclose(found.observed_rate, rate, atol=1e-12)
    np.testing.assert_allclose(found.mean_probability, mean, atol=1e-12)
    assert found.count.tolist() == [size] * n_bins


@given(samples(), st.sampled_from(["uniform", "quantile"]), st.sampled_from([0.8, 0.95]))
def test_intervals_are_exact(sample, strategy, level):
    truth, scores, _ = sample
    found = rl.calibration_curve(truth, scores, n_bins=4, strategy=strategy, confidence_level=level)
    for rate, count, low, high in zip(
        found.observed_rate, found.count, found.low, found.high, strict=True
    ):
        ends = binomtest(round(rate * count), round(count)).proportion_ci(level, method="exact")
        assert (low, high) == pytest.approx((ends.low, ends.high), abs=1e-9)


@given(samples(), st.sampled_from(["uniform", "quantile"]))
def test_bins_with_weights_are_counted(sample, strategy):
    truth, scores, weight = sample
    found = rl.calibration_curve(truth, scores, n_bins=3, strategy=strategy, sample_weight=weight)
    bins = twin.bins_of(twin.rows_of(truth, scores, weight), 3, strategy)
    assert len(bins) == len(found)
    for place, rows in enumerate(bins):
        masses = [w for _, w, _ in rows]
        rate = sum(w for _, w, y in rows if y) / sum(masses)
        number = sum(masses) ** 2 / sum(w * w for w in masses)
        assert found.observed_rate[place] == pytest.approx(float(rate))
        assert found.count[place] == pytest.approx(float(number))
        assert found.low[place] <= found.observed_rate[place] <= found.high[place]


def separated(truth, scores):
    return scores[truth].min() >= scores[~truth].max() or (
        scores[truth].max() <= scores[~truth].min()
    )


@given(samples())
def test_summaries_solve_the_equations_of_the_likelihood(sample):
    truth, scores, weight = sample
    used = np.ones(len(truth), bool) if weight is None else weight > 0
    found = calibration_summary(truth, scores, sample_weight=weight)
    truth, logit = truth[used], np.log(scores[used] / (1 - scores[used]))
    w = np.ones(len(truth)) if weight is None else weight[used]
    residual = truth - 1 / (1 + np.exp(-(found.intercept.value + logit)))
    assert np.sum(w * residual) == pytest.approx(0, abs=1e-8 * w.sum())
    ratio = np.sum(w * truth) / np.sum(w * scores[used])
    assert found.observed_expected.value == pytest.approx(ratio)
    if len(set(logit)) == 1:
        assert math.isnan(found.slope.value)
    elif separated(truth, logit):
        assert math.isinf(found.slope.value)
    else:
        assert twin.recalibration_gradient(truth, logit, w, found.slope.value) == pytest.approx(
            0, abs=1e-7 * w.sum()
        )
    for one in (found.intercept, found.observed_expected, found.slope):
        assert math.isnan(one.value) or one.low <= one.value <= one.high
        assert math.isnan(one.value) or one.low < one.high


@given(samples(least=6), st.sampled_from([0.8, 0.95]))
def test_ends_are_those_of_the_likelihood_ratio(sample, level):
    """By rows and SciPy's optimizers; the sandwich raises the limit where it is larger."""
    truth, scores, _ = sample
    logit = np.log(scores / (1 - scores))
    assume(not separated(truth, logit))
    found = calibration_summary(truth, scores, confidence_level=level)
    for one, ends in (
        (found.intercept, twin.intercept_ends(truth, logit, level)),
        (found.slope, twin.slope_ends(truth, logit, level)),
    ):
        assert (one.low, one.high) == pytest.approx(ends, rel=1e-5, abs=1e-5)


@given(samples(st.one_of(TIED, ENDS)), st.sampled_from([1e-300, 1e-6, 0.01]))
def test_summaries_of_extreme_probabilities_are_defined(sample, clip):
    truth, scores, weight = sample
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = calibration_summary(truth, scores, clip=clip, sample_weight=weight)
    assert math.isfinite(found.intercept.value)
    assert math.isfinite(found.observed_expected.high)


@given(samples(), st.sampled_from([2.0, 8.0]))
def test_the_unit_of_weights_does_not_matter(sample, unit):
    truth, scores, weight = sample
    weight = np.ones(len(truth)) if weight is None else weight
    one = calibration_summary(truth, scores, sample_weight=weight)
    other = calibration_summary(truth, scores, sample_weight=unit * weight)
    for a, b in ((one.intercept, other.intercept), (one.slope, other.slope)):
        assert (b.value, b.low, b.high) == pytest.approx(
            (a.value, a.low, a.high), nan_ok=True, rel=1e-6, abs=1e-6
        )


@given(samples())
def test_swapping_the_classes_changes_the_sign_of_the_intercept(sample):
    truth, scores, _ = sample
    one, other = calibration_summary(truth, scores), calibration_summary(~truth, 1 - scores)
    assert other.intercept.value == pytest.approx(-one.intercept.value, abs=1e-9)
    assert other.intercept.low == pytest.approx(-one.intercept.high, rel=1e-6, abs=1e-6)
    assert other.slope.value == pytest.approx(one.slope.value, nan_ok=True, rel=1e-6, abs=1e-9)
    assert other.slope.low == pytest.approx(one.slope.low, nan_ok=True, rel=1e-6, abs=1e-6)
