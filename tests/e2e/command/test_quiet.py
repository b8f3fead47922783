"""`--quiet`: nothing on standard error but errors."""

import pytest

from roclab.cli import main
from roclab.cli.app import app
from roclab.cli.messages import commands_of
from roclab.cli.output import is_quiet


@pytest.fixture
def gaps(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("y,a,id\n1,0.9,1\n1,0.4,2\n0,0.4,3\n0,NA,4\n0,0.1,5\n")
    return str(path)


def test_every_command_has_it():
    for command in commands_of(app).values():
        assert "--quiet" in command.params[-1].opts


@pytest.mark.parametrize("option", ["--quiet", "-q"])
def test_no_notes_and_the_same_result(gaps, capsysbinary, option):
    evaluate = ["evaluate", gaps, "--label", "y", "--format", "csv"]
    assert main(evaluate) == 0
    noted = capsysbinary.readouterr()
    assert noted.err.count(b"note: ") == 2
    assert main([*evaluate, option]) == 0
    assert capsysbinary.readouterr() == (noted.out, b"")
    assert not is_quiet()


def test_notes_below_a_table_stay(gaps, capsysbinary):
    assert main(["evaluate", gaps, "--label", "y", "--quiet"]) == 0
    out, err = capsysbinary.readouterr()
    assert b"1 of 5 rows left out; values missing: a 1." in out
    assert err == b""


def test_errors_are_not_silenced(refusal):
    assert "No file `nowhere.csv`" in refusal("evaluate", "nowhere.csv", "--label", "y", "--quiet")
    assert not is_quiet()
