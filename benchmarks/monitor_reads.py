"""Reads of the monitor: beside ingest, and of many models with a long history."""

from __future__ import annotations

import http.client
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.monitor_events import (
    DAY,
    MODELS,
    PRODUCERS,
    QUICK,
    SEGMENT_VALUES,
    Round,
    Size,
    model_name,
    now,
)
from benchmarks.monitor_load import HOST, TIMEOUT, Sender
from benchmarks.monitor_servers import Server
from benchmarks.monitor_store import FIGURES, figure
from benchmarks.tables import Table
from roclab.monitor.cohorts import Reading
from roclab.monitor.installation import Installation
from roclab.monitor.settings import Settings
from roclab.monitor.store.sqlite import SQLiteStore

SLOWER_READS = 5.0  # p99 under ingest over p99 when idle, at most
OVERVIEW_MS = 50.0
READS = ("case", "idle p50 ms", "idle p99 ms", "p50 ms", "p99 ms", "p99 ratio", "wanted", "reads")


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
            figure("GET /v1/models, median", p50, "ms", f"< {OVERVIEW_MS:g}"),
            figure("GET /v1/models, 99 %", p99, "ms"),
            figure("start", server.start_seconds, "s"),
        ],
        notes=[f"{size.overview_reads} reads, one after another over one connection."],
    )
