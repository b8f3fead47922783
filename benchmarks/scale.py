"""Tables in files: roclab's exact and bounded AUC beside a bare sort, and scikit-learn."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet
from sklearn.metrics import roc_auc_score

import roclab as rl
from benchmarks.harness import Case, Contender, timing_table
from benchmarks.tables import Table
from benchmarks.workloads import Workload
from roclab.inference import Evaluation

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
LIMIT = "1GB"
CORES = 2


def tables(largest: int) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.parquet"
        loads = [replace(load, n=min(load.n, largest)) for load in WORKLOADS]
        return [
            timing_table(FILE_TITLE, (_beside_a_sort(load, file) for load in loads)),
            timing_table(SKLEARN_TITLE, (_beside_scikit_learn(load, file) for load in loads[:1])),
            timing_table(GROUP_TITLE, _groups(min(GROUP_ROWS, largest // 10), file)),
        ]


def _write(load: Workload, file: Path) -> None:
    y, s = load.draw()
    pl.DataFrame({"y": y, "s": s}).write_parquet(file, row_group_size=500_000)


def _roclab(name: str, file: Path, tolerance: float = 1e-12, **options: object) -> Contender:
    return Contender(
        name=f"roclab scale.evaluate, {name}",
        call=lambda: rl.scale.evaluate(file, y_true="y", y_score="s", **options),  # type: ignore[arg-type]
        threads=CORES,
        result=_auc,
        tolerance=tolerance,
    )


def _auc(evaluation: Evaluation) -> float:
    return evaluation.rows[0].interval.value


def _beside_a_sort(load: Workload, file: Path) -> Case:
    _write(load, file)
    exact = _auc(rl.scale.evaluate(file, y_true="y", y_score="s"))
    scores = pl.scan_parquet(file).select("s")
    return Case(
        name=load.name,
        contenders=[
            Contender(
                name="polars sort, streaming",
                call=lambda: scores.sort("s").collect(engine="streaming"),
                threads=CORES,
                result=lambda _: exact,
            ),
            _roclab("exact", file),
            _roclab(f"exact in {LIMIT}", file, memory_limit=LIMIT),
            _roclab("bounded, 1e-4", file, 3e-4, method="bounded", max_error=1e-4),
        ],
    )


def _beside_scikit_learn(load: Workload, file: Path) -> Case:
    _write(load, file)

    def scikit_learn() -> float:
        table = pyarrow.parquet.read_table(file)
        return float(roc_auc_score(table["y"].to_numpy(), table["s"].to_numpy()))

    return Case(
        name=load.name,
        contenders=[
            Contender(name="pyarrow and scikit-learn", call=scikit_learn),
            _roclab("exact", file),
        ],
    )


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
            Contender(
                name="roclab scale.evaluate(by=)",
                call=lambda: rl.scale.evaluate(file, y_true="y", y_score="s", by="g"),
                threads=CORES,
                result=lambda found: np.mean([row.interval.value for row in found.rows]),
            ),
        ],
    )
