"""The monitor under load: ``python -m benchmarks.monitor [part ...] [--quick]``.

Every rate has its baseline in the same run, in turns; while one of the two works, the other is
stopped. What is sent is encoded before the clock starts, by a process of its own.
"""

from __future__ import annotations

import argparse
import logging
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.monitor_events import (
    MODELS,
    PRODUCERS,
    QUICK,
    SEGMENT_VALUES,
    Ids,
    Round,
    Size,
    label_values,
    now,
    prediction_values,
)
from benchmarks.monitor_load import HOST, Sender
from benchmarks.monitor_page import page
from benchmarks.monitor_reads import overview, reads
from benchmarks.monitor_servers import Server
from benchmarks.monitor_store import FIGURES, figure, store
from benchmarks.tables import Row, Table, write
from roclab.monitor import Client
from roclab.monitor.store.sqlite import SQLiteStore

RESULTS = Path(__file__).with_name("results")
SINGLES = 64  # connections that send single events
AT_LEAST = 0.5  # of the baseline's rate
NOTE = (
    "One run on loopback; rates have a baseline in the same run, in turns, and ratios are medians "
    "over rounds. Everything that is sent is encoded before, and sent by another process."
)
RATES = ("case", "contender", "ratio", "wanted", "lowest", "highest", "per second", "rounds")

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


def _sqlite_note() -> str:
    return (
        f"SQLite {sqlite3.sqlite_version}, synchronous = FULL, a transaction for each batch. "
        "Labels are an UPDATE by model and id."
    )


# The client


def client(folder: Path, sender: Sender, size: Size) -> Table:  # noqa: ARG001, as all parts
    """What a call costs that logs a prediction, while the service is there."""
    server = Server.monitor(folder / "client")
    seconds = []
    try:
        with Client(f"http://{HOST}:{server.port}", model="client") as one:
            segments = {"region": "north"}
            for _ in range(size.singles):
                begin = time.perf_counter_ns()
                one.log_prediction(0.5, segments=segments)
                seconds.append((time.perf_counter_ns() - begin) / 1000)
            one.flush(timeout=60)
            arrived = one.counts.accepted
    finally:
        server.stop()
    return Table(
        title="Client.log_prediction",
        columns=FIGURES,
        rows=[
            figure("a call, median", statistics.median(seconds), "microseconds", "at most 5"),
            figure("a call, 99 %", statistics.quantiles(seconds, n=100)[-1], "microseconds"),
            figure("predictions that arrived", arrived, "predictions", f"{size.singles:,}"),
        ],
    )


PARTS: dict[str, Callable[[Path, Sender, Size], Table]] = {
    "ingest": ingest,
    "singles": singles,
    "reads": reads,
    "store": store,
    "overview": overview,
    "page": page,
    "client": client,
}


if __name__ == "__main__":
    main()
