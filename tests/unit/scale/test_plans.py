"""Which plan is taken: how often a table is read, and whether its rows are divided by score."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl
import pytest
from parted_table import PartedTable
from partitioned_rows import FAMILIES

import roclab as rl
from roclab.readers.rows import RowReader
from roclab.scale import plans
from roclab.scale.local import LocalTable
from roclab.scale.plans import bounded_histograms, exact_summaries, rows_of_class
from roclab.scale.tasks import likely_distinct


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


def ways(frame, directory):
    """The same table in memory, by the rarer class, and by ranges on disk and on a cluster."""
    parts = [*frame.iter_slices(700)]
    local = {"frame": frame.lazy(), "directory": directory, "rows": frame.height}
    yield LocalTable(memory_limit=10**8, **local)
    yield LocalTable(memory_limit=9000, **local)
    yield LocalTable(memory_limit=900, **local)
    for most_distinct in (None, 1):
        yield PartedTable(parts, most_distinct=most_distinct)
        yield PartedTable(parts, broadcast_bytes=0, most_distinct=most_distinct)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("share", [0.01, 0.4, 1.0])
def test_every_plan_is_exact_for_any_scores(family, weight, share, tmp_path, monkeypatch):
    monkeypatch.setattr(plans, "_GLANCE_ROWS", 50)
    rng = np.random.default_rng(3)
    y = rng.random(3000) < share
    scores = FAMILIES[family](rng, y)
    weights = rng.choice([0.0, 0.25, 1.0, 8.0], len(y)) if weight else np.ones(len(y))
    frame = pl.DataFrame({"y": y.astype(np.int64), "s": scores, "w": weights})
    reader = RowReader(label="y", models=("s",), weight=weight)
    wanted = rl.Ranking(y, scores, sample_weight=weights if weight else None).summary
    for table in ways(frame, tmp_path):
        _, found = exact_summaries(table, reader, scored=False)
        for name in ("n_pos", "n_neg", "auc", "auc_variance"):
            one, other = getattr(found["s"], name), getattr(wanted, name)
            assert one == pytest.approx(other, rel=1e-12 if weight else 0, abs=1e-15, nan_ok=True)
        _, counted = bounded_histograms(table, reader, max_error=0.01)
        if share < 1:
            assert counted["s"].max_error <= 0.01
            assert abs(counted["s"].auc - wanted.auc) <= counted["s"].max_error + 1e-12


@pytest.mark.parametrize("empty", ["no rows", "all missing", "one class", "weight 0"])
@pytest.mark.parametrize("dtype", [pl.Float64, pl.Int64, pl.Float32])
def test_partitions_that_have_nothing_to_count(empty, dtype):
    """They come first, last and between others; columns without values may have another type."""
    rng = np.random.default_rng(5)
    y = rng.random(900) < 0.3
    frame = pl.DataFrame(
        {
            "y": y.astype(np.int64),
            "s": pl.Series(100 * rng.normal(size=900) + 50 * y).cast(dtype),
            "w": rng.choice([0.5, 2.0], 900),
        }
    )
    few = frame.head(30)
    odd = {
        "no rows": frame.head(0),
        "all missing": few.with_columns(s=pl.lit(None, pl.Null)),
        "one class": few.with_columns(y=pl.lit(1, pl.Int64)),
        "weight 0": few.with_columns(w=pl.lit(0.0)),
    }[empty]
    parts = [odd, frame[:300], odd, frame[300:], odd]
    rows = pl.concat([part.with_columns(pl.col("s").cast(dtype)) for part in parts])
    for weight in (None, "w"):
        reader = RowReader(label="y", models=("s",), weight=weight)
        kept = rows.drop_nulls()
        weights = None if weight is None else kept["w"]
        wanted = rl.Ranking(kept["y"], kept["s"], sample_weight=weights).summary
        table = PartedTable(parts, most_distinct=1)
        table.glance = lambda reader, _: rows.select(reader.columns)
        counts, found = exact_summaries(table, reader, scored=True)
        assert counts.read == rows.height
        assert (counts.pos, counts.neg) == (wanted.n_pos, wanted.n_neg)
        for name in ("auc", "auc_variance", "scored_auc", "scored_auc_variance"):
            assert getattr(found["s"], name) == pytest.approx(getattr(wanted, name), rel=1e-12)
        _, counted = bounded_histograms(table, reader, max_error=0.01)
        assert abs(counted["s"].auc - wanted.auc) <= counted["s"].max_error + 1e-12 <= 0.02


@pytest.mark.parametrize("parts", [0, 1, 3])
def test_tables_without_a_row(parts):
    empty = pl.DataFrame(schema={"y": pl.Int64, "s": pl.Float64, "w": pl.Float64})
    table = PartedTable([empty] * parts)
    table.glance = lambda reader, _: empty.select(reader.columns)
    for weight in (None, "w"):
        reader = RowReader(label="y", models=("s",), weight=weight)
        with pytest.raises(rl.InputError, match="The table has no rows"):
            exact_summaries(table, reader, scored=False)
        with pytest.raises(rl.InputError, match="The table has no rows"):
            bounded_histograms(table, reader, max_error=0.01)
