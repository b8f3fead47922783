"""Slow and obvious twins of bands and of intervals for rates, in fractions where possible."""

import itertools
from fractions import Fraction

import numpy as np
import reference
from scipy.optimize import brentq
from scipy.stats import binom


def chain(y_true, y_score, sample_weight=None):
    """The points of the ROC curve from (0, 0) to (1, 1) in fractions; None of one class."""
    groups = reference.groups(y_true, y_score, sample_weight)
    all_pos, all_neg = sum(p for _, p, _ in groups), sum(n for _, _, n in groups)
    if not all_pos or not all_neg:
        return None
    points = [(Fraction(0), Fraction(0))]
    for _, p, n in reversed(groups):
        x, y = points[-1]
        points.append((x + n / all_neg, y + p / all_pos))
    return points


def crossings(points, across, up, place):
    """All ends of the part of the curve where across * x + up * y is the place."""
    found = []
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        w0, w1 = across * x0 + up * y0, across * x1 + up * y1
        if w0 == w1 == place:
            found += [(x0, y0), (x1, y1)]
        elif w0 <= place <= w1 and w0 < w1:
            share = (place - w0) / (w1 - w0)
            found.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
    return found


def snapped(rate, rates):
    """A rate, or that of the curve from which only rounding keeps it."""
    nearest = min(rates, key=lambda one: abs(one - rate))
    return nearest if abs(nearest - rate) < 1e-12 else Fraction(rate)


def highest_tpr(points, fpr):
    place = snapped(fpr, [x for x, _ in points])
    return max(y for _, y in crossings(points, 1, 0, place))


def lowest_tpr(points, fpr):
    place = snapped(fpr, [x for x, _ in points])
    return min(y for _, y in crossings(points, 1, 0, place))


def lowest_fpr(points, tpr):
    place = snapped(tpr, [y for _, y in points])
    return min(x for x, _ in crossings(points, 0, 1, place))


def tpr_along(points, across, up, place):
    return max(y for _, y in crossings(points, Fraction(across), Fraction(up), Fraction(place)))


def moved_band(points, grid, aside, up):
    """The curve moved by (+aside, -up) and (-aside, +up), within the square."""
    low = [max(lowest_tpr(points, t - aside) - up, 0) if t >= aside else 0 for t in grid]
    high = [min(highest_tpr(points, t + aside) + up, 1) if t + aside <= 1 else 1 for t in grid]
    return np.array(low, float), np.array(high, float)


def clopper_pearson(hits, number, level):
    """The shares of which neither as many hits nor as few are unlikely, by search."""
    tail = (1 - level) / 2
    low = high = None
    if hits:
        low = brentq(lambda p: binom.sf(hits - 1, number, p) - tail, 1e-12, 1 - 1e-12, xtol=1e-14)
    if hits < number:
        high = brentq(lambda p: binom.cdf(hits, number, p) - tail, 1e-12, 1 - 1e-12, xtol=1e-14)
    return low or 0.0, 1.0 if high is None else high


def wilson(rate, number, z):
    """All shares p with |rate - p| <= z sqrt(p (1 - p) / number): the roots of a square."""
    roots = np.roots([1 + z * z / number, -2 * rate - z * z / number, rate * rate])
    return min(roots.real), max(roots.real)
