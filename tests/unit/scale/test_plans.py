"""Which plan is taken: how often a table is read, and whether its rows are divided by score."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl
import pytest
from parted_table import PartedTable

import roclab as rl
from roclab.readers.rows import RowReader
from roclab.scale.passes import likely_distinct
from roclab.scale.plans import exact_summaries, rows_of_class


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
        (1, 1 << 20, ["DistinctTask"]),  # few distinct rows, whatever fits
        (1, 1000, ["DistinctTask"]),
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


def test_more_distinct_rows_than_the_first_ones_promised():
    """The glance sees ties only; the rest of the table has none."""
    rng = np.random.default_rng(1)
    scores = np.concatenate([np.arange(2000) % 10 / 1.0, rng.random(2000)])
    frame = pl.DataFrame({"y": rng.integers(0, 2, 4000), "s": scores})
    table = Watched([*frame.iter_slices(1000)], broadcast_bytes=1 << 20, most_distinct=500)
    table.glance = lambda reader, _: frame.head(1000).select(reader.columns)
    _, found = exact_summaries(table, RowReader(label="y", models=("s",)), scored=False)
    assert table.asked == ["DistinctTask", "SurveyTask", "CollectTask", "CountTask"]
    assert found["s"].twice_wins == rl.Ranking(frame["y"], frame["s"]).summary.twice_wins


@pytest.mark.parametrize("distinct", [10, 1000, 30_000])
def test_the_number_of_distinct_rows_is_estimated_from_some(distinct):
    rng = np.random.default_rng(distinct)
    found = likely_distinct(pl.DataFrame({"s": rng.integers(0, distinct, 16_384)}))
    assert found == pytest.approx(distinct, rel=0.1)
    assert likely_distinct(pl.DataFrame({"s": rng.random(100)})) == np.inf
    half = np.where(rng.random(16_384) < 0.5, 0.0, rng.random(16_384))
    assert likely_distinct(pl.DataFrame({"s": half})) > 1e6


@pytest.mark.parametrize(
    ("labels", "pos_label", "kept"),
    [
        ([0, 1, 1], None, [1, 1]),
        ([-1.0, 1.0, 1.0], None, [1.0, 1.0]),
        ([True, False, None], True, [True]),
        (["spam", "ham", "ham"], "spam", ["spam"]),
        ([3, 4, 4], 4, [4, 4]),
    ],
)
def test_an_engine_hands_over_one_class_only(labels, pos_label, kept):
    frame = pl.DataFrame({"y": labels, "s": [0.1, 0.2, 0.3]})
    reader = RowReader(label="y", models=("s",), pos_label=pos_label)
    table = rows_of_class(PartedTable([frame]), reader, 1)
    assert table.parts[0]["y"].to_list() == kept
