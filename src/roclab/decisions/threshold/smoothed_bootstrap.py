"""How far a chosen threshold may be from the best one, by a smoothed bootstrap.

The threshold of the lowest cost in a sample converges with the cube root of its size, and the plain
bootstrap of it is inconsistent. Drawing from smoothed distributions is consistent. They are
smoothed on the scale of normal scores, so that the interval does not depend on the scale of the
scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from roclab.checks.options import Progress
from roclab.curves.columns import as_thresholds
from roclab.data.ranking import Ranking
from roclab.decisions.threshold.goal import Goal
from roclab.inference.intervals.proportions import clopper_pearson_ends

Floats = npt.NDArray[np.float64]

_CELLS = 1024
# Replicates at a time: their counts take some tens of megabytes.
_CHUNK = 500
# Standard deviations of the kernel beyond which it is 0.
_REACH = 5.0
_LEAST_RANK = 1e-15


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """Ends of the interval of a threshold, and the optimism of its expected cost."""

    low: float
    high: float
    optimism: float


def threshold_uncertainty(
    ranking: Ranking,
    goal: Goal,
    threshold: float,
    level: float,
    n_resamples: int,
    seed: int,
    *,
    progress: Progress | None = None,
) -> Uncertainty:
    """Interval of the best threshold that holds the chosen one, and optimism of its cost.

    The interval is symmetric on the scale of normal scores, about the best threshold of the
    smoothed distributions.
    """
    z = _normal_scores(ranking)
    widths = [
        _bandwidth(z, mass, effective)
        for mass, effective in (
            (ranking.pos, ranking.summary.effective_pos),
            (ranking.neg, ranking.summary.effective_neg),
        )
    ]
    reach = _REACH * max(widths)
    edges = np.linspace(z[0] - reach, z[-1] + reach, _CELLS + 1)
    pos, neg = (
        _smoothed(z, mass, width, edges)
        for mass, width in zip((ranking.pos, ranking.neg), widths, strict=True)
    )
    edges = edges[::-1]  # from strict to lenient, as operating points
    population = _rates(neg), _rates(pos)
    centre = int(goal.best(*population))
    if centre < 0:
        return Uncertainty(low=math.nan, high=math.nan, optimism=math.nan)
    cost = goal.expected_cost(*population)
    rng = np.random.default_rng(seed)
    sizes = [round(ranking.summary.effective_pos), round(ranking.summary.effective_neg)]
    distances, gains = [], []
    for first in range(0, n_resamples, _CHUNK):
        count = min(_CHUNK, n_resamples - first)
        tpr = _rates(rng.multinomial(sizes[0], pos, count) / sizes[0])
        fpr = _rates(rng.multinomial(sizes[1], neg, count) / sizes[1])
        best = goal.best(fpr, tpr)
        rows = np.flatnonzero(best >= 0)
        places = best[rows]
        distances.append(np.abs(edges[places] - edges[centre]))
        gains.append(cost[places] - goal.expected_cost(fpr, tpr)[rows, places])
        if progress is not None:
            progress(first + count, n_resamples)
    distance = np.concatenate(distances)
    if len(distance) == 0:
        return Uncertainty(low=math.nan, high=math.nan, optimism=math.nan)
    reached = float(np.quantile(distance, level))
    # The next scores outside. Below the lowest all examples are called positive, above the highest
    # none.
    scores = np.concatenate(([-np.inf], as_thresholds(ranking.scores), [np.inf]))
    first = int(np.searchsorted(z, edges[centre] - reached, side="right"))
    last = int(np.searchsorted(z, edges[centre] + reached, side="left")) + 1
    if goal.objective == "expected_cost":
        below, above = slice(None, max(first - 1, 0)), slice(last - 1, None)
        shares = [mass / mass.sum() for mass in (ranking.pos, ranking.neg)]
        costs = [
            goal.prevalence * goal.false_negative_cost,
            (1 - goal.prevalence) * goal.false_positive_cost,
        ]
        if _unbounded([one[below] for one in shares], sizes, costs, level):
            first = 0
        if _unbounded([one[above] for one in shares[::-1]], sizes[::-1], costs[::-1], level):
            last = len(scores) - 1
    low, high = scores.item(first), scores.item(last)
    return Uncertainty(
        low=min(low, threshold),
        high=max(high, threshold),
        optimism=float(np.mean(np.concatenate(gains))),
    )


def _unbounded(shares: list[Floats], sizes: list[int], costs: list[float], level: float) -> bool:
    """Whether a threshold beyond all scores may cost less than the end of the interval.

    The three lists are those of the class that it classifies correctly, and of the other.

    Parameters
    ----------
    shares : list of ndarray
        Shares of the class at the scores beyond the end. If there are none of the first class, the
        data do not tell how many there may be.
    sizes : list of int
        Effective numbers of examples.
    costs : list of float
        Expected costs if all examples of the class are classified wrongly.
    level : float
        Confidence level.
    """
    if shares[0].any():
        return False
    tail = (1 - level) / 2
    most = 1 - tail ** (1 / max(sizes[0], 1))  # Clopper and Pearson's upper end for none
    least = clopper_pearson_ends(min(float(shares[1].sum()), 1.0), sizes[1], level)[0]
    return bool(costs[0] * most >= costs[1] * least)


def _normal_scores(ranking: Ranking) -> Floats:
    """Normal quantile of the rank of each distinct score among all examples, ties in the middle."""
    mass = ranking.pos.astype(np.float64) + ranking.neg
    ranks = (np.cumsum(mass) - mass / 2) / mass.sum()
    # Of very unequal weights some ranks are rounded to 0 or 1, whose quantiles are infinite.
    return np.asarray(ndtri(np.clip(ranks, _LEAST_RANK, 1 - _LEAST_RANK)))


def _bandwidth(z: Floats, mass: npt.NDArray[np.generic], effective: float) -> float:
    """Silverman's rule of thumb, 1986, equation 3.31."""
    share = mass / mass.sum()
    mean = np.sum(share * z)
    spread = math.sqrt(float(np.sum(share * (z - mean) ** 2)))
    quarters = np.interp([0.25, 0.75], np.cumsum(share) - share / 2, z)
    narrow = float(quarters[1] - quarters[0]) / 1.34
    return float(0.9 * (min(spread, narrow) or spread or 1.0) * effective**-0.2)


def _smoothed(z: Floats, mass: npt.NDArray[np.generic], width: float, edges: Floats) -> Floats:
    """Probability of each cell, from the highest to the lowest."""
    step = float(edges[1] - edges[0])
    cells, _ = np.histogram(z, edges, weights=mass / mass.sum())
    found = np.zeros(len(cells))
    for shift in range(-math.ceil(_REACH * width / step), math.ceil(_REACH * width / step) + 1):
        share = ndtr((shift + 0.5) * step / width) - ndtr((shift - 0.5) * step / width)
        kept = slice(max(shift, 0), len(cells) + min(shift, 0))
        taken = slice(max(-shift, 0), len(cells) + min(-shift, 0))
        found[kept] += share * cells[taken]
    smooth: Floats = found[::-1] / found.sum()
    return smooth


def _rates(cells: Floats) -> Floats:
    """Share at or above each edge, from strict to lenient."""
    start = np.zeros((*cells.shape[:-1], 1))
    return np.concatenate((start, np.cumsum(cells, axis=-1)), axis=-1)
