"""Files that are no tables, and sources that are no files."""

import contextlib
import gzip
import io

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_files import (
    FILES,
    TEXTS,
    read,
    zst,
)

import roclab as rl
from roclab import FileFormatError, InputError, read_scores
from roclab.readers.columns import Columns
from roclab.readers.file_table import FileTable
from roclab.readers.opening import FileOptions
from roclab.scale.sources import open_table

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
    "long row with a long field": (
        b"label,a,t\n1,2," + b"x" * 200_000 + b"\n3,4,5,6\n",
        "csv",
        FileFormatError,
        "line 3: 4 fields",
    ),
    "name over lines": (b'label,"a\nb"\n1,x\n0,y\n', "csv", InputError, r"`a\\nb` \(text\)"),
    "long row with gaps": (b"label,a\n1,2\n3,4,,,5\n", "csv", FileFormatError, "line 3: 5 fields"),
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
                "name over lines",
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
        with pytest.raises(InputError, match=r"cannot be opened: embedded null byte; .*Check"):
            read_scores("~no\0pe.csv", y_true="label")
        with pytest.raises(InputError, match=r"cannot be opened: embedded null byte; .*Check"):
            read_scores("file:///no%00/pe%5b", y_true="label")  # a pattern in a folder of this name
        with pytest.raises(InputError, match=r"No file `~nobody-here/x\.csv`"):
            read_scores("~nobody-here/x.csv", y_true="label")

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


def test_a_long_field_of_a_file_with_semicolons():
    data = b"label;a;t\n1;0,5;" + b"x" * 200_000 + b"\n0;1,5;y\n"
    table = read_scores(data, y_true="label", y_score="a")
    assert table.scores["a"].tolist() == [0.5, 1.5]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet", "arrow"])
@pytest.mark.parametrize("rows", [3, 40_000])
def test_a_file_that_changes_while_it_is_read(tmp_path, suffix, rows):
    def write(rows):
        frame = pl.DataFrame({"label": [0, 1] * rows, "a": [0.25, 0.5] * rows, "t": "x" * 200})
        write = {"jsonl": frame.write_ndjson, "arrow": frame.write_ipc}
        write |= {"csv": frame.write_csv, "parquet": frame.write_parquet}
        write[suffix](path)

    path = tmp_path / f"scores.{suffix}"
    write(20_000)
    columns = Columns.named(y_true="label", y_score="a", sample_weight=None)

    def survey():
        with open_table(path, columns, pos_label=None, memory_limit="10MB", progress=None) as (
            table,
            reading,
        ):
            table.frame = FileTable(path, columns, FileOptions(), keep_bytes=0).lazy()
            write(rows)
            table.survey(reading.reader)

    with pytest.raises(InputError, match=r"^[^\n]*chang"):
        survey()


def test_a_damaged_arrow_file_in_parts(tmp_path):
    rows = 20_000
    path = tmp_path / "scores.arrow"
    groups = [f"a group with a long name {row % 3}" for row in range(rows)]
    frame = pl.DataFrame({"label": [0, 1] * (rows // 2), "a": range(rows), "g": groups})
    frame.write_ipc(path, compression="uncompressed")
    data = bytearray(path.read_bytes())
    at = data.index((len(groups[0])).to_bytes(4, "little") + groups[0][:4].encode())
    data[at + 8 : at + 12] = b"\xff\xff\xff\x7f"  # the buffer of the first text
    path.write_bytes(data)
    with pytest.raises(FileFormatError, match=r"scores.arrow` cannot be read as Arrow: [^\n]*$"):
        rl.scale.evaluate(path, y_true="label", y_score="a", by="g", memory_limit="10MB")
