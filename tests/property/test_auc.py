"""`auc` against scikit-learn, the pairwise twin and scipy's ranks, and what must not change it."""

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from strategies import (
    LARGE_SCORES,
    MILD_WEIGHTS,
    SCORE_DTYPES,
    edges,
    label_forms,
    large_truths,
    one_class_samples,
    samples,
    score_arrays,
    truths,
    weighted_samples,
)

import roclab as rl

# Around the sizes at which the library changes its method, or starts a second thread.
SIZES = (2, 3, 24, 25, 31, 32, 33, 255, 256, 257, 1000, 4095, 4097, 20_000)
SIZES += (65_535, 65_536, 65_537, 131_073, 196_607, 196_608, 300_000)


def ratio(twice_wins, truth):
    """AUC as the double nearest to the exact fraction: Python divides integers that way."""
    n_pos = int(np.count_nonzero(truth))
    return twice_wins / (2 * n_pos * (len(truth) - n_pos))


@given(samples(finite=True))
def test_equals_scikit_learn(sample):
    truth, scores = sample
    with np.errstate(over="ignore", invalid="ignore"):
        assert rl.auc(truth, scores) == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)


@given(weighted_samples(samples(finite=True)))
def test_equals_scikit_learn_with_weights(sample):
    truth, scores, weight = sample
    with np.errstate(over="ignore", invalid="ignore"):
        expected = roc_auc_score(truth, scores, sample_weight=weight)
    assert rl.auc(truth, scores, sample_weight=weight) == pytest.approx(expected, abs=1e-12)


@given(samples())
def test_is_the_double_nearest_to_the_twin(sample):
    truth, scores = sample
    expected = float(reference.auc(truth, scores))
    assert rl.auc(truth, scores) == expected
    assert rl.auc(rl.Ranking(truth, scores)) == expected


@given(weighted_samples())
def test_equals_the_twin_with_weights(sample):
    truth, scores, weight = sample
    expected = float(reference.auc(truth, scores, weight))
    value = rl.auc(truth, scores, sample_weight=weight)
    assert value == pytest.approx(expected, abs=1e-14)
    assert 0 <= value <= 1
    assert rl.auc(rl.Ranking(truth, scores, sample_weight=weight)) == value


@given(one_class_samples())
def test_one_class_is_nan_with_a_warning(sample):
    with pytest.warns(rl.UndefinedMeasureWarning):
        assert np.isnan(rl.auc(*sample))
    ranking = rl.Ranking(*sample)
    with pytest.warns(rl.UndefinedMeasureWarning):
        assert np.isnan(rl.auc(ranking))


@given(samples(max_size=12), st.booleans())
def test_a_class_without_weight_is_missing(sample, positive):
    truth, scores = sample
    weight = (truth == positive).astype(float)
    with pytest.warns(rl.UndefinedMeasureWarning):
        assert np.isnan(rl.auc(truth, scores, sample_weight=weight))


@pytest.mark.parametrize("form", label_forms(np.array([True, False])))
@given(sample=samples(max_size=12))
def test_label_types(form, sample):
    truth, scores = sample
    y_true, keywords = label_forms(truth)[form]
    assert rl.auc(y_true, scores, **keywords) == float(reference.auc(truth, scores))


@given(samples(), st.randoms(use_true_random=False))
def test_row_order_does_not_matter(sample, random):
    truth, scores = sample
    order = random.sample(range(len(truth)), len(truth))
    assert rl.auc(truth[order], scores[order]) == rl.auc(truth, scores)


@pytest.mark.parametrize("dtype", SCORE_DTYPES)
@given(sample=samples())
def test_only_the_order_of_scores_matters(dtype, sample):
    truth, scores = sample
    ranks = np.unique(scores, return_inverse=True)[1]
    assert rl.auc(truth, ranks.astype(dtype)) == rl.auc(truth, scores)


@given(samples())
def test_swapping_the_labels_mirrors(sample):
    truth, scores = sample
    assert rl.auc(~truth, scores) == pytest.approx(1 - rl.auc(truth, scores), abs=1e-15)


@given(weighted_samples(kinds=("counts",)))
def test_whole_weights_mean_repetition(sample):
    truth, scores, weight = sample
    times = weight.astype(int)
    repeated = rl.auc(np.repeat(truth, times), np.repeat(scores, times))
    assert rl.auc(truth, scores, sample_weight=weight) == pytest.approx(repeated, abs=1e-14)


@given(weighted_samples(kinds=MILD_WEIGHTS), st.sampled_from([1e-58, 1e-9, 3.0, 1e58]))
def test_the_scale_of_weights_does_not_matter(sample, scale):
    truth, scores, weight = sample
    value = rl.auc(truth, scores, sample_weight=weight)
    assert rl.auc(truth, scores, sample_weight=scale * weight) == pytest.approx(value, abs=1e-14)


@pytest.mark.parametrize("dtype", SCORE_DTYPES)
def test_neighbouring_extremes_are_told_apart(dtype):
    values = np.unique(edges(dtype))
    for low, high in pairwise(values):
        assert rl.auc([0, 1], np.array([low, high])) == 1.0
        assert rl.auc([1, 0], np.array([low, high])) == 0.0
        assert rl.auc([1, 0], np.array([high, high])) == 0.5


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@given(data=st.data())
def test_nan_is_found_wherever_it_hides(dtype, data):
    size = data.draw(st.integers(2, 200))
    truth, scores = data.draw(truths(size)), data.draw(score_arrays(size, dtypes=[dtype]))
    scores = scores.copy()
    scores[data.draw(st.integers(0, size - 1))] = np.nan
    with pytest.raises(rl.InputError):
        rl.auc(truth, scores)
    with pytest.raises(rl.InputError):
        rl.Ranking(truth, scores)


