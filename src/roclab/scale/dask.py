"""Frames of Dask: a task for each partition, on its scheduler.

Rows are divided by score with `set_index` at given divisions, and by group with `shuffle`, which
hashes.
"""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from roclab.data.summary import RangeSummary
from roclab.readers.rows import TIMES, RowReader
from roclab.readers.values import Array
from roclab.scale.cuts import quantile_cuts
from roclab.scale.engine import FrameTask, Result, Task
from roclab.scale.slots import CountTask, merged_counts
from roclab.scale.tasks import (
    DistinctTask,
    SummaryTask,
    Survey,
    SurveyTask,
    counted_rows,
    many_ties,
    merged_rows,
    merged_surveys,
)
from roclab.scale.workers import (
    RANGE_ROWS,
    SAMPLED_IN_ALL,
    ClusterTable,
    Outcome,
    errors_of,
    one_thread,
)

# Whoever has a frame of Dask has Dask; without it this module can still be read.
with contextlib.suppress(ImportError):
    import dask
    import dask.dataframe

_MERGED_AT_ONCE = 8  # counts of parts that a worker adds up


class DaskTable(ClusterTable):
    """A frame of Dask, on any of its schedulers. Each thread of a worker runs a task."""

    def head(self, names: Sequence[str], rows: int) -> pl.DataFrame:
        """The first rows of some columns, from as many partitions as that takes."""
        integers = _integers(self.frame[[*names]])
        parts = self.frame[[*names]].to_delayed()
        found: list[pl.DataFrame] = []
        at_once = 1
        while parts and sum(part.height for part in found) < rows:
            some, parts = parts[:at_once], parts[at_once:]
            found += _computed([dask.delayed(_head)(part, rows, integers) for part in some])
            at_once *= 4
        return pl.concat(found, how="vertical_relaxed").head(rows) if found else pl.DataFrame()

    def glance(self, reader: RowReader, rows: int) -> pl.DataFrame:
        """The first rows."""
        return self.head(reader.columns, rows)

    def where(self, by: str, keys: Sequence[Any], *, among: bool) -> DaskTable:
        """The rows whose value in a column is among `keys`, or is not."""
        found = self.frame[by].isin([*keys])
        return replace(self, frame=self.frame[found if among else ~found])

    def derived(self, task: FrameTask, rows: int) -> DaskTable:
        """The table of the rows that a task makes, whose number is known."""
        frame = self.frame[task.reader.columns]
        with errors_of("Dask", "dask"):
            shared = dask.delayed(task, pure=False, traverse=False)
            integers = _integers(frame)
            parts = [dask.delayed(_derived)(shared, part, integers) for part in frame.to_delayed()]
            meta = pl.DataFrame(schema=task.schema).to_pandas()
            made = dask.dataframe.from_delayed(parts, meta=meta, verify_meta=False)
        return replace(self, frame=made, rows=rows)

    def survey(self, reader: RowReader) -> Survey:
        """Count all rows and sample their scores."""
        task = SurveyTask(reader, sample_rows=self._sample_rows(reader))
        return merged_surveys(self.map(task))

    def distinct_rows(self, reader: RowReader, most: int) -> pl.DataFrame | None:
        """The distinct rows with the number of each; None if they are more than `most`."""
        return merged_rows(self.map(DistinctTask(reader, most)), most)

    def map(self, task: Task[Result]) -> Iterable[Result]:
        """Call the task with each partition. Counts are added up by the workers."""
        frame = self.frame[task.reader.columns]
        if isinstance(task, CountTask):
            task = replace(task, sample_rows=self._sample_rows(task.reader))
        merge = _merged_counts if isinstance(task, CountTask) else None
        outcomes = _outcomes(frame, task, merge)
        self.rows = sum(one.rows for one in outcomes)
        return [one.result for one in outcomes]

    def range_summaries(self, task: SummaryTask, sample: Array) -> Iterable[RangeSummary]:
        """Divide the rows by score; rows with the same score are counted first if they are many."""
        score, n = task.reader.models[0], self._divisions()
        cuts = quantile_cuts(sample, n)
        # Rows below the first division would be put into the last part, so none may be.
        ends = (-np.inf, np.inf)
        if sample.dtype.kind != "f":
            limits = np.iinfo(sample.dtype)
            ends = (int(limits.min), int(limits.max))
        inner = [cut for cut in cuts.tolist() if ends[0] < cut < ends[1]]
        divisions = [ends[0], *inner, ends[1]]
        frame = self.frame[task.reader.columns]
        with errors_of("Dask", "dask"):
            if task.reader.weight is None and many_ties(sample, n):
                integers = _integers(frame)
                parts = [dask.delayed(_counted)(part, integers) for part in frame.to_delayed()]
                meta = frame._meta.assign(**{TIMES: np.zeros(0, np.int64)})
                frame = dask.dataframe.from_delayed(parts, meta=meta, verify_meta=False)
                task = replace(task, reader=replace(task.reader, counted=True))
            # Missing scores cannot be divided, and the reader would leave their rows out.
            frame = frame[frame[score].notnull()]
            frame = frame.set_index(score, divisions=divisions, drop=False)
        return [one.result for one in _outcomes(frame, task)]

    def map_groups(self, task: Task[Result], by: str, n_groups: int) -> Iterable[Result]:
        """Divide the rows by group."""
        n = min(self._divisions(len(task.reader.models)), max(n_groups, 1))
        with errors_of("Dask", "dask"):
            frame = self.frame[task.reader.columns].shuffle(on=by, npartitions=n)
        return [one.result for one in _outcomes(frame, task)]

    def _sample_rows(self, reader: RowReader) -> int:
        return max(SAMPLED_IN_ALL // int(self.frame.npartitions * len(reader.models)), 1)

    def _divisions(self, columns: int = 1) -> int:
        needed = math.ceil((self.rows or 0) * columns / RANGE_ROWS)
        return max(needed, int(self.frame.npartitions), 1)


def _outcomes(
    frame: Any, task: Any, merge: Callable[[list[Outcome]], Outcome] | None = None
) -> list[Outcome]:
    with errors_of("Dask", "dask"):
        # Part of the graph, and so sent again if the worker that had it is lost.
        shared = dask.delayed(task, pure=False, traverse=False)
        integers = _integers(frame)
        found = [dask.delayed(_call)(shared, part, integers) for part in frame.to_delayed()]
        while merge is not None and len(found) > 1:
            found = [dask.delayed(merge)(some) for some in _batched(found)]
    return [one.checked() for one in _computed(found)]


def _integers(frame: Any) -> dict[str, pl.DataType]:
    """The columns of integers, as the frame says without being read."""
    types = pl.from_pandas(frame._meta).schema
    return {name: kind for name, kind in types.items() if kind.is_integer()}


def _computed(found: list[Any]) -> list[Any]:
    with errors_of("Dask", "dask"), warnings.catch_warnings():
        # The task is a large part of the graph on purpose.
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
        return [*dask.compute(*found)]


def _batched(found: list[Any]) -> Iterator[list[Any]]:
    return (found[i : i + _MERGED_AT_ONCE] for i in range(0, len(found), _MERGED_AT_ONCE))


# What runs in the workers.


def _frame_of(part: Any, integers: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """A partition; integers that pandas has made floats, since some are missing, are integers."""
    frame = pl.from_pandas(part)
    for name, kind in integers.items():
        column = frame[name]
        if not column.dtype.is_float():
            continue
        whole = column.cast(kind, strict=False)
        if whole.null_count() == column.null_count() and (whole.cast(column.dtype) == column).all():
            frame = frame.with_columns(whole)
    return frame


def _head(part: Any, rows: int, integers: Mapping[str, pl.DataType]) -> pl.DataFrame:
    return _frame_of(part.head(rows), integers)


def _counted(part: Any, integers: Mapping[str, pl.DataType]) -> Any:
    with one_thread():
        return counted_rows(_frame_of(part, integers)).to_pandas()


def _derived(task: Any, part: Any, integers: Mapping[str, pl.DataType]) -> Any:
    return task(_frame_of(part, integers)).to_pandas()


def _call(task: Any, part: Any, integers: Mapping[str, pl.DataType]) -> Outcome:
    return Outcome.of(task, [_frame_of(part, integers)])


def _merged_counts(some: list[Outcome]) -> Outcome:
    failed = [one for one in some if one.error is not None]
    if failed:
        return failed[0]
    rows = sum(one.rows for one in some)
    return Outcome(rows, merged_counts(one.result for one in some))
