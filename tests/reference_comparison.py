"""Slow and obvious twins of the comparisons, with the words and habits of `reference.py`."""

import itertools
import math
from fractions import Fraction
from statistics import NormalDist

import reference

KERNELS = {"auc": reference.rank_credit, "scored_auc": reference.margin_credit}


def placements(truth, scores, weight=None, measure="auc"):
    """For each positive its mean over the negatives, and for each negative over the positives."""
    kernel = KERNELS[measure]
    pos, neg = reference.split(truth, scores, weight)
    total_pos, total_neg = sum(w for _, w in pos), sum(v for _, v in neg)
    of_pos = [sum(v * kernel(y, x) for x, v in neg) / total_neg for y, _ in pos]
    of_neg = [sum(w * kernel(y, x) for y, w in pos) / total_pos for x, _ in neg]
    return of_pos, of_neg


def value(truth, scores, weight=None, measure="auc"):
    return reference.mean_over_pairs(KERNELS[measure], *reference.split(truth, scores, weight))


def covariance(truth, scores_a, scores_b, weight=None, measure="auc"):
    """DeLong's covariance; with weights that of importance weights, which their scale leaves."""
    rows = reference.split(truth, scores_a, weight)
    means = [value(truth, scores, weight, measure) for scores in (scores_a, scores_b)]
    first, second = (placements(truth, scores, weight, measure) for scores in (scores_a, scores_b))
    total = Fraction(0)
    for of_class, v_a, v_b in zip(rows, first, second, strict=True):
        weights = [w for _, w in of_class]
        products = [(a - means[0]) * (b - means[1]) for a, b in zip(v_a, v_b, strict=True)]
        if weight is None:
            n = len(weights)
            total += sum(products) / (n - 1) / n
        else:
            n = reference.effective_number(of_class)
            squared = sum(w**2 * product for w, product in zip(weights, products, strict=True))
            total += squared / sum(weights) ** 2 * n / (n - 1)
    return total


def difference_variance(truth, scores_a, scores_b, weight=None, measure="auc"):
    def of(a, b):
        return covariance(truth, a, b, weight, measure)

    return of(scores_a, scores_a) + of(scores_b, scores_b) - 2 * of(scores_a, scores_b)


def order_alike(truth, scores_a, scores_b):
    """Whether two models order every pair of a positive and a negative alike."""
    pairs = []
    for scores in (scores_a, scores_b):
        pos, neg = reference.split(truth, scores)
        pairs.append([reference.rank_credit(y, x) for y, _ in pos for x, _ in neg])
    return pairs[0] == pairs[1]


def hanley_mcneil_variance(theta, n_pos, n_neg):
    """V(theta): the variance of AUC under Hanley and McNeil's (1982) exponential model."""
    q1 = theta / (2 - theta)
    q2 = 2 * theta**2 / (1 + theta)
    spread = theta * (1 - theta) + (n_pos - 1) * (q1 - theta**2) + (n_neg - 1) * (q2 - theta**2)
    return spread / (n_pos * n_neg)


def wald(difference, variance, alternative="two-sided", margin=0.0, level=0.95):
    """(statistic, p-value, low, high) of a normal estimate, each alternative by itself."""
    normal, error = NormalDist(), math.sqrt(variance)
    if alternative == "two-sided":
        statistic = difference / error
        reach = normal.inv_cdf((1 + level) / 2) * error
        ends = difference - reach, difference + reach
        pvalue = 2 * normal.cdf(-abs(statistic))
    elif alternative == "less":
        statistic = difference / error
        ends = -1.0, difference + normal.inv_cdf(level) * error
        pvalue = normal.cdf(statistic)
    elif alternative in ("greater", "noninferior"):
        shift = margin if alternative == "noninferior" else 0.0
        statistic = (difference + shift) / error
        ends = difference - normal.inv_cdf(level) * error, 1.0
        pvalue = normal.cdf(-statistic)
    else:
        lower, upper = (difference + margin) / error, (difference - margin) / error
        pvalue = max(normal.cdf(-lower), normal.cdf(upper))
        statistic = lower if normal.cdf(-lower) >= normal.cdf(upper) else upper
        reach = normal.inv_cdf(level) * error
        ends = difference - reach, difference + reach
    return statistic, pvalue, max(ends[0], -1.0), min(ends[1], 1.0)


def chi_square(values, covariances):
    """d' S^-1 d and the rank of S, for the differences d from the last model, by elimination.

    Differences without a variance of their own must be 0, or there is no such number: None.
    """
    k = len(values) - 1
    rows = [
        [
            covariances[i][j] - covariances[i][k] - covariances[k][j] + covariances[k][k]
            for j in range(k)
        ]
        + [values[i] - values[k]]
        for i in range(k)
    ]
    statistic, rank = Fraction(0), 0
    left = list(range(k))
    while left:
        pivot = max(left, key=lambda i: rows[i][i])
        if rows[pivot][pivot] == 0:
            return (statistic, rank) if all(rows[i][k] == 0 for i in left) else None
        left.remove(pivot)
        statistic += rows[pivot][k] ** 2 / rows[pivot][pivot]
        rank += 1
        for i in left:
            share = rows[i][pivot] / rows[pivot][pivot]
            rows[i] = [a - share * b for a, b in zip(rows[i], rows[pivot], strict=True)]
    return statistic, rank


def holm(pvalues):
    """The least level at which stepping down through the ordered tests rejects each."""
    order = sorted(range(len(pvalues)), key=lambda i: pvalues[i])
    steps = [(len(order) - place) * pvalues[i] for place, i in enumerate(order)]
    return [min(1.0, max(steps[: order.index(i) + 1])) for i in range(len(pvalues))]


def largest_sets(apart):
    """Every set without a pair told apart that no other member fits into, by trying all."""
    size = len(apart)
    free = [
        set(group)
        for count in range(1, size + 1)
        for group in itertools.combinations(range(size), count)
        if not any(apart[a][b] for a, b in itertools.combinations(group, 2))
    ]
    return sorted(sorted(group) for group in free if not any(group < other for other in free))


def equal_curves_statistic(y_true, score_a, score_b):
    """E of Venkatraman and Begg (1996), as a sum over subjects and ranks; scores without ties."""
    n = len(y_true)
    ranks = [[1 + sum(x < own for x in scores) for own in scores] for scores in (score_a, score_b)]
    total = 0
    for k in range(1, n):
        errors = 0
        for label, r, s in zip(y_true, *ranks, strict=True):
            side = int(r <= k < s) - int(s <= k < r)
            errors += side if label else -side
        total += abs(errors)
    return total
