"""Whole files, written again with one more column: nothing else changes."""

import datetime
import gzip
import io
import json
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
import score_files
from hypothesis import given
from hypothesis import strategies as st
from score_files import FILES, TEXTS, read

from roclab import ColumnError, FileFormatError, InputError
from roclab.readers import read_features
from roclab.readers.rewriting import csv_bytes, read_rows, with_column, write_rows

# Words that stand for a missing value, numbers that have another form, blanks, quotes, lines.
CARRIED = ["NA", "null", "nan", "NaN", "N/A", "NULL", "007", "1.50", " x ", "a,b", 'q"q', "two\nl"]


def quoted(value):
    return '"' + value.replace('"', '""') + '"'


def csv_of(values):
    return "id,x\n" + "".join(f"{quoted(value)},{at}\n" for at, value in enumerate(values))


def rows_of(text, **options):
    data = text if isinstance(text, bytes) else text.encode()
    return read_rows(io.BytesIO(data), **options)


def test_text_comes_out_as_it_came_in():
    rows = rows_of(csv_of(CARRIED))
    assert rows.frame["id"].to_list() == CARRIED
    assert rows_of(csv_bytes(rows.frame)).frame.equals(rows.frame)
    table = read_features(io.BytesIO(csv_of(CARRIED).encode()), ["x"])
    assert table.others["id"].to_list() == CARRIED
    assert table.features.ravel().tolist() == list(range(len(CARRIED)))


def test_nothing_and_quotes_around_nothing_stay_apart():
    text = 'a,b\n"",1\n,2\nNA,NA\n'
    assert csv_bytes(rows_of(text).frame).decode() == text


def test_a_column_without_a_name_is_kept():
    text = ",x\n0,1\n1,2\n"
    assert csv_bytes(rows_of(text).frame) == b'"",x\n0,1\n1,2\n'
    assert read_features(io.BytesIO(text.encode()), ["x"]).others.columns == [""]


def test_rows_of_nothing_are_rows():
    assert csv_bytes(pl.DataFrame({"x": [0.5, None, 0.25]})) == b'x\n0.5\n""\n0.25\n'


