"""Types of labels, scores, weights and groups."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_files import csv_bytes, jsonl_bytes, read

from roclab import InputError
from roclab.readers.literals import is_rounded

pytestmark = pytest.mark.usefixtures("engine")


def one_type(values):
    """Whether a type of 64 bits holds all the integers."""
    low, high = min(values), max(values)
    whole = all(isinstance(value, int) for value in values)
    return whole and ((low >= -(2**63) and high < 2**63) or (low >= 0 and high < 2**64))


class TestTypes:
    @pytest.mark.parametrize("batch_rows", [2, 200_000])
    def test_decimals_after_many_whole_numbers(self, monkeypatch, batch_rows):
        monkeypatch.setattr("roclab.readers.batches.BATCH_ROWS", batch_rows)
        values = [*range(3000), 0.5]
        rows = {"label": [0, 1] * 1500 + [0], "a": values}
        for format, data in [("csv", csv_bytes(rows)), ("jsonl", jsonl_bytes(rows))]:
            scores = read(data, format=format).scores["a"]
            assert scores.dtype == np.float64
            assert scores.tolist() == values

    @pytest.mark.parametrize("batch_rows", [2, 200_000])
    def test_text_after_many_numbers(self, monkeypatch, batch_rows):
        monkeypatch.setattr("roclab.readers.batches.BATCH_ROWS", batch_rows)
        text = "label,a\n" + "01,1\n02,2\n" * 500 + "yes,3\n"
        table = read(text, pos_label="01")
        assert table.y_true.sum() == 500
        assert len(table) == 1001
        with pytest.raises(InputError, match="`x` in row 1001"):
            read("label,a\n" + "0,1\n" * 1000 + "1,x\n", y_score="a")

    def test_a_column_missing_in_one_batch(self, monkeypatch):
        monkeypatch.setattr("roclab.readers.batches.BATCH_ROWS", 2)
        table = read("label,a\n" + "1,\n" * 10 + "1,2\n0,3\n" * 5)
        assert table.scores["a"].dtype == np.int64
        assert table.missing.to_dict() == {
            "rows_read": 20,
            "rows_dropped": 10,
            "by_column": {"a": 10},
            "columns_skipped": [],
            "identifiers": [],
            "separator": None,
            "decimal": None,
        }

    @pytest.mark.parametrize("format", ["csv", "jsonl"])
    @pytest.mark.parametrize(
        ("values", "dtype"),
        [
            ([2**53 + 1, -(2**63)], np.int64),
            ([2**63 - 1, 2**63 - 2], np.int64),
            ([2**64 - 1, 0], np.uint64),
        ],
    )
    def test_large_whole_numbers_are_exact(self, format, values, dtype):
        rows = {"label": [1, 0], "a": values}
        data = csv_bytes(rows) if format == "csv" else jsonl_bytes(rows)
        scores = read(data, format=format).scores["a"]
        assert scores.dtype == dtype
        assert scores.tolist() == values

    @pytest.mark.parametrize("word", ["", "NA", "nan", " NaN "])
    def test_missing_values_make_no_decimals(self, word):
        scores = read(f"label,a\n1,{2**53 + 1}\n0,{word}\n0,1\n").scores["a"]
        assert scores.dtype == np.int64
        assert scores.tolist() == [2**53 + 1, 1]

    def test_beyond_64_bits_numbers_are_decimals(self):
        assert read(f"label,a\n1,{2**64}\n0,-1\n").scores["a"].tolist() == [2.0**64, -1.0]

    @pytest.mark.parametrize("format", ["csv", "jsonl"])
    @pytest.mark.parametrize("batch_rows", [2, 200_000])
    @pytest.mark.parametrize(
        ("values", "row"),
        [
            ([2**53, 2**53 + 1, 0.5], 2),
            ([0.5, 3, 2, 1, -(2**53) - 1], 5),
            ([2**53 + 1, 1.0], 1),
            ([2**64 + 1, 2**64 + 2], 1),
            ([-1, 1, 2**64 - 1], 3),
            ([2**63, 0.25, 2**63 + 1], 3),
        ],
    )
    def test_integers_that_would_be_rounded_are_refused(
        self, monkeypatch, format, batch_rows, values, row
    ):
        monkeypatch.setattr("roclab.readers.batches.BATCH_ROWS", batch_rows)
        rows = {"label": [1, 0, 1, 0, 1][: len(values)], "a": values}
        data = csv_bytes(rows) if format == "csv" else jsonl_bytes(rows)
        message = f"^Column `a` is {values[row - 1]} in row {row}, which float64 rounds; integers"
        for y_score in (None, "a"):
            with pytest.raises(InputError, match=message):
                read(data, format=format, y_score=y_score)

    @pytest.mark.parametrize("digits", [400, 5000])
    def test_integers_beyond_every_float_are_refused(self, digits):
        message = rf"^Column `a` is {'7' * 60}\.\.\. in row 2, which float64 rounds"
        with pytest.raises(InputError, match=message):
            read(f"label,a\n1,1\n0,{'7' * digits}\n")

    @pytest.mark.parametrize("format", ["csv", "jsonl"])
    def test_labels_that_would_be_rounded_are_refused(self, format):
        rows = {"label": [2**53 + 1, 2**53, 0.5], "a": [1, 2, 3]}
        data = csv_bytes(rows) if format == "csv" else jsonl_bytes(rows)
        with pytest.raises(
            InputError, match=r"^Column `label` is 9007199254740993 in row 1, which"
        ):
            read(data, format=format, pos_label="9007199254740993")

    @pytest.mark.parametrize("format", ["csv", "jsonl"])
    @pytest.mark.parametrize(
        "values",
        [
            [2**53, 2**53 + 2, 0.5],
            [2**60, -(2**62), 0.5],
            [1e23, 5e22, 1.7976931348623157e308, 0.5],
            [9007199254740993.0, 2.0**53, 0.5],
        ],
    )
    def test_integers_that_float64_holds_are_decimals(self, format, values):
        rows = {"label": [1, 0, 1, 0][: len(values)], "a": values}
        data = csv_bytes(rows) if format == "csv" else jsonl_bytes(rows)
        scores = read(data, format=format).scores["a"]
        assert scores.dtype == np.float64
        assert scores.tolist() == values

    def test_other_columns_may_be_rounded(self):
        text = f"label,a,w,x\n1,2,{2**53 + 1},{2**53 + 1}\n0,1,0.5,0.5\n"
        table = read(text, y_score="a", sample_weight="w")
        assert table.sample_weight.tolist() == [2.0**53, 0.5]

    @given(
        st.lists(
            st.integers(-(2**70), 2**70)
            | st.integers(2**53 - 4, 2**53 + 4)
            | st.floats(-1e30, 1e30).map(lambda x: x + 0.0),
            min_size=1,
            max_size=8,
        )
    )
    def test_numbers_are_exact_or_refused(self, values):
        rows = {"label": [1] * len(values), "a": values}
        for format, data in [("csv", csv_bytes(rows)), ("jsonl", jsonl_bytes(rows))]:
            options = {"y_score": "a", "format": format, "pos_label": "1"}
            if any(is_rounded(str(value)) for value in values) and not one_type(values):
                with pytest.raises(InputError, match="float64 rounds"):
                    read(data, **options)
            else:
                assert read(data, **options).scores["a"].tolist() == values

    def test_infinity_is_a_value(self):
        scores = read("label,a\n1,inf\n0,-inf\n0,Infinity\n").scores["a"]
        assert scores.tolist() == [np.inf, -np.inf, np.inf]

    def test_padded_numbers(self):
        table = read("label,a\n 1, 0.5\n 0, NA\n0 ,2\n")
        assert table.scores["a"].tolist() == [0.5, 2.0]
        assert table.missing.by_column == {"a": 1}

    @pytest.mark.parametrize(
        ("labels", "pos_label", "truth"),
        [
            ("1 0", None, [True, False]),
            ("+1 -1", None, [True, False]),
            ("1.0 0.0", None, [True, False]),
            ("True False", None, [True, False]),
            ("TRUE false", "true", [True, False]),
            ("true false", "False", [False, True]),
            ("1 0", "0", [False, True]),
            ("2 1", "2.0", [True, False]),
            ("2.5 1", "2.50", [True, False]),
            ("yes no", "yes", [True, False]),
            ("1 no", "1", [True, False]),
            ("9007199254740993 9007199254740992", "9007199254740993", [True, False]),
        ],
    )
    def test_labels_and_the_positive_one(self, labels, pos_label, truth):
        first, second = labels.split()
        table = read(f"label,a\n{first},1\n{second},2\n", pos_label=pos_label)
        assert table.y_true.tolist() == truth

    @pytest.mark.parametrize(
        ("labels", "pos_label"), [("1 0", "yes"), ("1 0", "0.5"), ("true false", "2")]
    )
    def test_positive_label_of_another_type(self, labels, pos_label):
        first, second = labels.split()
        with pytest.raises(InputError, match=f"pos_label='{pos_label}' does not fit column `la"):
            read(f"label,a\n{first},1\n{second},2\n", pos_label=pos_label)

    def test_groups_stay_as_written(self):
        table = read("label,a,zip,year\n1,2,007,2024\n0,3,7,2025\n", by=["zip", "year"])
        assert table.groups["zip"].tolist() == ["007", "7"]
        assert table.groups["year"].tolist() == [2024, 2025]
        assert set(table.split("zip")) == {"007", "7"}

    @given(
        st.lists(
            st.floats(allow_nan=False)
            | st.sampled_from([0.1, 1e308, 5e-324, -0.0, 1 / 3, 0.1 + 0.2, 2.0**53 + 2]),
            min_size=1,
            max_size=30,
        )
    )
    def test_floats_survive_the_round_trip(self, values):
        rows = {"label": [1] * len(values), "a": values}
        scores = read(csv_bytes(rows), y_score="a").scores["a"]
        assert scores.tolist() == values
        if np.isfinite(values).all():
            scores = read(jsonl_bytes(rows), y_score="a", format="jsonl").scores["a"]
            assert scores.tolist() == values

    @given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=30))
    def test_integers_survive_the_round_trip(self, values):
        rows = {"label": [1] * len(values), "a": values}
        for format, data in [("csv", csv_bytes(rows)), ("jsonl", jsonl_bytes(rows))]:
            scores = read(data, y_score="a", format=format).scores["a"]
            assert scores.dtype == np.int64
            assert scores.tolist() == values
