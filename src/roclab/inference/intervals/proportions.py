"""Grids of rates that callers pass, and confidence intervals for a proportion."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.labels_and_scores import as_scores
from roclab.checks.options import shown
from roclab.errors import InputError, Parameter

Floats = npt.NDArray[np.float64]

_TINY = np.finfo(np.float64).tiny


def ascending_rates(given: npt.ArrayLike, name: str) -> Floats:
    """One or more rates from 0 to 1, in ascending order."""
    refused = InputError(
        found="{name=}{value} is not a grid of rates",
        needed="ascending numbers from 0 to 1 are needed",
        fix="Pass for example {name=}[0, 0.1, 0.5, 1].",
        name=Parameter(name),
        value=shown(given),
    )
    try:
        rates = as_scores(given, name).astype(np.float64)
    except (TypeError, ValueError):
        raise refused from None
    if not len(rates) or not (np.all((rates >= 0) & (rates <= 1)) and np.all(np.diff(rates) > 0)):
        raise refused
    return rates


def wilson_ends(rate: Any, variance: Any, number: float, z: float) -> tuple[Any, Any]:
    """Wilson's score interval for a rate of `number` examples with the given variance.

    If the variance exceeds the binomial one, the number of examples is reduced accordingly. The
    binomial variance is that of the rate shrunk towards one half, after Agresti and Coull, since at
    0 or 1 it would be 0.
    """
    if np.isinf(z):
        return np.zeros_like(rate), np.ones_like(rate)
    middle = (number * rate + z * z / 2) / (number + z * z)
    # Positive even if z is 0, as at a confidence level near 0.
    binomial = np.maximum(middle * (1 - middle), np.finfo(np.float64).tiny)
    excess = np.maximum(1, variance * number / binomial)
    return wilson_roots(np.asarray(rate, np.float64), z * z * excess / number)


def wilson_roots(rate: Any, width: Any) -> tuple[Any, Any]:
    """The roots x of ``(rate - x)^2 = width x (1 - x)``, without cancellation near 0 and 1.

    They contain the rate, and nothing else only if the width is 0.
    """
    reach = width / 2 + np.sqrt(width * (rate * (1 - rate) + width / 4))
    rest = 1 - rate
    low = rate * (rate / np.maximum(rate + reach, _TINY))
    high = 1 - rest * (rest / np.maximum(rest + reach, _TINY))
    return np.minimum(low, rate), np.maximum(high, rate)


def clopper_pearson_ends(rate: Any, number: Any, level: float) -> tuple[Any, Any]:
    """Exact interval for a proportion of `number` examples, which need not be an integer."""
    from scipy.special import betaincinv

    hits, tail = rate * number, (1 - level) / 2
    misses = number - hits
    low = np.where(rate == 0, 0.0, betaincinv(np.maximum(hits, _TINY), misses + 1, tail))
    high = np.where(rate == 1, 1.0, betaincinv(hits + 1, np.maximum(misses, _TINY), 1 - tail))
    return low, high
