"""Checks of the lines of a text file: JSON records, ragged rows, quotes that are not closed."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import polars as pl

from roclab.readers.csv_rows import is_ragged, long_fields


class BadLine(Exception):
    """A line that does not fit the format of its file, with its number, from 1."""

    def __init__(self, number: int, line: str) -> None:
        super().__init__(number, line)
        self.number = number
        self.line = line


def json_kinds(lines: Iterable[str]) -> dict[str, set[type]]:
    """The keys of JSON records, each with the Python types of its values, except None."""
    kinds: dict[str, set[type]] = {}
    for record in _json_records(lines):
        for key, value in record.items():
            seen = kinds.setdefault(key, set())
            if value is not None:
                seen.add(type(value))
    return kinds


def _json_records(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line, parse_constant=_refuse) if line.strip() else {}
        except (ValueError, RecursionError):
            raise BadLine(number, line) from None
        if not isinstance(record, dict):
            raise BadLine(number, line)
        yield record


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)  # NaN and Infinity are Python's, not JSON


def ragged_row(lines: Iterable[str], *, separator: str, width: int) -> tuple[int, int] | None:
    """Line number and number of fields of the first row without `width` fields.

    Blank lines are skipped, and empty fields after the last column do not count. Python's CSV
    reader is exact but slow, so it is used only after `may_be_ragged` found something odd.
    """
    # A bare carriage return does not end a row in polars, and is an error in Python.
    fed = (f"{line}\n".replace("\r", " ") for line in lines)
    rows = csv.reader(fed, delimiter=separator)
    with long_fields():
        for row in rows:
            if len(row) != width and "".join(row).strip() and is_ragged(row, width):
                return rows.line_num, len(row)
    return None


def may_be_ragged(batches: Iterable[pl.Series], *, separator: str, width: int) -> bool:
    """Whether some row may not have `width` fields: a fast search that misses none.

    Lines are judged one by one, and by `ragged_row` those that are parts of one row.
    """
    inside = False
    parts: list[str] = []
    for lines in batches:
        odd = lines.str.count_matches('"', literal=True) % 2 == 1
        if inside or odd.any():
            quoted = (odd.cast(pl.Int64).cum_sum() + inside) % 2 == 1  # at the end of each line
            inside = bool(quoted[-1])
            parts.extend(lines.filter(quoted | odd))
            lines = lines.filter(~(quoted | odd))
            if not inside:
                if ragged_row(parts, separator=separator, width=width):
                    return True
                parts = []
        if _has_odd_line(lines, separator, width):
            return True
    return inside


def _has_odd_line(lines: pl.Series, separator: str, width: int) -> bool:
    """Whether some line has other than `width` fields, apart from empty ones at the end."""
    separators = lines.str.count_matches(separator, literal=True)
    # A field in quotes may contain separators.
    suspect = lines.filter((separators != width - 1) | lines.str.contains('"', literal=True))
    if suspect.is_empty():
        return False
    fields = _count_fields(suspect, separator)
    if ((fields < width) & (suspect.str.strip_chars() != "")).any():
        return True
    long = suspect.filter(fields > width).str.strip_chars_end(f"{separator}\r")
    return bool((_count_fields(long, separator) > width).any())


def _count_fields(lines: pl.Series, separator: str) -> pl.Series:
    sign = f"\\x{ord(separator):02x}"
    return (separator + lines).str.count_matches(f'{sign}(?:"(?:[^"]|"")*")?')


def odd_quotes(lines: Iterable[str]) -> None:
    """Raise for the last line that opens a quote without closing it."""
    last: BadLine | None = None
    for number, line in enumerate(lines, start=1):
        if line.count('"') % 2:
            last = BadLine(number, line) if last is None else None
    if last is not None:
        raise last
