"""The gamma-exponential mixture: a boundary that sums cross with bounded probability.

If the exponential of ``l s - v (-log(1 - l) - l)`` is a supermartingale for each l in [0, 1), so is
its mixture over l, where 1 - l has the gamma distribution of shape and rate rho, below 1. (Howard,
Ramdas, McAuliffe and Sekhon, Annals of Statistics 49 (2021), proposition 9, for scale 1.)
"""

from __future__ import annotations

import math

_STEPS = 100


def gamma_exponential_boundary(v: float, rho: float, log_limit: float) -> float:
    """Return the sum s at which the logarithm of the mixture reaches `log_limit`, for `v`."""
    s = math.sqrt(2 * (v + rho) * log_limit) + log_limit
    # The logarithm is convex in s, so that Newton's steps after the first come from the right.
    for _ in range(_STEPS):
        value, slope = log_gamma_exponential(s, v, rho)
        step = (value - log_limit) / slope
        s -= step
        if abs(step) <= 1e-12 * s:
            break
    return s


def log_gamma_exponential(s: float, v: float, rho: float) -> tuple[float, float]:
    """Return the logarithm of the mixture, and its derivative by s."""
    from scipy.special import gammainc, gammaln

    shape, rate = v + rho, s + v + rho
    start = rho * math.log(rho) - gammaln(rho) - math.log(gammainc(rho, rho))
    log_power, log_gamma, below = shape * math.log(rate), gammaln(shape), gammainc(shape, rate)
    value = start + log_gamma + math.log(below) - log_power + s + v
    density = math.exp(log_power - rate - log_gamma) / rate
    return float(value), float(1 - shape / rate + density / below)
