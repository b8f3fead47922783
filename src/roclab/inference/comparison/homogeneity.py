"""Tests of the null hypothesis that a value is the same in all groups of rows.

References
----------
W. G. Cochran, *Some methods for strengthening the common chi-square tests*, Biometrics 10 (1954)
417-451.
W. G. Cochran, *The combination of estimates from different experiments*, Biometrics 10 (1954)
101-129.
J. N. K. Rao and A. J. Scott, *A simple method for the analysis of clustered binary data*,
Biometrics 48 (1992) 577-585.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from roclab.formatting import one_line
from roclab.inference.comparison.hypothesis import written_pvalue
from roclab.inference.comparison.multiplicity import adjusted_pvalues
from roclab.inference.comparison.results import Comparison, Interaction
from roclab.inference.intervals.interval import DEFAULT_METHOD, Interval
from roclab.numeric.distributions import critical_value
from roclab.numeric.sums import ROUNDING
from roclab.result import Result

Floats = npt.NDArray[np.float64]

_SMALL_COUNT = 5  # Cochran's rule: chi-square is approximate where fewer are expected
_CHUNK = 2**22  # counts of a chunk of permutations, 8 bytes each


@dataclass(frozen=True, kw_only=True, repr=False)
class Homogeneity(Result):
    """Test of the null hypothesis that the AUC of a model is the same in all groups.

    Attributes
    ----------
    model : str
        Score column.
    statistic : float
        Chi-square.
    df : int
        Degrees of freedom: the number of groups minus one.
    pvalue : float
        p-value; nan with fewer than two groups.
    n_groups : int
        Number of groups; those without a defined AUC and interval are left out.
    """

    model: str
    statistic: float
    df: int
    pvalue: float
    n_groups: int

    def __repr__(self) -> str:
        return (
            f"Homogeneity({one_line(self.model)} in {self.n_groups} groups: chi-square test, "
            f"{written_pvalue(self.pvalue)})"
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class RateHomogeneity(Result):
    """Test of the null hypothesis that a rate at a threshold is the same in all groups.

    Attributes
    ----------
    model : str
        Score column.
    rate : {"sensitivity", "specificity"}
        The rate. That of specificity is the test of the false positive rate too.
    statistic : float
        Pearson's chi-square.
    df : int
        Degrees of freedom: the number of groups minus one.
    pvalue : float
        p-value; nan with fewer than two groups.
    n_groups : int
        Number of groups; those without examples of the class are left out.
    method : {"chi_square", "permutation"}
        Distribution of the statistic: ``"permutation"`` if a count is expected to be below 5, with
        the numbers of examples in the groups and the number called positive as they are.
    n_resamples : int or None
        Number of permutations; None for ``"chi_square"``.
    """

    model: str
    rate: str
    statistic: float
    df: int
    pvalue: float
    n_groups: int
    method: str
    n_resamples: int | None

    def __repr__(self) -> str:
        return (
            f"RateHomogeneity({self.rate} of {one_line(self.model)} in {self.n_groups} groups: "
            f"{'chi-square' if self.method == 'chi_square' else self.method} test, "
            f"{written_pvalue(self.pvalue)})"
        )


def equal_aucs(model: str, intervals: Sequence[Interval]) -> Homogeneity:
    """Pearson's chi-square of the AUCs of independent groups, as shares of effective numbers.

    The effective number n of a group is that with which ``auc (1 - auc) / n`` is the variance of
    its AUC: that of the interval by default, otherwise from the standard error.
    """
    known = [one for one in intervals if not math.isnan(one.value + one.low + one.high)]
    values = np.array([one.value for one in known])
    spreads = np.array([_dispersion(one) for one in known])
    statistic, df = math.nan, max(len(known) - 1, 0)
    if df and (values == values[0]).all():
        statistic = 0.0
    elif df and (spreads > 0).all():
        common = float(np.sum(values / spreads) / np.sum(1 / spreads))
        statistic = float(np.sum((values - common) ** 2 / spreads)) / (common * (1 - common))
    return Homogeneity(
        model=model,
        statistic=statistic,
        df=df,
        pvalue=_tail(statistic, df),
        n_groups=len(known),
    )


def equal_rates(
    model: str,
    rate: str,
    shares: Sequence[tuple[float, float]],
    *,
    counted: bool,
    n_resamples: int,
    seed: int,
) -> RateHomogeneity:
    """Pearson's chi-square of the shares of independent groups, each with its number of examples.

    If examples are counted, and not weighted, and if an expected count is small, the p-value is
    that of the groups permuted among the examples. Effective numbers of weighted examples have no
    permutations: there the p-value is approximate.
    """
    known = np.array([one for one in shares if one[1] > 0]).reshape(-1, 2)
    values, numbers = known.T
    statistic, df, small = math.nan, max(len(known) - 1, 0), False
    if df:
        common = float(np.sum(values * numbers) / np.sum(numbers))
        small = float(min(common, 1 - common) * numbers.min()) < _SMALL_COUNT
        squares = float(np.sum(numbers * (values - common) ** 2))
        spread = common * (1 - common)
        # Shares that differ by rounding alone, also those of weights of very different size.
        statistic = squares / spread if (values != values[0]).any() and spread > 0 else 0.0
    permuted = small and counted and statistic > 0
    return RateHomogeneity(
        model=model,
        rate=rate,
        statistic=statistic,
        df=df,
        pvalue=_permuted_tail(values * numbers, numbers, n_resamples, seed)
        if permuted
        else _tail(statistic, df),
        n_groups=len(known),
        method="permutation" if permuted else "chi_square",
        n_resamples=n_resamples if permuted else None,
    )


def _permuted_tail(hits: Floats, numbers: Floats, n_resamples: int, seed: int) -> float:
    """How often hits that are drawn among all examples differ as much between the groups."""
    sizes = np.rint(numbers).astype(np.int64)
    called = int(np.rint(hits).sum())
    # With these margins chi-square rises with the sum of squares; equal ones may be rounded.
    least = float(np.sum(np.rint(hits) ** 2 / sizes)) * (1 - ROUNDING)
    rng, beyond, done = np.random.default_rng(seed), 0, 0
    while done < n_resamples:
        chunk = min(n_resamples - done, max(_CHUNK // len(sizes), 1))
        drawn = rng.multivariate_hypergeometric(sizes, called, size=chunk)
        beyond += int(np.count_nonzero(np.sum(drawn**2 / sizes, axis=1) >= least))
        done += chunk
    return (1 + beyond) / (1 + n_resamples)


def _dispersion(interval: Interval) -> float:
    """Variance of an AUC divided by AUC (1 - AUC)."""
    value = interval.value
    if interval.method != DEFAULT_METHOD or interval.alternative != "two-sided":
        spread = value * (1 - value)
        return interval.standard_error**2 / spread if spread > 0 else math.nan
    # Wilson's limits are as many standard errors away as a critical value, at the limit.
    end = interval.low if value >= 0.5 else interval.high
    z = critical_value(interval.confidence_level, "two-sided")
    return (value - end) ** 2 / (z**2 * end * (1 - end))


def interactions(parts: Sequence[Comparison], correction: str) -> tuple[Interaction, ...]:
    """Cochran's Q test of each pair of models, that their difference is the same in all groups.

    Variances are recovered from the intervals of the differences, which hold in small samples.
    """
    found = []
    for pairs in zip(*(part.pairs for part in parts), strict=True):
        known = [pair for pair in pairs if 0 < pair.high - pair.low < math.inf]
        statistic, df = math.nan, max(len(known) - 1, 0)
        if df:
            z = critical_value(parts[0].confidence_level, "two-sided")
            weights = np.array([(2 * z / (pair.high - pair.low)) ** 2 for pair in known])
            differences = np.array([pair.difference for pair in known])
            mean = float(np.sum(weights * differences) / np.sum(weights))
            statistic = float(np.sum(weights * (differences - mean) ** 2))
        found.append((pairs[0], statistic, df, len(known)))
    pvalues = [_tail(statistic, df) for _, statistic, df, _ in found]
    return tuple(
        Interaction(
            model_a=pair.model_a,
            model_b=pair.model_b,
            statistic=statistic,
            df=df,
            pvalue=pvalue,
            adjusted_pvalue=adjusted,
            n_groups=count,
        )
        for (pair, statistic, df, count), pvalue, adjusted in zip(
            found, pvalues, adjusted_pvalues(pvalues, correction), strict=True
        )
    )


def _tail(statistic: float, df: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(df, statistic)) if df and not math.isnan(statistic) else math.nan
