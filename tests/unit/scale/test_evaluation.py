"""`scale.evaluate`: sources, roles of columns, labels, what is left out, and what is refused."""

import os
import subprocess
import sys
import warnings

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import roclab as rl
from roclab.readers.values import smallest
from roclab.scale import evaluate
from roclab.scale.local import LocalTable

ROWS = 5000


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(4)
    y = rng.random(ROWS) < 0.2
    return pl.DataFrame(
        {
            "y": y.astype(np.int64),
            "good": np.round(rng.normal(size=ROWS) + 1.5 * y, 2),
            "poor": rng.normal(size=ROWS).astype(np.float32) + 0.2 * y,
            "level": rng.integers(0, 5, ROWS) + y,
            "site": rng.choice(["north", "south", "west"], ROWS),
        }
    )


@pytest.fixture(scope="module")
def expected(frame):
    return rl.evaluate(rl.read_scores(frame, y_true="y"))


def same(found, expected):
    assert [row.model for row in found.rows] == [row.model for row in expected.rows]
    for one, other in zip(found.rows, expected.rows, strict=True):
        assert one.interval == other.interval
    assert found.missing == expected.missing


def test_frames_and_arrow_tables(frame, expected):
    reader = pa.RecordBatchReader.from_batches(
        frame.to_arrow().schema, frame.to_arrow().to_batches(max_chunksize=700)
    )
    for source in (frame, frame.lazy(), frame.to_arrow(), reader):
        same(evaluate(source, y_true="y"), expected)


def test_files_patterns_and_directories(frame, expected, tmp_path):
    for number, part in enumerate(frame.iter_slices(1200)):
        part.write_parquet(tmp_path / f"part{number}.parquet")
    frame.write_ipc(tmp_path / "all.arrow")
    frame.write_ndjson(tmp_path / "all.jsonl")
    same(evaluate(str(tmp_path / "part*.parquet"), y_true="y"), expected)
    same(evaluate(tmp_path, y_true="y"), expected)
    same(evaluate(tmp_path / "all.arrow", y_true="y"), expected)
    same(evaluate(tmp_path / "all.jsonl", y_true="y"), expected)


def test_text_files_are_read_as_in_memory(frame, tmp_path):
    path = tmp_path / "scores.csv"
    holes = frame.with_columns(good=pl.when(pl.col("level") > 3).then(None).otherwise("good"))
    holes.write_csv(path, null_value="NA")
    same(evaluate(path, y_true="y"), rl.evaluate(rl.read_scores(path, y_true="y")))


def test_labels_may_be_text(frame, tmp_path):
    words = frame.with_columns(
        y=pl.when(pl.col("y") == 1).then(pl.lit("ill")).otherwise(pl.lit("well"))
    )
    words.write_csv(tmp_path / "words.csv")
    for source in (words, tmp_path / "words.csv"):
        found = evaluate(source, y_true="y", y_score="good", pos_label="ill")
        table = rl.read_scores(words, y_true="y", y_score="good", pos_label="ill")
        assert found.rows[0].interval == rl.evaluate(table).rows[0].interval
        with pytest.raises(rl.InputError, match=r"Column `y`: y_true holds two values"):
            evaluate(source, y_true="y", y_score="good")
        with pytest.raises(rl.InputError, match="pos_label='sick' is not among the values"):
            evaluate(source, y_true="y", y_score="good", pos_label="sick")


@pytest.mark.parametrize("pos_label", [1, "1", None])
@pytest.mark.parametrize("kind", [pl.Int8, pl.UInt16, pl.Float32, pl.Boolean])
def test_labels_of_any_numeric_type(frame, expected, kind, pos_label):
    typed = frame.with_columns(pl.col("y").cast(kind))
    found = evaluate(typed, y_true="y", y_score="good", pos_label=pos_label)
    assert found.rows[0].interval == expected.rows[0].interval


