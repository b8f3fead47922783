"""`--measure` and `roclab measures`: any measure, by word."""

import csv
import io
import json

import pytest
from commands import process, rows_of

import roclab as rl


def test_further_measures_in_every_format(run, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,a\n1,0.9\n1,0.4\n0,0.4\n0,0.1\n")
    options = (path, "--label", "y", "--measure", "gini, auc")
    assert "n-    gini\n" in run(*options)
    assert "| 0.750 |" in run(*options, "--format", "markdown")
    assert json.loads(run(*options, "--format", "json"))["rows"][0]["gini"] == 0.75
    header, row = run(*options, "--format", "csv").splitlines()
    assert (header.split(",")[-1], row.split(",")[-1]) == ("gini", "0.75")


def test_measures_with_options_and_parts_in_every_format(run, scores, frame):
    words = "partial_auc(fpr_range=(0,0.2),standardize=True),granular_auc(granularity=0.1)"
    options = (scores, "--label", "outcome", "--score", "ridge", "--measure", words)
    ranking = rl.Ranking(frame["outcome"], frame["ridge"])
    area = rl.granular_auc(ranking, granularity=0.1).to_dict()
    expected = {
        "partial_auc(fpr_range=(0, 0.2), standardize=True)": rl.partial_auc(
            ranking, fpr_range=(0, 0.2), standardize=True
        )
    } | {f"granular_auc(granularity=0.1).{p}": area[p] for p in ("low", "auc", "up", "lambda")}
    (row,) = rows_of(run(*options, "--format", "json"))
    assert {name: row[name] for name in expected} == expected
    (row,) = csv.DictReader(io.StringIO(run(*options, "--format", "csv")))
    assert {name: float(row[name]) for name in expected} == expected
    rounded = [f"{value:.3f}" for value in expected.values()]
    assert run(*options).splitlines()[4].split()[-5:] == rounded
    cells = run(*options, "--format", "markdown").splitlines()[2].split("|")
    assert [cell.strip() for cell in cells[-6:-1]] == rounded


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("gini,scored-auc", "Did you mean 'scored_auc'?"),
        ("margin_auc", "needs margin. Its options: margin (a number)"),
        ("gini,margin_auc(margin=0.2", "For example: margin_auc(margin=0.2)."),
        ("margin_auc(margn=0.2)", "no option 'margn'"),
        ("margin_auc(margin=high)", "margin=high is not a value"),
    ],
)
def test_wrong_measures_are_told_before_the_file_is_read(refusal, words, said):
    assert said in refusal("evaluate", "nowhere.csv", "--label", "y", "--measure", words)


def test_measures_are_listed_in_every_format():
    names = sorted(measure.name for measure in rl.list_measures().measures)
    listed = process("measures").stdout.decode()
    assert all(f"\n{name} " in listed for name in names)
    as_json = json.loads(process("measures", "--format", "json").stdout)
    assert [measure["name"] for measure in as_json["measures"]] == names
    assert len(process("measures", "--format", "csv").stdout.splitlines()) == len(names) + 1
    assert process("measures", "--format", "markdown").stdout.startswith(b"| measure")


@pytest.mark.parametrize("columns", [40, 80, 110])
def test_a_narrow_terminal_breaks_no_word_of_the_list(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = process("measures").stdout.decode()
    assert max(map(len, shown.splitlines())) <= columns
    text = " ".join(shown.split())
    cost = (
        "expected_cost(false_positive_cost, false_negative_cost, prevalence=None, threshold=None)"
    )
    assert f" {cost} expected cost per example " in text
    for measure in rl.list_measures().measures:
        assert f" {measure.meaning}" in text
        assert f" {measure.reference} " in text


def test_a_list_with_commas_is_as_good_as_repetition(run, scores):
    base = (scores, "--label", "outcome", "--format", "csv")
    listed = run(*base, "--score", "ridge,forest", "--measure", "gini,soft_auc(slope=9)")
    repeated = run(
        *base, "--score", "ridge", "--score", "forest", "--measure", "gini",
        "--measure", "soft_auc(slope=9)",
    )  # fmt: skip
    assert listed == repeated
    assert len(listed.splitlines()) == 3
