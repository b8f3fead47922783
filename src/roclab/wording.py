"""How messages put names into a sentence."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["listed"]

_SHOWN = 5


def listed(names: Iterable[str]) -> str:
    """The first few names, and how many more there are: ``a, b, c, d, e and 3 more``."""
    shown = list(names)
    more = len(shown) - _SHOWN
    return ", ".join(shown[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
