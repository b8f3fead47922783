"""Checks of the lines of a text file: JSON records, ragged rows, quotes that are not closed."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn


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


@contextmanager
def long_fields() -> Iterator[None]:
    """Python's CSV reader takes fields of any length, as polars does."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def ragged_row(lines: Iterable[str], *, separator: str, width: int) -> tuple[int, int] | None:
    """Line number and number of fields of the first row without `width` fields.

    Blank lines are skipped. Python's CSV reader is exact but slow, so it is used only after a
    faster search found something odd.
    """
    # A bare carriage return does not end a row in polars, and is an error in Python.
    fed = (f"{line}\n".replace("\r", " ") for line in lines)
    rows = csv.reader(fed, delimiter=separator)
    with long_fields():
        for row in rows:
            if len(row) != width and "".join(row).strip():
                return rows.line_num, len(row)
    return None


def odd_quotes(lines: Iterable[str]) -> None:
    """Raise for the last line that opens a quote without closing it."""
    last: BadLine | None = None
    for number, line in enumerate(lines, start=1):
        if line.count('"') % 2:
            last = BadLine(number, line) if last is None else None
    if last is not None:
        raise last
