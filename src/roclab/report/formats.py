"""Numbers and names as people read them in tables and notes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from roclab.formatting import one_line, threshold_text

UNDEFINED = "undefined"
_MOST_DIGITS = 6


def plain(value: Any) -> str:
    """Any value: numbers with up to six digits."""
    if isinstance(value, list | tuple):
        return ", ".join(map(plain, value))
    if isinstance(value, float):
        return UNDEFINED if math.isnan(value) else f"{value:.6g}"
    return one_line(value)


def threshold(value: float, below: float | None = None) -> str:
    """A threshold with the digits that call the same examples positive; see `threshold_text`."""
    if value == below == math.inf:
        return "above inf"
    return UNDEFINED if math.isnan(value) else threshold_text(value, below)


def count(value: float) -> str:
    """A count, with separators; weighted ones with up to six digits."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def number(digits: int, *, sign: str = "") -> Callable[[float], str]:
    """Numbers with this many decimals; with ``sign="+"`` a plus where it is not negative."""

    def shown(value: float) -> str:
        return UNDEFINED if math.isnan(value) else f"{value:{sign}.{digits}f}"

    return shown


def interval(digits: int) -> Callable[[float, float], str]:
    """An interval in brackets."""

    def shown(low: float, high: float) -> str:
        return UNDEFINED if math.isnan(low + high) else f"[{low:.{digits}f}, {high:.{digits}f}]"

    return shown


def value_and_interval(digits: int) -> Callable[[float, float, float], str]:
    """A value with its interval in brackets."""

    def shown(value: float, low: float, high: float) -> str:
        text = number(digits)(value)
        return text if math.isnan(value) else f"{text} {interval(digits)(low, high)}"

    return shown


def unless_undefined(
    shown: Callable[[float, float], str],
) -> Callable[[float, float, float], str]:
    """An interval beside its value; nothing where the value itself is undefined."""
    return lambda value, low, high: "" if math.isnan(value) else shown(low, high)


def yes_or_no(value: bool) -> str:
    """A truth value."""
    return "yes" if value else "no"


def pvalue(value: float) -> str:
    """A p-value: ``0.012``, ``< 0.001``."""
    if math.isnan(value):
        return UNDEFINED
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def p_equals(value: float) -> str:
    """A p-value in a sentence: ``p = 0.03``, ``p < 0.001``."""
    shown = pvalue(value)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def percent(level: float) -> str:
    """A level as people write it."""
    return f"{100 * level:.10g} %"


def percentage(share: float) -> str:
    """A share in percent, with one decimal."""
    return UNDEFINED if math.isnan(share) else f"{100 * share:.1f} %"


def decimals_for(widths: Iterable[float], *, fewest: int = 3, figures: int = 2) -> int:
    """Decimals with which the narrowest interval's width has some figures, at least `fewest`."""
    narrowest = min((width for width in widths if 0 < width < math.inf), default=1.0)
    return min(_MOST_DIGITS, max(fewest, figures - 1 - math.floor(math.log10(narrowest))))
