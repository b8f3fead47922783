"""Columns along the thresholds of a ranking, from the strictest to the most lenient."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.ranking import Ranking

__all__ = ["counts_above", "read_only", "thresholds_of"]


def thresholds_of(ranking: Ranking) -> npt.NDArray[np.float64]:
    """Infinity, which no score is said to reach, and the distinct scores from high to low."""
    return np.concatenate(([np.inf], ranking.scores[::-1].astype(np.float64)))


def counts_above(mass: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The mass at or above each threshold, of masses at ascending scores; 0 at infinity."""
    return np.concatenate(([0], np.cumsum(mass[::-1])))


def read_only(*arrays: npt.NDArray[Any]) -> None:
    """Nobody can write to these arrays from now on."""
    for array in arrays:
        array.flags.writeable = False
