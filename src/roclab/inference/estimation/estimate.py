"""An estimate with its variance: what an interval in closed form is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy.typing as npt

from roclab.errors import InputError
from roclab.ranking import Ranking, as_ranking, pair_counts, scored_pairs
from roclab.summary import RangeSummary

__all__ = ["Estimate", "EstimatedMeasure", "estimate_of"]

EstimatedMeasure = Literal["auc", "scored_auc"]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A value with DeLong's variance, in clusters Obuchowski's, and the sample sizes.

    Attributes
    ----------
    measure : {"auc", "scored_auc"}
        What was estimated.
    value, variance : float
        nan without both classes; the variance also with fewer than two examples of one.
    pos, neg : float
        Examples of each class; with weights or in clusters as many as they are worth.
    n_pos, n_neg : int
        Examples of each class, whatever their weights.
    df : float or None
        Degrees of freedom of the variance, where it is one between clusters.
    """

    measure: EstimatedMeasure
    value: float
    variance: float
    pos: float
    neg: float
    n_pos: int
    n_neg: int
    df: float | None = None

    @classmethod
    def of(cls, summary: RangeSummary, measure: EstimatedMeasure) -> Estimate:
        """What a summary says of its data."""
        auc = measure == "auc"
        return cls(
            measure=measure,
            value=summary.auc if auc else summary.scored_auc,
            variance=summary.auc_variance if auc else summary.scored_auc_variance,
            pos=summary.effective_pos,
            neg=summary.effective_neg,
            n_pos=summary.n_pos,
            n_neg=summary.n_neg,
        )


def estimate_of(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any,
    measure: EstimatedMeasure,
) -> Estimate:
    """The estimate from what users pass: arrays, a ranking or the summary of one."""
    if isinstance(y_true, RangeSummary):
        if y_score is not None or sample_weight is not None or pos_label is not None:
            raise InputError("A RangeSummary holds all that an interval needs. Pass it alone.")
        return Estimate.of(y_true, measure)
    if not isinstance(y_true, Ranking) and y_score is not None and sample_weight is None:
        direct = _without_a_ranking(y_true, y_score, pos_label, measure)
        if direct is not None:
            return direct
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    return Estimate.of(ranking.summary, measure)


def _without_a_ranking(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, pos_label: Any, measure: EstimatedMeasure
) -> Estimate | None:
    if measure == "auc":
        counts = pair_counts(y_true, y_score, pos_label=pos_label, moments=True)
        n_pos, n_neg, value, variance = counts.pos, counts.neg, counts.auc, counts.auc_variance
    else:
        pairs = scored_pairs(y_true, y_score, pos_label=pos_label)
        # What is undefined or not finite is told by the ranking.
        if not math.isfinite(pairs.scored_auc + pairs.scored_auc_variance):
            return None
        n_pos, n_neg = pairs.pos, pairs.neg
        value, variance = pairs.scored_auc, pairs.scored_auc_variance
    return Estimate(
        measure=measure,
        value=value,
        variance=variance,
        pos=n_pos,
        neg=n_neg,
        n_pos=n_pos,
        n_neg=n_neg,
    )
