"""`h_measure` and `ks_statistic` against exact twins, the package hmeasure and scipy."""

import hmeasure
import numpy as np
import pytest
import reference_hull
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, ks_2samp
from strategies import (
    LARGE_SCORES,
    MILD_WEIGHTS,
    large_truths,
    one_class_samples,
    samples,
    weighted_samples,
)

import roclab as rl


@given(samples(max_size=14), st.integers(1, 6))
def test_h_measure_equals_the_twin(sample, misses_worse):
    value = rl.h_measure(*sample, severity_ratio=1 / misses_worse)
    expected = reference_hull.h_measure(*sample, misses_worse)
    assert value == pytest.approx(float(expected), abs=1e-12)


@given(weighted_samples(samples(max_size=12), kinds=MILD_WEIGHTS), st.integers(1, 4))
def test_h_measure_equals_the_twin_with_weights(sample, misses_worse):
    truth, scores, weight = sample
    value = rl.h_measure(truth, scores, sample_weight=weight, severity_ratio=1 / misses_worse)
    expected = reference_hull.h_measure(truth, scores, misses_worse, weight)
    assert value == pytest.approx(float(expected), abs=1e-12)


@given(samples(), st.one_of(st.none(), st.just("class_shares"), st.floats(0.05, 20)))
def test_h_measure_equals_the_package(sample, weight):
    truth, scores = sample
    # The package wants scores between 0 and 1; only their order matters.
    ranks = np.unique(scores, return_inverse=True)[1]
    ranks = ranks / max(ranks.max(), 1)
    shares = weight == "class_shares"
    # To the package, a negative ratio means Beta(1 + share of positives, 1 + share of negatives).
    expected = hmeasure.h_score(truth.astype(int), ranks, severity_ratio=-1 if shares else weight)
    options = {"cost_distribution": weight} if shares else {"severity_ratio": weight}
    assert rl.h_measure(truth, scores, **options) == pytest.approx(expected, abs=1e-9)


@given(samples(max_size=10), st.one_of(st.none(), st.floats(0.2, 5)))
def test_h_measure_is_the_integral_that_defines_it(sample, severity_ratio):
    truth, scores = sample
    points = rl.operating_points(truth, scores)
    share = truth.mean()
    c = (np.arange(20_000) + 0.5) / 20_000
    if severity_ratio is None:
        options, density = {"cost_distribution": "class_shares"}, beta(1 + share, 2 - share).pdf(c)
    else:
        density = beta(2, 1 + 1 / severity_ratio).pdf(c)
        options = {"severity_ratio": severity_ratio}
    alarms, misses = np.outer(points.fpr, c * (1 - share)), np.outer(points.fnr, (1 - c) * share)
    lost = np.mean(np.min(alarms + misses, axis=0) * density)
    most = np.mean(np.minimum(c * (1 - share), (1 - c) * share) * density)
    assert rl.h_measure(truth, scores, **options) == pytest.approx(1 - lost / most, abs=1e-6)


@given(weighted_samples(samples(max_size=10), kinds=MILD_WEIGHTS))
def test_class_shares_are_those_of_the_weights(sample):
    truth, scores, weight = sample

    def value(truth, scores, weight):
        return rl.h_measure(truth, scores, sample_weight=weight, cost_distribution="class_shares")

    expected = pytest.approx(value(truth, scores, weight), abs=1e-12)
    assert value(truth, scores, 3 * weight) == expected
    # Beta(1 + p, 2 - p) mirrored is Beta(2 - p, 1 + p), that of the classes swapped.
    ranks = np.unique(scores, return_inverse=True)[1]  # floats would merge large whole scores
    assert value(~truth, -ranks, weight) == expected


@given(weighted_samples(kinds=["counts"]))
def test_whole_weights_mean_repetition(sample):
    truth, scores, weight = sample
    times = weight.astype(int)
    again = np.repeat(truth, times), np.repeat(scores, times)
    for measure in (rl.h_measure, rl.ks_statistic):
        value = measure(truth, scores, sample_weight=weight)
        assert value == pytest.approx(measure(*again), abs=1e-14)


@given(samples(), st.sampled_from([0.25, 1.0, None]))
def test_only_the_order_of_scores_matters(sample, severity_ratio):
    truth, scores = sample
    ranks = np.unique(scores, return_inverse=True)[1]
    value = rl.h_measure(truth, scores, severity_ratio=severity_ratio)
    assert rl.h_measure(truth, ranks, severity_ratio=severity_ratio) == value
    assert rl.ks_statistic(truth, ranks) == rl.ks_statistic(truth, scores)


@given(samples(), st.floats(0.05, 20))
def test_swapping_the_classes_inverts_the_severity_ratio(sample, severity_ratio):
    truth, scores = sample
    # Beta(2, 1 + 1/r) mirrored is Beta(1 + 1/r, 2), of this family only for r = 1.
    value = rl.h_measure(truth, scores.astype(float), severity_ratio=1)
    assert rl.h_measure(~truth, -scores.astype(float), severity_ratio=1) == pytest.approx(
        value, abs=1e-12
    )
    assert 0 <= rl.h_measure(truth, scores, severity_ratio=severity_ratio) <= 1


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of the p-value, which is not wanted
@given(samples(finite=True))
def test_ks_equals_scipy_and_the_twin(sample):
    truth, scores = sample
    scores = scores.astype(float)
    value = rl.ks_statistic(truth, scores)
    expected = ks_2samp(scores[truth], scores[~truth], method="asymp").statistic
    assert value == pytest.approx(expected, abs=1e-14)
    assert value == float(reference_hull.ks_statistic(truth, scores))
    assert rl.ks_statistic(truth, -scores) == value
    assert rl.ks_statistic(~truth, scores) == value


@given(weighted_samples())
def test_ks_equals_the_twin_with_weights(sample):
    truth, scores, weight = sample
    value = rl.ks_statistic(truth, scores, sample_weight=weight)
    expected = float(reference_hull.ks_statistic(truth, scores, weight))
    assert value == pytest.approx(expected, abs=1e-13)


@given(one_class_samples())
def test_one_class_is_nan_with_a_warning(sample):
    for measure in (rl.h_measure, rl.ks_statistic):
        with pytest.warns(rl.UndefinedMeasureWarning):
            assert np.isnan(measure(*sample))


@pytest.mark.parametrize("shape", ["normal", "two decimals", "seven levels", "constant"])
def test_large_samples_equal_the_package_and_scipy(shape):
    rng = np.random.default_rng(5)
    scores = LARGE_SCORES[shape](rng, 20_000)
    ranks = np.unique(scores, return_inverse=True)[1]
    for balance, truth in large_truths(rng, scores).items():
        if truth.all() or not truth.any():
            continue
        expected = hmeasure.h_score(truth.astype(int), ranks / max(ranks.max(), 1))
        assert rl.h_measure(truth, scores) == pytest.approx(expected, abs=1e-9), balance
        distance = ks_2samp(scores[truth], scores[~truth], method="asymp").statistic
        assert rl.ks_statistic(truth, scores) == pytest.approx(distance, abs=1e-12), balance
