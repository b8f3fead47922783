"""The sensitivity at a given specificity, and the reverse."""

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
from roclab.measures.measure import defined_ranking, measure


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
