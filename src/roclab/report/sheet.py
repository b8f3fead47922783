"""Cells of text: what results become before a format lays them out, rounded alike for all."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = [
    "UNDEFINED",
    "Page",
    "Sheet",
    "decimals_for",
    "ends",
    "is_nan",
    "number",
    "percent",
]

UNDEFINED = "undefined"
_DIGITS = (3, 6)


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """One table.

    Attributes
    ----------
    header : tuple of str
        Titles of the columns.
    names : int
        So many columns, from the left, hold names; the others hold numbers.
    rows : tuple of tuple of str
        The cells; those of numbers may have several lines.
    title : str or None
        What stands above it.
    whole : int
        So many of the columns of names are never folded.
    wraps : bool
        Whether titles above numbers are names too, which may be long and go on in the next line.
    """

    header: tuple[str, ...]
    names: int
    rows: tuple[tuple[str, ...], ...]
    title: str | None = None
    whole: int = 0
    wraps: bool = False


@dataclass(frozen=True, kw_only=True)
class Page:
    """Tables, and what is said below them."""

    sheets: tuple[Sheet, ...]
    notes: tuple[str, ...]


def number(value: float, digits: int, *, sign: str = "") -> str:
    """A number with so many decimals; with ``sign="+"`` a plus where it is not negative."""
    return UNDEFINED if is_nan(value) else f"{value:{sign}.{digits}f}"


def ends(low: float, high: float, digits: int) -> str:
    """An interval in brackets."""
    return UNDEFINED if is_nan(low + high) else f"[{low:.{digits}f}, {high:.{digits}f}]"


def decimals_for(widths: Iterable[float]) -> int:
    """As many decimals as give the narrowest interval two different figures, three at least."""
    fewest, most = _DIGITS
    narrowest = min((width for width in widths if 0 < width < math.inf), default=1.0)
    return min(most, max(fewest, 1 - math.floor(math.log10(narrowest))))


def percent(level: float) -> str:
    """A level as people write it."""
    return f"{100 * level:.10g} %"


def is_nan(value: Any) -> bool:
    """Whether a value is a number that is not defined."""
    return isinstance(value, float) and math.isnan(value)
