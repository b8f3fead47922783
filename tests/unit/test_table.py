"""ScoreTable: one set of labels, several models."""

import copy
import pickle
import re

import numpy as np
import pytest

import roclab as rl
from roclab.table import MissingValues

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
