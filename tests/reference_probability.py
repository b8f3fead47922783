"""Slow and obvious twins of measures of probabilities, and of the AUC for a number of errors.

Rows are (score, weight, positive), numbers are fractions; see `reference.py`.
"""

from fractions import Fraction
from itertools import combinations
from math import comb, floor, fsum, log, sqrt

import numpy as np


def rows_of(y_true, y_score, sample_weight=None):
    labels, scores = np.asarray(y_true).tolist(), np.asarray(y_score).tolist()
    weights = [1] * len(labels) if sample_weight is None else np.asarray(sample_weight).tolist()
    rows = zip(scores, weights, labels, strict=True)
    return [(Fraction(s), Fraction(w), bool(y)) for s, w, y in rows if w > 0]


def mean(values, weights):
    weights = list(weights)
    return sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)


def brier_score(*sample):
    rows = rows_of(*sample)
    return mean(((y - s) ** 2 for s, _, y in rows), (w for _, w, _ in rows))


def log_loss(*sample, clip=0.0):
    rows = rows_of(*sample)
    total = fsum(float(w) for _, w, _ in rows)

    def surprise(s, y):
        s = min(max(s, Fraction(clip)), 1 - Fraction(clip))
        given = s if y else 1 - s
        return -log(given) if given > 0 else float("inf")

    return fsum(float(w) * surprise(s, y) for s, w, y in rows) / total


def multiclass_brier_score(y_true, columns, sample_weight=None):
    """`columns` maps each class to its probabilities; Brier's sum over classes."""
    parts = [brier_score(np.asarray(y_true) == c, p, sample_weight) for c, p in columns.items()]
    return sum(parts)


def multiclass_log_loss(y_true, columns, sample_weight=None):
    chosen = [columns[label][row] for row, label in enumerate(np.asarray(y_true).tolist())]
    return log_loss(np.ones(len(chosen), bool), chosen, sample_weight)


def accuracy(*sample, threshold=0.5):
    rows = rows_of(*sample)
    return mean((Fraction((s >= threshold) == y) for s, _, y in rows), (w for _, w, _ in rows))


def bins_of(rows, bins, strategy):
    """Rows of each bin that is not empty, by ascending score."""
    total = sum(w for _, w, _ in rows)

    def number(score):
        if bins is None:
            return score
        if strategy == "uniform":
            return next(k for k in range(1, bins + 1) if score <= k / bins)
        below = sum(w for s, w, _ in rows if s < score)
        own = sum(w for s, w, _ in rows if s == score)
        return floor(bins * (below + own / 2) / total)

    gathered = {}
    for row in sorted(rows):
        gathered.setdefault(number(row[0]), []).append(row)
    return list(gathered.values())


def table(*sample, bins, strategy="uniform"):
    """(share of the mass, mean score, share of positives) for each bin."""
    rows = rows_of(*sample)
    total = sum(w for _, w, _ in rows)
    return [
        (
            sum(w for _, w, _ in inside) / total,
            mean((s for s, _, _ in inside), (w for _, w, _ in inside)),
            mean((Fraction(y) for _, _, y in inside), (w for _, w, _ in inside)),
        )
        for inside in bins_of(rows, bins, strategy)
    ]


def calibration_error(*sample, bins, strategy="uniform", norm="l1"):
    gaps = [(w, abs(m - o)) for w, m, o in table(*sample, bins=bins, strategy=strategy)]
    if norm == "max":
        return max(gap for _, gap in gaps)
    if norm == "l2":
        return sqrt(sum(w * gap**2 for w, gap in gaps))
    return sum(w * gap for w, gap in gaps)


