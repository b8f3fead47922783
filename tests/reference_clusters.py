"""Slow and obvious twins of what is made of clusters and strata: every pair is looked at."""

from fractions import Fraction

import reference
import reference_comparison


def _sums(truth, scores, cluster, weight, measure):
    """For every cluster the summed deviations of its positives, and of its negatives."""
    truth, cluster = list(truth), list(cluster)
    if weight is not None:
        kept = [row for row, w in enumerate(weight) if w > 0]
        truth, cluster = [truth[row] for row in kept], [cluster[row] for row in kept]
        scores, weight = [scores[row] for row in kept], [weight[row] for row in kept]
    weights = [Fraction(1)] * len(truth) if weight is None else [Fraction(float(w)) for w in weight]
    of_class = reference_comparison.placements(truth, scores, weight, measure)
    mean = reference_comparison.value(truth, scores, weight, measure)
    sums = {}
    for side, placements in zip((True, False), of_class, strict=True):
        rows = [row for row, label in enumerate(truth) if bool(label) == side]
        total = sum(weights[row] for row in rows)
        for row, placement in zip(rows, placements, strict=True):
            entry = sums.setdefault(cluster[row], {True: [0, 0, 0], False: [0, 0, 0]})[side]
            entry[0] += weights[row] * (placement - mean) / total
            entry[1] += weights[row]
            entry[2] += 1
    return sums


def _factor(masses):
    """n / (n - 1), with n the number of clusters; with weights so many in effect."""
    n = Fraction(sum(masses)) ** 2 / sum(mass**2 for mass in masses)
    return n / (n - 1)


def covariance(truth, scores_a, scores_b, cluster, weight=None, measure="auc"):
    """Obuchowski's (1997) covariance of two AUCs, by its three sums over clusters."""
    first = _sums(truth, scores_a, cluster, weight, measure)
    second = _sums(truth, scores_b, cluster, weight, measure)
    total = Fraction(0)
    for side in (True, False):
        masses = [one[side][1] / one[side][2] for one in first.values() if one[side][2]]
        products = sum(first[name][side][0] * second[name][side][0] for name in first)
        total += _factor(masses) * products
    crossed = sum(
        first[name][True][0] * second[name][False][0]
        + first[name][False][0] * second[name][True][0]
        for name in first
    )
    return total + Fraction(len(first), len(first) - 1) * crossed


def difference_variance(truth, scores_a, scores_b, cluster, weight=None, measure="auc"):
    def of(a, b):
        return covariance(truth, a, b, cluster, weight, measure)

    return of(scores_a, scores_a) + of(scores_b, scores_b) - 2 * of(scores_a, scores_b)


def strata(truth, scores, stratum, weight=None):
    """Of each stratum with both classes: its AUC, its weights and its variance; and the rest."""
    found, left_out = [], []
    for name in dict.fromkeys(stratum):
        rows = [row for row, value in enumerate(stratum) if value == name]
        if weight is not None:
            rows = [row for row in rows if weight[row] > 0]
        part = [[column[row] for row in rows] for column in (truth, scores)]
        weights = None if weight is None else [weight[row] for row in rows]
        pos, neg = reference.split(*part, weights)
        if pos and neg:
            positives, negatives = (Fraction(sum(w for _, w in side)) for side in (pos, neg))
            weights_of = {
                "pairs": positives * negatives,
                "rows": positives + negatives,
                "positives": positives,
                "equal": Fraction(1),
            }
            variance = None
            if len(pos) > 1 and len(neg) > 1:
                variance = reference_comparison.covariance(part[0], part[1], part[1], weights)
            auc = reference.mean_over_pairs(reference.rank_credit, pos, neg)
            found.append((auc, weights_of, variance))
        elif rows:
            left_out.append((len(pos), len(neg)))
    return found, left_out


def stratified_auc(truth, scores, stratum, weight=None, weighting="pairs"):
    """Value, variance between strata with its degrees of freedom, and variance within them.

    None for what is not defined.
    """
    found, _ = strata(truth, scores, stratum, weight)
    if not found:
        return None, None, None, None
    shares = [weights_of[weighting] for _, weights_of, _ in found]
    shares = [share / Fraction(sum(shares)) for share in shares]
    value = sum(share * auc for share, (auc, _, _) in zip(shares, found, strict=True))
    between = within = df = None
    if len(found) > 1:
        squares = [
            (share * (auc - value)) ** 2 for share, (auc, _, _) in zip(shares, found, strict=True)
        ]
        expected, df = moments(shares)
        between = sum(squares) * sum(share**2 for share in shares) / expected
    if all(variance is not None for _, _, variance in found):
        within = sum(share**2 * one[2] for share, one in zip(shares, found, strict=True))
    return value, between, df, within


def moments(shares):
    """Expected sum of squares of s_i (t_i - sum s_j t_j), and Satterthwaite's degrees of freedom.

    The t_i are independent with variance 1. `rows` are the coefficients of these deviations.
    """
    rows = [
        [share * ((i == j) - other) for j, other in enumerate(shares)]
        for i, share in enumerate(shares)
    ]
    covariance = [[sum(a * b for a, b in zip(x, y, strict=True)) for x in rows] for y in rows]
    trace = sum(covariance[i][i] for i in range(len(rows)))
    return trace, trace**2 / sum(one * one for row in covariance for one in row)


def degrees_of_freedom(truth, cluster, weight=None):
    """One less than (sum v)^2 / sum v^2, with v the variance of a cluster's sum of deviations.

    Rows of a class have the same variance, and those of a cluster a correlation of 0.1.
    """
    weight = [1.0] * len(truth) if weight is None else list(weight)
    variances = dict.fromkeys(cluster, 0.0)
    for side in (True, False):
        masses = dict.fromkeys(cluster, 0.0)
        for label, name, mass in zip(truth, cluster, weight, strict=True):
            masses[name] += mass * (bool(label) == side)
        total = sum(masses.values())
        squares = sum(w * w for label, w in zip(truth, weight, strict=True) if bool(label) == side)
        rows = total**2 / squares
        for name, mass in masses.items():
            size = rows * mass / total
            variances[name] += size * (1 + max(size - 1, 0) * 0.1) / rows**2
    return sum(variances.values()) ** 2 / sum(v * v for v in variances.values()) - 1
