"""From scores to probabilities: Platt scaling."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit

Floats = npt.NDArray[np.float64]

_MOST_STEPS = 100
_TOLERANCE = 1e-12
_SMALLEST_STEP = 1e-10


def platt_curve(
    scores: Floats, labels: npt.NDArray[np.uint8], weights: Floats
) -> tuple[float, float]:
    """Fit the log odds of the positive class as a linear function of the scores.

    Targets are shrunk from 0 and 1 by one example of each class, so that separable scores get a
    finite slope. If the best slope is not positive, which would reverse the ranking, it is 1, and
    the mean score corresponds to the proportion of positives.

    Returns
    -------
    slope, intercept : float
        Coefficients of the line.

    Notes
    -----
    Newton's method on a convex function of two variables; about ten passes over the data.

    References
    ----------
    J. Platt, "Probabilistic outputs for support vector machines", 1999.
    H.-T. Lin, C.-J. Lin and R. C. Weng, "A note on Platt's probabilistic outputs for
    support vector machines", Machine Learning 68, 2007 (the method).
    """
    positive = labels == 1
    mass = float(weights[positive].sum()), float(weights[~positive].sum())
    targets = np.where(positive, (mass[0] + 1) / (mass[0] + 2), 1 / (mass[1] + 2))
    shares = weights / (mass[0] + mass[1])
    # Standardised, so that the number of steps does not depend on the scale of the scores.
    middle = float(shares @ scores)
    spread = float(np.sqrt(shares @ (scores - middle) ** 2)) or 1.0
    x = (scores - middle) / spread

    p, buffer = np.empty_like(x), np.empty_like(x)  # memory that every step uses again

    def derivatives(line: Floats) -> tuple[Floats, Floats]:
        np.multiply(x, line[0], out=p)
        np.add(p, line[1], out=p)
        expit(p, out=p)
        np.subtract(p, targets, out=buffer)
        slopes = np.multiply(buffer, shares, out=buffer)
        gradient = np.array([slopes @ x, slopes.sum()])
        np.subtract(1, p, out=buffer)
        np.multiply(buffer, p, out=buffer)
        bends = np.multiply(buffer, shares, out=buffer)
        total, cross = bends.sum(), bends @ x
        scaled = np.multiply(bends, x, out=buffer)
        hessian = np.array([[scaled @ x, cross], [cross, total]]) + 1e-12 * np.eye(2)
        return gradient, hessian

    share = float(np.log(mass[0] + 1) - np.log(mass[1] + 1))
    line = np.array([0.0, share])
    gradient, hessian = derivatives(line)
    for _ in range(_MOST_STEPS):
        norm = float(np.linalg.norm(gradient))
        if norm < _TOLERANCE:
            break
        # The loss is convex: along Newton's direction the gradient decreases if the step is short
        # enough, so that only derivatives are needed.
        direction, step = np.linalg.solve(hessian, gradient), 1.0
        found = derivatives(line - direction)
        while not np.linalg.norm(found[0]) < norm and step > _SMALLEST_STEP:
            step /= 2
            found = derivatives(line - step * direction)
        if step <= _SMALLEST_STEP:
            break
        line, (gradient, hessian) = line - step * direction, found
    if not line[0] > 0:
        return 1.0, share - middle
    slope = float(line[0] / spread)
    return slope, float(line[1] - slope * middle)
