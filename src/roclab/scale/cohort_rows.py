"""Rows by calendar cohort and stream: the whole model, or one value of one of its segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt
import polars as pl

from roclab.errors import InputError
from roclab.readers.columns import shortened
from roclab.readers.rows import RowCounts, RowReader
from roclab.readers.values import missing_values, numbers, whole_rows
from roclab.streaming.calendar import Calendar, microseconds

COHORT, SEGMENT, VALUE = "cohort", "segment", "value"
LABEL, SCORE = "label", "score"
WHOLE = -1  # in place of the number of a segment

_EARLIEST = microseconds(datetime(1972, 1, 1, tzinfo=UTC))
_LATEST = microseconds(datetime(9999, 1, 1, tzinfo=UTC))
_LONGEST = 1e11  # seconds; milliseconds since 1970 are more
_NAMES = (pl.String, pl.Categorical, pl.Enum, pl.Boolean, pl.Null)


@dataclass(frozen=True, kw_only=True)
class CohortReader:
    """How rows are divided into cohorts and streams. Sent to workers, so it can be pickled.

    Attributes
    ----------
    rows : RowReader
        Labels and scores.
    time : str
        Column of prediction times.
    segments : tuple of str
        Columns of segments.
    period : {"hour", "day", "week"}
        Length of a cohort.
    time_zone : str
        Time zone in which days begin at midnight.
    """

    rows: RowReader
    time: str
    segments: tuple[str, ...]
    period: str
    time_zone: str

    @property
    def reader(self) -> RowReader:
        """Every column that is read."""
        return replace(self.rows, also=(self.time, *self.segments))

    @property
    def calendar(self) -> Calendar:
        """The calendar, which remembers cohorts."""
        return _calendar(self.period, self.time_zone)

    def read(self, frame: pl.DataFrame) -> tuple[pl.DataFrame, RowCounts]:
        """Cohort, label, score and values of segments of the rows with a time and a score.

        Labels are -1 and values of segments null where they are missing.
        """
        [model] = self.rows.models
        absent = {name: missing_values(_series(frame, name)) for name in (self.time, model)}
        counts = RowCounts(read=frame.height)
        for name, missing in absent.items():
            if missing is not None:
                counts.missing[name] = int(missing.sum())
        whole = whole_rows(absent.values())
        if whole is not None:
            frame = frame.filter(whole.to_native())
            counts.dropped = counts.read - frame.height
        unknown = missing_values(_series(frame, self.rows.label))
        known = ~np.zeros(frame.height, bool) if unknown is None else ~unknown.to_numpy()
        labelled = self.rows.read(frame.filter(pl.Series(known)))
        labels = np.full(frame.height, -1, np.int8)
        labels[known] = labelled.labels
        for name in ("labels", "named_label", "pos", "neg"):
            setattr(counts, name, getattr(labelled.counts, name))
        times = _times(frame[self.time], self.time_zone)
        columns = [
            pl.Series(COHORT, self.calendar.cohorts(times)),
            pl.Series(LABEL, labels),
            pl.Series(SCORE, numbers(_series(frame, model)).astype(np.float64, copy=False)),
            *(_names(frame[name]).alias(str(place)) for place, name in enumerate(self.segments)),
        ]
        return pl.DataFrame(columns), counts

    def streams(self, rows: pl.DataFrame) -> Iterator[pl.DataFrame]:
        """The rows of the whole model, and then those of each segment that have a value."""
        others = [str(place) for place in range(len(self.segments))]
        plain = rows.drop(others)
        yield plain.with_columns(_number(WHOLE), pl.lit("").alias(VALUE))
        for place, name in enumerate(others):
            named = plain.with_columns(_number(place), rows[name].alias(VALUE))
            yield named.filter(named[VALUE].is_not_null())


_calendar = cache(Calendar)


def _times(column: pl.Series, time_zone: str) -> npt.NDArray[np.int64]:
    """Times as microseconds since 1970, by the rules of the monitor; none is missing."""
    dtype = column.dtype
    if dtype == pl.Null:
        return np.zeros(0, np.int64)
    if isinstance(dtype, pl.Datetime):
        if dtype.time_zone is None:
            _refuse_local(column, time_zone)
        times = column.dt.epoch("us").to_numpy()
    elif dtype == pl.Date:
        _refuse_local(column, time_zone)
        times = column.cast(pl.Datetime("us")).to_physical().to_numpy()
    elif dtype.is_integer() or dtype.is_float():
        seconds = column.cast(pl.Float64).to_numpy()
        _refuse(column, ~(np.abs(seconds) < _LONGEST), "seconds since 1970 are needed")
        times = np.rint(seconds * 1e6).astype(np.int64)
    elif dtype in (pl.String, pl.Categorical, pl.Enum):
        times = _times_of_text(column.cast(pl.String), time_zone)
    else:
        raise InputError(
            found="Column `{column}` is {kind}",
            needed="a prediction time is a date, text in ISO 8601 or seconds since 1970",
            fix="Convert it, or name another column with {time}.",
            column=column.name,
            kind=shortened(dtype),
        )
    beyond = (times < _EARLIEST) | (times >= _LATEST)
    _refuse(column, beyond, "times of the years 1972 to 9998 are needed")
    return times


def _times_of_text(column: pl.Series, time_zone: str) -> npt.NDArray[np.int64]:
    texts = column.to_list()
    try:
        found = [datetime.fromisoformat(text) for text in texts]
    except ValueError:
        bad = np.array([not _is_time(text) for text in texts])
        _refuse(column, bad, "text in ISO 8601 is needed")
        raise
    local = [one.tzinfo is None for one in found]
    if any(local):
        _refuse_local(column.filter(pl.Series(local)), time_zone)
    return np.array([microseconds(one) for one in found], np.int64)


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _refuse(column: pl.Series, bad: npt.NDArray[np.bool_], needed: str) -> None:
    """Raise if a time is bad, and show the first that is."""
    if bad.any():
        raise InputError(
            found="Column `{column}` has the time `{value}`",
            needed=needed,
            fix="Correct it, or name another column with {time}.",
            column=column.name,
            value=shortened(column[int(np.argmax(bad))]),
        )


def _refuse_local(column: pl.Series, time_zone: str) -> None:
    """Raise for times without a zone where it matters: UTC is assumed in UTC only."""
    if len(column) and time_zone != "UTC":
        raise InputError(
            found="Column `{column}` has times without a zone, such as `{value}`",
            needed="{time_zone=}{zone} needs times that are the same everywhere",
            fix="Add the zone to the column, or to text as in 2026-03-01T12:00:00+01:00; for "
            "times in UTC, convert it to UTC.",
            column=column.name,
            value=shortened(column[0]),
            zone=repr(time_zone),
        )


def _names(column: pl.Series) -> pl.Series:
    """Values of a segment as text, as the monitor writes them."""
    if column.dtype in _NAMES or column.dtype.is_integer():
        return column.cast(pl.String)
    raise InputError(
        found="Column `{column}` is {kind}",
        needed="a segment is text, a whole number or a Boolean",
        fix="Convert it, or name other columns with {by}.",
        column=column.name,
        kind=shortened(column.dtype),
    )


def _number(place: int) -> pl.Expr:
    return pl.lit(place, pl.Int32).alias(SEGMENT)


def _series(frame: pl.DataFrame, name: str) -> nw.Series[Any]:
    return nw.from_native(frame[name], series_only=True)
