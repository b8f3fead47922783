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
from roclab.scale.groups import GroupSurvey, grouped_summaries
from roclab.scale.plans import check_same

Stream = tuple[int, int, str]  # cohort, number of the segment, value

STREAM = "stream"
# A float is a whole number of 53 bits times a power of two. The number has four digits of 14 bits,
# and powers of two are multiplied to those of the same range, such as 2**-14 to 2: sums of each
# digit are exact over 2**34 rows.
_BITS, _DIGIT_BITS, _RANGE, _HIGHEST = 53, 14, 16, 2
_SHIFT = 1200  # by which all powers of two are positive
_DIGITS = [f"digit{place}" for place in range(4)]
_KEYS = [COHORT, SEGMENT, VALUE, "range"]
_SUMS = ["n", "pos", "neg", "infinite", *_DIGITS]


@dataclass
class CohortCounts:
    """Numbers of rows and exact sums of scores of each cohort and stream, in some rows.

    Attributes
    ----------
    counts : RowCounts
        All rows.
    sums : DataFrame
        By cohort, stream and magnitude of the scores.
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
            divided = rows.with_columns(_digits(rows[SCORE].to_numpy()))
            for stream in self.cohorts.streams(divided):
                found.add(counts, stream.group_by(_KEYS).agg(_COUNTS))
                counts = RowCounts()
        return found


_COUNTS = [
    pl.len().cast(pl.Int64).alias("n"),
    (pl.col(LABEL) == 1).sum().cast(pl.Int64).alias("pos"),
    (pl.col(LABEL) == 0).sum().cast(pl.Int64).alias("neg"),
    pl.col("infinite", *_DIGITS).sum(),
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
    for cohort, segment, value, power, n, pos, neg, infinite, *digits in sums.iter_rows():
        number = sum(digit << (place * _DIGIT_BITS) for place, digit in enumerate(digits))
        total = number << (power * _RANGE + _HIGHEST - _BITS + _SHIFT)
        before = found.get((cohort, segment, value), [0] * 5)
        found[cohort, segment, value] = [
            one + more for one, more in zip(before, (n, pos, neg, infinite, total), strict=True)
        ]
    return {
        stream: StreamCounts(n, pos, neg, None if infinite else total / (n << _SHIFT))
        for stream, (n, pos, neg, infinite, total) in found.items()
    }


def _digits(scores: npt.NDArray[np.float64]) -> list[pl.Series]:
    """The range of each score, and its digits as whole numbers."""
    finite = np.isfinite(scores)
    fraction, exponent = np.frexp(np.where(finite, scores, 0.0))
    power = exponent.astype(np.int64) - _HIGHEST
    number = np.ldexp(np.abs(fraction), _BITS).astype(np.int64)
    sign = np.where(fraction < 0, -1, 1) << (power % _RANGE)
    mask = (1 << _DIGIT_BITS) - 1
    return [
        pl.Series("range", (power // _RANGE).astype(np.int32)),
        pl.Series("infinite", (~finite).astype(np.int64)),
        *(
            pl.Series(name, ((number >> (place * _DIGIT_BITS)) & mask) * sign)
            for place, name in enumerate(_DIGITS)
        ),
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
    sizes = {number: counts[one].pos + counts[one].neg for number, one in enumerate(streams)}
    pos = sum(counts[stream].pos for stream in streams)
    read = sum(sizes.values())
    expected = RowCounts(read=read, labels=[0, 1], pos=pos, neg=read - pos)
    derived = table.derived(task, read)
    survey = GroupSurvey(expected, sizes)
    again, found = grouped_summaries(derived, rows, STREAM, scored=False, survey=survey)
    check_same(expected, again)
    return {streams[number]: estimate for _, number, estimate, _ in found}
