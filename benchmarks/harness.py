"""Fair timing: contenders that agree, in turns, with the processor watched.

Every contender of a case runs once in each round, in an order that changes from round to round, so
that whatever else the machine does falls on all of them. A figure is a median over the rounds.
"""

from __future__ import annotations

import hashlib
import math
import os
import random
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from benchmarks.tables import Row, Table

FEWEST_ROUNDS, MOST_ROUNDS = 5, 15
CASE_SECONDS = 10.0  # as many rounds as fit in this time, within those limits
CALL_SECONDS = 2e-3  # shorter calls are repeated until they last this long together
EXACT = 1e-12  # relative difference that rounding of doubles explains
SINGLE = 1e-6  # the same for contenders that compute in float32
COLUMNS = (
    "case",
    "contender",
    "threads",
    "agrees within",
    "wall ratio",
    "lowest",
    "highest",
    "CPU ratio",
    "wall ms",
    "CPU ms",
    "rounds",
    "free cores",
)


COST_COLUMNS = (
    "case",
    "contender",
    "threads",
    "times auc",
    "wanted",
    "lowest",
    "highest",
    "CPU times auc",
    "wall ms",
    "CPU ms",
    "rounds",
    "free cores",
)


class DisagreementError(Exception):
    """Contenders that do not compute the same thing, so that timing them would mean nothing."""


@dataclass(frozen=True, kw_only=True)
class Contender:
    """Something to be timed.

    Attributes
    ----------
    name : str
        As the tables print it.
    call : callable
        What is timed.
    threads : int
        Threads it works with; for roclab, those it is told to use.
    result : callable
        From what `call` returned to the numbers that must agree.
    tolerance : float
        Largest relative difference of those numbers from the peer's. Printed in the table.
    units : int
        How many of the same thing a call does; times are for one. A slow peer may do fewer.
    """

    name: str
    call: Callable[[], Any]
    threads: int = 1
    result: Callable[[Any], npt.ArrayLike] = np.asarray
    tolerance: float = EXACT
    units: int = 1


@dataclass(frozen=True, kw_only=True)
class Case:
    """Contenders for the same work. Ratios are over the first of them, the peer."""

    name: str
    contenders: Sequence[Contender]
    skipped: Sequence[str] = ()


def timing_table(title: str, cases: Iterator[Case]) -> Table:
    """Check and time case by case, each made by the iterator in its turn."""
    rows: list[Row] = []
    notes: list[str] = []
    # Only roclab is to use several threads; numpy's linear algebra would otherwise help itself.
    with threadpool_limits(limits=1):
        for case in cases:
            print(f"{title}: {case.name}", file=sys.stderr)
            check_agreement(case)
            rows += _time(case)
            notes += [f"{case.name}: {reason}" for reason in case.skipped]
    return Table(title=title, columns=COLUMNS, rows=rows, notes=notes)


def cost_table(title: str, cases: Iterator[Case], wanted: Mapping[str, float]) -> Table:
    """Time, and say how many times as long as the peer a contender takes; the peer reads an AUC.

    `wanted` is the most that it should be, by the name of a contender.
    """
    timed = timing_table(title, cases)
    rows: list[Row] = [
        {
            **{column: row[column] for column in COST_COLUMNS if column in row},
            "times auc": 1 / row["wall ratio"],
            "wanted": wanted.get(row["contender"], "-"),
            "lowest": 1 / row["highest"],
            "highest": 1 / row["lowest"],
            "CPU times auc": 1 / row["CPU ratio"],
        }
        for row in timed.rows
    ]
    return Table(title=title, columns=COST_COLUMNS, rows=rows, notes=timed.notes)


def is_finite(value: Any) -> bool:
    """Whether there is a value: all that contenders for different measures can agree on."""
    return bool(np.isfinite(value).all())


