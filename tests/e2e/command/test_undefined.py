"""What is undefined: null, empty or a word, and one note."""

import csv
import io
import os

import pytest
from commands import process, rows_of

from roclab.cli import main


@pytest.fixture
def one_class(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,g,a,b\n1,p,2,1\n0,p,1,3\n1,q,1,1\n1,q,2,1\n0,r,1,1\n")
    return path


def test_groups_of_one_class_get_one_note(one_class, capsys):
    assert main(["evaluate", str(one_class), "--label", "y", "--by", "g"]) == 0
    out, err = capsys.readouterr()
    assert err == (
        "note: An AUC needs both classes, and one is missing in 2 of 3 groups of `g` (q, r): it is "
        "nan.\n"
    )
    assert [line.split()[2] for line in out.splitlines() if line[:1] in "qr" and line] == [
        "undefined"
    ] * 4


def test_undefined_numbers_are_null_in_json_and_empty_in_csv(run, one_class):
    rows = rows_of(run(one_class, "--label", "y", "--by", "g", "--format", "json", notes=1))
    assert [row["value"] for row in rows] == [1, 0, None, None, None, None]
    out = run(one_class, "--label", "y", "--by", "g", "--format", "csv", notes=1)
    assert [row["value"] for row in csv.DictReader(io.StringIO(out))] == ["1.0", "0.0"] + [""] * 4


def test_a_single_row(run, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,a\n1,0.5\n")
    assert "undefined" in run(path, "--label", "y", notes=1)


def test_warnings_made_errors_by_the_environment_stay_notes(one_class):
    environment = {**os.environ, "PYTHONWARNINGS": "error::UserWarning"}
    done = process("evaluate", one_class, "--label", "y", "--by", "g", env=environment)
    assert done.returncode == 0
    assert done.stderr.startswith(b"note: ")
