"""Spark Connect, which has the DataFrame API only."""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from cluster_processes import PATIENCE, why_not_spark
from partitioned_rows import parted, rows

import roclab as rl


def test_connect_has_the_numbers_of_one_table(tmp_path):
    if reason := why_not_spark():
        pytest.skip(reason)
    pytest.importorskip("grpc", reason="Spark Connect is not installed")
    parts = parted(rows(12, 12_000), 12)
    for number, part in enumerate(parts):
        part.write_parquet(tmp_path / f"{number}.parquet")
    script = Path(__file__).with_name("connect_session.py")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(
        [sys.executable, script, f"{tmp_path}/*.parquet"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    frame = pl.concat(parts)
    wanted = rl.evaluate(rl.read_scores(frame, y_true="y", y_score=["tied", "smooth"]))
    grouped = rl.evaluate(rl.read_scores(frame, y_true="y", y_score=["whole"], by="g"), by="g")
    for name, rows_wanted in [
        ("rare class", wanted.rows),
        ("ranges", wanted.rows),
        ("groups", grouped.rows),
    ]:
        by_place = {(row["model"], row["group"]): row for row in found[name]}
        assert len(by_place) == len(rows_wanted)
        for row in rows_wanted:
            assert by_place[row.model, row.group]["value"] == row.interval.value
    timed = frame.with_columns(at=pl.col("whole") * 40_000 + 1_740_000_000)
    names = {"y_true": "y", "y_score": "tied", "time": "at", "model": "m", "by": "g"}
    summaries = rl.scale.cohort_summaries(timed, **names)
    assert found["summaries"] == [row.to_dict() for row in summaries.rows]
    named = {"y_true": "y", "y_score": ["tied", "smooth", "whole"]}
    compared = rl.compare(rl.read_scores(frame, **named)).to_dict()
    assert found["compared"] == json.loads(json.dumps(compared))
    assert found["error"].startswith("Column `g`")
    assert "Traceback" not in found["error"]
