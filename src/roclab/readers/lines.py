"""Lines of a text file, looked at one by one: JSON records, ragged rows, quotes left open."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

__all__ = ["BadLine", "json_kinds", "odd_quotes", "ragged_row"]


class BadLine(Exception):
    """A line that is not what its file's format needs, with its number, from 1."""

    def __init__(self, number: int, line: str) -> None:
        super().__init__(number, line)
        self.number = number
        self.line = line


def json_kinds(lines: Iterable[str]) -> dict[str, set[type]]:
    """Return the keys of JSON records, each with the Python types of its values, None apart."""
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
    raise ValueError(constant)  # NaN and Infinity are Python's, not JSON's


def ragged_row(lines: Iterable[str], *, separator: str, width: int) -> tuple[int, int] | None:
    """Return line number and number of fields of the first row without `width` fields.

    Blank lines pass. Python's own CSV reader decides: exact, and slow enough to be asked only
    after a faster look found something odd.
    """
    # A bare carriage return ends no row for polars, and is an error for Python.
    fed = (f"{line}\n".replace("\r", " ") for line in lines)
    rows = csv.reader(fed, delimiter=separator)
    try:
        for row in rows:
            if len(row) != width and "".join(row).strip():
                return rows.line_num, len(row)
    except csv.Error:  # a field longer than Python allows, which polars has read
        pass
    return None


def odd_quotes(lines: Iterable[str]) -> None:
    """Refuse lines in which a quote stays open; the last line that opened one is at fault."""
    last: BadLine | None = None
    for number, line in enumerate(lines, start=1):
        if line.count('"') % 2:
            last = BadLine(number, line) if last is None else None
    if last is not None:
        raise last
