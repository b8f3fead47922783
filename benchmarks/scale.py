"""Tables in files: roclab's exact and bounded AUC beside a bare sort, and scikit-learn."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.parquet
from sklearn.metrics import roc_auc_score

import roclab as rl
from benchmarks.harness import Case, Contender, timing_table
from benchmarks.tables import Table
from benchmarks.workloads import Workload

ROWS = 5 * 10**7
WORKLOADS = [
    Workload(n=ROWS, kind=kind, positives=positives)
    for kind in ("float64", "float64 tied", "lognormal")
    for positives in (0.05, 0.5)
]
GROUPS, GROUP_ROWS = 1000, 10**5
FILE_TITLE = "AUC of a Parquet file, over a bare streaming sort of its scores by polars"
SKLEARN_TITLE = "AUC of a Parquet file, over reading it with pyarrow and scikit-learn"
GROUP_TITLE = "AUC of every group of a Parquet file, over a loop with scikit-learn"
CORES = 2  # of the pool of polars, which reads for all contenders
EXACT: dict[str, Any] = {}
VARIANTS: dict[str, dict[str, Any]] = {
    "exact": EXACT,
    "exact, memory_limit 1GB": {"memory_limit": "1GB"},
    "bounded, max_error 1e-4": {"method": "bounded", "max_error": 1e-4},
}


def tables(largest: int) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.parquet"
        loads = [replace(load, n=min(load.n, largest)) for load in WORKLOADS]
        return [
            timing_table(FILE_TITLE, _beside_a_sort(loads, file)),
            timing_table(SKLEARN_TITLE, _beside_scikit_learn(loads[0], file)),
            timing_table(GROUP_TITLE, _groups(min(GROUP_ROWS, largest // 10), file)),
        ]


def _write(load: Workload, file: Path) -> None:
    y, s = load.draw()
    pl.DataFrame({"y": y, "s": s}).write_parquet(file, row_group_size=500_000)


def _roclab(file: Path, options: dict[str, Any]) -> list[Contender]:
    return [
        Contender(
            name="roclab scale.evaluate",
            call=lambda: rl.scale.evaluate(file, y_true="y", y_score="s", **options),
            threads=threads,
            result=lambda found: found.rows[0].interval.value,
            tolerance=3 * options.get("max_error", 4e-13),
        )
        for threads in (1, 2)
    ]


def _beside_a_sort(loads: list[Workload], file: Path) -> Iterator[Case]:
    for load in loads:
        _write(load, file)
        exact = rl.scale.evaluate(file, y_true="y", y_score="s").rows[0].interval.value
        for name, options in VARIANTS.items() if load.kind == "float64" else (("exact", EXACT),):
            peer = Contender(
                name="polars sort, streaming",
                call=lambda: (
                    pl.scan_parquet(file).select("s").sort("s").collect(engine="streaming")
                ),
                threads=CORES,
                result=lambda _, exact=exact: exact,
            )
            yield Case(name=f"{load.name}, {name}", contenders=[peer, *_roclab(file, options)])


def _beside_scikit_learn(load: Workload, file: Path) -> Iterator[Case]:
    _write(load, file)

    def scikit_learn() -> float:
        table = pyarrow.parquet.read_table(file)
        return float(roc_auc_score(table["y"].to_numpy(), table["s"].to_numpy()))

    peer = Contender(name="pyarrow and scikit-learn", call=scikit_learn)
    yield Case(name=load.name, contenders=[peer, *_roclab(file, EXACT)])


def _groups(rows: int, file: Path) -> Iterator[Case]:
    rng = np.random.default_rng(0)
    size = GROUPS * rows
    y = rng.random(size) < 0.2
    groups = rng.integers(0, GROUPS, size, dtype=np.int32)
    frame = pl.DataFrame({"y": y, "s": rng.normal(size=size) + y, "g": groups})
    frame.write_parquet(file, row_group_size=500_000)
    del frame, y, groups

    def loop() -> float:
        parts = pl.read_parquet(file).partition_by("g")
        return float(np.mean([roc_auc_score(part["y"], part["s"]) for part in parts]))

    yield Case(
        name=f"{GROUPS:,} groups of {rows:,} rows",
        contenders=[
            Contender(name="polars partition_by and scikit-learn", call=loop),
            *(
                Contender(
                    name="roclab scale.evaluate(by=)",
                    call=lambda: rl.scale.evaluate(file, y_true="y", y_score="s", by="g"),
                    threads=threads,
                    result=lambda found: np.mean([row.interval.value for row in found.rows]),
                )
                for threads in (1, 2)
            ),
        ],
    )
