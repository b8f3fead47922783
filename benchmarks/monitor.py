"""The monitor under load: ``python -m benchmarks.monitor [part ...] [--quick]``.

Every rate has its baseline in the same run, in turns; while one of the two works, the other is
stopped. What is sent is encoded before the clock starts, by a process of its own.
"""

from __future__ import annotations

import argparse
import http.client
import logging
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.monitor_events import (
    DAY,
    MODELS,
    SEGMENT_VALUES,
    Ids,
    Round,
    label_values,
    model_name,
    now,
    prediction_values,
)
from benchmarks.monitor_load import HOST, TIMEOUT, Sender
from benchmarks.monitor_servers import Server, SharedClock, clock_file
from benchmarks.tables import Row, Table, write
from roclab.monitor.cohorts import Reading
from roclab.monitor.installation import Installation
from roclab.monitor.settings import Settings
from roclab.monitor.store.sqlite import SQLiteStore

RESULTS = Path(__file__).with_name("results")
PRODUCERS = 4  # connections that send batches
SINGLES = 64  # connections that send single events
AT_LEAST = 0.5  # of the baseline's rate
SLOWER_READS = 5.0  # p99 under ingest over p99 when idle, at most
GROWTH = 1.1  # memory at the end over memory at a quarter, at most
OVERVIEW_MS = 50.0
NOTE = (
    "One run on loopback; rates have a baseline in the same run, in turns, and ratios are medians "
    "over rounds. Everything that is sent is encoded before, and sent by another process."
)
RATES = ("case", "contender", "ratio", "wanted", "lowest", "highest", "per second", "rounds")
READS = ("case", "idle p50 ms", "idle p99 ms", "p50 ms", "p99 ms", "p99 ratio", "wanted", "reads")
FIGURES = ("case", "measured", "unit", "wanted")

