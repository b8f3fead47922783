"""What a table may be given as, and the engine that reads it."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import polars as pl

from roclab.errors import InputError, needs_extra
from roclab.readers.columns import SHOWN_NAMES, Columns, quoted
from roclab.readers.files import SEPARATORS, format_of
from roclab.readers.identifiers import likely_identifiers
from roclab.readers.text import typed
from roclab.scale.engine import Partitioned
from roclab.scale.local import LocalTable, Progress
from roclab.scale.memory import memory_bytes, temporary_directory
from roclab.scale.rows import SCORE_TYPES, RowCounts, RowReader
from roclab.scale.streams import ArrowStream
from roclab.table import MissingValues

if TYPE_CHECKING:
    from roclab.scale.dask import DaskTable
    from roclab.scale.spark.table import SparkTable

_HEAD_ROWS = 10_000  # by which columns that were not named are judged
_REMOTE = "://"


@dataclass(frozen=True)
class Source:
    """A lazy frame, whether all of its columns are text, and what messages call it."""

    frame: pl.LazyFrame
    text: bool
    name: str
    rows: int | None = None


def open_source(source: Any) -> Source:
    """A lazy frame of files, of a frame, or of a table in memory that exports Arrow streams."""
    if isinstance(source, pl.LazyFrame):
        return Source(source, False, "The frame")
    if isinstance(source, str | os.PathLike):
        return _open_path(os.fspath(source))
    if hasattr(source, "__arrow_c_stream__"):
        return Source(pl.DataFrame(source).lazy(), False, "The table")
    raise InputError(
        found="{source} is a {kind}",
        needed="a path, a frame of polars, PySpark or Dask, or an object with "
        "__arrow_c_stream__ is needed",
        fix="For arrays use evaluate(ScoreTable(…)).",
        kind=type(source).__name__,
    )


def _is_stream(source: Any) -> bool:
    """Whether rows come once, and may not be in memory: any stream that is no table we know."""
    # Anything else may be read in this way too, only not without a copy.
    return hasattr(source, "__arrow_c_stream__") and not nw.dependencies.is_into_dataframe(source)


def read_on(engine: str, path: str) -> Any:
    """Files in the form that an engine reads: the path itself, or a frame of Spark or Dask."""
    text = re.search(r"\.(csv|tsv)", path)
    separator = SEPARATORS[text[1]] if text else ""
    if engine == "spark":
        with needs_extra("spark", "The engine spark", "pyspark"):
            from pyspark.sql import SparkSession
            from pyspark.sql.utils import is_remote
        session = SparkSession.builder.getOrCreate()
        here = not is_remote() and session.sparkContext.master.startswith("local")
        if here and "PYSPARK_PYTHON" not in os.environ:
            # Workers on this machine, which would take a python that may not have roclab.
            session.sparkContext.pythonExec = sys.executable
        reader = session.read
        if text:
            return reader.csv(path, header=True, inferSchema=True, sep=separator)
        return reader.parquet(path)
    if engine == "dask":
        with needs_extra("dask", "The engine dask", "dask", "pandas", "pyarrow"):
            from dask import dataframe
        return dataframe.read_csv(path, sep=separator) if text else dataframe.read_parquet(path)
    return path


def _open_path(path: str) -> Source:
    name = f"`{path}`"
    remote = _REMOTE in path
    directory = not remote and Path(path).is_dir()
    if directory:
        path = os.path.join(glob.escape(path), "**", "*.parquet")
    elif Path(path).exists():
        path = glob.escape(path)
    if not remote and not glob.glob(path, recursive=True):
        raise InputError(
            found="There is no file {name}",
            fix="A directory must hold .parquet files." if directory else "Check the path.",
            name=name,
        )
    kind = "arrow" if path.endswith((".arrow", ".ipc", ".feather")) else format_of(Path(path))
    if kind == "parquet":
        frame = pl.scan_parquet(path, hive_partitioning=False)
    elif kind == "arrow":
        frame = pl.scan_ipc(path)
    elif kind == "jsonl":
        frame = pl.scan_ndjson(path)
    else:
        # As text, since types that are guessed from the first rows may be wrong later.
        frame = pl.scan_csv(path, separator=SEPARATORS[kind], infer_schema=False)
    try:
        frame.collect_schema()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(
            found="{name} cannot be read: {reason}",
            name=name,
            reason=str(error).strip().split("\n")[0].rstrip("."),
        ) from None
    # Parquet and Arrow files say how many rows they have; others must be read for it.
    known = kind in ("parquet", "arrow")
    rows = int(frame.select(pl.len()).collect().item()) if known else None
    return Source(frame, kind in SEPARATORS, name, rows)


@dataclass(frozen=True)
class Roles:
    """How rows are read, and columns that were not named and are not taken as scores."""

    reader: RowReader
    skipped: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()

    def left_out(self, counts: RowCounts) -> MissingValues:
        """The rows and columns that were left out."""
        return MissingValues(
            rows_read=counts.read,
            rows_dropped=counts.dropped,
            by_column=dict(counts.missing),
            columns_skipped=self.skipped,
            identifiers=self.identifiers,
        )


@contextmanager
def open_table(
    source: Any,
    columns: Columns,
    *,
    pos_label: Any,
    memory_limit: str | int | None = None,
    directory: str | os.PathLike[str] | None = None,
    progress: Progress | None,
) -> Iterator[tuple[Partitioned, Roles]]:
    """The table in the hands of an engine, and the roles of its columns."""
    memory = memory_bytes(memory_limit)
    on_cluster = _open_on_cluster(source, {} if memory_limit is None else {"memory_limit": memory})
    if on_cluster is not None:
        names = on_cluster.names
        head = on_cluster.head(columns.among(names).needed(names), _HEAD_ROWS)
        yield on_cluster, find_roles(columns, names, head, text=False, pos_label=pos_label)
        return
    folder = temporary_directory(directory)
    local = partial(LocalTable, memory_limit=memory, directory=folder, progress=progress)
    if _is_stream(source):
        stream = ArrowStream(source)
        head = stream.head(columns.among(stream.names).needed(stream.names), _HEAD_ROWS)
        roles = find_roles(columns, stream.names, head, text=False, pos_label=pos_label)
        with stream.kept(
            roles.reader.columns,
            memory_limit=memory,
            directory=folder,
            progress=progress,
        ) as (frame, rows):
            yield local(frame, rows=rows), roles
        return
    opened = open_source(source)
    names = opened.frame.collect_schema().names()
    head = opened.frame.head(_HEAD_ROWS).collect()
    roles = find_roles(columns, names, head, text=opened.text, pos_label=pos_label)
    yield local(opened.frame, text=opened.text, rows=opened.rows), roles


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


def find_roles(
    columns: Columns, names: Sequence[str], head: pl.DataFrame, *, text: bool, pos_label: Any
) -> Roles:
    """Check that named columns exist, and choose score columns if none are named."""
    columns = columns.among(names)
    needed = columns.needed(names)
    head = head.select(needed)
    if text:
        head = head.with_columns(typed(column) for column in head.get_columns())
    for name in columns.scores or ():
        _refuse_type(head[name], "y_score", text)
    if columns.weight is not None:
        _refuse_type(head[columns.weight], "sample_weight", text)

    def reader(models: tuple[str, ...]) -> RowReader:
        return RowReader(
            label=columns.label,
            models=models,
            weight=columns.weight,
            by=columns.groups[0] if columns.groups else None,
            pos_label=pos_label,
            text=text,
        )

    if columns.scores is not None:
        return Roles(reader(columns.scores))
    free = [name for name in needed if name not in columns.others]
    numeric = [name for name in free if head[name].dtype.is_numeric()]
    masks = {name: np.zeros(head.height, np.bool_) for name in numeric}
    identifiers = likely_identifiers(nw.from_native(head.select(numeric), eager_only=True), masks)
    models = tuple(name for name in numeric if name not in identifiers)
    if not models:
        kinds = [f"`{name}` ({head[name].dtype})" for name in free[:SHOWN_NAMES]]
        raise InputError(
            found="No numeric column for the scores. Columns without another role: {columns}",
            needed="a score must be a number",
            fix="Convert a column, and name it with {y_score}.",
            columns=", ".join(kinds) or "none",
        )
    skipped = tuple(name for name in free if name not in numeric)
    return Roles(reader(models), skipped, tuple(identifiers))


def _refuse_type(column: pl.Series, parameter: str, text: bool) -> None:
    if column.dtype.base_type() in SCORE_TYPES:
        return
    # Single texts among numbers are counted with all rows.
    if text and column.cast(pl.Float64, strict=False).count():
        return
    raise InputError(
        found="Column `{column}` is {kind}, not numeric",
        needed="{parameter} needs numbers",
        fix="Convert it, or name another column. It holds {values}.",
        column=column.name,
        kind=column.dtype,
        parameter=parameter,
        values=quoted(column.head(3).to_list()),
    )
