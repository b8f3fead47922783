"""Variances of AUCs of normal scores, foreseen the long way: for planning."""

import math

from scipy.stats import multivariate_normal, norm


def obuchowski_variance(auc, n_pos, n_neg):
    """Equation 3 of Obuchowski, Lieber and Wians (2004), as printed, over the positives."""
    a = 1.414 * norm.ppf(auc)
    ratio = n_neg / n_pos
    return 0.0099 * math.exp(-(a**2) / 2) * ((5 * a**2 + 8) + (a**2 + 8) / ratio) / n_pos


def obuchowski_sizes(auc, power, ratio, alpha, two_sided):
    """Equation 2 of the same, with the variance of an AUC of one half written out: 0.0792."""
    z = norm.ppf(1 - alpha / (2 if two_sided else 1))
    spread = obuchowski_variance(auc, 1, ratio)
    root = z * math.sqrt(0.0792 * (1 + 1 / ratio)) + norm.ppf(power) * math.sqrt(spread)
    n_pos = root**2 / (auc - 0.5) ** 2
    return n_pos, ratio * n_pos


def both_right(first, second, correlation):
    """Of two standard normal variables: that each is below its own quantile."""
    point = [norm.ppf(first), norm.ppf(second)]
    if abs(correlation) == 1:  # one of them is the other, or its mirror image
        return min(first, second) if correlation > 0 else max(first + second - 1, 0)
    return multivariate_normal.cdf(point, cov=[[1, correlation], [correlation, 1]], abseps=1e-12)


def empirical_covariance(first, second, n_pos, n_neg, in_pos, in_neg):
    """Of two empirical AUCs: over all pairs of pairs, by what the pairs have in common.

    Two pairs that share the positive have n_neg - 1 negatives to differ in, and the like; the
    differences of scores then correlate by half of what the scores do.
    """
    kinds = [((in_pos + in_neg) / 2, 1), (in_pos / 2, n_neg - 1), (in_neg / 2, n_pos - 1)]
    total = sum(
        count * (both_right(first, second, correlation) - first * second)
        for correlation, count in kinds
    )
    return total / (n_pos * n_neg)
