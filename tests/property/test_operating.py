"""`operating_points` against counting, scikit-learn and exhaustive choice."""

from fractions import Fraction

import numpy as np
import pytest
import reference_hull
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from strategies import MILD_WEIGHTS, one_class_samples, samples, weighted_samples

import roclab as rl

SAMPLES = samples(dtypes=["i4", "u4", "f2", "f4", "f8"])


@given(SAMPLES)
def test_counts_equal_counting(sample):
    truth, scores = sample
    points = rl.operating_points(truth, scores)
    distinct = np.unique(scores)[::-1].astype(float)
    assert points.threshold.tolist() == [np.inf, *distinct]
    rows = np.column_stack([points.tp, points.fp, points.tn, points.fn]).tolist()
    expected = [reference_hull.counts_at(truth, scores, t) for t in distinct]
    assert rows == [[0, 0, (~truth).sum(), truth.sum()], *map(list, expected)]


@given(weighted_samples(SAMPLES, kinds=MILD_WEIGHTS), st.data())
def test_rates_equal_scikit_learn(sample, data):
    truth, scores, weight = sample
    points = rl.operating_points(truth, scores, sample_weight=weight)
    point = points[data.draw(st.integers(1, len(points) - 1))]
    called = scores >= point.threshold

    def theirs(metric, *labels):
        value = metric(*(labels or (truth, called)), sample_weight=weight)
        return pytest.approx(value, abs=1e-12)

    assert point.accuracy == theirs(metrics.accuracy_score)
    assert point.f1 == theirs(metrics.f1_score)
    assert point.ppv == theirs(metrics.precision_score)
    assert point.sensitivity == theirs(metrics.recall_score)
    assert point.specificity == theirs(metrics.recall_score, ~truth, ~called)
    assert point.balanced_accuracy == theirs(metrics.balanced_accuracy_score)
    assert point.youden == pytest.approx(2 * point.balanced_accuracy - 1, abs=1e-12)
    if called[weight > 0].all():
        assert np.isnan(point.matthews)
        assert np.isnan(point.npv)
    else:
        assert point.matthews == theirs(metrics.matthews_corrcoef)
        assert point.npv == theirs(metrics.precision_score, ~truth, ~called)


@given(weighted_samples(SAMPLES))
def test_rows_and_columns_say_the_same(sample):
    truth, scores, weight = sample
    points = rl.operating_points(truth, scores, sample_weight=weight)
    table = points.to_dict()
    for row in range(len(points)):
        np.testing.assert_equal(points[row].to_dict(), {k: v[row] for k, v in table.items()})
    curve = rl.roc_curve(truth, scores, sample_weight=weight)
    np.testing.assert_allclose(points.fpr, curve.fpr, rtol=0, atol=1e-13)
    np.testing.assert_allclose(points.tpr, curve.tpr, rtol=0, atol=1e-13)
    for name in table:
        assert not getattr(points, name).flags.writeable


def first_least(points, loss):
    """The first row of least loss, in fractions."""
    losses = [loss(points[row]) for row in range(len(points))]
    return losses.index(min(losses))


@given(SAMPLES, st.integers(1, 9), st.integers(1, 9), st.integers(1, 15))
def test_best_is_the_strictest_of_the_best(sample, miss, alarm, sixteenths):
    points = rl.operating_points(*sample)
    prevalence = Fraction(sixteenths, 16)

    def fpr(point):
        return Fraction(point.fp, point.fp + point.tn)

    def fnr(point):
        return Fraction(point.fn, point.fn + point.tp)

    def cost(point):
        return prevalence * miss * fnr(point) + (1 - prevalence) * alarm * fpr(point)

    def cost_here(point):
        return miss * point.fn + alarm * point.fp

    expected = {
        "youden": lambda point: fpr(point) + fnr(point),
        "closest": lambda point: fpr(point) ** 2 + fnr(point) ** 2,
    }
    for by, loss in expected.items():
        assert points.best(criterion=by) == points[first_least(points, loss)]
    costs = {"false_negative_cost": miss, "false_positive_cost": alarm, "n_resamples": 1, "rng": 0}
    chosen = rl.choose_threshold(*sample, **costs, prevalence=float(prevalence))
    assert chosen.threshold == points[first_least(points, cost)].threshold
    chosen = rl.choose_threshold(*sample, **costs)
    assert chosen.threshold == points[first_least(points, cost_here)].threshold


@given(SAMPLES, st.integers(0, 40))
def test_at_a_rate_is_the_best_that_reaches_it(sample, fortieths):
    points = rl.operating_points(*sample)
    rate = fortieths / 40
    rows = [points[row] for row in range(len(points))]
    reaching = [point for point in rows if point.sensitivity >= rate]
    assert points.at(sensitivity=rate) == reaching[0]
    assert reaching[0].specificity == max(point.specificity for point in reaching)
    reaching = [point for point in rows if point.specificity >= rate]
    assert points.at(specificity=rate) == reaching[-1]
    assert reaching[-1].sensitivity == max(point.sensitivity for point in reaching)


@given(SAMPLES, st.floats(allow_nan=False, width=16))
def test_at_a_threshold_counts_those_at_or_above_it(sample, threshold):
    truth, scores = sample
    points = rl.operating_points(truth, scores)
    for value in (threshold, *scores.astype(float).tolist()):
        point = points.at(threshold=value)
        assert point.threshold == value
        counts = reference_hull.counts_at(truth, scores.astype(float), value)
        assert (point.tp, point.fp, point.tn, point.fn) == counts
        cost = rl.expected_cost(
            truth, scores, false_positive_cost=3, false_negative_cost=2, threshold=value
        )
        assert cost == pytest.approx((3 * point.fp + 2 * point.fn) / len(truth))


@given(weighted_samples(SAMPLES, kinds=["counts"]))
def test_whole_weights_mean_repetition(sample):
    truth, scores, weight = sample
    times = weight.astype(int)
    repeated = rl.operating_points(np.repeat(truth, times), np.repeat(scores, times))
    points = rl.operating_points(truth, scores, sample_weight=weight)
    for name, column in repeated.to_dict().items():
        np.testing.assert_array_equal(getattr(points, name), column)


@given(one_class_samples())
def test_one_class_has_nan_rates_and_no_best(sample):
    truth, scores = sample
    with pytest.warns(rl.UndefinedMeasureWarning, match="operating points"):
        points = rl.operating_points(truth, scores)
    assert np.isnan(points.specificity if truth.all() else points.sensitivity).all()
    assert np.isnan(points.youden).all()
    with pytest.raises(rl.InputError, match="both classes"):
        points.best()
    with pytest.raises(rl.InputError, match="both classes"):
        points.at(sensitivity=0.5)
    assert points.at(threshold=-np.inf).tp == truth.sum()
