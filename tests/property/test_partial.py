"""`partial_auc` against its exact twin and scikit-learn."""

from fractions import Fraction

import numpy as np
import pytest
import reference_hull
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from strategies import LARGE_SCORES, MILD_WEIGHTS, large_truths, samples, weighted_samples

import roclab as rl

# Also where the curve has its points: simple fractions.
RATES = st.one_of(
    st.fractions(0, 1, max_denominator=8), st.integers(0, 2**20).map(lambda i: Fraction(i, 2**20))
)
RANGES = st.lists(RATES, min_size=2, max_size=2, unique=True).map(
    lambda ends: tuple(sorted(float(end) for end in ends))
)


@given(samples(max_size=16), RANGES, RANGES)
def test_equals_the_twin(sample, across, up):
    for box in ((across, (0, 1)), ((0, 1), up), (across, up)):
        value = rl.partial_auc(*sample, fpr_range=box[0], tpr_range=box[1])
        assert value == pytest.approx(float(reference_hull.partial_auc(*sample, *box)), abs=1e-13)


@given(weighted_samples(samples(max_size=16), kinds=MILD_WEIGHTS), RANGES, RANGES)
def test_equals_the_twin_with_weights(sample, across, up):
    truth, scores, weight = sample
    value = rl.partial_auc(truth, scores, sample_weight=weight, fpr_range=across, tpr_range=up)
    expected = reference_hull.partial_auc(truth, scores, across, up, weight)
    assert value == pytest.approx(float(expected), abs=1e-13)


@given(samples(max_size=16), st.integers(0, 6), st.integers(1, 8), st.integers(0, 8))
def test_standardized_equals_the_twin(sample, low, width, height):
    across = (low / 8, min(low + width, 8) / 8)
    up = (height / 16, 1)
    value = rl.partial_auc(*sample, fpr_range=across, tpr_range=up, standardize=True)
    expected = reference_hull.standardized_partial_auc(*sample, across, up)
    assert value == pytest.approx(float(expected), abs=1e-12)


@given(weighted_samples(samples(finite=True)), st.floats(0.01, 1))
def test_max_fpr_equals_scikit_learn(sample, max_fpr):
    truth, scores, weight = sample
    for keywords in ({}, {"sample_weight": weight}):
        with np.errstate(over="ignore", invalid="ignore"):
            expected = roc_auc_score(truth, scores, max_fpr=max_fpr, **keywords)
        value = rl.partial_auc(truth, scores, fpr_range=(0, max_fpr), standardize=True, **keywords)
        assert value == pytest.approx(expected, abs=1e-12)


@given(samples(), RANGES, RATES.map(float))
def test_parts_add_up(sample, across, cut):
    low, high = across
    if low < cut < high:
        for axis in ("fpr_range", "tpr_range"):
            whole = rl.partial_auc(*sample, **{axis: across})
            parts = [rl.partial_auc(*sample, **{axis: part}) for part in ((low, cut), (cut, high))]
            assert sum(parts) == pytest.approx(whole, abs=1e-13)
    assert rl.partial_auc(*sample, fpr_range=(0, 1)) == pytest.approx(rl.auc(*sample), abs=1e-13)
    assert rl.partial_auc(*sample, tpr_range=(0, 1)) == pytest.approx(rl.auc(*sample), abs=1e-13)


@given(samples(), RANGES, RANGES)
def test_swapping_the_classes_swaps_the_axes(sample, across, up):
    truth, scores = sample
    # Negated scores and swapped labels mirror the curve in the falling diagonal.
    mirrored = rl.partial_auc(
        ~truth,
        -scores.astype(float),
        fpr_range=(1 - up[1], 1 - up[0]),
        tpr_range=(1 - across[1], 1 - across[0]),
    )
    value = rl.partial_auc(truth, scores.astype(float), fpr_range=across, tpr_range=up)
    assert value == pytest.approx(mirrored, abs=1e-13)


@pytest.mark.parametrize("shape", ["normal", "two decimals", "seven levels", "integers"])
def test_large_samples_equal_scikit_learn(shape):
    rng = np.random.default_rng(5)
    scores = LARGE_SCORES[shape](rng, 50_000)
    for truth in large_truths(rng, scores).values():
        for max_fpr in (0.001, 0.1, 0.5, 1.0):
            expected = roc_auc_score(truth, scores, max_fpr=max_fpr)
            assert rl.partial_auc(
                truth, scores, fpr_range=(0, max_fpr), standardize=True
            ) == pytest.approx(expected, abs=1e-12)
