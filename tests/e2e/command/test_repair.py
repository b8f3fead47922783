"""`roclab repair` and `roclab repair apply`: what is found, kept, written and refused."""

import io
import json
import re
import sys

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.cli import main


@pytest.fixture
def table():
    """A model with an inverted band, in three folds."""
    rng = np.random.default_rng(1)
    y = rng.random(1500) < 0.4
    s = np.where(y, rng.beta(4, 2, 1500), rng.beta(2, 4, 1500)).round(3)
    band = (s > 0.3) & (s < 0.65)
    s[band] = (0.95 - s[band]).round(3)
    fold = np.where(
        np.arange(1500) < 800, "train", np.where(np.arange(1500) < 1300, "check", "new")
    )
    return pl.DataFrame({"id": [f"r{i:05}" for i in range(1500)], "fold": fold, "y": y, "model": s})


@pytest.fixture
def file(tmp_path, table):
    path = tmp_path / "scores.csv"
    table.write_csv(path)
    return path


@pytest.fixture
def run(capsysbinary):
    def run(*arguments):
        code = main(["repair", *map(str, arguments)])
        out, err = (stream.decode() for stream in capsysbinary.readouterr())
        assert code == 0, err
        return out, err

    return run


CHECK_ALL = tuple(f"--check-on=fold={name}" for name in ("train", "check", "new"))
FOLDS = ("--label", "y", "--fit-on", "fold=train", "--check-on", "fold=check")


def ranking(table, fold):
    part = table.filter(pl.col("fold") == fold)
    return rl.Ranking(part["y"].to_numpy(), part["model"].to_numpy())


def test_prints_finds_and_writes_what_the_library_does(run, file, table, tmp_path):
    output = tmp_path / "repaired.csv"
    out, err = run(file, *FOLDS, "-o", output)
    expected = rl.checked_repair(ranking(table, "train"), ranking(table, "check"))
    (decision,) = expected.decisions
    assert decision.kept
    assert decision.reason in out
    assert "1 of 1 concavity is repaired." in out
    assert f"difference {expected.gain.difference:+.3f}" in out
    assert err.splitlines() == [
        f"note: Repaired scores are in the column model_repaired of {output}.",
        f"note: The repair is in {tmp_path / 'repaired.json'}.",
    ]
    written = pl.read_csv(output, schema_overrides={"id": pl.String})
    assert written.drop("model_repaired").equals(table)
    assert written["model_repaired"].to_list() == expected.repair.apply(table["model"]).tolist()
    stored = (tmp_path / "repaired.json").read_text()
    assert rl.ScoreRepair.from_json(stored) == expected.repair
    assert json.loads(stored)["score"] == "model"


def test_applies_the_map_to_new_rows(run, file, table, tmp_path, monkeypatch):
    run(file, *FOLDS, "--map", tmp_path / "map.json")
    new = table.filter(pl.col("fold") == "new").select("id", "model")
    new.write_csv(tmp_path / "new.csv")
    repair = rl.ScoreRepair.from_json((tmp_path / "map.json").read_text())
    expected = repair.apply(new["model"]).tolist()
    out, err = run("apply", tmp_path / "map.json", tmp_path / "new.csv")
    assert err == ""
    read = pl.read_csv(io.StringIO(out), schema_overrides={"id": pl.String})
    assert read["id"].to_list() == new["id"].to_list()
    assert read["model_repaired"].to_list() == expected
    for name in ("new.tsv", "new.parquet", "new.jsonl"):
        run("apply", tmp_path / "map.json", tmp_path / "new.csv", "-o", tmp_path / name)
        again, _ = run("apply", tmp_path / "map.json", tmp_path / name, "--score", "model_repaired")
        twice = pl.read_csv(io.StringIO(again))["model_repaired_repaired"].to_numpy()
        fitted = np.isin(new["model"], repair.sections[0].scores)
        assert twice[fitted].tolist() == new["model"].to_numpy()[fitted].tolist()
    bytes_of_new = (tmp_path / "new.csv").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(bytes_of_new)))
    assert run("apply", tmp_path / "map.json")[0] == out


