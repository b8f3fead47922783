"""Precision-recall curves, average precision and the top of a ranking against twins and peers."""

import numpy as np
import pytest
import reference_retrieval as twin
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from strategies import MILD_WEIGHTS, level_samples, samples, weighted_samples

import roclab as rl

TOPS = {
    "precision_at": lambda captured, size, _: captured / size,
    "capture_at": lambda captured, _, truth: captured / truth.sum(),
    "lift_at": lambda captured, size, truth: captured / size / truth.mean(),
}


@given(samples(finite=True))
def test_average_precision(sample):
    value = rl.average_precision(*sample)
    assert value == pytest.approx(float(twin.average_precision(*sample)), abs=1e-14)
    with np.errstate(over="ignore", invalid="ignore"):
        assert value == pytest.approx(metrics.average_precision_score(*sample), abs=1e-12)


@given(weighted_samples(samples(finite=True)))
def test_average_precision_with_weights(sample):
    truth, scores, weight = sample
    value = rl.average_precision(truth, scores, sample_weight=weight)
    assert value == pytest.approx(float(twin.average_precision(*sample)), abs=1e-13)
    with np.errstate(over="ignore", invalid="ignore"):
        expected = metrics.average_precision_score(truth, scores, sample_weight=weight)
    assert value == pytest.approx(expected, abs=1e-12)


@given(samples(), st.booleans())
def test_average_precision_of_infinite_scores(sample, positive):
    truth, scores = sample
    scores = np.append(scores.astype(float), np.inf)
    truth = np.append(truth, positive)
    value = rl.average_precision(truth, scores)
    assert value == pytest.approx(float(twin.average_precision(truth, scores)), abs=1e-14)


@given(weighted_samples())
def test_precision_recall_curve(sample):
    truth, scores, weight = sample
    curve = rl.precision_recall_curve(truth, scores, sample_weight=weight)
    precision, recall, thresholds = zip(*twin.precision_recall_points(*sample), strict=True)
    assert curve.thresholds.tolist() == [float(t) for t in thresholds]
    assert curve.precision == pytest.approx([float(p) for p in precision], abs=1e-13)
    assert curve.recall == pytest.approx([float(r) for r in recall], abs=1e-13)
    assert (np.diff(curve.recall) >= 0).all()


@given(weighted_samples(samples(finite=True), kinds=MILD_WEIGHTS))
def test_precision_recall_curve_is_scikit_learns_in_reverse(sample):
    truth, scores, weight = sample
    curve = rl.precision_recall_curve(truth, scores, sample_weight=weight)
    with np.errstate(over="ignore", invalid="ignore"):
        precision, recall, thresholds = metrics.precision_recall_curve(
            truth, scores, sample_weight=weight
        )
    assert curve.precision[::-1] == pytest.approx(precision, abs=1e-12)
    assert curve.recall[::-1] == pytest.approx(recall, abs=1e-12)
    assert curve.thresholds[:0:-1].tolist() == thresholds.tolist()
    assert curve.thresholds[0] == np.inf


@given(weighted_samples(samples(finite=True), kinds=MILD_WEIGHTS))
def test_a_thinned_precision_recall_curve_is_scikit_learns_in_reverse(sample):
    truth, scores, weight = sample
    curve = rl.precision_recall_curve(truth, scores, sample_weight=weight, thin=True)
    with np.errstate(over="ignore", invalid="ignore"):
        precision, recall, thresholds = metrics.precision_recall_curve(
            truth, scores, sample_weight=weight, drop_intermediate=True
        )
    assert curve.precision[::-1] == pytest.approx(precision, abs=1e-12)
    assert curve.recall[::-1] == pytest.approx(recall, abs=1e-12)
    assert curve.thresholds[:0:-1].tolist() == thresholds.tolist()


@given(samples(), st.booleans())
def test_average_precision_is_the_area_under_the_steps(sample, thin):
    curve = rl.precision_recall_curve(*sample, thin=thin)
    area = np.diff(curve.recall) @ curve.precision[1:]
    assert rl.average_precision(*sample) == pytest.approx(area, abs=1e-14)


