"""Peak extra memory of an AUC call, each call in a process of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import roclab as rl
from benchmarks.tables import Row, Table
from benchmarks.workloads import Labels, Scores, Workload

SHARES = (0.05, 0.5)
SIZE = 10**7
STATUS = Path("/proc/self/status")
COLUMNS = ("case", "contender", "threads", "times the input", "extra MB", "input MB")
TITLE = "Peak extra memory of an AUC, as a multiple of the labels and scores passed"


def _scikit_learn_auc(y: Labels, s: Scores) -> float:
    # Imported here, so that a process loads only what it measures.
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(y, s))


CALLS: dict[str, Callable[[Labels, Scores], float]] = {
    "scikit-learn roc_auc_score": _scikit_learn_auc,
    "roclab auc": rl.auc,
}
CONTENDERS = [("scikit-learn roc_auc_score", 1), ("roclab auc", 1), ("roclab auc", 2)]


def tables(largest: int) -> list[Table]:
    if not STATUS.exists():
        note = "not measured: peak memory is read from /proc, which this system does not have"
        return [Table(title=TITLE, columns=COLUMNS, rows=[], notes=[note])]
    n = min(SIZE, largest)
    rows = [_row(n, share, *contender) for share in SHARES for contender in CONTENDERS]
    return [Table(title=TITLE, columns=COLUMNS, rows=rows)]


def _row(n: int, share: float, contender: str, threads: int) -> Row:
    extra, given = in_its_own_process("benchmarks.memory", contender, n, share, threads)
    return {
        "case": Workload(n=n, positives=share).name,
        "contender": contender,
        "threads": threads,
        "times the input": extra / given,
        "extra MB": extra / 1e6,
        "input MB": given / 1e6,
    }


def in_its_own_process(
    module: str, contender: str, n: int, share: float, threads: int
) -> tuple[int, int]:
    """What `measure` finds, asked of a module that does so when it is run."""
    found = subprocess.run(
        [sys.executable, "-m", module, contender, str(n), str(share)],
        env=os.environ | {"ROCLAB_NUM_THREADS": str(threads)},
        cwd=Path(__file__).parents[1],
        check=True,
        capture_output=True,
        text=True,
    )
    extra, given = json.loads(found.stdout)
    return extra, given


def measure(call: Callable[[Labels, Scores], float], n: int, share: float) -> tuple[int, int]:
    """Bytes that a call needed at its peak beyond what was there before, and bytes passed to it.

    The data are made in place, so that making them leaves no higher peak behind; if it did, the
    figure would only be too large.
    """
    call(np.array([False, True]), np.array([0.0, 1.0]))  # whatever is set up once, is set up now
    rng = np.random.default_rng(0)
    y = np.zeros(n, dtype=bool)
    y[: round(share * n)] = True
    rng.shuffle(y)
    s = np.empty(n)
    rng.standard_normal(out=s)
    s += y
    before = _kilobytes("VmRSS")
    call(y, s)
    return 1024 * (_kilobytes("VmHWM") - before), y.nbytes + s.nbytes


def _kilobytes(field: str) -> int:
    found = re.search(rf"{field}:\s+(\d+) kB", STATUS.read_text())
    if found is None:
        raise RuntimeError(f"{STATUS} has no {field}.")
    return int(found[1])


def answer(calls: dict[str, Callable[[Labels, Scores], float]]) -> None:
    """Measure the call that the command names, and print what was found."""
    name, size, positives = sys.argv[1:]
    print(json.dumps(measure(calls[name], int(size), float(positives))))


if __name__ == "__main__":
    answer(CALLS)
