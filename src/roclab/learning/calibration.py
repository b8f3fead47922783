"""From scores to probabilities: a logistic curve, fitted after Platt."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit

__all__ = ["platt_curve"]

Floats = npt.NDArray[np.float64]

_MOST_STEPS = 100
_TOLERANCE = 1e-12
_SMALLEST_STEP = 1e-10


def platt_curve(
    scores: Floats, labels: npt.NDArray[np.uint8], weights: Floats
) -> tuple[float, float]:
    """Slope and intercept of the log odds of a positive as a line over the scores.

    Targets are drawn in from 0 and 1 by one example of each class, so that separable scores get a
    finite slope. If the best slope is not above 0, which would turn the ranking round, it is 1 and
    the mean score stands for the share of positives.

    Notes
    -----
    Newton's method on a convex function of two variables; some ten passes over the data.

    References
    ----------
    .. [1] J. Platt, "Probabilistic outputs for support vector machines", 1999.
    .. [2] H.-T. Lin, C.-J. Lin and R. C. Weng, "A note on Platt's probabilistic outputs for
       support vector machines", Machine Learning 68, 2007 (the method).
    """
    positive = labels == 1
    mass = float(weights[positive].sum()), float(weights[~positive].sum())
    targets = np.where(positive, (mass[0] + 1) / (mass[0] + 2), 1 / (mass[1] + 2))
    shares = weights / (mass[0] + mass[1])
    # In units of their own spread, or scores of another size would need another number of steps.
    middle = float(shares @ scores)
    spread = float(np.sqrt(shares @ (scores - middle) ** 2)) or 1.0
    x = (scores - middle) / spread

    def loss_at(line: Floats) -> float:
        z = line[0] * x + line[1]
        # log(1 + exp(z)) - t z, without overflow
        return float(shares @ (np.logaddexp(0, z) - targets * z))

    share = float(np.log(mass[0] + 1) - np.log(mass[1] + 1))
    line = np.array([0.0, share])
    loss = loss_at(line)
    for _ in range(_MOST_STEPS):
        p = expit(line[0] * x + line[1])
        slopes, bends = shares * (p - targets), shares * p * (1 - p)
        gradient = np.array([slopes @ x, slopes.sum()])
        if np.abs(gradient).max() < _TOLERANCE:
            break
        cross = bends @ x
        hessian = np.array([[bends @ (x * x), cross], [cross, bends.sum()]]) + 1e-12 * np.eye(2)
        direction = -np.linalg.solve(hessian, gradient)
        step, falling = 1.0, float(gradient @ direction)
        while step >= _SMALLEST_STEP:
            candidate = line + step * direction
            after = loss_at(candidate)
            if after < loss + 1e-4 * step * falling:
                break
            step /= 2
        if step < _SMALLEST_STEP:
            break
        line, loss = candidate, after
    if not line[0] > 0:
        return 1.0, share - middle
    slope = float(line[0] / spread)
    return slope, float(line[1] - slope * middle)