def check_agreement(case: Case) -> None:
    """Raise DisagreementError unless every contender finds what the peer finds.

    This is also each contender's first call, which is not timed.
    """
    peer = case.contenders[0]
    expected = np.asarray(peer.result(_call(peer)), dtype=float)
    for contender in case.contenders[1:]:
        found = np.asarray(contender.result(_call(contender)), dtype=float)
        if found.shape != expected.shape or not np.allclose(
            found, expected, rtol=contender.tolerance, atol=0
        ):
            raise DisagreementError(
                f"{case.name}: {contender.name} finds {found}, {peer.name} finds {expected}; they "
                f"should agree within {contender.tolerance:g}. Nothing of this case was timed."
            )


def free_cores() -> float:
    """Cores that as many threads as there are cores really get, for a tenth of a second.

    Clearly less than there are means that other work runs on the machine, and that the figures of
    more than one thread mean little.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    used: list[float] = []
    end = time.perf_counter() + 0.1

    def spin() -> None:
        start = time.thread_time()
        while time.perf_counter() < end:
            hashlib.sha256(block)  # lets go of the GIL
        used.append(time.thread_time() - start)

    block = bytes(1 << 20)
    threads = [threading.Thread(target=spin) for _ in range(cores or 1)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(used) / (time.perf_counter() - start)


def _time(case: Case) -> list[Row]:
    cores = free_cores()
    repeats = []
    turn_seconds = 0.0
    for contender in case.contenders:
        wall = _call_seconds(contender)
        repeats.append(math.ceil(CALL_SECONDS / wall))
        turn_seconds += wall * repeats[-1]
    rounds = min(max(int(CASE_SECONDS / turn_seconds), FEWEST_ROUNDS), MOST_ROUNDS)

    places = range(len(case.contenders))
    walls: list[list[float]] = [[] for _ in places]
    cpus: list[list[float]] = [[] for _ in places]
    for turn in range(rounds):
        # A new order each time, so that nobody always finds the cache the same neighbour left.
        for place in random.Random(turn).sample(places, len(places)):
            wall, cpu = _measure(case.contenders[place], repeats[place])
            walls[place].append(wall / case.contenders[place].units)
            cpus[place].append(cpu / case.contenders[place].units)

    rows = []
    for place, contender in enumerate(case.contenders):
        wall_times, cpu_times = walls[place], cpus[place]
        wall, cpu = statistics.median(wall_times), statistics.median(cpu_times)
        by_round = [peer / own for peer, own in zip(walls[0], wall_times, strict=True)]
        rows.append(
            {
                "case": case.name,
                "contender": contender.name,
                "threads": contender.threads,
                "agrees within": f"{contender.tolerance:g}" if place else "(peer)",
                "wall ratio": statistics.median(walls[0]) / wall,
                "lowest": min(by_round),
                "highest": max(by_round),
                "CPU ratio": statistics.median(cpus[0]) / cpu,
                "wall ms": 1e3 * wall,
                "CPU ms": 1e3 * cpu,
                "rounds": rounds,
                "free cores": cores,
            }
        )
    return rows


def _call_seconds(contender: Contender) -> float:
    """A first guess; for short calls the best of several, since any one may have been disturbed."""
    wall, _ = _measure(contender, 1)
    if wall > 10 * CALL_SECONDS:
        return wall
    return min(_measure(contender, 1)[0] for _ in range(10))


def _measure(contender: Contender, repeats: int) -> tuple[float, float]:
    """Seconds per call: by the clock, and of processor time of all threads."""
    with _threads(contender.threads):
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(repeats):
            contender.call()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return wall / repeats, cpu / repeats


def _call(contender: Contender) -> Any:
    with _threads(contender.threads):
        return contender.call()


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """Tell roclab how many threads to use."""
    before = os.environ.get("ROCLAB_NUM_THREADS")
    os.environ["ROCLAB_NUM_THREADS"] = str(count)
    try:
        yield
    finally:
        if before is None:
            del os.environ["ROCLAB_NUM_THREADS"]
        else:
            os.environ["ROCLAB_NUM_THREADS"] = before
