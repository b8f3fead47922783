"""Readings of the granular ROC algorithm."""

import numpy as np
import pytest
import reference_granular

import roclab as rl
from studies.granular_roc.readings import READINGS


def sample(n, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.4
    return labels, rng.normal(0.45, 0.2, n) + 0.2 * labels


class TestReadings:
    def test_low_as_printed_is_that_of_a_loop(self):
        labels, scores = sample(60)
        order = np.argsort(-scores)
        rows = list(zip(scores[order].tolist(), labels[order].tolist(), strict=True))
        expected = reference_granular.published_rows(rows, 0.05, low_as_printed=True)
        found = READINGS["low as printed"](labels, scores, 0.05)
        assert found == pytest.approx([float(one) for one in expected])

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
