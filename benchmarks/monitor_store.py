"""A large store of the monitor: memory while it fills, and the start of the process on it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.monitor_events import DAY, MODELS, SEGMENT_VALUES, Round, Size, now
from benchmarks.monitor_load import Sender
from benchmarks.monitor_servers import Server, SharedClock, clock_file
from benchmarks.tables import Row, Table

GROWTH = 1.1  # memory at the end over memory at a quarter, at most
FIGURES = ("case", "measured", "unit", "wanted")


def store(folder: Path, sender: Sender, size: Size) -> Table:
    """Memory while events of many days come, and the start of the process on them."""
    data = folder / "store"
    empty = Server.monitor(folder / "nothing")
    empty.stop()
    clock = SharedClock(clock_file(data))
    start = now() - size.stored_days * DAY
    clock.set(start)
    server = Server.of_this_module("clocked", data)
    steps = size.stored // size.batch
    per_day = max(1, steps // size.stored_days)
    memory: list[int] = []
    end = time.perf_counter() + size.store_seconds
    begin = time.perf_counter()
    try:
        rounds = [
            Round(
                ids="UUID7",
                batches=1,
                size=size.batch,
                since=start + step * DAY // per_day,
                until=start + (step + 1) * DAY // per_day,
                seed=step,
                mixed=True,
                together=True,
            )
            for step in range(steps)
        ]
        for step, one in enumerate(rounds):
            if time.perf_counter() > end:
                break
            bodies = [one.predictions]
            if step >= per_day:  # labels come a day later
                bodies.append(rounds[step - per_day].labels)
            sender.prepare(_joined, bodies)
            clock.set(one.until)
            sender.batches(server.port, 2)
            memory.append(server.rss())
        seconds = time.perf_counter() - begin
        server.kill()
        after_kill = Server.monitor(data)
        after_kill.stop()
        after_stop = Server.monitor(data)
        after_stop.stop()
    finally:
        server.kill()
    stored = len(memory) * size.batch
    labelled = stored / 2 + max(0, len(memory) - per_day) * size.batch / 2
    marks = {share: _before(memory, share) for share in (25, 50, 75, 100)}
    rows: list[Row] = [
        figure(f"memory at {share} %", value / 2**20, "MiB") for share, value in marks.items()
    ]
    rows += [
        figure("memory at 100 % over 25 %", marks[100] / marks[25], "", f"<= {GROWTH}"),
        figure("rows a second, with all that time does", (stored + labelled) / seconds, "1/s"),
        figure("start after SIGKILL", after_kill.start_seconds, "s"),
        figure("start after SIGTERM", after_stop.start_seconds, "s"),
        figure("start of an empty store", empty.start_seconds, "s"),
        figure("size of the database", (data / "monitor.sqlite").stat().st_size / 2**20, "MiB"),
    ]
    return Table(
        title=f"{stored:,} predictions of {MODELS} models x {SEGMENT_VALUES} segments in "
        f"{size.stored_days} days",
        columns=FIGURES,
        rows=rows,
        notes=[
            f"The clock of the monitor is set by the benchmark: {per_day} batches of all models a "
            "day. Half of the labels come with the predictions, the others a day later.",
        ],
    )


def _joined(makers: Sequence[Callable[[], list[Any]]]) -> list[Any]:
    return [body for make in makers for body in make()]


def _before(memory: list[int], share: int) -> float:
    """Median over the last twentieth of the steps before a share of them."""
    end = max(1, len(memory) * share // 100)
    return statistics.median(memory[max(0, end - max(1, len(memory) // 20)) : end])


def figure(case: str, measured: float, unit: str, wanted: str = "-") -> Row:
    """A row: what was measured, in which unit, and what is wanted."""
    return {"case": case, "measured": float(measured), "unit": unit, "wanted": wanted}
