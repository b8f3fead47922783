"""Frozen numbers of measures of probabilities, of retrieval and of the AUC for k errors."""

from fractions import Fraction

import numpy as np
import pytest
import reference_probability as twin
import reference_retrieval

import roclab as rl

# (positives, negatives, errors): (rankings with a threshold, mean, variance). Exact fractions by
# enumeration with an independent program.
GIVEN_ERRORS = {
    (1, 1, 1): (4, "1/2", "1/4"),
    (2, 3, 1): (7, "11/14", "13/441"),
    (3, 5, 2): (46, "33/46", "731/31740"),
    (4, 6, 3): (232, "937/1392", "6091/322944"),
    (2, 8, 2): (67, "155/268", "33925/574592"),
    (5, 5, 3): (232, "7/10", "197/14500"),
    (2, 5, 4): (37, "87/185", "1644/34225"),
    (3, 4, 7): (1, "0", "0"),
    (3, 4, 0): (1, "1", "0"),
}


@pytest.mark.parametrize("counts", GIVEN_ERRORS)
def test_auc_given_errors(counts):
    number, mean, variance = GIVEN_ERRORS[counts]
    exact = Fraction(mean), Fraction(variance)
    assert twin.auc_given_errors(*counts) == (number, *exact)
    result = rl.auc_given_errors(*counts)
    assert (result.mean, result.variance) == tuple(map(float, exact))


def test_auc_given_errors_far_below_the_accuracy():
    result = rl.auc_given_errors(10, 90, 10)
    assert result.mean == pytest.approx(0.5116, abs=5e-5)
    assert result.standard_deviation == pytest.approx(0.0988, abs=5e-5)


# The two models of Wu, Flach and Ferri (2007), whose Brier scores both are 11/100.
MODELS = {
    "M1": ("1.0 0.7 0.6 0.5 0.4 0.0", "111000"),
    "M2": ("1.0 0.9 0.6 0.5 0.2 0.0", "110100"),
}


@pytest.mark.parametrize("model", MODELS)
def test_brier_scores_of_the_paper(model):
    scores, labels = MODELS[model]
    scores = [float(s) for s in scores.split()]
    assert rl.brier_score([int(y) for y in labels], scores) == pytest.approx(0.11, abs=1e-15)


def test_brier_parts_by_hand():
    # Four days at 1/4 with one positive, two at 1/2 with two: base 1/2.
    parts = rl.measures.brier_parts([1, 0, 0, 0, 1, 1], [0.25] * 4 + [0.5] * 2)
    assert parts.reliability == pytest.approx(1 / 12, abs=1e-16)
    assert parts.resolution == pytest.approx(1 / 8, abs=1e-16)
    assert parts.uncertainty == 0.25
    assert parts.score == pytest.approx(5 / 24, abs=1e-16)


def test_wilson_interval_of_a_printed_example():
    # 81 of 263, Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
    truth = np.arange(263) < 81
    error = rl.calibration_error(truth, np.full(263, 0.3), n_bins=1)
    assert error.share_low.round(4).tolist() == [0.2553]
    assert error.share_high.round(4).tolist() == [0.3662]
    none = rl.calibration_error(np.zeros(20, bool), np.full(20, 0.3), n_bins=1)
    assert (none.share_low[0], none.share_high[0].round(4)) == (0, 0.1611)


def test_hand_and_till_by_hand():
    # a over b: ties in a's column half, all right in b's; a over c and b over c: all right.
    y_score = [[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.4, 0.5, 0.1], [0.2, 0.1, 0.7]]
    assert rl.multiclass_auc(list("aabc"), y_score) == pytest.approx(
        (Fraction(7, 8) + 1 + 1) / 3, abs=1e-15
    )


def test_gains_by_hand():
    # 2 positives, 3 negatives; descending + - - + -. Recall 2/5 lies on the way to the first
    # point; then TP 1, 1, 1, 2, 2 and FP 0, 1, 2, 2, 3, with gains 1 - (2/3) FP/TP.
    truth, scores = [1, 0, 0, 1, 0], [5, 4, 3, 2, 1]
    curve = rl.curves.precision_recall_gain_curve(truth, scores)
    assert curve.precision_gain == pytest.approx([1, 1, 1 / 3, -1 / 3, 1 / 3, 0], abs=1e-15)
    assert curve.recall_gain == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3, 1, 1], abs=1e-15)
    assert curve.area() == pytest.approx(1 / 3, abs=1e-15)
    assert reference_retrieval.average_precision_gain(truth, scores) == Fraction(1, 3)


# Of 750 men 105 have cancer; 24 of these and 91 of the others have a family history of it.
FAMILY_HISTORY = (
    np.repeat([1, 1, 0, 0], [24, 81, 91, 554]),
    np.repeat([1, 0, 1, 0], [24, 81, 91, 554]),
)
# threshold: (family history, treat all)
NET_BENEFIT = {
    0.01: (0.030774410774410774, 0.13131313131313133),
    0.05: (0.025614035087719297, 0.09473684210526317),
    0.1: (0.018518518518518517, 0.04444444444444445),
    0.14: (0.012248062015503873, 0.0),
    0.15: (0.010588235294117645, -0.011764705882352927),
    0.2: (0.0016666666666666635, -0.07499999999999998),
    0.21: (-2.531645569620253e-4, -0.08860759493670883),
    0.35: (-0.033333333333333354, -0.32307692307692315),
    0.5: (-0.08933333333333335, -0.72),
}


def test_net_benefit_of_the_tutorial_by_the_authors_of_the_method():
    curve = rl.decision_curve(*FAMILY_HISTORY, thresholds=list(NET_BENEFIT))
    model, everybody = np.array(list(NET_BENEFIT.values())).T
    np.testing.assert_allclose(curve.net_benefit, model, atol=1e-15)
    np.testing.assert_allclose(curve.treat_all, everybody, atol=1e-15)
    assert curve.prevalence == 0.14


@pytest.mark.parametrize(
    ("hits", "number", "low", "high"),
    [
        (81, 263, 0.2527, 0.3676),
        (0, 20, 0, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_clopper_pearson_intervals_of_a_bin(hits, number, low, high):
    curve = rl.calibration_curve(np.arange(number) < hits, np.full(number, 0.3))
    assert (curve.low[0], curve.high[0]) == pytest.approx((low, high), abs=5e-5)
