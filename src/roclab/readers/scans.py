"""Read the needed columns of a file into a polars frame, in batches."""

from __future__ import annotations

import csv
import glob
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import polars as pl

from roclab.errors import FileFormatError, InputError
from roclab.readers.columns import AllColumns, Columns, shortened
from roclab.readers.files import FORMATS, SEPARATORS, File, explained, open_file, refuse_foreign
from roclab.readers.lines import json_kinds, ragged_row
from roclab.readers.text import as_text, as_written, typed, typed_group

HEADER_LINES = 100
HEAD_RECORDS = 10_000
JSON_TYPES = {
    frozenset({bool}): pl.Boolean,
    frozenset({int}): pl.Int64,
    frozenset({float}): pl.Float64,
    frozenset({int, float}): pl.Float64,
}
BATCH_ROWS = 200_000
READINGS = {"value": typed, "group": typed_group, "text": as_text, "written": as_written}
# A column after the last one: it catches surplus fields.
SURPLUS = "\0surplus"

Progress = Callable[[int, int | None], object]
AnyColumns = Columns | AllColumns


@dataclass(frozen=True, kw_only=True)
class Scan:
    """A query for the needed columns.

    For a CSV file the query also yields the last column of the `header` and the surplus one. For
    JSON lines `text` is the same query with every value as text, for values that do not fit a type.
    """

    query: pl.LazyFrame
    columns: AnyColumns
    needed: list[str]
    header: list[str] | None = None
    text: pl.LazyFrame | None = None


def read_file(
    source: Any, columns: AnyColumns, *, format: str | None, progress: Progress | None
) -> pl.DataFrame:
    """Read the needed columns of a path or a binary file object."""
    return read_opened(open_file(source, format), columns, progress)


def read_opened(file: File, columns: AnyColumns, progress: Progress | None) -> pl.DataFrame:
    """Read the needed columns of a file whose format is known."""
    with explained(file):
        scan = SCANS[file.format](file, columns)
    if scan.text is not None:
        try:
            return _collected(file, scan, progress)
        except pl.exceptions.PolarsError:
            scan = Scan(query=scan.text, columns=scan.columns, needed=scan.needed)
    return _collected(file, scan, progress)


def _collected(file: File, scan: Scan, progress: Progress | None) -> pl.DataFrame:
    total = None if progress is None else file.rows()
    batches: list[pl.DataFrame] = []
    done = 0
    for batch in _batches(file, scan):
        batches.append(typed_columns(batch, scan.columns, file.format))
        done += batch.height
        if progress is not None:
            progress(done, total)
    if done == 0:
        raise InputError(
            found="{file} has no rows below its header",
            needed="at least one row is needed",
            file=file.name,
        )
    if progress is not None:
        progress(done, done)
    return _joined(file, scan, batches)


def _scan_csv(file: File, columns: AnyColumns) -> Scan:
    refuse_foreign(file)
    header, skip = _header(file, columns)
    columns = columns.among(header)
    needed = columns.needed(header)
    # By position, so a repeated name outside the needed columns does no harm.
    first = {name: at for at, name in reversed(list(enumerate(header)))}
    names = [name if first[name] == at else f"\0{at}" for at, name in enumerate(header)]
    query = pl.scan_csv(
        file.data,
        separator=SEPARATORS[file.format],
        has_header=False,
        skip_lines=skip,
        schema=dict.fromkeys([*names, SURPLUS], pl.String),
        missing_columns="insert",
        extra_columns="ignore",
        glob=False,
    )
    read = dict.fromkeys([*needed, names[-1], SURPLUS])
    return Scan(query=query.select(*read), columns=columns, needed=needed, header=names)


def _scan_jsonl(file: File, columns: AnyColumns) -> Scan:
    refuse_foreign(file)
    # polars expands wildcards here and has no option against it.
    data = glob.escape(file.data) if isinstance(file.data, str) else file.data
    kinds = json_kinds(file.first_lines(HEAD_RECORDS))
    types: Mapping[str, Any]
    if isinstance(columns, AllColumns):
        types = _json_types(file, data)
        needed = columns.needed(list(types))
    else:
        named = columns.among(list(kinds))
        if not {*named.others, *(named.scores or ())} <= kinds.keys():
            # A key may appear later; records without it miss that value.
            kinds = json_kinds(file.each_line())
            named = columns.among(list(kinds))
        columns = named
        needed = columns.needed(list(kinds))
        types = {name: JSON_TYPES.get(frozenset(kinds[name]), pl.String) for name in needed}
    return Scan(
        query=pl.scan_ndjson(data, schema=types),
        columns=columns,
        needed=needed,
        text=pl.scan_ndjson(data, schema=dict.fromkeys(needed, pl.String)),
    )