def test_wrong_labels_are_refused_once(frame):
    many = frame.with_columns(y=pl.col("level"))
    with pytest.raises(rl.InputError, match=r"holds .* values .*AUC needs two classes"):
        evaluate(many, y_true="y", y_score="good")
    with pytest.raises(rl.InputError, match=r"holds 3 values \(-1, 0, 1; 5,000 rows\)"):
        evaluate(
            frame.with_columns(y=pl.col("y") - pl.col("level") % 2), y_true="y", y_score="good"
        )


@pytest.mark.parametrize("kind", [pl.Int8, pl.Int16, pl.UInt8, pl.UInt32, pl.UInt64, pl.Float32])
def test_scores_of_any_type(frame, kind):
    typed = frame.select("y", pl.col("level").cast(kind))
    found = evaluate(typed, y_true="y", memory_limit="10MB")
    exact = rl.evaluate(rl.read_scores(typed, y_true="y"))
    assert found.rows[0].interval == exact.rows[0].interval


def test_groups_come_as_they_appear(frame):
    found = evaluate(frame, y_true="y", y_score=["good", "poor"], by="site", measures="gini")
    table = rl.read_scores(frame, y_true="y", y_score=["good", "poor"], by="site")
    exact = rl.evaluate(table, by="site", measures="gini")
    assert found == exact
    assert [row.group for row in found.rows[::2]] == frame["site"].unique(
        maintain_order=True
    ).to_list()
    assert found.rows[0].values == {"gini": 2 * found.rows[0].interval.value - 1}


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("scored", [False, True])
@pytest.mark.parametrize("keys", ["text", "small integers", "large integers"])
def test_groups_of_weight_0(keys, scored, kept, monkeypatch):
    """They have a row, as in memory: undefined, without examples, where they first appear."""
    rng = np.random.default_rng(1)
    n = 3000
    if not kept:
        monkeypatch.setattr(LocalTable, "keep_bytes", 1)
    places = np.arange(n) * 7919 % 40
    y = rng.random(n) < 0.4
    frame = pl.DataFrame(
        {
            "y": y.astype(np.int64),
            "s": rng.normal(size=n) + y,
            "t": rng.integers(0, 9, n),
            "w": np.where(np.isin(places, [0, 5, 39]), 0.0, rng.choice([0.0, 0.5, 2.0], n)),
            "g": pl.Series(places).cast(pl.String)
            if keys == "text"
            else places * (10**9) ** ("large" in keys),
        }
    )
    options = {"measures": "scored_auc" if scored else ()}
    with pytest.warns(rl.UndefinedMeasureWarning, match=r"one is missing in 3 of 40 groups"):
        found = evaluate(frame, y_true="y", sample_weight="w", by="g", **options)
    table = rl.read_scores(frame, y_true="y", y_score=["s", "t"], sample_weight="w", by="g")
    with pytest.warns(rl.UndefinedMeasureWarning):
        wanted = rl.evaluate(table, by="g", **options)
    assert [(row.group, row.model) for row in found.rows] == [
        (row.group, row.model) for row in wanted.rows
    ]
    for one, other in zip(found.rows, wanted.rows, strict=True):
        assert (one.interval.n_pos, one.interval.n_neg) == (
            other.interval.n_pos,
            other.interval.n_neg,
        )
        for name in ("value", "low", "high", "standard_error"):
            value = getattr(other.interval, name)
            assert getattr(one.interval, name) == pytest.approx(value, rel=1e-11, nan_ok=True)
        assert one.values == pytest.approx(other.values, rel=1e-11, nan_ok=True)
    assert found.missing == wanted.missing


