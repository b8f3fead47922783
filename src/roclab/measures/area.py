"""The area under the ROC curve, and the Gini coefficient."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.data.ranking import Ranking, pair_counts
from roclab.measures.influence import Influence
from roclab.measures.measure import defined_ranking, measure


def _auc_without_sorting(
    y_true: Any, y_score: Any, sample_weight: Any, pos_label: Any
) -> float | None:
    """The AUC of unweighted arrays, from counted pairs; None if it needs a ranking."""
    if y_score is None or sample_weight is not None or isinstance(y_true, Ranking):
        return None
    counts = pair_counts(y_true, y_score, pos_label=pos_label, moments=False)
    return counts.auc if counts.pos and counts.neg else None


@measure(
    title="AUC",
    meaning="probability that a positive scores higher than a negative, ties half",
    aliases=("roc_auc", "auroc", "c_statistic"),
    reference="Hanley and McNeil, Radiology 143 (1982) 29-36",
)
def auc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Probability that a positive scores higher than a negative, ties counting one half.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

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
    area = _auc_without_sorting(y_true, y_score, sample_weight, pos_label)
    if area is not None:
        return area
    ranking = defined_ranking(auc, y_true, y_score, sample_weight, pos_label)
    return math.nan if ranking is None else ranking.summary.auc


def _gini_influence(ranking: Ranking) -> Influence:
    """Twice the placements: the share of the other class that is ranked on the right side."""
    pos, neg = ranking.pos / ranking.pos.sum(), ranking.neg / ranking.neg.sum()
    return Influence(2 * np.cumsum(neg) - neg, -2 * np.cumsum(pos) + pos)


@measure(
    title="Gini",
    meaning="twice the AUC minus one: 0 for chance, 1 for a perfect ranking",
    low=-1,
    reference="Hand and Till, Machine Learning 45 (2001) 171-186, section 2",
    influence=_gini_influence,
)
def gini(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Gini coefficient of a ranking, 2 AUC - 1, also known as Somers' D or accuracy ratio.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        Between -1 and 1; nan, with `UndefinedMeasureWarning`, if a class is missing.

    Examples
    --------
    >>> gini([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    0.75
    """
    area = _auc_without_sorting(y_true, y_score, sample_weight, pos_label)
    if area is None:
        ranking = defined_ranking(gini, y_true, y_score, sample_weight, pos_label)
        area = math.nan if ranking is None else ranking.summary.auc
    return 2 * area - 1
