"""A table in any parts, read by any plan, gives what the same rows give in memory."""

import math
import tempfile
import warnings
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parted_table import PartedTable
from reference import auc as reference_auc

import roclab as rl
from roclab.readers.rows import RowReader
from roclab.scale import ScoreHistogram
from roclab.scale.cuts import quantile_cuts
from roclab.scale.groups import grouped_summaries
from roclab.scale.local import LocalTable
from roclab.scale.plans import bounded_histograms, exact_summaries

EXACT = ("n_pos", "n_neg", "twice_wins", "pos_moment", "neg_moment")
MEMORY = st.sampled_from([30, 300, 3000, 10**6])  # from all on disk to all in memory
LEVELS = [0.0, 0.1, 0.25, 0.5, 0.75, 1.0]


@st.composite
def tables(draw, weighted=False, max_size=60):
    """A frame with ties, missing values and groups, and its division into parts."""
    size = draw(st.integers(2, max_size))
    number = st.sampled_from(LEVELS) if draw(st.booleans()) else st.floats(-1e6, 1e6)
    gap = st.one_of(number, st.none(), st.just(math.nan)) if draw(st.booleans()) else number
    columns = {
        "y": draw(st.lists(st.sampled_from([0, 1]), min_size=size, max_size=size)),
        "a": draw(st.lists(gap, min_size=size, max_size=size)),
        "b": draw(st.lists(st.integers(-(2**62), 2**62), min_size=size, max_size=size)),
        "g": draw(st.lists(st.sampled_from(["x", "y", "z"]), min_size=size, max_size=size)),
    }
    columns["y"][:2] = [0, 1]
    columns["a"][:2] = [0.5, 0.5]
    if weighted:
        weight = st.sampled_from([0.0, 0.5, 1.0, 3.0])
        columns["w"] = draw(st.lists(weight, min_size=size, max_size=size))
        columns["w"][:2] = [1.0, 2.0]
    types = {"y": pl.Int8, "a": pl.Float64, "b": pl.Int64, "g": pl.String, "w": pl.Float64}
    frame = pl.DataFrame(columns, schema={name: types[name] for name in columns})
    cuts = sorted(draw(st.lists(st.integers(0, size), max_size=4)))
    bounds = [0, *cuts, size]
    parts = [frame.slice(a, b - a) for a, b in pairwise(bounds)]
    return frame, parts


def reader_of(frame, **roles):
    weight = "w" if "w" in frame.columns else None
    return RowReader(label="y", models=("a", "b"), weight=weight, **roles)


def engines(frame, parts, memory):
    yield LocalTable(frame=frame.lazy(), memory_limit=memory, directory=Path(tempfile.gettempdir()))
    yield PartedTable(parts, broadcast_bytes=memory)
    yield PartedTable(parts, broadcast_bytes=memory, most_distinct=2)


def in_memory(frame, **options):
    weight = "w" if "w" in frame.columns else None
    return rl.read_scores(
        frame, y_true="y", y_score=["a", "b"], sample_weight=weight, by="g", **options
    )


@given(tables(), MEMORY, st.booleans())
def test_every_plan_has_the_pair_counts_of_the_rows_in_memory(data, memory, scored):
    frame, parts = data
    table = in_memory(frame)
    for engine in engines(frame, parts, memory):
        counts, found = exact_summaries(engine, reader_of(frame), scored=scored)
        assert counts.read == frame.height
        assert counts.dropped == table.missing.rows_dropped
        assert dict(counts.missing) == table.missing.by_column
        for model in ("a", "b"):
            expected = table.ranking(model).summary
            for name in EXACT:
                assert getattr(found[model], name) == getattr(expected, name), (name, model)
            assert found[model].auc == expected.auc
            if scored:
                # Joining ranges measures scores from one origin, so errors grow with their span.
                span = expected.highest - expected.lowest
                close(found[model].scored_auc, expected.scored_auc, span)
                close(found[model].scored_auc_variance, expected.scored_auc_variance, span**2)


@given(tables(), st.integers(0, 30))
def test_distinct_rows_that_are_counted_have_the_summary_of_all(data, most):
    frame, parts = data
    expected = rl.read_scores(frame, y_true="y", y_score="a")
    local = LocalTable(frame.lazy(), 30, Path(tempfile.gettempdir()), rows=frame.height)
    for engine in (local, PartedTable(parts), PartedTable(parts, most_distinct=most)):
        counts, found = exact_summaries(engine, RowReader(label="y", models=("a",)), scored=True)
        assert counts.dropped == expected.missing.rows_dropped
        assert dict(counts.missing) == expected.missing.by_column
        for name in EXACT:
            wanted = getattr(expected.ranking("a").summary, name)
            assert getattr(found["a"], name) == wanted, name


