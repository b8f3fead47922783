"""Rows of many groups in memory: their numbers, their sizes and their pair counts."""

from datetime import date
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from parted_table import PartedTable

import roclab as rl
from roclab import _core
from roclab.readers.rows import RowReader
from roclab.scale import grouped_rows
from roclab.scale.groups import GroupSurveyTask, grouped_summaries

READER = RowReader(label="y", models=("s",), by="g")
ROW = st.tuples(st.integers(0, 4), st.booleans(), st.integers(-3, 3))


@given(
    batches=st.lists(st.lists(ROW, max_size=40), min_size=1, max_size=4),
    dtype=st.sampled_from([np.float64, np.float32, np.int32, np.int64]),
    threads=st.integers(1, 3),
)
def test_pairs_of_each_group(batches, dtype, threads):
    grouped = _core.GroupedScores()
    for batch in batches:
        groups, labels, scores = np.array(batch, np.int64).reshape(-1, 3).T
        grouped.add(groups.astype(np.uint32), 5, labels.astype(np.uint8), scores.astype(dtype))
    rows = [row for batch in batches for row in batch]
    numbers, pos, neg, auc, variance = grouped.pairs(threads)
    assert numbers.tolist() == [one for one in range(5) if any(row[0] == one for row in rows)]
    sizes = [sum(row[0] == one for row in rows) for one in numbers]
    assert [found.tolist() for found in grouped.rows()] == [numbers.tolist(), sizes]
    for place, number in enumerate(numbers):
        y = [row[1] for row in rows if row[0] == number]
        s = [row[2] for row in rows if row[0] == number]
        assert (pos[place], neg[place]) == (sum(y), len(y) - sum(y))
        if 0 < sum(y) < len(y):
            assert auc[place] == float(Fraction(reference.auc(y, s)))
        if 1 < sum(y) < len(y) - 1:
            assert variance[place] == pytest.approx(reference.auc_variance(y, s), rel=1e-14)


def test_a_group_as_large_as_a_table_is_counted_by_all_threads():
    rng = np.random.default_rng(0)
    n = (1 << 22) + (1 << 20)
    y = (rng.random(n) < 0.3).astype(np.uint8)
    s = (rng.integers(0, 100_000, n) + 1000 * y.astype(np.int64)).astype(np.float32)
    groups = (rng.random(n) < 0.1).astype(np.uint32)
    grouped = _core.GroupedScores()
    grouped.add(groups, 2, y, s)
    assert 4 * n <= grouped.nbytes < 6 * n
    for threads in (1, 3):
        _, pos, neg, auc, variance = grouped.pairs(threads)
        for group in (0, 1):
            counts = _core.count_pairs(y[groups == group], s[groups == group], True, 1)
            found = (pos[group], neg[group], auc[group], variance[group])
            assert found == (counts.pos, counts.neg, counts.auc, counts.auc_variance)


def test_scores_have_one_type_and_are_numbers():
    grouped = _core.GroupedScores()
    assert [len(found) for found in grouped.pairs(1)] == [0] * 5
    assert grouped.nbytes == 0
    groups, labels = np.zeros(2, np.uint32), np.array([0, 1], np.uint8)
    grouped.add(groups, 1, labels, np.array([1.0, 2.0]))
    with pytest.raises(TypeError, match="another type"):
        grouped.add(groups, 1, labels, np.array([1, 2]))
    with pytest.raises(_core.NanScore):
        grouped.add(groups, 1, labels, np.array([1.0, np.nan]))


@pytest.mark.parametrize(
    "columns",
    [
        [[3, 1, 3], [0, 7]],
        [[3, 1, 3], [10**12, 3, -1], [1, -1, 10**12]],  # no longer their own numbers
        [[-5, -5, 2]],
        [["b", "a", "b"], ["c", "a"]],
        [[0.5, -1.5], [0.5, 2.0]],
        [[True, False], [True]],
        [[date(2024, 1, 2), date(2024, 1, 1)], [date(2024, 1, 2)]],
    ],
)
def test_a_group_keeps_its_number(columns):
    groups = grouped_rows.GroupNumbers()
    dtype = pl.Series([value for column in columns for value in column]).dtype
    numbers = {}
    for column in columns:
        found = groups.of(pl.Series(column, dtype=dtype))
        assert found.dtype == np.uint32
        assert found.max() < groups.count
        for key, number in zip(column, found.tolist(), strict=True):
            assert numbers.setdefault(key, number) == number
    assert len(set(numbers.values())) == len(numbers)
    assert groups.keys(np.array([*numbers.values()])) == [*numbers]


def table_of_groups(names):
    rng = np.random.default_rng(1)
    n = 4000
    y = rng.random(n) < 0.4
    groups = [names[place] for place in rng.integers(0, len(names), n)]
    return pl.DataFrame({"y": y, "s": (rng.normal(size=n) + y).round(1), "g": groups})


@pytest.mark.parametrize("names", [[*range(50)], [f"shop {i}" for i in range(300)]])
def test_rows_are_kept_within_their_memory(names):
    frame = table_of_groups(names)
    frames = [*frame.iter_slices(100)]
    kept = GroupSurveyTask(READER, keep_bytes=1 << 20)(frames)
    assert kept.kept is not None
    assert 8 * frame.height < kept.kept.nbytes <= 1 << 20
    sizes = dict(frame["g"].value_counts().iter_rows())
    assert dict(kept.kept.sizes()) == sizes
    counted = GroupSurveyTask(READER, keep_bytes=8 * frame.height // 2)(frames)
    assert counted.kept is None
    assert counted.groups == sizes
    assert counted.counts == kept.counts


@pytest.mark.parametrize("scored", [False, True])
def test_a_cluster_reads_the_groups_once_before_it_divides_them(scored):
    frame = table_of_groups([*"abcdef"])
    asked = []

    class Watched(PartedTable):
        def map(self, task):
            asked.append(type(task).__name__)
            return super().map(task)

    table = Watched([*frame.iter_slices(1000)])
    _, found = grouped_summaries(table, READER, "g", scored=scored)
    assert [one for one in asked if one != "GroupTask"] == ["GroupSurveyTask"]
    assert {key for _, key, _, _ in found} == set("abcdef")
    for _, key, estimate, value in found:
        part = frame.filter(pl.col("g") == key)
        ranking = rl.Ranking(part["y"], part["s"])
        assert estimate.value == rl.auc(ranking)
        assert value == pytest.approx(rl.scored_auc(ranking) if scored else np.nan, nan_ok=True)


@pytest.mark.parametrize("dtype", [pl.Int128, pl.UInt128, pl.Int8, pl.UInt64])
def test_groups_of_any_integers(dtype):
    groups = pl.Series([7, 3, 7, 3, 7], dtype=dtype)
    frame = pl.DataFrame({"y": [0, 1, 1, 0, 0], "s": [1, 2, 2, 3, 2], "g": groups})
    found = rl.scale.evaluate(frame, y_true="y", y_score="s", by="g")
    assert [(row.group, row.interval.value) for row in found.rows] == [(7, 0.75), (3, 0)]
