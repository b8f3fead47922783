"""Names and values of users in messages and results."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

_SHOWN = 5


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


def plain_value(value: Any) -> Any:
    """A value as a type that JSON has; dates in ISO 8601, everything else as text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)
