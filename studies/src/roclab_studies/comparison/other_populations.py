"""Populations of other shapes than normal ones, for the default tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import gammainccinv, ndtr, ndtri, stdtrit

from roclab_studies.populations import Labels, Scores

Floats = npt.NDArray[np.float64]

# How a family is called in tables.
OTHERS = {
    "gamma": "gamma, positives on a larger scale",
    "weibull": "Weibull, positives on a larger scale",
    "lognormal": "lognormal, shifted",
    "t3": "Student's t with 3 degrees of freedom, shifted",
    "levels": "three levels, most negatives on the lowest",
    "mixture": "some positives like negatives",
    "outliers": "some negatives like positives",
}
EXTREMES = {
    "spike": "60 % of the negatives and some positives at zero, other positives on a larger scale",
    "failing": "some positives below all negatives",
    "heavy_neg": "Cauchy negatives, normal positives",
    "heavy_pos": "Cauchy positives, normal negatives",
}
# Models of different kinds; "equal" is that of `Population`.
KINDS = {
    "equal, heavy_neg": "normal; Cauchy negatives",
    "equal, heavy_pos": "normal; Cauchy positives",
    "equal, failing": "normal; some positives below all negatives",
    "equal, spike": "normal; spike at zero",
    "heavy_neg, failing": "Cauchy negatives; some positives below all negatives",
    "gamma, outliers": "gamma; some negatives like positives",
}
FIVE_KINDS = "equal, heavy_neg, heavy_pos, failing, spike"
CUTS = np.array([0.5, 1.5])  # between the three levels
APART = 3.64  # of the two parts of a mixture, AUC 0.995 between them
AT_ZERO, SCALE, BELOW = 0.6, 1000.0, -1000.0


@dataclass(frozen=True, kw_only=True)
class OtherPopulation:
    """Scores of two classes.

    Attributes
    ----------
    family : str
        A key of OTHERS or EXTREMES.
    auc : float
        Probability that a positive scores above a negative, a tie counted as half.
    """

    family: str
    auc: float

    @cached_property
    def amount(self) -> float:
        """Shift, scale or share of the family that gives the AUC."""
        grid = (np.arange(20_000) + 0.5) / 20_000

        def excess(amount: float) -> float:
            negatives = np.sort(self._quantiles(grid, positive=False, amount=amount))
            positives = self._quantiles(grid, positive=True, amount=amount)
            below = (negatives.searchsorted(positives, side) for side in ("left", "right"))
            return float(sum(map(np.mean, below))) / (2 * len(grid)) - self.auc

        shares = ("mixture", "outliers", "spike", "failing")
        ends = (0.0, 1.0) if self.family in shares else (0.5, 60.0)
        if self.family in ("t3", "levels", "lognormal", "heavy_neg", "heavy_pos"):
            ends = (0.0, 30.0)
        return float(brentq(excess, *ends, xtol=1e-9))

    def scores(self, noise: Floats, labels: Labels) -> Scores:
        """Scores of rows whose noise is standard normal."""
        level = np.clip(ndtr(noise), 1e-15, 1 - 1e-15)
        scores = np.empty(len(noise))
        for side in (True, False):
            rows = labels == side
            scores[rows] = self._quantiles(level[rows], positive=side, amount=self.amount)
        return scores

    def _quantiles(self, level: Floats, *, positive: bool, amount: float) -> Floats:
        moved = positive * amount
        if self.family == "mixture":
            return _mixed(level, amount, 0.0, APART) if positive else ndtri(level)
        if self.family == "outliers":
            return APART + ndtri(level) if positive else _mixed(level, amount, APART, 0.0)
        if self.family == "failing":
            return _mixed(level, amount, BELOW, APART) if positive else ndtri(level)
        if self.family == "spike":
            zeros, scale = (amount, SCALE) if positive else (AT_ZERO, 1.0)
            above = np.clip((level - zeros) / (1 - zeros), 0.0, 1 - 1e-15) if zeros < 1 else level
            return np.where(level < zeros, 0.0, -scale * np.log1p(-above))
        if self.family in ("heavy_neg", "heavy_pos"):
            cauchy = positive == (self.family == "heavy_pos")
            return (np.tan(np.pi * (level - 0.5)) if cauchy else ndtri(level)) + moved
        if self.family == "levels":
            return np.searchsorted(CUTS, ndtri(level) + moved).astype(np.float64)
        shapes: dict[str, Callable[[Floats], Floats]] = {
            "gamma": lambda u: gammainccinv(2, 1 - u),
            "weibull": lambda u: (-np.log1p(-u)) ** (1 / 1.5),
            "lognormal": lambda u: np.exp(ndtri(u)),
            "t3": lambda u: stdtrit(3, u),
        }
        found = shapes[self.family](level)
        if self.family in ("gamma", "weibull"):
            return found * (amount if positive else 1.0)
        return found + moved


def _mixed(level: Floats, share: float, first: float, second: float) -> Floats:
    """Normal scores around one mean for a share of the levels, around another for the rest."""
    rest = 1 - share
    of_first = ndtri(np.clip(level / share if share else level, 1e-15, 1 - 1e-15)) + first
    of_second = ndtri(np.clip((level - share) / rest if rest else level, 1e-15, 1 - 1e-15)) + second
    return np.where(level < share, of_first, of_second)
