"""Estimate of one model, from arrays, a ranking or a summary."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from roclab import _core
from roclab.checks.choices import EstimatedMeasure
from roclab.data.ranked_rows import RankedRows
from roclab.data.ranking import (
    Ranking,
    as_ranking,
    pair_counts,
    pair_counts_of_rows,
    scored_pairs,
)
from roclab.data.row_groups import Membership
from roclab.data.summary import RangeSummary
from roclab.errors import InputError
from roclab.inference.estimation.delong import joint_estimate
from roclab.inference.estimation.joint_estimate import Estimate


def estimate_of(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any,
    measure: EstimatedMeasure,
    clusters: Membership | None = None,
    *,
    ties: bool = False,
) -> Estimate:
    """Estimate from arrays, a ranking or a summary; with clusters the variance is Obuchowski's.

    With clusters the sample sizes are effective ones. With `ties` their share is known, which needs
    all scores sorted.
    """
    if isinstance(y_true, RangeSummary):
        if clusters is not None:
            raise InputError(
                found="A RangeSummary has no rows, so {cluster} cannot be assigned to them",
                fix="Pass labels and scores, or a Ranking.",
            )
        if y_score is not None or sample_weight is not None or pos_label is not None:
            raise InputError(
                found="A RangeSummary already holds labels, scores and weights",
                fix="Leave out {y_score}, {sample_weight} and {pos_label}.",
            )
        return Estimate.of(y_true, measure)
    arrays = not isinstance(y_true, Ranking) and y_score is not None
    if arrays and sample_weight is None and clusters is None and not ties:
        direct = _without_a_ranking(y_true, y_score, pos_label, measure)
        if direct is not None:
            return direct
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    if clusters is not None:
        one = joint_estimate({"score": ranking}, measure=measure, clusters=clusters).of(0)
        return replace(one, tie_share=ranking.summary.tie_share) if ties else one
    return Estimate.of(ranking.summary, measure)


def unsorted_estimate(rows: RankedRows) -> Estimate:
    """Estimate of the AUC from checked rows without weights, without sorting all of them."""
    return _of_counts(pair_counts_of_rows(rows))


def _without_a_ranking(
    y_true: Any, y_score: Any, pos_label: Any, measure: EstimatedMeasure
) -> Estimate | None:
    if measure == "auc":
        return _of_counts(pair_counts(y_true, y_score, pos_label=pos_label, moments=True))
    pairs = scored_pairs(y_true, y_score, pos_label=pos_label)
    # The ranking raises or warns about what is undefined or not finite.
    if not math.isfinite(pairs.scored_auc + pairs.scored_auc_variance):
        return None
    return _unweighted(measure, pairs.scored_auc, pairs.scored_auc_variance, pairs.pos, pairs.neg)


def _of_counts(counts: _core.PairCounts) -> Estimate:
    return _unweighted("auc", counts.auc, counts.auc_variance, counts.pos, counts.neg)


def _unweighted(
    measure: EstimatedMeasure, value: float, variance: float, n_pos: int, n_neg: int
) -> Estimate:
    return Estimate(
        measure=measure,
        value=value,
        variance=variance,
        pos=n_pos,
        neg=n_neg,
        n_pos=n_pos,
        n_neg=n_neg,
    )
