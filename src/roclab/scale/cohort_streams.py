"""What is found of each cohort and stream, in two passes over a table.

Counts and sums are integers, so they do not depend on how the table is divided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from roclab.inference.estimation.joint_estimate import Estimate
from roclab.readers.rows import RowCounts, RowReader, check_counts
from roclab.scale.cohort_rows import COHORT, LABEL, SCORE, SEGMENT, VALUE, WHOLE, CohortReader
from roclab.scale.engine import Partitioned
from roclab.scale.groups import grouped_summaries
from roclab.scale.plans import check_same

Stream = tuple[int, int, str]  # cohort, number of the segment, value

# A float is a whole number of 53 bits times a power of two. The number is kept in two parts, whose
# sums over 2**36 rows are exact.
_BITS, _LOW_BITS, _SHIFT = 53, 26, 1126
STREAM = "stream"
_KEYS = [COHORT, SEGMENT, VALUE, "exponent"]
_SUMS = ["n", "pos", "neg", "infinite", "high", "low"]


@dataclass
class CohortCounts:
    """Numbers of rows and exact sums of scores of each cohort and stream, in some rows.

    Attributes
    ----------
    counts : RowCounts
        All rows.
    sums : DataFrame
        By cohort, stream and exponent of the scores.
    """

    counts: RowCounts = field(default_factory=RowCounts)
    sums: pl.DataFrame = field(default_factory=pl.DataFrame)

    def add(self, counts: RowCounts, sums: pl.DataFrame) -> None:
        """Add the counts of other rows."""
        self.counts.add(counts)
        if not sums.is_empty():
            both = sums if self.sums.is_empty() else pl.concat([self.sums, sums])
            self.sums = both.group_by(_KEYS).agg(pl.col(_SUMS).sum())


@dataclass(frozen=True)
class CohortTask:
    """Counts the rows of each cohort and stream of a part."""

    cohorts: CohortReader

    @property
    def reader(self) -> RowReader:
        """Every column that is read."""
        return self.cohorts.reader

    def __call__(self, frames: Iterable[pl.DataFrame]) -> CohortCounts:
        """The result of one part."""
        found = CohortCounts()
        for frame in frames:
            rows, counts = self.cohorts.read(frame)
            parted = rows.with_columns(_parts(rows[SCORE].to_numpy()))
            for stream in self.cohorts.streams(parted):
                found.add(counts, stream.group_by(_KEYS).agg(_COUNTS))
                counts = RowCounts()
        return found


_COUNTS = [
    pl.len().cast(pl.Int64).alias("n"),
    (pl.col(LABEL) == 1).sum().cast(pl.Int64).alias("pos"),
    (pl.col(LABEL) == 0).sum().cast(pl.Int64).alias("neg"),
    pl.col("infinite", "high", "low").sum(),
]


@dataclass(frozen=True)
class StreamTask:
    """Numbers the labelled rows by cohort and stream; a row appears once for each of its streams.

    Attributes
    ----------
    cohorts : CohortReader
        How rows are divided.
    numbers : DataFrame
        The number, `STREAM`, of each cohort and stream that is wanted.
    """

    cohorts: CohortReader
    numbers: pl.DataFrame

    schema: ClassVar[Mapping[str, Any]] = {
        STREAM: pl.Int32,
        LABEL: pl.Int8,
        SCORE: pl.Float64,
    }

    @property
    def reader(self) -> RowReader:
        """Every column that is read."""
        return self.cohorts.reader

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows of a frame."""
        rows, _ = self.cohorts.read(frame)
        rows = rows.filter(rows[LABEL] >= 0)
        return pl.concat(
            stream.join(self.numbers, on=[COHORT, SEGMENT, VALUE]).select(*self.schema)
            for stream in self.cohorts.streams(rows)
        )


class StreamCounts(NamedTuple):
    """Rows of a cohort of a stream; the mean score is None if one is infinite."""

    n: int
    pos: int
    neg: int
    mean_score: float | None


def counts_by_stream(sums: pl.DataFrame) -> dict[Stream, StreamCounts]:
    """The counts of each cohort and stream, and its mean score, correctly rounded."""
    found: dict[Stream, list[int]] = {}
    for cohort, segment, value, exponent, *counts, high, low in sums.iter_rows():
        digits = ((high << _LOW_BITS) + low) << (exponent - _BITS + _SHIFT)
        before = found.get((cohort, segment, value), [0] * 5)
        found[cohort, segment, value] = [
            one + more for one, more in zip(before, (*counts, digits), strict=True)
        ]
    return {
        stream: StreamCounts(n, pos, neg, None if infinite else total / (n << _SHIFT))
        for stream, (n, pos, neg, infinite, total) in found.items()
    }


