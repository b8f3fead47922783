"""Comparisons that resample: seeds, progress, weights, clusters and replicates that fail."""

import math

import numpy as np
import pytest

import roclab as rl
from roclab.inference.comparison.paired import compare_auc
from roclab.inference.comparison.unpaired import compare_independent_auc, compare_to_value

RNG = np.random.default_rng(12)
TRUTH = RNG.random(80) < 0.4
GOOD = np.round(RNG.normal(size=80) + 1.5 * TRUTH, 1)
POOR = np.round(0.5 * GOOD + RNG.normal(size=80), 1)


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_a_seed_gives_the_same_again(method):
    first, again, other = (
        compare_auc(TRUTH, GOOD, GOOD + POOR, method=method, n_resamples=200, rng=seed)
        for seed in (5, 5, 6)
    )
    assert first == again
    assert first.pvalue != other.pvalue
    pair = rl.Ranking(TRUTH, GOOD), rl.Ranking(TRUTH, POOR)
    assert compare_independent_auc(*pair, method=method, rng=5) == compare_independent_auc(
        *pair, method=method, rng=5
    )


def test_independent_samples_are_drawn_independently():
    """With the same draws the difference of a sample from itself would always be 0."""
    sample = rl.Ranking(TRUTH, GOOD)
    result = compare_independent_auc(sample, sample, method="bootstrap", rng=3)
    assert result.difference == 0
    single = rl.auc_interval(sample, method="delong").standard_error
    assert result.standard_error == pytest.approx(math.sqrt(2) * single, rel=0.1, abs=0)


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_progress(method):
    told = []
    options = {"method": method, "n_resamples": 30, "rng": 0}
    options["progress"] = lambda *steps: told.append(steps)
    compare_auc(TRUTH, GOOD, POOR, **options)
    assert told[-1] == (30, 30)
    told.clear()
    compare_independent_auc(rl.Ranking(TRUTH, GOOD), rl.Ranking(TRUTH, POOR), **options)
    total = 60 if method == "bootstrap" else 30
    assert told == sorted(told)
    assert told[-1] == (total, total)


def test_weights_of_the_bootstrap_count():
    weight = np.where(GOOD.clip(0) > 0, 5.0, 1.0)
    plain, weighted = (
        compare_auc(TRUTH, GOOD, POOR, sample_weight=w, method="bootstrap", rng=0)
        for w in (None, weight)
    )
    assert weighted.difference == compare_auc(TRUTH, GOOD, POOR, sample_weight=weight).difference
    assert weighted.difference != plain.difference
    assert weighted.low < weighted.difference < weighted.high


def test_clusters_are_drawn_together():
    """Every row three times: as clusters they are as many as before."""
    rng = np.random.default_rng(8)
    y = np.arange(60) % 2 == 0
    a, b = rng.normal(size=(2, 60)) + y
    rows = np.repeat(np.arange(60), 3)
    options = {"method": "bootstrap", "rng": 0}
    once = rl.compare_auc(y, a, b, **options)
    clustered = rl.compare_auc(y[rows], a[rows], b[rows], cluster=rows, **options)
    naive = rl.compare_auc(y[rows], a[rows], b[rows], **options)
    assert clustered.standard_error == pytest.approx(once.standard_error, rel=0.1)
    assert naive.standard_error < 0.7 * clustered.standard_error
    with pytest.raises(rl.InputError, match="assumes independent rows"):
        rl.compare_auc(y, a, b, cluster=np.arange(60), method="permutation")
    with pytest.raises(rl.InputError, match="assumes independent rows"):
        rl.compare_to_value(y, a, cluster=np.arange(60), method="permutation")


def test_replicates_without_a_class_are_left_out():
    """Six clusters of one row: of 6^6 draws 2 * 3^6 lack a class."""
    y, a, b = [0, 1, 0, 1, 0, 1], [1, 4, 4, 8, 3, 9], [2, 1, 4, 8, 3, 9]
    options = {"method": "bootstrap", "rng": 0}
    found = compare_auc(y, a, b, cluster=range(6), **options)
    assert found.method == "bootstrap"
    assert found.n_resamples == pytest.approx(2000 * (1 - 2 / 2**6), abs=30)
    plain = compare_auc(y, a, b, **options)
    assert found.standard_error == pytest.approx(plain.standard_error, rel=0.2)
    with pytest.warns(rl.UndefinedMeasureWarning, match="There are 0 bootstrap replicates"):
        none = compare_auc(y, a, b, cluster=[0, 1] * 3, method="bootstrap", rng=4, n_resamples=2)
    assert none.n_resamples == 0
    assert math.isnan(none.low + none.high + none.pvalue + none.statistic)


def test_replicates_that_are_all_alike_are_no_certainty():
    """Two clusters of the same rows: whatever is drawn has the same AUCs."""
    y, a, b = [0, 1, 0, 1, 0, 1], [1, 4, 4, 8, 3, 9], [2, 1, 4, 8, 3, 9]
    options = {"method": "bootstrap", "rng": 0}
    with pytest.warns(rl.DegenerateIntervalWarning, match=r"variance of the difference .* is 0"):
        found = compare_auc(y * 2, a * 2, b * 2, cluster=[0] * 6 + [1] * 6, **options)
    assert found.low < 0 < found.high
    assert found.pvalue > 0.3
    with pytest.warns(
        rl.UndefinedMeasureWarning, match=r"There are 0 .*two clusters with each class\)"
    ):
        alone = compare_auc(y, a, b, cluster=[0, 1] * 3, **options)  # each class in one of them
    assert np.isnan([alone.low, alone.high, alone.pvalue]).all()


def test_a_permutation_says_where_its_interval_is_a_bound():
    with pytest.warns(rl.DegenerateIntervalWarning, match=r"variance of the difference .* is 0"):
        found = compare_to_value([0, 0, 1, 1], [1, 2, 3, 4], method="permutation", rng=0)
    assert found.method == "permutation"
