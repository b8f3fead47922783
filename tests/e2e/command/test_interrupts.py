"""Long work shows its progress on a terminal, and Ctrl-C ends it in one line, without a file."""

import os
import pty
import signal
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

ENDLESS = "100000000"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A table that takes seconds to report on or to learn from."""
    rng = np.random.default_rng(0)
    n = 1_000_000
    outcome = rng.random(n) < 0.3
    scores = {f"m{i}": rng.normal(size=n) + outcome for i in range(6)}
    path = tmp_path_factory.mktemp("large") / "large.parquet"
    pl.DataFrame({"malignant": outcome, **scores}).write_parquet(path)
    return str(path)


def interrupted(arguments, shows):
    """Interrupt a command when its terminal shows `shows`; its exit code and what it has shown."""
    screen, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "roclab", *arguments],
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(terminal)
    shown, waiting = b"", True
    while True:
        try:
            read = os.read(screen, 65536)
        except OSError:  # how Linux ends a terminal
            break
        if not read:
            break
        shown += read
        if waiting and shows.encode() in shown:
            process.send_signal(signal.SIGINT)
            waiting = False
    os.close(screen)
    return process.wait(), shown.decode()


THRESHOLD = ["threshold", "--score", "decision_tree", "--resamples", ENDLESS]


@pytest.mark.parametrize(
    ("command", "shows"),
    [(THRESHOLD, "replicates"), (["train"], "training"), (["report"], "writing")],
    ids=lambda value: value[0] if isinstance(value, list) else value,
)
def test_an_interrupt_ends_it_in_one_line(command, shows, large, tmp_path):
    name, *options = command
    source = "examples/scores.csv" if name == "threshold" else large
    output = [] if name == "threshold" else ["-o", str(tmp_path / "output")]
    code, shown = interrupted([name, source, "--label", "malignant", *options, *output], shows)
    assert code == 130
    # The bar is erased before the line.
    assert shown.endswith("\x1b[2Kroclab: interrupted\r\n")
    assert list(tmp_path.iterdir()) == []
