"""Help and version."""

import pytest
from commands import process

import roclab as rl
from roclab.cli import main
from roclab.cli.app import app
from roclab.cli.messages import commands_of


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


@pytest.mark.parametrize("name", ["", "monitor", *commands_of(app)])
def test_help_fits_80_columns(capsys, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*name.split(), "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line) > 80] == []
    # Nothing is cut, but for the three dots of the usage line.
    assert [line for line in lines[1:] if "..." in line] == []


@pytest.mark.parametrize("arguments", [["monitor"], ["monitor", "--help"], ["monitor", "-h"]])
def test_a_group_lists_its_commands(capsys, arguments):
    assert main(arguments) == 0
    out = capsys.readouterr().out
    names = [name.removeprefix("monitor ") for name in commands_of(app) if "monitor " in name]
    listed = [line.split()[0] for line in out.split("Commands:\n")[1].split("\n\n")[0].splitlines()]
    assert listed == names
    assert "Example: roclab monitor serve --demo" in out


def test_a_group_is_one_line_of_the_help(capsys):
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if "monitor" in line] == ["monitor"]
