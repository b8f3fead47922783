"""What options of streams may be: whole numbers, and numbers between two others."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from roclab.errors import InputError
from roclab.validation import number_or_nan

_MOST = 10**9

__all__ = ["checked_between", "checked_count"]


def checked_count(value: Any, name: str, least: int = 1) -> int:
    """A whole number from `least` on."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not least <= value <= _MOST:
        raise InputError(f"{name}={value!r:.60} is not a whole number from {least} to {_MOST:,}.")
    return int(value)


def checked_between(
    value: Any, name: str, low: float, high: float, advice: str, *, or_low: bool = False
) -> float:
    """A number between two others, or the lower of them; `advice` says what to pass."""
    number = number_or_nan(value)
    if low < number < high or (or_low and number == low):
        return number
    where = f"from {low:g} to below {high:g}" if or_low else f"between {low:g} and {high:g}"
    raise InputError(f"{name}={value!r:.60} is not {where}. {advice}")
