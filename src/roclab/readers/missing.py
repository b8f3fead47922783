"""Texts that mean a missing value."""

from __future__ import annotations

__all__ = ["MISSING"]

MISSING = ("", "NA", "N/A", "null", "NULL", "NaN", "nan")
