"""Slow and obvious twins of measures of retrieval and of the AUC for several classes."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import floor, inf

import numpy as np
import reference


def counts_at(threshold, pos, neg):
    """True and false positives at a threshold."""
    true_pos = sum((w for s, w in pos if s >= threshold), Fraction(0))
    return true_pos, sum((w for s, w in neg if s >= threshold), Fraction(0))


def precision_recall_points(*sample):
    """(precision, recall, threshold) for the threshold inf and each distinct score, descending."""
    pos, neg = reference.split(*sample)
    points = [(Fraction(1), Fraction(0), inf)]
    for threshold in sorted({s for s, _ in pos + neg}, reverse=True):
        true_pos, false_pos = counts_at(threshold, pos, neg)
        recall = true_pos / sum(w for _, w in pos)
        points.append((true_pos / (true_pos + false_pos), recall, threshold))
    return points


def average_precision(*sample):
    """Each positive's precision at its own score, averaged."""
    pos, neg = reference.split(*sample)
    total = Fraction(0)
    for score, weight in pos:
        true_pos, false_pos = counts_at(score, pos, neg)
        total += weight * true_pos / (true_pos + false_pos)
    return total / sum(w for _, w in pos)


def gain(value, share):
    return (value - share) / ((1 - share) * value)


def gain_points(*sample):
    """(recall gain, precision gain) from recall gain 0 on."""
    pos, neg = reference.split(*sample)
    positives, negatives = sum(w for _, w in pos), sum(w for _, w in neg)
    share = positives / (positives + negatives)
    thresholds = sorted({s for s, _ in pos + neg}, reverse=True)
    counts = [(Fraction(0), Fraction(0)), *(counts_at(t, pos, neg) for t in thresholds)]
    first = next(i for i, (true_pos, _) in enumerate(counts) if true_pos / positives >= share)
    (t0, f0), (t1, f1) = counts[first - 1], counts[first]
    start = share * positives
    kept = [(start, f0 + (start - t0) / (t1 - t0) * (f1 - f0)), *counts[first:]]
    return [(gain(t / positives, share), gain(t / (t + f), share)) for t, f in kept]


def average_precision_gain(*sample):
    points = gain_points(*sample)
    return sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(points))


def positives_in_top(y_true, y_score, k):
    """Positives among the k highest, averaged over every choice among equal scores."""
    rows = sorted(zip(np.asarray(y_score).tolist(), np.asarray(y_true).tolist(), strict=True))
    boundary = rows[-k][0]
    above = [y for s, y in rows if s > boundary]
    tied = [y for s, y in rows if s == boundary]
    choices = list(combinations(tied, k - len(above)))
    return sum(above) + Fraction(sum(sum(choice) for choice in choices), len(choices))


def positives_in_share(y_true, y_score, share):
    """The same for a share of the examples, between whole numbers in proportion."""
    size = Fraction(share) * len(y_true)
    below = positives_in_top(y_true, y_score, floor(size)) if size >= 1 else Fraction(0)
    if size == floor(size):
        return below
    above = positives_in_top(y_true, y_score, floor(size) + 1)
    return below + (size - floor(size)) * (above - below)


def multiclass_auc(y_true, columns, average, sample_weight=None):
    """`columns` maps each class to its scores."""
    truth = np.asarray(y_true)
    weight = np.ones(len(truth)) if sample_weight is None else np.asarray(sample_weight)

    def between(rows, label):
        return reference.auc(truth[rows] == label, columns[label][rows], weight[rows])

    def size(rows):
        return sum(map(Fraction, weight[rows].tolist()))

    if average == "micro":
        own = np.concatenate([truth == label for label in columns])
        return reference.auc(
            own, np.concatenate([*columns.values()]), np.tile(weight, len(columns))
        )
    parts = []
    if average.startswith("hand_till"):
        for a, b in combinations(columns, 2):
            rows = (truth == a) | (truth == b)
            parts.append(((between(rows, a) + between(rows, b)) / 2, size(rows)))
    else:
        everyone = np.ones(len(truth), bool)
        parts = [(between(everyone, label), size(truth == label)) for label in columns]
    if average.endswith("weighted"):
        return sum(v * n for v, n in parts) / sum(n for _, n in parts)
    return sum(v for v, _ in parts) / len(parts)


def multiclass_variance(y_true, columns, average):
    """Variance of `multiclass_auc`: the squared sums of what each row adds to every AUC."""
    truth = np.asarray(y_true)
    n, k = len(truth), len(columns)
    shares = [0.0] * n

    def add(label, rows, weight):
        """A row's deviation from the mean placement, divided by n, times sqrt(n / (n - 1))."""
        pos = [row for row in rows if truth[row] == label]
        neg = [row for row in rows if truth[row] != label]
        scores = columns[label]
        for one, others, sign in ((pos, neg, 1), (neg, pos, -1)):
            placed = [
                np.mean([(1 + sign * np.sign(scores[row] - scores[other])) / 2 for other in others])
                for row in one
            ]
            for row, place in zip(one, placed, strict=True):
                factor = np.sqrt(len(one) / (len(one) - 1)) / len(one)
                shares[row] += weight * (place - np.mean(placed)) * factor

    weighted = average.endswith("weighted")
    counts = {label: int(np.sum(truth == label)) for label in columns}
    if average.startswith("hand_till"):
        for a, b in combinations(columns, 2):
            rows = np.flatnonzero((truth == a) | (truth == b))
            weight = len(rows) / (n * (k - 1)) if weighted else 2 / (k * (k - 1))
            for label in (a, b):
                add(label, rows, weight / 2)
    else:
        for label in columns:
            add(label, range(n), counts[label] / n if weighted else 1 / k)
    if weighted:
        # What a row adds as one of its class, whose number of rows is random.
        value = float(multiclass_auc(truth, columns, average))
        for label in columns:
            if average == "weighted":
                of_class = float(reference.auc(truth == label, columns[label]))
            else:
                of_class = np.mean(
                    [
                        float(
                            multiclass_auc(
                                truth[rows],
                                {one: columns[one][rows] for one in (label, other)},
                                "hand_till",
                            )
                        )
                        for other in columns
                        if other != label
                        for rows in [(truth == label) | (truth == other)]
                    ]
                )
            for row in np.flatnonzero(truth == label):
                shares[row] += (of_class - value) / n * np.sqrt(n / (n - 1))
    return sum(share**2 for share in shares)
