"""Columns of every type that Parquet has, beside those that a command uses."""

import datetime
from decimal import Decimal

import polars as pl
import pytest

import roclab as rl
from roclab.cli import main

ODD = {
    "list": [[1, 2], []],
    "struct": [{"a": 1}, None],
    "duration": [datetime.timedelta(seconds=1), None],
    "time": [datetime.time(1), None],
    "moment": [datetime.datetime(2020, 2, 1), None],
    "bytes": [b"\xff", None],
    "enum": pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"])),
    "wide": pl.Series([2**60, 2**60 + 1], dtype=pl.Int128),
    "decimal": pl.Series([Decimal("0.50"), Decimal("0.25")], dtype=pl.Decimal(38, 2)),
    "half": pl.Series([0.5, 0.25], dtype=pl.Float16),
}
NESTED = ["list", "struct"]
NO_NUMBERS = [*NESTED, "duration", "time", "moment", "bytes", "enum"]


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    odd = pl.concat([pl.DataFrame(ODD)] * 20)
    rows = pl.DataFrame(
        {
            "y": [at % 2 for at in range(40)],
            "s": [at * 7 % 11 for at in range(40)],
            "fold": ["ab"[at // 2 % 2] for at in range(40)],
        }
    )
    rows.hstack(odd).write_parquet("rows.parquet")
    (tmp_path / "map.json").write_text(rl.ScoreRepair().to_json())
    return "rows.parquet"


@pytest.mark.parametrize(
    "command",
    [
        "evaluate FILE --label y",
        "compare FILE --label y --score s --score half --score decimal",
        "select FILE --label y --score s --score decimal --resamples 5",
        "repair FILE --label y --score s --check-on fold=a -o new.csv.gz",
        "repair FILE --label y --score s --check-on fold=a -o new.jsonl",
        "repair apply map.json FILE --score s",
        "repair apply map.json FILE --score decimal",
        "train FILE --label y -o model.skops",
        "train FILE --label y -o model.skops --model tree",
    ],
)
def test_others_do_no_harm(file, capsysbinary, command):
    assert main(command.replace("FILE", file).split()) == 0, capsysbinary.readouterr()
    if command.startswith("train"):
        assert main(["score", "model.skops", file]) == 0
        out = capsysbinary.readouterr().out.decode()
        assert ',"[1, 2]","{""a"": 1}",PT1S,01:00:00.000000000,' in out.splitlines()[-40]


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_what_is_no_number_is_refused_by_name(file, refusal, name):
    for command in (
        f"evaluate {file} --label y --score {name}",
        f"evaluate {file} --label y --score s --weight {name}",
        f"compare {file} --label y --score s --score {name}",
        f"select {file} --label y --score s --score {name}",
        f"repair {file} --label y --score {name} --check-on fold=a -o new.csv",
        f"repair apply map.json {file} --score {name}",
        f"train {file} --label y --feature {name} -o model.skops",
        f"train {file} --label y --feature s --weight {name} -o model.skops",
    ):
        said = refusal(*command.split())
        assert f"Column `{name}` is " in said
        assert " not numeric" in said


@pytest.mark.parametrize("name", NESTED)
def test_lists_are_no_names(file, refusal, name):
    for command in (
        f"evaluate {file} --score s --label {name}",
        *(f"evaluate {file} --score s --label y --{role} {name}" for role in ("by", "cluster")),
        *(f"evaluate {file} --score s --label y --{role} {name}" for role in ("fold", "stratum")),
        f"compare {file} --score s --label y --by {name}",
        f"select {file} --score s --label y --cluster {name}",
        f"repair {file} --label y --score s --check-on {name}=1",
        f"train {file} --label {name} --feature s -o model.skops",
        f"watch --label {name} --score s --reference {file}",
    ):
        assert f"Column `{name}` holds values of type" in refusal(*command.split())


@pytest.mark.parametrize("name", [*NESTED, "duration", "bytes"])
def test_what_is_no_category(file, refusal, name):
    said = refusal(*f"train {file} --label y --model tree --category {name} -o x.skops".split())
    assert "a category is text, a number or a date" in said


@pytest.mark.parametrize("command", ["evaluate", "compare", "select", "report", "plot"])
def test_a_bad_cell_is_named(tmp_path, monkeypatch, capsysbinary, command):
    monkeypatch.chdir(tmp_path)
    rows = [f"{i % 2},{i * 7 % 11},{i * 5 % 13},{i * 3 % 17}\n" for i in range(80)]
    rows[17] = "1,oops,2,3\n"
    (tmp_path / "f.csv").write_text("y,s,t,u\n" + "".join(rows))
    output = {"report": ["-o", "r.html"], "plot": ["-o", "p.png"]}.get(command, [])
    assert main([command, "f.csv", "--label", "y", *output]) == 0
    said = capsysbinary.readouterr().err.decode().splitlines()
    assert [line for line in said if "`s`" in line] == [
        "note: Column `s` is ignored: `oops` in row 18 is not a number. Correct that value or "
        "leave it empty, or name all score columns with --score."
    ]
