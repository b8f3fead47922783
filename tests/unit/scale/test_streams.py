"""Streams of Arrow, read once: the numbers of the table, in little memory, and no file left."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import roclab as rl
from roclab.readers.columns import Columns
from roclab.scale import compare, evaluate, score_histograms, sources
from roclab.scale.spill import SpilledFrames
from roclab.scale.streams import ArrowStream

ROWS = 150_000  # more than fit into a share of the smallest limit


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(6)
    y = rng.random(ROWS) < 0.45
    good = rng.normal(size=ROWS) + y
    good[::97] = np.nan
    return pl.DataFrame(
        {
            "y": np.where(y, "ill", "well"),
            "good": good,
            "tied": pl.Series(np.round(good, 1), dtype=pl.Float32),
            "level": pl.Series(rng.integers(0, 5, ROWS) + y).set(pl.Series(y & (good > 2)), None),
            "w": rng.choice([0.0, 0.5, 2.0], ROWS),
            "site": rng.choice(["north", "south", None], ROWS),
            "note": rng.choice(["a remark that nobody reads", "another one"], ROWS),
        }
    )


def reader_of(frame, rows=4096):
    table = frame.to_arrow()
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=rows))


@pytest.mark.parametrize("limit", ["10MB", None])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"y_score": ["tied", "level"], "measures": ["scored_auc", "gini"]},
        {"y_score": ["good", "tied"], "sample_weight": "w"},
        {"y_score": ["good", "level"], "by": "site"},
        {"y_score": "good", "method": "bounded", "max_error": 0.001},
    ],
)
def test_a_stream_has_the_numbers_of_the_table(frame, options, limit, tmp_path):
    options |= {"y_true": "y", "pos_label": "ill", "memory_limit": limit, "directory": tmp_path}
    found = evaluate(reader_of(frame), **options)
    assert found == evaluate(frame.lazy(), **options)
    assert os.listdir(tmp_path) == []


def test_a_stream_is_compared(frame, tmp_path):
    named = {"y_true": "y", "y_score": ["good", "tied"], "pos_label": "ill"}
    rare = frame.filter((pl.col("y") == "well") | (pl.int_range(pl.len()) % 40 == 0))
    found = compare(reader_of(rare), **named, memory_limit="10MB", directory=tmp_path)
    assert found == rl.compare(rl.read_scores(rare, **named))
    assert os.listdir(tmp_path) == []


def test_histograms_of_a_stream(frame):
    named = {"y_true": "y", "y_score": ["tied"], "pos_label": "ill"}
    assert score_histograms(reader_of(frame), **named) == score_histograms(frame, **named)


def test_batches_of_polars_are_a_stream(frame):
    named = {"y_true": "y", "y_score": "good", "pos_label": "ill"}
    assert evaluate(frame.lazy().collect_batches(), **named) == evaluate(frame, **named)


def kept(source, directory, limit):
    """What is kept of a stream: the frame, and whether it has a file."""
    stream = ArrowStream(source)
    stream.head(["y", "good"], 10)
    made = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SpilledFrames, "__enter__", lambda self: made.append(self) or self)
        with stream.kept(["good"], memory_limit=limit, directory=directory, progress=None) as (
            found,
            rows,
        ):
            whole = found.collect()
            some = found.filter(pl.col("good") > 1).head(7).collect()
            assert rows == whole.height
            [file] = made[0]._files
            on_disk = file._rolled
    assert file.closed
    return whole, some, on_disk


@pytest.mark.parametrize(("limit", "on_disk"), [(10**9, False), (10**6, True)])
def test_rows_are_written_if_they_are_too_many(frame, tmp_path, limit, on_disk):
    whole, some, written = kept(reader_of(frame), tmp_path, limit)
    assert written == on_disk
    assert whole.equals(frame.select("good"))
    assert some.equals(frame.select("good").filter(pl.col("good") > 1).head(7))
    one_batch, *_ = kept(reader_of(frame, ROWS), tmp_path, limit)
    assert one_batch.equals(whole)


def test_several_readers_at_once(frame, tmp_path):
    stream = ArrowStream(reader_of(frame))
    stream.head(["good"], 10)
    with stream.kept(["good"], memory_limit=10**6, directory=tmp_path, progress=None) as (found, _):
        batches = [iter(found.collect_batches()) for _ in range(2)]
        pairs = [*zip(*batches, strict=True)]
    assert len(pairs) > 2
    for one, other in pairs:
        assert one.equals(other)


def test_tables_in_memory_are_not_copied(frame, tmp_path):
    table = frame.to_arrow()
    for source in (frame, table, pd.DataFrame({"y": [0, 1], "good": [0.25, 0.5]})):
        assert not sources._is_stream(source)
    columns = Columns.named(y_true="y", y_score="good", sample_weight=None)
    with sources.open_table(
        table,
        columns,
        pos_label="ill",
        memory_limit=10**7,
        directory=tmp_path / "none",
        progress=None,
    ) as (opened, _):
        here = opened.frame.select("good").collect().to_arrow()["good"].chunks[0]
    assert here.buffers()[1].address == table["good"].chunks[0].buffers()[1].address


def test_progress_of_a_stream(frame):
    seen = []
    evaluate(
        reader_of(frame),
        y_true="y",
        y_score="good",
        pos_label="ill",
        memory_limit="10MB",
        progress=lambda *rows: seen.append(rows),
    )
    totals = [total for _, total in seen]
    assert seen[totals.index(ROWS) - 1] == (ROWS, None)
    assert seen[-1] == (ROWS, ROWS)


def failing(frame):
    def batches():
        yield from frame.to_arrow().to_batches(max_chunksize=40_000)
        raise OSError("the connection was lost")

    return pa.RecordBatchReader.from_batches(frame.to_arrow().schema, batches())


def test_a_stream_that_fails_is_one_line_and_leaves_nothing(frame, tmp_path):
    options = {"y_true": "y", "y_score": "good", "pos_label": "ill", "memory_limit": "10MB"}
    with pytest.raises(rl.InputError, match="connection was lost") as error:
        evaluate(failing(frame), **options, directory=tmp_path)
    assert str(error.value).startswith("The stream cannot be read: ")
    assert "\n" not in str(error.value)
    assert os.listdir(tmp_path) == []
    options["pos_label"] = "sick"
    with pytest.raises(rl.InputError, match="pos_label='sick' is not among the values"):
        evaluate(reader_of(frame), **options, directory=tmp_path)
    assert os.listdir(tmp_path) == []


def test_streams_without_rows_or_columns(frame):
    empty = frame.head(0)
    with pytest.raises(rl.InputError, match="The table has no rows"):
        evaluate(reader_of(empty), y_true="y", y_score="good")
    with pytest.raises(rl.ColumnError, match=r"No column `god`.* Did you mean `good`"):
        evaluate(reader_of(frame), y_true="y", y_score="god")
    numbers = pa.chunked_array([[1, 2], [3]])
    with pytest.raises(rl.InputError, match=r"The stream cannot be read: .* struct"):
        evaluate(numbers, y_true="y")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_stream_larger_than_the_limit_takes_little_memory(tmp_path):
    """400 MB, most of it in columns that are not needed, with a limit of 20 MB."""
    code = """
import sys
import numpy as np, pyarrow as pa, roclab as rl
schema = pa.schema([("y", pa.int8())] + [(name, pa.float64()) for name in "abcdefg"])
rows, batches = 100_000, 70
rng = np.random.default_rng(0)
def made():
    for _ in range(batches):
        y = rng.random(rows) < 0.5
        score = rng.random(rows) + y / 2
        yield pa.record_batch([y.astype(np.int8), *[score.copy() for _ in "abcdefg"]], schema)
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1e3 for line in status if line.startswith("VmHWM"))
options = {"y_true": "y", "y_score": "a", "memory_limit": "20MB", "directory": sys.argv[1]}
small = pa.table({"y": [0, 1] * rows, "a": [0.25, 0.5] * rows})
rl.scale.evaluate(small, **options)
before = peak()
found = rl.scale.evaluate(pa.RecordBatchReader.from_batches(schema, made()), **options)
interval = found.rows[0].interval
assert interval.n_pos + interval.n_neg == rows * batches
assert abs(interval.value - 7 / 8) < 1e-3
print(peak() - before)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, check=True, text=True
    )
    assert float(done.stdout) < 150, done.stdout
    assert os.listdir(tmp_path) == []
