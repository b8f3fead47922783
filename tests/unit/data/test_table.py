"""ScoreTable: one set of labels, several models."""

import copy
import pickle
import re

import numpy as np
import pandas as pd
import pytest

import roclab as rl
from roclab.data.table import MissingValues

Y = [0, 1, 0, 1]
A = [0.1, 0.4, 0.4, 0.8]
B = [4, 3, 2, 1]


def test_rankings_of_columns():
    table = rl.ScoreTable(Y, {"a": A, "b": B}, sample_weight=[1, 2, 1, 1])
    assert table.names == tuple(table) == ("a", "b")
    assert len(table) == 4
    assert rl.auc(table["a"]) == rl.auc(Y, A, sample_weight=[1, 2, 1, 1])
    assert table["a"] is table["a"]
    assert table.scores["b"].tolist() == B


def test_a_table_does_not_change_with_the_arrays_it_was_made_from():
    y, a = np.array(Y, bool), np.array(A)
    table = rl.ScoreTable(y, {"a": a})
    y[:], a[:] = False, 0
    assert rl.auc(table["a"]) == 0.875
    with pytest.raises(ValueError, match="read-only"):
        table.scores["a"][0] = 1
    with pytest.raises(TypeError):
        table.scores["c"] = a


def test_split_keeps_rows_together():
    table = rl.ScoreTable(
        [*Y, 1, 0],
        {"a": [*A, 0.3, 0.2]},
        sample_weight=[1, 2, 3, 4, 5, 6],
        groups={"where": ["x", "y", "x", "y", "x", "y"]},
    )
    parts = table.split("where")
    assert list(parts) == ["x", "y"]
    assert parts["x"].y_true.tolist() == [False, False, True]
    assert parts["x"].scores["a"].tolist() == [0.1, 0.4, 0.3]
    assert parts["y"].sample_weight.tolist() == [2, 4, 6]
    assert sum(map(len, parts.values())) == len(table)


def test_some_rows():
    table = rl.ScoreTable(
        Y, {"a": A, "b": B}, sample_weight=[1, 0, 3, 4], groups={"where": ["x", "y", "x", "z"]}
    )
    mask = table.take([True, False, False, True])
    numbers = table.take([3, 0])
    assert mask.y_true.tolist() == [False, True]
    assert numbers.y_true.tolist() == [True, False]
    assert numbers.scores["b"].tolist() == [1, 4]
    assert numbers.scores["b"].dtype == table.scores["b"].dtype
    assert numbers.sample_weight.tolist() == [4, 1]
    assert numbers.groups["where"].tolist() == ["z", "x"]
    assert numbers.missing == MissingValues(rows_read=2)
    assert numbers["a"].order.tolist() == [1, 0]
    assert len(table.take([])) == 0
    with pytest.raises(ValueError, match="read-only"):
        mask.y_true[0] = True
    for rows in ([True, False], [0.5], [4], [[0, 1]]):
        with pytest.raises(rl.InputError, match="one boolean for each of the 4 rows"):
            table.take(rows)


