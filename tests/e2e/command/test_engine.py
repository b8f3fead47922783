"""``roclab evaluate`` in parts: patterns, limits of memory, and what is refused there."""

import io
import json
import sys
from datetime import date, time
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from workbooks import write_workbook

from roclab.cli import main


@pytest.fixture
def parts(tmp_path, frame):
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, part in enumerate(frame.iter_slices(50)):
        part.write_parquet(folder / f"part{number}.parquet")
    return folder


OPTIONS = ("--label", "outcome", "--score", "ridge,forest", "--format", "json")


def test_patterns_and_directories_have_the_result_of_one_file(parts, scores, run):
    whole = run(scores, *OPTIONS)
    for engine in ("auto", "memory", "polars"):
        assert run(parts / "*.parquet", *OPTIONS, "--engine", engine) == whole
        assert run(parts, *OPTIONS, "--engine", engine) == whole
    assert run(scores, *OPTIONS, "--engine", "polars", "--memory", "1GB") == whole


def test_a_file_that_does_not_fit_is_read_in_parts(tmp_path, run):
    rng = np.random.default_rng(0)
    y = rng.random(400_000) < 0.5
    frame = pl.DataFrame({"outcome": y.astype(np.int8), "ridge": rng.normal(size=len(y)) + y})
    frame.write_parquet(tmp_path / "large.parquet")
    options = (tmp_path / "large.parquet", "--label", "outcome")
    assert run(*options, "--memory", "10MB", notes=1) == run(*options)


def test_the_note_says_why(parts, capsys):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("roclab.cli.engine._GROWTH", {".parquet": 10**7})
        main(["evaluate", str(parts), "--label", "outcome", "--score", "ridge", "--memory", "1GB"])
    noted = capsys.readouterr().err
    assert noted.startswith(f"note: {parts} may need ")
    assert "more than 1.0 GB: it is read in parts (--engine polars)." in noted


def test_what_needs_all_rows_is_refused(parts, scores, refusal):
    for option in (
        ("--cluster", "region"),
        ("--interval", "delong"),
        ("--missing-labels", "bounds"),
        ("--threshold", "0"),
    ):
        message = refusal("evaluate", scores, "--label", "outcome", "--engine", "polars", *option)
        assert f"{option[0]} needs all rows in memory, and --engine polars" in message
    message = refusal("evaluate", "-", "--label", "outcome", "--engine", "polars")
    assert "from files in parts (--engine polars)" in message
    message = refusal("evaluate", scores, "--label", "outcome", "--memory", "much")
    assert "--memory 'much' is not an amount of memory" in message
    (parts / "empty").mkdir()
    message = refusal("evaluate", parts / "empty", "--label", "outcome")
    assert "is a directory without .parquet files" in message
    assert "No file matches" in refusal("evaluate", parts / "*.csv", "--label", "outcome")
    for engine in ("spark", "dask"):
        message = refusal("evaluate", scores, "--label", "outcome", "--engine", engine)
        assert f"--engine {engine} reads Parquet files, and `{scores}` is not one" in message


def test_models_are_compared_in_parts(parts, scores, refusal, run):
    whole = run(scores, *OPTIONS, command="compare")
    assert run(parts / "*.parquet", *OPTIONS, command="compare") == whole
    assert run(scores, *OPTIONS, "--engine", "polars", command="compare") == whole
    for option in (("--by", "region"), ("--measure", "gini"), ("--weight", "forest")):
        message = refusal("compare", scores, "--label", "outcome", "--engine", "polars", *option)
        assert f"{option[0]} needs all rows in memory, and --engine polars" in message


def test_an_error_may_be_allowed(scores, refusal, run):
    printed = run(scores, *OPTIONS), run(scores, *OPTIONS, "--max-error", "0.01")
    exact, counted = map(json.loads, printed)
    for one, other in zip(counted["rows"], exact["rows"], strict=True):
        assert one["max_error"] <= 0.01
        assert abs(one["value"] - other["value"]) <= one["max_error"]
    options = ("evaluate", scores, "--label", "outcome", "--max-error")
    assert "--max-error 2.0 is out of range" in refusal(*options, "2")


def parquet(**columns):
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


