"""Where a linear model is wrong, training on pairs ranks better than training on the likelihood."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from roclab import AUCtronClassifier, compare_auc


def drawn(n, seed):
    """One positive in a hundred, and one negative in fifty far out where positives would be."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.01
    X = rng.normal(size=(n, 5))
    X[y, 0] += 1.0
    X[y, 1] += 0.5
    X[~y & (rng.random(n) < 0.02), 0] += 8
    return X, y


def test_rare_positives_and_stray_negatives():
    X, y = drawn(50_000, seed=0)
    rows, truth = drawn(200_000, seed=1)
    ours = AUCtronClassifier(random_state=0).fit(X, y)
    theirs = LogisticRegression().fit(X, y)
    gain = compare_auc(truth, ours.decision_function(rows), theirs.decision_function(rows))
    assert ours.converged_
    assert gain.low > 0.03


def test_no_worse_where_logistic_regression_is_right():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(150_000, 5))
    y = X @ [1.0, -0.5, 0.3, 0.0, 0.0] + rng.logistic(size=len(X)) > 3
    train, test = slice(0, 50_000), slice(50_000, None)
    ours = AUCtronClassifier(random_state=0).fit(X[train], y[train])
    theirs = LogisticRegression().fit(X[train], y[train])
    gain = compare_auc(y[test], *(m.decision_function(X[test]) for m in (ours, theirs)))
    assert abs(gain.difference) < 1e-3
