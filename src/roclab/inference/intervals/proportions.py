"""Rates as users pass them, and intervals for one: a share of examples, or what estimates it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.validation import as_scores

__all__ = ["ascending_rates", "clopper_pearson_ends", "wilson_ends"]

Floats = npt.NDArray[np.float64]


def ascending_rates(given: npt.ArrayLike, name: str) -> Floats:
    """One or more rates from 0 to 1 that ascend."""
    try:
        rates = as_scores(given, name).astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} is {given!r:.60}; a list of rates is needed.") from None
    if not len(rates) or not (np.all((rates >= 0) & (rates <= 1)) and np.all(np.diff(rates) > 0)):
        raise InputError(f"{name} is {given!r:.60}; rates from 0 to 1 are needed, ascending.")
    return rates


def wilson_ends(rate: Any, variance: Any, number: float, z: float) -> tuple[Any, Any]:
    """Wilson's score interval of a rate among so many examples that has this variance.

    Where that is more than a share of as many examples has, the examples count for fewer. The
    comparison is with the rate drawn towards one half, after Agresti and Coull, since a share of
    0 or 1 has no variance.
    """
    if np.isinf(z):
        return np.zeros_like(rate), np.ones_like(rate)
    middle = (number * rate + z * z / 2) / (number + z * z)
    # Never 0, which the middle is for so low a level that z is 0.
    of_share = np.maximum(middle * (1 - middle), np.finfo(np.float64).tiny)
    excess = np.maximum(1, variance * number / of_share)
    effective = number / excess
    centre = (rate + z * z / (2 * effective)) / (1 + z * z / effective)
    spread = rate * (1 - rate) / effective + (z / (2 * effective)) ** 2
    margin = z * np.sqrt(spread) / (1 + z * z / effective)
    return np.where(rate == 0, 0, centre - margin), np.where(rate == 1, 1, centre + margin)


def clopper_pearson_ends(rate: float, number: float, level: float) -> tuple[float, float]:
    """The exact interval of a share of so many examples; `number` need not be whole."""
    from scipy.special import betaincinv

    hits, tail = rate * number, (1 - level) / 2
    misses = number - hits
    low = float(betaincinv(hits, misses + 1, tail)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, misses, 1 - tail)) if misses > 0 else 1.0
    return low, high
