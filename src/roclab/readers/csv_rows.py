"""Rows of CSV text: the header and what separates its fields, and rows of a wrong length."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager

SEPARATORS = {"csv": ",", "tsv": "\t"}
_LIKELY_SEPARATORS = (",", ";", "\t", "|")


@contextmanager
def long_fields() -> Iterator[None]:
    """Python's CSV reader takes fields of any length, as polars does."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def split_header(
    lines: Sequence[str], *, format: str, separator: str | None, named: Set[str]
) -> tuple[list[str], int, str]:
    """The names in the header, the number of lines up to its end, and the separator.

    If none is given, it is the usual one of the format, unless that leaves one column or another
    one gives the names that are needed.
    """
    usual = SEPARATORS[format]
    likely = [usual, *(sign for sign in _LIKELY_SEPARATORS if sign != usual)]
    found = []
    for sign in likely if separator is None else [separator]:
        rows = csv.reader((f"{line}\n" for line in lines), delimiter=sign)
        header = next((row for row in rows if row), [])
        found.append((header, rows.line_num, sign))
    several = [one for one in found if len(one[0]) > 1]
    complete = [one for one in several if named <= {*one[0]}]
    return next(iter([*complete, *several, *found]))


def unique_names(header: Sequence[str]) -> list[str]:
    """The header with other names for repeated ones, which do no harm if they are not needed."""
    first = {name: at for at, name in reversed(list(enumerate(header)))}
    return [name if first[name] == at else f"\0{at}" for at, name in enumerate(header)]


def is_ragged(row: Sequence[str], width: int) -> bool:
    """Whether a row lacks fields or has surplus ones; empty ones after the last column are none."""
    return len(row) < width or any(field.strip() for field in row[width:])