def brier_parts(*sample, bins=None, strategy="uniform"):
    """Reliability, resolution, uncertainty, variance and twice the covariance within bins."""
    rows = rows_of(*sample)
    total = sum(w for _, w, _ in rows)
    base = sum(w for _, w, y in rows if y) / total
    parts = [Fraction(0)] * 5
    parts[2] = base * (1 - base)
    described = table(*sample, bins=bins, strategy=strategy)
    for inside, (weight, score, share) in zip(
        bins_of(rows, bins, strategy), described, strict=True
    ):
        parts[0] += weight * (score - share) ** 2
        parts[1] += weight * (share - base) ** 2
        parts[3] += sum(w * (s - score) ** 2 for s, w, _ in inside) / total
        parts[4] += sum(2 * w * (s - score) * (y - share) for s, w, y in inside) / total
    return parts


def auc_given_errors(n_pos, n_neg, n_errors):
    """How many (ranking, threshold) have that many errors, and the mean and variance of AUC."""
    areas = []
    n = n_pos + n_neg
    for places in combinations(range(n), n_pos):
        is_pos = [place in places for place in range(n)]  # from the lowest score to the highest
        wins = sum(a < b for b in places for a in range(n) if not is_pos[a])
        for threshold in range(n + 1):
            errors = sum(is_pos[place] != (place >= threshold) for place in range(n))
            if errors == n_errors:
                areas.append(Fraction(wins, n_pos * n_neg))
    average = sum(areas) / len(areas)
    return len(areas), average, sum((a - average) ** 2 for a in areas) / len(areas)


def auc_given_errors_by_sums(n_pos, n_neg, n_errors):
    """Mean and variance by the sums over false positives, in whole numbers, for large samples.

    In the printed form of the variance; areas are counted in units of 1/(2PQ).
    """
    P, Q, k = n_pos, n_neg, n_errors
    lowest, highest = max(0, k - P), min(k, Q)
    weight = comb(P - k + 2 * lowest, lowest) * comb(Q + k - 2 * lowest, k - lowest)
    total = of_area = of_square = within = 0
    for x in range(lowest, highest + 1):
        M, N = P - k + 2 * x, Q + k - 2 * x
        area = 2 * P * Q - x * P - (k - x) * Q
        spread = P * x**2 + Q * (k - x) ** 2 + P * (P + 1) * x + Q * (Q + 1) * (k - x)
        total += weight
        of_area += weight * area
        of_square += weight * area**2
        within += weight * (spread - 2 * x * (k - x) * (P + Q + 1))
        weight = weight * (M + 2) * (M + 1) * (k - x) * (Q - x)
        weight //= (x + 1) * (P - k + x + 1) * max(N * (N - 1), 1)
    average = Fraction(of_area, total)
    variance = Fraction(of_square, total) - average**2 + Fraction(within, 3 * total)
    return average / (2 * P * Q), variance / (2 * P * Q) ** 2


def _rate(rows, threshold):
    """Share of the rows at or above a threshold."""
    return mean((Fraction(s >= threshold) for s, _, _ in rows), (w for _, w, _ in rows))


def net_benefit(*sample, threshold, prevalence=None):
    rows = rows_of(*sample)
    share = mean((Fraction(y) for _, _, y in rows), (w for _, w, _ in rows))
    share = share if prevalence is None else Fraction(prevalence)
    tpr, fpr = (_rate([row for row in rows if row[2] == side], threshold) for side in (True, False))
    odds = Fraction(threshold) / (1 - Fraction(threshold))
    return share * tpr - (1 - share) * fpr * odds


def multinomial_net_benefit_ends(tp, fp, n, threshold, z=1.959963984540054):
    """Wilson's intervals of two cells, joined by variance recovery (Zou and Donner 2008)."""

    def wilson(x):
        p = x / n
        centre, width = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (centre - width) / (1 + z * z / n), (centre + width) / (1 + z * z / n)

    p, q, odds = tp / n, fp / n, threshold / (1 - threshold)
    (l1, u1), (l2, u2) = wilson(tp), wilson(fp)
    r = -sqrt(p * q / ((1 - p) * (1 - q)))
    value = p - odds * q
    down = (p - l1) ** 2 + (odds * (u2 - q)) ** 2 - 2 * r * (p - l1) * odds * (u2 - q)
    up = (u1 - p) ** 2 + (odds * (q - l2)) ** 2 - 2 * r * (u1 - p) * odds * (q - l2)
    return value - sqrt(down), value + sqrt(up)


