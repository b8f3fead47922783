"""Which plan is taken: how often a table is read, and whether its rows are divided by score."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl
import pytest
from parted_table import PartedTable

import roclab as rl
from roclab.scale.plans import exact_summaries
from roclab.scale.rows import RowReader


@dataclass
class Watched(PartedTable):
    """A table in parts that remembers what was asked of it."""

    asked: list = field(default_factory=list)

    def map(self, task):
        self.asked.append(type(task).__name__)
        return super().map(task)

    def range_summaries(self, task, sample):
        self.asked.append("ranges")
        return super().range_summaries(task, sample)


@pytest.mark.parametrize(
    ("digits", "broadcast", "passes"),
    [
        (6, 1 << 20, ["SurveyTask", "CollectTask", "CountTask"]),  # the rarer class fits
        (6, 1000, ["SurveyTask", "ranges"]),
        (1, 1 << 20, ["SurveyTask", "ranges"]),  # few distinct scores, whatever fits
    ],
)
def test_a_cluster_reads_the_table_as_often_as_it_must(digits, broadcast, passes):
    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.3
    frame = pl.DataFrame({"y": y.astype(int), "s": (rng.normal(size=3000) + y).round(digits)})
    table = Watched([*frame.iter_slices(1000)], broadcast_bytes=broadcast)
    _, found = exact_summaries(table, RowReader(label="y", models=("s",)), scored=False)
    assert [one for one in table.asked if one != "SummaryTask"] == passes
    assert found["s"].twice_wins == rl.Ranking(frame["y"], frame["s"]).summary.twice_wins
