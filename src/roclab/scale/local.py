"""Tables on one machine, read by polars in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from roclab.data.summary import RangeSummary
from roclab.errors import InputError
from roclab.readers.batches import lazy_batches
from roclab.readers.rows import RowReader
from roclab.readers.values import Array, in_row
from roclab.scale.engine import FrameTask, Result, Task
from roclab.scale.spill import MOST_PARTS, SpilledFrames, spilled_summaries
from roclab.scale.tasks import (
    DistinctTask,
    SummaryTask,
    Survey,
    SurveyTask,
    merged_rows,
    merged_surveys,
)

BATCH_ROWS = 1_000_000
SHARE_KEPT = 0.35  # of the memory: rows that are kept are copied once, and sorted in further memory
_SHARE_SPILLED = 0.15  # the same for a part on disk, while others are written

_PART = "\0part"

Progress = Callable[[int, int | None], object]


@dataclass
class LocalTable:
    """A lazy frame of polars, in one part; larger than memory if it must be."""

    frame: pl.LazyFrame
    memory_limit: int
    directory: Path
    progress: Progress | None = None
    rows: int | None = None  # known after the first pass

    @property
    def keep_bytes(self) -> int:
        """Memory for rows that the first pass keeps."""
        return int(SHARE_KEPT * self.memory_limit)

    @property
    def broadcast_bytes(self) -> int:
        """Memory for the rarer class and its counts."""
        return self.memory_limit

    def glance(self, reader: RowReader, rows: int) -> pl.DataFrame:
        """The first rows."""
        return self.frame.head(rows).select(reader.columns).collect(engine="streaming")

    def where(self, by: str, keys: Sequence[Any], *, among: bool) -> LocalTable:
        """The rows whose value in a column is among `keys`, or is not."""
        found = pl.col(by).is_in(keys)
        return replace(self, frame=self.frame.filter(found if among else ~found), rows=None)

    def derived(self, task: FrameTask, rows: int) -> LocalTable:
        """The table of the rows that a task makes, whose number is known."""

        def batches(names: list[str] | None) -> Iterator[pl.DataFrame]:
            for frame in self._frames(task.reader):
                made = task(frame)
                yield made if names is None else made.select(names)

        # Progress counts the rows that are read, not those that are made of them.
        return replace(self, frame=lazy_batches(batches, task.schema), rows=rows, progress=None)

    def survey(self, reader: RowReader) -> Survey:
        """Count all rows, and keep them or those of the rarer class if they fit."""
        return merged_surveys(self.map(SurveyTask(reader, self.keep_bytes, self.rows or 0)))

    def distinct_rows(self, reader: RowReader, most: int) -> pl.DataFrame | None:
        """The distinct rows with the number of each; None if they are more than `most`."""
        return merged_rows(self.map(DistinctTask(reader, most)), most)

    def map(self, task: Task[Result]) -> Iterator[Result]:
        """Call the task with all frames."""
        with self._errors_with_rows(task.reader):
            yield task(self._frames(task.reader))

    def range_summaries(self, task: SummaryTask, sample: Array) -> Iterator[RangeSummary]:
        """Divide the rows by score into parts on disk."""
        row_bytes = 9 + 8 * (task.reader.weight is not None)
        return spilled_summaries(
            lambda: self._frames(task.reader),
            task,
            rows=self.rows or 0,
            sample=sample,
            rows_in_memory=max(int(_SHARE_SPILLED * self.memory_limit) // row_bytes, 1),
            directory=self.directory,
        )

    def map_groups(self, task: Task[Result], by: str, n_groups: int) -> Iterator[Result]:
        """Divide the rows by group into parts on disk, by the hash of the group."""
        reader = task.reader
        bytes_needed = (self.rows or 0) * (16 + 8 * len(reader.models))
        parts = -(-bytes_needed // max(int(_SHARE_SPILLED * self.memory_limit), 1))
        parts = min(MOST_PARTS, max(parts, 1), n_groups)
        if parts <= 1:
            yield task(self._frames(reader))
            return
        with SpilledFrames(parts, self.directory) as spilled:
            for frame in self._frames(reader):
                divided = frame.with_columns((frame[by].hash() % parts).alias(_PART)).partition_by(
                    _PART, as_dict=True, include_key=False
                )
                for (number,), rows in divided.items():
                    spilled.add(int(number), rows)
            for number in range(parts):
                yield task(spilled.frames(number))
                spilled.free(number)

    @contextmanager
    def _errors_with_rows(self, reader: RowReader) -> Iterator[None]:
        """Name the row of a value that cannot be used, which a task does not know."""
        try:
            yield
        except InputError as error:
            if "place" not in error.values:
                raise
            begin = 0
            batches = self.frame.select(reader.columns).collect_batches(maintain_order=True)
            for batch in batches:
                refused = reader.first_refused(batch)
                if refused is not None:
                    raise in_row(refused[1], begin + refused[0]) from None
                begin += batch.height
            raise

    def _frames(self, reader: RowReader) -> Iterator[pl.DataFrame]:
        done = 0
        # In their order, which costs no time: groups come as they appear, and samples of scores and
        # sums of weights have the same digits in every run. Batches are not copied.
        batches: Iterable[pl.DataFrame] = self.frame.select(reader.columns).collect_batches(
            maintain_order=True
        )
        for batch in batches:
            for frame in batch.iter_slices(BATCH_ROWS):
                yield frame
                done += frame.height
                if self.progress is not None:
                    self.progress(done, self.rows)
        if self.rows not in (None, done):
            # Also of a damaged file, of which polars may give some rows without an error.
            raise InputError(
                found="The table has {done} rows, and there were {rows} when it was opened",
                fix="Write it again, and read it when it no longer changes.",
                done=f"{done:,}",
                rows=f"{self.rows:,}",
            )
        self.rows = done
