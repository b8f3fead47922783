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


def tie_share(y_true, y_score, sample_weight=None):
    """What ties take from the variance of the Mann-Whitney test: sum(t^3 - t) / (N^3 - N).

    With weights q^2 / t is taken from a cube, q the sum of their squares: nothing is left of one
    example alone, and equal weights are no weights.
    """
    rows = [row for of_class in split(y_true, y_score, sample_weight) for row in of_class]

    def cube(weights):
        total, squares = sum(weights), sum(w * w for w in weights)
        return total**3 - squares**2 / total

    if len(rows) < 2:
        return 0
    tied = [[w for s, w in rows if s == score] for score in {s for s, _ in rows}]
    return sum(map(cube, tied)) / cube([w for _, w in rows])


def tie_factor(y_true, y_score):
    """What is left of the variance; all of it if nothing is, since that is no certainty."""
    return float(1 - tie_share(y_true, y_score)) or 1.0


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


def dispersion(estimate, variance, n_pos, n_neg):
    """D of the default interval: the variance of an AUC of theta is taken for D theta (1 - theta).

    What the data say of it and what is to be expected, weighted by E^2 and 30, where E is the
    number of informative examples.
    """
    imbalance = abs(n_pos - n_neg) / (n_pos + n_neg)
    correlation = Decimal(1) / 4 + imbalance / 5
    expected = (1 + (n_pos + n_neg - 2) * correlation) / (n_pos * n_neg)
    freedom = Decimal(0)
    if n_pos > 1 and n_neg > 1:
        # v / (n - 1) of each class, for v inverse to its size
        weights = (n_pos + n_neg) ** 2 * (n_pos - 1) * (n_neg - 1)
        freedom = weights / (n_pos**2 * (n_pos - 1) + n_neg**2 * (n_neg - 1))
    informative = 4 * freedom * estimate * (1 - estimate)
    found = variance / (estimate * (1 - estimate)) if informative else Decimal(0)
    blended = (30 * expected + informative**2 * found) / (30 + informative**2)
    return blended * (1 + 2 / (1 + freedom))


def wilson_interval(estimate, variance, n_pos, n_neg, confidence_level=0.95):
    """The two theta with (estimate - theta)^2 = z^2 D theta (1 - theta), in 60 digits."""
    with localcontext(prec=60):
        estimate, variance, n_pos, n_neg = map(to_decimal, (estimate, variance, n_pos, n_neg))
        z = Decimal(NormalDist().inv_cdf(0.5 + confidence_level / 2))
        w = z**2 * dispersion(estimate, variance, n_pos, n_neg)
        # (1 + w) theta^2 - (2 estimate + w) theta + estimate^2 = 0
        half, square = (2 * estimate + w) / 2, estimate**2
        root = max(half**2 - (1 + w) * square, Decimal(0)).sqrt()
        return float((half - root) / (1 + w)), float((half + root) / (1 + w))


def to_decimal(number):
    exact = Fraction(number)
    return Decimal(exact.numerator) / Decimal(exact.denominator)
