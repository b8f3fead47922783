"""Tests that hold their nominal level in small samples: the evidence of ``method="auto"``.

Their constants were chosen by simulation, see the documentation of error rates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from roclab import _core
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.numeric.distributions import student_cdf, student_quantile


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Constants of a test.

    Attributes
    ----------
    correlation : float
        Expected correlation of two pairs with a common example.
    weight : float
        Weight of the estimate in ``theta (1 - theta)``; the rest is the null hypothesis.
    """

    correlation: float
    weight: float


# By whether the test is two-sided: there an error that is too frequent on one side of the skewed
# distribution near AUC 1 is made up for by the other side.
_ONE_AUC = {
    True: Setting(correlation=0.4, weight=0.5),
    False: Setting(correlation=0.4, weight=0.25),
}
_TWO_AUCS = {
    True: Setting(correlation=0.25, weight=0.5),
    False: Setting(correlation=0.2, weight=0.0),
}


def power_bound(auc: float, examples: int, error: float) -> float:
    """Largest power that a test of two AUCs can have if it holds its level for all ROC curves.

    Let the other model be perfect, and compare it with one that is perfect but for a share
    ``1 - auc`` of the examples of a class, which it ranks on the wrong side. That one has the same
    AUC as the first, so a test may reject with probability `error` at most; but with probability
    ``auc ** examples`` the sample has no such example, and both look alike.

    Parameters
    ----------
    auc : float
        AUC of the weaker model.
    examples : int
        Size of the smaller class, in the sample of the better model.
    error : float
        Significance level.
    """
    if math.isnan(auc):
        return math.nan
    unseen = auc**examples
    return 1.0 if unseen <= error else error / unseen


def dispersion(estimate: Estimate, correlation: float) -> float:
    """Variance of an AUC divided by AUC (1 - AUC), from the data and from what is expected.

    As in the default of `auc_interval`: the weight of the data grows with the number of
    informative examples.
    """
    if not (estimate.pos and estimate.neg):
        return math.nan
    return _core.test_dispersion(
        estimate.value, estimate.variance, estimate.pos, estimate.neg, correlation
    )


@dataclass(frozen=True, kw_only=True)
class Shrunken:
    """An AUC minus a value, with a dispersion between DeLong's and the expected one.

    Attributes
    ----------
    estimate : Estimate
        The AUC.
    value : float
        AUC under the null hypothesis.
    two_sided : bool
        Whether the test is.
    """

    estimate: Estimate
    value: float
    two_sided: bool

    method = "shrunken_variance"

    @property
    def df(self) -> float | None:
        """Degrees of freedom, with clusters."""
        return self.estimate.df

    def statistic(self, null: float) -> float:
        """Distance from the AUC of the null hypothesis, in standard errors."""
        own, theta = self.estimate.value, self.value + null
        weight = self._setting.weight
        spread = weight * own * (1 - own) + (1 - weight) * theta * (1 - theta)
        return (own - theta) / math.sqrt(spread * self._dispersion)

    def above(self, null: float) -> float:
        """Tail above the statistic."""
        return student_cdf(self.df, -self.statistic(null))

    def below(self, null: float) -> float:
        """Tail below the statistic."""
        return student_cdf(self.df, self.statistic(null))

    def low(self, error: float) -> float:
        """Lowest difference that a test at level `error` does not reject."""
        return self._ends(error)[0] - self.value

    def high(self, error: float) -> float:
        """Highest difference that a test at level `error` does not reject."""
        return self._ends(error)[1] - self.value

    @property
    def _setting(self) -> Setting:
        return _ONE_AUC[self.two_sided]

    @property
    def _dispersion(self) -> float:
        return dispersion(self.estimate, self._setting.correlation)

    def _ends(self, error: float) -> tuple[float, float]:
        z = student_quantile(self.df, error)
        return _core.auc_limits(self.estimate.value, self._dispersion, z, self._setting.weight)


@dataclass(frozen=True, kw_only=True)
class Mover:
    """Two AUCs with separate limits, combined by the method of variance estimates recovery.

    The distances of the AUCs from their limits add up in squares. The limits are closer if the
    models err on the same rows: by the root of the ratio of the variance of the difference to the
    sum of both variances.

    Attributes
    ----------
    first, second : Estimate
        The two AUCs.
    variance : float
        DeLong's variance of their difference.
    two_sided : bool
        Whether the test is.

    References
    ----------
    G. Y. Zou, A. Donner, Statistics in Medicine 27 (2008) 1693-1702.
    R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10.
    """

    first: Estimate
    second: Estimate
    variance: float
    two_sided: bool

    method = "mover"

    @property
    def df(self) -> float | None:
        """Degrees of freedom, with clusters."""
        return self.first.df

    @cached_property
    def ratio(self) -> float:
        """Variance of the difference divided by the sum of both; 1 if they are undefined."""
        total = self.first.variance + self.second.variance
        return min(self.variance / total, 2.0) if total > 0 and self.variance > 0 else 1.0

    @property
    def difference(self) -> float:
        """First AUC minus second."""
        return self.first.value - self.second.value

    def statistic(self, null: float) -> float:
        """Quantile at which the limit reaches `null`; negative if the difference is below it."""
        return self._kernel.statistic(null)

    def above(self, null: float) -> float:
        """Tail above the statistic."""
        return student_cdf(self.df, -self.statistic(null))

    def below(self, null: float) -> float:
        """Tail below the statistic."""
        return student_cdf(self.df, self.statistic(null))

    def low(self, error: float) -> float:
        """Lower limit of the difference."""
        return self.limits(-student_quantile(self.df, error))[0]

    def high(self, error: float) -> float:
        """Upper limit of the difference."""
        return self.limits(-student_quantile(self.df, error))[1]

    def limits(self, z: float) -> tuple[float, float]:
        """Limits of the difference at a quantile."""
        return self._kernel.limits(z)

    @property
    def setting(self) -> Setting:
        """Constants of the test."""
        return _TWO_AUCS[self.two_sided]

    @cached_property
    def _kernel(self) -> _core.Mover:
        one, other = self.first, self.second
        return _core.Mover(
            one.value,
            dispersion(one, self.setting.correlation),
            other.value,
            dispersion(other, self.setting.correlation),
            self.setting.weight,
            self.ratio,
        )
