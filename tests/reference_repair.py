"""Slow twins of the repair of scores: sections by membership, order by rank, AUC by pairs."""

from fractions import Fraction
from statistics import NormalDist

import reference
from reference_hull import concavities


def inside(scores, low, high):
    """The distinct scores of a concavity, ascending; an infinite `high` is no bound."""
    return sorted({s for s in scores if low <= s and (s < high or high == float("inf"))})


def mirrored(scores, stretches):
    """Scores after exchanging lowest and highest, and so on, in every stretch (low, high)."""
    image = {}
    for low, high in stretches:
        found = inside(scores, low, high)
        image |= dict(zip(found, reversed(found), strict=True))
    return [image.get(s, s) for s in scores]


def flattened(scores, stretches):
    """Scores with one value for each stretch: the middle between its lowest and its highest."""
    image = {}
    for low, high in stretches:
        found = inside(scores, low, high)
        image |= dict.fromkeys(found, found[0] / 2 + found[-1] / 2)
    return [image.get(s, s) for s in scores]


def largest(y_true, y_score, sample_weight=None):
    """(low, high) and area of the largest concavity, the first of several; None without one."""
    found = concavities(y_true, y_score, sample_weight)
    if not found:
        return None
    low, high, area, *_ = max(found, key=lambda one: one[2])
    return (low, high), area


def inversion_pvalue(y_true, y_score, low, high):
    """Mann and Whitney's test, with ties, that the AUC inside is below one half."""
    rows = [
        (y, s)
        for y, s in zip(y_true, y_score, strict=True)
        if low <= s and (s < high or high == float("inf"))
    ]
    pos, neg = [s for y, s in rows if y], [s for y, s in rows if not y]
    if min(len(pos), len(neg)) < 2:
        return float("nan")
    wins = sum(reference.rank_credit(p, n) for p in pos for n in neg)
    mean = Fraction(len(pos) * len(neg), 2)
    spread = (
        len(pos) * len(neg) * (len(rows) + 1) / 12 * reference.tie_factor(*zip(*rows, strict=True))
    )
    return NormalDist().cdf(float(wins - mean) / spread**0.5)


def holm(pvalues):
    """Holm's correction; nan is left out."""
    known = sorted(p for p in pvalues if p == p)
    adjusted = {}
    for k, p in enumerate(known):
        so_far = max((min(1.0, (len(known) - i) * q) for i, q in enumerate(known[: k + 1])))
        adjusted.setdefault(p, so_far)
    return [adjusted.get(p, float("nan")) if p == p else float("nan") for p in pvalues]


def fourth_prediction(first, second, third):
    """RepairPoint for one example: where the first two agree, that; else the opposite."""
    if first and second:
        return True
    if not first and not second:
        return False
    return not third
