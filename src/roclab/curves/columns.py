"""Columns along the thresholds of a ranking, from the strictest to the most lenient."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.ranking import Ranking


class ReadOnlyArrays:
    """A result with read-only arrays, also in copies."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickled and copied arrays come back writable.
        self.__dict__.update(state)
        ReadOnlyArrays.__post_init__(self)


def thresholds_of(ranking: Ranking) -> npt.NDArray[np.float64]:
    """Infinity, a threshold above all scores, and the distinct scores from high to low."""
    return np.concatenate(([np.inf], ranking.scores[::-1].astype(np.float64)))


def counts_above(mass: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The mass at or above each threshold, from masses at ascending scores; 0 at infinity."""
    return np.concatenate(([0], np.cumsum(mass[::-1])))
