"""The learners of the repair study, against scikit-learn."""

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB
from sklearn.tree import DecisionTreeClassifier

from roclab_studies.repair.learners import DiscretisedNaiveBayes, LaplaceTree


class TestLearners:
    def test_naive_bayes_is_that_of_scikit_learn_on_nominal_columns(self):
        rng = np.random.default_rng(3)
        x = rng.integers(0, 4, (300, 5)).astype(float)
        y = rng.random(300) < 0.3 + 0.1 * x[:, 0]
        mine = DiscretisedNaiveBayes(np.zeros(5, bool)).fit(x, y).predict_proba(x)[:, 1]
        peer = CategoricalNB().fit(x, y).predict_proba(x)[:, 1]
        odds, expected = (p / (1 - p) for p in (mine, peer))
        ratio = odds / expected  # the priors differ: it counts after Laplace there too
        np.testing.assert_allclose(ratio, ratio[0])

    def test_missing_and_unseen_values_say_nothing(self):
        x = np.array([[0.0], [0.0], [1.0], [1.0]])
        y = np.array([True, True, False, False])
        model = DiscretisedNaiveBayes(np.zeros(1, bool)).fit(x, y)
        assert model.predict_proba(np.array([[np.nan]]))[0, 1] == pytest.approx(0.5)

    def test_numbers_are_cut_into_ten(self):
        x = np.arange(100.0)[:, None]
        model = DiscretisedNaiveBayes(np.ones(1, bool)).fit(x, x[:, 0] > 50)
        assert len(model.cuts_[0]) == 9

    def test_leaves_are_smoothed(self):
        x = np.repeat([[0.0], [1.0]], 10, axis=0)
        y = np.array([True] * 9 + [False] * 11)
        model = LaplaceTree().fit(x, y)
        assert model.predict_proba(np.array([[0.0], [1.0]]))[:, 1].tolist() == [10 / 12, 1 / 12]
        assert isinstance(model.tree_, DecisionTreeClassifier)