def net_benefit_difference_ends(truth, first, second, threshold, z=1.959963984540054):
    """Every row's gain, and half a row in each cell of both fourfold tables of decisions."""
    odds = threshold / (1 - threshold)
    gains = []
    for label, a, b in zip(truth, first, second, strict=True):
        gain = 1 if label else -odds
        gains.append((1.0, gain * (float(a >= threshold) - float(b >= threshold))))
    for gain in (1, -odds):
        gains += [(0.5, gain), (0.5, -gain), (0.5, 0.0), (0.5, 0.0)]
    n = fsum(w for w, _ in gains)
    middle = fsum(w * g for w, g in gains) / n
    variance = (fsum(w * g * g for w, g in gains) / n - middle**2) / n
    return middle - z * sqrt(variance), middle + z * sqrt(variance)


def _log_likelihood(truth, eta):
    return -np.sum(np.logaddexp(0, np.where(truth, -eta, eta)))


def _best_intercept(truth, shift, weight=None):
    from scipy.optimize import brentq

    weight = np.ones(len(truth)) if weight is None else weight

    def surplus(a):
        return np.sum(weight * (1 / (1 + np.exp(-(a + shift))) - truth))

    return brentq(surplus, -60, 60, xtol=1e-13)


def recalibration_gradient(truth, logit, weight, slope):
    """Derivative of the profile likelihood along the slope."""
    eta = _best_intercept(truth, slope * logit, weight) + slope * logit
    return np.sum(weight * (truth - 1 / (1 + np.exp(-eta))) * logit)


def _ends(profile, centre, ratio, level):
    """Where twice the fall of the log-likelihood is the quantile of chi-squared times a ratio."""
    from scipy.optimize import brentq
    from scipy.stats import chi2

    limit = chi2.ppf(level, 1) * max(ratio, 1) / 2

    def fall(at):
        return profile(centre) - profile(at) - limit

    ends = []
    for side in (-1, 1):
        step = 1.0
        while fall(centre + side * step) < 0:
            step *= 2
        ends.append(brentq(fall, centre, centre + side * step, xtol=1e-12))
    return tuple(ends)


def _sandwich(truth, design, eta):
    """Variance of the last parameter: the sandwich over that of the model."""
    p = 1 / (1 + np.exp(-eta))
    bread = np.linalg.inv((design * (p * (1 - p))[:, None]).T @ design)
    meat = (design * ((truth - p) ** 2)[:, None]).T @ design
    n, k = design.shape
    return (bread @ meat @ bread)[-1, -1] * n / (n - k) / bread[-1, -1]


def intercept_ends(truth, logit, level):
    """Interval of the intercept at slope 1."""
    centre = _best_intercept(truth, logit)
    ratio = _sandwich(truth, np.ones((len(truth), 1)), centre + logit)
    return _ends(lambda a: _log_likelihood(truth, a + logit), centre, ratio, level)


def slope_ends(truth, logit, level):
    """Interval of the slope with free intercept."""
    from scipy.optimize import minimize_scalar

    def profile(b):
        return _log_likelihood(truth, _best_intercept(truth, b * logit) + b * logit)

    low, high = -1.0, 1.0
    while profile(low * 2) > profile(low):
        low *= 2
    while profile(high * 2) > profile(high):
        high *= 2
    bounds = (2 * low, 2 * high)
    centre = minimize_scalar(
        lambda b: -profile(b), bounds=bounds, method="bounded", options={"xatol": 1e-10}
    ).x
    design = np.column_stack((np.ones(len(truth)), logit))
    eta = _best_intercept(truth, centre * logit) + centre * logit
    return _ends(profile, centre, _sandwich(truth, design, eta), level)
