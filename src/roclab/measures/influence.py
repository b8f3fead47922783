"""Influence functions: the first-order contribution of each example to a measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.data.ranking import Ranking
from roclab.numeric.sums import dot

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Influence:
    """What examples at each distinct score contribute to a measure, to first order.

    With fixed numbers of positives and negatives, the measure varies as the mean of `of_pos` over
    positives plus the mean of `of_neg` over negatives; constants do not matter.

    Attributes
    ----------
    of_pos, of_neg : ndarray
        Contribution of a positive, and of a negative, at each of the distinct scores.
    of_prevalence : float
        Derivative with respect to the share of positives, where that is random.
    """

    of_pos: Floats
    of_neg: Floats
    of_prevalence: float = 0.0


# Called as ``influence(ranking, **options)``; None where these options allow no closed form.
InfluenceFunction = Callable[..., Influence | None]


def row_mean(ranking: Ranking, of_pos: Floats, of_neg: Floats) -> Influence:
    """Influence of a mean over all rows, from the value of a row at each score."""
    pos, neg = float(ranking.pos.sum()), float(ranking.neg.sum())
    share = pos / (pos + neg)
    slope = _mean(ranking.pos, of_pos) - _mean(ranking.neg, of_neg)
    return Influence(share * of_pos, (1 - share) * of_neg, slope)


def _mean(mass: npt.NDArray[Any], values: Floats) -> float:
    present = mass > 0
    total = float(mass.sum())
    return dot(mass[present], values[present]) / total if total else 0.0
