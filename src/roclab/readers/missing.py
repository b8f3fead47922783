"""Texts that mean a missing value."""

from __future__ import annotations

MISSING = ("", "NA", "N/A", "null", "NULL", "NaN", "nan")
