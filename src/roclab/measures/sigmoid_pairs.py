"""The mean of a sigmoid over all pairs, without computing all pairs.

A sigmoid of slope s is analytic within pi / s of the real line. So over a box of width 2 / s it
equals its interpolant at `NODES` Chebyshev points up to rho**-NODES, rho = pi + sqrt(pi**2 + 1) =
6.4, which is below the precision of a double. Hence the scores of a box may be replaced by masses
at these points with the same sums of polynomials (some are negative), for either class.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.curves.score_differences import Floats
from roclab.numeric.sums import dot, running_sum

NODES = 20
_FAR = 40.0  # distance at which a sigmoid is 0 or 1 to double precision
_ROWS, _COLUMNS = 256, 4096  # pairs at once: 8 MB

_ANGLES = np.pi * (np.arange(NODES) + 0.5) / NODES
_POINTS = -np.cos(_ANGLES)  # ascending
# From sums of Chebyshev polynomials T_k over the scores to masses at the points.
_TO_MASSES = (
    np.cos(np.outer(np.arange(NODES), _ANGLES[::-1]))
    * np.where(np.arange(NODES) == 0, 1.0, 2.0)[:, np.newaxis]
    / NODES
)


def mean_sigmoid(
    scores: Floats, pos: npt.NDArray[Any], neg: npt.NDArray[Any], slope: float
) -> float:
    """Mean over pairs of 1 / (1 + exp(-slope (y - x))), for masses at ascending scores."""
    ours, mass = _condensed(scores, pos, slope)
    others, other_mass = _condensed(scores, neg, slope)
    below = running_sum(other_mass)
    far = _FAR / slope
    total = 0.0
    for start in range(0, len(ours), _ROWS):
        block = slice(start, start + _ROWS)
        y, w = ours[block, np.newaxis], mass[block]
        first = int(np.searchsorted(others, y[0, 0] - far))
        last = int(np.searchsorted(others, y[-1, 0] + far, "right"))
        total += float(w.sum() * below[first])
        for left in range(first, last, _COLUMNS):
            near = slice(left, min(left + _COLUMNS, last))
            halves = np.tanh((0.5 * slope) * (y - others[near]))  # sigmoid(t) = (1 + tanh(t/2)) / 2
            total += 0.5 * dot(w, (halves * other_mass[near]).sum(axis=1))
            total += 0.5 * float(w.sum() * other_mass[near].sum())
    mean = total / (float(pos.sum()) * float(neg.sum()))
    return min(max(mean, 0.0), 1.0)  # rounding may exceed either end


def _condensed(scores: Floats, mass: npt.NDArray[Any], slope: float) -> tuple[Floats, Floats]:
    """Ascending points and masses that replace the scores of one class."""
    origin = scores[0]
    present = np.flatnonzero(mass)
    points, weight = scores[present], mass[present].astype(np.float64)
    places = slope * (points - origin)
    boxes = np.floor(places / 2)
    starts = np.flatnonzero(np.concatenate(([True], boxes[1:] != boxes[:-1])))
    counts = np.diff(starts, append=len(points))
    crowded = counts > NODES
    if not crowded.any():
        return points, weight

    inside = np.repeat(crowded, counts)
    centres = 2 * boxes[starts[crowded]] + 1
    angles = np.arccos(np.clip(places[inside] - np.repeat(centres, counts[crowded]), -1, 1))
    edges = np.concatenate(([0], np.cumsum(counts[crowded])[:-1]))
    sums = [np.add.reduceat(weight[inside] * np.cos(k * angles), edges) for k in range(NODES)]

    # Boxes keep their order: each has its scores, or the nodes if it is crowded.
    slots = np.repeat(crowded, np.where(crowded, NODES, counts))
    new_points, new_weight = np.empty(len(slots)), np.empty(len(slots))
    new_points[~slots], new_weight[~slots] = points[~inside], weight[~inside]
    new_points[slots] = (origin + (centres[:, np.newaxis] + _POINTS) / slope).ravel()
    new_weight[slots] = sum(
        of_k[:, np.newaxis] * to_masses for of_k, to_masses in zip(sums, _TO_MASSES, strict=True)
    ).ravel()
    return new_points, new_weight
