"""Frames of Spark, classic and Connect.

Only the DataFrame API is used. Tasks run in Spark's Python workers on batches of Arrow
(`mapInArrow`); rows are divided by score with `repartitionByRange`, and by group with
`repartition`.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import polars as pl

from roclab.data.summary import RangeSummary
from roclab.errors import RoclabError
from roclab.readers.rows import TIMES, RowReader
from roclab.readers.values import Array
from roclab.scale.engine import FrameTask, Result, Task
from roclab.scale.slots import CountTask, divided_counts, merged_counts, rejoined_counts
from roclab.scale.tasks import (
    ScoreSample,
    SummaryTask,
    Survey,
    SurveyTask,
    many_ties,
    merged_surveys,
)
from roclab.scale.workers import RANGE_ROWS, SAMPLED_IN_ALL, ClusterTable, Outcome, errors_of

# Whoever has a frame of Spark has PySpark; without it this module can still be read.
with contextlib.suppress(ImportError):
    import pyarrow as pa
    from pyspark import TaskContext
    from pyspark.sql import functions

Batches = Iterable[Any]  # of Arrow

_RESULT = "piece int, part int, result binary"
_PART = "roclab: part"
_BATCH_ROWS = 1 << 18  # Spark's batches have ten thousand rows
_FEWEST_ROWS = 100_000  # a part with fewer is not worth a task
_MOST_COLLECTED = 1 << 28  # bytes of counts that may come to the driver unmerged
_SAMPLE_ROWS = 1 << 16  # by which ties are judged before a shuffle
_MOST_KINDS = 1000  # of labels and missing values; more are no classes
_TYPES = {pl.Int8: "tinyint", pl.Int32: "int", pl.Int64: "bigint", pl.Float64: "double"}


@dataclass
class SparkTable(ClusterTable):
    """A frame of Spark, of a classic session or of Connect, whose server takes at most 128 MB.

    Attributes
    ----------
    frame : pyspark.sql.DataFrame
        The table.
    rows : int or None
        Number of rows; known after the first pass.
    memory_limit : int
        Memory of each task for the rarer class and its counts; a sixteenth of it is sent.
    parts : int
        Number of partitions; known after the first pass.
    most_tasks : int
        Tasks of a pass without a shuffle. Smaller partitions are read together.
    """

    parts: int = 1

    most_tasks: ClassVar[int] = 512

    def head(self, names: Sequence[str], rows: int) -> pl.DataFrame:
        """Some rows of some columns."""
        with errors_of("Spark", "spark"):
            found = self._select(names).limit(rows).toArrow()
        return _frame_of(found, names)

    def glance(self, reader: RowReader, rows: int) -> pl.DataFrame:
        """Some rows."""
        return self.head(reader.columns, rows)

    def where(self, by: str, keys: Sequence[Any], *, among: bool) -> SparkTable:
        """The rows whose value in a column is among `keys`, or is not."""
        found = named_column(by).isin([*keys])
        return replace(self, frame=self.frame.filter(found if among else ~found))

    def derived(self, task: FrameTask, rows: int) -> SparkTable:
        """The table of the rows that a task makes, whose number is known."""
        fields = ", ".join(f"`{name}` {_TYPES[kind]}" for name, kind in task.schema.items())
        made = self._select(task.reader.columns).mapInArrow(_deriving(task), fields)
        return replace(self, frame=made, rows=rows)

    def survey(self, reader: RowReader) -> Survey:
        """Count all rows: by Spark alone, which is faster, unless weights must be checked."""
        counted = None
        if reader.weight is None:
            columns = {name: self._present(name) for name in reader.columns}
            columns[reader.label] = named_column(reader.label)
            counted = self._counted(columns, _MOST_KINDS)
        if counted is None:
            task = SurveyTask(reader, sample_rows=self._sample_rows(reader))
            return merged_surveys(self.map(task))
        survey = Survey(replace(reader, counted=True).read(counted).counts)
        # Of no rows, for their type.
        empty = reader.read(self.glance(reader, 0)).scores
        survey.samples = [ScoreSample(kept=[scores]) for scores in empty]
        return survey

    def distinct_rows(self, reader: RowReader, most: int) -> pl.DataFrame | None:
        """The distinct rows with the number of each; None if they are more than `most`."""
        return self._counted({name: named_column(name) for name in reader.columns}, most)

    def map(self, task: Task[Result]) -> Iterable[Result]:
        """Call the task in the workers, with the rows of some partitions each."""
        if isinstance(task, CountTask):
            task = replace(task, sample_rows=self._sample_rows(task.reader))
        frame = self._select(task.reader.columns).coalesce(self.most_tasks)
        if isinstance(task, CountTask):
            slots = sum(2 * len(cuts) + 1 for cuts in task.cuts)
            if 4 * slots * self.parts > _MOST_COLLECTED:
                return self._counted_in_pieces(frame, task, slots)
        outcomes = _outcomes(frame.mapInArrow(_calling(task), _RESULT))
        self.rows, self.parts = sum(one.rows for one in outcomes), len(outcomes)
        return [one.result for one in outcomes]

    def range_summaries(self, task: SummaryTask, sample: Array) -> Iterable[RangeSummary]:  # noqa: ARG002, as Spark draws its own
        """Divide the rows by score; rows with the same score are counted first if they are many."""
        reader, n = task.reader, self._divisions()
        frame = self._select(reader.columns)
        if reader.weight is None and self._many_ties(reader, n):
            frame = frame.groupBy(frame.columns).agg(_times())
            task = replace(task, reader=replace(reader, counted=True))
        ranges = frame.repartitionByRange(n, frame.columns[reader.columns.index(reader.models[0])])
        return [one.result for one in _outcomes(ranges.mapInArrow(_calling(task), _RESULT))]

    def map_groups(self, task: Task[Result], by: str, n_groups: int) -> Iterable[Result]:
        """Divide the rows by group."""
        n = min(self._divisions(len(task.reader.models)), max(n_groups, 1))
        frame = self._select(task.reader.columns)
        frame = frame.repartition(n, frame.columns[task.reader.columns.index(by)])
        return [one.result for one in _outcomes(frame.mapInArrow(_calling(task), _RESULT))]

    def _counted(self, columns: Mapping[str, Any], most: int) -> pl.DataFrame | None:
        """The distinct rows of some columns, counted by Spark alone."""
        with errors_of("Spark", "spark"):
            frame = self.frame.select(numbered(columns.values()))
            parted = frame.withColumn(_PART, functions.spark_partition_id())
            counted = parted.groupBy(frame.columns).agg(_times(), functions.max(_PART).alias(_PART))
            found = _frame_of(counted.limit(most + 1).toArrow(), [*columns, TIMES, _PART])
        if found.height > most:
            return None
        last: Any = found[_PART].max()
        self.rows = int(found[TIMES].sum())
        self.parts = min(1 if last is None else last + 1, self.most_tasks)
        return found.drop(_PART)

    def _present(self, name: str) -> Any:
        """A column that is true where there is a value, and null where there is none or NaN."""
        column = named_column(name)
        missing = column.isNull()
        if self.frame.schema[name].dataType.typeName() in ("float", "double"):
            missing = missing | functions.isnan(column)
        return functions.when(missing, None).otherwise(True)

    def _many_ties(self, reader: RowReader, parts: int) -> bool:
        """Whether many scores repeat, so that equal ones are counted before the shuffle."""
        share = min(_SAMPLE_ROWS / max(self.rows or 0, 1), 1.0)
        with errors_of("Spark", "spark"):
            found = self._select(reader.columns).sample(share, seed=0).toArrow()
        rows = reader.read(_frame_of(found, reader.columns))
        return len(rows) > 0 and many_ties(rows.scores[0], parts)

    def _sample_rows(self, reader: RowReader) -> int:
        return max(SAMPLED_IN_ALL // (self.most_tasks * len(reader.models)), 1)

    def _select(self, names: Sequence[str]) -> Any:
        """Some columns, numbered."""
        return self.frame.select(numbered(map(named_column, names)))

    def _divisions(self, columns: int = 1) -> int:
        rows = (self.rows or 0) * columns
        needed = math.ceil(rows / RANGE_ROWS)
        return max(needed, min(self.parts, math.ceil(rows / _FEWEST_ROWS)), 1)

    def _counted_in_pieces(self, frame: Any, task: CountTask, slots: int) -> list[Any]:
        """Counts of all parts, added up by the workers, each for some of the slots."""
        pieces = max(min(self.most_tasks, slots >> 18), 2)
        divided = frame.mapInArrow(_calling(task, pieces), _RESULT)
        # In the order of the parts, so that sums of weights have the same digits in every run.
        ordered = divided.repartition(pieces, "piece").sortWithinPartitions("piece", "part")
        merged = ordered.mapInArrow(_merge_pieces, _RESULT)
        with errors_of("Spark", "spark"):
            found = merged.toArrow()
        by_piece = {
            piece: Outcome.from_bytes(data).checked().result
            for piece, data in zip(found["piece"].to_pylist(), _buffers(found), strict=True)
        }
        return [rejoined_counts([by_piece[piece] for piece in range(pieces)])] if by_piece else []


def named_column(name: str) -> Any:
    """A column by its name, whatever characters that has."""
    quoted = name.replace("`", "``")
    return functions.col(f"`{quoted}`")


def numbered(columns: Iterable[Any]) -> list[Any]:
    """Columns with numbers for names: Spark looks some names up as they are, others parsed.

    A frame has the names again, by the places of its columns, where it is one of polars.
    """
    return [column.alias(f"c{place}") for place, column in enumerate(columns)]


def _times() -> Any:
    return functions.count(functions.lit(1)).alias(TIMES)


def _frame_of(table: Any, names: Sequence[str]) -> pl.DataFrame:
    frame = pl.from_arrow(table.rename_columns([*names]))
    if not isinstance(frame, pl.DataFrame):
        raise RoclabError(found="Spark sent no table", fix="Report this as a bug.")
    return frame


def _outcomes(frame: Any) -> list[Outcome]:
    with errors_of("Spark", "spark"):
        found = frame.toArrow()
    return [Outcome.from_bytes(data).checked() for data in _buffers(found)]


def _buffers(found: Any) -> Iterator[Any]:
    return (value.as_buffer() for value in found["result"])


# What runs in the workers.


def _frames(batches: Batches, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Some batches together as a frame, since each costs time however small it is."""
    kept: list[Any] = []
    rows = 0
    for batch in batches:
        kept.append(batch)
        rows += batch.num_rows
        if rows >= _BATCH_ROWS:
            yield _frame_of(pa.Table.from_batches(kept), names)
            kept, rows = [], 0
    if rows:
        yield _frame_of(pa.Table.from_batches(kept), names)


