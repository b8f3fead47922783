"""Peak memory of a window, each in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import roclab as rl
from benchmarks.memory import STATUS, answer, in_its_own_process
from benchmarks.tables import Row, Table
from benchmarks.windows import RIVER, case_name
from benchmarks.workloads import Labels, Scores

SIZE = 10**6
AT_ONCE = 10**4  # events that a window gets at once, so that little but the window is there
COLUMNS = ("case", "contender", "threads", "bytes an event", "wanted", "extra MB")
TITLE = "Peak memory of a window, for each event in it"
WANTED = {"roclab WindowAUC": 64}


def tables(largest: int) -> list[Table]:
    if not STATUS.exists():
        note = "not measured: peak memory is read from /proc, which this system does not have"
        return [Table(title=TITLE, columns=COLUMNS, rows=[], notes=[note])]
    there = [name for name in CALLS if name != RIVER or find_spec("river")]
    rows = [_row(min(SIZE, largest), contender) for contender in there]
    return [Table(title=TITLE, columns=COLUMNS, rows=rows)]


def _row(size: int, contender: str) -> Row:
    extra, _ = in_its_own_process("benchmarks.window_memory", contender, 2 * size, 0.5, 1)
    return {
        "case": case_name(size),
        "contender": contender,
        "threads": 1,
        "bytes an event": extra / size,
        "wanted": WANTED.get(contender, "-"),
        "extra MB": extra / 1e6,
    }


def _river(y: Labels, s: Scores) -> float:
    # Imported here, so that a process loads only what it measures.
    from river.metrics import RollingROCAUC

    window = RollingROCAUC(len(y) // 2)
    for first in range(0, len(y), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        for label, score in zip(y[part].tolist(), s[part].tolist(), strict=True):
            window.update(label, score)
        window.get()
    return float(window.get())


def _window(y: Labels, s: Scores) -> float:
    return _slid_once_over(rl.WindowAUC(len(y) // 2), y, s).auc


def _window_all_read(y: Labels, s: Scores) -> float:
    window = _slid_once_over(rl.WindowAUC(len(y) // 2), y, s)
    return window.interval().low + window.scored_auc


def _weighted_window(y: Labels, s: Scores) -> float:
    # The same for all events, which takes no memory.
    weights = np.broadcast_to(0.5, len(y))
    return _slid_once_over(rl.WindowAUC(len(y) // 2), y, s, sample_weight=weights).auc


def _approximate_window(y: Labels, s: Scores) -> float:
    return _slid_once_over(rl.ApproximateWindowAUC(len(y) // 2, 0.1), y, s).auc


def _slid_once_over(window: Any, y: Labels, s: Scores, **columns: Any) -> Any:
    """Twice as many events as the window holds: it fills up, and then all of it is replaced."""
    for first in range(0, len(y), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        window.update_many(y[part], s[part], **{name: of[part] for name, of in columns.items()})
    return window


CALLS: dict[str, Callable[[Labels, Scores], float]] = {
    RIVER: _river,
    "roclab WindowAUC": _window,
    "roclab WindowAUC, interval and scored_auc read": _window_all_read,
    "roclab WindowAUC, weighted": _weighted_window,
    "roclab ApproximateWindowAUC, eps 0.1": _approximate_window,
}


if __name__ == "__main__":
    answer(CALLS)
