"""Windows for each key, inside the streams of Spark."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from roclab import _core
from roclab.checks.options import check_count, check_level
from roclab.errors import InputError
from roclab.readers.columns import Columns
from roclab.readers.values import Array
from roclab.scale.spark.table import named_column, numbered
from roclab.streaming import WindowAUC

# Whoever has a stream of Spark has PySpark; without it this module can still be read.
_Processor: Any = object
with contextlib.suppress(ImportError):
    from pyspark.sql.types import DoubleType, LongType, StructType

    _Processor = importlib.import_module("pyspark.sql.streaming").StatefulProcessor

_STATE_STORE = "spark.sql.streaming.stateStore.providerClass"
_ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def window_auc(
    stream: Any,
    *,
    key: str | Sequence[str],
    y_true: str,
    y_score: str,
    size: int,
    time: str | None = None,
    confidence_level: float = 0.95,
) -> Any:
    """Exact AUC of the last `size` rows of each key, in Spark Structured Streaming.

    Parameters
    ----------
    stream : pyspark.sql.DataFrame
        A streaming frame.
    key : str or list of str
        Names of the columns that divide the rows, such as a model or a segment.
    y_true : str
        Name of the label column. Labels are 0/1, -1/1 or booleans.
    y_score : str
        Name of the score column. Rows that miss a label or a score are left out.
    size : int
        Number of rows in each window.
    time : str, optional
        Name of a column by which the rows of a key are ordered inside a micro-batch. Without it
        they come in the order in which Spark delivers them, which may differ from run to run where
        a micro-batch has several partitions.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for each interval by itself.

    Returns
    -------
    pyspark.sql.DataFrame
        A stream in the mode ``"update"``. After each micro-batch there is a row for each key in it:
        the key, `auc`, `low`, `high`, `n_pos` and `n_neg` of its window. While a class is missing,
        the first three are nan.

    Raises
    ------
    InputError
        The stream has no such column, or the state store is not RocksDB.

    Notes
    -----
    The state of a key is what `WindowAUC.to_bytes` writes, about ten bytes for a row. Spark keeps
    it in its state store, so a query that is started again from its checkpoint continues with the
    same windows.
    """
    size = check_count("size", size, most=2**32 - 1)
    level = check_level(confidence_level)
    keys = [key] if isinstance(key, str) else [*key]
    used = [*keys, y_true, y_score, *([] if time is None else [time])]
    Columns.named(y_true=y_true, y_score=y_score, sample_weight=time, by=keys).needed(
        stream.columns
    )
    store = stream.sparkSession.conf.get(_STATE_STORE, "")
    if "RocksDB" not in store:
        raise InputError(
            found="The state store of the session is {store}",
            needed="windows in a stream need RocksDB",
            fix=f"Set {_STATE_STORE} to {_ROCKSDB} before the query is started.",
            store=store.rpartition(".")[2] or "not set",
        )
    events = stream.select(numbered(map(named_column, used)))
    by = events.columns[: len(keys)]
    truth, score, *at = events.columns[len(keys) :]
    output = StructType([])
    for name, field in zip(keys, events.schema.fields, strict=False):
        output = output.add(name, field.dataType)
    for name in ("auc", "low", "high"):
        output = output.add(name, DoubleType())
    for name in ("n_pos", "n_neg"):
        output = output.add(name, LongType())
    events = events.dropna(subset=[truth, score])
    return events.groupBy(by).transformWithStateInPandas(
        statefulProcessor=KeyedWindows(
            tuple(keys), truth, score, size, at[0] if at else None, level
        ),
        outputStructType=output,
        outputMode="Update",
        timeMode="None",
    )


class KeyedWindows(_Processor):  # type: ignore[misc]
    """A window for each key, kept in the state store of Spark."""

    def __init__(
        self,
        keys: tuple[str, ...],
        y_true: str,
        y_score: str,
        size: int,
        time: str | None,
        level: float,
    ) -> None:
        self.keys, self.y_true, self.y_score = keys, y_true, y_score
        self.size, self.time, self.level = size, time, level
        self._window: Any = None

    def init(self, handle: Any) -> None:
        """Name the state."""
        self._window = handle.getValueState("window", "window binary")

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:  # noqa: ARG002, as Spark names them
        """Update the window of a key with the rows of a micro-batch."""
        import pandas as pd

        kept = self._window.get() if self._window.exists() else None
        window = WindowAUC(self.size) if kept is None else WindowAUC.from_bytes(bytes(kept[0]))
        events = pd.concat([*rows])
        if self.time is not None:
            events = events.iloc[_in_time(events[self.time].to_numpy())]
        window.update_many(events[self.y_true].to_numpy(), events[self.y_score].to_numpy())
        self._window.update((window.to_bytes(),))
        found = window.interval(confidence_level=self.level)
        values = [found.value, found.low, found.high, window.n_pos, window.n_neg]
        names = [*self.keys, "auc", "low", "high", "n_pos", "n_neg"]
        yield pd.DataFrame([[*key, *values]], columns=names)

    def close(self) -> None:
        """Nothing is open."""


def _in_time(times: Array) -> Array:
    numbers = times.view(np.int64) if times.dtype.kind in "mM" else times
    return _core.order_rows(np.ascontiguousarray(numbers), 1)
