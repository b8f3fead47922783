"""Where the simulated scores come from: populations whose AUC is known exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

Labels = npt.NDArray[np.bool_]
Scores = npt.NDArray[Any]

# How a family is called in tables.
FAMILIES = {
    "equal": "normal, equal spread",
    "wide": "normal, positives twice as wide",
    "ordinal": "five levels",
}
WIDE = 2.0  # standard deviation of positives in the second family; negatives have 1
CUTS = np.array([-1.5, -0.5, 0.5, 1.5])  # between levels, from the middle of the two means


@dataclass(frozen=True, kw_only=True)
class Population:
    """Scores of two classes.

    Attributes
    ----------
    family : str
        "equal": both classes normal with standard deviation 1. "wide": positives have 2. "ordinal":
        as the first, but of a score only one of five levels is known.
    auc : float
        Probability that a positive scores above a negative, a tie counted as half.
    """

    family: str
    auc: float

    @cached_property
    def shift(self) -> float:
        """How far the mean of the positives is above that of the negatives."""
        if self.family == "ordinal":
            return float(brentq(lambda shift: ordinal_auc(shift) - self.auc, -20, 20, xtol=1e-14))
        spread = math.hypot(1, WIDE if self.family == "wide" else 1)
        return spread * float(ndtri(self.auc))

    def scores(self, noise: npt.NDArray[np.float64], labels: Labels) -> Scores:
        """Scores of rows whose noise is standard normal."""
        if self.family == "wide":
            noise = np.where(labels, WIDE * noise, noise)
        shifted = noise + self.shift * labels
        if self.family == "ordinal":
            return np.searchsorted(CUTS + self.shift / 2, shifted)
        return shifted


def ordinal_auc(shift: float) -> float:
    """The AUC that five levels leave of two normal classes, their means `shift` apart."""
    ends = np.concatenate([[-np.inf], CUTS + shift / 2, [np.inf]])
    pos, neg = np.diff(ndtr(ends - shift)), np.diff(ndtr(ends))
    return float(pos @ (np.cumsum(neg) - neg / 2))


def labels_of(n_pos: int, n_neg: int) -> Labels:
    """Positives first."""
    return np.repeat([True, False], [n_pos, n_neg])
