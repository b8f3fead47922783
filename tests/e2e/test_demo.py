"""What `make demo` runs: the main job in full, on the scores in `examples`."""

import os
import subprocess
import sys
from pathlib import Path

from documents import ROOT, with_examples


def test_the_demo_evaluates_compares_selects_and_writes_a_report(tmp_path):
    folder = with_examples(tmp_path)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "examples/demo.sh"],
        cwd=folder,
        env=os.environ | {"PATH": path, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    commands = [line.split()[2] for line in done.stdout.splitlines() if line.startswith("$ roclab")]
    assert commands == ["evaluate", "compare", "select", "report"]
    assert f"The report is in {folder}/report.html" in done.stdout
    assert "source .venv/bin/activate" in done.stdout
    assert "logistic_regression" in (folder / "report.html").read_text("utf-8")


def test_make_runs_it_and_git_ignores_what_it_writes():
    assert "sh examples/demo.sh" in (ROOT / "Makefile").read_text("utf-8")
    assert "/report.html" in (ROOT / ".gitignore").read_text("utf-8").splitlines()
