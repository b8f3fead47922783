"""Rows in an order of content: the same whatever their weights, and however they are written."""

import numpy as np
import pytest
from scipy import sparse

from roclab.learning import AUCtronClassifier, MSEtronClassifier
from roclab.learning.training_rows import TrainingRows


def test_weights_change_nothing_in_the_order_of_many_rows():
    # So many that some dozen share half of their hash.
    X = np.random.default_rng(0).normal(size=(400_000, 3))
    y = (X[:, 0] > 0.5).astype(int)
    plain = TrainingRows.of(X, y, None).in_order_of_content()
    for weights in (np.ones(len(y)), np.exp(X[:, 1])):
        weighted = TrainingRows.of(X, y, weights).in_order_of_content()
        assert np.array_equal(weighted.features, plain.features)


def test_weights_of_equal_rows_are_added_up_in_one_order():
    rng = np.random.default_rng(1)
    X, y, weights = rng.integers(0, 3, (500, 1)) * 1.0, np.arange(500) % 2, rng.random(500)
    found = TrainingRows.of(X, y, weights).in_order_of_content()
    assert len(found.labels) == 6
    assert found.weights == pytest.approx(
        [weights[(X[:, 0] == value) & (y == label)].sum() for value, label in pairs(found)]
    )
    for seed in range(5):
        rows = np.random.default_rng(seed).permutation(500)
        other = TrainingRows.of(X[rows], y[rows], weights[rows]).in_order_of_content()
        assert other.weights.tolist() == found.weights.tolist()


def test_zeros_of_either_sign_are_equal():
    rows = TrainingRows.of(np.array([[0.0], [-0.0], [1.0]]), np.array([0, 0, 1]), None)
    assert sorted(rows.in_order_of_content().weights.tolist()) == [1, 2]


@pytest.mark.parametrize("form", ["unsorted", "twice", "zeros"])
@pytest.mark.parametrize("classifier", [AUCtronClassifier, MSEtronClassifier])
def test_all_ways_to_write_sparse_features_give_the_same_model(classifier, form):
    rng = np.random.default_rng(2)
    dense = rng.integers(-2, 3, (200, 4)) * (rng.random((200, 4)) < 0.6) * 1.0
    y = dense[:, 0] + rng.normal(size=200) > 0.3
    ends = np.arange(201)
    columns, values = np.tile(np.arange(4), (200, 1)), dense
    if form == "unsorted":
        columns, values = columns[:, ::-1], values[:, ::-1]
    elif form == "twice":
        columns, values = np.repeat(columns, 2, axis=1), np.repeat(values / 2, 2, axis=1)
    X = sparse.csr_array((values.ravel(), columns.ravel(), ends * columns.shape[1]), dense.shape)
    as_it_came = X.data.copy(), X.indices.copy()
    found = classifier(random_state=0).fit(X, y)
    expected = classifier(random_state=0).fit(sparse.csr_array(dense), y)
    assert found.coef_.tolist() == expected.coef_.tolist()
    assert np.array_equal(X.data, as_it_came[0])
    assert np.array_equal(X.indices, as_it_came[1])


def pairs(rows):
    return zip(rows.features[:, 0], rows.labels, strict=True)
