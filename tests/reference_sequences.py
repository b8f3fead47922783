"""Confidence sequences from their formulas, slowly: one mean at a time, over all values again."""

import math

import numpy as np

SHARE = 0.9
NODES, WEIGHTS = np.polynomial.legendre.leggauss(120)


def stakes(values, error):
    """Return what is staked on each value, from those before it, before it is limited."""
    found = []
    for i in range(1, len(values) + 1):
        before = values[: i - 1]
        means = [(0.5 + sum(before[:j])) / (j + 1) for j in range(1, i)]
        squares = sum((x - mean) ** 2 for x, mean in zip(before, means, strict=True))
        variance = (0.25 + squares) / i
        found.append(math.sqrt(2 * math.log(2 / error) / (variance * i * math.log(1 + i))))
    return found


def capital(values, mean, error, sign):
    """Return the capital after each value, of bets that the mean is above (1) or below (-1)."""
    most = mean if sign == 1 else 1 - mean
    limit = SHARE / most if most else math.inf
    found, now = [], 1.0
    for x, stake in zip(values, stakes(values, error), strict=True):
        now *= 1 + sign * min(stake, limit) * (x - mean)
        found.append(now)
    return found


def rejected(values, mean, error, sign):
    """Whether the mean was rejected at any time, from this side."""
    return any(now >= 2 / error for now in capital(values, mean, error, sign))


def mixture(s, v, rho):
    """Return the gamma-exponential mixture by numerical integration over the stakes 1 - u.

    Nodes are those of z, where u = z**(4 / rho), since the density of u has a pole at 0.
    """
    z = (NODES + 1) / 2
    u = z ** (4 / rho)
    density = z**3 * np.exp(-rho * u) * WEIGHTS
    growth = np.exp((1 - u) * s + v * (np.log(u) + 1 - u))
    return float(np.sum(growth * density) / np.sum(density))


def squared_errors(values):
    """Return the sum of squared errors of predicting each value by the mean of those before it."""
    predicted = [(0.5 + sum(values[:i])) / (i + 1) for i in range(len(values))]
    return float(np.sum((np.array(values) - predicted) ** 2))
