"""Evaluations on clusters: the numbers of `evaluate`, for any partitions, and one clear error."""

import os
import signal
import threading
import warnings

import numpy as np
import polars as pl
import pytest
from cluster_processes import ancestors, wait_for
from partitioned_rows import parted, rows

import roclab as rl
from roclab.scale import paired

pytestmark = [
    # PySpark 4.3 is not sure of pandas 3 yet.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::roclab.RoclabWarning"),
]


def evaluated(parts, **options):
    """What the table in memory says."""
    named = {name: options[name] for name in ("y_score", "sample_weight") if name in options}
    by = options.get("by")
    table = rl.read_scores(pl.concat(parts), y_true="y", by=by, **named)
    return rl.evaluate(table, by=by, measures=options.get("measures", ()))


def assert_same(found, wanted, *, exact=True):
    """The same rows; the AUC has the same bits if it is exact, since it follows from counts."""
    assert found.missing == wanted.missing
    here = {(row.model, row.group): row for row in found.rows}
    there = {(row.model, row.group): row for row in wanted.rows}
    assert [*here] == [*there]
    for place, row in there.items():
        one, other = here[place].interval, row.interval
        assert (one.n_pos, one.n_neg) == (other.n_pos, other.n_neg)
        if exact:
            np.testing.assert_array_equal(one.value, other.value)
        for name in ("value", "standard_error", "low", "high"):
            one_value, other_value = getattr(one, name), getattr(other, name)
            assert one_value == pytest.approx(other_value, rel=1e-12, nan_ok=True)
        for name, value in row.values.items():
            assert here[place].values[name] == pytest.approx(value, rel=1e-12, nan_ok=True)


MODELS = ["tied", "smooth", "whole"]


