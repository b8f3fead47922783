"""What options of streams may be: whole numbers, and numbers between two others."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from roclab.errors import InputError

__all__ = ["checked_between", "checked_count"]


def checked_count(value: Any, name: str, least: int = 1) -> int:
    """A whole number from `least` on."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise InputError(f"{name}={value!r} is not a whole number from {least} on.")
    return int(value)


def checked_between(
    value: Any, name: str, low: float, high: float, advice: str, *, or_low: bool = False
) -> float:
    """A number between two others, or the lower of them; `advice` says what to pass."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    if real and (low < value < high or (or_low and value == low)):
        return float(value)
    where = f"from {low:g} to below {high:g}" if or_low else f"between {low:g} and {high:g}"
    raise InputError(f"{name}={value!r} is not {where}. {advice}")
