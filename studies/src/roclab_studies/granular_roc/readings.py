"""Readings of the algorithm of Dong and others: ours, and those that were tried and dropped."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import roclab as rl

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.bool_]
# The lower and the upper granular AUC of labels and scores at a granularity.
Areas = tuple[float, float]


def published(labels: Labels, scores: Floats, granularity: float) -> Areas:
    """The printed algorithm with the lower point and the counts of the block put right."""
    found = rl.granular_auc(labels, scores, granularity=granularity, definition="published")
    return found.low, found.up


def clean(labels: Labels, scores: Floats, granularity: float) -> Areas:
    """Positives moved down and up."""
    found = rl.granular_auc(labels, scores, granularity=granularity)
    return found.low, found.up


def low_as_printed(labels: Labels, scores: Floats, granularity: float) -> Areas:
    """Lines 27 and 28 as they stand: the lower point, too, has the block among its positives."""
    p, n, xi_p, xi_n, alone = blocks(labels, scores, granularity)
    n_pos, n_neg = int(labels.sum()), int((~labels).sum())
    b = xi_p + xi_n
    x = np.where(alone, (n + xi_n) / n_neg, n / (n_neg + xi_p))
    y = np.where(alone, (p + xi_p) / n_pos, _ratio(p + b, n_pos - xi_p))
    return area(x, y), published(labels, scores, granularity)[1]


def constant_denominators(labels: Labels, scores: Floats, granularity: float) -> Areas:
    """Rates of all positives and negatives, and no rule for a block of one."""
    p, n, xi_p, xi_n, _ = blocks(labels, scores, granularity)
    n_pos, n_neg = int(labels.sum()), int((~labels).sum())
    b = xi_p + xi_n
    return area((n + b) / n_neg, p / n_pos), area(n / n_neg, (p + b) / n_pos)


def clipped(labels: Labels, scores: Floats, granularity: float) -> Areas:
    """The published reading of scores that are kept in [0, 1]."""
    return published(labels, np.clip(scores, 0, 1), granularity)


def scaled(labels: Labels, scores: Floats, granularity: float) -> Areas:
    """The published reading of scores that are stretched to [0, 1]."""
    return published(labels, stretched(scores), granularity)


READINGS: dict[str, Callable[[Labels, Floats, float], Areas]] = {
    "published": published,
    "clean": clean,
    "low as printed": low_as_printed,
    "constant denominators": constant_denominators,
    "published, clipped scores": clipped,
    "published, scaled scores": scaled,
}


def stretched(scores: Floats) -> Floats:
    """Scores whose lowest is 0 and whose highest is 1."""
    return (scores - scores.min()) / np.ptp(scores)


def blocks(
    labels: Labels, scores: Floats, granularity: float
) -> tuple[Floats, Floats, Floats, Floats, Labels]:
    """For each score s from the top, none of them tied: what lies at or above s + granularity.

    Positives and negatives there, positives and negatives of the block from s up to it, and whether
    the block is s alone.
    """
    order = np.argsort(-scores)
    ordered, truth = scores[order], labels[order]
    above = np.searchsorted(-ordered, -(ordered + granularity), side="right")
    pos, neg = (np.concatenate(([0.0], np.cumsum(part))) for part in (truth, ~truth))
    own = np.arange(1, len(scores) + 1)
    p, n = pos[above], neg[above]
    return p, n, pos[own] - p, neg[own] - n, own == above + 1


def area(x: Floats, y: Floats) -> float:
    """Trapezoids in the order of the points, from (0, 0) to (1, 1)."""
    xs, ys = (np.concatenate(([0], values, [1])) for values in (x, y))
    return float(np.diff(xs) @ (ys[1:] + ys[:-1]) / 2)


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole != 0)
