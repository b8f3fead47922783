"""Help and version."""

import pytest
from commands import process
from typer.main import get_command

import roclab as rl
from roclab.cli import main
from roclab.cli.app import app


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"roclab {rl.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help(capsys, arguments):
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "Example: roclab evaluate scores.csv --label outcome" in out
    assert "--install-completion" in out


def test_help_of_evaluate_names_every_option(capsys):
    assert main(["evaluate", "--help"]) == 0
    out = capsys.readouterr().out
    for word in ("FILE", "--label", "--score", "--positive", "--weight", "--by", "--confidence"):
        assert word in out
    for word in ("--format", "--input-format", "standard input", "Example: roclab evaluate"):
        assert word in out
    assert "completion" not in out


def test_python_m_roclab_is_the_command():
    done = process("--version")
    assert (done.returncode, done.stdout) == (0, f"roclab {rl.__version__}\n".encode())


@pytest.mark.parametrize("name", ["", *get_command(app).commands])
def test_help_fits_80_columns(capsys, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*name.split(), "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line) > 80] == []
    # Nothing is cut, but for the three dots of the usage line.
    assert [line for line in lines[1:] if "..." in line] == []
