"""The door: what is let in, what is refused, and whether the refusal says what to do."""

import decimal
import fractions
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import roclab as rl
from roclab.checks.labels_and_scores import as_labels, as_scores, as_weights, read_only

Y = [0, 1, 0, 1, 1]
S = [0.1, 0.4, 0.4, 0.8, 0.2]
AUC = 4.5 / 6


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        ([False, True, False, True, True], None),
        (np.array(Y, np.int8), None),
        (np.array(Y, np.uint64), None),
        (np.array(Y, np.float16), None),
        (np.array(Y, np.longdouble), None),
        ([-1, 1, -1, 1, 1], None),
        ([-1.0, 1.0, -1.0, 1.0, 1.0], None),
        (["no", "yes", "no", "yes", "yes"], "yes"),
        (np.array(["no", "yes", "no", "yes", "yes"], object), "yes"),
        (np.array(["no", "yes", "no", "yes", "yes"], "S"), b"yes"),
        (np.array(["a", "yes", "b", "yes", "yes"]), "yes"),
        ([2, 7, 2, 7, 7], 7),
        ([1, 0, 1, 0, 0], 0),
        (np.array([True, False, True, False, False], object), False),
        (np.array([0, 1, 0, 1, 1], object), None),
        (pd.Series(Y, dtype="boolean"), None),
        (pd.Series(Y, dtype="Int64"), None),
        (pd.Series(["n", "y", "n", "y", "y"], dtype="category"), "y"),
        (pd.Series(["n", "y", "n", "y", "y"], dtype="string"), "y"),
        (pl.Series(Y), None),
        (pl.Series(["n", "y", "n", "y", "y"]), "y"),
        (pa.array([bool(y) for y in Y]), None),
        (pa.chunked_array([Y[:2], Y[2:]]), None),
    ],
)
def test_labels_that_are_accepted(labels, pos_label):
    assert as_labels(labels, pos_label).tolist() == Y
    assert rl.auc(labels, S, pos_label=pos_label) == AUC


@pytest.mark.parametrize(
    ("labels", "pos_label", "message"),
    [
        (
            ["a", "b", "c", "a", "b"],
            None,
            r"3 values \('a', 'b', 'c'; 5 rows\).*pos_label='a'; .* see multiclass_auc",
        ),
        (["no", "yes", "no", "yes", "yes"], None, r"two values.*which one.*pos_label='yes'"),
        ([1, 2, 1, 2, 2], None, r"two values \(1, 2; 5 rows\).*pos_label=2"),
        ([-1, 0, 1, 1, 1], None, r"3 values \(-1, 0, 1"),
        ([0, 1, 0.5, 1, 1], None, r"3 values"),
        ([0, 1, np.nan, 1, 1], None, r"no value in row 2 \(nan\).*Drop"),
        ([0, 1, None, 1, 1], None, r"no value in row 2 \(None\)"),
        (pd.Series([0, 1, None, 1, 1], dtype="Int64"), None, r"no value in row 2"),
        (pd.Series([0, 1, None, 1, 1], dtype="boolean"), None, r"no value in row 2"),
        (pd.Series(["n", "y", None, "y", "y"], dtype="string"), "y", r"no value in row 2"),
        (["no", "yes", "no", "yes", "yes"], "Yes", r"'Yes' is not among.*'no', 'yes'"),
        (
            [0, 1, 0, 1, 1],
            "1",
            r"pos_label='1' is text and y_true holds numbers: 0, 1 \(int64\).*number",
        ),
        ([0, 1, 0, 1, 1], 2, r"pos_label=2 is not among"),
        ([[0, 1, 0, 1, 1]], None, r"shape \(1, 5\).*ravel"),
        (1, None, r"single int; a sequence"),
        ({0, 1}, None, r"single set"),
        ((y for y in Y), None, r"single generator"),
        ([[0, 1], [1]], None, r"cannot be read as an array"),
        (np.array(Y, "M8[D]"), None, r"values"),
        (np.ma.masked_array(Y, [0, 0, 1, 0, 0]), None, r"1 masked values.*compressed"),
        ([0, 1, 0, 1], None, r"4 rows and y_score has 5"),
        (np.array(Y) + 0j, None, r"two values"),
    ],
)
def test_labels_that_are_refused(labels, pos_label, message):
    with pytest.raises(rl.InputError, match=message):
        rl.auc(labels, S, pos_label=pos_label)


def test_a_single_class_is_accepted_under_any_name():
    assert as_labels(["no", "no"], "yes").tolist() == [0, 0]
    assert as_labels(["yes", "yes"], "yes").tolist() == [1, 1]
    assert as_labels([-1, -1]).tolist() == [0, 0]
    assert as_labels([], None).tolist() == []


