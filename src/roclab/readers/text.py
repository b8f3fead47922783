"""The type of a column that arrived as text.

It is decided from all of the values. A reader that guesses from the first rows takes
`0, 1, 1, ..., 0.5` for whole numbers and fails on the decimal.
"""

from __future__ import annotations

import re

import polars as pl

from roclab.readers.missing import MISSING

BOOLEANS = ("true", "false")
GLANCE = 100
WHOLE = re.compile(r"[+-]?[0-9]+")


def typed(text: pl.Series) -> pl.Series:
    """Return `text` as the first type that fits every value, or as text with its nulls."""
    for dtype in _plausible(text.head(GLANCE)):
        for reading in (as_written, _without_missing, _stripped):
            values = _cast(reading(text), dtype)
            if values is not None:
                return values if values.null_count() < len(values) else values.cast(pl.Null)
    return as_text(text)


def as_text(text: pl.Series) -> pl.Series:
    """Return `text` as it is but for what stands for a missing value."""
    return text.set(_stripped(text).is_null(), None)


def as_written(text: pl.Series) -> pl.Series:
    """Return `text` itself."""
    return text


def _plausible(glance: pl.Series) -> list[type[pl.DataType]]:
    """Return the types that the first values allow, which spares many a pass over the column."""
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
    """Return whole numbers if printing them gives `text` back, else text: `007` is no 7."""
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
