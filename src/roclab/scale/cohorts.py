"""Cohorts of a model, summarised where its rows are, for a monitor that does not get them."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from roclab.checks.choices import CohortPeriod
from roclab.checks.options import check_choice, shown
from roclab.errors import InputError, Parameter, needs_extra
from roclab.readers.columns import Columns
from roclab.readers.opening import FileOptions
from roclab.scale.cohort_summary import CohortSummaries, CohortSummary
from roclab.scale.evaluation import Progress
from roclab.streaming.calendar import as_datetime, microseconds

if TYPE_CHECKING:
    from roclab.scale.cohort_streams import StreamSummary


def cohort_summaries(
    source: Any,
    *,
    y_true: str,
    y_score: str,
    time: str,
    model: str,
    cohort: CohortPeriod = "day",
    time_zone: str = "UTC",
    by: str | Sequence[str] = (),
    until: datetime | str | None = None,
    pos_label: Any = None,
    memory_limit: str | int | None = None,
    directory: str | os.PathLike[str] | None = None,
    format: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    progress: Progress | None = None,
) -> CohortSummaries:
    """Summarise the cohorts of a model for the monitor, where its rows are.

    Parameters
    ----------
    source : path, frame or table
        Files: a path or a pattern such as ``"scores/*.parquet"``, of Parquet, Arrow, CSV, TSV or
        JSON lines, also in object stores that polars reads (``"s3://…"``), or a directory of
        Parquet files. Frames: a LazyFrame or DataFrame of polars, a DataFrame of PySpark (classic
        or Connect) or of Dask. Or any object with ``__arrow_c_stream__``, such as a table of Arrow,
        a RecordBatchReader or a relation of DuckDB, which may be larger than memory too.
    y_true : str
        Name of the label column. Rows without a label are predictions whose label is not known.
    y_score : str
        Name of the score column.
    time : str
        Name of the column of prediction times: dates, text in ISO 8601, or seconds since 1970.
        Times without a zone are UTC if `time_zone` is, and refused otherwise.
    model : str
        Name of the model at the monitor.
    cohort : {"hour", "day", "week"}, default "day"
        Length of a cohort, as the monitor has it. Weeks begin on Monday.
    time_zone : str, default "UTC"
        Time zone in which days begin at midnight, as the monitor has it.
    by : str or list of str, optional
        Names of the segment columns: text, whole numbers or Booleans. Each value of each segment is
        a stream of its own; rows without a value belong to none.
    until : datetime or str, optional
        Time until which labels are complete: cohorts that end later are left out. In `time_zone`
        if it has no zone. By default the last cohort of the table is left out.
    pos_label : object, optional
        Positive class label. Not needed for booleans, 0/1 and -1/1.
    memory_limit : int or str, optional
        Memory for rows on this machine, in bytes or as in ``"2GB"``; by default half of it. Beyond
        it, rows are written to temporary files. On a cluster: memory of each task for the rarer
        class, by default 512 MiB; beyond it, rows are shuffled.
    directory : path, optional
        Directory for temporary files; by default that of the system. The files have no names, so
        they vanish with the process, however it ends.
    format : {"csv", "tsv", "parquet", "jsonl", "arrow"}, optional
        File format. By default that of the suffix of the path.
    separator : str, optional
        What separates the fields of a CSV or TSV file. By default a comma or a tab, or, if that
        leaves one column or not those that are named, what the header shows of ``,``, ``;``, tab
        and ``|``.
    decimal : {".", ","}, optional
        Decimal sign of numbers in a CSV or TSV file. By default a point, or a comma if numbers in
        the first 100 lines have commas and none has a point, unless commas separate the fields.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. Both count the rows of one pass
        over the table; the total is None in the first pass. A cluster shows progress in its own
        way.

    Returns
    -------
    CohortSummaries
        A row for each cohort and stream. `CohortSummaries.post` sends them to a monitor,
        `CohortSummaries.to_ndjson` writes them to a file.

    Raises
    ------
    InputError
        The table or the options cannot be used.
    MissingExtraError
        polars is not installed.

    Notes
    -----
    AUC and variance are those that the monitor computes from the same rows. Counts and sums are
    integers, so a row has the same digits whatever engine computed it, and can be sent twice. There
    are no weights, as the monitor has none.

    The first pass over the table counts rows and scores of each cohort and stream, the second one
    evaluates those that have both classes, as `scale.evaluate` evaluates groups.

    Examples
    --------
    Examples need the extra `cli`.

    >>> import polars as pl
    >>> frame = pl.DataFrame(
    ...     {
    ...         "decided": ["2026-03-01T08:00:00Z"] * 4 + ["2026-03-02T08:00:00Z"],
    ...         "default": [0, 1, 0, 1, None],
    ...         "score": [0.1, 0.4, 0.4, 0.8, 0.3],
    ...     }
    ... )
    >>> found = cohort_summaries(
    ...     frame, y_true="default", y_score="score", time="decided", model="credit"
    ... )
    >>> found.rows[0]
    CohortSummary(credit, 2026-03-01T00:00:00Z: AUC 0.875, 2+ 2- of 4)
    >>> found.n_unfinished
    1
    """
    check_choice("cohort", cohort, CohortPeriod)
    zone = _zone(time_zone)
    end = None if until is None else _end(until, zone)
    columns = _columns(y_true, y_score, time, by)
    if not (isinstance(model, str) and model):
        raise InputError(
            found="{model=}{value} is not a name",
            needed="the name of the model at the monitor, a str, is needed",
            value=shown(model),
        )
    with needs_extra("cli", "Reading large tables", "narwhals", "polars"):
        # Imported here: they need polars.
        from roclab.scale.cohort_rows import CohortReader
        from roclab.scale.cohort_streams import summarised_cohorts
        from roclab.scale.sources import open_table

    with open_table(
        source,
        columns,
        pos_label=pos_label,
        options=FileOptions(format=format, separator=separator, decimal=decimal),
        memory_limit=memory_limit,
        directory=directory,
        progress=progress,
    ) as (table, reading):
        if len(reading.reader.models) > 1:  # separated by commas
            raise InputError(
                found="{y_score} names {count} columns",
                needed="a cohort has one score",
                fix="Name one column; call again for another model.",
                count=len(reading.reader.models),
            )
        reader = CohortReader(
            rows=replace(reading.reader, by=None),
            time=time,
            segments=columns.groups[1:],
            period=cohort,
            time_zone=time_zone,
        )
        found = summarised_cohorts(table, reader, until=end, now=microseconds(datetime.now(UTC)))
    return CohortSummaries(
        model=model,
        period=cohort,
        time_zone=time_zone,
        rows=tuple(_row(model, reader.segments, one) for one in found.streams),
        until=as_datetime(found.until),
        n_unfinished=found.n_unfinished,
        n_unlabelled=found.n_unlabelled,
        missing=reading.left_out(found.counts),
    )


def _row(model: str, segments: Sequence[str], found: StreamSummary) -> CohortSummary:
    counts, estimate = found.counts, found.estimate
    whole = found.segment < 0
    variance = math.nan if estimate is None else estimate.variance
    return CohortSummary(
        model=model,
        cohort=as_datetime(found.cohort),
        segment=None if whole else segments[found.segment],
        value=None if whole else found.value,
        n=counts.n,
        n_pos=counts.pos,
        n_neg=counts.neg,
        auc=None if estimate is None else estimate.value,
        variance=None if math.isnan(variance) else variance,
        mean_score=counts.mean_score,
    )


def _columns(y_true: str, y_score: str, time: str, by: str | Sequence[str]) -> Columns:
    """The columns, of which those of times and segments are read as groups."""
    for parameter, value in (("y_score", y_score), ("time", time)):
        if not isinstance(value, str):
            raise InputError(
                found="{parameter} is a {kind}",
                needed="the name of a column, a str, is needed",
                parameter=Parameter(parameter),
                kind=type(value).__name__,
            )
    columns = Columns.named(y_true=y_true, y_score=y_score, sample_weight=None, by=by)
    roles = {y_true: "y_true", y_score: "y_score", **dict.fromkeys(columns.groups, "by")}
    if time in roles:
        raise InputError(
            found="Column `{column}` is named twice, in {first} and {time}",
            needed="a column has one role",
            fix="Leave one of them out.",
            column=time,
            first=Parameter(roles[time]),
        )
    return replace(columns, groups=(time, *columns.groups))


def _zone(time_zone: str) -> ZoneInfo:
    try:
        return ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError, TypeError):
        raise InputError(
            found="{time_zone=}{value} is not a time zone",
            needed="a name such as 'UTC' or 'Europe/Berlin' is needed",
            value=shown(time_zone),
        ) from None


def _end(until: datetime | str, zone: ZoneInfo) -> int:
    try:
        end = datetime.fromisoformat(until) if isinstance(until, str) else until
        return microseconds(end if end.tzinfo is not None else end.replace(tzinfo=zone))
    except (AttributeError, ValueError, OverflowError):
        raise InputError(
            found="{until=}{value} is not a time",
            needed="a datetime or text in ISO 8601 is needed",
            value=shown(until),
        ) from None
