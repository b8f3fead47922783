"""`roc_hull` and `cost_curve` against their slow twins, and what must hold for every hull."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import reference
import reference_hull
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import isotonic_regression
from strategies import (
    LARGE_SCORES,
    MILD_WEIGHTS,
    large_truths,
    one_class_samples,
    samples,
    weighted_samples,
)

import roclab as rl
from roclab.numeric import pooling

# Not with 64-bit integers: two of them may be one threshold, which is a double.
SAMPLES = samples(dtypes=["i4", "u4", "f2", "f4", "f8"])


def fields(concavity):
    return concavity.low, concavity.high, concavity.area, concavity.n_pos, concavity.n_neg


@given(SAMPLES)
def test_equals_the_twin(sample):
    points = reference.roc_points(*sample)
    vertices = [points[k] for k in reference_hull.hull_vertices(*sample)]
    hull = rl.roc_hull(*sample)
    assert hull.fpr.tolist() == [float(x) for x, _, _ in vertices]
    assert hull.tpr.tolist() == [float(y) for _, y, _ in vertices]
    assert hull.thresholds.tolist() == [t for _, _, t in vertices]
    assert hull.auc == float(reference_hull.hull_auc(*sample))
    expected = [
        (low, high, float(area), p, n)
        for low, high, area, p, n in reference_hull.concavities(*sample)
    ]
    assert [fields(concavity) for concavity in hull.concavities] == expected


@given(weighted_samples(SAMPLES, kinds=MILD_WEIGHTS))
def test_equals_the_twin_with_weights(sample):
    truth, scores, weight = sample
    hull = rl.roc_hull(truth, scores, sample_weight=weight)
    expected = reference_hull.hull_auc(truth, scores, weight)
    assert hull.auc == pytest.approx(float(expected), abs=1e-13)
    # A corner or a concavity that is none but for 1e-13 may be on either side.
    found = [c.area for c in hull.concavities if c.area > 1e-12]
    real = [float(area) for _, _, area, _, _ in reference_hull.concavities(*sample) if area > 1e-12]
    assert sum(found) == pytest.approx(sum(real), abs=1e-12)


@given(weighted_samples(SAMPLES, kinds=["counts"]))
def test_whole_weights_mean_repetition(sample):
    truth, scores, weight = sample
    times = weight.astype(int)
    repeated = rl.roc_hull(np.repeat(truth, times), np.repeat(scores, times))
    hull = rl.roc_hull(truth, scores, sample_weight=weight)
    assert hull.thresholds.tolist() == repeated.thresholds.tolist()
    assert hull.pos.tolist() == repeated.pos.tolist()
    assert hull.neg.tolist() == repeated.neg.tolist()
    assert hull.auc == pytest.approx(repeated.auc, abs=1e-15)
    np.testing.assert_allclose(
        np.array([fields(c) for c in hull.concavities]),
        np.array([fields(c) for c in repeated.concavities]),
        rtol=1e-15,
    )


@given(weighted_samples(SAMPLES, kinds=MILD_WEIGHTS), st.sampled_from([1e-58, 0.1, 3.0, 1e58]))
def test_the_scale_of_weights_does_not_matter(sample, scale):
    truth, scores, weight = sample
    hull = rl.roc_hull(truth, scores, sample_weight=weight)
    scaled = rl.roc_hull(truth, scores, sample_weight=scale * weight)
    assert scaled.thresholds.tolist() == hull.thresholds.tolist()
    assert [(c.low, c.high) for c in scaled.concavities] == [
        (c.low, c.high) for c in hull.concavities
    ]
    areas = [c.area for c in hull.concavities]
    assert [c.area for c in scaled.concavities] == pytest.approx(areas, rel=1e-10)


@given(weighted_samples())
def test_dominates_the_curve_and_is_concave(sample):
    truth, scores, weight = sample
    for keywords in ({}, {"sample_weight": weight}):
        curve, hull = (
            rl.roc_curve(truth, scores, **keywords),
            rl.roc_hull(truth, scores, **keywords),
        )
        assert (np.interp(curve.fpr, hull.fpr, hull.tpr) >= curve.tpr - 1e-13).all()
        assert hull.auc >= rl.auc(truth, scores, **keywords)
        assert 0.5 - 1e-15 <= hull.auc <= 1
        for (x0, y0), (x1, y1) in pairwise(zip(hull.neg.tolist(), hull.pos.tolist(), strict=True)):
            assert Fraction(y1) * Fraction(x0) < Fraction(y0) * Fraction(x1)


@given(weighted_samples())
def test_areas_of_concavities_are_what_the_hull_adds(sample):
    truth, scores, weight = sample
    for keywords in ({}, {"sample_weight": weight}):
        hull = rl.roc_hull(truth, scores, **keywords)
        added = sum(concavity.area for concavity in hull.concavities)
        curve = rl.roc_curve(truth, scores, **keywords)
        under_curve = np.trapezoid(curve.tpr, curve.fpr)
        under_hull = np.trapezoid(hull.tpr, hull.fpr)
        assert hull.auc == pytest.approx(under_hull, abs=1e-13)
        assert added == pytest.approx(under_hull - under_curve, abs=1e-13)
        assert all(concavity.area > 0 for concavity in hull.concavities)


@given(SAMPLES)
def test_mass_and_intervals_belong_to_the_examples_between_vertices(sample):
    truth, scores = sample
    hull = rl.roc_hull(truth, scores)
    for number, (low, high) in enumerate(hull.intervals):
        inside = (low <= scores) & ((scores < high) | (number == 0))
        assert hull.pos[number] == np.count_nonzero(inside & truth)
        assert hull.neg[number] == np.count_nonzero(inside & ~truth)


@given(samples())
def test_only_the_order_of_scores_matters(sample):
    truth, scores = sample
    ranks = np.unique(scores, return_inverse=True)[1]
    hull, again = rl.roc_hull(truth, scores), rl.roc_hull(truth, ranks)
    assert hull.fpr.tolist() == again.fpr.tolist()
    assert hull.tpr.tolist() == again.tpr.tolist()
    assert [c.area for c in hull.concavities] == [c.area for c in again.concavities]


@given(samples())
def test_the_hull_has_no_concavities_of_its_own(sample):
    truth, scores = sample
    hull = rl.roc_hull(truth, scores)
    flat = rl.Ranking.from_groups(np.arange(len(hull.pos)), pos=hull.pos[::-1], neg=hull.neg[::-1])
    again = rl.roc_hull(flat)
    assert again.concavities == ()
    assert rl.auc(flat) == again.auc == hull.auc


@given(one_class_samples())
def test_one_class_is_nan_with_a_warning(sample):
    truth, scores = sample
    with pytest.warns(rl.UndefinedMeasureWarning, match="hull"):
        hull = rl.roc_hull(truth, scores)
    assert np.isnan(hull.auc)
    assert hull.concavities == ()
    assert np.isnan(hull.fpr).all() == truth.all()
    assert np.isnan(hull.tpr).all() == (not truth.any())
    assert (hull.pos.sum(), hull.neg.sum()) == (truth.sum(), (~truth).sum())
    with pytest.warns(rl.UndefinedMeasureWarning, match="cost curve"):
        assert np.isnan(rl.cost_curve(truth, scores).at(0.3))


@pytest.mark.parametrize("size", [1000, 65_537])
@pytest.mark.parametrize("shape", LARGE_SCORES)
def test_large_samples_equal_isotonic_regression(shape, size):
    rng = np.random.default_rng(size)
    scores = LARGE_SCORES[shape](rng, size)
    for truth in large_truths(rng, scores).values():
        if truth.all() or not truth.any():
            continue
        ranking = rl.Ranking(truth, scores)
        both = ranking.pos + ranking.neg
        shares = isotonic_regression(ranking.pos / both, sample_weight=both)[::-1]
        ranks = rl.Ranking.from_groups(np.arange(len(both)), ranking.pos, ranking.neg)
        hull = rl.roc_hull(ranks)
        lengths = -np.diff(hull.thresholds[1:], prepend=len(both)).astype(int)
        ours = np.repeat(hull.pos / (hull.pos + hull.neg), lengths)
        np.testing.assert_allclose(ours, shares, rtol=0, atol=1e-10)


def chain(x, y):
    """Graham's scan, in Python's integers, for large curves."""
    points = [(0, 0), *zip(np.cumsum(x).tolist(), np.cumsum(y).tolist(), strict=True)]
    kept = []
    for k, (x2, y2) in enumerate(points):
        while len(kept) > 1:
            (x0, y0), (x1, y1) = points[kept[-2]], points[kept[-1]]
            if (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0) < 0:
                break
            kept.pop()
        kept.append(k)
    return kept[1:]


def curves(rng, n):
    """Steps for which pooling goes all its ways: many violators, few, one long cascade, none."""
    falling = np.arange(n, 0, -1)
    cascade = np.ones(n, np.int64)
    late = falling.copy()
    late[-1] = n * n
    return {
        "random": (rng.integers(0, 3, n), 1 + rng.integers(0, 3, n)),
        "falling slopes": (np.ones(n, np.int64), falling),
        "rising slopes": (np.ones(n, np.int64), falling[::-1]),
        "a last step that pools all": (cascade, late),
        "a few violators": (np.ones(n, np.int64), falling + 3 * (rng.random(n) < 0.002)),
        "straight": (np.full(n, 2), np.full(n, 3)),
    }


@pytest.mark.parametrize("name", curves(np.random.default_rng(0), 5))
@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 3000])
def test_pooling_equals_a_scan(name, size):
    x, y = curves(np.random.default_rng(size), size)[name]
    expected = chain(x, y)
    for steps in ((x, y), (x * 0.1, y * 0.7)):
        blocks = pooling.pool(*steps)
        assert blocks.end.tolist() == expected
        assert blocks.x.sum() == pytest.approx(steps[0].sum())
    # A curve of more than 2**31 in both directions: products beyond 64 bits.
    blocks = pooling.pool(x * 2**33, y * 2**33)
    assert blocks.end.tolist() == expected
    assert blocks.excess.tolist() == [e * 2**66 for e in pooling.pool(x, y).excess.tolist()]


def test_counts_beyond_64_bit_products_are_exact():
    big = 2**40
    ranking = rl.Ranking.from_groups(
        [1, 2, 3], pos=[big - 1, big + 1, big], neg=[big, big, big + 1]
    )
    hull = rl.roc_hull(ranking)
    # From the top, slopes of a little less than 1 and a little more, pooled to 1, and then less.
    assert hull.thresholds.tolist() == [np.inf, 2.0, 1.0]
    [concavity] = hull.concavities
    assert concavity.area == float(Fraction((big + 1) ** 2 - big**2, 2 * 3 * big * (3 * big + 1)))
    assert (concavity.n_pos, concavity.n_neg) == (2 * big + 1, 2 * big + 1)


@given(weighted_samples(kinds=MILD_WEIGHTS), st.integers(0, 16))
def test_cost_curve_is_the_lower_envelope_of_all_thresholds(sample, sixteenths):
    truth, scores, weight = sample
    x = sixteenths / 16
    for keywords in ({}, {"sample_weight": weight}):
        points = reference.roc_points(truth, scores, *keywords.values())
        curve = rl.cost_curve(truth, scores, **keywords)
        least = min((1 - tpr) * Fraction(x) + fpr * (1 - Fraction(x)) for fpr, tpr, _ in points)
        assert curve.at(x) == pytest.approx(float(least), abs=1e-13)
        threshold = curve.threshold_at(x)
        best = [
            t
            for fpr, tpr, t in points
            if (1 - tpr) * Fraction(x) + fpr * (1 - Fraction(x)) <= least + Fraction(1, 10**13)
        ]
        assert threshold in np.asarray(best, float)


@given(samples())
def test_cost_curve_runs_from_0_to_1_and_its_area_is_that_of_its_lines(sample):
    curve = rl.cost_curve(*sample)
    assert (curve.probability_cost[0], curve.probability_cost[-1]) == (0, 1)
    assert (curve.cost[0], curve.cost[-1]) == (0, 0)
    assert (np.diff(curve.probability_cost) > 0).all()
    grid = np.linspace(0, 1, 2001)
    mean = np.mean([curve.at(x) for x in (grid[1:] + grid[:-1]) / 2])
    assert curve.area() == pytest.approx(mean, abs=1e-6)
    assert curve.area() <= 0.25 + 1e-15


@given(
    weighted_samples(kinds=MILD_WEIGHTS),
    st.floats(0.01, 100),
    st.floats(0.01, 100),
    st.floats(0.01, 0.99),
)
def test_expected_cost_equals_the_twin_and_the_cost_curve(sample, alarm, miss, prevalence):
    truth, scores, weight = sample
    costs = {"false_positive_cost": alarm, "false_negative_cost": miss}
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    value = rl.expected_cost(ranking, **costs, prevalence=prevalence)
    expected = reference_hull.least_cost(truth, scores, alarm, miss, prevalence, weight)
    assert value == pytest.approx(float(expected), rel=1e-12, abs=1e-12)
    scale = prevalence * miss + (1 - prevalence) * alarm
    at = rl.cost_curve(ranking).at(prevalence * miss / scale)
    assert value == pytest.approx(scale * at, rel=1e-12, abs=1e-12)
    here = float(np.sum(weight[truth]) / np.sum(weight))
    assert rl.expected_cost(ranking, **costs) == pytest.approx(
        rl.expected_cost(ranking, **costs, prevalence=here), rel=1e-12, abs=1e-12
    )