def _json_types(file: File, data: str | bytes) -> Mapping[str, Any]:
    """The types of all keys in all records, including lists and objects."""
    try:
        return pl.scan_ndjson(data, infer_schema_length=None).collect_schema()
    except pl.exceptions.PolarsError:  # a list in one record and an object in another
        return dict.fromkeys(json_kinds(file.each_line()), pl.String)


def _scan_parquet(file: File, columns: AnyColumns) -> Scan:
    query = pl.scan_parquet(file.data, glob=False, hive_partitioning=False)
    names = query.collect_schema().names()
    columns = columns.among(names)
    needed = columns.needed(names)
    return Scan(query=query.select(needed), columns=columns, needed=needed)


SCANS = {"csv": _scan_csv, "tsv": _scan_csv, "jsonl": _scan_jsonl, "parquet": _scan_parquet}


def _header(file: File, columns: AnyColumns) -> tuple[list[str], int]:
    """The names in the header and the number of lines up to its end."""
    lines = file.first_lines(HEADER_LINES)
    first = next((line for line in lines if line), "")
    if "\0" in first or "\r" in first:
        raise FileFormatError(
            found="{file} does not begin with a line of column names",
            needed="{kind} text in UTF-8 is needed, with line feeds between rows",
            file=file.name,
            kind=FORMATS[file.format],
        )
    if first.startswith("{"):
        raise FileFormatError(
            found="{file} looks like JSON lines", fix="Pass {format=}'jsonl'.", file=file.name
        )
    rows = csv.reader((f"{line}\n" for line in lines), delimiter=SEPARATORS[file.format])
    header = next((row for row in rows if row), [])
    named = [*(columns.scores or ()), *columns.others]
    enough = isinstance(columns, AllColumns) and {*named} <= {*header}
    if len(header) < 2 and not enough:
        raise _one_column(file, "".join(header), columns.content)
    return header, rows.line_num


def _one_column(file: File, header: str, content: str) -> FileFormatError:
    fix = "Its fields look separated by `;`: save it with commas." if ";" in header else ""
    for known, separator in SEPARATORS.items():
        if separator != SEPARATORS[file.format] and separator in header:
            fix = f"It looks like {FORMATS[known]}: pass {{format=}}'{known}'."
    return FileFormatError(
        found="{file} has one column, `{header}`",
        needed="the table needs {content}",
        fix=fix,
        file=file.name,
        header=shortened(header),
        content=content,
    )


def _batches(file: File, scan: Scan) -> Iterator[pl.DataFrame]:
    """Yield the needed columns in batches; at the end raise if a CSV file has ragged rows."""
    odd = False
    with explained(file) if scan.text is None else nullcontext():
        for batch in scan.query.collect_batches(chunk_size=BATCH_ROWS):
            if scan.header is not None:
                # A missing field reads like an empty one: only a row without a last field is odd.
                last, surplus = batch[scan.header[-1]], batch[SURPLUS]
                odd |= last.null_count() > 0 or surplus.null_count() < batch.height
            yield batch.select(scan.needed)
        if odd and scan.header is not None:
            _refuse_ragged(file, len(scan.header))


def _refuse_ragged(file: File, width: int) -> None:
    separator = SEPARATORS[file.format]
    line = pl.col("line")
    separators = line.str.count_matches(separator, literal=True)
    # The fast search also finds lines inside a quoted field, hence the second, exact one.
    found = file.lines().filter(separators != width - 1, line.str.strip_chars() != "").head(1)
    if found.collect().is_empty():
        return
    ragged = ragged_row(file.each_line(), separator=separator, width=width)
    if ragged is not None:
        number, fields = ragged
        raise FileFormatError(
            found="{file}, line {line}: {fields}, but the header has {width}",
            needed="all rows need the same number of fields",
            fix="Quote a field that contains the separator.",
            file=file.name,
            line=number,
            fields=f"{fields} field{'s' * (fields != 1)}",
            width=width,
        )


def typed_columns(frame: pl.DataFrame, columns: AnyColumns, format: str) -> pl.DataFrame:
    """Infer the types of text columns, except in Parquet files."""
    if format == "parquet":
        return frame
    return frame.with_columns(
        READINGS[columns.reading(column.name)](column)
        for column in frame.get_columns()
        if column.dtype == pl.String
    )


def _joined(file: File, scan: Scan, batches: list[pl.DataFrame]) -> pl.DataFrame:
    """One frame; a column whose batches differ in type is read again as a whole."""
    types: dict[str, set[pl.DataType]] = {name: set() for name in scan.needed}
    for batch in batches:
        for name, dtype in batch.schema.items():
            types[name].add(dtype)
    mixed = [name for name, seen in types.items() if len(seen - {pl.Null()}) > 1]
    # Relaxed, because a column without values in a batch has no type there.
    frame = pl.concat([batch.drop(mixed) for batch in batches], how="vertical_relaxed")
    if not mixed:
        return frame
    with explained(file):
        again = scan.query.select(mixed).collect()
    return frame.hstack(typed_columns(again, scan.columns, file.format)).select(scan.needed)
