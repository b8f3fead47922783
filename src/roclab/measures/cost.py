"""The expected cost of a threshold."""

from __future__ import annotations

import math
from typing import Unpack

import numpy as np

from roclab.curves.operating import operating_points
from roclab.measures.measure import MeasureArguments, measure
from roclab.ranking import Ranking


@measure(
    title="Expected cost",
    meaning="expected cost per example at the best threshold, or at a given one",
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
    """Expected cost per example of false positives and false negatives, at the best threshold.

    Parameters
    ----------
    {arguments}
    cost_false_pos, cost_false_neg : float
        Costs of a false positive and of a false negative: not negative, not both 0.
    prevalence : float, optional
        Share of positives where the scores will be used, between 0 and 1; by default that of the
        data.
    threshold : float, optional
        Examples with ``score >= threshold`` are called positive. By default the threshold of the
        lowest cost, including all or none positive.

    Returns
    -------
    float
        ``prevalence * fnr * cost_false_neg + (1 - prevalence) * fpr * cost_false_pos``; nan, with
        `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    O(n log n). `cost_curve` has the lowest cost for every prevalence and ratio of costs, and
    `operating_points` the threshold: ``best(by="cost", ...)``. The cost at a threshold that was
    chosen on the same data is optimistic.

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