@pytest.mark.parametrize("suffix", ["csv.gz", "CSV.GZ", "tsv.zst", "jsonl.gz", "NDJSON.ZST"])
def test_compressed_outputs_hold_the_same_rows(run, file, table, tmp_path, suffix):
    run(file, *FOLDS, "-o", tmp_path / "plain.csv", "--map", tmp_path / "map.json")
    expected = pl.read_csv(tmp_path / "plain.csv")
    output = tmp_path / f"repaired.{suffix}"
    _, err = run(file, *FOLDS, "-o", output)
    assert f"The repair is in {tmp_path / 'repaired.json'}." in err
    magic = b"\x1f\x8b" if suffix.lower().endswith("gz") else b"\x28\xb5\x2f\xfd"
    assert output.read_bytes().startswith(magic)
    again = tmp_path / f"again.{suffix}"
    run("apply", tmp_path / "map.json", file, "-o", again)
    for path in (output, again):
        data = rl.read_scores(path, y_true="y", y_score=["model", "model_repaired"], by="id")
        assert data.groups["id"].tolist() == table["id"].to_list()
        assert data.y_true.tolist() == table["y"].to_list()
        assert data.scores["model_repaired"].tolist() == expected["model_repaired"].to_list()


def test_rows_without_a_score_keep_none(run, file, tmp_path):
    run(file, *FOLDS, "--map", tmp_path / "map.json")
    (tmp_path / "new.csv").write_text("id,model\n007,0.5\n008,\n009,NA\n")
    out, _ = run("apply", tmp_path / "map.json", tmp_path / "new.csv")
    assert re.fullmatch(r"id,model,model_repaired\n007,0\.5,0\.\d+\n008,,\n009,NA,\n", out)


def test_a_column_of_lists_comes_along(run, file, tmp_path):
    run(file, *FOLDS, "--map", tmp_path / "map.json")
    frame = pl.DataFrame({"tags": [["a", "b"], [], None], "model": [0.01, 0.02, None]})
    frame.write_parquet(tmp_path / "new.parquet")
    apply = ("apply", tmp_path / "map.json", tmp_path / "new.parquet")
    expected = 'tags,model,model_repaired\n"[""a"", ""b""]",0.01,0.01\n[],0.02,0.02\n,,\n'
    assert run(*apply)[0] == expected
    run(*apply, "-o", tmp_path / "new.csv")
    assert (tmp_path / "new.csv").read_text() == expected
    run(*apply, "-o", tmp_path / "again.parquet")
    written = pl.read_parquet(tmp_path / "again.parquet")
    assert written.drop("model_repaired").equals(frame)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,model\n1,0.5\n2\n", "line 3: 1 field, but the header has 2"),
        ("id,model\n1,0.5\n2,0.5,3\n", "line 3: 3 fields, but the header has 2"),
        ("id,model,model\n1,0.5,1\n", "2 columns are called `model`"),
        ("id,id,model\n1,1,0.5\n", "2 columns are called `id`"),
    ],
)
def test_tables_that_are_none_are_refused(refusal, run, file, tmp_path, text, message):
    run(file, *FOLDS, "--map", tmp_path / "map.json")
    (tmp_path / "new.csv").write_text(text)
    assert message in refusal("repair", "apply", tmp_path / "map.json", tmp_path / "new.csv")


def test_without_fit_on_all_rows_that_are_not_checked_are_used(run, file, table, tmp_path):
    run(file, "--label", "y", "--check-on", "fold=check", "--map", tmp_path / "map.json")
    others = table.filter(pl.col("fold") != "check")
    found = rl.Ranking(others["y"].to_numpy(), others["model"].to_numpy())
    expected = rl.checked_repair(found, ranking(table, "check")).repair
    assert rl.ScoreRepair.from_json((tmp_path / "map.json").read_text()) == expected


def test_several_folds_and_every_option(run, file, table):
    out, err = run(
        *(file, *FOLDS, "--check-on", "fold=new", "--sections", "all", "--method", "flatten"),
        *("--keep", "most_folds", "--alpha", "0.1", "--format", "json"),
    )
    expected = rl.checked_repair(
        ranking(table, "train"),
        [ranking(table, "check"), ranking(table, "new")],
        sections="all",
        method="flatten",
        keep="most_folds",
        alpha=0.1,
    )
    data = json.loads(out)
    assert [one["kept"] for one in data["decisions"]] == [one.kept for one in expected.decisions]
    assert [one["gains"] for one in data["decisions"]] == [
        list(one.gains) for one in expected.decisions
    ]
    assert data["gain"]["difference"] == expected.gain.difference
    assert err.startswith("note: ")