@pytest.mark.parametrize("plan", ["rare class", "ranges"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_any_partitions_give_the_numbers_of_one_table(engine, plan, weight, monkeypatch):
    if plan == "ranges":
        monkeypatch.setattr(engine.table, "broadcast_bytes", 0)
    for seed in range(1 if engine.name == "spark" else 2):
        parts = parted(rows(seed), seed)
        options = {"y_score": MODELS, "sample_weight": weight}
        found = rl.scale.evaluate(engine.frame(parts), y_true="y", **options)
        assert_same(found, evaluated(parts, **options), exact=weight is None)


def test_few_distinct_rows_are_counted_in_one_pass(engine, monkeypatch):
    monkeypatch.setattr(engine.table, "survey", None)  # a second pass would begin with it
    parts = parted(rows(4), 4)
    options = {"y_score": ["tied"], "measures": "scored_auc"}
    found = rl.scale.evaluate(engine.frame(parts), y_true="y", **options)
    assert_same(found, evaluated(parts, **options))


def test_the_scored_auc_is_that_of_one_table(engine):
    parts = parted(rows(5), 5)
    options = {"y_score": ["tied", "whole"], "measures": "scored_auc"}
    found = rl.scale.evaluate(engine.frame(parts), y_true="y", **options)
    assert_same(found, evaluated(parts, **options))


@pytest.mark.parametrize("large", [False, True])
def test_groups(engine, large, monkeypatch):
    """Groups too large for a worker are evaluated one by one."""
    if large:
        monkeypatch.setattr(engine.table, "broadcast_bytes", 40 * 210)
    parts = parted(rows(6), 6)
    options = {"y_score": ["whole"], "by": "g"}
    found = rl.scale.evaluate(engine.frame(parts), y_true="y", **options)
    assert_same(found, evaluated(parts, **options))


@pytest.mark.parametrize("lost", ["filtered", "missing", "weight 0"])
def test_partitions_that_lose_all_their_rows(engine, lost):
    parts = parted(rows(14), 14)
    kept = [*parts]
    if lost == "filtered":
        parts[4] = parts[4].with_columns(g=pl.lit("gone"))
        del kept[4]
    elif lost == "missing":
        parts[4] = kept[4] = parts[4].with_columns(smooth=pl.lit(None, pl.Float64))
    else:
        parts[4] = kept[4] = parts[4].with_columns(w=pl.lit(0.0))
    frame = engine.frame(parts)
    frame = frame[frame["g"] != "gone"]
    for options in (
        {"y_score": ["smooth", "tied"], "sample_weight": "w"},
        {"y_score": ["tied", "whole"], "measures": "scored_auc"},
        {"y_score": ["tied", "whole"], "measures": "scored_auc", "sample_weight": "w"},
        {"y_score": ["whole"], "by": "g", "sample_weight": "w"},
    ):
        found = rl.scale.evaluate(frame, y_true="y", **options)
        assert_same(found, evaluated(kept, **options), exact=False)


def test_names_with_any_characters(engine):
    names = {"y": "y.true", "tied": "a.b`c", "whole": "`w` (%)", "w": "we`i.ght", "g": "gr.o`up"}
    parts = [part.drop("smooth").rename(names) for part in parted(rows(15), 15)]
    frame = engine.frame(parts)
    models = [names["tied"], names["whole"]]
    table = rl.read_scores(
        pl.concat(parts), y_true=names["y"], y_score=models, by=names["g"], sample_weight=names["w"]
    )
    plain = {"y_true": names["y"], "y_score": models}
    weighted = {"sample_weight": names["w"], "by": names["g"]}
    found = rl.scale.evaluate(frame, **plain, **weighted)
    assert_same(found, rl.evaluate(table, by=names["g"]), exact=False)
    plainly = rl.read_scores(pl.concat(parts), **plain)
    assert_same(rl.scale.evaluate(frame, **plain), rl.evaluate(plainly))
    assert rl.scale.compare(frame, **plain) == rl.compare(plainly)
    bounded = rl.scale.evaluate(frame, **plain, method="bounded")
    assert [row.model for row in bounded.rows] == models


@pytest.mark.parametrize("weight", [None, "w"])
def test_bounded_counts_keep_their_promise(engine, weight):
    parts = parted(rows(7), 7)
    options = {"y_score": ["smooth", "tied"], "sample_weight": weight}
    found = rl.scale.evaluate(engine.frame(parts), y_true="y", method="bounded", **options)
    for one, other in zip(found.rows, evaluated(parts, **options).rows, strict=True):
        assert one.values["max_error"] <= 1e-4
        assert abs(one.interval.value - other.interval.value) <= one.values["max_error"]


@pytest.mark.parametrize("n", [900, 12_000])
def test_models_are_compared(engine, n, monkeypatch):
    """Few rows are all fetched; of many, those of the rarer class."""
    fetched = []
    gather = paired.gathered
    monkeypatch.setattr(
        paired, "gathered", lambda *given: fetched.append(given[2:]) or gather(*given)
    )
    parts = parted(rows(13, n), 13)
    found = rl.scale.compare(engine.frame(parts), y_true="y", y_score=MODELS)
    wanted = rl.compare(rl.read_scores(pl.concat(parts), y_true="y", y_score=MODELS))
    assert len(fetched) == 1
    assert (fetched[0] == ()) == (n == 900)
    assert found.missing.rows_dropped > 0
    assert found == wanted


@pytest.mark.parametrize("weight", [None, "w"])
def test_counts_added_up_by_the_workers(spark, weight, monkeypatch):
    """In a fixed order, so that equal runs have the same digits."""
    monkeypatch.setattr("roclab.scale.spark.table._MOST_COLLECTED", 0)
    parts = [part.with_columns(w=pl.col("w") / 3) for part in parted(rows(8), 8)]
    options = {"y_score": MODELS, "sample_weight": weight}
    frame = spark.frame(parts)
    found = rl.scale.evaluate(frame, y_true="y", **options)
    assert_same(found, evaluated(parts, **options), exact=weight is None)
    assert rl.scale.evaluate(frame, y_true="y", **options) == found


def one_line(error):
    """An error as the user meets it: a line, without the story of a worker."""
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__ or error.value.__context__ is None
    text = str(error.value)
    assert "\n" not in text
    assert "Traceback" not in text
    return text


def test_values_that_cannot_be_used_are_named(engine):
    parts = parted(rows(9), 9)
    parts[4] = parts[4].with_columns(w=-pl.col("w"))
    with pytest.raises(rl.InputError) as error:
        rl.scale.evaluate(engine.frame(parts), y_true="y", y_score="whole", sample_weight="w")
    assert one_line(error).startswith("Column `w` is -")
    assert "weights must be finite and not negative" in one_line(error)
    with pytest.raises(rl.InputError) as error:
        rl.scale.evaluate(engine.frame(parts), y_true="whole", y_score="smooth")
    assert "Column `whole`" in one_line(error)
    with pytest.raises(rl.ColumnError, match="No column `Y`"):
        rl.scale.evaluate(engine.frame(parts), y_true="Y", y_score="smooth")
    with pytest.raises(rl.InputError, match="The table has no rows"):
        rl.scale.evaluate(engine.frame([parts[2], parts[2]]), y_true="y", y_score="smooth")


def spoiled(engine, function, parts):
    """A frame whose partitions pass through a function of pandas first."""
    frame = engine.frame(parts)
    if engine.name == "dask":
        return frame.map_partitions(function, meta=frame._meta)
    return frame.mapInPandas(lambda frames: map(function, frames), frame.schema)


def test_a_source_that_fails_is_one_line(engine):
    def broken(frame):
        raise ValueError(f"the disk with {len(frame.columns)} columns\nis broken")

    frame = spoiled(engine, broken, parted(rows(10), 10))
    with pytest.raises(rl.RoclabError) as error:
        rl.scale.evaluate(frame, y_true="y", y_score="smooth")
    assert "the disk with 6 columns" in one_line(error)


@pytest.mark.parametrize("method", ["map", "range_summaries"])
def test_a_worker_is_killed_in_the_middle(engine, method, tmp_path, monkeypatch):
    """In a pass over the table, or while its rows are divided: the result is still exact."""
    if method == "range_summaries":
        monkeypatch.setattr(engine.table, "broadcast_bytes", 0)
    armed, marker, killed = (tmp_path / name for name in ("armed", "marker", "killed"))
    run = getattr(engine.table, method)

    def armed_run(*arguments):
        armed.touch()
        return run(*arguments)

    monkeypatch.setattr(engine.table, method, armed_run)

    def slow(frame):
        import os
        import time

        # The first task says where it runs, and stays until its process is killed.
        if not armed.exists():
            return frame
        try:
            place = os.open(marker, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        except FileExistsError:
            return frame
        os.write(place, str(os.getpid()).encode())
        os.close(place)
        while not killed.exists():
            time.sleep(0.05)
        time.sleep(3)  # longer than it takes to die
        return frame

    parts = parted(rows(11), 11)
    frame = spoiled(engine, slow, parts)
    found = []

    def evaluate():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(rl.scale.evaluate(frame, y_true="y", y_score=["smooth", "tied"]))

    job = threading.Thread(target=evaluate)
    job.start()
    pid = int(wait_for(lambda: marker.exists() and marker.read_text(), "task"))
    if engine.name == "spark":
        # The task runs in a Python worker; its executor, which started it, is killed.
        line = ancestors(pid)
        (worker,) = set(line) & set(engine.workers)
        victim = line[line.index(worker) - 1]
    else:
        assert pid in engine.client.run(os.getpid).values()
        victim = pid
    os.kill(victim, signal.SIGKILL)
    killed.touch()
    job.join()
    assert_same(found[0], evaluated(parts, y_score=["smooth", "tied"]))
