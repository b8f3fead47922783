"""Real clusters on this machine: Spark's master with two workers, and Dask with two processes.

What was started is stopped, by its own process id, also where a test fails. Without a JDK or
without a package, tests are skipped with the reason.
"""

import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from cluster_processes import free_port, started, wait_for, why_not_spark

# Scripts that other processes run, and that import what this one may lack.
collect_ignore = ["connect_session.py"]

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(item.fspath).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.scale)


@dataclass
class SparkEngine:
    """A session on a standalone cluster."""

    name = "spark"
    session: Any
    workers: list[int]

    def frame(self, parts):
        """A frame with exactly these partitions."""
        frames = [self.session.createDataFrame(part.to_arrow()).coalesce(1) for part in parts]
        whole = frames[0]
        for frame in frames[1:]:
            whole = whole.union(frame)
        return whole

    @property
    def table(self):
        from roclab.scale.spark.table import SparkTable

        return SparkTable


@dataclass
class DaskEngine:
    """A client of a cluster with two processes."""

    name = "dask"
    client: Any

    def frame(self, parts):
        """A frame with exactly these partitions."""
        import dask.dataframe as dd

        kept = [part.to_pandas() for part in parts]
        meta = pl.concat(parts).to_pandas().iloc[:0]
        return dd.from_map(lambda i: kept[i].astype(meta.dtypes), range(len(kept)), meta=meta)

    @property
    def table(self):
        from roclab.scale.dask import DaskTable

        return DaskTable


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    reason = why_not_spark()
    if reason:
        pytest.skip(reason)
    import pyspark
    from pyspark.sql import SparkSession

    directory = tmp_path_factory.mktemp("spark")
    home = Path(pyspark.__file__).parent
    spark_class = str(home / "bin" / "spark-class")
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_LOCAL_DIRS": str(directory),
        "PYSPARK_PYTHON": sys.executable,
    }
    url = f"spark://127.0.0.1:{free_port()}"
    log = directory / "master.log"
    with contextlib.ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        for name in ("SPARK_LOCAL_IP", "SPARK_LOCAL_DIRS", "PYSPARK_PYTHON"):
            patch.setenv(name, environment[name])
        at = ["--host", "127.0.0.1", "--webui-port", "0"]
        package = "org.apache.spark.deploy"
        master = [spark_class, f"{package}.master.Master", *at, "--port", url.rpartition(":")[2]]
        stack.enter_context(started(master, environment, log))
        wait_for(lambda: b"I have been elected leader" in log.read_bytes(), "master of Spark")
        workers = []
        for number in range(2):
            where = directory / f"worker{number}"
            command = [spark_class, f"{package}.worker.Worker", *at, "--cores", "1"]
            command += ["--memory", "700m", "--work-dir", str(where), url]
            one = stack.enter_context(
                started(command, environment, directory / f"worker{number}.log")
            )
            workers.append(one.pid)
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "700m",
            "spark.executor.memory": "600m",
            "spark.executor.cores": "1",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "3",
            "spark.sql.streaming.stateStore.providerClass": ROCKSDB,
            # Both workers, or a test that kills one would wait for ever.
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "60s",
        }
        builder = SparkSession.builder.master(url)
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        stack.callback(session.stop)
        yield SparkEngine(session, workers)


@pytest.fixture(scope="session")
def dask():
    pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    distributed = pytest.importorskip("distributed", reason="Dask's scheduler is not installed")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    options |= {"memory_limit": "1GB", "dashboard_address": None, "host": "127.0.0.1"}
    with (
        distributed.LocalCluster(**options, silence_logs="CRITICAL") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield DaskEngine(client)


@pytest.fixture(scope="session", params=["spark", "dask"])
def engine(request):
    return request.getfixturevalue(request.param)
