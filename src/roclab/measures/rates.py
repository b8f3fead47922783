"""The sensitivity at a given specificity, and the reverse."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from roclab.checks.options import shown
from roclab.checks.validation import number_or_nan
from roclab.curves.reading import fpr_at, tpr_at
from roclab.curves.roc import roc_curve
from roclab.data.ranking import Ranking
from roclab.errors import InputError, Parameter
from roclab.measures.measure import MeasureArguments, measure


@measure(
    title="Sensitivity",
    meaning="share of positives above the threshold that has a given specificity",
    reference="Pepe, The Statistical Evaluation of Medical Tests (2003), 4.3",
    example="specificity=0.9",
)
def sensitivity(ranking: Ranking, *, specificity: float, **_: Unpack[MeasureArguments]) -> float:
    """Sensitivity at a given specificity, read from the ROC curve.

    Parameters
    ----------
    {arguments}
    specificity : float
        Specificity, from 0 to 1.

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
    fpr = 1 - checked_rate("specificity", specificity)
    return float(tpr_at(roc_curve(ranking), np.array([fpr]))[0])


@measure(
    title="Specificity",
    meaning="share of negatives below the threshold that has a given sensitivity",
    reference="Pepe, The Statistical Evaluation of Medical Tests (2003), 4.3",
    example="sensitivity=0.9",
)
def specificity(ranking: Ranking, *, sensitivity: float, **_: Unpack[MeasureArguments]) -> float:
    """Specificity at a given sensitivity, read from the ROC curve.

    Parameters
    ----------
    {arguments}
    sensitivity : float
        Sensitivity, from 0 to 1.

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
