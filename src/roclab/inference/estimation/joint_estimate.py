"""Values of several models over the same rows, with their covariance: the result."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.curves.columns import ReadOnlyArrays
from roclab.inference.estimation.estimate import Estimate, EstimatedMeasure

__all__ = ["ClusterCounts", "JointEstimate"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class ClusterCounts:
    """How many clusters there are.

    Attributes
    ----------
    total : int
        All of them.
    with_pos, with_neg : float
        Those that have positives, and those that have negatives; with weights so many in effect.
    """

    total: int
    with_pos: float
    with_neg: float


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class JointEstimate(ReadOnlyArrays):
    """Values of several models over the same rows, with DeLong's covariance of these.

    With clusters it is Obuchowski's covariance.

    Attributes
    ----------
    measure : {"auc", "scored_auc"}
        What was estimated.
    names : tuple of str
        The models.
    values : ndarray of shape (k,)
        Their values; nan if a class is missing.
    covariance : ndarray of shape (k, k)
        Covariances of the values; nan with fewer than two examples of a class.
    difference_variance : ndarray of shape (k, k)
        Variance of each difference of two values, with all its digits also where the two models
        are nearly the same and the covariances would cancel.
    identical : tuple of int
        For each model the number of the first one that has the same placements. For the AUC two
        models have them exactly if they order every pair of a positive and a negative alike.
    n_pos, n_neg : int
        Positive and negative examples.
    effective_pos, effective_neg : float
        The same in effect: (sum w)^2 / sum w^2, without weights their numbers.
    clusters : ClusterCounts or None
        How many clusters there are, if rows are not independent.
    design_effect : ndarray of shape (k,)
        How many times larger than DeLong's the variance is for the clusters, 1 at least; nan where
        DeLong's is 0.
    """

    measure: EstimatedMeasure
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
        """Degrees of freedom of variances between clusters; None where rows are independent."""
        return None if self.clusters is None else self.clusters.total - 1.0

    @property
    def independent_pairs(self) -> float:
        """Pairs of a positive and a negative that have no row, and no cluster, in common."""
        if self.clusters is None:
            return min(self.effective_pos, self.effective_neg)
        return min(self.clusters.with_pos, self.clusters.with_neg, self.clusters.total / 2)

    def of(self, model: int) -> Estimate:
        """The estimate of one model by itself, with as many examples as its rows are worth."""
        effect = float(self.design_effect[model])
        pos, neg = self.effective_pos / effect, self.effective_neg / effect
        if self.clusters is not None and math.isnan(effect):
            # Nothing is known of how rows of a cluster differ: each counts as one example.
            pos, neg = self.clusters.with_pos, self.clusters.with_neg
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

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        plain = dict(vars(self))
        for name in ("values", "covariance", "difference_variance", "design_effect"):
            plain[name] = plain[name].tolist()
        plain["clusters"] = None if self.clusters is None else asdict(self.clusters)
        return plain | {"names": list(self.names), "identical": list(self.identical)}

    def __repr__(self) -> str:
        models = f"{len(self.names)} model{'s' * (len(self.names) != 1)}"
        return f"JointEstimate({self.measure} of {models}, {self.n_pos}+ {self.n_neg}-)"
