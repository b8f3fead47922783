"""Measures of many score columns equal those of the library."""

import numpy as np
import pytest

import roclab as rl
from roclab_studies.scored_auc.measures import measured


class TestMeasures:
    @pytest.mark.parametrize("digits", [1, 2, 15])
    def test_are_those_of_the_library(self, digits):
        rng = np.random.default_rng(digits)
        scores = np.round(rng.random((7, 40)), digits)
        labels = rng.random((7, 40)) < scores
        found = measured(scores, labels)
        for at in range(7):
            one = labels[at], scores[at]
            assert found.auc[at] == pytest.approx(rl.auc(*one), abs=1e-12)
            assert found.scored[at] == pytest.approx(rl.scored_auc(*one), abs=1e-12)
            assert -found.brier[at] == pytest.approx(rl.brier_score(*one), abs=1e-12)
            assert found.accuracy[at] == np.mean((scores[at] >= 0.5) == labels[at])

    def test_labels_may_be_shared(self):
        labels = np.array([True, False, True, False])
        scores = np.array([[0.5, 0.5, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
        assert measured(scores, labels).auc.tolist() == [0.875, 0.5]