@given(tables(weighted=True), MEMORY, st.booleans())
def test_weighted_rows_have_the_same_auc_and_variance(data, memory, scored):
    frame, parts = data
    table = in_memory(frame)
    for engine in engines(frame, parts, memory):
        _, found = exact_summaries(engine, reader_of(frame), scored=scored)
        for model in ("a", "b"):
            expected = table.ranking(model).summary
            names = ["n_pos", "n_neg", "effective_pos", "effective_neg", "auc", "auc_variance"]
            for name in names:
                close(getattr(found[model], name), getattr(expected, name))
            if scored:
                span = expected.highest - expected.lowest
                close(found[model].scored_auc, expected.scored_auc, span)
                close(found[model].scored_auc_variance, expected.scored_auc_variance, span**2)


def close(found, expected, span=1.0):
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-13 * span, nan_ok=True)


@given(tables(), MEMORY)
def test_groups_have_the_intervals_of_their_rows_in_memory(data, memory):
    frame, parts = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = rl.evaluate(in_memory(frame), by="g")
    wanted = {(row.model, row.group): row.interval for row in expected.rows}
    for engine in engines(frame, parts, memory):
        _, found = grouped_summaries(engine, reader_of(frame, by="g"), "g", scored=False)
        assert [(model, key) for model, key, *_ in found] == [*wanted]
        for model, key, estimate, _ in found:
            interval = wanted[model, key]
            assert (estimate.n_pos, estimate.n_neg) == (interval.n_pos, interval.n_neg)
            np.testing.assert_equal(estimate.value, interval.value)
            np.testing.assert_equal(math.sqrt(estimate.variance), interval.standard_error)


@given(tables(), st.sampled_from([0.4, 0.1, 0.01]))
def test_the_bounded_auc_is_within_its_error(data, max_error):
    frame, parts = data
    table = in_memory(frame)
    for engine in engines(frame, parts, 1000):
        _, found = bounded_histograms(engine, reader_of(frame), max_error=max_error)
        for model in ("a", "b"):
            exact = table.ranking(model).summary
            low, high = found[model].auc_bounds.to_dict().values()
            assert low - 1e-15 <= exact.auc <= high + 1e-15
            assert found[model].max_error <= max_error
            wide, narrow = found[model].interval(), rl.auc_interval(exact)
            assert wide.low <= narrow.low + 1e-12
            assert narrow.high <= wide.high + 1e-12


@given(st.data(), st.lists(st.sampled_from(LEVELS), max_size=5, unique=True))
def test_a_histogram_knows_its_error_exactly(data, cuts):
    """Half the pairs within bins: reached when all of them are won, and when all are lost."""
    rows = st.lists(
        st.tuples(st.booleans(), st.sampled_from([*LEVELS, 0.3, 0.33, 0.6])), min_size=2
    )
    drawn = data.draw(rows)
    truth, scores = zip(*drawn, strict=True)
    histogram = ScoreHistogram(sorted(cuts))
    histogram.update(truth, scores)
    if len(set(truth)) < 2:
        assert math.isnan(histogram.auc)
        assert math.isnan(histogram.max_error)
        return
    inside = [
        (a, b)
        for truth_a, a in drawn
        for truth_b, b in drawn
        if truth_a and not truth_b and a not in cuts and b not in cuts
        if sum(cut < a for cut in cuts) == sum(cut < b for cut in cuts)
    ]
    pairs = sum(truth) * (len(truth) - sum(truth))
    assert histogram.max_error == float(Fraction(len(inside), 2 * pairs))
    exact = float(reference_auc(truth, scores))
    assert abs(histogram.auc - exact) <= histogram.max_error + 1e-15


@given(tables())
def test_histograms_add_up_and_survive_bytes(data):
    frame, parts = data
    complete = frame.filter(pl.col("a").is_not_nan() & pl.col("a").is_not_null())
    whole = ScoreHistogram.from_sample(complete["a"], n_bins=5)
    empty = whole.to_bytes()
    whole.update(complete["y"], complete["a"])
    added = ScoreHistogram.from_bytes(empty)
    for part in parts:
        rows = part.filter(pl.col("a").is_not_nan() & pl.col("a").is_not_null())
        one = ScoreHistogram.from_bytes(empty)
        one.update(rows["y"], rows["a"])
        added = added + ScoreHistogram.from_bytes(one.to_bytes())
    assert added == whole
    assert rl.auc(added.ranking()) == added.auc


@given(st.lists(st.sampled_from(LEVELS) | st.floats(-10, 10), min_size=1), st.integers(1, 20))
def test_cuts_ascend_and_are_scores_of_the_sample(scores, bins):
    cuts = quantile_cuts(np.array(scores), bins)
    assert (np.diff(cuts) > 0).all()
    assert set(cuts.tolist()) <= set(scores)
    assert len(cuts) <= max(bins, 1)
