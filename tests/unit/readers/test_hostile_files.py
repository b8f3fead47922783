"""Files that are no tables, and sources that are no files."""

import contextlib
import gzip
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_files import (
    FILES,
    TEXTS,
    read,
    zst,
)

from roclab import FileFormatError, InputError, read_scores

pytestmark = pytest.mark.usefixtures("engine")

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
    "colons": (b"label:a\n1:2\n", "csv", FileFormatError, "one column.*separator="),
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
        with pytest.raises(InputError, match=r"is a directory without \.parquet files"):
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
        with pytest.raises(InputError, match=r"\.csv, \.tsv, .*\.parquet.*format='csv'"):
            read_scores(path, y_true="label")

    def test_text_stream(self):
        with pytest.raises(InputError, match="mode 'rb'"):
            read_scores(io.StringIO("label,a\n1,2\n"), y_true="label")

    @pytest.mark.parametrize("source", [None, {"label": [1]}, [1, 2], np.zeros((2, 2)), 3])
    def test_neither_file_nor_frame(self, source):
        with pytest.raises(InputError, match=f"source is a {type(source).__name__}"):
            read_scores(source, y_true="label")
