"""`multiclass_auc` at the door: shapes, names, missing classes."""

import math

import numpy as np
import pandas as pd
import pytest

import roclab as rl

Y = ["a", "a", "b", "c"]
S = np.array([[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.4, 0.5, 0.1], [0.2, 0.1, 0.7]])
COLUMNS = dict(zip("abc", S.T, strict=True))
VALUE = rl.multiclass_auc(Y, S)


@pytest.mark.parametrize(
    ("y_true", "y_score", "options", "message"),
    [
        (
            Y,
            S,
            {"average": "samples"},
            "average='samples'.*'hand_till', 'hand_till_w",
        ),
        ([["a"], ["b", "c"]], S, {}, r"y_true \(list\) cannot be read.*one value per row"),
        (Y, [[1, 2, 3], [1, 2]], {}, "y_score cannot be read.*rows of equal length"),
        (Y, S[:, :, np.newaxis], {}, r"shape \(4, 3, 1\); one column per class"),
        (
            Y,
            S[:, 0],
            {},
            r"classes are not numbers; a single column ranks ordered classes.*labels=",
        ),
        (Y, S[:, 0], {"labels": "abc", "average": "macro"}, "sets each class against all others"),
        (Y, S[:, :2], {}, r"2 columns, and there are 3 classes \('a', 'b', 'c'\).*labels="),
        (Y, S, {"labels": "ab"}, "3 columns, and there are 2 classes"),
        (Y, S, {"labels": "aab"}, "Name the class of each column once"),
        (Y, S, {"labels": "abd"}, "holds 'c', without scores.*'a', 'b', 'd'"),
        (Y, {"a": S[:, 0], "b": S[:, 1]}, {}, "holds 'c', without scores"),
        (Y, COLUMNS, {"labels": "abc"}, "already names its columns"),
        (["a", "a"], {"a": [1, 2]}, {}, "scores for 1 class; two or more"),
        (["a", 1, None, "a"], S, {}, r"no value in row 2"),
        (np.array(["a", 1, 2, "a"], object), S, {}, "no order.*labels="),
        ([0, 1, math.nan, 2], S, {}, "no value in row 2"),
        ([[0, 1, 2, 2]], S, {}, r"y_true has shape \(1, 4\)"),
        (Y[:3], S, {"labels": "abc"}, "3 rows and the column of 'a' has 4"),
        (Y, np.where(S == 0.5, np.nan, S), {}, "column of 'b' holds NaN in 1 of 4 rows.*row 2"),
        (Y, S.astype(str), {}, "column of 'a' holds text"),
        (Y, S, {"sample_weight": [1, 1, -1, 1]}, "sample_weight is .*must be finite"),
        (Y, S, {"sample_weight": [1, 1]}, "sample_weight has 2"),
    ],
)
def test_what_is_refused(y_true, y_score, options, message):
    with pytest.raises(rl.InputError, match=message):
        rl.multiclass_auc(y_true, y_score, **options)


@pytest.mark.parametrize(
    "y_true", [tuple(Y), np.array(Y), np.array(Y, object), pd.Series(Y), pd.Categorical(Y)]
)
@pytest.mark.parametrize(
    "y_score", [S, S.tolist(), pd.DataFrame(S), COLUMNS, dict(pd.DataFrame(COLUMNS))]
)
def test_what_is_accepted(y_true, y_score):
    assert rl.multiclass_auc(y_true, y_score) == VALUE


def test_classes_of_mixed_types_can_be_named():
    y_true = np.array(["a", "a", 1, 2], object)
    assert rl.multiclass_auc(y_true, S, labels=["a", 1, 2]) == VALUE


@pytest.mark.parametrize(
    ("y_true", "options"),
    [
        (["a", "a", "b", "b"], {"labels": "abc"}),
        (Y, {"sample_weight": [1, 1, 1, 0]}),
        (["a"] * 4, {"labels": "abc"}),
    ],
)
def test_a_class_without_examples_is_undefined(y_true, options):
    with pytest.warns(rl.UndefinedMeasureWarning, match="'c', but no examples") as caught:
        assert math.isnan(rl.multiclass_auc(y_true, S, **options))
    assert caught[0].filename == __file__


def test_a_class_without_examples_has_scores_for_the_micro_average():
    value = rl.multiclass_auc(Y[:3], S[:3], labels="abc", average="micro")
    pairs = [(a, b) for a in (0.7, 0.4, 0.5) for b in (0.2, 0.1, 0.4, 0.2, 0.4, 0.1)]
    assert value == sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs)


@pytest.mark.parametrize("average", ["hand_till", "micro"])
def test_nothing_is_undefined(average):
    with pytest.warns(rl.UndefinedMeasureWarning, match="scores for 'a', 'b', but no examples"):
        assert math.isnan(rl.multiclass_auc([], {"a": [], "b": []}, average=average))


def test_a_nan_of_weight_zero_is_left_out():
    scores = np.vstack((S, [np.nan] * 3))
    assert rl.multiclass_auc([*Y, "c"], scores, sample_weight=[1, 1, 1, 1, 0]) == VALUE


def test_rows_need_not_sum_to_one():
    assert rl.multiclass_auc(Y, (1000 * S).astype(int) - 5) == VALUE


def test_everything_else_names_it():
    with pytest.raises(rl.InputError, match=r"3 values.* see multiclass_auc"):
        rl.auc(Y, S[:, 0])