@pytest.mark.parametrize(
    "scores",
    [
        S,
        tuple(S),
        np.array(S),
        np.array(S, ">f8"),
        np.array(S, np.longdouble),
        np.array([s for s in S for _ in "ab"])[::2],
        np.array([S, S]).T[:, 0],
        np.array(S)[:, np.newaxis],
        np.ma.masked_array(S),
        np.ma.masked_array(S)[:, np.newaxis],
        pd.Series(S, index=list("edcba")),
        pd.Series(S, dtype="Float64"),
        pl.Series(S),
        pa.array(S),
        pa.chunked_array([S[:2], S[2:]]),
        [1, 4, 4, 8, 2],
        np.array([1, 4, 4, 8, 2], np.uint8),
        [-(2**62), 0, 0, 2**62, -1],
    ],
)
def test_scores_that_are_accepted(scores):
    assert rl.auc(Y, scores) == AUC
    assert rl.auc(rl.Ranking(Y, scores)) == AUC


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([0.1, np.nan, 0.4, np.nan, 0.2], r"NaN in 2 of 5 rows, the first at row 1.*Drop"),
        (pd.Series([0.1, None, 0.4, 0.8, 0.2], dtype="Float64"), r"no value in row 1"),
        (pl.Series([1, None, 2, 3, 4]), r"no value in row 1"),
        (pa.array([1, None, 2, 3, 4]), r"no value in row 1"),
        (np.array(S) + 1j, r"complex numbers.*real"),
        (np.array([0.1, "x", 0.4, 0.8, 0.2], object), r"'x' \(str\) in row 1.*astype"),
        ([decimal.Decimal(10**30 + row) for row in range(5)], r"in row 1, which float64 rounds"),
        ([fractions.Fraction(10**30 + row, 7) for row in range(5)], r"in row 1, which float64"),
        ([2**70 + row for row in range(5)], r"1180591620717411303425 in row 1.*Subtract"),
        ([1, 2, 3, 4, 10**400], r"row 4, which float64 rounds to the same number as inf"),
        (["0.1", "0.4", "0.4", "0.8", "0.2"], r"holds text, first '0.1'.*astype"),
        (np.array(Y, "M8[D]"), r"holds dates"),
        (np.array([S, S]).T, r"shape \(5, 2\).*predict_proba.*\[:, 1\]"),
        (np.array(S)[None, :], r"shape \(1, 5\).*ravel"),
        (np.array(S)[:, None, None], r"shape \(5, 1, 1\).*ravel"),
        (np.zeros((5, 3)), r"shape \(5, 3\).*one column"),
        (0.5, r"single float"),
        ({"a": S}, r"single dict.*needed\. Pass one column; for several models see ScoreTable"),
        (pd.DataFrame({"a": S, "b": S}), r"shape \(5, 2\).*Pass one column; for several models"),
        (pl.DataFrame({"a": S, "b": S}), r"shape \(5, 2\).*Pass one column; for several models"),
        (None, r"Only y_true was passed"),
        (S[:4], r"5 rows and y_score has 4"),
        (
            np.array([1, 1 + 1e-18, 2, 3, 4], np.longdouble)
            + np.array([0, 1, 0, 0, 0], np.longdouble) * 1e-18,
            r"float64",
        ),
    ],
)
def test_scores_that_are_refused(scores, message):
    with pytest.raises(rl.InputError, match=message):
        rl.auc(Y, scores)
    if scores is not None:
        with pytest.raises(rl.InputError, match=message):
            rl.Ranking(Y, scores)


def test_what_is_no_score_has_no_column_of_the_positive_class():
    two = np.zeros((5, 2))
    for option in ("cluster", "sample_weight"):
        with pytest.raises(rl.InputError, match=rf"^{option} has shape .*needed\. Pass one column"):
            rl.auc_interval(Y, S, **{option: two})


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1, -1, 1, 1], r"sample_weight is -1 in row 2 \(1 of 5 rows refused\)"),
        ([1, np.inf, 1, np.nan, 1], r"is inf in row 1 \(2 of 5"),
        ([1, 1], r"5 rows and sample_weight has 2"),
        (["a"] * 5, r"sample_weight holds text"),
        (1.0, r"single float"),
        ([1, 1, 1e61, 1, 1], r"1e\+61 in row 2.*Divide all by their mean"),
        ([1, 1, 1e-61, 1, 1], r"1e-61 in row 2"),
    ],
)
def test_weights_that_are_refused(weights, message):
    with pytest.raises(rl.InputError, match=message):
        rl.auc(Y, S, sample_weight=weights)


