"""What a table may be given as, and the engine that reads it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from roclab.data.table import MissingValues
from roclab.errors import InputError, needs_extra
from roclab.readers.columns import Columns
from roclab.readers.file_table import FileTable
from roclab.readers.files import format_of
from roclab.readers.frames import any_frame
from roclab.readers.keys import OBJECTS, python_values, refuse_objects, refused_key
from roclab.readers.opening import FileOptions, is_files
from roclab.readers.remote import is_remote
from roclab.readers.roles import HEAD_ROWS, find_roles
from roclab.readers.rows import RowCounts, RowReader
from roclab.readers.values import (
    in_row,
    is_numeric,
    label_of,
    missing_values,
    not_numeric,
    refuse_rounded,
)
from roclab.scale.engine import Partitioned
from roclab.scale.local import SHARE_KEPT, LocalTable, Progress
from roclab.scale.memory import memory_bytes, temporary_directory
from roclab.scale.streams import ArrowStream

if TYPE_CHECKING:
    from roclab.scale.dask import DaskTable
    from roclab.scale.spark.table import SparkTable


@dataclass(frozen=True)
class Reading:
    """How rows are read, and what is known of the columns besides."""

    reader: RowReader
    skipped: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    separator: str | None = None
    decimal: str | None = None

    def left_out(self, counts: RowCounts) -> MissingValues:
        """The rows and columns that were left out."""
        return replace(
            counts.left_out(self.reader.columns),
            columns_skipped=self.skipped,
            identifiers=self.identifiers,
            separator=self.separator,
            decimal=self.decimal,
        )


def read_on(engine: str, path: str, format: str | None = None) -> Any:
    """Files in the form that an engine reads: the path itself, or a frame of Spark or Dask."""
    if engine not in ("spark", "dask"):
        return path
    folder = Path(path).is_dir() or (is_remote(path) and not Path(path).suffix)
    known = format or ("parquet" if folder else format_of(Path(path)))
    if known != "parquet":
        # Their readers have rules of their own for text: types, missing values, short rows.
        raise InputError(
            found="{engine=}{value} reads Parquet files, and `{path}` is not one",
            fix="Convert it to Parquet, or leave {engine} out.",
            value=engine,
            path=path,
        )
    if engine == "spark":
        with needs_extra("spark", "The engine spark", "pyspark"):
            from pyspark.sql import SparkSession
            from pyspark.sql.utils import is_remote as is_connected
        session = SparkSession.builder.getOrCreate()
        here = not is_connected() and session.sparkContext.master.startswith("local")
        if here and "PYSPARK_PYTHON" not in os.environ:
            # Workers on this machine, which would take a python that may not have roclab.
            session.sparkContext.pythonExec = sys.executable
        return session.read.parquet(path)
    with needs_extra("dask", "The engine dask", "dask", "pandas", "pyarrow"):
        from dask import dataframe
    return dataframe.read_parquet(path)


@contextmanager
def open_table(
    source: Any,
    columns: Columns,
    *,
    pos_label: Any,
    options: FileOptions | None = None,
    memory_limit: str | int | None = None,
    directory: str | os.PathLike[str] | None = None,
    progress: Progress | None,
) -> Iterator[tuple[Partitioned, Reading]]:
    """The table in the hands of an engine, and how its rows are read."""
    options = options or FileOptions()
    memory = memory_bytes(memory_limit)
    local = partial(
        LocalTable,
        memory_limit=memory,
        directory=temporary_directory(directory),
        progress=progress,
    )
    if is_files(source):
        files = FileTable(
            source,
            columns,
            options,
            keep_bytes=int(SHARE_KEPT * memory),
            progress=progress,
        )
        table = local(files.lazy(), rows=files.rows)
        named = columns.among(files.needed)
        with files.explained():
            reading = replace(
                _reading(named, table, files.batches, pos_label, files.decimal, files.rounded),
                separator=files.detected_separator,
                decimal=files.detected_decimal,
            )
            yield table, reading
        return
    if options != FileOptions():
        raise InputError(
            found="{given} is for files, and {source} is a {kind}",
            fix="Leave it out.",
            given=options.first_given,
            kind=type(source).__name__,
        )
    on_cluster = _open_on_cluster(source, {} if memory_limit is None else {"memory_limit": memory})
    if on_cluster is not None:
        columns = columns.among(on_cluster.names)
        head = on_cluster.head(columns.needed(on_cluster.names), HEAD_ROWS)
        empty = {name for name in head.columns if _all_missing(head[name])}
        yield on_cluster, _judged(columns, head, empty, lambda _: [head], pos_label)
        return
    if _is_stream(source):
        stream = ArrowStream(source)
        columns = columns.among(stream.names)
        needed = columns.needed(stream.names)
        stream.head(needed, HEAD_ROWS)
        with stream.kept(
            needed,
            memory_limit=memory,
            directory=local.keywords["directory"],
            progress=progress,
        ) as (frame, rows):
            table = local(frame, rows=rows)
            yield table, _reading(columns, table, _ordered(frame), pos_label)
        return
    given = any_frame(source)
    names = given.collect_schema().names()
    columns = columns.among(names)
    chosen = given.select(columns.needed(names))
    native = chosen.to_native()
    plain = nw.Object not in chosen.collect_schema().dtypes()
    if plain and isinstance(native, pl.DataFrame | pl.LazyFrame):
        table = local(native.lazy())
        yield table, _reading(columns, table, _ordered(table.frame), pos_label)
        return
    # Judged in the types of its library, as in memory: objects of pandas are no numbers.
    eager: nw.DataFrame[Any] = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    empty = {name for name in eager.columns if _all_missing(eager[name])}
    reading = _judged(columns, eager, empty, lambda names: [eager.select(names)], pos_label)
    series = [_polars_series(eager[name]) for name in (*columns.others, *reading.reader.models)]
    yield local(pl.DataFrame(series).lazy()), reading


Frame = pl.DataFrame | nw.DataFrame[Any]
Batches = Callable[[list[str]], Iterable[Frame]]


def _ordered(frame: pl.LazyFrame) -> Batches:
    return lambda names: frame.select(names).collect_batches(maintain_order=True)


def _reading(
    columns: Columns,
    table: LocalTable,
    batches: Batches,
    pos_label: Any,
    decimal: str = ".",
    rounded: Mapping[str, tuple[int, str]] | None = None,
) -> Reading:
    """How the rows of a local table are read."""
    head = table.frame.head(HEAD_ROWS).collect()
    empty = {name for name in head.columns if _all_missing(head[name])}
    if head.height == HEAD_ROWS:
        empty = {
            name for name in empty if all(_all_missing(batch[name]) for batch in batches([name]))
        }
    return _judged(columns, head, empty, batches, pos_label, decimal, rounded)


def _judged(
    columns: Columns,
    head: Frame,
    empty: set[str],
    batches: Batches,
    pos_label: Any,
    decimal: str = ".",
    rounded: Mapping[str, tuple[int, str]] | None = None,
) -> Reading:
    """Columns by role, and the positive label; raise for one that cannot have its role."""
    first = nw.from_native(head, eager_only=True)
    roles = find_roles(columns, first, empty, decimal)
    parameters = dict.fromkeys(roles.scores, columns.parameter)
    if columns.weight is not None:
        parameters[columns.weight] = "sample_weight"
    for name, parameter in parameters.items():
        if name not in empty and not is_numeric(first[name]):
            parts = (nw.from_native(batch[name], series_only=True) for batch in batches([name]))
            error = not_numeric(parts, parameter, decimal)
            if error is not None:
                raise error
    for name in (columns.label, *columns.groups):
        refuse_objects(first[name])
    refuse_rounded(rounded or {}, (*roles.scores, columns.label))
    reader = RowReader(
        label=columns.label,
        models=roles.scores,
        weight=columns.weight,
        by=columns.groups[0] if columns.groups else None,
        pos_label=label_of(pos_label, first[columns.label]),
    )
    return Reading(reader, roles.skipped, roles.identifiers)


def _polars_series(series: nw.Series[Any]) -> pl.Series:
    """A column of any library; numbers are not copied."""
    converted = None
    if series.dtype not in OBJECTS:  # of which Arrow makes something else: a date is a number
        with suppress(Exception):  # pandas without Arrow; each fails in its own way
            converted = series.to_polars()
    if converted is not None and converted.dtype != pl.Object:
        return converted
    refuse_objects(series)
    missing = missing_values(series)
    present = series if missing is None else series.filter(~missing)
    rows: Sequence[int] = range(len(series))
    if missing is not None:
        rows = np.flatnonzero(~missing.to_numpy().astype(bool)).tolist()
    refused = refused_key(present)
    if refused is not None:
        raise in_row(refused[1], rows[refused[0]])
    values: list[Any] = [None] * len(series)
    for row, value in zip(rows, python_values(present), strict=True):
        values[row] = value
    return pl.Series(series.name, values)


def _all_missing(column: pl.Series | nw.Series[Any]) -> bool:
    missing = missing_values(nw.from_native(column, series_only=True))
    return len(column) > 0 and missing is not None and bool(missing.all())


def _is_stream(source: Any) -> bool:
    """Whether rows come once, and may not be in memory: any stream that is no table we know."""
    # Anything else may be read in this way too, only not without a copy.
    return hasattr(source, "__arrow_c_stream__") and not nw.dependencies.is_into_dataframe(source)


def _open_on_cluster(source: Any, limits: Mapping[str, int]) -> SparkTable | DaskTable | None:
    """A frame of Spark or Dask, known by its module, so that neither need be installed."""
    module = type(source).__module__
    if module.startswith("pyspark.sql."):
        with needs_extra("spark", "Reading frames of Spark", "pyarrow", "pandas"):
            import pandas  # noqa: F401
            import pyarrow
        from roclab.scale.spark.table import SparkTable

        return SparkTable(source, **limits)
    if module.startswith("dask."):
        with needs_extra("dask", "Reading frames of Dask", "pyarrow"):
            import pyarrow  # noqa: F401
        from roclab.scale.dask import DaskTable

        return DaskTable(source, **limits)
    return None
