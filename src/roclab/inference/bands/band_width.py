"""Widths of simultaneous confidence bands for the ROC curve.

References
----------
G. Campbell, Statistics in Medicine 13 (1994) 499-508.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import kstwo

from roclab.curves import ROCCurve
from roclab.curves.reading import tpr_along
from roclab.data.ranking import Ranking
from roclab.inference.estimation.resampling import Draws, resample_rates

# Points along the curve at which replicates are compared with it.
_PLACES = 513


def ks_margins(ranking: Ranking, level: float) -> tuple[float, float]:
    """Largest errors of FPR and TPR over all thresholds, jointly at this level.

    The classes are independent, so each has the square root of the level.
    """
    each = math.sqrt(level)
    return float(kstwo.ppf(each, ranking.n_neg)), float(kstwo.ppf(each, ranking.n_pos))


def bootstrap_margins(
    ranking: Ranking, curve: ROCCurve, level: float, draws: Draws
) -> tuple[tuple[float, float], int]:
    """Shifts of the curve in FPR and TPR, and the number of replicates used; nan if 0.

    Both rates are measured in units of their standard error, so that the shift suits steep and flat
    parts of the curve.
    """
    pos, neg = ranking.summary.effective_pos, ranking.summary.effective_neg
    across, up = math.sqrt(neg), math.sqrt(pos)
    places = np.linspace(0, across + up, _PLACES)
    replicates = resample_rates(ranking, draws, places, across=across, up=up)
    replicates = replicates[~np.isnan(replicates[:, 0])]
    if not len(replicates):
        return (math.nan, math.nan), 0
    middle = tpr_along(curve, places, across=across, up=up)
    distances = up * np.abs(replicates - middle).max(axis=1)
    # If the scores separate the classes, all replicates equal the curve. The upper confidence bound
    # for an error rate after n examples without an error is 1 - (1 - level)^(1/n).
    least = max(math.sqrt(n) * (1 - (1 - level) ** (1 / n)) for n in (pos, neg))
    distance = max(least, float(np.quantile(distances, level, method="higher")))
    return (distance / across, distance / up), len(replicates)
