"""The warning of curves that need both classes."""

from __future__ import annotations

import warnings

from roclab.errors import UndefinedMeasureWarning
from roclab.ranking import Ranking

__all__ = ["lacks_a_class"]


def lacks_a_class(ranking: Ranking, name: str) -> bool:
    """Whether a class is missing; if so, warn the caller of the function that asks."""
    if ranking.n_pos and ranking.n_neg:
        return False
    warnings.warn(
        f"{name} needs both classes; there are {ranking.n_pos:,} positive and "
        f"{ranking.n_neg:,} negative examples. What needs the missing class is nan.",
        UndefinedMeasureWarning,
        stacklevel=3,
    )
    return True
