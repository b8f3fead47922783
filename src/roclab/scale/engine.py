"""What an engine must do so that tables in its hands can be evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import polars as pl

from roclab.data.summary import RangeSummary
from roclab.readers.rows import RowReader
from roclab.readers.values import Array
from roclab.scale.tasks import SummaryTask, Survey

Result = TypeVar("Result")
Produced = TypeVar("Produced", covariant=True)


class Task(Protocol[Produced]):
    """What is done with the frames of one part; they have the columns that `reader` names."""

    @property
    def reader(self) -> RowReader:
        """Which columns are read."""

    def __call__(self, frames: Iterable[pl.DataFrame]) -> Produced:
        """The result of one part."""


class FrameTask(Protocol):
    """What makes other rows of the rows of each frame; it has the columns that `reader` names."""

    @property
    def reader(self) -> RowReader:
        """Which columns are read."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """Names and types of the columns that are made: integers and floats of polars."""

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows that are made of a frame, as many as there are."""


class Partitioned(Protocol):
    """A table in parts, which are read one by one on one machine, or by the workers of a cluster.

    Tasks and their results can be pickled. A task may be run again, for a part whose worker was
    lost; it has no effect but its result.
    """

    @property
    def rows(self) -> int | None:
        """Number of rows, if it is known before they are read."""

    @property
    def keep_bytes(self) -> int:
        """Memory for rows that a first pass keeps where results are merged; 0 on a cluster."""

    @property
    def broadcast_bytes(self) -> int:
        """Memory for the scores of the rarer class and the counts beside them, for each task."""

    def glance(self, reader: RowReader, rows: int) -> pl.DataFrame:
        """Some rows, such as the first ones, without reading all."""

    def where(self, by: str, keys: Sequence[Any], *, among: bool) -> Partitioned:
        """The rows whose value in a column is among `keys`, or is not."""

    def derived(self, task: FrameTask, rows: int) -> Partitioned:
        """The table of the rows that a task makes, whose number is known."""

    def survey(self, reader: RowReader) -> Survey:
        """Count all rows and sample their scores, in a first pass."""

    def distinct_rows(self, reader: RowReader, most: int) -> pl.DataFrame | None:
        """The distinct rows with the number of each, `TIMES`; None if they are more than `most`."""

    def map(self, task: Task[Result]) -> Iterable[Result]:
        """Call the task with the frames of each part. Results come in any order."""

    def range_summaries(self, task: SummaryTask, sample: Array) -> Iterable[RangeSummary]:
        """Divide the rows by the score of the task's only model, and summarise each range.

        Equal scores are in the same range, and the ranges ascend. `sample` has scores of some rows,
        for their bounds.
        """

    def map_groups(self, task: Task[Result], by: str, n_groups: int) -> Iterable[Result]:
        """Call the task with frames that hold all rows of some groups, and no others."""
