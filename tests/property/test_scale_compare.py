"""Models compared in parts, by the rarer class, have the numbers of all rows in memory."""

import math
import tempfile
import warnings
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from parted_table import PartedTable

import roclab as rl
from roclab.inference.estimation.delong import joint_estimate
from roclab.readers.rows import RowReader
from roclab.scale.comparison import compared
from roclab.scale.local import LocalTable
from roclab.scale.paired import gathered, rare_class, rare_estimate
from roclab.scale.sources import Reading

LEVELS = [-math.inf, -0.0, 0.0, 0.1, 0.25, 0.5, 1.0, math.inf]
MODELS = ("a", "b", "c", "d")
MEMORY = st.sampled_from([3_000, 6_000, 30_000, 10**6])  # from few rare rows to all rows


@st.composite
def tables(draw, max_size=58):
    """A frame with ties, missing values and related models, and its division into parts."""
    size = draw(st.integers(1, max_size))
    number = st.sampled_from(LEVELS) if draw(st.booleans()) else st.floats(-1e6, 1e6)
    gap = st.one_of(number, st.none(), st.just(math.nan)) if draw(st.booleans()) else number
    share = draw(
        st.sampled_from([(0, 1), (0, 0, 0, 1), (*[0] * 15, 1), (*[1] * 15, 0), (0,), (1,)])
    )
    truth = draw(st.lists(st.sampled_from(share), min_size=size, max_size=size))
    first = draw(st.lists(gap, min_size=size, max_size=size))
    first[0] = 0.5
    columns = {
        "y": truth,
        "a": first,
        "b": draw(st.lists(st.integers(-(2**62), 2**62), min_size=size, max_size=size)),
    }
    for name in "cd":
        kind = draw(st.sampled_from(["copy", "turned", "near", "perfect", "constant", "own"]))
        column = [0.0] * size
        if kind == "copy":
            column = first
        elif kind == "turned":
            column = [None if value is None else -value for value in first]
        elif kind == "near":
            column = [*first[1:], 0.1]
        elif kind == "perfect":
            column = [2.0 * label for label in truth]
        elif kind == "own":
            column = draw(st.lists(number, min_size=size, max_size=size))
        columns[name] = column
    types = dict.fromkeys("acd", pl.Float64) | {"y": pl.Int8, "b": pl.Int64}
    frame = pl.DataFrame(columns, schema={name: types[name] for name in columns})
    cuts = sorted(draw(st.lists(st.integers(0, size), max_size=4)))
    parts = [frame.slice(a, b - a) for a, b in pairwise([0, *cuts, size])]
    return frame, parts


def engines(frame, parts, memory):
    yield LocalTable(frame=frame.lazy(), memory_limit=memory, directory=Path(tempfile.gettempdir()))
    yield PartedTable(parts, broadcast_bytes=memory)


READER = RowReader(label="y", models=MODELS)


def in_memory(frame):
    return rl.read_scores(frame, y_true="y", y_score=list(MODELS))


def same(found, expected):
    """Equal in all parts, where nan equals nan."""
    assert type(found) is type(expected)
    if isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    elif hasattr(expected, "__dataclass_fields__"):
        for one in fields(expected):
            same(getattr(found, one.name), getattr(expected, one.name))
    else:
        np.testing.assert_equal(found, expected)


@given(tables())
def test_the_joint_estimate_has_the_same_digits(data):
    frame, parts = data
    if frame.drop_nulls().drop_nans().is_empty():
        return
    expected = joint_estimate(in_memory(frame))
    for engine in engines(frame, parts, 1000):
        counts = engine.survey(READER).counts
        rare = gathered(engine, READER, rare_class(counts))
        same(rare_estimate(engine, READER, counts, rare), expected)


@given(tables(), MEMORY, st.sampled_from(["auto", "delong"]), st.sampled_from(["holm", "none"]))
def test_the_comparison_is_that_of_the_rows_in_memory(data, memory, method, correction):
    frame, parts = data
    options = {"correction": correction, "method": method}
    if frame.drop_nulls().drop_nans().is_empty():
        return
    with warnings.catch_warnings(record=True) as wanted:
        warnings.simplefilter("always")
        expected = rl.compare(in_memory(frame), confidence_level=0.9, **options)
    for engine in engines(frame, parts, memory):
        for few_rows in (0, 1000):
            with warnings.catch_warnings(record=True) as issued:
                warnings.simplefilter("always")
                found = found_or_refused(engine, level=0.9, few_rows=few_rows, **options)
            if isinstance(found, rl.InputError):
                assert memory <= 6_000
                assert "would fit into memory" in str(found)
                continue
            same(found, expected)
            assert [str(one.message) for one in issued] == [str(one.message) for one in wanted]


def found_or_refused(engine, **options):
    try:
        return compared(engine, Reading(READER), **options)
    except rl.InputError as error:
        return error