@given(st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8")), min_size=1))
def test_any_text_survives(values):
    frame = pl.DataFrame({"id": values, "x": [f"{at}" for at in range(len(values))]})
    again = rows_of(csv_bytes(frame)).frame
    assert again["x"].to_list() == frame["x"].to_list()
    assert again["id"].to_list() == values


def test_records_come_out_as_they_came_in():
    records = [
        {"x": 1, "id": "NA", "tags": ["a", "b"], "more": {"k": 1.5}, "ok": True, "n": None},
        {"x": 2, "id": "007", "tags": [], "more": {"k": None}, "ok": None, "n": 2**64},
    ]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    rows = rows_of(lines, format="jsonl")
    page = io.BytesIO()
    rows.frame.write_ndjson(page)
    assert [json.loads(line) for line in page.getvalue().splitlines()] == records
    table = csv_bytes(rows.frame).decode()
    assert table.splitlines()[1:] == [
        '1,NA,"[""a"", ""b""]","{""k"": 1.5}",true,',
        '2,007,[],"{""k"": null}",,18446744073709551616',
    ]


def test_keys_that_turn_up_late_are_kept(monkeypatch):
    monkeypatch.setattr("roclab.readers.scans.HEAD_RECORDS", 2)
    lines = b'{"x": 1}\n{"x": 2}\n{"x": 3, "late": "NA"}\n'
    assert rows_of(lines, format="jsonl").frame["late"].to_list() == [None, None, "NA"]
    others = read_features(io.BytesIO(lines), ["x"], format="jsonl").others
    assert others["late"].to_list() == [None, None, "NA"]


@pytest.mark.parametrize("values", [("true", "1"), ("[1]", '{"a": 1}'), ("1", '"x"')])
def test_keys_of_several_types_are_text(values):
    lines = "".join(f'{{"x": 1, "m": {value}}}\n' for value in values)
    assert rows_of(lines, format="jsonl").frame["m"].to_list() == [v.strip('"') for v in values]
    others = read_features(io.BytesIO(lines.encode()), ["x"], format="jsonl").others
    assert others["m"].to_list() == [value.strip('"') for value in values]


class TestRefusals:
    """As those of `read_scores`: one reader, one behaviour."""

    @pytest.mark.parametrize(
        ("text", "error", "message"),
        [
            ("id,x\n1,2\n3\n", FileFormatError, r"line 3: 1 field, .* has 2"),
            ("id,x\n1,2\n3,4,5\n", FileFormatError, "line 3: 3 fields"),
            ("id,x,x\n1,2,3\n", InputError, "2 columns are called `x`"),
            ("id,id,x\n1,2,3\n", InputError, "2 columns are called `id`"),
            ("", InputError, "is empty"),
            ("id,x\n", InputError, "no rows"),
            ('id,x\n1,"2\n', FileFormatError, "quote"),
            ("id:x\n1:2\n", FileFormatError, "one column.*separator="),
            ("id,y\n1,2\n", ColumnError, r"No column `x`\. Columns: `id`, `y`"),
        ],
    )
    def test_of_files(self, text, error, message):
        with pytest.raises(error, match=message):
            rows_of(text, named=["x"])
        with pytest.raises(error, match=message):
            read_features(io.BytesIO(text.encode()), ["x"])
        if "id,id" not in text:  # of which no score is taken
            with pytest.raises(error, match=message):
                read(text, y_true="id", y_score="x")

    def test_of_columns(self):
        rows = rows_of("id,x,z\na,0.5,1\nb,0.25,1\n")
        with pytest.raises(InputError, match="Column `id` is not numeric"):
            rows.with_changed("id", lambda old: old, suffix="_new")
        with pytest.raises(InputError, match="the score column is ambiguous"):
            rows.with_changed(None, lambda old: old, suffix="_new")
        with pytest.raises(InputError, match="There is a column `z` already"):
            with_column(rows.frame, "z", np.zeros(2))


def test_the_only_numeric_column_is_changed():
    changed = rows_of("id,x\na,0.50\nb,NA\nc,\n").with_changed(
        None, lambda old: -old, suffix="_new"
    )
    assert csv_bytes(changed) == b"id,x,x_new\na,0.50,-0.5\nb,NA,\nc,,\n"
    assert rows_of("x\n1\n2\n", named=["x"]).with_changed(
        "x", np.negative, suffix="_new"
    ).rows() == [
        ("1", -1.0),
        ("2", -2.0),
    ]


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_scores_are_not_rounded(format):
    """Those beside decimals are refused, others come to the function in their type."""
    rows = {"y": [1, 0], "a": [2**53 + 1, 0.5], "b": [2**53 + 1, 2**53]}
    data = {"csv": score_files.csv_bytes, "jsonl": score_files.jsonl_bytes}[format](rows)
    read = read_rows(data, format=format)
    message = r"^Column `a` is 9007199254740993 in row 1, which float64 rounds"
    with pytest.raises(InputError, match=message):
        read.with_changed("a", np.negative, suffix="_new")
    with pytest.raises(InputError, match=message):
        read.score_table(y_true="y", y_score=None, pos_label=None, sample_weight=None, by=[])
    given = []
    read.with_changed("b", lambda old: given.append(old.copy()) or old * 0.0, suffix="_new")
    assert given[0].tolist() == [2**53 + 1, 2**53]
    table = read.score_table(y_true="y", y_score="b", pos_label=None, sample_weight=None, by=[])
    assert table.scores["b"].tolist() == [2**53 + 1, 2**53]


def test_scores_without_an_exact_type_are_refused(tmp_path):
    frame = pl.DataFrame({"y": [1, 0], "a": [Decimal("12345678901234567.5"), Decimal(1)]})
    frame.write_parquet(tmp_path / "x.parquet")
    with pytest.raises(InputError, match=r"is 12345678901234567\.5 in row 1; decimals may have 15"):
        read_rows(tmp_path / "x.parquet").with_changed("a", np.negative, suffix="_new")


@pytest.mark.parametrize("name", FILES)
def test_the_table_of_the_scores_is_that_of_read_scores(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(FILES[name])
    options = {
        "y_true": "label",
        "y_score": None,
        "pos_label": None,
        "sample_weight": None,
        "by": ["region"],
    }
    table, expected = (
        read_rows(path).score_table(**options),
        read(FILES[name], by="region", format=name.lower().split(".")[1]),
    )
    assert table.missing == expected.missing
    for mine, theirs in ((table.scores, expected.scores), (table.groups, expected.groups)):
        assert list(mine) == list(theirs)
        for column in mine:
            assert mine[column].dtype == theirs[column].dtype
            assert mine[column].tolist() == theirs[column].tolist()


def test_missing_values_and_types_are_those_of_read_scores():
    text = "label,w,a,g\nyes,1,0.5,007\nno,2,NA,8\nno,NA,1,9\n ,1,1,9\nno,0,2,7\n"
    options = {"y_true": "label", "y_score": "a", "pos_label": "yes", "sample_weight": "w"}
    table, expected = rows_of(text).score_table(**options, by=["g"]), read(text, **options, by="g")
    assert table.missing == expected.missing
    assert table.missing.rows_dropped == 3
    assert table.groups["g"].tolist() == expected.groups["g"].tolist() == ["007", "7"]
    assert table.sample_weight.tolist() == [1, 0]


COLUMNS = {
    "list": pl.Series([[1, 2], None], dtype=pl.List(pl.Int64)),
    "texts": pl.Series([["é", None], []], dtype=pl.List(pl.String)),
    "array": pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.Int64, 2)),
    "struct": pl.Series([{"a": 1, "b": datetime.date(2020, 2, 1)}, {"a": None, "b": None}]),
    "duration": pl.Series([datetime.timedelta(seconds=90), None]),
    "bytes": pl.Series([b"\xff\x00", None]),
    "listed bytes": pl.Series([[b"a"], None]),
    "bytes inside": pl.Series([{"a": [b"a"]}, None]),
    "decimal": pl.Series([Decimal("1.50"), None], dtype=pl.Decimal(38, 2)),
    "int128": pl.Series([2**100, None], dtype=pl.Int128),
    "uint128": pl.Series([2**127, None], dtype=pl.UInt128),
    "float16": pl.Series([0.5, None], dtype=pl.Float16),
    "enum": pl.Series(["a", None], dtype=pl.Enum(["a", "b"])),
    "category": pl.Series(["a", None], dtype=pl.Categorical),
    "time": pl.Series([datetime.time(12, 30), None]),
    "date": pl.Series([datetime.date(2020, 2, 1), None]),
    "boolean": pl.Series([True, None]),
    "null": pl.Series([None, None]),
}
AS_TEXT = {
    "list": ["[1, 2]", None],
    "texts": ['["é", null]', "[]"],
    "array": ["[1, 2]", "[3, 4]"],
    "struct": ['{"a": 1, "b": "2020-02-01"}', '{"a": null, "b": null}'],
    "duration": ["PT1M30S", None],
    "bytes": ["ff00", None],
    "listed bytes": ['["61"]', None],
    "bytes inside": ['{"a": ["61"]}', None],
    "decimal": ["1.50", None],
    "int128": [str(2**100), None],
    "uint128": [str(2**127), None],
    "float16": ["0.5", None],
    "enum": ["a", None],
    "category": ["a", None],
    "time": ["12:30:00.000000000", None],
    "date": ["2020-02-01", None],
    "boolean": ["true", None],
    "null": [None, None],
}


