"""`det_curve` against scikit-learn and against counting."""

from fractions import Fraction

import numpy as np
import reference
import reference_retrieval
from hypothesis import given
from sklearn.metrics import det_curve as sklearn_det_curve
from strategies import samples, weighted_samples

import roclab as rl


@given(weighted_samples(samples(finite=True), kinds=("counts", "importance")))
def test_equals_scikit_learn(sample):
    truth, scores, weight = sample
    used = weight > 0  # scikit-learn has points of rows without weight
    truth, scores, weight = truth[used], scores[used].astype(np.float64), weight[used]
    for keywords in ({}, {"sample_weight": weight}):
        expected = sklearn_det_curve(truth, scores, **keywords)
        curve = rl.det_curve(truth, scores, **keywords)
        for ours, theirs in zip((curve.fpr, curve.fnr, curve.thresholds), expected, strict=True):
            np.testing.assert_allclose(ours, theirs[::-1], rtol=0, atol=1e-12)


@given(weighted_samples())
def test_equals_counting(sample):
    pos, neg = reference.split(*sample)
    positives, negatives = (sum(w for _, w in side) for side in (pos, neg))
    thresholds = [float("inf"), *sorted({s for s, _ in pos + neg}, reverse=True)]
    points = []
    for threshold in thresholds:
        true_pos, false_pos = reference_retrieval.counts_at(threshold, pos, neg)
        points.append((false_pos / negatives, 1 - true_pos / Fraction(positives)))
    points[0] = (Fraction(0), Fraction(1))  # above all scores, even infinite ones
    first = max(place for place, (fpr, _) in enumerate(points) if fpr == 0)
    last = min(place for place, (_, fnr) in enumerate(points) if fnr == 0)
    curve = rl.det_curve(sample[0], sample[1], sample_weight=sample[2])
    expected = np.array(points[first : last + 1], dtype=np.float64)
    np.testing.assert_allclose(np.column_stack((curve.fpr, curve.fnr)), expected, atol=1e-12)
    np.testing.assert_array_equal(curve.thresholds[1:], thresholds[first + 1 : last + 1])


@given(samples())
def test_swapping_the_classes_swaps_the_errors(sample):
    truth, scores = sample
    curve = rl.det_curve(truth, scores.astype(np.float64))
    swapped = rl.det_curve(~truth, -scores.astype(np.float64))
    np.testing.assert_allclose(swapped.fpr[::-1], curve.fnr, atol=1e-12)
    np.testing.assert_allclose(swapped.fnr[::-1], curve.fpr, atol=1e-12)
