"""The value of one model with its variance, and those of several with their covariance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import EstimatedMeasure
from roclab.data.summary import RangeSummary
from roclab.lazy import computed_once
from roclab.result import ReadOnlyArrays, Record

Floats = npt.NDArray[np.float64]


def satterthwaite_df(pos: float, neg: float) -> float:
    """Degrees of freedom of a sum of two variances, of means of `pos` and `neg` examples.

    The examples of both classes are taken to have the same variance; 0 if a class has a single one.
    """
    a, b = pos - 1, neg - 1
    if not (a > 0 and b > 0):
        return 0.0
    return (pos + neg) ** 2 * a * b / (pos**2 * a + neg**2 * b)


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A value with its variance, DeLong's or Obuchowski's, and the sample sizes.

    Attributes
    ----------
    measure : str
        Measure that was estimated, with its options.
    value, variance : float
        nan if a class is missing; the variance also if a class has fewer than two examples.
    pos, neg : float
        Number of examples of each class; with weights or clusters the effective number.
    n_pos, n_neg : int
        Number of examples of each class, regardless of weights.
    df : float or None
        Degrees of freedom of the variance, with clusters.
    tie_share : float
        Share of the variance of the score test that ties remove; 0 if nobody asked for it.
    """

    measure: str
    value: float
    variance: float
    pos: float
    neg: float
    n_pos: int
    n_neg: int
    df: float | None = None
    tie_share: float = 0.0

    @classmethod
    def of(cls, summary: RangeSummary, measure: EstimatedMeasure) -> Estimate:
        """Estimate from a summary."""
        auc = measure == "auc"
        return cls(
            measure=measure,
            value=summary.auc if auc else summary.scored_auc,
            variance=summary.auc_variance if auc else summary.scored_auc_variance,
            pos=summary.effective_pos,
            neg=summary.effective_neg,
            n_pos=summary.n_pos,
            n_neg=summary.n_neg,
            tie_share=summary.tie_share,
        )

    @property
    def tie_factor(self) -> float:
        """Factor of the variance of the score test; 1 if all scores tie, which is not certainty."""
        return 1 - self.tie_share if self.tie_share < 1 else 1.0


@dataclass(frozen=True, kw_only=True)
class ClusterCounts(Record):
    """Numbers of clusters.

    Attributes
    ----------
    total : int
        All clusters.
    with_pos, with_neg : float
        Clusters with positives, and clusters with negatives; with weights the effective numbers.
    df : float
        Degrees of freedom of the variance: one less than the number of clusters of equal size that
        would be worth as much.
    """

    total: int
    with_pos: float
    with_neg: float
    df: float


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class JointEstimate(Record, ReadOnlyArrays):
    """Values of several models on the same rows, with their covariance.

    For the AUC and the scored AUC it is DeLong's, or Obuchowski's with clusters.

    Attributes
    ----------
    measure : str
        Measure that was estimated, with its options.
    names : tuple of str
        Models.
    values : ndarray of shape (k,)
        Values of the models; nan if a class is missing.
    covariance : ndarray of shape (k, k)
        Covariances of the values; nan if a class has fewer than two examples.
    difference_variance : ndarray of shape (k, k)
        Variance of each difference of two values, to full precision also for nearly identical
        models, where the covariances would cancel.
    identical : tuple of int
        For each model the index of the first one with the same placements. For the AUC two models
        have the same placements if and only if they order every pair of a positive and a negative
        alike.
    n_pos, n_neg : int
        Number of positive and negative examples.
    effective_pos, effective_neg : float
        Effective sample sizes (sum w)^2 / sum w^2; without weights, `n_pos` and `n_neg`.
    clusters : ClusterCounts or None
        Numbers of clusters, if rows are not independent.
    design_effect : ndarray of shape (k,)
        Variance with clusters divided by DeLong's variance, at least 1; nan where DeLong's is 0.
    """

    measure: str
    names: tuple[str, ...]
    values: Floats
    covariance: Floats
    difference_variance: Floats
    identical: tuple[int, ...]
    n_pos: int
    n_neg: int
    effective_pos: float
    effective_neg: float
    clusters: ClusterCounts | None
    design_effect: Floats

    @property
    def df(self) -> float | None:
        """Degrees of freedom of variances between clusters; None for independent rows."""
        return None if self.clusters is None else self.clusters.df

    @property
    def independent_examples(self) -> tuple[float, float]:
        """Effective numbers of positives and negatives, or of clusters with them."""
        if self.clusters is None:
            return self.effective_pos, self.effective_neg
        return self.clusters.with_pos, self.clusters.with_neg

    @property
    def independent_pairs(self) -> float:
        """Number of pairs of a positive and a negative without a common row or cluster."""
        smaller = min(self.independent_examples)
        return smaller if self.clusters is None else min(smaller, self.clusters.total / 2)

    def of(self, model: int) -> Estimate:
        """Estimate of one model, with its effective sample sizes."""
        return self._estimates[model]

    @computed_once
    def _estimates(self) -> tuple[Estimate, ...]:
        return tuple(self._estimate(model) for model in range(len(self.names)))

    def _estimate(self, model: int) -> Estimate:
        effect = float(self.design_effect[model])
        pos, neg = self.effective_pos / effect, self.effective_neg / effect
        if self.clusters is not None and math.isnan(effect):
            # The variation within clusters is unknown: each counts as one example.
            pos, neg = self.independent_examples
        return Estimate(
            measure=self.measure,
            value=float(self.values[model]),
            variance=float(self.covariance[model, model]),
            pos=pos,
            neg=neg,
            n_pos=self.n_pos,
            n_neg=self.n_neg,
            df=self.df,
        )

    def __repr__(self) -> str:
        models = f"{len(self.names)} model{'s' * (len(self.names) != 1)}"
        return f"JointEstimate({self.measure} of {models}, {self.n_pos}+ {self.n_neg}-)"
