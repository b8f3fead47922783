"""Influence of each example on an estimate, for the acceleration of the BCa bootstrap."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from roclab.checks.choices import EstimatedMeasure
from roclab.curves.score_differences import comparable_scores
from roclab.data.ranking import Ranking
from roclab.inference.estimation.resampling import Draws
from roclab.numeric.sums import dot

_Values = npt.NDArray[np.float64]


def influences(ranking: Ranking, measure: EstimatedMeasure, draws: Draws) -> _Values:
    """Influence of each example or cluster on the AUC or scored AUC; the sum is 0."""
    if ranking.weighted or draws.clusters is not None:
        rows = ranking.rows()
        labels, groups, numbers = rows.labels.view(np.bool_), rows.groups, rows.numbers
        weights = np.ones(len(labels)) if rows.weights is None else rows.weights
    else:
        places = np.arange(len(ranking.scores))
        groups = np.concatenate([places.repeat(ranking.pos), places.repeat(ranking.neg)])
        labels = np.arange(len(groups)) < ranking.n_pos
        weights, numbers = np.ones(len(groups)), None
    below, above = placements(ranking, measure)
    moved = np.where(labels, below[groups], above[groups]) * 1.0
    # Equal placements must have no influence: otherwise the skewness is that of rounding errors.
    noise = 8 * np.finfo(np.float64).eps * math.sqrt(len(moved)) * np.abs(moved).max()
    for of_class in (labels, ~labels):
        share = weights[of_class] / weights[of_class].sum()
        deviations = moved[of_class] - dot(share, moved[of_class])
        moved[of_class] = np.where(np.abs(deviations) > noise, share * deviations, 0.0)
    if draws.clusters is None:
        return moved
    cluster = draws.clusters.among(numbers, len(labels))
    return np.asarray(np.bincount(cluster.numbers, moved), np.float64)


def placements(ranking: Ranking, measure: EstimatedMeasure) -> tuple[_Values, _Values]:
    """Mean placement of a positive, and of a negative, at each score."""
    pos, neg = ranking.pos / ranking.pos.sum(), ranking.neg / ranking.neg.sum()
    if measure == "auc":
        return np.cumsum(neg) - neg / 2, 1 - np.cumsum(pos) + pos / 2
    numbers, span = comparable_scores(ranking, measure)
    scores = numbers - (numbers[0] + span / 2)
    below = scores * np.cumsum(neg) - np.cumsum(neg * scores)
    above = (dot(pos, scores) - np.cumsum(pos * scores)) - scores * (1 - np.cumsum(pos))
    return below, above


def jackknife(value_of: Callable[[Ranking], float], ranking: Ranking) -> _Values:
    """Jackknife influences of the examples on any measure; nan where leaving out one undefines it.

    Examples of equal score and class are interchangeable, so each such kind is left out once.
    """
    influence = []
    for column, counts in enumerate((ranking.pos, ranking.neg)):
        left: list[float] = []
        for place in np.flatnonzero(counts):
            masses = [ranking.pos, ranking.neg]
            masses[column] = counts.copy()
            masses[column][place] -= 1
            totals = [int(mass.sum()) for mass in masses]
            smaller = Ranking._of_masses(ranking.scores, masses, totals[0], totals[1])
            left.append(value_of(smaller) if min(totals) else math.nan)
        values = np.repeat(left, counts[counts > 0])
        with np.errstate(invalid="ignore"):  # influences of infinite values are nan
            influence.append((values.mean() - values) * (len(values) - 1) / max(len(values), 1))
    return np.concatenate(influence)


def acceleration(moved: _Values) -> float:
    """Acceleration of BCa: skewness of the estimate from its influences; 0 if all are 0."""
    largest = float(np.abs(moved).max(initial=0))
    if largest == 0:
        return 0.0
    # Scaled by the largest, so that cubes do not overflow.
    scaled = moved / largest
    return float(np.sum(scaled**3) / (6 * np.sum(scaled**2) ** 1.5))
