"""What stands for a missing value in text."""

from __future__ import annotations

__all__ = ["MISSING"]

MISSING = ("", "NA", "N/A", "null", "NULL", "NaN", "nan")
