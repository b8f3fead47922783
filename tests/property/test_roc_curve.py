"""`roc_curve` against scikit-learn and against counting."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import reference
from hypothesis import given
from sklearn.metrics import auc as trapezoids
from sklearn.metrics import roc_curve as sklearn_roc_curve
from strategies import LARGE_SCORES, large_truths, one_class_samples, samples, weighted_samples

import roclab as rl


def arrays(curve):
    return curve.fpr, curve.tpr, curve.thresholds


def assert_same_curve(curve, expected):
    for ours, theirs in zip(arrays(curve), expected, strict=True):
        # Thresholds beyond 2^53 are integers, which scikit-learn rounds.
        np.testing.assert_allclose(ours.astype(np.float64), theirs, rtol=0, atol=1e-12)


def area(curve):
    return trapezoids(curve.fpr, curve.tpr)


@given(weighted_samples(samples(finite=True)))
def test_equals_scikit_learn(sample):
    truth, scores, weight = sample
    with np.errstate(over="ignore", invalid="ignore"):
        for keywords in ({}, {"sample_weight": weight}):
            expected = sklearn_roc_curve(truth, scores, drop_intermediate=False, **keywords)
            assert_same_curve(rl.roc_curve(truth, scores, **keywords), expected)


@given(weighted_samples())
def test_equals_counting(sample):
    truth, scores, weight = sample
    for keywords in ({}, {"sample_weight": weight}):
        expected = reference.roc_points(truth, scores, *keywords.values())
        columns = [np.array(column, float) for column in zip(*expected, strict=True)]
        for data in ((truth, scores), (rl.Ranking(truth, scores, **keywords),)):
            more = keywords if len(data) == 2 else {}
            curve = rl.roc_curve(*data, **more)
            np.testing.assert_allclose(curve.fpr, columns[0], rtol=0, atol=1e-14)
            np.testing.assert_allclose(curve.tpr, columns[1], rtol=0, atol=1e-14)
            assert curve.thresholds.tolist() == [threshold for *_, threshold in expected]


# Not with 64-bit integers: two of them may be one threshold, which is a double.
@given(samples(dtypes=["i4", "u4", "f2", "f4", "f8"]))
def test_runs_from_corner_to_corner(sample):
    curve = rl.roc_curve(*sample)
    assert (curve.fpr[0], curve.tpr[0], curve.thresholds[0]) == (0, 0, np.inf)
    assert (curve.fpr[-1], curve.tpr[-1]) == (1, 1)
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()
    assert (curve.thresholds[1:-1] > curve.thresholds[2:]).all()


@given(samples())
def test_area_is_auc(sample):
    assert area(rl.roc_curve(*sample)) == pytest.approx(rl.auc(*sample), abs=1e-12)


@given(one_class_samples())
def test_one_class_has_nan_rates(sample):
    truth, scores = sample
    with pytest.warns(rl.UndefinedMeasureWarning):
        curve = rl.roc_curve(truth, scores)
    assert np.isnan(curve.fpr).all() == truth.all()
    assert np.isnan(curve.tpr).all() == (not truth.any())
    assert len(curve.thresholds) == 1 + len(np.unique(scores))


def between(point, before, after):
    """Whether `point` lies on the segment from `before` to `after`, exactly."""
    (x, y), (x0, y0), (x1, y1) = point, before, after
    return (x - x0) * (y1 - y0) == (y - y0) * (x1 - x0) and x0 <= x <= x1 and y0 <= y <= y1


@given(samples())
def test_thinning_drops_points_on_straight_segments_only(sample):
    truth, scores = sample
    full, thin = rl.roc_curve(truth, scores), rl.roc_curve(truth, scores, thin=True)
    points = [(Fraction(x), Fraction(y)) for x, y, _ in reference.roc_points(truth, scores)]
    rows = list(zip(*map(np.ndarray.tolist, arrays(full)), strict=True))
    kept = [rows.index(row) for row in zip(*map(np.ndarray.tolist, arrays(thin)), strict=True)]
    assert kept[0] == 0
    assert kept[-1] == len(rows) - 1
    assert kept == sorted(set(kept))
    for start, end in pairwise(kept):
        for dropped in range(start + 1, end):
            assert between(points[dropped], points[start], points[end])


@given(samples(finite=True))
def test_thinned_points_are_scikit_learns(sample):
    with np.errstate(over="ignore", invalid="ignore"):
        expected = sklearn_roc_curve(*sample, drop_intermediate=True)
    assert_same_curve(rl.roc_curve(*sample, thin=True), expected)


@given(weighted_samples())
def test_thinning_keeps_the_area(sample):
    truth, scores, weight = sample
    full = rl.roc_curve(truth, scores, sample_weight=weight)
    thin = rl.roc_curve(truth, scores, sample_weight=weight, thin=True)
    assert len(thin.fpr) <= len(full.fpr)
    assert area(thin) == pytest.approx(area(full), abs=1e-12)


def test_thinning_keeps_a_corner_beside_a_step_that_rounding_swallows():
    curve = rl.roc_curve([0, 1, 0, 1], [2, 2, 1, 0], sample_weight=[1e17, 1, 1, 1], thin=True)
    assert area(curve) == pytest.approx(0.25, abs=1e-12)


@pytest.mark.parametrize("size", [1000, 65_537, 300_000])
@pytest.mark.parametrize(
    "shape",
    ["normal", "normal float32", "two decimals", "integers", "clusters of neighbouring doubles"],
)
def test_large_samples_equal_scikit_learn(shape, size):
    rng = np.random.default_rng(size)
    scores, weight = LARGE_SCORES[shape](rng, size), rng.exponential(size=size)
    for truth in large_truths(rng, scores).values():
        with np.errstate(over="ignore", invalid="ignore"):
            for keywords in ({}, {"sample_weight": weight}):
                expected = sklearn_roc_curve(truth, scores, drop_intermediate=False, **keywords)
                assert_same_curve(rl.roc_curve(truth, scores, **keywords), expected)


def test_huge_counts_are_thinned_or_refused():
    ranking = rl.Ranking.from_groups([1, 2, 3], pos=[2**40] * 3, neg=[2**41] * 3)
    assert rl.roc_curve(ranking, thin=True).thresholds.tolist() == [np.inf, 3, 1]
    with pytest.raises(rl.InputError, match="64 bits"):
        rl.Ranking.from_groups([1, 2], pos=[2**62, 2**62], neg=[1, 1])
