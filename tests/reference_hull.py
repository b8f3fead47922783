"""Slow twins of the hull, of what is read off it, and of areas under parts of the ROC curve.

Exact fractions throughout, as in `reference.py`. A curve is the list of (fpr, tpr, threshold) that
`reference.roc_points` counts.
"""

from fractions import Fraction
from itertools import combinations, pairwise
from math import comb

from reference import groups, roc_points


def hull_vertices(y_true, y_score, sample_weight=None):
    """Numbers of the ROC points that are vertices: from each, on to the steepest later point."""
    points = roc_points(y_true, y_score, sample_weight)

    def steeper(i, j, k):
        """Whether k is seen from i more steeply than j, or as steeply and farther away."""
        (x, y, _), (xj, yj, _), (xk, yk, _) = points[i], points[j], points[k]
        return (yk - y) * (xj - x) >= (yj - y) * (xk - x)

    vertices = [0]
    while vertices[-1] < len(points) - 1:
        here = vertices[-1]
        best = here + 1
        for later in range(here + 2, len(points)):
            if steeper(here, best, later):
                best = later
        vertices.append(best)
    return vertices


def area_under(points):
    return sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0, _), (x1, y1, _) in pairwise(points))


def concavities(y_true, y_score, sample_weight=None):
    """(low, high, area, positive mass, negative mass) where the curve is below the hull."""
    points = roc_points(y_true, y_score, sample_weight)
    found = []
    for i, j in pairwise(hull_vertices(y_true, y_score, sample_weight)):
        area = area_under([points[i], points[j]]) - area_under(points[i : j + 1])
        if area > 0:
            low, high = points[j][2], points[i][2]
            inside = [
                (p, n)
                for score, p, n in groups(y_true, y_score, sample_weight)
                if low <= score and (score < high or i == 0)
            ]
            found.append((low, high, area, *map(sum, zip(*inside, strict=True))))
    return found


def hull_auc(y_true, y_score, sample_weight=None):
    points = roc_points(y_true, y_score, sample_weight)
    return area_under([points[k] for k in hull_vertices(y_true, y_score, sample_weight)])


def least_cost(
    y_true, y_score, false_positive_cost, false_negative_cost, prevalence, sample_weight=None
):
    """The least expected cost of an example over all thresholds."""
    false_pos, false_neg = Fraction(false_positive_cost), Fraction(false_negative_cost)
    share = Fraction(prevalence)
    return min(
        share * false_neg * (1 - tpr) + (1 - share) * false_pos * fpr
        for fpr, tpr, _ in roc_points(y_true, y_score, sample_weight)
    )


def counts_at(y_true, y_score, threshold):
    """(tp, fp, tn, fn) where scores at or above the threshold are called positive."""
    rows = list(zip(y_true, y_score, strict=True))
    return (
        sum(1 for y, s in rows if y and s >= threshold),
        sum(1 for y, s in rows if not y and s >= threshold),
        sum(1 for y, s in rows if not y and s < threshold),
        sum(1 for y, s in rows if y and s < threshold),
    )


def area_in_box(points, across, up):
    """Area on or under the curve in a box, from one corner of its upper border to the next."""
    (a, b), (c, d) = across, up
    area = Fraction(0)
    for (x0, y0, _), (x1, y1, _) in pairwise(points):
        if x0 == x1:
            continue

        def height(x, x0=x0, y0=y0, x1=x1, y1=y1):
            return min(max(y0 + (y1 - y0) * (x - x0) / (x1 - x0) - c, 0), d - c)

        crossings = [x0 + (level - y0) * (x1 - x0) / (y1 - y0) for level in (c, d) if y1 > y0]
        corners = sorted(x for x in {x0, x1, a, b, *crossings} if max(a, x0) <= x <= min(b, x1))
        area += sum((r - q) * (height(q) + height(r)) / 2 for q, r in pairwise(corners))
    return area


def partial_auc(y_true, y_score, across=(0, 1), up=(0, 1), sample_weight=None):
    points = roc_points(y_true, y_score, sample_weight)
    return area_in_box(points, [Fraction(end) for end in across], [Fraction(end) for end in up])


def standardized_partial_auc(y_true, y_score, across=(0, 1), up=(0, 1), sample_weight=None):
    across, up = [Fraction(end) for end in across], [Fraction(end) for end in up]
    diagonal = [(Fraction(0), Fraction(0), None), (Fraction(1), Fraction(1), None)]
    least = area_in_box(diagonal, across, up)
    box = (across[1] - across[0]) * (up[1] - up[0])
    area = area_in_box(roc_points(y_true, y_score, sample_weight), across, up)
    return (1 + (area - least) / (box - least)) / 2


def ks_statistic(y_true, y_score, sample_weight=None):
    return max(abs(tpr - fpr) for fpr, tpr, _ in roc_points(y_true, y_score, sample_weight))


def h_measure(y_true, y_score, misses_worse, sample_weight=None):
    """The H-measure for a whole 1 / severity_ratio, where the density of costs is a polynomial.

    No hull: between any two neighbouring costs at which two thresholds cost the same, one
    threshold is best, whichever it is in the middle.
    """
    points = roc_points(y_true, y_score, sample_weight)
    mass = groups(y_true, y_score, sample_weight)
    total_pos, total_neg = sum(p for _, p, _ in mass), sum(n for _, _, n in mass)
    share = total_pos / (total_pos + total_neg)
    # The cost c (1 - share) fpr + (1 - c) share fnr is a line in c: (at c = 0, at c = 1).
    lines = {(share * (1 - tpr), (1 - share) * fpr) for fpr, tpr, _ in points}
    lost = mean_least(lines, misses_worse)
    return 1 - lost / mean_least({(share, Fraction(0)), (Fraction(0), 1 - share)}, misses_worse)


def mean_least(lines, k):
    """Mean over c of the lowest of some lines, c having the density of Beta(2, 1 + k)."""
    cuts = {Fraction(0), Fraction(1)}
    for (p0, p1), (q0, q1) in combinations(lines, 2):
        turn = (p1 - p0) - (q1 - q0)
        if turn and 0 < (q0 - p0) / turn < 1:
            cuts.add((q0 - p0) / turn)
    total = Fraction(0)
    for left, right in pairwise(sorted(cuts)):
        middle = (left + right) / 2
        at_0, at_1 = min(lines, key=lambda line: line[0] + (line[1] - line[0]) * middle)
        for power, factor in ((1, at_0), (2, at_1 - at_0)):
            total += factor * (moment(right, power, k) - moment(left, power, k))
    return total * (k + 1) * (k + 2)


def moment(c, power, k):
    """Integral from 0 to c of t^power (1 - t)^k."""
    return sum(
        (-1) ** i * comb(k, i) * c ** (power + i + 1) / Fraction(power + i + 1)
        for i in range(k + 1)
    )
