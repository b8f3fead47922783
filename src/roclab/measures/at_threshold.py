"""Measures at one threshold: accuracy, and sensitivity at a specificity or the reverse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import number_or_nan, shown
from roclab.curves.reading import fpr_at, tpr_at
from roclab.curves.roc import roc_curve
from roclab.data.ranking import Ranking
from roclab.errors import InputError, Parameter
from roclab.measures.influence import Influence, row_mean
from roclab.measures.measure import defined_ranking, measure


def _accuracy_influence(ranking: Ranking, threshold: float = 0.5) -> Influence:
    below = np.arange(len(ranking.scores)) < _called_negative(ranking, threshold)
    return row_mean(ranking, (~below).astype(np.float64), below.astype(np.float64))


@measure(
    title="Accuracy",
    meaning="share of examples on the right side of the threshold",
    reference="Provost, Fawcett and Kohavi, ICML (1998) 445-453, on when not to use it",
    needs="examples",
    example="threshold=0.3",
    influence=_accuracy_influence,
    row_mean=True,
)
def accuracy(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    threshold: float = 0.5,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Share of examples that a threshold classifies correctly.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    threshold : float, default 0.5
        Scores at or above it are called positive. Scores need not be probabilities.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        Between 0 and 1; nan, with `UndefinedMeasureWarning`, if there are no examples. One class
        is enough.

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> accuracy([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    0.75
    >>> accuracy([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], threshold=0.4)
    0.75
    """
    ranking = defined_ranking(accuracy, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    below = _called_negative(ranking, threshold)
    right = ranking.neg[:below].sum() + ranking.pos[below:].sum()
    return float(right / (ranking.pos.sum() + ranking.neg.sum()))


@measure(
    title="Sensitivity",
    meaning="share of positives above the threshold that has a given specificity",
    reference="Pepe, The Statistical Evaluation of Medical Tests (2003), 4.3",
    example="specificity=0.9",
)
def sensitivity(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    specificity: float,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Sensitivity at a given specificity, read from the ROC curve.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    specificity : float
        Specificity, from 0 to 1.
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
    Read with linear interpolation; where the curve is vertical, it is the highest value.
    `sensitivity_at` adds a confidence interval. O(n log n).

    Examples
    --------
    >>> sensitivity([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], specificity=0.75)
    0.75
    """
    ranking = defined_ranking(sensitivity, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    fpr = 1 - checked_rate("specificity", specificity)
    return float(tpr_at(roc_curve(ranking), np.array([fpr]))[0])


@measure(
    title="Specificity",
    meaning="share of negatives below the threshold that has a given sensitivity",
    reference="Pepe, The Statistical Evaluation of Medical Tests (2003), 4.3",
    example="sensitivity=0.9",
)
def specificity(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sensitivity: float,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Specificity at a given sensitivity, read from the ROC curve.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    sensitivity : float
        Sensitivity, from 0 to 1.
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
    Read with linear interpolation; where the curve is horizontal, it is the highest value.
    `specificity_at` adds a confidence interval. O(n log n).

    Examples
    --------
    >>> specificity([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], sensitivity=0.75)
    0.75
    """
    ranking = defined_ranking(specificity, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    tpr = checked_rate("sensitivity", sensitivity)
    return 1 - float(fpr_at(roc_curve(ranking), np.array([tpr]))[0])


def checked_rate(name: str, given: Any) -> float:
    """A rate from 0 to 1."""
    if not 0 <= number_or_nan(given) <= 1:
        raise InputError(
            found="{name=}{value} is out of range",
            needed="a rate from 0 to 1 is needed",
            fix="Pass for example {name=}0.9.",
            name=Parameter(name),
            value=shown(given),
        )
    return float(given)


def _called_negative(ranking: Ranking, threshold: Any) -> int:
    """Number of distinct scores below a threshold."""
    number = number_or_nan(threshold)
    if math.isnan(number):
        raise InputError(
            found="{threshold=}{value} is not a score",
            needed="a number is needed",
            value=shown(threshold),
        )
    # As given, if possible: converting an integer beyond 2**53 to float64 would change it.
    cut = threshold if math.isfinite(number) else number
    return int(np.count_nonzero(ranking.scores < cut))
