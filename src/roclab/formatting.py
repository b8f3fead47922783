"""Names and values of users in messages and results."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable
from typing import Any

_SHOWN = 5
_MOST_DECIMALS = 12


def listed(names: Iterable[str]) -> str:
    """The first five names, and the number of others: ``a, b, c, d, e and 3 more``."""
    shown = list(names)
    more = len(shown) - _SHOWN
    return ", ".join(shown[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def one_line(value: object) -> str:
    """A name on one line, safe for a terminal: characters that cannot be printed are escaped."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in str(value)
    )


def with_interval(value: float, low: float, high: float, *, least: int = 2) -> str:
    """A value and its interval, with as many decimals as its width needs.

    The ends have at least `least` decimals, and the value at least three.
    """
    width = high - low
    decimals = least
    if 0 < width < 1:
        decimals = min(max(least, math.ceil(-math.log10(width))), _MOST_DECIMALS)
    own = max(3, decimals + 1 if decimals > least else least)
    return f"{value:.{own}f} [{low:.{decimals}f}, {high:.{decimals}f}]"


def plain_value(value: Any) -> Any:
    """A value as a type that JSON has; dates in ISO 8601, everything else as text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)
