"""Joint tests of the null hypothesis that all models have the same value."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import chdtrc, fdtrc

from roclab.checks.choices import PairMethod
from roclab.inference.comparison.multiplicity import simes_pvalue
from roclab.inference.comparison.results import Omnibus
from roclab.inference.estimation.joint_estimate import JointEstimate

# Eigenvalues below this fraction of the largest are rounding errors.
_RANK = 1e-10
# Chi-square with one degree of freedom that rounding cannot explain.
_UNEXPLAINED = 10.0
# Examples of the smaller class that a covariance of the differences needs, in all and per model.
_MANY, _MANY_PER_MODEL = 100, 10


def omnibus_test(joint: JointEstimate, method: PairMethod, pvalues: Sequence[float]) -> Omnibus:
    """Test that all models have the same value, given the p-values of all pairs."""
    statistic, df = _chi_square(joint)
    if joint.measure == "scored_auc" or method == "delong":
        unknown = math.isnan(statistic)
        pvalue = math.nan if unknown else float(chdtrc(df, statistic)) if df else 1.0
        return Omnibus(statistic=statistic, df=df, pvalue=pvalue, method="delong")
    smaller = joint.independent_pairs
    if smaller >= max(_MANY, _MANY_PER_MODEL * (df + 1)) and df and not math.isnan(statistic):
        between = smaller - df  # of the degrees of freedom of the covariance
        scaled = statistic * between / (df * (smaller - 1))
        pvalue = float(fdtrc(df, between, scaled))
        return Omnibus(statistic=statistic, df=df, pvalue=pvalue, method="hotelling")
    return Omnibus(statistic=statistic, df=df, pvalue=simes_pvalue(pvalues), method="simes")


def _chi_square(joint: JointEstimate) -> tuple[float, int]:
    """Chi-square of the differences, in the directions with a positive variance, and its df.

    nan if undefined, or if a direction without variance leaves a difference unexplained.
    """
    distinct = [model for model, first in enumerate(joint.identical) if model == first]
    values = joint.values[distinct]
    variance = joint.difference_variance[np.ix_(distinct, distinct)]
    if np.isnan(values).any() or np.isnan(variance).any():
        return math.nan, 0
    # Covariance of the deviations from the mean, from the variances of all differences.
    deviations = values - values.mean()
    halves = variance - variance.mean(axis=0)
    covariance = -(halves - halves.mean(axis=1)[:, np.newaxis]) / 2
    eigenvalues, directions = np.linalg.eigh(covariance)
    along = directions.T @ deviations
    least = _RANK * max(float(eigenvalues[-1]), 0.0)
    kept = eigenvalues > least
    df = int(np.count_nonzero(kept))
    # The largest variance that rounding can hide.
    rounding = least + (np.finfo(np.float64).eps * float(np.abs(values).max())) ** 2
    if (along[~kept] ** 2 > _UNEXPLAINED * rounding).any():
        return math.nan, df
    return float(np.sum(along[kept] ** 2 / eigenvalues[kept])), df
