"""Sensitivity at a specificity and the reverse, with the uncertainty of the threshold."""

import warnings

import numpy as np
import pytest
from populations import POPULATIONS
from scipy.optimize import brentq
from scipy.stats import beta, binom

import roclab as rl


def quantile_by_definition(pos, neg, sensitivity, level):
    """Mixture of beta distributions over the number of positives above the threshold."""
    pos, n = np.sort(pos)[::-1], len(neg)
    below = np.array([n, *(np.sum(neg < one) for one in pos), 0])
    weights = binom.pmf(np.arange(len(pos) + 1), len(pos), sensitivity)

    def probability(rate):
        total = 0.0
        for k, weight in enumerate(weights):
            upper, lower = below[k], below[k + 1]
            total += weight / 2 * (beta.cdf(rate, lower, n - lower + 1) if lower else 1.0)
            total += weight / 2 * (beta.cdf(rate, upper + 1, n - upper) if upper < n else 0.0)
        return total

    if probability(0.0) >= level:
        return 0.0
    if probability(1 - 1e-15) <= level:
        return 1.0
    return brentq(lambda rate: probability(rate) - level, 0, 1, xtol=1e-13)


@pytest.mark.parametrize("sensitivity", [0.3, 0.5, 0.7])
def test_the_interval_is_a_mixture_over_the_rank_of_the_threshold(sensitivity):
    rng = np.random.default_rng(4)
    pos, neg = rng.normal(1, 1, 12), rng.normal(0, 1, 25)
    y, s = np.repeat([1, 0], [12, 25]), np.concatenate([pos, neg])
    found = rl.specificity_at(y, s, sensitivity=sensitivity)
    assert found.method == "order_statistics"
    assert found.n_resamples is None
    for end, level in ((found.low, 0.025), (found.high, 0.975)):
        expected = quantile_by_definition(pos, neg, sensitivity, level)
        assert end == pytest.approx(expected, abs=1e-9)
    mirrored = rl.sensitivity_at(1 - y, -s, specificity=sensitivity)
    assert (mirrored.low, mirrored.high) == pytest.approx((found.low, found.high), abs=1e-9)
    lower = rl.specificity_at(
        y, s, sensitivity=sensitivity, confidence_level=0.975, alternative="greater"
    )
    assert (lower.low, lower.high) == (pytest.approx(found.low, abs=1e-9), 1)


@pytest.mark.parametrize("sensitivity", [0.9, 0.95])
def test_few_positives_and_many_negatives_are_covered(sensitivity):
    """The Wilson interval covered 0.75 to 0.81 at 0.9 and 0.62 to 0.70 at 0.95."""
    population = POPULATIONS["gamma"]
    truth = population.value(
        lambda y, s, sample_weight: (
            rl.specificity_at(y, s, sensitivity=sensitivity, sample_weight=sample_weight).value
        )
    )
    pos, neg = population.draw(np.random.default_rng(1), 10, 300, 150)
    y = np.repeat([1, 0], [10, 300])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.SmallSampleWarning)
        found = [
            rl.specificity_at(y, np.concatenate(both), sensitivity=sensitivity)
            for both in zip(pos, neg, strict=True)
        ]
    assert np.mean([one.low <= truth <= one.high for one in found]) >= 0.93


def test_too_few_positives_for_a_threshold_are_named():
    y, s = [1] * 10 + [0] * 40, [*range(30, 50, 2), *range(40)]
    with pytest.warns(rl.SmallSampleWarning, match="10 positive examples do not bound") as seen:
        found = rl.specificity_at(y, s, sensitivity=0.95)
    assert found.low == 0
    assert "probability 0.6, and 59 examples are needed" in str(seen[0].message)
    with pytest.warns(rl.SmallSampleWarning, match=r"10 negative .* interval goes to 1"):
        found = rl.sensitivity_at(np.logical_not(y), np.negative(s), specificity=0.05)
    assert found.high == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rl.specificity_at(y, s, sensitivity=0.7)
        rl.specificity_at(y, s, sensitivity=0.95, confidence_level=0.2)


def test_ties_weights_and_large_samples():
    y, s = [1, 1, 1, 0, 0, 0, 0, 1, 0, 0] * 3, [3, 3, 2, 2, 2, 1, 1, 1, 3, 1] * 3
    plain = rl.specificity_at(y, s, sensitivity=0.6)
    scaled = rl.specificity_at(y, s, sensitivity=0.6, sample_weight=np.full(30, 0.25))
    assert (scaled.low, scaled.high) == pytest.approx((plain.low, plain.high), abs=1e-9)
    assert plain.low < plain.value < plain.high
    # In large samples the interval is the normal one, with the variance of both classes.
    rng = np.random.default_rng(0)
    truth = np.arange(100_000) < 40_000
    ranking = rl.Ranking(truth, rng.normal(size=100_000) + truth)
    large = rl.specificity_at(ranking, sensitivity=0.8)
    wilson = rl.specificity_at(ranking, sensitivity=0.8, method="wilson", rng=0, n_resamples=500)
    assert large.high - large.low == pytest.approx(wilson.high - wilson.low, rel=0.1)
    assert large.standard_error == pytest.approx(wilson.standard_error, rel=0.1)


def test_clusters_need_replicates():
    y, s, cluster = [0, 1] * 20, np.arange(40) % 7, np.arange(40) // 4
    found = rl.specificity_at(y, s, sensitivity=0.5, cluster=cluster, rng=0, n_resamples=50)
    assert (found.method, found.n_resamples) == ("wilson", 50)
    with pytest.raises(rl.InputError, match="does not support cluster"):
        rl.specificity_at(y, s, sensitivity=0.5, cluster=cluster, method="order_statistics")
