"""Slow and obvious twins of the library: definitions written down, exact wherever possible.

Nothing here is clever and nothing here is fast. Numbers are ``fractions.Fraction`` (a double is a
fraction too), so a difference from the library is the library's rounding. Where a class is missing,
or too small for a variance, the answer is nan.

Words: ``pos`` and ``neg`` are lists of (score, weight); a *kernel* is what one pair of a positive
and a negative score is worth.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import inf, nan
from statistics import NormalDist

import numpy as np
from scipy.stats import rankdata


def split(y_true, y_score, sample_weight=None):
    """Positives and negatives as lists of (score, weight); rows of weight zero are gone."""
    labels, scores = np.asarray(y_true).tolist(), np.asarray(y_score).tolist()
    weights = [1] * len(labels) if sample_weight is None else np.asarray(sample_weight).tolist()
    rows = [(s, Fraction(w), y) for y, s, w in zip(labels, scores, weights, strict=True) if w > 0]
    return [(s, w) for s, w, y in rows if y], [(s, w) for s, w, y in rows if not y]


def groups(y_true, y_score, sample_weight=None):
    """Distinct scores, ascending, each with the weight of its positives and of its negatives."""
    pos, neg = split(y_true, y_score, sample_weight)
    mass = {s: [Fraction(0), Fraction(0)] for s, _ in pos + neg}
    for s, w in pos:
        mass[s][0] += w
    for s, w in neg:
        mass[s][1] += w
    return [(s, *mass[s]) for s in sorted(mass)]


def rank_credit(y, x):
    """AUC's kernel: a win counts one, a tie one half."""
    return Fraction(1) if y > x else Fraction(1, 2) if y == x else Fraction(0)


def margin_credit(y, x):
    """Scored AUC's kernel: by how much the positive score is higher, if it is."""
    return Fraction(y) - Fraction(x) if y > x else Fraction(0)


def mean_over_pairs(kernel, pos, neg):
    if not pos or not neg:
        return nan
    total = sum(w * v * kernel(y, x) for y, w in pos for x, v in neg)
    return total / (sum(w for _, w in pos) * sum(v for _, v in neg))


def variance_over_pairs(kernel, pos, neg):
    """DeLong's variance of an unweighted mean over pairs: S10/m + S01/n."""
    m, n = len(pos), len(neg)
    if m < 2 or n < 2:
        return nan
    mean = mean_over_pairs(kernel, pos, neg)
    v10 = [sum(kernel(y, x) for x, _ in neg) / n for y, _ in pos]
    v01 = [sum(kernel(y, x) for y, _ in pos) / m for x, _ in neg]
    s10 = sum((v - mean) ** 2 for v in v10) / (m - 1)
    s01 = sum((v - mean) ** 2 for v in v01) / (n - 1)
    return s10 / m + s01 / n


def weighted_variance_over_pairs(kernel, pos, neg):
    """The same for importance weights: squared weights, and n/(n-1) with effective numbers n."""
    if len(pos) < 2 or len(neg) < 2:
        return nan
    mean = mean_over_pairs(kernel, pos, neg)
    total_pos, total_neg = sum(w for _, w in pos), sum(v for _, v in neg)
    v10 = [sum(v * kernel(y, x) for x, v in neg) / total_neg for y, _ in pos]
    v01 = [sum(w * kernel(y, x) for y, w in pos) / total_pos for x, _ in neg]
    s10 = sum(w**2 * (v - mean) ** 2 for (_, w), v in zip(pos, v10, strict=True))
    s01 = sum(w**2 * (v - mean) ** 2 for (_, w), v in zip(neg, v01, strict=True))
    n1, n2 = effective_number(pos), effective_number(neg)
    return s10 / total_pos**2 * n1 / (n1 - 1) + s01 / total_neg**2 * n2 / (n2 - 1)


def effective_number(rows):
    """How many equally weighted examples are worth as much: (sum w)^2 / sum w^2."""
    return sum(w for _, w in rows) ** 2 / sum(w**2 for _, w in rows)


def auc(y_true, y_score, sample_weight=None):
    return mean_over_pairs(rank_credit, *split(y_true, y_score, sample_weight))


def auc_variance(y_true, y_score, sample_weight=None):
    rows = split(y_true, y_score, sample_weight)
    if sample_weight is None:
        return variance_over_pairs(rank_credit, *rows)
    return weighted_variance_over_pairs(rank_credit, *rows)


def scored_auc(y_true, y_score, sample_weight=None):
    return mean_over_pairs(margin_credit, *split(y_true, y_score, sample_weight))


def scored_auc_variance(y_true, y_score, sample_weight=None):
    rows = split(y_true, y_score, sample_weight)
    if sample_weight is None:
        return variance_over_pairs(margin_credit, *rows)
    return weighted_variance_over_pairs(margin_credit, *rows)


