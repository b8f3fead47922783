"""What the text of a value means: a missing value, or a number."""

from __future__ import annotations

import re
from decimal import Decimal

MISSING = ("", "NA", "N/A", "null", "NULL", "NaN", "nan")  # texts that mean a missing value
WHOLE = re.compile(r"[+-]?[0-9]+")


def as_number(text: str, decimal: str = ".") -> float | None:
    """The number that a text says, with a decimal sign; None if it is none.

    Python also reads digits of other scripts, and underscores between digits.
    """
    text = text.strip()
    if decimal != ".":
        text = text.replace(".", "_").replace(decimal, ".")
    try:
        return float(text) if "_" not in text and text.isascii() else None
    except ValueError:
        return None


def is_rounded(written: str) -> bool:
    """Whether float64 has another value for a number if it is an integer.

    What float64 prints counts as its value: 1e23, which is 99999999999999991611392, is also written
    as 1 with 23 zeros.
    """
    if not WHOLE.fullmatch(written):
        return False
    number, value = Decimal(written), float(written)
    return Decimal(value) != number != Decimal(repr(value))
