"""Readings of the granular ROC algorithm."""

from itertools import pairwise

import numpy as np
import pytest

import roclab as rl
from roclab_studies.granular_roc.readings import READINGS


def sample(n, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.4
    return labels, rng.normal(0.45, 0.2, n) + 0.2 * labels


def lower_area_as_printed(rows, granularity):
    """Trapezoids under the lower points of lines 27 and 28; rows (score, positive) descend."""
    n_pos = sum(positive for _, positive in rows)
    n_neg = len(rows) - n_pos
    points = [(0, 0)]
    for i, (score, positive) in enumerate(rows, start=1):
        above = sum(s >= score + granularity for s, _ in rows)
        p = sum(one for _, one in rows[:above])
        n, block = above - p, [one for _, one in rows[above:i]]
        if len(block) == 1:
            points.append(((n + (not positive)) / n_neg, (p + positive) / n_pos))
        else:
            rest = n_pos - sum(block)
            points.append((n / (n_neg + sum(block)), (p + len(block)) / rest if rest else 0))
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise([*points, (1, 1)]))


class TestReadings:
    def test_low_as_printed_is_that_of_a_loop(self):
        labels, scores = sample(60)
        order = np.argsort(-scores)
        rows = list(zip(scores[order].tolist(), labels[order].tolist(), strict=True))
        low, up = READINGS["low as printed"](labels, scores, 0.05)
        assert low == pytest.approx(lower_area_as_printed(rows, 0.05))
        assert up == rl.granular_auc(labels, scores, granularity=0.05, definition="published").up

    def test_scores_are_clipped_and_scaled(self):
        labels, scores = sample(80)
        scores *= 2
        clipped = rl.granular_auc(labels, np.clip(scores, 0, 1), definition="published")
        assert READINGS["published, clipped scores"](labels, scores, 0.02) == (
            clipped.low,
            clipped.up,
        )
        scaled = READINGS["published, scaled scores"](labels, scores, 0.02)
        assert scaled == pytest.approx(
            READINGS["published, scaled scores"](labels, 5 * scores - 3, 0.02)
        )

    def test_constant_denominators_of_four(self):
        labels = np.array([True, False, True, False])
        scores = np.array([0.9, 0.8, 0.2, 0.1])
        # Blocks {0.9}, {0.9, 0.8}, {0.2}, {0.2, 0.1} at a granularity of 0.15.
        low, up = READINGS["constant denominators"](labels, scores, 0.15)
        # Up (0, 1/2), (0, 1), (1/2, 1), (1/2, 3/2); low (1/2, 0), (1, 0), (1, 1/2), (3/2, 1/2).
        assert up == pytest.approx(1 / 2 + 5 / 8)
        assert low == pytest.approx(1 / 4 - 3 / 8)
