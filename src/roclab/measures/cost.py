"""The expected cost of a threshold."""

from __future__ import annotations

import math
from typing import Unpack

import numpy as np

from roclab.curves.operating import operating_points
from roclab.measures.measure import MeasureArguments, measure
from roclab.ranking import Ranking

__all__ = ["expected_cost"]


@measure(
    title="Expected cost",
    meaning="expected cost of an example at the best threshold, or at a given one",
    low=0,
    high=math.inf,
    better="lower",
    reference="Provost and Fawcett, Machine Learning 42 (2001) 203-231",
    example="cost_false_pos=1, cost_false_neg=5",
)
def expected_cost(
    ranking: Ranking,
    *,
    cost_false_pos: float,
    cost_false_neg: float,
    prevalence: float | None = None,
    threshold: float | None = None,
    **_: Unpack[MeasureArguments],
) -> float:
    """Expected cost of an example: what false alarms and misses cost, at the best threshold.

    Parameters
    ----------
    {arguments}
    cost_false_pos, cost_false_neg : float
        What a false positive and a false negative cost: not negative, not both 0.
    prevalence : float, optional
        Share of positives where the scores will be used, between 0 and 1; by default that of the
        data.
    threshold : float, optional
        Examples with ``score >= threshold`` are called positive. By default the threshold that
        costs least, calling all or none positive included.

    Returns
    -------
    float
        ``prevalence * fnr * cost_false_neg + (1 - prevalence) * fpr * cost_false_pos``; nan, with
        `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    O(n log n). `cost_curve` has the least cost for every prevalence and ratio of costs, and
    `operating_points` the threshold: ``best(by="cost", ...)``. A threshold chosen on the data that
    judge it makes the cost look lower than it will be.

    Examples
    --------
    >>> expected_cost([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], cost_false_pos=1, cost_false_neg=5)
    0.25
    """
    points = operating_points(ranking)
    rows = points if threshold is None else points.at(threshold=threshold)
    cost = rows.expected_cost(
        cost_false_pos=cost_false_pos, cost_false_neg=cost_false_neg, prevalence=prevalence
    )
    return float(np.min(cost))
