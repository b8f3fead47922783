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
    high=math.inf,
    better="lower",
    reference="Provost and Fawcett, Machine Learning 42 (2001) 203-231",
    example="false_positive_cost=1, false_negative_cost=5",
)
def expected_cost(
    ranking: Ranking,
    *,
    false_positive_cost: float,
    false_negative_cost: float,
    prevalence: float | None = None,
    threshold: float | None = None,
    **_: Unpack[MeasureArguments],
) -> float:
    """Expected cost per example of false positives and false negatives, at the best threshold.

    Parameters
    ----------
    {arguments}
    false_positive_cost, false_negative_cost : float
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
        ``prevalence * fnr * false_negative_cost + (1 - prevalence) * fpr * false_positive_cost``;
        nan, with an `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    O(n log n). `cost_curve` has the lowest cost for every prevalence and ratio of costs, and
    `choose_threshold` the threshold, with its interval. The cost at a threshold that was chosen on
    the same data is optimistic.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]
    >>> expected_cost(y, s, false_positive_cost=1, false_negative_cost=5)
    0.25
    """
    points = operating_points(ranking)
    rows = points if threshold is None else points.at(threshold=threshold)
    cost = rows.expected_cost(
        false_positive_cost=false_positive_cost,
        false_negative_cost=false_negative_cost,
        prevalence=prevalence,
    )
    return float(np.min(cost))
