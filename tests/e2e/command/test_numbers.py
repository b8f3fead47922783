"""What `roclab evaluate` says: models, groups, weights, levels, in every format."""

import csv
import io
import json
from pathlib import Path

import polars as pl
import pytest
from commands import NUMBERS, expected, numbers, rows_of

import roclab as rl

PRINTED = Path(__file__).parents[2] / "golden" / "printed"


def test_table_matches_the_golden_output(run, monkeypatch):
    monkeypatch.chdir(PRINTED)
    assert run("scores.csv", "--label", "sick") == Path("evaluate.txt").read_text("utf-8")


def test_table_by_groups_matches_the_golden_output(run, monkeypatch):
    monkeypatch.chdir(PRINTED)
    out = run("scores.csv", "--label", "sick", "--by", "clinic", notes=1)
    assert out == Path("evaluate_by.txt").read_text("utf-8")


def test_narrow_table_matches_the_golden_output(run, monkeypatch):
    monkeypatch.chdir(PRINTED)
    monkeypatch.setenv("COLUMNS", "44")
    out = run("scores.csv", "--label", "sick", "--score", "expert panel, second reading")
    assert out == Path("evaluate_narrow.txt").read_text("utf-8")


def test_markdown_matches_the_golden_output(run, monkeypatch):
    monkeypatch.chdir(PRINTED)
    out = run("scores.csv", "--label", "sick", "--format", "markdown")
    assert out == Path("evaluate.md").read_text("utf-8")


def test_json_has_every_digit(run, scores, frame):
    rows = rows_of(run(scores, "--label", "outcome", "--weight", "weight", "--format", "json"))
    assert [row["model"] for row in rows] == ["ridge", "forest"]
    for row in rows:
        weighted = expected(frame, row["model"], sample_weight=frame["weight"])
        assert numbers(row) == weighted


def test_csv_has_every_digit(run, scores, frame):
    out = run(scores, "--label", "outcome", "--score", "ridge", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    interval = expected(frame, "ridge")
    assert {key: float(row[key]) for key in NUMBERS} == {key: interval[key] for key in NUMBERS}
    assert (int(row["n_pos"]), int(row["n_neg"])) == (interval["n_pos"], interval["n_neg"])


@pytest.mark.parametrize("format", ["table", "markdown"])
def test_readers_get_rounded_numbers(run, scores, frame, format):
    out = run(scores, "--label", "outcome", "--score", "ridge", "--format", format)
    i = rl.auc_interval(frame["outcome"], frame["ridge"])
    assert f"{i.value:.3f}" in out
    assert f"[{i.low:.3f}, {i.high:.3f}]" in out


def test_every_numeric_column_without_another_role_is_a_model(run, scores):
    rows = rows_of(run(scores, "--label", "outcome", "--format", "json"))
    assert [row["model"] for row in rows] == ["ridge", "forest", "weight"]


def test_score_may_be_repeated_and_keeps_its_order(run, scores):
    chosen = ["--score", "forest", "--score", "ridge"]
    rows = rows_of(run(scores, "--label", "outcome", *chosen, "--format", "json"))
    assert [row["model"] for row in rows] == ["forest", "ridge"]


def test_by(run, scores, frame):
    out = run(
        scores, "--label", "outcome", "--score", "ridge", "--by", "region", "--format", "json"
    )
    assert json.loads(out)["by"] == "region"
    regions = frame["region"].unique(maintain_order=True).to_list()
    assert [row["group"] for row in rows_of(out)] == regions
    for row in rows_of(out):
        part = frame.filter(pl.col("region") == row["group"])
        assert numbers(row) == expected(part, "ridge")


def test_confidence(run, scores, frame):
    options = ("--label", "outcome", "--score", "ridge", "--confidence", 0.8)
    (row,) = rows_of(run(scores, *options, "--format", "json"))
    assert numbers(row) == expected(frame, "ridge", confidence_level=0.8)
    assert "80 % interval" in run(scores, *options)


@pytest.mark.parametrize(
    ("labels", "positive"),
    [(["no", "yes"], "yes"), ([1, 2], "2"), ([-1, 1], "-1"), ([False, True], "true")],
)
def test_positive(run, tmp_path, frame, labels, positive):
    path = tmp_path / "scores.csv"
    named = [labels[y] for y in frame["outcome"]]
    frame.with_columns(pl.Series("outcome", named)).write_csv(path)
    options = ("--label", "outcome", "--score", "ridge", "--positive", positive)
    reversed_hint = int(positive == "-1")
    out = run(path, *options, "--format", "json", notes=reversed_hint)
    truth = frame["outcome"] if positive != "-1" else 1 - frame["outcome"]
    assert numbers(rows_of(out)[0]) == rl.auc_interval(truth, frame["ridge"]).to_dict()


@pytest.mark.parametrize("method", ["delong", "logit", "score", "newcombe", "bca", "bootstrap_t"])
def test_intervals_by_other_methods(run, frame, scores, method):
    options = ("--interval", method, "--seed", "3", "--resamples", "150", "--confidence", "0.9")
    out = run(scores, "--label", "outcome", "--score", "ridge", "--format", "json", *options)
    assert numbers(rows_of(out)[0]) == expected(
        frame, "ridge", method=method, rng=3, n_resamples=150, confidence_level=0.9
    )
