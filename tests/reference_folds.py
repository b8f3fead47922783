"""Slow and obvious twins of what is averaged over folds, in fractions."""

from fractions import Fraction
from math import nan

import numpy as np
import reference
import reference_bands


def folds_of(truth, scores, fold, weight=None):
    """(truth, scores, weight, rows) of each fold, in the order in which folds first appear.

    Rows of weight 0 are not there.
    """
    kept = [row for row in range(len(fold)) if weight is None or weight[row] > 0]
    found = []
    for name in dict.fromkeys(fold[row] for row in kept):
        rows = [row for row in kept if fold[row] == name]
        weights = None if weight is None else np.asarray(weight)[rows]
        found.append((np.asarray(truth)[rows], np.asarray(scores)[rows], weights, rows))
    return found


def averaged(truth, scores, fold, weight=None):
    values = [reference.auc(*one[:3]) for one in folds_of(truth, scores, fold, weight)]
    return nan if any(v != v for v in values) else sum(values, Fraction(0)) / len(values)


def variance(truth, scores, fold, weight=None, row=None):
    """LeDell and others, with a factor m / (m - V) for each class; rows of one number add up."""
    parts = folds_of(truth, scores, fold, weight)
    row = range(len(truth)) if row is None else row
    total = Fraction(0)
    for of_class in (True, False):
        influence, effective = {}, Fraction(0)
        for labels, values, weights, rows in parts:
            own_weights = [Fraction(1)] * len(labels) if weights is None else map(Fraction, weights)
            members = list(zip(labels, values, own_weights, rows, strict=True))
            own = [one for one in members if one[0] == of_class and one[2] > 0]
            other = [one for one in members if one[0] != of_class and one[2] > 0]
            mass, other_mass = sum(w for _, _, w, _ in own), sum(w for _, _, w, _ in other)
            effective += mass**2 / sum(w * w for _, _, w, _ in own)
            auc = reference.auc(labels, values, weights)
            for _, score, w, at in own:
                wins = sum(
                    v
                    * (
                        reference.rank_credit(score, x)
                        if of_class
                        else reference.rank_credit(x, score)
                    )
                    for _, x, v, _ in other
                )
                moved = w / mass * (wins / other_mass - auc) / len(parts)
                influence[row[at]] = influence.get(row[at], 0) + moved
        if effective <= len(parts):
            return nan
        squares = sum(one * one for one in influence.values())
        total += squares * effective / (effective - len(parts))
    return total


def placements(truth, scores, fold):
    """(row, class, placement minus AUC of the fold, class and examples in the fold) of each row."""
    for labels, values, _, rows in folds_of(truth, scores, fold):
        auc = reference.auc(labels, values)
        for row, label, score in zip(rows, labels, values, strict=True):
            others = values[labels != label]
            wins = [
                reference.rank_credit(*((score, x) if label else (x, score)))
                for x in others.tolist()
            ]
            mine = int((labels == label).sum())
            yield row, bool(label), sum(wins) / Fraction(len(wins)) - auc, mine, len(rows)


def ledell_variance(truth, scores, fold):
    """Mean over folds of the mean squared influence curve, over the number of examples.

    LeDell, Petersen and van der Laan (2015), with the class shares of all examples together. As
    in cvAUC's ci.cvAUC, the influence curve counts the examples of the other class strictly below
    or above, and subtracts the AUC, in which ties count half.
    """
    n, folds = len(truth), len(set(fold))
    share = {True: Fraction(int(np.sum(truth)), n), False: Fraction(int(np.sum(~truth)), n)}
    total = Fraction(0)
    for labels, values, _, rows in folds_of(truth, scores, fold):
        auc = reference.auc(labels, values)
        for label, score in zip(labels.tolist(), values.tolist(), strict=True):
            others = values[labels != label].tolist()
            wins = sum(score > x if label else score < x for x in others)
            influence = (Fraction(wins, len(others)) - auc) / share[label]
            total += influence**2 / len(rows) / folds
    return total / n


def clustered_variance(truth, scores, fold, cluster):
    """Obuchowski's sums over clusters of the influences on the average, with m - V for m - 1."""
    folds = len(set(fold))
    sums = {True: {}, False: {}}
    for row, label, deviation, mine, _ in placements(truth, scores, fold):
        name = cluster[row]
        moved = deviation / mine / folds
        sums[label][name] = sums[label].get(name, 0) + moved

    def corrected(units, products):
        return products * units / (units - folds) if units > folds else nan

    p, q = sums[True], sums[False]
    return (
        corrected(len(p), sum(one * one for one in p.values()))
        + corrected(len(q), sum(one * one for one in q.values()))
        + corrected(len(p | q), 2 * sum(p[name] * q[name] for name in p if name in q))
    )


def vertical(truth, scores, fold, grid, weight=None):
    """The mean and its standard error over folds of the highest TPR at each FPR."""
    chains = [reference_bands.chain(*one[:3]) for one in folds_of(truth, scores, fold, weight)]
    rates = [[float(reference_bands.highest_tpr(one, t)) for t in grid] for one in chains]
    return np.mean(rates, axis=0), np.std(rates, axis=0, ddof=1) / np.sqrt(len(rates))


def by_threshold(truth, scores, fold, thresholds, weight=None):
    """Mean FPR and mean TPR at each threshold."""
    rates = []
    for labels, values, weights, _ in folds_of(truth, scores, fold, weight):
        w = np.ones(len(labels)) if weights is None else weights
        rates.append(
            [
                [
                    (w * (labels == of) * (values >= t)).sum() / (w * (labels == of)).sum()
                    for t in thresholds
                ]
                for of in (False, True)
            ]
        )
    return np.mean(rates, axis=0)