# The statements of the store, for rows that are new and labels that are the first.
INSERT = (
    "INSERT OR IGNORE INTO event (model, id, cohort, time, score, version, segments, received, "
    "label, label_time, label_received) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
UPDATE = (
    "UPDATE event SET label = ?, label_time = ?, label_received = ?, implicit = NULL "
    "WHERE model = ? AND id = ?"
)
LARGEST_LOG = 64 * 2**20  # bytes, then it is moved into the file, as the service does


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much is measured."""

    rounds: int = 10
    batches: int = 10  # of a round
    batch: int = 10_000
    single_rounds: int = 7
    singles: int = 6_000  # predictions of a round
    history_days: int = 90
    read_seconds: float = 60.0
    stored: int = 10**7
    stored_days: int = 100
    store_seconds: float = 3600.0
    overview_models: int = 200
    overview_days: int = 730
    overview_reads: int = 50


QUICK = Size(
    rounds=1,
    batches=2,
    single_rounds=1,
    singles=600,
    history_days=32,
    read_seconds=2.0,
    stored=60_000,
    stored_days=6,
    store_seconds=30.0,
    overview_models=20,
    overview_days=60,
    overview_reads=10,
)


def main(arguments: Sequence[str] | None = None, results: Path = RESULTS) -> None:
    """Measure and write the tables; only a full run writes the committed results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.monitor", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; default all")
    parser.add_argument("--quick", action="store_true", help="less of everything: indicative only")
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    size = QUICK if chosen.quick else Size()
    # Alerts of stores that are built here are of no interest.
    logging.getLogger("roclab.monitor").addHandler(logging.NullHandler())
    tables = []
    sender = Sender()
    try:
        with tempfile.TemporaryDirectory(prefix="roclab-bench-") as folder:
            for part in chosen.parts or PARTS:
                begin = time.perf_counter()
                tables.append(PARTS[part](Path(folder), sender, size))
                print(f"{part}: {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    finally:
        sender.close()
    whole = not chosen.parts and not chosen.quick
    print(write(tables, results / ("monitor" if whole else "monitor.local"), NOTE))


# Batches


def ingest(folder: Path, sender: Sender, size: Size) -> Table:
    """Batches over HTTP beside ``executemany`` of the same rows into the same schema."""
    rows: list[Row] = []
    for ids, mixed in (("UUID7", False), ("UUID4", False), ("UUID7", True)):
        name = f"{ids} ids, {'all models' if mixed else 'one model'} in a batch"
        rows += _ingest_case(folder, sender, size, name, ids, mixed)  # type: ignore[arg-type]
    title = (
        f"Batches of {size.batch:,} rows from {PRODUCERS} connections, {MODELS} models x "
        f"{SEGMENT_VALUES} segments, over executemany"
    )
    return Table(title=title, columns=RATES, rows=rows, notes=[_sqlite_note()])


def _ingest_case(
    folder: Path, sender: Sender, size: Size, name: str, ids: Ids, mixed: bool
) -> list[Row]:
    data = folder / f"ingest-{ids}-{mixed}"
    server = Server.monitor(data)
    plain = _plain_table(folder / f"plain-{ids}-{mixed}")
    start = now() - 3600 * 10**6
    seconds: dict[str, list[tuple[float, float]]] = {"predictions": [], "labels": []}
    try:
        for number in range(size.rounds):
            length = 3000 * 10**6 // size.rounds
            one = Round(
                ids=ids,
                batches=size.batches,
                size=size.batch,
                since=start + number * length,
                until=start + (number + 1) * length,
                seed=number,
                mixed=mixed,
            )
            with server.paused():
                batches = one.draw()
                inserts = [prediction_values(batch, now()) for batch in batches]
                updates = [label_values(batch, now()) for batch in batches]
                baseline = {
                    "predictions": _executemany(plain, INSERT, inserts),
                    "labels": _executemany(plain, UPDATE, updates),
                }
            for what, make in (("predictions", Round.predictions), ("labels", Round.labels)):
                sender.prepare(make, one)
                sent = sender.batches(server.port, PRODUCERS)
                seconds[what].append((baseline[what], sent.seconds))
    finally:
        server.stop()
        plain.close()
    per_round = size.batches * size.batch
    rows = [
        row
        for what, pairs in seconds.items()
        for row in _rates(f"{name}, {what}", "executemany", pairs, per_round)
    ]
    both = [
        (first[0] + second[0], first[1] + second[1])
        for first, second in zip(seconds["predictions"], seconds["labels"], strict=True)
    ]
    return [*rows, *_rates(f"{name}, both", "executemany", both, 2 * per_round)]


def _plain_table(directory: Path) -> sqlite3.Connection:
    """The schema of the store, and a connection with the store's settings."""
    SQLiteStore(directory).close()
    connection = sqlite3.connect(directory / "monitor.sqlite", isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA cache_size = -65536")
    return connection


def _executemany(
    connection: sqlite3.Connection, statement: str, batches: list[list[tuple[object, ...]]]
) -> float:
    """Seconds of transactions, one for each batch, with a checkpoint where the service has one."""
    log = Path(f"{connection.execute('PRAGMA database_list').fetchone()[2]}-wal")
    begin = time.perf_counter()
    for values in batches:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(statement, values)
        connection.execute("COMMIT")
        if log.stat().st_size > LARGEST_LOG:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    return time.perf_counter() - begin


def _rates(case: str, peer: str, pairs: list[tuple[float, float]], count: int) -> list[Row]:
    """The rate of the peer, and that of the monitor as a share of it."""
    ratios = [peer_seconds / own for peer_seconds, own in pairs]
    return [
        {
            "case": case,
            "contender": contender,
            "ratio": statistics.median(ratios) if place else 1.0,
            "wanted": f">= {AT_LEAST}" if place else "-",
            "lowest": min(ratios) if place else 1.0,
            "highest": max(ratios) if place else 1.0,
            "per second": round(count / statistics.median(pair[place] for pair in pairs)),
            "rounds": len(pairs),
        }
        for place, contender in enumerate((peer, "roclab monitor"))
    ]


# Single events


def singles(folder: Path, sender: Sender, size: Size) -> Table:
    """Single events beside an empty endpoint that waits for the same kind of commit."""
    server = Server.monitor(folder / "singles")
    empty = Server.of_this_module("empty", folder / "empty")
    pairs, count = [], 0
    try:
        _warm(sender, server, size)
        for number in range(size.single_rounds):
            one = Round(
                ids="UUID7",
                batches=1,
                size=size.singles,
                since=now() - 60 * 10**6,
                until=now(),
                seed=number,
                mixed=True,
            )
            sender.prepare(Round.singles, one)
            with server.paused():
                baseline = sender.singles(empty.port, SINGLES)
            with empty.paused():
                sent = sender.singles(server.port, SINGLES)
            count = len(sent.delays)
            pairs.append((baseline.seconds, sent.seconds))
    finally:
        server.stop()
        empty.stop()
    return Table(
        title=f"Single events from {SINGLES} connections, over an empty FastAPI endpoint that "
        "waits for a group commit",
        columns=RATES,
        rows=_rates("predictions and labels", "empty endpoint", pairs, count),
    )


def _warm(sender: Sender, server: Server, size: Size) -> None:
    """Send a batch of all models, so that all streams are there."""
    since = now() - 120 * 10**6
    one = Round(
        ids="UUID7",
        batches=1,
        size=size.batch,
        since=since,
        until=since + 30 * 10**6,
        seed=10**6,
        mixed=True,
    )
    for make in (Round.predictions, Round.labels):
        sender.prepare(make, one)
        sender.batches(server.port, 1)


# Reads


def reads(folder: Path, sender: Sender, size: Size) -> Table:
    """Reads while nothing else happens, and while events come at half of the largest rate."""
    data = folder / "reads"
    build_history(data, MODELS, SEGMENT_VALUES, size.history_days)
    server = Server.monitor(data)
    try:
        fastest = _fastest(sender, server, size)
        every = size.batch / (fastest / 2)
        idle = _read(server, size.read_seconds)
        one = Round(
            ids="UUID7",
            batches=int(1 + size.read_seconds / every / 2),
            size=size.batch,
            since=now() - 600 * 10**6,
            until=now() - 300 * 10**6,
            seed=2 * 10**6,
        )
        sender.prepare(Round.alternating, one)
        with sender.pacing(server.port, PRODUCERS, every) as sent:
            loaded = _read(server, size.read_seconds)
        rate = size.batch * len(sent[0].delays) / sent[0].seconds
    finally:
        server.stop()
    rows = []
    for path, alone in idle.items():
        (p50, p99), (q50, q99) = _quantiles(alone), _quantiles(loaded[path])
        rows.append(
            {
                "case": f"GET {path}",
                "idle p50 ms": p50,
                "idle p99 ms": p99,
                "p50 ms": q50,
                "p99 ms": q99,
                "p99 ratio": q99 / p99,
                "wanted": f"<= {SLOWER_READS:g}",
                "reads": f"{len(alone)}, {len(loaded[path])}",
            }
        )
    return Table(
        title="Reads while idle, and while batches come at half of the largest rate",
        columns=READS,
        rows=rows,
        notes=[
            f"{rate:,.0f} rows a second came; the largest rate was {fastest:,.0f}, of predictions "
            f"and labels in batches of {size.batch:,} rows. The history has {size.history_days} "
            f"cohorts of each stream."
        ],
    )


def _fastest(sender: Sender, server: Server, size: Size) -> float:
    """Rows a second of predictions and labels."""
    seconds, count = 0.0, 2 * MODELS * size.batch
    one = Round(
        ids="UUID7",
        batches=MODELS,
        size=size.batch,
        since=now() - 3600 * 10**6,
        until=now() - 600 * 10**6,
        seed=3 * 10**6,
    )
    if size is QUICK:
        one, count = replace(one, batches=4), 2 * 4 * size.batch
    for make in (Round.predictions, Round.labels):
        sender.prepare(make, one)
        seconds += sender.batches(server.port, PRODUCERS).seconds
    return count / seconds


def _read(server: Server, seconds: float) -> dict[str, list[float]]:
    """Delays of reads, one after another over one connection."""
    model = model_name(0)
    paths = ["/v1/models", f"/v1/models/{model}", f"/v1/models/{model}/history"]
    found: dict[str, list[float]] = {path: [] for path in paths}
    connection = http.client.HTTPConnection(HOST, server.port, timeout=TIMEOUT)
    for path in paths:
        _get(connection, path)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for path in paths:
            found[path].append(_get(connection, path))
    connection.close()
    return found


def _get(connection: http.client.HTTPConnection, path: str) -> float:
    begin = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read()
    seconds = time.perf_counter() - begin
    if answer.status != 200:
        raise RuntimeError(f"GET {path}: {answer.status} {content[:500]!r}")
    return seconds


def _quantiles(seconds: list[float]) -> tuple[float, float]:
    """Median and 99 % quantile in milliseconds."""
    p50, p99 = np.quantile(seconds, [0.5, 0.99], method="higher").tolist()
    return 1e3 * p50, 1e3 * p99


def build_history(data: Path, models: int, values: int, days: int) -> None:
    """Make a store whose streams have a finished cohort for each of the last days."""
    store = SQLiteStore(data)
    installation = Installation(Settings(data=data), store)
    rng = np.random.default_rng(0)
    keys = [("", ""), *(("region", f"region {value}") for value in range(values))]
    today = now() // DAY * DAY
    for day in range(days, 0, -1):
        with store.transaction():
            for model in range(models):
                for key in keys:
                    auc = float(np.clip(rng.normal(0.8, 0.01), 0.7, 0.9))
                    reading = Reading(
                        n=1000,
                        n_labelled=1000,
                        n_pos=200,
                        n_neg=800,
                        auc=auc,
                        low=auc - 0.03,
                        high=auc + 0.03,
                        standard_error=0.015,
                        positive_rate=0.2,
                        mean_score=0.3,
                        source="summary",
                    )
                    cohort = today - day * DAY
                    outcome = installation.add_summary(model_name(model), cohort, key, reading)
                    if outcome != "accepted":
                        raise RuntimeError(f"a summary was not accepted: {outcome}")
        installation.committed()
    store.close()


# A large store


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
        _figure(f"memory at {share} %", value / 2**20, "MiB") for share, value in marks.items()
    ]
    rows += [
        _figure("memory at 100 % over 25 %", marks[100] / marks[25], "", f"<= {GROWTH}"),
        _figure("rows a second, with all that time does", (stored + labelled) / seconds, "1/s"),
        _figure("start after SIGKILL", after_kill.start_seconds, "s"),
        _figure("start after SIGTERM", after_stop.start_seconds, "s"),
        _figure("start of an empty store", empty.start_seconds, "s"),
        _figure("size of the database", (data / "monitor.sqlite").stat().st_size / 2**20, "MiB"),
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


def _figure(case: str, measured: float, unit: str, wanted: str = "-") -> Row:
    return {"case": case, "measured": float(measured), "unit": unit, "wanted": wanted}


# The overview


def overview(folder: Path, _: Sender, size: Size) -> Table:
    """The overview of many models with a long history."""
    data = folder / "overview"
    build_history(data, size.overview_models, 0, size.overview_days)
    server = Server.monitor(data)
    try:
        connection = http.client.HTTPConnection(HOST, server.port, timeout=TIMEOUT)
        _get(connection, "/v1/models")
        delays = [_get(connection, "/v1/models") for _ in range(size.overview_reads)]
        connection.close()
    finally:
        server.stop()
    p50, p99 = _quantiles(delays)
    return Table(
        title=f"Overview of {size.overview_models} models with {size.overview_days} daily cohorts",
        columns=FIGURES,
        rows=[
            _figure("GET /v1/models, median", p50, "ms", f"< {OVERVIEW_MS:g}"),
            _figure("GET /v1/models, 99 %", p99, "ms"),
            _figure("start", server.start_seconds, "s"),
        ],
        notes=[f"{size.overview_reads} reads, one after another over one connection."],
    )


def _sqlite_note() -> str:
    return (
        f"SQLite {sqlite3.sqlite_version}, synchronous = FULL, a transaction for each batch. "
        "Labels are an UPDATE by model and id."
    )


PARTS: dict[str, Callable[[Path, Sender, Size], Table]] = {
    "ingest": ingest,
    "singles": singles,
    "reads": reads,
    "store": store,
    "overview": overview,
}


if __name__ == "__main__":
    main()
