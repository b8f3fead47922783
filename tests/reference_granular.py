"""Slow and obvious twins of the granular ROC and its measures.

A *sum* says how a distance is added to a score: `in_doubles`, as IEEE doubles do it, or `exactly`,
for scores that are fractions. Rates and areas are fractions in any case.
"""

from fractions import Fraction
from itertools import pairwise
from math import sqrt

import reference


def in_doubles(score, distance):
    return float(score) + float(distance)


def exactly(score, distance):
    return Fraction(score) + Fraction(distance)


def theta(y_true, y_score, shift, sample_weight=None, add=in_doubles):
    """P(y + shift > x) + P(y + shift = x) / 2, over all pairs."""
    pos, neg = reference.split(y_true, y_score, sample_weight)
    moved = [(add(y, shift), w) for y, w in pos]
    return reference.mean_over_pairs(reference.rank_credit, moved, neg)


def clean_points(y_true, y_score, shift, sample_weight=None, add=in_doubles):
    """(fpr, tpr, threshold) after the positives have moved: (0, 0), then each distinct score."""
    pos, neg = reference.split(y_true, y_score, sample_weight)
    moved = [(add(y, shift), w) for y, w in pos]

    def rate(rows, threshold):
        return sum(w for s, w in rows if s >= threshold) / sum(w for _, w in rows)

    distinct = sorted({s for s, _ in moved + neg}, reverse=True)
    return [(rate(neg, t), rate(moved, t), t) for t in [float("inf"), *distinct]]


def published_points(y_true, y_score, delta, add=in_doubles):
    """The low and the up curve of the paper's algorithm, one point for each distinct score.

    Lists of (fpr, tpr), with the ends (0, 0) and (1, 1).
    """
    groups = reference.groups(y_true, y_score)[::-1]
    positives, negatives = sum(g[1] for g in groups), sum(g[2] for g in groups)
    low, up = [(0, 0)], [(0, 0)]
    for number, (score, _, _) in enumerate(groups):
        left = add(score, delta)
        above = [g for g in groups[: number + 1] if g[0] >= left]
        block = [g for g in groups[: number + 1] if g[0] < left]
        p, n = sum(g[1] for g in above), sum(g[2] for g in above)
        xi_p, xi_n = sum(g[1] for g in block), sum(g[2] for g in block)
        b = xi_p + xi_n
        if len(block) == 1:
            ordinary = (ratio(n + xi_n, negatives), ratio(p + xi_p, positives))
            low.append(ordinary)
            up.append(ordinary)
        else:
            low.append((ratio(n + b, negatives + xi_p), ratio(p, positives - xi_p)))
            up.append((ratio(n, negatives - xi_n), ratio(p + b, positives + xi_n)))
    return [*low, (1, 1)], [*up, (1, 1)]


def published_rows(rows, delta, low_as_printed=False, accumulate=False, add=in_doubles):
    """The printed algorithm on rows (score, positive) that descend: it depends on their order.

    With `low_as_printed` lines 27 and 28 stand as they are printed, and with `accumulate` the
    counts of the block are not set back to 0. Areas (low, up).
    """
    positives = sum(positive for _, positive in rows)
    negatives = len(rows) - positives
    low, up = [(0, 0)], [(0, 0)]
    xi_p = xi_n = 0
    for i, (score, _) in enumerate(rows, start=1):
        left = add(score, delta)
        leftno = sum(s >= left for s, _ in rows)
        p = sum(positive for _, positive in rows[:leftno])
        n = leftno - p
        if i == leftno + 1:
            positive = rows[i - 1][1]
            ordinary = (ratio(n + (not positive), negatives), ratio(p + positive, positives))
            low.append(ordinary)
            up.append(ordinary)
            continue
        if not accumulate:
            xi_p = xi_n = 0
        xi_p += sum(positive for _, positive in rows[leftno:i])
        xi_n += sum(not positive for _, positive in rows[leftno:i])
        b = i - leftno
        up.append((ratio(n, negatives - xi_n), ratio(p + b, positives + xi_n)))
        if low_as_printed:
            low.append((ratio(n, negatives + xi_p), ratio(p + b, positives - xi_p)))
        else:
            low.append((ratio(n + b, negatives + xi_p), ratio(p, positives - xi_p)))
    return area([*low, (1, 1)]), area([*up, (1, 1)])


def ratio(part, whole):
    return Fraction(part) / Fraction(whole) if whole else Fraction(0)


def area(points):
    """Trapezoids in the order of the points."""
    return sum(Fraction(b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(points))


def exact_areas(y_true, y_score, sample_weight=None):
    """The integrals over granularities from 0 to 1 of AUC / up and low / AUC, as fractions.

    Both are constant between neighbouring distances of a positive and a negative score, so they
    are taken there in the middle.
    """
    rows = (y_true, [Fraction(s) for s in y_score.tolist()], sample_weight)
    auc = theta(rows[0], rows[1], 0, rows[2], add=exactly)
    pos, neg = reference.split(*rows)
    distances = {abs(y - x) for y, _ in pos for x, _ in neg}
    steps = sorted({Fraction(0), Fraction(1)} | {d for d in distances if d < 1})
    up_area = low_area = Fraction(0)
    for start, end in pairwise(steps):
        middle = (start + end) / 2
        up_area += (end - start) * auc / theta(rows[0], rows[1], middle, rows[2], add=exactly)
        low_area += (end - start) * theta(rows[0], rows[1], -middle, rows[2], add=exactly) / auc
    return up_area, low_area


def rho(up_area, low_area):
    return sqrt(float(up_area) * float(low_area))


def trapezoid(values):
    """Over [0, 1], for a function known at equally spaced points."""
    return sum((a + b) / 2 for a, b in pairwise(values)) / (len(values) - 1)
