"""A report of many models in a file, beside reading the file and sorting each column once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import roclab as rl
from benchmarks.harness import Case, Contender, timing_table
from benchmarks.tables import Table

MODELS, ROWS = 10, 10**6
TITLE = "HTML report of a Parquet file, over reading it and sorting each column once"


def tables(largest: int) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        return [timing_table(TITLE, _cases(min(ROWS, largest), Path(folder) / "scores.parquet"))]


def _cases(rows: int, file: Path) -> Iterator[Case]:
    rng = np.random.default_rng(0)
    y = rng.random(rows) < 0.1
    models = {f"model_{k}": rng.normal(size=rows) + y * (1 + k / 20) for k in range(MODELS)}
    pl.DataFrame({"y": y, **models}).write_parquet(file)

    def read_and_sort() -> int:
        frame = pl.read_parquet(file)
        return sum(len(np.sort(frame[name].to_numpy())) for name in models)

    def report() -> int:
        table = rl.read_scores(file, y_true="y")
        return len(rl.report.html_report(table)) and rows * MODELS

    yield Case(
        name=f"{MODELS} models, {rows:.0e} rows".replace("e+0", "e"),
        contenders=[
            Contender(name="polars and NumPy's sort", call=read_and_sort),
            *(Contender(name="roclab html_report", call=report, threads=n) for n in (1, 2)),
        ],
    )
