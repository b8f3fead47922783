"""Exact, two-sided tests of paired differences, one for each data set."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest, rankdata

NOTHING = 1e-9  # differences up to this one are the rounding of recorded answers


def better_and_worse(gains: npt.ArrayLike) -> tuple[int, int]:
    """Number of data sets with a gain, and with a loss."""
    values = _differences(gains)
    return int((values > 0).sum()), int((values < 0).sum())


def sign_pvalue(gains: npt.ArrayLike) -> float:
    """p-value of the sign test; data sets without a difference are left out."""
    better, worse = better_and_worse(gains)
    return float(binomtest(better, better + worse).pvalue) if better + worse else 1.0


def wilcoxon_pvalue(gains: npt.ArrayLike) -> float:
    """p-value of Wilcoxon's signed-rank test, exact with ties; zeros are left out."""
    values = _differences(gains)
    ranks = np.round(2 * rankdata(np.abs(values))).astype(int)  # ties have half ranks
    # Ways in which chance gives the positive ones each sum of ranks.
    ways = np.ones(1)
    for rank in ranks:
        ways = np.concatenate((ways, np.zeros(rank))) + np.concatenate((np.zeros(rank), ways))
    away = np.abs(np.arange(len(ways)) - ranks.sum() / 2)
    found = abs(ranks[values > 0].sum() - ranks.sum() / 2)
    return float(ways[away >= found].sum() / ways.sum())


def _differences(gains: npt.ArrayLike) -> npt.NDArray[np.float64]:
    values = np.asarray(gains, np.float64)
    return values[np.abs(values) > NOTHING]
