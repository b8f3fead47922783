"""The command on engines that it starts itself, without any setting."""

import json
import os
import subprocess
import sys

import pytest
from cluster_processes import why_not_spark
from partitioned_rows import parted, rows

OPTIONS = ["--label", "y", "--score", "smooth,whole", "--format", "json"]


@pytest.mark.parametrize(
    ("engine", "command"), [("spark", "compare"), ("dask", "evaluate"), ("dask", "compare")]
)
def test_the_engine_gives_the_numbers_of_one_file(engine, command, tmp_path):
    lacking = why_not_spark() if engine == "spark" else None
    if lacking:
        pytest.skip(lacking)
    for number, part in enumerate(parted(rows(10), 10)):
        part.write_parquet(tmp_path / f"{number}.parquet")

    def found(*options):
        kept = {name for name in os.environ if not name.startswith(("PYSPARK", "SPARK"))}
        environment = {name: os.environ[name] for name in kept}
        done = subprocess.run(
            [sys.executable, "-m", "roclab", command, f"{tmp_path}/*.parquet", *OPTIONS, *options],
            env={**environment, "SPARK_LOCAL_IP": "127.0.0.1"},
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert found("--engine", engine) == found("--engine", "polars")
