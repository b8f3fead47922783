"""The warning of curves that need both classes."""

from __future__ import annotations

from roclab.door import lacks, warn_of_lack
from roclab.ranking import Ranking

__all__ = ["lacks_a_class"]


def lacks_a_class(ranking: Ranking, name: str) -> bool:
    """Whether a class is missing; if so, warn the caller of the function that asks."""
    if lacks(ranking):
        warn_of_lack(name, ranking, "both classes", "What needs the missing class")
    return lacks(ranking)