@pytest.mark.parametrize("method", ["exact", "bounded"])
@pytest.mark.parametrize("by", [None, "g"])
def test_weights_that_are_all_0(method, by):
    if method == "bounded" and by is not None:
        return
    frame = pl.DataFrame({"y": [0, 1, 1], "s": [1.0, 2.0, 3.0], "g": [*"bab"], "w": [0.0] * 3})
    table = rl.read_scores(frame, y_true="y", y_score="s", sample_weight="w", by=by)
    with pytest.warns(rl.UndefinedMeasureWarning) as in_memory:
        wanted = rl.evaluate(table, by=by)
    with pytest.warns(rl.UndefinedMeasureWarning) as in_parts:
        found = evaluate(frame, y_true="y", y_score="s", sample_weight="w", by=by, method=method)
    assert [row.group for row in found.rows] == [row.group for row in wanted.rows]
    assert all(np.isnan(row.interval.value) and row.interval.n_neg == 0 for row in found.rows)
    assert [str(one.message) for one in in_parts] == [str(one.message) for one in in_memory]


def test_one_class_is_undefined(frame):
    ones = frame.filter(pl.col("y") == 1)
    for limit in (None, "10MB"):
        with pytest.warns(rl.UndefinedMeasureWarning, match="needs both classes"):
            found = evaluate(ones, y_true="y", y_score="good", memory_limit=limit)
        assert np.isnan(found.rows[0].interval.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_score": "god"}, "No column `god`.* Did you mean `good`"),
        ({"y_true": "z"}, "No column `z`"),
        ({"y_score": "site"}, "Column `site` is text, not numeric: `[a-z]+` in row 1"),
        ({"method": "quick"}, "method='quick'"),
        ({"max_error": 0}, "max_error=0 is out of range"),
        ({"memory_limit": "lots"}, "memory_limit='lots' is not an amount of memory"),
        ({"memory_limit": 10}, "memory_limit=10 is not an amount of memory"),
        ({"measures": "brier_score"}, "measures has 'brier_score'; only scored_auc and gini"),
        ({"measures": "scored_auc", "method": "bounded"}, "only gini follows from the counts"),
        ({"by": ["site", "level"]}, "by is a list; the name of one column"),
        (
            {"by": "site", "method": "bounded"},
            r"the same bins; with by, every group .* exactly: that takes one pass",
        ),
        (
            {"sample_weight": "poor"},
            r"Column `poor` is -[0-9.]+ in row 1; weights must be finite and not negative",
        ),
    ],
)
def test_refusals_name_what_is_wrong(frame, options, message):
    given = {"y_true": "y", "y_score": "good"} | options
    with pytest.raises(rl.InputError, match=message):
        evaluate(frame, **given)


def test_text_among_scores_is_shown(frame, tmp_path):
    path = tmp_path / "scores.csv"
    frame.with_columns(
        good=pl.when(pl.col("level") == 5)
        .then(pl.lit("high"))
        .otherwise(pl.col("good").cast(pl.String))
    ).write_csv(path)
    row = frame["level"].index_of(5) + 1
    with pytest.raises(rl.InputError, match=f"is text, not numeric: `high` in row {row};"):
        evaluate(path, y_true="y", y_score="good")


def test_sources_that_are_none(tmp_path):
    with pytest.raises(rl.InputError, match="No file `"):
        evaluate(tmp_path / "none.parquet", y_true="y")
    with pytest.raises(rl.InputError, match="source is a list"):
        evaluate([1, 2], y_true="y")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(rl.InputError, match=r"broken.parquet` cannot be read"):
        evaluate(tmp_path / "broken.parquet", y_true="y")
    with pytest.raises(rl.InputError, match="has no rows"):
        evaluate(
            pl.DataFrame({"y": [], "s": []}, schema={"y": pl.Int8, "s": pl.Float64}), y_true="y"
        )
    with pytest.raises(rl.InputError, match="Column `s` is missing in all 3 rows"):
        evaluate(pl.DataFrame({"y": [1, 0, 1], "s": [None, np.nan, None]}), y_true="y", y_score="s")