def test_a_nan_of_weight_zero_is_left_out_and_others_are_told_by_their_row():
    scores = [np.nan, 0.4, 0.4, 0.8, 0.2]
    weights = [0, 1, 1, 1, 1]
    assert rl.auc(Y, scores, sample_weight=weights) == rl.auc(Y[1:], scores[1:])
    with pytest.raises(rl.InputError, match="1 of 4 rows, the first at row 4"):
        rl.auc(Y, [*scores[:4], np.nan], sample_weight=weights)


def test_memory_mapped_scores(tmp_path):
    stored = np.memmap(tmp_path / "scores", np.float64, "w+", shape=5)
    stored[:] = S
    readable = np.memmap(tmp_path / "scores", np.float64, "r", shape=5)
    assert rl.auc(Y, stored) == rl.auc(Y, readable) == AUC
    assert rl.Ranking(Y, readable).scores.tolist() == sorted(set(S))


def test_narrow_types_are_widened_exactly():
    for kind in ("?", "b", "h", "i", "q", "B", "H", "I", "Q", "e", "f", "d"):
        limits = np.iinfo(kind) if kind in "bhiqBHIQ" else None
        values = np.array([limits.min, 0, limits.max] if limits else [0, 1, 1], kind)
        assert as_scores(values).tolist() == values.tolist()
        assert rl.Ranking([0, 1, 0], values).scores.dtype == kind


def test_integers_are_told_apart_beyond_2_to_the_53():
    large = 2**53
    assert rl.auc([0, 1], [large, large + 1]) == 1
    assert rl.auc([0, 1], np.array([2**64 - 2, 2**64 - 1], np.uint64)) == 1
    assert rl.auc([0, 1], [float(large), float(large + 1)]) == 0.5


def test_empty_input_is_undefined():
    with pytest.warns(rl.UndefinedMeasureWarning, match="0 positive and 0 negative"):
        assert np.isnan(rl.auc([], []))


def test_accepted_input_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rl.auc(Y, S)
        rl.auc_interval(Y, S)
        rl.roc_curve(Y, S)


def test_own_copies_only_what_may_be_the_callers():
    theirs = np.arange(3.0)
    mine = read_only(theirs, theirs)
    assert not np.may_share_memory(mine, theirs)
    assert not mine.flags.writeable
    assert read_only(mine, mine) is not mine
    integers = np.arange(3)
    converted = as_weights(integers, 3)
    assert read_only(converted, integers) is converted
    assert read_only(converted, [0, 1, 2]) is converted


def test_an_array_behind_another_object_is_left_alone():
    class Holder:
        def __init__(self, array):
            self.array = array

        def __array__(self, dtype=None, copy=None):
            return self.array

    scores = np.array(S)
    ranking = rl.Ranking(Y, Holder(scores))
    scores[:] = 0
    assert rl.auc(ranking) == AUC
    assert ranking.order.tolist() == [0, 4, 1, 2, 3]


def test_booleans_that_are_views_of_other_bytes():
    mask = np.array([0, 255, 0, 255, 2], np.uint8).view(bool)
    assert as_labels(mask).tolist() == Y
    assert rl.auc(mask, S) == rl.auc(rl.Ranking(mask, S)) == AUC


def test_misaligned_scores():
    data = b"x" + np.array(S).tobytes()
    assert rl.auc(Y, np.frombuffer(data, offset=1)) == AUC


def test_a_message_about_many_labels_stops_looking():
    labels = np.arange(100_000) / 3
    with pytest.raises(
        rl.InputError, match=r"20 values or more .* and more.*pass the labels as y_true\."
    ):
        rl.auc(labels, labels)


def test_pos_label_is_one_value():
    with pytest.raises(rl.InputError, match="cannot be compared"):
        rl.auc(Y, S, pos_label=[1, 1, 1, 1, 1])


TABLE = rl.ScoreTable(Y, {f"m{i}": S for i in range(7)})


@pytest.mark.parametrize(
    "ask",
    [
        lambda: rl.auc_interval(TABLE),
        lambda: rl.roc_curve(TABLE),
        lambda: rl.roc_curve(TABLE, S),
        lambda: rl.auc_interval(TABLE, S),
        lambda: rl.auc(Y, TABLE),
        lambda: rl.Ranking(Y, S, sample_weight=TABLE),
    ],
)
def test_a_table_is_refused_where_one_model_is_needed(ask):
    with pytest.raises(rl.InputError, match=r"ScoreTable.*\(models: m0, .*, m4 and 2 more\)") as e:
        ask()
    assert "Pass table['m0'], or use evaluate(table) for all models." in str(e.value)


@pytest.mark.parametrize("name", ["pos", "neg"])
def test_counts_of_another_length_than_the_scores_are_refused(name):
    counts = {"pos": [1, 2], "neg": [3, 4]} | {name: [1]}
    with pytest.raises(rl.InputError, match=f"scores has 2 rows and {name} has 1"):
        rl.Ranking.from_groups([0.1, 0.2], **counts)