def integer_moments(y_true, y_score):
    """The three integers (2U, 4A, 4B) that the unweighted AUC and its variance are made of."""
    pos, neg = split(y_true, y_score)
    below = [sum(2 * rank_credit(y, x) for x, _ in neg) for y, _ in pos]
    above = [sum(2 * rank_credit(y, x) for y, _ in pos) for x, _ in neg]
    return int(sum(below)), int(sum(a**2 for a in below)), int(sum(b**2 for b in above))


def integer_moments_of_groups(counts):
    """The same from (positives, negatives) at each distinct score, ascending: for large counts."""
    pos_total = sum(p for p, _ in counts)
    wins = pos_moment = neg_moment = pos_below = neg_below = 0
    for p, n in counts:
        twice_below = 2 * neg_below + n
        twice_above = 2 * (pos_total - pos_below) - p
        wins += p * twice_below
        pos_moment += p * twice_below**2
        neg_moment += n * twice_above**2
        pos_below, neg_below = pos_below + p, neg_below + n
    return wins, pos_moment, neg_moment


def auc_variance_of_groups(counts):
    """DeLong's variance of AUC, exact, from (positives, negatives) at each distinct score."""
    m, n = sum(p for p, _ in counts), sum(n for _, n in counts)
    wins, pos_moment, neg_moment = integer_moments_of_groups(counts)
    mean = Fraction(wins, 2 * m * n)
    s10 = (Fraction(pos_moment, 4 * n**2) - m * mean**2) / (m - 1)
    s01 = (Fraction(neg_moment, 4 * m**2) - n * mean**2) / (n - 1)
    return s10 / m + s01 / n


def twice_ranks(scores):
    """Twice the midranks of scipy, which are whole numbers."""
    return (2 * rankdata(scores)).astype(np.int64)


def twice_wins_by_ranks(truth, ranks):
    """2U from `twice_ranks`, for samples too large to count pairs."""
    m = int(np.count_nonzero(truth))
    return int(ranks[truth].sum()) - m * (m + 1)


def roc_points(y_true, y_score, sample_weight=None):
    """(fpr, tpr, threshold) for the threshold inf and then for each distinct score, descending."""
    pos, neg = split(y_true, y_score, sample_weight)

    def rate(rows, threshold):
        if not rows:
            return nan
        return sum(w for s, w in rows if s >= threshold) / sum(w for _, w in rows)

    start = (Fraction(0) if neg else nan, Fraction(0) if pos else nan, inf)
    distinct = sorted({s for s, _ in pos + neg}, reverse=True)
    return [start] + [(rate(neg, t), rate(pos, t), t) for t in distinct]


def hanley_mcneil_variance(theta, n_pos, n_neg):
    """V(theta): the variance of AUC under Hanley and McNeil's (1982) exponential model."""
    q1 = theta / (2 - theta)
    q2 = 2 * theta**2 / (1 + theta)
    spread = theta * (1 - theta) + (n_pos - 1) * (q1 - theta**2) + (n_neg - 1) * (q2 - theta**2)
    return spread / (n_pos * n_neg)


def score_interval(estimate, variance, n_pos, n_neg, confidence_level=0.95, steps=100):
    """Every theta in [0, 1] with |estimate - theta| <= z sqrt(c V(theta)): its two ends.

    Looks for the outermost theta inside by scanning, then halves the last step, in 60 digits.
    """
    with localcontext(prec=60):
        estimate, variance, n_pos, n_neg = map(to_decimal, (estimate, variance, n_pos, n_neg))
        z = Decimal(NormalDist().inv_cdf(0.5 + confidence_level / 2))
        at_estimate = hanley_mcneil_variance(estimate, n_pos, n_neg)
        c = max(Decimal(1), variance / at_estimate) if at_estimate > 0 else Decimal(1)

        def inside(theta):
            allowed = z**2 * c * hanley_mcneil_variance(theta, n_pos, n_neg)
            return (estimate - theta) ** 2 <= allowed

        def outermost(bound):
            scan = [bound + (estimate - bound) * k / steps for k in range(steps)] + [estimate]
            k = next(k for k, theta in enumerate(scan) if k == steps or inside(theta))
            if k == 0:
                return float(bound)
            out, within = scan[k - 1], scan[k]
            for _ in range(120):
                middle = (out + within) / 2
                out, within = (out, middle) if inside(middle) else (middle, within)
            return float(within)

        return outermost(Decimal(0)), outermost(Decimal(1))


def to_decimal(number):
    exact = Fraction(number)
    return Decimal(exact.numerator) / Decimal(exact.denominator)
