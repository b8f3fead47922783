"""Point estimates with their variance, for closed-form intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from roclab.choices import EstimatedMeasure
from roclab.errors import InputError
from roclab.ranking import Ranking, as_ranking, pair_counts, scored_pairs
from roclab.summary import RangeSummary


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A value with its variance, DeLong's or Obuchowski's, and the sample sizes.

    Attributes
    ----------
    measure : {"auc", "scored_auc"}
        Measure that was estimated.
    value, variance : float
        nan if a class is missing; the variance also if a class has fewer than two examples.
    pos, neg : float
        Number of examples of each class; with weights or clusters the effective number.
    n_pos, n_neg : int
        Number of examples of each class, regardless of weights.
    df : float or None
        Degrees of freedom of the variance, with clusters.
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
        )


def estimate_of(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any,
    measure: EstimatedMeasure,
) -> Estimate:
    """Estimate from arrays, a ranking or the summary of one."""
    if isinstance(y_true, RangeSummary):
        if y_score is not None or sample_weight is not None or pos_label is not None:
            raise InputError(
                found="A RangeSummary already holds labels, scores and weights",
                fix="Leave out {y_score}, {sample_weight} and {pos_label}.",
            )
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
        # The ranking raises or warns about what is undefined or not finite.
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