def test_rankings_share_labels_and_leave_out_rows_without_weight():
    scores = {"a": [0.1, np.nan, 0.4, 0.8], "b": B}
    table = rl.ScoreTable(Y, scores, sample_weight=[1, 0, 3, 4])
    a, b = (table[name].rows() for name in "ab")
    assert a.labels is b.labels
    assert a.numbers.tolist() == [0, 2, 3]
    assert table["b"].order.tolist() == [3, 2, 0]
    assert table.ranking("b") is table["b"]
    fresh = rl.ScoreTable(Y, {"b": B})
    assert fresh.ranking("b") is not fresh.ranking("b")
    with pytest.raises(
        rl.InputError, match="column 'a' holds NaN in 1 of 3 rows, the first at row 1"
    ):
        rl.ScoreTable(Y, scores, sample_weight=[1, 2, 3, 0])


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        (["b", "a", "b", "c"], [0, 1, 0, 2]),
        ([7, -1, 7, 2**40], [0, 1, 0, 2]),
        (np.array([2**64 - 1, 0, 5, 0], np.uint64), [0, 1, 2, 1]),
        ([True, False, True, True], [0, 1, 0, 0]),
        ([1.5, 0.5, -0.0, 0.0], [0, 1, 2, 2]),
        (np.array(["2020-02-02", "2020-01-01"] * 2, "M8[D]"), [0, 1, 0, 1]),
    ],
)
def test_members_are_numbered_in_order_of_appearance(values, numbers):
    table = rl.ScoreTable(Y, {"a": A}, groups={"g": values})
    members = table.members("g")
    assert members.numbers.tolist() == numbers
    assert members.count == max(numbers) + 1
    assert [rows.tolist() for rows in members.rows()] == [
        np.flatnonzero(np.array(numbers) == number).tolist() for number in range(members.count)
    ]
    assert table.members("g") is members
    assert [len(part) for part in table.split("g").values()] == np.bincount(numbers).tolist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Y, {}), "a mapping with at least one named column"),
        ((Y, A), "a mapping with at least one named column"),
        ((Y, {"a": A, "b": B[:3]}), "4 rows and column 'b' has 3"),
        ((Y, {"a": [0.1, np.nan, 0.4, 0.8]}), "column 'a' holds NaN in 1 of 4 rows"),
        ((Y, {"a": ["x"] * 4}), "column 'a' holds text"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(rl.InputError, match=message):
        rl.ScoreTable(*arguments)


def test_group_columns_are_checked():
    with pytest.raises(rl.InputError, match=r"groups\['where'\] has shape \(2, 2\).*one column"):
        rl.ScoreTable(Y, {"a": A}, groups={"where": [[1, 2], [3, 4]]})
    with pytest.raises(rl.InputError, match=r"groups\['where'\] has 3"):
        rl.ScoreTable(Y, {"a": A}, groups={"where": [1, 2, 3]})
    with pytest.raises(rl.ColumnError, match=r"No group column array\(\[1, 2\]\).*columns: none"):
        rl.evaluate(
            rl.ScoreTable(Y, {"a": A}), cluster=np.array([1, 2])
        )  # which other functions take
    with pytest.raises(rl.ColumnError, match=r"No group column 'where'.*Group columns: none"):
        rl.ScoreTable(Y, {"a": A}).split("where")
    with pytest.raises(rl.ColumnError, match=r"No score column 'c'. Columns: a, b"):
        rl.ScoreTable(Y, {"a": A, "b": B})["c"]


def test_what_is_printed():
    missing = MissingValues(rows_read=6, rows_dropped=2, by_column={"a": 1, "label": 1})
    table = rl.ScoreTable(Y, {"a": A, "b": B}, missing=missing)
    assert repr(table) == (
        "ScoreTable(4 rows, 2 positive; scores: a, b; "
        "2 of 6 rows left out, values missing: a 1, label 1)"
    )
    assert missing.to_dict() == {
        "rows_read": 6,
        "rows_dropped": 2,
        "by_column": {"a": 1, "label": 1},
        "columns_skipped": [],
        "identifiers": [],
        "separator": None,
        "decimal": None,
    }
    assert rl.ScoreTable(Y, {"a": A}).missing == MissingValues(rows_read=4)


def test_copies_and_pickles_are_whole_and_read_only():
    table = rl.ScoreTable(
        Y, {"a": A}, sample_weight=[1, 2, 1, 1], groups={"where": ["x", "x", "y", "y"]}
    )
    value = rl.auc(table["a"])
    for twin in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert repr(twin) == repr(table)
        assert rl.auc(twin["a"]) == value
        assert list(twin.split("where")) == ["x", "y"]
        assert not twin.scores["a"].flags.writeable
        with pytest.raises(TypeError):
            twin.scores["b"] = A


def test_pickled_rankings_stay_read_only():
    ranking = pickle.loads(pickle.dumps(rl.Ranking(Y, A, sample_weight=[1, 2, 0, 1])))
    assert ranking.order.tolist() == [0, 1, 3]
    for array in (ranking.scores, ranking.pos, ranking.neg_squared, ranking.order):
        assert not array.flags.writeable


@pytest.mark.parametrize("name", ["format", "y_score", "{y_true}"])
def test_messages_do_not_take_a_column_for_a_parameter(name):
    with pytest.raises(rl.InputError, match=re.escape(f"column {name!r} holds text")) as caught:
        rl.ScoreTable(Y, {name: ["x"] * 4})
    assert caught.value.parameters == ()


@pytest.mark.parametrize("scores", [pd.DataFrame({"a": A, "b": B}), np.array([A, B]).T])
def test_a_frame_is_no_mapping_of_columns(scores):
    with pytest.raises(rl.InputError) as caught:
        rl.ScoreTable(Y, scores)
    assert str(caught.value) == (
        f"scores is a {type(scores).__name__}; a mapping of named columns is needed. Pass "
        'scores={"model": y_score}, or read_scores(frame, y_true="label") for a frame with labels '
        "and scores."
    )


def test_a_similar_column_is_suggested():
    table = rl.ScoreTable(Y, {"decision_tree": A, "forest": B})
    with pytest.raises(rl.ColumnError) as caught:
        table["decision_tre"]
    assert str(caught.value) == (
        "No score column 'decision_tre'. Columns: decision_tree, forest. Did you mean "
        "'decision_tree'?"
    )
