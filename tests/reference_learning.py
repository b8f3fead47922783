"""Losses over all pairs, by going through all pairs."""

import numpy as np


def pair_loss(truth, scores, *, loss="hinge", gamma=0.3, p=2, weights=None):
    """(value, gradient, Hessian) of the mean loss over pairs: O(PQ) and obvious."""
    n = len(scores)
    scores = np.asarray(scores, np.longdouble)
    weights = np.ones(n, np.longdouble) if weights is None else weights.astype(np.longdouble)
    pairs = 1 / (weights[truth].sum() * weights[~truth].sum())
    value, gradient = np.longdouble(0), np.zeros(n, np.longdouble)
    hessian = np.zeros((n, n), np.longdouble)
    for j in np.flatnonzero(truth):
        for k in np.flatnonzero(~truth):
            zero, first, second = _one_pair(scores[j] - scores[k], loss, np.longdouble(gamma), p)
            mass = pairs * weights[j] * weights[k]
            value += mass * zero
            gradient[j] += mass * first
            gradient[k] -= mass * first
            hessian[[j, k], [j, k]] += mass * second
            hessian[[j, k], [k, j]] -= mass * second
    return value, gradient, hessian


def _one_pair(d, loss, gamma, p):
    """The loss of one pair, its slope and its bend."""
    if loss == "hinge":
        short = gamma - d
        if short <= 0:
            return 0, 0, 0
        return short**p, -p * short ** (p - 1), p * (p - 1) * short ** max(p - 2, 0)
    z = d / gamma
    small = np.exp(-abs(z))
    value = np.log1p(small) + max(-z, 0)
    falling = (small if z > 0 else 1) / (1 + small)
    return value, -falling / gamma, falling * (1 - falling) / gamma**2
