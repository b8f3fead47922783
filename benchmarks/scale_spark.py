"""Tables on Spark, against Spark ML: ``python -m benchmarks.scale_spark [--rows 5000000]``.

Spark ML's `BinaryClassificationEvaluator` with ``numBins=0`` is exact: it sorts all rows by score
(`BinaryClassificationMetrics`). Both read the same Parquet files in one local session and take
turns. It needs Java and the group `scale`, so it is not part of ``make bench``.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import roclab as rl
from benchmarks.tables import Row, Table, write

TITLE = "AUC of a table on Spark, against Spark ML's exact BinaryClassificationMetrics"
COLUMNS = (
    "case",
    "contender",
    "agrees within",
    "wall ratio",
    "lowest",
    "highest",
    "wall s",
    "rounds",
    "load",
)
CASES = {"5 % positives": (0.05, None), "50 % positives": (0.5, None), "ties": (0.5, 3)}
FILES = 8
TOLERANCE = 1e-9  # Spark ML adds up trapezoids in floating point


def tables(largest: int, rounds: int = 3, memory: str = "3g") -> list[Table]:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        return [Table(title=TITLE, columns=COLUMNS, rows=[], notes=["PySpark is not installed"])]
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", memory)
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    warnings.simplefilter("ignore", FutureWarning)  # PySpark is not sure of pandas 3 yet
    rows: list[Row] = []
    try:
        with tempfile.TemporaryDirectory() as directory:
            for case, (share, digits) in CASES.items():
                where = _written(Path(directory) / case, largest, share, digits)
                read = session.read.parquet
                frame, little = read(str(where)), read(str(where / "0.parquet"))
                rows += _timed(f"{largest:,} rows, {case}", frame, little, rounds)
    finally:
        session.stop()
    return [Table(title=TITLE, columns=COLUMNS, rows=rows)]


def _written(where: Path, n: int, share: float, digits: int | None) -> Path:
    where.mkdir()
    rng = np.random.default_rng(0)
    for number in range(FILES):
        size = n // FILES
        y = rng.random(size) < share
        s = rng.normal(size=size) + y
        frame = pl.DataFrame(
            {"y": y.astype(np.int32), "s": s if digits is None else s.round(digits)}
        )
        frame.write_parquet(where / f"{number}.parquet")
    return where


def _timed(case: str, frame: Any, little: Any, rounds: int) -> Iterator[Row]:
    from pyspark.ml.evaluation import BinaryClassificationEvaluator

    peer = BinaryClassificationEvaluator(rawPredictionCol="s", labelCol="y", numBins=0)

    def spark_ml(table: Any) -> float:
        return float(peer.evaluate(table))

    def roclab(table: Any) -> float:
        return float(rl.scale.evaluate(table, y_true="y", y_score="s").rows[0].interval.value)

    calls: dict[str, Callable[[Any], float]] = {"Spark ML": spark_ml, "roclab": roclab}
    for call in calls.values():
        call(little)  # the first call of a session is slower
    found: dict[str, float] = {}
    walls: dict[str, list[float]] = {name: [] for name in calls}
    load = os.getloadavg()[0]
    for turn in range(rounds):
        for name in [*calls] if turn % 2 else [*calls][::-1]:
            start = time.perf_counter()
            found[name] = calls[name](frame)
            walls[name].append(time.perf_counter() - start)
            print(f"{case}: {name} {walls[name][-1]:.1f} s", file=sys.stderr)
    if abs(found["roclab"] / found["Spark ML"] - 1) > TOLERANCE:
        raise ValueError(f"{case}: they disagree: {found}")
    for name, own in walls.items():
        ratios = [first / second for first, second in zip(walls["Spark ML"], own, strict=True)]
        yield {
            "case": case,
            "contender": name,
            "agrees within": "(peer)" if name == "Spark ML" else f"{TOLERANCE:g}",
            "wall ratio": statistics.median(walls["Spark ML"]) / statistics.median(own),
            "lowest": min(ratios),
            "highest": max(ratios),
            "wall s": statistics.median(own),
            "rounds": rounds,
            "load": load,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[5_000_000, 20_000_000])
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    found = [table for rows in chosen.rows for table in tables(rows, chosen.rounds)]
    whole = [row for table in found for row in table.rows]
    notes = [note for table in found for note in table.notes]
    table = Table(title=TITLE, columns=COLUMNS, rows=whole, notes=notes)
    print(write([table], Path(__file__).with_name("results") / "scale_spark.local"))


if __name__ == "__main__":
    main()
