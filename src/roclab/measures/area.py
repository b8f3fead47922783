"""The area under the ROC curve."""

from __future__ import annotations

import warnings
from typing import Any

import numpy.typing as npt

from roclab.errors import UndefinedMeasureWarning
from roclab.ranking import Ranking, as_ranking, pair_counts

__all__ = ["auc"]


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
        Labels (see `Ranking`), or a ranking that holds labels and scores.
    y_score : array-like
        Scores, higher for more positive, on any scale.
    sample_weight : array-like, optional
        Weights of the examples.
    pos_label : optional
        The value of `y_true` that is positive.

    Returns
    -------
    float
        Between 0 and 1; nan, with `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    Without weights the pairs are counted in integers, so the result is exact but for one final
    division. Arrays are not sorted as a whole: the smaller class is, and the larger one is looked
    up in it. About O(n); O(n log n) at worst.

    Examples
    --------
    >>> auc([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    0.875
    """
    if isinstance(y_true, Ranking) or y_score is None or sample_weight is not None:
        ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        n_pos, n_neg, value = ranking.n_pos, ranking.n_neg, ranking.summary.auc
    else:
        counts = pair_counts(y_true, y_score, pos_label=pos_label, moments=False)
        n_pos, n_neg, value = counts.pos, counts.neg, counts.auc
    if n_pos == 0 or n_neg == 0:
        warnings.warn(
            f"AUC needs both classes; there are {n_pos:,} positive and {n_neg:,} negative examples."
            " The result is nan.",
            UndefinedMeasureWarning,
            stacklevel=2,
        )
    return value
