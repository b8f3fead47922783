"""The type of a column of text.

It is inferred from all values. A reader that guesses from the first rows takes `0, 1, 1, ..., 0.5`
for integers and fails on the decimal.
"""

from __future__ import annotations

import re

import polars as pl

from roclab.readers.columns import MISSING

BOOLEANS = ("true", "false")
GLANCE = 100
WHOLE = re.compile(r"[+-]?[0-9]+")


def typed(text: pl.Series) -> pl.Series:
    """Convert `text` to the first type that fits every value, else to text with nulls."""
    for dtype in _plausible(text.head(GLANCE)):
        for reading in (as_written, _without_missing, _stripped):
            values = _cast(reading(text), dtype)
            if values is not None:
                return values if values.null_count() < len(values) else values.cast(pl.Null)
    return as_text(text)


def as_text(text: pl.Series) -> pl.Series:
    """Return `text` with nulls for missing values."""
    return text.set(_stripped(text).is_null(), None)


def as_written(text: pl.Series) -> pl.Series:
    """Return `text` itself."""
    return text


def _plausible(glance: pl.Series) -> list[type[pl.DataType]]:
    """The types that the first values allow, which saves passes over the column."""
    values = [value.strip() for value in glance if value is not None]
    values = [value for value in values if value not in MISSING]
    types: list[type[pl.DataType]] = []
    if all(WHOLE.fullmatch(value) for value in values):
        types += [pl.Int64, pl.UInt64]
    if all(_is_number(value) for value in values):
        types += [pl.Float64]
    if all(value.lower() in BOOLEANS for value in values):
        types += [pl.Boolean]
    return types


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def typed_group(text: pl.Series) -> pl.Series:
    """Convert to integers if printing them gives `text` again, else to text: `007` is not 7."""
    present = _without_missing(text)
    values = _cast(present, pl.Int64)
    if values is not None and (values.cast(pl.String) == present).all():
        return values
    return present


def _without_missing(text: pl.Series) -> pl.Series:
    return text.set(text.is_in(MISSING), None)


def _stripped(text: pl.Series) -> pl.Series:
    return _without_missing(text.str.strip_chars())


def _cast(text: pl.Series, dtype: type[pl.DataType]) -> pl.Series | None:
    if dtype == pl.Boolean:
        lower = text.str.to_lowercase()
        if not lower.is_in(BOOLEANS).all():
            return None
        return lower == "true"
    values = text.cast(dtype, strict=False)
    return values if values.null_count() == text.null_count() else None
