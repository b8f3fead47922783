"""Columns along the thresholds of a ranking, from the strictest to the most lenient."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.labels_and_scores import beyond_float64
from roclab.data.ranking import Ranking
from roclab.formatting import threshold_text


def thresholds_of(ranking: Ranking) -> npt.NDArray[Any]:
    """Infinity, a threshold above all scores, and the distinct scores from high to low."""
    return np.concatenate(([np.inf], as_thresholds(ranking.scores)[::-1]))


def as_thresholds(ascending: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Scores as float64; integers that it would round as Python integers, in an array of objects.

    NumPy rounds integers that it compares with float64, so that neighbours could not be separated.
    """
    return ascending.astype(object if beyond_float64(ascending) else np.float64)


def threshold_range(thresholds: npt.NDArray[Any]) -> str:
    """The highest and the lowest threshold of a curve, without the one above all scores."""
    shown = thresholds[1:] if len(thresholds) > 1 and thresholds[0] == np.inf else thresholds
    second = shown.item(1) if len(shown) > 1 else -np.inf
    return f"{threshold_text(shown.item(0), second)} to {threshold_text(shown.item(-1), -np.inf)}"


def counts_above(mass: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The mass at or above each threshold, from masses at ascending scores; 0 at infinity."""
    return np.concatenate(([0], np.cumsum(mass[::-1])))
