"""Files and frames into a ScoreTable: every format, missing values, types, and hostile input."""

import contextlib
import gzip
import io
import json
import os
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab import ColumnError, FileFormatError, InputError, MissingExtraError, read_scores

ROWS = {
    "label": [1, 0, 1, 0],
    "a": [0.9, 0.25, 0.25, -1.5],
    "b": [7, 3, 3, 1],
    "region": ["n", "s", "s", "n"],
}


def csv_bytes(rows, separator=","):
    lines = [rows, *zip(*rows.values(), strict=True)]
    return "".join(separator.join(map(str, line)) + "\n" for line in lines).encode()


def jsonl_bytes(rows):
    records = [dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)]
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def zst(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def parquet_bytes(rows):
    buffer = io.BytesIO()
    pl.DataFrame(rows).write_parquet(buffer)
    return buffer.getvalue()


TEXTS = {
    "csv": csv_bytes(ROWS),
    "tsv": csv_bytes(ROWS, "\t"),
    "jsonl": jsonl_bytes(ROWS),
    "ndjson": jsonl_bytes(ROWS),
}
FILES = {
    **{f"x.{suffix}": data for suffix, data in TEXTS.items()},
    **{f"x.{suffix}.gz": gzip.compress(data) for suffix, data in TEXTS.items()},
    **{f"x.{suffix}.zst": zst(data) for suffix, data in TEXTS.items()},
    "x.parquet": parquet_bytes(ROWS),
    "X.CSV.GZ": gzip.compress(TEXTS["csv"]),
}


def read(text, **options):
    """Read CSV text from a stream; the label column is `label`."""
    data = text if isinstance(text, bytes) else text.encode()
    return read_scores(io.BytesIO(data), **{"y_true": "label", **options})


def assert_is_rows(table):
    assert table.names == ("a", "b")
    assert table.y_true.tolist() == [True, False, True, False]
    assert table.scores["a"].dtype == np.float64
    assert table.scores["a"].tolist() == ROWS["a"]
    assert table.scores["b"].dtype == np.int64
    assert table.scores["b"].tolist() == ROWS["b"]
    assert table.groups["region"].tolist() == ROWS["region"]
    assert table.missing.to_dict() == {
        "rows_read": 4,
        "rows_dropped": 0,
        "by_column": {},
        "columns_skipped": [],
    }


class TestFormats:
    @pytest.mark.parametrize("name", FILES)
    @pytest.mark.parametrize("y_score", [None, ["a", "b"]])
    def test_path(self, tmp_path, name, y_score):
        path = tmp_path / name
        path.write_bytes(FILES[name])
        assert_is_rows(read_scores(path, y_true="label", y_score=y_score, by="region"))
        assert_is_rows(read_scores(str(path), y_true="label", y_score=y_score, by=["region"]))

    @pytest.mark.parametrize("name", FILES)
    def test_stream(self, name):
        format = name.lower().split(".")[1]
        stream = io.BytesIO(FILES[name])
        assert_is_rows(read_scores(stream, y_true="label", by="region", format=format))

    def test_stream_is_csv_by_default_and_may_be_a_pipe(self):
        receiving, sending = os.pipe()
        with os.fdopen(sending, "wb") as out:
            out.write(TEXTS["csv"])
        with os.fdopen(receiving, "rb") as stream:
            assert_is_rows(read_scores(stream, y_true="label", by="region"))

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
    def test_named_pipe(self, tmp_path):
        path = tmp_path / "pipe"
        os.mkfifo(path)
        writer = threading.Thread(target=path.write_bytes, args=(TEXTS["csv"],))
        writer.start()
        table = read_scores(path, y_true="label", by="region", format="csv")
        writer.join()
        assert_is_rows(table)

    @pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet"])
    @pytest.mark.parametrize("stem", ["[1]", "a*", "q?", "{b}", "~", "sp ace", "k=v", "é"])
    def test_strange_file_name(self, tmp_path, name, stem):
        path = tmp_path / stem / f"{stem}{name}"
        path.parent.mkdir()
        path.write_bytes(FILES[name])
        (tmp_path / stem / f"a1{name}").write_text("another file, which a wildcard would find")
        assert_is_rows(read_scores(path, y_true="label", by="region"))

    def test_home_and_what_only_looks_like_it(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        (tmp_path / "home").mkdir()
        for path, name in [("home/x.csv", "~/x.csv"), ("~x.csv", "~x.csv")]:
            (tmp_path / path).write_bytes(TEXTS["csv"])
            assert_is_rows(read_scores(name, y_true="label", by="region"))

    def test_format_beats_suffix(self, tmp_path):
        path = tmp_path / "scores.txt"
        path.write_bytes(TEXTS["tsv"])
        assert_is_rows(read_scores(path, y_true="label", by="region", format="tsv"))

    def test_compression_is_seen_in_the_bytes(self, tmp_path):
        path = tmp_path / "scores.csv"
        path.write_bytes(gzip.compress(TEXTS["csv"]))
        assert_is_rows(read_scores(path, y_true="label", by="region"))

    def test_concatenated_gzip_members(self):
        data = gzip.compress(b"label,a\n1,2\n") + gzip.compress(b"0,3\n")
        assert read(data).scores["a"].tolist() == [2, 3]

    @pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.csv.gz"])
    def test_byte_order_mark(self, tmp_path, name):
        path = tmp_path / name
        data = b"\xef\xbb\xbf" + TEXTS[name.split(".")[1]]
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        assert_is_rows(read_scores(path, y_true="label", by="region"))

    def test_windows_line_ends_and_quotes(self):
        table = read('"label","a"\r\n"1","0.5"\r\n"0","0.25"\r\n')
        assert table.scores["a"].tolist() == [0.5, 0.25]

    def test_quoted_separators_and_line_feeds(self):
        text = 'label,a,note\n1,0.5,"x, ""y""\n\nz"\n0,0.25,\n'
        assert read(text).scores["a"].tolist() == [0.5, 0.25]

    def test_carriage_return_inside_a_field(self):
        assert len(read("label,a,t\n1,2,x\ry\n0,3,\n")) == 2

    def test_field_longer_than_pythons_limit(self):
        assert len(read('label,a,t\n1,2,"' + "x\n" * 100_000 + '"\n0,3,\n', y_score="a")) == 2

    def test_header_over_two_lines_and_after_blank_ones(self):
        table = read('\n\nlabel,"a\nb"\n1,2\n0,3\n')
        assert table.names == ("a\nb",)
        assert table.scores["a\nb"].tolist() == [2, 3]


class TestColumns:
    def test_named_scores_and_weights(self):
        table = read("label,a,b,w\n1,2,3,0.5\n0,4,5,2\n", y_score="b", sample_weight="w")
        assert table.names == ("b",)
        assert table.sample_weight.tolist() == [0.5, 2.0]

    def test_order_is_the_users(self):
        assert read("label,a,b\n1,2,3\n0,4,5\n", y_score=["b", "a"]).names == ("b", "a")

    def test_default_leaves_out_text_booleans_empty_and_unnamed_columns(self):
        table = read(",label,a,t,f,n\n0,1,2,x,True,\n1,0,3,y,False,NA\n")
        assert table.names == ("a",)
        assert table.missing.rows_dropped == 0

    def test_default_leaves_out_other_roles(self):
        table = read("label,a,w,g\n1,2,3,4\n0,5,6,7\n", sample_weight="w", by="g")
        assert table.names == ("a",)

    def test_boolean_score_by_name(self):
        assert read("label,a\n1,true\n0,false\n", y_score="a").scores["a"].tolist() == [1, 0]

    def test_unknown_column_suggests_the_nearest(self):
        with pytest.raises(ColumnError) as caught:
            read("label,score_a\n1,2\n", y_true="lable")
        assert str(caught.value) == (
            "No column `lable`. Columns: `label`, `score_a`. Did you mean `label`?"
        )

    @pytest.mark.parametrize("role", ["y_true", "y_score", "sample_weight", "by"])
    @pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
    def test_unknown_column_in_every_role_and_format(self, role, format):
        data = {**TEXTS, "parquet": FILES["x.parquet"]}[format]
        with pytest.raises(ColumnError, match=r"No column `Region `.*Did you mean `region`"):
            read(data, format=format, **{role: "Region "})

    def test_nothing_near(self):
        with pytest.raises(ColumnError, match=r"`label`, `a`\.$"):
            read("label,a\n1,2\n", y_score="zzz")

    def test_long_list_is_abbreviated(self):
        names = [f"c{i:02d}" for i in range(50)]
        with pytest.raises(ColumnError, match="`c19` and 30 more") as caught:
            read(",".join(names) + "\n" + ",".join("1" * 50) + "\n")
        assert "c20" not in str(caught.value)

    @pytest.mark.parametrize(
        ("options", "where"),
        [
            ({"y_score": ["a", "label"]}, "`y_true` and `y_score`"),
            ({"y_score": ["a", "a"]}, "in `y_score`"),
            ({"sample_weight": "label"}, "`y_true` and `sample_weight`"),
            ({"y_score": "a", "by": "a"}, "`y_score` and `by`"),
            ({"sample_weight": "a", "by": ["b", "a"]}, "`sample_weight` and `by`"),
        ],
    )
    def test_one_role_a_column(self, options, where):
        with pytest.raises(InputError, match=f"named twice, in {where}|named twice, {where}"):
            read("label,a,b\n1,2,3\n", **options)

    @pytest.mark.parametrize(
        "options", [{"y_true": 3}, {"y_score": []}, {"y_score": [1]}, {"by": 1}]
    )
    def test_names_are_text(self, options):
        with pytest.raises(InputError, match="name"):
            read("label,a\n1,2\n", **options)

    def test_repeated_names_matter_only_where_needed(self):
        text = "x,x,label,a\n1,2,1,3\n4,5,0,6\n"
        assert read(text, y_score="a").scores["a"].tolist() == [3, 6]
        with pytest.raises(InputError, match="2 columns are called `x`"):
            read(text)
        with pytest.raises(InputError, match="2 columns are called `x`"):
            read(text, y_score="x")

    def test_no_numeric_column(self):
        with pytest.raises(InputError, match=r"No numeric column.*`a` \(text\), `b` \(empty\)"):
            read("label,a,b\n1,x,\n0,y,\n")

    def test_text_among_scores_is_shown(self):
        with pytest.raises(InputError, match=r"Column `a` is text.*`oops` in row 3"):
            read("label,a\n1,2\n0,\n0,oops\n", y_score="a")
        with pytest.raises(InputError, match=r"`1_000` in row 2.*`sample_weight` needs numbers"):
            read("label,a,w\n1,2,1\n0,3,1_000\n", sample_weight="w")


class TestTypes:
    @pytest.mark.parametrize("batch_rows", [2, 200_000])
    def test_decimals_after_many_whole_numbers(self, monkeypatch, batch_rows):
        monkeypatch.setattr("roclab.readers.scans.BATCH_ROWS", batch_rows)
        values = [*range(3000), 0.5]
        rows = {"label": [0, 1] * 1500 + [0], "a": values}
        for format, data in [("csv", csv_bytes(rows)), ("jsonl", jsonl_bytes(rows))]:
            scores = read(data, format=format).scores["a"]
            assert scores.dtype == np.float64
            assert scores.tolist() == values

    @pytest.mark.parametrize("batch_rows", [2, 200_000])
    def test_text_after_many_numbers(self, monkeypatch, batch_rows):
        monkeypatch.setattr("roclab.readers.scans.BATCH_ROWS", batch_rows)
        text = "label,a\n" + "01,1\n02,2\n" * 500 + "yes,3\n"
        table = read(text, pos_label="01")
        assert table.y_true.sum() == 500
        assert len(table) == 1001
        with pytest.raises(InputError, match="`x` in row 1001"):
            read("label,a\n" + "0,1\n" * 1000 + "1,x\n", y_score="a")

    def test_a_column_missing_in_one_batch(self, monkeypatch):
        monkeypatch.setattr("roclab.readers.scans.BATCH_ROWS", 2)
        table = read("label,a\n" + "1,\n" * 10 + "1,2\n0,3\n" * 5)
        assert table.scores["a"].dtype == np.int64
        assert table.missing.to_dict() == {
            "rows_read": 20,
            "rows_dropped": 10,
            "by_column": {"a": 10},
            "columns_skipped": [],
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
        with pytest.raises(InputError, match=f"`pos_label` is `{pos_label}`, but column `label`"):
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


class TestMissing:
    @pytest.mark.parametrize("word", ["", "NA", "N/A", "null", "NULL", "NaN", "nan", '""', '"NA"'])
    def test_words_for_missing_in_every_role(self, word):
        text = f"label,a,b,w,g\n1,1,2,1,x\n{word},1,2,1,x\n0,{word},3,1,y\n0,2,3,{word},y\n"
        text += f"1,1,1,1,{word}\n0,{word},{word},1,y\n"
        table = read(text, y_score=["a", "b"], sample_weight="w", by="g")
        assert len(table) == 1
        assert table.missing.to_dict() == {
            "rows_read": 6,
            "rows_dropped": 5,
            "by_column": {"label": 1, "w": 1, "g": 1, "a": 2, "b": 1},
            "columns_skipped": [],
        }
        assert "5 of 6" in repr(table)

    def test_a_row_leaves_all_columns(self):
        table = read("label,a,b\n1,1,\n0,,2\n1,3,4\n0,5,6\n")
        assert table.scores["a"].tolist() == [3, 5]
        assert table.scores["b"].tolist() == [4, 6]

    def test_columns_not_selected_do_not_count(self):
        assert len(read("label,a,b\n1,1,\n0,2,\n", y_score="a")) == 2

    def test_blank_lines_are_rows_without_values(self):
        table = read("label,a\n1,2\n\n0,3\n\n")
        assert table.scores["a"].tolist() == [2, 3]
        assert table.missing.rows_dropped == 2

    def test_json_null_and_absent_key(self):
        data = b'{"label": 1, "a": 2}\n{"label": 0}\n{"label": 0, "a": null}\n{"a": 1}\n'
        table = read(data, format="jsonl")
        assert table.missing.by_column == {"label": 1, "a": 2}

    def test_json_column_that_appears_late(self):
        data = b'{"label": 0}\n' * 2000 + b'{"label": 0, "a": 1.5}\n'
        for y_score in (None, "a"):
            table = read(data, format="jsonl", y_score=y_score)
            assert table.scores["a"].tolist() == [1.5]
            assert table.missing.rows_dropped == 2000

    def test_parquet_null_and_nan(self):
        rows = {"label": [1, 0, None, 1], "a": [0.5, float("nan"), 0.1, None]}
        table = read(parquet_bytes(rows), format="parquet")
        assert table.missing.by_column == {"label": 1, "a": 2}
        assert table.scores["a"].tolist() == [0.5]

    def test_a_column_missing_everywhere(self):
        with pytest.raises(InputError, match="Missing in all 2 rows: column `a`"):
            read("label,a,b\n1,,1\n0,NA,2\n", y_score=["a", "b"])
        with pytest.raises(InputError, match="Missing in all 2 rows: column `label`"):
            read("label,a\n,1\n,2\n")

    def test_no_row_complete(self):
        with pytest.raises(InputError, match=r"Every one of 2 rows misses a value.*`a` 1, `b` 1"):
            read("label,a,b\n1,,1\n0,1,\n")


HOSTILE = {
    "empty": (b"", "csv", InputError, "is empty"),
    "blank": (b"\n \n\n", "csv", InputError, "is empty"),
    "blank json": (b"\n\n", "jsonl", InputError, "is empty"),
    "gzip of nothing": (gzip.compress(b""), "csv", InputError, "is empty"),
    "gzip of blanks": (gzip.compress(b"\n\n"), "jsonl", InputError, "is empty"),
    "byte order mark only": (b"\xef\xbb\xbf", "csv", InputError, "is empty"),
    "empty Parquet": (b"", "parquet", FileFormatError, "cannot be read as Parquet"),
    "header only": (b"label,a\n", "csv", InputError, "no rows"),
    "header without line end": (b"label,a", "csv", InputError, "no rows"),
    "repeated label": (b"label,label,a\n1,2,3\n", "csv", InputError, "2 columns are called"),
    "short row": (b"label,a\n1,2\n3\n", "csv", FileFormatError, "line 3: 1 field, .* has 2"),
    "long row": (b"label,a\n1,2\n3,4,5\n", "csv", FileFormatError, "line 3: 3 fields"),
    "longer row": (b"label,a\n1,2\n3,4,5,6,7\n", "csv", FileFormatError, "line 3: 5 fields"),
    "long first row": (b"label,a\n1,2,3\n3,4\n", "csv", FileFormatError, "line 2: 3 fields"),
    "ragged after quoted lines": (
        b'label,a,t\n1,2,"x\ny"\n3,4\n',
        "csv",
        FileFormatError,
        "line 4: 2 fields",
    ),
    "open quote": (b'label,a\n1,"2\n0,3\n', "csv", FileFormatError, "line 2.*quote"),
    "stray quote": (b'label,a\n1,2\n0,3"\n1,4\n', "csv", FileFormatError, "line 3.*quote"),
    "latin-1": ("label,a,é\n1,2,é\n".encode("latin-1"), "csv", FileFormatError, "not UTF-8"),
    "latin-1 cell": ("label,a,t\n1,2,é\n".encode("latin-1"), "csv", FileFormatError, "not UTF-8"),
    "utf-16": ("label,a\n1,2\n".encode("utf-16"), "csv", FileFormatError, "UTF-16"),
    "carriage returns": (b"label,a\r1,2\r", "csv", FileFormatError, "line feeds"),
    "zeros": (b"\0" * 1000, "csv", FileFormatError, "column names"),
    "bytes": (bytes(range(128, 256)) * 9, "csv", FileFormatError, "not UTF-8"),
    "semicolons": (b"label;a\n1;2\n", "csv", FileFormatError, "separated by `;`"),
    "tabs": (b"label\ta\n1\t2\n", "csv", FileFormatError, "format='tsv'"),
    "commas": (b"label,a\n1,2\n", "tsv", FileFormatError, "format='csv'"),
    "one column": (b"label\n1\n", "csv", FileFormatError, "one column, `label`"),
    "JSON as CSV": (TEXTS["jsonl"], "csv", FileFormatError, "format='jsonl'"),
    "CSV as JSON": (TEXTS["csv"], "jsonl", FileFormatError, "line 1, `label,a,b,region`"),
    "CSV as Parquet": (TEXTS["csv"], "parquet", FileFormatError, "cannot be read as Parquet"),
    "Parquet as CSV": (FILES["x.parquet"], "csv", FileFormatError, "format='parquet'"),
    "half a Parquet": (FILES["x.parquet"][:300], "parquet", FileFormatError, "Parquet"),
    "workbook": (b"PK\x03\x04" + bytes(99), "csv", FileFormatError, "Excel"),
    "bzip2": (b"BZh91AY&SY", "jsonl", FileFormatError, "bzip2"),
    "half a gzip": (gzip.compress(TEXTS["csv"])[:40], "csv", FileFormatError, "cannot be read"),
    "half a zstd": (zst(TEXTS["csv"])[:30], "csv", FileFormatError, "cannot be read"),
    "gzip of zeros": (gzip.compress(bytes(5000)), "csv", FileFormatError, "column names"),
    "JSON array": (b'[{"label": 1, "a": 2}]\n', "jsonl", FileFormatError, "line 1"),
    "JSON numbers": (b"1\n2\n", "jsonl", FileFormatError, "line 1"),
    "JSON cut off": (b'{"label": 1, "a": 2}\n{"label"', "jsonl", FileFormatError, "line 2"),
    "JSON with NaN": (
        b'{"label": 1, "a": 2}\n{"label": 1, "a": NaN}\n',
        "jsonl",
        FileFormatError,
        "line 2.*null for a missing number",
    ),
    "JSON in latin-1": ('{"label": "é"}'.encode("latin-1"), "jsonl", FileFormatError, "UTF-8"),
    "unknown format": (b"label,a\n1,2\n", "xml", InputError, "`csv`, `tsv`, `parquet`, `jsonl`"),
}


class TestHostileFiles:
    @pytest.mark.parametrize("case", HOSTILE)
    @pytest.mark.parametrize("as_path", [False, True])
    def test_refused_in_one_sentence(self, tmp_path, case, as_path):
        data, format, error, message = HOSTILE[case]
        source = io.BytesIO(data)
        if as_path:
            source = tmp_path / "file"
            source.write_bytes(data)
        with pytest.raises(error, match=message) as caught:
            read_scores(source, y_true="label", format=format)
        assert (
            ("`" + str(source) + "`" in str(caught.value))
            or not as_path
            or case
            in {
                "repeated label",
                "unknown format",
            }
        )
        assert caught.value.__cause__ is None
        assert "polars" not in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_ragged_rows_beyond_the_needed_columns(self):
        with pytest.raises(FileFormatError, match="line 3: 4 fields"):
            read("label,a,t\n1,2,x\n0,3,y,z\n", y_score="a")
        with pytest.raises(FileFormatError, match="line 3: 2 fields"):
            read("label,a,t\n1,2,x\n0,3\n", y_score="a")
        assert len(read("label,a,t\n1,2,x\n0,3,\n", y_score="a")) == 2

    @given(st.binary(max_size=200) | st.text(alphabet='1,.\n"\t{}la', max_size=60).map(str.encode))
    def test_any_bytes_are_read_or_refused(self, data):
        for format in ("csv", "tsv", "jsonl", "parquet"):
            for prefix in (b"", b"label,a\n", b'{"label": 1, "a": 2}\n'):
                with contextlib.suppress(InputError):
                    read(prefix + data, format=format, pos_label="1")

    def test_directory_and_missing_file(self, tmp_path, monkeypatch):
        with pytest.raises(InputError, match="is a directory"):
            read_scores(tmp_path, y_true="label")
        with pytest.raises(InputError, match=r"No file `.*nope\.csv`"):
            read_scores(tmp_path / "nope.csv", y_true="label")
        monkeypatch.chdir(tmp_path)
        with pytest.raises(InputError, match=rf"No file `nope\.csv` \(`{tmp_path}"):
            read_scores("nope.csv", y_true="label")
        with pytest.raises(InputError, match="cannot be opened"):
            read_scores("no\0pe.csv", y_true="label")

    @pytest.mark.parametrize("name", ["x.txt", "x", "x.csv.bz2", "x.parquet.gz", "x.gz", ".csv"])
    def test_unknown_suffix(self, tmp_path, name):
        path = tmp_path / name
        path.write_bytes(TEXTS["csv"])
        with pytest.raises(InputError, match=r"\.csv, \.tsv, .*\.parquet.*`format=`"):
            read_scores(path, y_true="label")

    def test_text_stream(self):
        with pytest.raises(InputError, match="mode 'rb'"):
            read_scores(io.StringIO("label,a\n1,2\n"), y_true="label")

    @pytest.mark.parametrize("source", [None, {"label": [1]}, [1, 2], np.zeros((2, 2)), 3])
    def test_neither_file_nor_frame(self, source):
        with pytest.raises(InputError, match=f"`source` is a {type(source).__name__}"):
            read_scores(source, y_true="label")


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
            (pd.DataFrame([[1, 2]], columns=["label", 0]), "column named 0, a int"),
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
        with pytest.raises(InputError, match="`format` is for files"):
            read_scores(pl.DataFrame(ROWS), y_true="label", format="csv")

    def test_the_frame_may_change_afterwards(self):
        frame = pd.DataFrame(ROWS)
        table = read_scores(frame, y_true="label", by="region")
        frame.loc[0, "a"] = 77.0
        assert_is_rows(table)


class TestProgress:
    @pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet", "x.csv.gz"])
    def test_counts_up_to_the_rows(self, tmp_path, monkeypatch, name):
        monkeypatch.setattr("roclab.readers.scans.BATCH_ROWS", 100)
        rows = {"label": [0, 1] * 500, "a": [i / 7 for i in range(1000)]}
        path = tmp_path / name
        data = {"csv": csv_bytes, "jsonl": jsonl_bytes, "parquet": parquet_bytes}[
            name.split(".")[1]
        ](rows)
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        calls = []
        read_scores(path, y_true="label", progress=lambda *call: calls.append(call))
        done = [rows_done for rows_done, _ in calls]
        assert done == sorted(done)
        assert len(set(done)) > 2
        assert calls[-1] == (1000, 1000)
        totals = {total for _, total in calls[:-1]}
        if name == "x.parquet":
            assert totals == {1000}
        elif name == "x.csv.gz":
            assert totals == {None}
        else:
            assert totals.pop() == pytest.approx(1000, rel=0.1)

    def test_what_it_raises_is_the_callers(self):
        def stop(*_):
            raise OSError("the terminal is gone")

        with pytest.raises(OSError, match="the terminal is gone"):
            read(TEXTS["csv"], progress=stop)


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


class TestOptionalPackages:
    def test_neither_is_imported_before_it_is_needed(self):
        code = (
            "import sys, roclab.readers; print('polars' in sys.modules, 'narwhals' in sys.modules)"
        )
        assert run(code).split()[0] == "False"

    def test_pandas_frames_work_without_polars(self):
        code = """
import sys
sys.modules["polars"] = None
import pandas, roclab
frame = pandas.DataFrame({"label": [1, 0], "a": [0.5, 0.25]})
print(roclab.read_scores(frame, y_true="label").scores["a"].tolist())
try:
    roclab.read_scores("x.csv", y_true="label")
except roclab.MissingExtraError as error:
    print(error)
"""
        scores, message = run(code).split("\n")
        assert scores == "[0.5, 0.25]"
        assert message == (
            "Reading files needs the package polars, which is not installed: "
            "pip install 'roclab[cli]'"
        )

    def test_frames_without_narwhals(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "narwhals", None)
        monkeypatch.delitem(sys.modules, "roclab.readers.frames", raising=False)
        with pytest.raises(MissingExtraError, match=r"Reading data frames needs .*narwhals"):
            read_scores(pd.DataFrame(ROWS), y_true="label")


def test_columns_that_are_no_numbers_are_told():
    data = b"label,who,a,flag\n1,x,0.9,true\n0,y,0.1,false\n"
    assert read_scores(io.BytesIO(data), y_true="label").missing.columns_skipped == ("who", "flag")
    named = read_scores(io.BytesIO(data), y_true="label", y_score="a", by="who")
    assert named.missing.columns_skipped == ()
    grouped = read_scores(io.BytesIO(data), y_true="label", by="who")
    assert grouped.missing.columns_skipped == ("flag",)
