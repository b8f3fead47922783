"""Slow and obvious twins of the scored AUC family, with the words and habits of `reference.py`."""

import math
from fractions import Fraction
from itertools import pairwise

import reference


def _rescaled(scores):
    """Min-max scaling in fractions; constant scores become 0."""
    exact = [Fraction(s) for s in scores]
    low, span = min(exact), max(exact) - min(exact)
    return [(s - low) / span if span else Fraction(0) for s in exact]


def rows(truth, scores, weight=None, normalize=False):
    """Positives and negatives as (score, weight), all fractions."""
    pos, neg = reference.split(truth, scores, weight)
    values = [Fraction(s) for s, _ in pos + neg]
    if normalize:
        values = _rescaled(values)
    weights = [w for _, w in pos + neg]
    both = list(zip(values, weights, strict=True))
    return both[: len(pos)], both[len(pos) :]


def margin_auc(truth, scores, tau, weight=None, strict=False, normalize=False):
    """theta(tau), by its definition."""
    half = Fraction(0) if strict else Fraction(1, 2)
    tau = Fraction(tau)

    def credit(y, x):
        return Fraction(1) if y - x > tau else half if y - x == tau else Fraction(0)

    return reference.mean_over_pairs(credit, *rows(truth, scores, weight, normalize))


def margin_area(truth, scores, low, high, weight=None, normalize=False):
    """Area under theta between two finite margins, pair by pair."""
    low, high = Fraction(low), Fraction(high)

    def credit(y, x):
        return min(max(y - x - low, Fraction(0)), high - low)

    return reference.mean_over_pairs(credit, *rows(truth, scores, weight, normalize))


def steps(truth, scores, low, high):
    """(middle, width) of every stretch between two margins on which theta is constant."""
    pos, neg = rows(truth, scores)
    jumps = {y - x for y, _ in pos for x, _ in neg if low < y - x < high}
    cuts = [Fraction(low), *sorted(jumps), Fraction(high)]
    return [((a + b) / 2, b - a) for a, b in pairwise(cuts)]


def parts(truth, scores, weight=None, normalize=False):
    """(R+, R-, M+, M-), strictly as defined."""
    pos, neg = rows(truth, scores, weight, normalize)
    return (
        reference.mean_over_pairs(lambda y, x: y if y > x else Fraction(0), pos, neg),
        reference.mean_over_pairs(lambda y, x: x if y > x else Fraction(0), pos, neg),
        reference.mean_over_pairs(lambda y, _: y, pos, neg),
        reference.mean_over_pairs(lambda _, x: x, pos, neg),
    )


def table_2(ranked):
    """R+ and R- by the paper's algorithm, for (score, positive) in descending order of score."""
    m = sum(1 for _, positive in ranked if positive)
    n = len(ranked) - m
    over = under = row = column = Fraction(0)
    for score, positive in ranked:
        if positive:
            column += Fraction(score)
            over += row
        else:
            row += Fraction(score)
            under += column
    return under / (m * n), (m * row - over) / (m * n)


def soft_auc(truth, scores, slope, weight=None):
    """Mean over pairs of the sigmoid, each difference exact before it is rounded once."""
    pos, neg = rows(truth, scores, weight)
    total = math.fsum(
        float(w * v) * sigmoid(float((y - x) * Fraction(slope))) for y, w in pos for x, v in neg
    )
    return total / float(sum(w for _, w in pos) * sum(v for _, v in neg))


def sigmoid(t):
    return 1 / (1 + math.exp(-t)) if t > -700 else 0.0