def test_infinite_scores_are_ranked_but_not_scored(frame):
    ends = frame.with_columns(
        good=pl.when(pl.col("level") == 0).then(-np.inf).otherwise(pl.col("good"))
    )
    exact = rl.evaluate(rl.read_scores(ends, y_true="y", y_score="good"))
    for limit in (None, "10MB"):
        found = evaluate(ends, y_true="y", y_score="good", memory_limit=limit)
        assert found.rows[0].interval == exact.rows[0].interval
        with pytest.raises(rl.InputError, match="infinite"):
            evaluate(ends, y_true="y", y_score="good", measures="scored_auc", memory_limit=limit)


def test_nothing_is_left_in_the_directory(tmp_path):
    """Rows beyond the limit go to files without names, also if the process is killed."""
    code = """
import numpy as np, os, polars as pl, roclab as rl, signal, sys
rng = np.random.default_rng(0)
n = 400_000
y = rng.random(n) < 0.5
frame = pl.DataFrame({"y": y.astype(np.int8), "s": rng.normal(size=n) + y})
calls = 0
def progress(done, total):
    global calls
    if total is not None:
        assert os.listdir(sys.argv[1]) == []
        if sys.argv[2] == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if sys.argv[2] == "interrupt":
            raise KeyboardInterrupt
        calls += 1
options = {"memory_limit": "10MB", "directory": sys.argv[1], "progress": progress}
found = rl.scale.evaluate(frame, y_true="y", **options)
exact = rl.evaluate(rl.read_scores(frame, y_true="y"))
assert calls and found.rows[0].interval == exact.rows[0].interval
"""
    for how, status in (("end", 0), ("interrupt", 130), ("kill", -9)):
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path), how], capture_output=True, check=False
        )
        assert done.returncode in (status, -2 if how == "interrupt" else status), done.stderr
        assert os.listdir(tmp_path) == []


def test_a_table_that_changes_is_noticed():
    from roclab.errors import RoclabError
    from roclab.readers.rows import RowCounts
    from roclab.scale.plans import check_same

    with pytest.raises(RoclabError, match=r"changed while it was read: 5\+ 7- rows, then 5\+ 8-"):
        check_same(RowCounts(pos=5, neg=7), RowCounts(pos=5, neg=8))


def test_people_see_the_first_of_many_groups_and_programs_all():
    rng = np.random.default_rng(0)
    truth = rng.random(12_000) < 0.5
    frame = pl.DataFrame({"y": truth, "s": rng.random(12_000), "g": np.arange(12_000) % 1200})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = evaluate(frame, y_true="y", y_score="s", by="g")
    printed = str(found)
    assert "The first 200 of 1,200 rows are shown" in printed
    assert printed.count("[") == 200
    assert printed.splitlines()[2].split()[0] == str(found.rows[0].group)
    assert found._repr_html_().count("<tr>") == 201
    assert len(found.to_pandas()) == 1200


def test_equal_runs_have_the_same_bits(tmp_path):
    """Batches of a file come in their order, so sums of weights and samples are the same."""
    rng = np.random.default_rng(5)
    n = 600_000
    y = rng.random(n) < 0.4
    frame = pl.DataFrame(
        {
            "y": y,
            "s": rng.normal(size=n) + y,
            "w": rng.lognormal(0, 3, n),
            "g": 7 * np.arange(n) // n,
        }
    )
    frame.write_parquet(tmp_path / "rows.parquet", row_group_size=20_000)
    ways = (
        {"sample_weight": "w", "method": "bounded", "max_error": 1e-3},
        {"method": "bounded", "max_error": 1e-5},
        {"sample_weight": "w", "memory_limit": "10MB"},
        {"sample_weight": "w", "by": "g"},
    )
    for options in ways:
        first, *others = (
            evaluate(tmp_path / "rows.parquet", y_true="y", y_score="s", **options)
            for _ in range(4)
        )
        assert all(other == first for other in others)
        if "by" in options:
            assert [row.group for row in first.rows] == [*range(7)]


def test_labels_of_a_message_are_in_order_whatever_the_batches():
    assert smallest([0, 1, 0.5]) == [0, 0.5, 1]
    assert smallest([1.0, 0.5, 0, "a"]) == [0, 0.5, 1, "a"]
