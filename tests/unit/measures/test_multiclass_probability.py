"""Brier score and log loss of several classes: against scikit-learn and the twin, and refusals."""

import math
from inspect import signature

import numpy as np
import pandas as pd
import pytest
import reference_probability as twin
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from strategies import MILD_WEIGHTS, WEIGHTS

import roclab as rl
from roclab.measures import multiclass_brier_score, multiclass_log_loss

BOTH = [multiclass_brier_score, multiclass_log_loss]
EPS = float(np.finfo(np.float64).eps)
Y = ["a", "a", "b", "c"]
S = np.array([[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.4, 0.5, 0.1], [0.2, 0.1, 0.7]])


@st.composite
def forecasts(draw, least=3):
    """(classes, rows of probabilities with ties and zeros, weights), of k classes, some absent."""
    k, n = draw(st.integers(least, 5)), draw(st.integers(1, 15))
    truth = np.array(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)))
    cells = np.array(draw(st.lists(st.integers(0, 4), min_size=k * n, max_size=k * n)), float)
    matrix = cells.reshape(n, k)
    matrix[matrix.sum(axis=1) == 0] = 1
    value = WEIGHTS[draw(st.sampled_from(MILD_WEIGHTS))]
    weight = np.array(draw(st.lists(value, min_size=n, max_size=n)))
    weight[0] = max(weight[0], 1)
    return truth, matrix / matrix.sum(axis=1, keepdims=True), weight


@given(forecasts(least=2), st.booleans())
def test_equal_scikit_learn(sample, weighted):
    truth, matrix, weight = sample
    options = {"labels": range(matrix.shape[1]), "sample_weight": weight if weighted else None}
    if "labels" in signature(metrics.brier_score_loss).parameters:  # from scikit-learn 1.7 on
        expected = metrics.brier_score_loss(truth, matrix, **options)
        value = multiclass_brier_score(truth, matrix, **options)
        assert value == pytest.approx(expected, abs=1e-13)
    expected = metrics.log_loss(truth, matrix, **options)
    value = multiclass_log_loss(truth, matrix, clip=EPS, **options)
    assert value == pytest.approx(expected, abs=1e-12)


@given(forecasts())
def test_equal_the_twin(sample):
    truth, matrix, weight = sample
    columns = dict(enumerate(matrix.T))
    expected = float(twin.multiclass_brier_score(truth, columns, weight))
    value = multiclass_brier_score(truth, columns, sample_weight=weight)
    assert value == pytest.approx(expected, abs=1e-13)
    expected = twin.multiclass_log_loss(truth, columns, weight)
    value = multiclass_log_loss(truth, columns, sample_weight=weight)
    assert value == pytest.approx(expected, abs=1e-13)


@given(forecasts(least=2), st.sampled_from([0.0, EPS, 0.1]))
def test_two_classes_have_the_value_of_one_column(sample, clip):
    truth, matrix, weight = sample
    truth, second = truth > 0, 1 - matrix[:, 0]
    columns = {False: 1 - second, True: second}
    value = multiclass_brier_score(truth, columns, sample_weight=weight)
    expected = rl.brier_score(truth, second, sample_weight=weight)
    assert value == pytest.approx(expected, abs=1e-14)
    value = multiclass_log_loss(truth, columns, clip=clip, sample_weight=weight)
    expected = rl.log_loss(truth, second, clip=clip, sample_weight=weight)
    assert value == pytest.approx(expected, abs=1e-13)


def test_the_example_of_scikit_learn():
    scores = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.2, 0.2, 0.6]]
    value = multiclass_brier_score(["eggs", "ham", "spam"], scores)
    assert value == pytest.approx(0.44 / 3, abs=1e-15)


def test_an_impossible_class_is_infinitely_surprising():
    scores = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    assert multiclass_log_loss([0, 1, 2], scores) == math.inf
    assert multiclass_log_loss([0, 1, 0], scores, labels=[0, 1, 2]) == 0
    clipped = multiclass_log_loss([0, 1, 2], scores, clip=0.1)
    assert clipped == pytest.approx((-2 * math.log(0.9) - math.log(0.1)) / 3, abs=1e-15)
    assert multiclass_brier_score([0, 1, 2], scores) == pytest.approx(2 / 3, abs=1e-15)


@pytest.mark.parametrize("measure", BOTH, ids=lambda measure: measure.__name__)
@pytest.mark.parametrize(
    ("y_score", "message"),
    [
        (S * 10, r"scores for 'a' range from 2 to 7; probabilities.*multiclass_auc"),
        (S - 0.3, r"scores for 'a' range from -0\.1 to 0\.4"),
        (S * 0.9, r"sum to 0\.9; the classes are exclusive.*Divide each row"),
        (np.where(S == 0.5, np.nan, S), r"column of 'b' holds NaN in 1 of 4 rows"),
        (S[:, :2], r"2 columns, and there are 3 classes"),
        (S[:, 0], r"shape \(4,\); one column per class"),
    ],
)
def test_what_is_refused(measure, y_score, message):
    with pytest.raises(rl.InputError, match=message):
        measure(Y, y_score)


@pytest.mark.parametrize("measure", BOTH, ids=lambda measure: measure.__name__)
def test_what_is_accepted(measure):
    value = measure(Y, S)
    assert measure(np.array(Y), pd.DataFrame(S)) == value
    assert measure([[label] for label in Y], dict(zip("abc", S.T, strict=True))) == value
    assert measure([*Y, "a"], np.vstack((S, [9, 9, 9])), sample_weight=[1, 1, 1, 1, 0]) == value
    assert measure(Y, np.column_stack((S[:, 0] + 0.004, S[:, 1:]))) == pytest.approx(
        value, abs=0.02
    )


@pytest.mark.parametrize("measure", BOTH, ids=lambda measure: measure.__name__)
def test_without_examples_they_are_undefined(measure):
    with pytest.warns(rl.UndefinedMeasureWarning, match="needs examples") as caught:
        assert math.isnan(measure([], {"a": [], "b": []}))
    assert caught[0].filename == __file__


def test_a_clip_is_a_probability():
    with pytest.raises(rl.InputError, match=r"clip=0\.7"):
        multiclass_log_loss(Y, S, clip=0.7)