# The last two would make the sums behind a variance overflow or vanish.
@pytest.mark.parametrize("bad", [-1.0, -5e-324, np.nan, np.inf, 1e-100, 1e100])
@given(sample=weighted_samples(), data=st.data())
def test_a_bad_weight_is_found_wherever_it_hides(bad, sample, data):
    truth, scores, weight = sample
    weight[data.draw(st.integers(0, len(weight) - 1))] = bad
    with pytest.raises(rl.InputError):
        rl.auc(truth, scores, sample_weight=weight)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u8", "i8", "f4", "f8"])
@pytest.mark.parametrize("bad", [2, 100])
@given(data=st.data())
def test_a_third_label_is_found_wherever_it_hides(dtype, bad, data):
    size = data.draw(st.integers(2, 200))
    labels = data.draw(truths(size)).astype(dtype)
    labels[data.draw(st.integers(0, size - 1))] = bad
    with pytest.raises(rl.InputError):
        rl.auc(labels, np.zeros(size))


@pytest.mark.filterwarnings("ignore::roclab.UndefinedMeasureWarning")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", LARGE_SCORES)
def test_large_samples_equal_ranks(shape, size):
    rng = np.random.default_rng(size)
    scores = LARGE_SCORES[shape](rng, size)
    ranks = reference.twice_ranks(scores)
    for balance, truth in large_truths(rng, scores).items():
        if truth.all() or not truth.any():
            assert np.isnan(rl.auc(truth, scores)), balance
            continue
        expected = ratio(reference.twice_wins_by_ranks(truth, ranks), truth)
        assert rl.auc(truth, scores) == expected, balance
        assert rl.auc(rl.Ranking(truth, scores)) == expected, balance


@pytest.mark.parametrize("shape", LARGE_SCORES)
def test_a_smaller_class_beyond_the_cache_equals_ranks(shape):
    size = 1_200_000
    rng = np.random.default_rng(size)
    scores, truth = LARGE_SCORES[shape](rng, size), rng.random(size) < 0.5
    twice_wins = reference.twice_wins_by_ranks(truth, reference.twice_ranks(scores))
    assert rl.auc(truth, scores) == ratio(twice_wins, truth)
    ranking = rl.Ranking(truth, scores)
    assert ranking.summary.twice_wins == twice_wins
    assert rl.auc_interval(truth, scores) == rl.auc_interval(ranking)


@pytest.mark.parametrize("dtype", SCORE_DTYPES)
@pytest.mark.parametrize("size", [1000, 100_000])
def test_large_samples_of_every_type_equal_ranks(dtype, size):
    rng = np.random.default_rng(7)
    truth = rng.random(size) < 0.1
    extremes = np.array(edges(dtype))
    any_bits = np.nan_to_num(np.frombuffer(rng.bytes(size * extremes.itemsize), dtype))
    for scores in (rng.choice(extremes, size), any_bits):
        ranks = reference.twice_ranks(scores)
        expected = ratio(reference.twice_wins_by_ranks(truth, ranks), truth)
        assert rl.auc(truth, scores) == expected
        assert rl.auc(rl.Ranking(truth, scores)) == expected


@pytest.mark.parametrize("size", [1000, 65_537, 300_000])
@pytest.mark.parametrize("shape", ["normal", "seven levels", "ascending", "normal float32"])
def test_large_weighted_samples_equal_scikit_learn(shape, size):
    rng = np.random.default_rng(size)
    scores, weight = LARGE_SCORES[shape](rng, size), rng.exponential(size=size)
    truth = rng.random(size) < 0.2
    expected = roc_auc_score(truth, scores, sample_weight=weight)
    assert rl.auc(truth, scores, sample_weight=weight) == pytest.approx(expected, abs=1e-12)
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    assert rl.auc(ranking) == pytest.approx(expected, abs=1e-12)


THREADS_PROGRAM = """
import numpy as np, roclab as rl
from strategies import LARGE_SCORES
for size in (1_000, 70_000, 1_200_000):
    rng = np.random.default_rng(size)
    truth, weight = rng.random(size) < 0.2, rng.exponential(size=size)
    for shape in ("normal", "normal float32", "two decimals", "integers", "with infinities"):
        scores = LARGE_SCORES[shape](rng, size)
        print(size, shape, rl.auc(truth, scores).hex())
        for ranking in (rl.Ranking(truth, scores), rl.Ranking(truth, scores, sample_weight=weight)):
            print(rl.auc(ranking).hex(), ranking.summary.auc_variance.hex())
            print(hash(ranking.scores.tobytes()), hash(ranking.order.tobytes()))
"""


def test_the_number_of_threads_does_not_matter():
    def run(threads):
        environment = os.environ | {
            "ROCLAB_NUM_THREADS": threads,
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        }
        return subprocess.run(
            [sys.executable, "-c", THREADS_PROGRAM],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    alone = run("1")
    assert alone
    assert run("2") == alone
    assert run("3") == alone


@pytest.mark.parametrize("outlier", [-999.0, -np.inf, 1e300])
@pytest.mark.parametrize("size", [10_000, 1_200_000])
def test_outliers_change_no_result(outlier, size):
    rng = np.random.default_rng(12)
    truth = rng.random(size) < 0.48
    scores = 1 + 1e-6 * rng.random(size)
    scores[:3] = outlier, -outlier, outlier
    expected = reference.twice_wins_by_ranks(truth, reference.twice_ranks(scores))
    assert rl.Ranking(truth, scores).summary.twice_wins == expected
    n_pos = int(truth.sum())
    assert rl.auc(truth, scores) == expected / (2 * n_pos * (size - n_pos))
