"""Naive Bayes models of bootstrap samples, against scikit-learn."""

import math

import numpy as np
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from roclab_studies.granular_roc.bootstrap_bayes import bootstrap_weights, log_odds


class TestBootstrapBayes:
    def test_is_that_of_scikit_learn_for_numbers(self):
        rng = np.random.default_rng(1)
        X, y = rng.normal(size=(90, 4)) * [1, 100, 0.1, 1], rng.random(90) < 0.4
        X[:, 0] += y
        training = np.arange(60)
        weights = bootstrap_weights(60, 3, rng)
        found = log_odds(X, y, np.ones(4, bool), weights, training)
        for row, weight in zip(found, weights, strict=True):
            model = GaussianNB().fit(X[:60], y[:60], sample_weight=weight)
            logs = model.predict_log_proba(X)
            np.testing.assert_allclose(row, logs[:, 1] - logs[:, 0], rtol=1e-5)

    def test_is_that_of_scikit_learn_for_nominal_values(self):
        rng = np.random.default_rng(2)
        X, y = rng.integers(0, 4, (80, 3)).astype(float), rng.random(80) < 0.4
        weights = bootstrap_weights(80, 2, rng)
        found = log_odds(X, y, np.zeros(3, bool), weights, np.arange(80))
        for row, weight in zip(found, weights, strict=True):
            logs = CategoricalNB().fit(X, y, sample_weight=weight).predict_log_proba(X)
            np.testing.assert_allclose(row, logs[:, 1] - logs[:, 0])

    def test_what_is_missing_says_nothing(self):
        rng = np.random.default_rng(3)
        X, y = rng.normal(size=(40, 2)), rng.random(40) < 0.5
        X[:, 1] = X[:, 1] > 0
        X[0] = math.nan
        weights = bootstrap_weights(30, 5, rng)
        found = log_odds(X, y, np.array([True, False]), weights, np.arange(10, 40))
        pos = weights[:, y[10:]].sum(axis=1)
        np.testing.assert_allclose(found[:, 0], np.log(pos / (30 - pos)))

    def test_a_sample_has_as_many_rows(self):
        weights = bootstrap_weights(50, 7, np.random.default_rng(4))
        assert weights.shape == (7, 50)
        assert (weights.sum(axis=1) == 50).all()
        assert len(np.unique(weights)) > 2
