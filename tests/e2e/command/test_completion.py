"""Shell completion: installed by one option, and right for commands, options and choices."""

import os
import shutil
import subprocess
import sys

import pytest
from commands import process


def completed(*words):
    """What the shell would offer for the last word."""
    line = " ".join(("roclab", *words))
    asked = {
        "_ROCLAB_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words)),
    }
    done = process(env=os.environ | asked)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ev",), ["evaluate"]),
        (("threshold", "--false-n"), ["--false-negative-cost"]),
        (("evaluate", "--format", "ma"), ["markdown"]),
        (("plot", "--kind", "de"), ["det", "decision"]),
    ],
)
def test_commands_options_and_choices(words, offered):
    assert completed(*words) == offered


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_one_option_installs_it(tmp_path):
    # With detection off the shell is named, since tests have no shell above them.
    home = {"HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = process("--install-completion", "bash", env=os.environ | home)
    assert done.returncode == 0, done.stderr
    assert b"completion installed in" in done.stdout
    script = tmp_path / ".bash_completions" / "roclab.sh"
    assert str(script) in (tmp_path / ".bashrc").read_text("utf-8")
    ask = (
        f"source {script}; COMP_WORDS=(roclab comp); COMP_CWORD=1; "
        "_roclab_completion roclab; echo ${COMPREPLY[@]}"
    )
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "roclab"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m roclab "$@"\n', "utf-8")
    command.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    shown = subprocess.run(
        ["bash", "-c", ask], capture_output=True, env=os.environ | {"PATH": path}, timeout=60
    )
    assert shown.stdout.split() == [b"compare"], shown.stderr


def test_the_script_can_be_shown_instead():
    named = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    for shell in ("bash", "zsh", "fish"):
        done = process("--show-completion", shell, env=os.environ | named)
        assert b"_ROCLAB_COMPLETE" in done.stdout
