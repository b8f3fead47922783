"""Estimate of one model from clustered rows."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from roclab.choices import EstimatedMeasure
from roclab.errors import InputError
from roclab.inference.estimation.delong import joint_estimate
from roclab.inference.estimation.estimate import Estimate, estimate_of
from roclab.ranking import Ranking, as_ranking
from roclab.row_groups import Membership
from roclab.summary import RangeSummary


def clustered_estimate(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any,
    measure: EstimatedMeasure,
    clusters: Membership | None,
) -> Estimate:
    """Estimate from arrays, a ranking or a summary; with clusters the variance is Obuchowski's.

    With clusters the sample sizes are effective ones.
    """
    if clusters is None:
        return estimate_of(y_true, y_score, sample_weight, pos_label, measure)
    if isinstance(y_true, RangeSummary):
        raise InputError(
            found="A RangeSummary has no rows, so {cluster} cannot be assigned to them",
            fix="Pass labels and scores, or a Ranking.",
        )
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    return joint_estimate({"score": ranking}, measure=measure, clusters=clusters).of(0)