def _parts(scores: npt.NDArray[np.float64]) -> list[pl.Series]:
    """Exponents of scores, and their digits in two whole numbers."""
    finite = np.isfinite(scores)
    fraction, exponent = np.frexp(np.where(finite, scores, 0.0))
    digits = np.ldexp(fraction, _BITS).astype(np.int64)
    return [
        pl.Series("exponent", exponent.astype(np.int32)),
        pl.Series("high", digits >> _LOW_BITS),
        pl.Series("low", digits & ((1 << _LOW_BITS) - 1)),
        pl.Series("infinite", (~finite).astype(np.int64)),
    ]


class StreamSummary(NamedTuple):
    """A cohort of a stream; there is no estimate if a class is missing."""

    cohort: int
    segment: int
    value: str
    counts: StreamCounts
    estimate: Estimate | None


@dataclass(frozen=True, kw_only=True)
class SummarisedCohorts:
    """What two passes have found.

    Attributes
    ----------
    counts : RowCounts
        What was read and left out.
    until : int
        Time until which cohorts are finished.
    n_unfinished, n_unlabelled : int
        Rows of cohorts that end later, and of others without any label.
    streams : list of StreamSummary
        The other cohorts: the whole model, then its segments.
    """

    counts: RowCounts
    until: int
    n_unfinished: int
    n_unlabelled: int
    streams: list[StreamSummary]


def summarised_cohorts(
    table: Partitioned, reader: CohortReader, *, until: int | None, now: int
) -> SummarisedCohorts:
    """Summaries of the cohorts of a table.

    Parameters
    ----------
    table : Partitioned
        The table.
    reader : CohortReader
        How its rows are divided.
    until : int or None
        Time until which cohorts are finished. None: the beginning of the last one.
    now : int
        The time, after which no cohort is finished unless `until` says so.
    """
    found = CohortCounts()
    for part in table.map(CohortTask(reader)):
        found.add(part.counts, part.sums)
    if found.counts.pos or found.counts.neg or found.counts.read == found.counts.dropped:
        check_counts(found.counts, reader.reader)
    counts = counts_by_stream(found.sums)
    whole = {cohort: one for (cohort, segment, _), one in counts.items() if segment == WHOLE}
    end = min(max(whole), now) if until is None else until
    finished = {cohort for cohort in whole if reader.calendar.after(cohort) <= end}
    labelled = {cohort for cohort in finished if whole[cohort].pos or whole[cohort].neg}
    wanted = sorted(stream for stream in counts if stream[0] in labelled)
    estimates = _estimates(table, reader, {stream: counts[stream] for stream in wanted})
    return SummarisedCohorts(
        counts=found.counts,
        until=end,
        n_unfinished=sum(one.n for cohort, one in whole.items() if cohort not in finished),
        n_unlabelled=sum(whole[cohort].n for cohort in finished - labelled),
        streams=[
            StreamSummary(*stream, counts[stream], estimates.get(stream)) for stream in wanted
        ],
    )


def _estimates(
    table: Partitioned, reader: CohortReader, counts: Mapping[Stream, StreamCounts]
) -> dict[Stream, Estimate]:
    """The estimate of each cohort and stream that has both classes."""
    streams = [stream for stream, one in counts.items() if one.pos and one.neg]
    if not streams:
        return {}
    types = {COHORT: pl.Int64, SEGMENT: pl.Int32, VALUE: pl.String}
    numbers = pl.DataFrame(streams, schema=types, orient="row").with_row_index(STREAM)
    task = StreamTask(reader, numbers.with_columns(pl.col(STREAM).cast(pl.Int32)))
    rows = RowReader(label=LABEL, models=(SCORE,), by=STREAM)
    read, found = grouped_summaries(table.derived(task), rows, STREAM, scored=False)
    expected = RowCounts(
        pos=sum(counts[stream].pos for stream in streams),
        neg=sum(counts[stream].neg for stream in streams),
    )
    check_same(expected, read)
    return {streams[number]: estimate for _, number, estimate, _ in found}
