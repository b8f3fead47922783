"""The area under the ROC curve, and the Gini coefficient."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from roclab.data.ranking import Ranking, pair_counts
from roclab.measures.influence import Influence
from roclab.measures.measure import MeasureArguments, measure


def _auc_of_pairs(y_true: Any, y_score: Any, pos_label: Any) -> float | None:
    counts = pair_counts(y_true, y_score, pos_label=pos_label, moments=False)
    return counts.auc if counts.pos and counts.neg else None


@measure(
    title="AUC",
    meaning="probability that a positive scores higher than a negative, ties half",
    aliases=("roc_auc", "auroc", "c_statistic"),
    reference="Hanley and McNeil, Radiology 143 (1982) 29-36",
    unsorted=_auc_of_pairs,
)
def auc(ranking: Ranking, **_: Unpack[MeasureArguments]) -> float:
    """Probability that a positive scores higher than a negative, ties counting one half.

    Parameters
    ----------
    {arguments}

    Returns
    -------
    float
        Between 0 and 1; nan, with `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    This is scikit-learn's ``roc_auc_score`` of labels and scores, not its ``auc``, which takes the
    points of a curve.

    Without weights the pairs are counted in integers, so the result is exact except for one final
    division. Only the smaller class is sorted; the larger one is searched in it. About O(n);
    O(n log n) at worst.

    Examples
    --------
    >>> auc([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    """
    return ranking.summary.auc


def _gini_of_pairs(y_true: Any, y_score: Any, pos_label: Any) -> float | None:
    area = _auc_of_pairs(y_true, y_score, pos_label)
    return None if area is None else 2 * area - 1


def _gini_influence(ranking: Ranking) -> Influence:
    """Twice the placements: the share of the other class that is ranked on the right side."""
    pos, neg = ranking.pos / ranking.pos.sum(), ranking.neg / ranking.neg.sum()
    return Influence(2 * np.cumsum(neg) - neg, -2 * np.cumsum(pos) + pos)


@measure(
    title="Gini",
    meaning="twice the AUC minus one: 0 for chance, 1 for a perfect ranking",
    low=-1,
    reference="Hand and Till, Machine Learning 45 (2001) 171-186, section 2",
    unsorted=_gini_of_pairs,
    influence=_gini_influence,
)
def gini(ranking: Ranking, **_: Unpack[MeasureArguments]) -> float:
    """Gini coefficient of a ranking, 2 AUC - 1, also known as Somers' D or accuracy ratio.

    Parameters
    ----------
    {arguments}

    Returns
    -------
    float
        Between -1 and 1; nan, with `UndefinedMeasureWarning`, if a class is missing.

    Examples
    --------
    >>> gini([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    0.75
    """
    return 2 * ranking.summary.auc - 1
