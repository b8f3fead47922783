"""The needed columns of one file, in batches: CSV, JSON lines, Parquet, Arrow, Excel."""

from __future__ import annotations

import csv
import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from roclab.errors import ColumnError, FileFormatError, InputError, Parameter
from roclab.readers.batches import batches_of
from roclab.readers.columns import AllColumns, Columns, quoted, shortened
from roclab.readers.csv_rows import SEPARATORS, long_fields, split_header, unique_names
from roclab.readers.files import (
    FORMATS,
    File,
    explained,
    refuse_foreign,
)
from roclab.readers.lines import json_kinds, may_be_ragged, ragged_row
from roclab.readers.opening import FileOptions
from roclab.readers.remote import answered
from roclab.readers.text import uses_decimal_commas
from roclab.readers.workbooks import read_workbook

HEADER_LINES = 100
HEAD_RECORDS = 10_000
JSON_TYPES = {
    frozenset({bool}): pl.Boolean,
    frozenset({int}): pl.Int64,
    frozenset({float}): pl.Float64,
    frozenset({int, float}): pl.Float64,
}


AnyColumns = Columns | AllColumns


@dataclass(frozen=True, kw_only=True)
class Scan:
    """A query for the needed columns of one file.

    In a CSV file all columns are text, and rows have `width` fields. For JSON lines `text` is the
    same query with every value as text, for values that do not have the types of the first records.
    """

    file: File
    query: pl.LazyFrame
    columns: AnyColumns
    needed: list[str]
    width: int = 0
    separator: str = ""
    decimal: str = "."
    text: pl.LazyFrame | None = None

    def as_text(self) -> Scan:
        """The same scan, with every value as text."""
        return self if self.text is None else replace(self, query=self.text, text=None)

    def batches(self, names: Sequence[str]) -> Iterator[pl.DataFrame]:
        """Yield columns in batches, in the order of the rows."""
        with explained(self.file):
            yield from batches_of(self.query.select(names))

    def refuse_ragged(self) -> None:
        """Raise if a CSV file has rows of different lengths."""
        if self.width:
            with explained(self.file):
                _refuse_ragged(self.file, self.width, self.separator)


def scan_file(file: File, columns: AnyColumns, options: FileOptions) -> Scan:
    """Find the needed columns of a file."""
    if file.remote:
        return answered(file.name, lambda: _scan_file(file, columns, options))
    return _scan_file(file, columns, options)


def _scan_file(file: File, columns: AnyColumns, options: FileOptions) -> Scan:
    if file.format not in SEPARATORS:
        for name in ("separator", "decimal"):
            if getattr(options, name) is not None:
                raise InputError(
                    found="{name} is for CSV and TSV, and {file} is {format_name}",
                    fix="Leave it out.",
                    name=Parameter(name),
                    file=file.name,
                    format_name=FORMATS[file.format],
                )
        with explained(file):
            return _SCANS[file.format](file, columns)
    with explained(file), long_fields():
        return _scan_csv(file, columns, options)


def _scan_csv(file: File, columns: AnyColumns, options: FileOptions) -> Scan:
    refuse_foreign(file)
    lines = file.first_lines(HEADER_LINES)
    header, skip, separator = _header(file, lines, columns, options.separator)
    columns = columns.among(header)
    needed = columns.needed(header)
    decimal = options.decimal
    if decimal is None:
        rows = csv.reader((f"{line}\n" for line in lines[skip:]), delimiter=separator)
        fields = [] if separator == "," else [field for row in rows for field in row]
        decimal = "," if uses_decimal_commas(fields) else "."
    query = pl.scan_csv(
        file.data,
        separator=separator,
        has_header=False,
        skip_lines=skip,
        schema=dict.fromkeys(unique_names(header), pl.String),
        missing_columns="insert",
        extra_columns="ignore",
        glob=False,
    )
    return Scan(
        file=file,
        query=query,
        columns=columns,
        needed=needed,
        width=len(header),
        separator=separator,
        decimal=decimal,
    )


def _scan_jsonl(file: File, columns: AnyColumns) -> Scan:
    refuse_foreign(file)
    # polars expands wildcards here and has no option against it.
    data = glob.escape(file.data) if isinstance(file.data, str) else file.data
    types: Mapping[str, Any]
    if isinstance(columns, AllColumns):
        types = _json_types(file, data)
    else:
        kinds = json_kinds(file.first_lines(HEAD_RECORDS))
        named = columns.among([*kinds])
        if not {*named.others, *(named.scores or ())} <= kinds.keys():
            # A key may appear later; records without it miss that value.
            kinds = json_kinds(file.each_line())
            named = columns.among([*kinds])
        columns = named
        types = {name: JSON_TYPES.get(frozenset(kinds[name]), pl.String) for name in kinds}
    needed = columns.needed(list(types))
    return Scan(
        file=file,
        query=pl.scan_ndjson(data, schema={name: types[name] for name in needed}),
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
    # Elsewhere polars alone finds files.
    frame = pl.scan_parquet(file.data, glob=file.remote, hive_partitioning=False)
    return _of_frame(file, frame, columns)


def _scan_arrow(file: File, columns: AnyColumns) -> Scan:
    return _of_frame(file, pl.scan_ipc(file.data, glob=False), columns)


def _scan_excel(file: File, columns: AnyColumns) -> Scan:
    header, frame, sheets = read_workbook(file)
    try:
        columns = columns.among(header)
        needed = columns.needed(header)
    except ColumnError as error:
        read = "The first row with values is the header"
        read += " of the first sheet of {sheets}." if len(sheets) > 1 else "."
        raise ColumnError(
            found=error.found, fix=f"{error.fix} {read}", **error.values, sheets=quoted(sheets)
        ) from None
    frame.columns = unique_names(header)
    return Scan(file=file, query=frame.select(needed).lazy(), columns=columns, needed=needed)


def _of_frame(file: File, frame: pl.LazyFrame, columns: AnyColumns) -> Scan:
    names = frame.collect_schema().names()
    columns = columns.among(names)
    needed = columns.needed(names)
    return Scan(file=file, query=frame.select(needed), columns=columns, needed=needed)


_SCANS = {
    "jsonl": _scan_jsonl,
    "parquet": _scan_parquet,
    "arrow": _scan_arrow,
    "excel": _scan_excel,
}


def _header(
    file: File, lines: list[str], columns: AnyColumns, separator: str | None
) -> tuple[list[str], int, str]:
    """The names in the header, the number of lines up to its end, and the separator."""
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
    named = {*(columns.scores or ()), *columns.others}
    header, skip, sign = split_header(
        lines, format=file.format, separator=separator, named={*columns.others}
    )
    enough = isinstance(columns, AllColumns) and named <= {*header}
    if len(header) < 2 and not enough:
        raise FileFormatError(
            found="{file} has one column, `{header}`",
            needed="the table needs {content}",
            fix="Name what separates its fields, as in {separator=}':'.",
            file=file.name,
            header=shortened("".join(header)),
            content=columns.content,
        )
    return header, skip, sign


def _refuse_ragged(file: File, width: int, separator: str) -> None:
    # polars gives no sign of surplus and missing fields.
    if not may_be_ragged(file.line_batches(), separator=separator, width=width):
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
