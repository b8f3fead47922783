"""Data frames of every kind."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from score_files import ROWS, assert_is_rows

import roclab as rl
from roclab import ColumnError, InputError, read_scores

pytestmark = pytest.mark.usefixtures("engine")


def frames_of_rows():
    frame = pl.DataFrame(ROWS)
    return {
        "polars": frame,
        "lazy": frame.lazy(),
        "arrow": frame.to_arrow(),
        "pandas": pd.DataFrame(ROWS),
        "pandas nullable": pd.DataFrame(ROWS).convert_dtypes(),
        "pandas arrow": pd.DataFrame(ROWS).convert_dtypes(dtype_backend="pyarrow"),
        "pandas index": pd.DataFrame(ROWS, index=[5, 5, 5, 5]),
    }


class TestFrames:
    @pytest.mark.parametrize("kind", frames_of_rows())
    @pytest.mark.parametrize("y_score", [None, ["a", "b"]])
    def test_every_frame(self, kind, y_score):
        source = frames_of_rows()[kind]
        assert_is_rows(read_scores(source, y_true="label", y_score=y_score, by="region"))

    @pytest.mark.parametrize("kind", frames_of_rows())
    def test_unknown_column(self, kind):
        with pytest.raises(ColumnError, match=r"No column `lable`.*Did you mean `label`"):
            read_scores(frames_of_rows()[kind], y_true="lable")

    @pytest.mark.parametrize(
        "frame",
        [
            pd.DataFrame(
                {
                    "label": pd.array([True, False, None, True], dtype="boolean"),
                    "a": pd.array([2**53 + 1, 3, 4, None], dtype="Int64"),
                    "b": pd.array([0.5, 0.25, 1, np.nan], dtype="Float64"),
                }
            ),
            pl.DataFrame(
                {
                    "label": [True, False, None, True],
                    "a": [2**53 + 1, 3, 4, None],
                    "b": [0.5, 0.25, 1.0, float("nan")],
                }
            ),
            pa.table(
                {
                    "label": [True, False, None, True],
                    "a": [2**53 + 1, 3, 4, None],
                    "b": [0.5, 0.25, 1.0, float("nan")],
                }
            ),
        ],
        ids=["pandas", "polars", "arrow"],
    )
    def test_missing_values_leave_whole_numbers_exact(self, frame):
        table = read_scores(frame, y_true="label")
        assert table.y_true.tolist() == [True, False]
        assert table.scores["a"].dtype == np.int64
        assert table.scores["a"].tolist() == [2**53 + 1, 3]
        assert table.scores["b"].tolist() == [0.5, 0.25]
        assert table.missing.to_dict() == {
            "rows_read": 4,
            "rows_dropped": 2,
            "by_column": {"label": 1, "a": 1, "b": 1},
            "columns_skipped": [],
            "identifiers": [],
            "separator": None,
            "decimal": None,
        }

    @pytest.mark.parametrize(
        "label",
        [
            pd.Series(["y", "n", None], dtype="string"),
            pd.Series(["y", "n", None], dtype=object),
            pd.Series(pd.Categorical(["y", "n", None])),
            pl.Series(["y", "n", None]),
            pl.Series(["y", "n", None], dtype=pl.Categorical),
            pl.Series(["y", "n", None], dtype=pl.Enum(["n", "y"])),
            pa.chunked_array([pa.array(["y", "n", None]).dictionary_encode()]),
        ],
        ids=["string", "object", "category", "polars", "polars category", "enum", "dictionary"],
    )
    def test_text_labels(self, label):
        make = {pd.Series: pd.DataFrame, pl.Series: pl.DataFrame}.get(type(label), pa.table)
        table = read_scores(make({"label": label, "a": [1, 2, 3]}), y_true="label", pos_label="y")
        assert table.y_true.tolist() == [True, False]
        assert table.missing.by_column == {"label": 1}

    def test_labels_that_pandas_keeps_as_objects(self):
        label = pd.Series([True, False, None], dtype=object)
        frame = pd.DataFrame({"label": label, "a": [1, 2, 3]})
        assert read_scores(frame, y_true="label").y_true.tolist() == [True, False]
        frame["label"] = pd.Series(["a", 1, None], dtype=object)
        with pytest.raises(InputError, match="`label` holds values of type `int`, `str`"):
            read_scores(frame, y_true="label", pos_label="a")

    @pytest.mark.parametrize("values", [[0.5, 1.5, 2.5], [Decimal(1), Decimal(2), Decimal(3)]])
    def test_objects_of_pandas_are_no_scores(self, values):
        frame = pd.DataFrame({"label": [1, 0, 1], "a": [1.5, 2.5, 3.5]})
        frame["object"] = pd.Series(values, dtype=object)
        table = read_scores(frame, y_true="label")
        assert [*table.scores] == ["a"]
        assert table.missing.columns_skipped == ("object",)
        with pytest.raises(InputError, match=r"`object` is Object, not numeric: .* in row 1"):
            read_scores(frame, y_true="label", y_score="object")

    def test_bytes_that_arrow_keeps_for_pandas(self):
        kind = pd.ArrowDtype(pa.binary())
        frame = pd.DataFrame({"label": pd.Series([b"y", b"n", None], dtype=kind), "a": [1, 2, 3]})
        table = read_scores(frame, y_true="label", pos_label=b"y")
        assert table.y_true.tolist() == [True, False]

    def test_numbers_of_16_bits_that_arrow_keeps_for_pandas(self):
        kind = pd.ArrowDtype(pa.float16())
        frame = pd.DataFrame({"label": [1, 0, 1], "a": pd.Series([0.5, 1.5, None], dtype=kind)})
        table = read_scores(frame, y_true="label")
        assert table.scores["a"].tolist() == [0.5, 1.5]
        assert table.missing.by_column == {"a": 1}

    def test_words_for_missing_are_values_in_a_frame(self):
        frame = pl.DataFrame({"label": [1, 0], "a": [1, 2], "g": ["NA", ""]})
        table = read_scores(frame, y_true="label", by="g")
        assert table.groups["g"].tolist() == ["NA", ""]

    def test_uncommon_numbers(self):
        frame = pl.DataFrame(
            {
                "label": [True, False],
                "decimal": pl.Series(["1.5", "2"]).cast(pl.Decimal(10, 2)),
                "int128": pl.Series([2**60 + 1, 2], dtype=pl.Int128),
                "uint64": pl.Series([2**64 - 1, 2], dtype=pl.UInt64),
                "float32": pl.Series([0.5, 2], dtype=pl.Float32),
                "int8": pl.Series([-128, 2], dtype=pl.Int8),
            }
        )
        scores = read_scores(frame, y_true="label").scores
        assert {name: column.tolist() for name, column in scores.items()} == {
            "decimal": [1.5, 2.0],
            "int128": [2**60 + 1, 2],
            "uint64": [2**64 - 1, 2],
            "float32": [0.5, 2.0],
            "int8": [-128, 2],
        }
        assert scores["float32"].dtype == np.float32

    @pytest.mark.parametrize(
        ("frame", "message"),
        [
            (pd.DataFrame([[1, 2, 3]], columns=["label", "a", "a"]), "must differ"),
            (pa.table([[1], [2], [3]], names=["label", "a", "a"]), "must differ"),
            (pd.DataFrame([[1, 2]], columns=["label", 0]), "is named 0, a int"),
            (pd.DataFrame({"label": [], "a": []}), "no rows"),
            (pl.DataFrame({"label": [1], "a": ["0.5"]}), "No numeric column"),
            (pl.DataFrame({"label": [1, 0], "a": [None, None]}), r"`a` \(empty\)"),
            (pd.DataFrame({"label": [1, 0], "a": [np.nan, np.nan]}), r"`a` \(empty\)"),
            (pl.DataFrame({"label": [[1], [2, 3]], "a": [1, 2]}), "type `list`"),
        ],
        ids=["dup", "arrow dup", "int name", "rows", "text", "null", "nan", "nested"],
    )
    def test_refused(self, frame, message):
        with pytest.raises(InputError, match=message):
            read_scores(frame, y_true="label")

    def test_a_column_called_read_makes_no_file(self):
        frame = pd.DataFrame({"label": [1, 0], "read": [1.0, 2.0]})
        assert read_scores(frame, y_true="label").names == ("read",)

    def test_format_is_for_files(self):
        with pytest.raises(InputError, match="format is for files"):
            read_scores(pl.DataFrame(ROWS), y_true="label", format="csv")

    def test_the_frame_may_change_afterwards(self):
        frame = pd.DataFrame(ROWS)
        table = read_scores(frame, y_true="label", by="region")
        frame.loc[0, "a"] = 77.0
        assert_is_rows(table)


@pytest.mark.parametrize("lazy", [False, True])
def test_objects_of_polars(lazy):
    label = pl.Series([1, 0, None, 1, 0], dtype=pl.Object)
    group = pl.Series(["x", "x", "y", "y", "y"], dtype=pl.Object)
    frame = pl.DataFrame({"label": label, "a": [1, 2, 3, 4, 4], "g": group})
    source = frame.lazy() if lazy else frame
    for evaluation in (
        rl.evaluate(rl.read_scores(source, y_true="label", y_score="a", by="g"), by="g"),
        rl.scale.evaluate(source, y_true="label", y_score="a", by="g"),
    ):
        found = [(row.group, row.interval.value) for row in evaluation.rows]
        assert found == [("x", 0), ("y", 0.5)]
        assert evaluation.missing.by_column == {"label": 1}
