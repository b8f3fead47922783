"""The type of a column of text.

It is inferred from all values. A reader that guesses from the first rows takes `0, 1, 1, ..., 0.5`
for integers and fails on the decimal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import polars as pl

from roclab.checks.vectors import EXACT_UP_TO
from roclab.readers.columns import Reading
from roclab.readers.literals import MISSING, WHOLE, as_number, is_rounded

BOOLEANS = ("true", "false")
GLANCE = 100


@dataclass
class TextType:
    """The first type that fits every value of a column that is read in parts.

    Attributes
    ----------
    reading : {"value", "group", "text", "written"}
        How the column is read.
    decimal : {".", ","}
        What separates the decimals of its numbers.
    """

    reading: Reading
    decimal: str = "."
    _seen: set[pl.DataType] = field(default_factory=set)
    _negative: bool = False
    _rows: int = 0
    _rounded: tuple[int, str] | None = None

    def add(self, text: pl.Series) -> pl.Series:
        """Take the next values into account; returns them in the type that fits them alone."""
        values = typed(text, self.reading, self.decimal)
        if values.dtype == pl.Int64 and not self._negative:
            self._negative = bool((values < 0).any())
        if self._rounded is None and values.dtype.is_numeric():
            found = first_rounded(text, values)
            self._rounded = found and (self._rows + found[0], found[1])
        self._rows += len(text)
        self._seen.add(values.dtype)
        return values

    @property
    def rounded(self) -> tuple[int, str] | None:
        """The row, from 0, of the first integer that the type of the column rounds, and it."""
        return self._rounded if self.dtype == pl.Float64 else None

    @property
    def dtype(self) -> pl.DataType:
        """The type that fits all values."""
        seen = self._seen - {pl.Null()}
        if len(seen) <= 1:
            return next(iter(seen), pl.Null())
        if not all(dtype.is_numeric() for dtype in seen):
            return pl.String()
        if pl.Float64() in seen or self._negative:
            return pl.Float64()
        return pl.UInt64()

    def read(self, text: pl.Series) -> pl.Series:
        """Values of the column in the type that fits all."""
        dtype = self.dtype
        if dtype == pl.String:
            return as_group(text) if self.reading == "group" else as_text(text)
        if dtype == pl.Null:
            return pl.Series(text.name, [None], pl.Null).new_from_index(0, len(text))
        values = _read_as(text, dtype, self.decimal)
        if values is None:  # the file was changed after its types were found
            raise pl.exceptions.ComputeError(f"column {text.name} has changed")
        return values


def typed(text: pl.Series, reading: Reading = "value", decimal: str = ".") -> pl.Series:
    """Convert `text` to the first type that fits every value, else to text with nulls."""
    if reading in ("text", "written"):
        return as_text(text) if reading == "text" else text
    if reading == "group":
        return _typed_group(text)
    for dtype in _plausible(text.head(GLANCE), decimal):
        values = _read_as(text, dtype, decimal)
        if values is not None:
            return values if values.null_count() < len(values) else values.cast(pl.Null)
    return as_text(text)


def as_text(text: pl.Series) -> pl.Series:
    """Return `text` with nulls for missing values."""
    return text.set(_stripped(text).is_null(), None)


def as_group(text: pl.Series) -> pl.Series:
    """Return `text` with nulls for missing values; blanks around a value belong to it."""
    return text.set(text.is_in(MISSING), None)


def uses_decimal_commas(fields: Iterable[str]) -> bool:
    """Whether numbers among some fields have decimal commas, and none has a decimal point."""
    numbers = [one for one in fields if as_number(one.replace(",", ".", 1).strip()) is not None]
    commas = any("," in number for number in numbers)
    return commas and not any("." in number for number in numbers)


def may_be_rounded(values: pl.Series) -> pl.Series:
    """Where numbers are so large that float64 does not hold every integer."""
    large = values >= EXACT_UP_TO
    if values.dtype != pl.UInt64:
        large |= values <= -EXACT_UP_TO
    return large.fill_null(False)


def first_rounded(text: pl.Series, values: pl.Series) -> tuple[int, str] | None:
    """The row of the first integer that float64 rounds, and the integer; `values` are numbers."""
    large = may_be_rounded(values)
    for row in large.arg_true():
        written = text[row].strip()
        if is_rounded(written):
            return row, written
    return None


def _read_as(text: pl.Series, dtype: pl.DataType, decimal: str) -> pl.Series | None:
    """Values of a type; None if one does not fit."""
    for reading in (_unchanged, as_group, _stripped):
        values = _cast(reading(text), dtype, decimal)
        if values is not None:
            return values
    return None


def _plausible(glance: pl.Series, decimal: str) -> list[pl.DataType]:
    """The types that the first values allow, which saves passes over the column."""
    values = [value.strip() for value in glance if value is not None]
    values = [value for value in values if value not in MISSING]
    types: list[pl.DataType] = []
    if all(WHOLE.fullmatch(value) for value in values):
        types += [pl.Int64(), pl.UInt64()]
    if all(as_number(value, decimal) is not None for value in values):
        types += [pl.Float64()]
    if all(value.lower() in BOOLEANS for value in values):
        types += [pl.Boolean()]
    return types


def _typed_group(text: pl.Series) -> pl.Series:
    """Convert to integers if printing them gives `text` again, else to text: `007` is not 7."""
    present = as_group(text)
    if present.null_count() == len(present):
        return present.cast(pl.Null)
    values = _cast(present, pl.Int64(), ".")
    if values is not None and (values.cast(pl.String) == present).all():
        return values
    return present


def _unchanged(text: pl.Series) -> pl.Series:
    return text


def _stripped(text: pl.Series) -> pl.Series:
    return as_group(text.str.strip_chars())


def _cast(text: pl.Series, dtype: pl.DataType, decimal: str) -> pl.Series | None:
    if dtype == pl.Boolean:
        lower = text.str.to_lowercase()
        if not lower.is_in(BOOLEANS).all():
            return None
        return lower == "true"
    if decimal != "." and dtype.is_float():
        # A point is then part of no number.
        text = text.str.replace(".", "_", literal=True).str.replace(decimal, ".", literal=True)
    values = text.cast(dtype, strict=False)
    return values if values.null_count() == text.null_count() else None
