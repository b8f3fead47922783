"""Learners for many subsets of attributes, against a loop and scikit-learn."""

import numpy as np
import pytest
from attribute_tables import table
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

from roclab_studies import subset_learners
from roclab_studies.gain_ratio_trees import Attributes


class TestBayes:
    @pytest.mark.parametrize("seed", range(3))
    def test_is_that_of_a_loop(self, seed):
        attributes, labels = table(seed)
        learn, judge = np.arange(50), np.arange(50, 80)
        usable = np.array([[True] * 6, [True, False] * 3])
        found = subset_learners.bayes_scores(attributes, labels, learn, judge, usable)
        for line, allowed in zip(found, usable, strict=True):
            for score, row in zip(line, attributes.values[judge], strict=True):
                odds = (labels[learn].sum() + 1) / ((~labels[learn]).sum() + 1)
                for k in np.flatnonzero(allowed):
                    if not np.isnan(row[k]):
                        odds *= chance(attributes, k, learn[labels[learn]], learn, row[k])
                        odds /= chance(attributes, k, learn[~labels[learn]], learn, row[k])
                assert score == pytest.approx(odds / (1 + odds), rel=1e-9)

    def test_a_value_far_from_both_classes_is_no_evidence(self):
        known, truth = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([True, True, False, False])
        far = subset_learners.number_evidence(known, truth, np.array([[1e9], [np.nan]]))
        assert far.tolist() == [[0.0], [0.0]]


def chance(attributes, k, rows, learn, value):
    """Of a value among these rows."""
    column = attributes.values[rows, k]
    column = column[~np.isnan(column)]
    size = attributes.sizes[k]
    if size:
        return (np.sum(column == value) + 1) / (len(column) + size)
    everything = np.unique(attributes.values[learn, k])
    width = np.diff(everything[~np.isnan(everything)]).mean()
    normal = norm(column.mean(), max(column.std(), width / 6))
    return normal.cdf(value + width / 2) - normal.cdf(value - width / 2)


class TestLogistic:
    @pytest.mark.parametrize("ridge", [1e-8, 0.5])
    def test_weights_are_those_of_scikit_learn(self, ridge):
        attributes, labels = table(2, 200, missing=0)
        design = np.column_stack((np.ones(200), attributes.values))
        kept = np.array([[True] * 7, [True, True, False, True, False, True, True]])
        found = subset_learners.logistic_weights(design, labels, kept, ridge=ridge)
        for line, columns in zip(found, kept, strict=True):
            peer = LogisticRegression(C=1 / (2 * ridge), tol=1e-10, max_iter=10_000)
            peer.fit(design[:, columns][:, 1:], labels)
            np.testing.assert_allclose(line[columns][0], peer.intercept_[0], atol=1e-4)
            np.testing.assert_allclose(line[columns][1:], peer.coef_[0], atol=1e-4)
            assert (line[~columns] == 0).all()

    def test_separated_classes_end_with_a_perfect_ranking(self):
        x = np.linspace(-1, 1, 20)
        design = np.column_stack((np.ones(20), x, x))
        weights = subset_learners.logistic_weights(design, x > 0.1, np.ones((1, 3), bool))
        assert np.isfinite(weights).all()
        scores = 1 / (1 + np.exp(-np.clip(weights[0] @ design.T, -700, 700)))
        assert ((scores > 0.5) == (x > 0.1)).all()

    def test_columns_and_gaps(self):
        values = np.array([[0, 0, 1.0], [2, 1, 3.0], [2, 1, np.nan], [np.nan, np.nan, 8.0]])
        attributes = Attributes(values=values, sizes=np.array([3, 2, 0]))
        columns, owner = subset_learners.indicators(attributes, np.arange(3))
        assert owner.tolist() == [0, 0, 0, 1, 2]
        assert columns[2].tolist() == [0, 0, 1, 1, 2]
        assert columns[3].tolist() == [0, 0, 1, 1, 8]