@given(weighted_samples(kinds=MILD_WEIGHTS))
def test_precision_recall_gain(sample):
    truth, scores, weight = sample
    curve = rl.curves.precision_recall_gain_curve(truth, scores, sample_weight=weight)
    area = float(twin.average_precision_gain(*sample))
    assert curve.area() == pytest.approx(area, rel=1e-12, abs=1e-12)
    assert rl.measures.average_precision_gain(truth, scores, sample_weight=weight) == curve.area()
    assert curve.recall_gain[0] == 0
    assert curve.recall_gain[-1] == 1
    assert (np.diff(curve.recall_gain) >= 0).all()
    assert curve.precision_gain[-1] == pytest.approx(0, abs=1e-12)
    assert curve.precision_gain.max() <= 1


@given(samples())
def test_points_of_the_gain_curve(sample):
    points = twin.gain_points(*sample)
    curve = rl.curves.precision_recall_gain_curve(*sample)
    if len(points) == len(curve) + 1:  # a threshold has exactly recall pi
        assert points[0] == points[1]
        points = points[1:]
        assert curve.thresholds[0] > -np.inf
    else:
        assert np.isnan(curve.thresholds[0])
    assert curve.recall_gain == pytest.approx([float(x) for x, _ in points], abs=1e-12)
    assert curve.precision_gain == pytest.approx([float(y) for _, y in points], abs=1e-12)


@given(samples())
def test_bounds_of_the_average_precision_gain(sample):
    truth, scores = sample
    assert 1 - 1 / truth.mean() <= rl.measures.average_precision_gain(truth, scores) <= 1
    assert rl.measures.average_precision_gain(truth, truth.astype(int)) == 1
    assert rl.measures.average_precision_gain(truth, np.zeros(len(truth))) == pytest.approx(
        0, abs=1e-12
    )


@given(samples(max_size=9), st.data())
def test_top_k_is_the_mean_over_choices_among_ties(sample, data):
    truth, scores = sample
    k = data.draw(st.integers(1, len(truth)))
    captured = float(twin.positives_in_top(truth, scores, k))
    for name, of_captured in TOPS.items():
        expected = pytest.approx(of_captured(captured, k, truth), abs=1e-14)
        assert getattr(rl.measures, name)(truth, scores, k=k) == expected, name


@given(samples(max_size=9), st.one_of(st.sampled_from([0.1, 0.5, 1]), st.floats(0.01, 1)))
def test_top_share_is_between_whole_numbers(sample, share):
    truth, scores = sample
    captured = float(twin.positives_in_share(truth, scores, share))
    for name, of_captured in TOPS.items():
        expected = pytest.approx(of_captured(captured, share * len(truth), truth), abs=1e-12)
        assert getattr(rl.measures, name)(truth, scores, share=share) == expected, name
        assert getattr(rl.measures, name)(truth, scores) == getattr(rl.measures, name)(
            truth, scores, share=0.1
        )


@given(samples())
def test_everything_is_captured_in_the_whole(sample):
    truth, _ = sample
    assert rl.measures.capture_at(*sample, share=1) == 1
    assert rl.measures.precision_at(*sample, k=len(truth)) == pytest.approx(truth.mean(), abs=1e-15)
    assert rl.measures.lift_at(*sample, share=1.0) == pytest.approx(1, abs=1e-15)


MEASURES = {
    "average_precision": rl.average_precision,
    "average_precision_gain": rl.measures.average_precision_gain,
    "precision_at": lambda *a, **k: rl.measures.precision_at(*a, k=2, **k),
    "capture_at": lambda *a, **k: rl.measures.capture_at(*a, share=0.3, **k),
    "lift_at": lambda *a, **k: rl.measures.lift_at(*a, share=0.3, **k),
}


@given(weighted_samples(kinds=("counts",)))
def test_whole_weights_mean_repetition(sample):
    truth, scores, weight = sample
    times = weight.astype(int)
    for name, function in MEASURES.items():
        repeated = function(np.repeat(truth, times), np.repeat(scores, times))
        value = function(truth, scores, sample_weight=weight)
        assert value == pytest.approx(repeated, rel=1e-12, abs=1e-13), name


@given(level_samples(), st.integers(-3, 3), st.sampled_from([0.5, 4.0]))
def test_only_the_order_of_scores_matters(sample, shift, scale):
    truth, scores = sample
    for name, function in MEASURES.items():
        value = function(truth, scores)
        assert function(truth, scale * scores + shift) == value, name
        assert function(truth[::-1], scores[::-1]) == value, name
        assert function(rl.Ranking(truth, scores)) == value, name