def test_formats(run, file):
    csv, _ = run(file, *FOLDS, "--format", "csv")
    assert csv.splitlines()[0].startswith("low,high,area,n_pos,n_neg,checked_pos")
    markdown, _ = run(file, *FOLDS, "--format", "markdown")
    assert markdown.startswith("| scores")


def test_says_when_nothing_is_to_be_mended(run, tmp_path):
    path = tmp_path / "fine.csv"
    path.write_text("y,fold,s\n" + "".join(f"{i % 2},{i // 2 % 2},{i % 2}\n" for i in range(40)))
    output = tmp_path / "same.csv"
    out, _ = run(path, "--label", "y", "--check-on", "fold=1", "-o", output)
    assert out == "No concavity was found, so there is nothing to repair.\n"
    written = pl.read_csv(output)
    assert written["s"].to_list() == written["s_repaired"].to_list()
    csv, _ = run(path, "--label", "y", "--check-on", "fold=1", "--format", "csv")
    assert csv.count("\n") == 1


def test_weights_and_positive_labels(run, table, tmp_path):
    words = table.with_columns(
        y=pl.when("y").then(pl.lit("bad")).otherwise(pl.lit("good")), w=pl.lit(2.0)
    )
    words.write_csv(tmp_path / "words.csv")
    arguments = (tmp_path / "words.csv", "--positive", "bad", "--weight", "w", *FOLDS)
    out, _ = run(*arguments)
    assert "1 of 1 concavity is repaired." in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--label", "y"), "Missing option '--check-on'"),
        (("--label", "y", "--check-on", "fold"), "--check-on fold names no rows"),
        (("--label", "y", "--check-on", "fold=x"), "No row has fold=x. Values of `fold`: train"),
        (("--label", "y", "--check-on", "fald=x"), "Did you mean `fold`?"),
        ((*FOLDS, "--fit-on", "fold=check"), "Some rows are both in --fit-on and in --check-on"),
        ((*FOLDS, "--check-on", "fold=check"), "Some rows are both in"),
        (("--label", "y", *CHECK_ALL), "All rows are used to check; other rows are needed"),
        ((*FOLDS, "--alpha", "2"), "--alpha 2.0 is out of range; a number between 0 and 1"),
        ((*FOLDS, "-o", "x.doc"), "The suffix of `x.doc`"),
        ((*FOLDS, "-o", "nowhere/x.csv"), "There is no folder `nowhere`"),
        ((*FOLDS, "--map", "nowhere/x.json"), "There is no folder `nowhere`"),
        ((*FOLDS, "-o", ""), "name of the output file is empty"),
        ((*FOLDS, "--map", ""), "name of the output file is empty"),
        ((*FOLDS, "-o", "."), "`.` is a directory"),
    ],
)
def test_refusals(refusal, file, arguments, message):
    assert message in refusal("repair", file, *arguments)


def test_refuses_several_columns_of_scores(refusal, table, tmp_path):
    table.with_columns(other=pl.lit(1.5)).write_csv(tmp_path / "two.csv")
    assert "Name one with --score" in refusal("repair", tmp_path / "two.csv", *FOLDS)
    (tmp_path / "map.json").write_text(rl.ScoreRepair().to_json())
    said = refusal("repair", "apply", tmp_path / "map.json", tmp_path / "two.csv")
    assert "Numeric columns" in said


@pytest.mark.parametrize("name", ["-", None])
def test_standard_input_with_an_output(run, file, tmp_path, monkeypatch, name):
    run(file, *FOLDS, "-o", tmp_path / "from_file.csv")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    run(*filter(None, [name]), *FOLDS, "-o", tmp_path / "from_stdin.csv")
    written = (tmp_path / "from_stdin.csv").read_bytes()
    assert written == (tmp_path / "from_file.csv").read_bytes()


def test_refuses_maps(refusal, file, tmp_path):
    (tmp_path / "map.json").write_text("{}")
    assert "is not a ScoreRepair" in refusal("repair", "apply", tmp_path / "map.json", file)
    assert "cannot be read" in refusal("repair", "apply", tmp_path / "none.json", file)
    (tmp_path / "map.json").write_text(rl.ScoreRepair().to_json())
    arguments = ("repair", "apply", tmp_path / "map.json", file)
    assert "Column `fold` is not numeric" in refusal(*arguments, "--score", "fold")
    assert "Did you mean `model`?" in refusal(*arguments, "--score", "modell")
