"""Windows inside Structured Streaming: those of `WindowAUC`, also after a restart.

Names of columns have characters that Spark would parse.
"""

import os

import numpy as np
import polars as pl
import pytest

import roclab as rl

SIZE = 120
pytestmark = [
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def events(batch, n=300):
    rng = np.random.default_rng(batch)
    y = rng.random(n) < 0.4
    return pl.DataFrame(
        {
            "mo.d`el": rng.choice(["a", "b", "c"], n),
            "y.y": y.astype(np.int32),
            "`s`": np.where(rng.random(n) < 0.05, np.nan, np.round(rng.normal(size=n) + y, 1)),
            "at": rng.permutation(n) + n * batch,
        }
    )


def windows(batches):
    """What a window of each key says after each micro-batch that has rows of it."""
    held: dict[str, rl.WindowAUC] = {}
    found = []
    for batch in batches:
        rows = batch.filter(pl.col("`s`").is_not_nan()).sort("at")
        for (model,), some in rows.group_by("mo.d`el", maintain_order=True):
            window = held.setdefault(model, rl.WindowAUC(SIZE))
            window.update_many(some["y.y"].to_numpy(), some["`s`"].to_numpy())
            interval = window.interval()
            found.append((model, interval.value, interval.low, interval.high, window.n_pos))
    return found


def test_a_restart_from_the_checkpoint_continues_with_the_same_windows(spark, tmp_path):
    batches = [events(number) for number in range(4)]
    source, checkpoint = tmp_path / "events", str(tmp_path / "checkpoint")
    source.mkdir()
    found = []

    def run():
        stream = (
            spark.session.readStream.schema("`mo.d``el` string, `y.y` int, ```s``` double, at long")
            .option("maxFilesPerTrigger", 1)
            .parquet(str(source))
        )
        out = rl.scale.spark.window_auc(
            stream, key="mo.d`el", y_true="y.y", y_score="`s`", size=SIZE, time="at"
        )
        assert out.columns == ["mo.d`el", "auc", "low", "high", "n_pos", "n_neg"]
        query = (
            out.writeStream.outputMode("update")
            .option("checkpointLocation", checkpoint)
            .foreachBatch(lambda frame, _: found.append(frame.collect()))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()

    for number, batch in enumerate(batches):
        file = source / f"{number}.parquet"
        batch.write_parquet(file)
        os.utime(file, (10**9 + number, 10**9 + number))  # by which Spark orders files
        if number in (1, 3):
            run()
    rows = [tuple(row)[:5] for batch in found for row in sorted(batch)]
    wanted = windows(batches)
    ordered = [
        one for start in range(0, len(wanted), 3) for one in sorted(wanted[start : start + 3])
    ]
    assert rows == ordered


def test_what_cannot_be_is_said_before_the_query_starts(spark):
    stream = spark.session.readStream.format("rate").load()
    named = {"y_true": "value", "y_score": "timestamp", "size": 9}
    with pytest.raises(rl.ColumnError, match="No column `model`"):
        rl.scale.spark.window_auc(stream, key="model", **named)
    stream = stream.selectExpr("1 as model", "value", "timestamp")
    setting = "spark.sql.streaming.stateStore.providerClass"
    before = spark.session.conf.get(setting)
    spark.session.conf.set(setting, "org.example.Heap")
    try:
        with pytest.raises(rl.InputError, match=r"state store of the session is Heap.*RocksDB"):
            rl.scale.spark.window_auc(stream, key="model", **named)
    finally:
        spark.session.conf.set(setting, before)
