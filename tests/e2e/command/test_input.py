"""What `roclab evaluate` reads: formats, standard input, missing values."""

import gzip
import json

import polars as pl
import pytest
from commands import expected, numbers, process, rows_of

import roclab as rl


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl", "csv.gz"])
def test_formats_by_name(run, tmp_path, frame, suffix):
    path = tmp_path / f"scores.{suffix}"
    write(frame, path, suffix)
    out = run(path, "--label", "outcome", "--score", "ridge", "--format", "json")
    assert numbers(rows_of(out)[0]) == expected(frame, "ridge")


@pytest.mark.parametrize("format", ["csv", "tsv", "parquet", "jsonl"])
def test_formats_by_option(run, tmp_path, frame, format):
    path = tmp_path / "scores.data"
    write(frame, path, format)
    out = run(
        path, "--input-format", format, "--label", "outcome", "--score", "ridge", "--format", "json"
    )
    assert numbers(rows_of(out)[0]) == expected(frame, "ridge")


def write(frame, path, format):
    if format == "parquet":
        frame.write_parquet(path)
    elif format == "jsonl":
        frame.write_ndjson(path)
    elif format == "csv.gz":
        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    else:
        frame.write_csv(path, separator="\t" if format == "tsv" else ",")


@pytest.mark.parametrize("file", [["-"], []])
def test_standard_input(scores, frame, file):
    with open(scores, "rb") as stream:
        done = process("evaluate", *file, "--label", "outcome", "--format", "json", stdin=stream)
    assert (done.returncode, done.stderr) == (0, b"")
    assert numbers(rows_of(done.stdout)[0]) == expected(frame, "ridge")


def test_standard_input_in_another_format(frame):
    options = ("--label", "outcome", "--input-format", "jsonl", "--format", "json")
    done = process("evaluate", *options, input=frame.write_ndjson().encode())
    assert numbers(rows_of(done.stdout)[0]) == expected(frame, "ridge")


def test_missing_values_are_told_in_every_format(run, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,a\n1,0.9\n1,0.4\n0,0.4\n0,NA\n,0.3\n0,0.1\n")
    told = "2 of 6 rows left out; values missing: y 1, a 1."
    assert told in run(path, "--label", "y")
    assert told in run(path, "--label", "y", "--format", "markdown")
    run(path, "--label", "y", "--format", "csv", notes=1)
    data = json.loads(run(path, "--label", "y", "--format", "json", notes=1))
    assert data["missing"] == {
        "rows_read": 6,
        "rows_dropped": 2,
        "by_column": {"y": 1, "a": 1},
        "columns_skipped": [],
        "identifiers": [],
        "separator": None,
        "decimal": None,
    }
    interval = rl.auc_interval([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1]).to_dict()
    assert numbers(data["rows"][0]) == interval


def test_identifiers_are_no_scores_and_the_note_says_how_to_include_them(run, tmp_path, frame):
    path = tmp_path / "scores.csv"
    frame.select("outcome", "ridge").with_row_index("patient_id").write_csv(path)
    options = (path, "--label", "outcome")
    told = "Columns ignored because they look like identifiers: patient_id. To include them, name"
    assert told in run(*options)
    data = json.loads(run(*options, "--format", "json", notes=1))
    assert [row["model"] for row in data["rows"]] == ["ridge"]
    assert data["missing"]["identifiers"] == ["patient_id"]
    named = run(*options, "--score", "ridge,patient_id", "--format", "json")
    assert [row["model"] for row in rows_of(named)] == ["ridge", "patient_id"]


@pytest.mark.parametrize(
    "command",
    [
        "change FILE FILE --label outcome --by region",
        "plot FILE --label outcome -o roc.svg",
        "repair FILE --label outcome --check-on region=north",
        "report FILE --label outcome -o page.html",
        "threshold FILE --label outcome --resamples 20",
    ],
)
def test_where_a_result_does_not_say_it_a_note_does(tmp_path, monkeypatch, frame, command):
    monkeypatch.chdir(tmp_path)
    gaps = pl.when(pl.int_range(120) == 7).then(None).otherwise(pl.col("ridge"))
    columns = frame.select("outcome", "region", ridge=gaps).with_row_index("patient_id")
    columns.write_csv("scores.csv")
    done = process(*command.replace("FILE", "scores.csv").split())
    assert done.returncode == 0, done.stderr
    assert b"note: 1 of 120 rows left out; values missing: ridge 1.\n" in done.stderr
    assert b"note: Columns ignored because they look like identifiers: patient_id." in done.stderr