def _row(piece: int, outcome: Outcome) -> Any:
    numbers = [
        pa.array([number], pa.int32()) for number in (piece, TaskContext.get().partitionId())
    ]
    values = [*numbers, pa.array([outcome.to_bytes()], pa.binary())]
    return pa.RecordBatch.from_arrays(values, ["piece", "part", "result"])


def _calling(task: Any, pieces: int = 0) -> Callable[[Batches], Iterator[Any]]:
    def call(batches: Batches) -> Iterator[Any]:
        outcome = Outcome.of(task, _frames(batches, task.reader.columns))
        if not pieces or outcome.error is not None:
            yield _row(0, outcome)
            return
        for piece, result in enumerate(divided_counts(outcome.result, pieces)):
            yield _row(piece, replace(outcome, result=result))

    return call


def _deriving(task: FrameTask) -> Callable[[Batches], Iterator[Any]]:
    def call(batches: Batches) -> Iterator[Any]:
        for frame in _frames(batches, task.reader.columns):
            yield from task(frame).to_arrow().to_batches()

    return call


def _merge_pieces(batches: Batches) -> Iterator[Any]:
    found: dict[int, Outcome] = {}
    for batch in batches:
        for piece, data in zip(batch["piece"].to_pylist(), batch["result"], strict=True):
            outcome = Outcome.from_bytes(data.as_buffer())
            first = found.get(piece)
            if outcome.error is not None or first is None:
                found[piece] = outcome
            elif first.error is None:
                result = merged_counts([first.result, outcome.result])
                found[piece] = Outcome(first.rows + outcome.rows, result)
    for piece, outcome in found.items():
        yield _row(piece, outcome)
