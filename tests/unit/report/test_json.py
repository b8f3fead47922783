"""JSON: what is written is what was computed."""

import json

import numpy as np
import pytest
from writers import to_json

import roclab as rl
from roclab.data.table import MissingValues

Y = [0, 1, 0, 1, 0, 1, 1, 0]
A = [0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.9, 0.5]


def refuse(constant):
    raise ValueError(constant)


def test_every_digit_comes_back():
    evaluation = rl.evaluate(rl.ScoreTable(Y, {"a": A, "b": np.arange(8) / 7}))
    assert json.loads(to_json(evaluation)) == evaluation.to_dict()


def test_nan_is_null_and_the_text_is_standard_json():
    with pytest.warns(rl.UndefinedMeasureWarning):
        evaluation = rl.evaluate(rl.ScoreTable([1] * 8, {"a": A}))
    row = json.loads(to_json(evaluation), parse_constant=refuse)["rows"][0]
    assert [row[key] for key in ("value", "low", "high", "standard_error")] == [None] * 4
    assert (row["n_pos"], row["n_neg"]) == (8, 0)


def test_any_name_comes_back_and_the_text_is_ascii():
    name = 'ünï "\n\x1b[31m 模型 \\'
    evaluation = rl.evaluate(rl.ScoreTable(Y, {name: A}, groups={name: [name] * 8}), by=name)
    text = to_json(evaluation)
    assert text.isascii()
    data = json.loads(text)
    assert data["by"] == data["rows"][0]["model"] == data["rows"][0]["group"] == name


def test_missing_values_are_told():
    missing = MissingValues(rows_read=10, rows_dropped=2, by_column={"a": 2})
    evaluation = rl.evaluate(rl.ScoreTable(Y, {"a": A}, missing=missing))
    assert json.loads(to_json(evaluation))["missing"] == missing.to_dict()
