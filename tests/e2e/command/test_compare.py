"""`roclab compare`: what the library finds, in the shell."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.cli import main
from roclab.report.documents.comparison import outcome


@pytest.fixture
def compare(capsysbinary):
    def compare(*arguments):
        code = main(["compare", *map(str, arguments)])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert (code, err) == (0, "")
        return out

    return compare


def expected(frame, models=("ridge", "forest"), **options):
    table = rl.ScoreTable(frame["outcome"], {name: frame[name] for name in models})
    return rl.compare(table, **options)


PRINTED = Path(__file__).parents[2] / "golden" / "printed"
MODELS = ("--score", "ridge", "--score", "forest")


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        ((), {}),
        (("--measure", "scored_auc"), {"measure": "scored_auc"}),
        (("--measure", "average_precision"), {"measure": "average_precision"}),
        (
            ("--measure", "sensitivity(specificity=0.8)", "--resamples", "40", "--seed", "3"),
            {"measure": "sensitivity(specificity=0.8)", "n_resamples": 40, "rng": 3},
        ),
        (("--correction", "fdr"), {"correction": "fdr"}),
        (("--confidence", "0.8"), {"confidence_level": 0.8}),
    ],
)
def test_json_is_what_the_library_finds(compare, scores, frame, options, keywords):
    found = json.loads(compare(scores, "--label", "outcome", *MODELS, "--format", "json", *options))
    assert found["pairs"] == expected(frame, **keywords).to_dict()["pairs"]
    assert found["models"] == expected(frame, **keywords).to_dict()["models"]


def test_table_matches_the_golden_output(monkeypatch, capsysbinary):
    monkeypatch.chdir(PRINTED)
    assert main(["compare", "scores.csv", "--label", "sick"]) == 0
    assert capsysbinary.readouterr().out == (PRINTED / "compare.txt").read_bytes()


def test_table_ends_with_a_sentence(compare, scores, frame):
    out = compare(scores, "--label", "outcome", *MODELS)
    assert outcome(expected(frame)) in out


def test_by_groups(compare, scores, frame):
    out = compare(scores, "--label", "outcome", *MODELS, "--by", "region", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["group"] for row in rows] == frame["region"].unique(maintain_order=True).to_list()
    for row in rows:
        part = frame.filter(pl.col("region") == row["group"])
        assert float(row["pvalue"]) == expected(part).pairs[0].pvalue


def test_weights(compare, scores, frame):
    out = compare(scores, "--label", "outcome", *MODELS, "--weight", "weight", "--format", "json")
    weighted = rl.ScoreTable(
        frame["outcome"],
        {name: frame[name] for name in ("ridge", "forest")},
        sample_weight=frame["weight"],
    )
    assert json.loads(out)["pairs"] == rl.compare(weighted).to_dict()["pairs"]


def test_identical_models(compare, tmp_path, frame):
    path = tmp_path / "twins.csv"
    frame.select("outcome", "ridge", twin="ridge").write_csv(path)
    (pair,) = json.loads(compare(path, "--label", "outcome", "--format", "json"))["pairs"]
    assert (pair["difference"], pair["pvalue"]) == (0, 1)


def test_a_missing_value_in_one_column_leaves_the_row_out_of_all(tmp_path, capsysbinary):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"y": [0, 1] * 10, "a": rng.normal(size=20), "b": rng.normal(size=20)})
    path = tmp_path / "gaps.csv"
    frame.with_columns(b=pl.when(pl.col("b") > 1).then(None).otherwise("b")).write_csv(path)
    assert main(["compare", str(path), "--label", "y", "--format", "json"]) == 0
    out, err = (stream.decode() for stream in capsysbinary.readouterr())
    dropped = int((frame["b"] > 1).sum())
    assert err == f"note: {dropped} of 20 rows left out; values missing: b {dropped}.\n"
    assert json.loads(out)["n_pos"] + json.loads(out)["n_neg"] == 20 - dropped


@pytest.mark.parametrize("engine", ["memory", "polars"])
def test_one_model_has_nothing_to_be_compared_with(refusal, scores, engine):
    said = refusal("compare", scores, "--label", "outcome", "--score", "ridge", "--engine", engine)
    assert said == (
        "roclab: There is one model, `ridge`; a comparison needs two. Name their columns with "
        "--score, or see: roclab evaluate.\n"
    )


def test_wrong_options_are_told_in_one_line(refusal, scores):
    assert "--correction is 'bonferroni', which is not one of holm, fdr, none" in refusal(
        "compare", scores, "--label", "outcome", "--correction", "bonferroni"
    )
    assert "not between 0 and 1" in refusal(
        "compare", scores, "--label", "outcome", "--confidence", "95"
    )
    assert "Did you mean `outcome`" in refusal("compare", scores, "--label", "outcom")
