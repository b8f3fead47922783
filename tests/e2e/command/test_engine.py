"""``roclab evaluate`` in parts: patterns, limits of memory, and what is refused there."""

import json

import numpy as np
import polars as pl
import pytest

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
    assert run(parts / "*.parquet", *OPTIONS, notes=1) == whole
    assert run(parts, *OPTIONS, notes=1) == whole
    assert run(scores, *OPTIONS, "--engine", "polars", "--memory", "1GB") == whole


def test_a_file_that_does_not_fit_is_read_in_parts(tmp_path, run):
    rng = np.random.default_rng(0)
    y = rng.random(400_000) < 0.5
    frame = pl.DataFrame({"outcome": y.astype(np.int8), "ridge": rng.normal(size=len(y)) + y})
    frame.write_parquet(tmp_path / "large.parquet")
    options = (tmp_path / "large.parquet", "--label", "outcome")
    assert run(*options, "--memory", "10MB", notes=1) == run(*options)


def test_the_note_says_why(parts, capsys):
    main(["evaluate", str(parts), "--label", "outcome", "--score", "ridge"])
    expected = f"note: {parts}: patterns, directories and remote files are read in parts"
    assert capsys.readouterr().err.startswith(expected)


def test_what_needs_all_rows_is_refused(parts, scores, refusal):
    for option in (
        ("--cluster", "region"),
        ("--interval", "delong"),
        ("--missing-labels", "bounds"),
    ):
        message = refusal("evaluate", scores, "--label", "outcome", "--engine", "polars", *option)
        assert f"{option[0]} needs all rows in memory, and --engine polars" in message
    message = refusal("evaluate", "-", "--label", "outcome", "--engine", "polars")
    assert "from files in parts (--engine polars)" in message
    message = refusal("evaluate", scores, "--label", "outcome", "--memory", "much")
    assert "--memory 'much' is no amount of memory" in message
    (parts / "empty").mkdir()
    message = refusal("evaluate", parts / "empty", "--label", "outcome")
    assert "is a directory" in message
    assert "No file" in refusal("evaluate", parts / "*.csv", "--label", "outcome")


def test_models_are_compared_in_parts(parts, scores, refusal, run):
    whole = run(scores, *OPTIONS, command="compare")
    assert run(parts / "*.parquet", *OPTIONS, command="compare", notes=1) == whole
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
