"""Help and version."""

import pytest
from commands import process

import roclab as rl
from roclab.cli import main


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