LARGE = 2**53
ODD = {
    "long row.csv": b"y,a\n1,2\n0,1,5\n",
    "short row.csv": b"y,a,b\n1,2,3\n0,1\n",
    "short row in the middle.csv": b"y,a,b\n1,2,3\n0\n1,4,5\n0,1,2\n",
    "repeated name.csv": b"y,a,a\n1,2,3\n0,1,2\n",
    "a name that looks repeated.csv": b"y,a,a_duplicated_0\n1,2,3\n0,1,2\n",
    "true and false.csv": b"y,a\n1,true\n0,false\n1,TRUE\n0,true\n",
    "true and false labels.csv": b"y,a\nTrue,2\nFALSE,1\ntrue,1\n",
    "large integers.csv": f"y,a\n1,{LARGE + 1}\n0,{LARGE}\n1,{LARGE}\n0,{LARGE - 1}\n".encode(),
    "integers beyond 64 bits.csv": f"y,a\n1,{2**64 + 4096}\n0,{2**64}\n".encode(),
    "text among numbers.csv": b"y,a\n1,2\n0,oops\n1,4\n",
    "text among weights.csv": b"y,a,w\n1,2,1\n0,3,heavy\n",
    "negative weight.csv": b"y,a,w\n1,2,1\n0,3,-1\n1,4,2\n",
    "extreme weight.csv": b"y,a,w\n1,2,1e-70\n0,3,1\n1,4,2\n",
    "weights of zero.csv": b"y,a,w\n1,2,0\n0,3,0\n1,4,1\n0,1,2\n",
    "missing values.csv": b"y,a,g\n1,2,n\n0,NA,s\n,4,n\n0,1,\n1,7,n\n0,2,s\n",
    "labels missing.csv": b"y,a\n,2\n,1\n",
    "scores missing.csv": b"y,a,b\n1,,1\n0,,2\n",
    "no row complete.csv": b"y,a,b\n1,,1\n0,3,\n",
    "nothing missing last.csv": b"y,a\n" + b",3\n" * 30 + b"1,2\n0,1\n",
    "many labels.csv": b"y,a\n" + b"".join(b"c%d,%d\n" % (at, at) for at in range(60)),
    "groups with blanks.csv": b"y,a,g\n1,2,b \n0,1,b \n1,3, b\n0,4,b\n1,0,b\n0,0, b\n",
    "codes as groups.csv": b"y,a,g\n1,2,007\n0,1,7\n1,3,7\n0,4,007\n",
    "numbers as groups.csv": b"y,a,g\n1,2,10\n0,1,9\n1,3,9\n0,4,10\n",
    "padded.csv": b"y,a\n 1, 2.5\n0 ,1\n1,3 \n0,0\n",
    "infinite.csv": b"y,a\n1,inf\n0,-inf\n1,2\n0,inf\n",
    "open quote.csv": b'y,a\n1,"2\n0,3\n',
    "not UTF-8.csv": "y,a,t\n1,2,é\n0,3,e\n".encode("latin-1"),
    "byte order mark.csv": b"\xef\xbb\xbfy,a\n1,2\n0,1\n",
    "empty.csv": b"",
    "header only.csv": b"y,a\n",
    "one column.csv": b"y\n1\n",
    "semicolons.csv": b"y;a\n1;2,5\n0;1,5\n",
    "bars.tsv": b"y|a\n1|2.5\n0|1.5\n",
    "identifiers.csv": b"y,id,a\n" + b"".join(b"%d,%d,%d\n" % (i % 2, i, i % 7) for i in range(40)),
    "late text.csv": b"y,a,b\n" + b"1,2,3\n0,1,2\n" * 6000 + b"1,2,x\n",
    "parquet by name.csv": parquet(y=[1, 0], a=[2, 1]),
    "late key.jsonl": b'{"y": 1, "a": 2}\n{"y": 0, "a": 1}\n{"y": 1, "a": 1, "b": 2}\n',
    "other types.jsonl": b'{"y": 1, "a": 2}\n{"y": 0, "a": "x"}\n{"y": 0, "a": true}\n',
    "late types.jsonl": b'{"y": 1, "a": 2}\n{"y": 0, "a": 1}\n' * 5001 + b'{"y": 1, "a": 0.5}\n',
    "cut off.jsonl": b'{"y": 1, "a": 2}\n{"y": 0,',
    "nothing.parquet": b"",
    "damaged.parquet": parquet(y=[1, 0], a=[2.5, 1])[:-30] + b"\0" * 30,
    "no rows.parquet": parquet(y=pl.Series([], dtype=pl.Int8), a=pl.Series([], dtype=pl.Float64)),
    "decimals.parquet": parquet(y=[1, 0], a=[Decimal("1.25"), Decimal("0.5")]),
    "long decimals.parquet": parquet(y=[1, 0], a=[Decimal(10**16 + 1), Decimal(10**16)]),
    "integers of 128 bits.parquet": parquet(y=[1, 0], a=pl.Series([2**70, 3], dtype=pl.Int128)),
    "half floats.parquet": parquet(y=[1, 0, 1], a=pl.Series([2.5, 3, 0], dtype=pl.Float16)),
    "dates as scores.parquet": parquet(y=[1, 0], a=[date(2020, 1, 1), date(2020, 1, 2)]),
    "dates as groups.parquet": parquet(y=[1, 0], a=[2, 1], g=[date(2020, 1, 1)] * 2),
    "dates as labels.parquet": parquet(y=[date(2020, 1, 1), date(2020, 1, 2)], a=[2, 1]),
    "times as groups.parquet": parquet(y=[1, 0], a=[2, 1], g=[time(1), time(2)]),
    "bytes as groups.parquet": parquet(y=[1, 0], a=[2, 1], g=[b"x", b"x"]),
    "lists as groups.parquet": parquet(y=[1, 0], a=[2, 1], g=[[1], [2]]),
    "structs as labels.parquet": parquet(y=[{"b": 1}, {"b": 0}], a=[2, 1]),
    "nulls as labels.parquet": parquet(y=[None, None], a=[2, 1]),
    "nulls as scores.parquet": parquet(y=[1, 0], a=[None, None], b=[1, 2]),
    "large labels.parquet": parquet(y=[LARGE + 1, LARGE], a=[2, 1]),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("positive", [None, "1", str(LARGE + 1), "c59"])
def test_odd_files_are_the_same_to_every_engine(name, positive, tmp_path, capsysbinary):
    """Exit code, output and notes: `auto` chooses by size, and nobody may notice."""
    path = tmp_path / name
    path.write_bytes(ODD[name])
    options = [str(path), "--label", "y"]
    options += [] if positive is None else ["--positive", positive]
    header = ODD[name].split(b"\n")[0]
    options += ["--weight", "w"] if b"w" in header.split(b",") else []
    options += ["--by", "g"] if b"g" in header.split(b",") or "groups.parquet" in name else []
    said = {}
    for engine in ("memory", "polars"):
        code = main(["evaluate", *options, "--engine", engine, "--format", "json"])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert code in (0, 2)
        assert "Traceback" not in err
        assert code == 0 or err.count("\n") == 1
        said[engine] = code, out, err
    assert said["memory"] == said["polars"]


@pytest.mark.parametrize("engine", ["memory", "polars"])
def test_the_format_is_named_for_every_engine(engine, tmp_path, run):
    path = tmp_path / "scores.data"
    path.write_text("y:a\n1:2,5\n0:1,5\n")
    options = ("--input-format", "csv", "--separator", ":", "--decimal", ",")
    out = run(path, "--label", "y", "--engine", engine, *options, "--format", "json")
    assert json.loads(out)["rows"][0]["value"] == 1


@pytest.mark.parametrize("engine", ["memory", "polars"])
def test_files_that_are_not_parts_of_one_table(engine, tmp_path, refusal):
    options = ("--label", "y", "--engine", engine)
    (tmp_path / "1.csv").write_text("y,a\n1,2\n0,1\n")
    (tmp_path / "2.csv").write_text("y,b\n1,2\n0,1\n")
    message = refusal("evaluate", tmp_path / "*.csv", *options)
    assert "2.csv` and `" in message
    assert "differ in their columns (`a`, `b`); all files must be parts of one table" in message
    (tmp_path / "1.parquet").write_bytes(parquet(y=[1, 0], a=[2, 1]))
    (tmp_path / "2.parquet").write_bytes(parquet(y=[1, 0], a=[2.5, 1]))
    message = refusal("evaluate", tmp_path / "*.parquet", *options)
    assert "differ in the type of column `a` (Float64, Int64)" in message
    (tmp_path / "2.parquet").write_bytes(b"")
    assert "2.parquet` cannot be read as Parquet" in refusal("evaluate", tmp_path, *options)


@pytest.mark.parametrize("engine", ["memory", "polars"])
def test_workbooks(engine, tmp_path, run, refusal, monkeypatch):
    path = tmp_path / "scores.xlsx"
    write_workbook(path, [["y", "a"], [1, 2.5], [0, 1.5], [1, None], [0, 3]])
    options = ("--label", "y", "--engine", engine)
    out = run(path, *options, "--format", "json", notes=1)  # a row without a score
    assert json.loads(out)["rows"][0]["value"] == 0.5
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    message = refusal("evaluate", path, *options)
    assert "Reading Excel workbooks needs the package fastexcel" in message
    assert message.endswith("Run: pip install 'roclab[excel]'\n")