class TestColumnsOfEveryType:
    """Carried along from Parquet, in which they have types that text has not."""

    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "all.parquet"
        pl.DataFrame(COLUMNS | {"x": [0.5, 0.25]}).write_parquet(path)
        return path

    def test_in_parquet_they_stay(self, path, tmp_path):
        frame = read_rows(path).frame
        write_rows(frame, str(tmp_path / "new.parquet"))
        assert pl.read_parquet(tmp_path / "new.parquet").equals(pl.read_parquet(path))

    @pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz"])
    def test_in_text_they_have_one_form(self, path, tmp_path, suffix):
        output = tmp_path / f"new.{suffix}"
        write_rows(read_rows(path).frame, str(output))
        written = read_rows(output).frame
        assert {name: written[name].to_list() for name in COLUMNS} == AS_TEXT
        assert written["x"].to_list() == ["0.5", "0.25"]

    def test_in_records_only_bytes_are_text(self, path, tmp_path):
        output = tmp_path / "new.jsonl.gz"
        write_rows(read_rows(path).frame, str(output))
        first, second = map(json.loads, gzip.decompress(output.read_bytes()).splitlines())
        assert first["list"] == [1, 2]
        assert first["struct"] == {"a": 1, "b": "2020-02-01"}
        assert (first["bytes"], first["listed bytes"]) == ("ff00", '["61"]')
        assert (second["bytes"], second["x"]) == (None, 0.25)

    def test_beside_the_scores_of_a_model(self, path):
        table = read_features(path, ["x"])
        written = rows_of(csv_bytes(with_column(table.others, "score", np.array([1.0, np.nan]))))
        assert {name: written.frame[name].to_list() for name in COLUMNS} == AS_TEXT
        assert written.frame["score"].to_list() == ["1.0", None]


def test_bytes_of_other_formats():
    for format, data in TEXTS.items():
        if format != "csv":
            rows = rows_of(data, format=format)
            assert rows.frame.columns == ["label", "a", "b", "region"]
            assert rows.frame["region"].to_list() == ["n", "s", "s", "n"]
