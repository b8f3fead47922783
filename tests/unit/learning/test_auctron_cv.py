"""AUCtron with its penalty chosen by cross-validation."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss, make_scorer
from sklearn.model_selection import GroupKFold, StratifiedKFold

import roclab as rl
from roclab.errors import InputError
from roclab.learning.solvers import SOLVERS


def drawn(n=300, features=6, seed=0, share=0.2, noise=2.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, features)) * np.geomspace(0.01, 100, features)
    z = X[:, 0] * 100 + X[:, 1] * 5 + noise * rng.normal(size=n)
    return X, (z > np.quantile(z, 1 - share)).astype(int), rng.integers(1, 4, n)


def test_the_path_gives_the_scores_of_single_fits():
    """Every cell is what AUCtronClassifier, trained on that fold with that penalty, has."""
    X, y, _ = drawn()
    splits = list(StratifiedKFold(4).split(X, y))
    X = (X - X.mean(axis=0)) / X.std(axis=0)  # all folds are scaled as all rows are
    model = rl.AUCtronClassifierCV(alphas=[1.0, 0.1, 0.01], cv=splits, tol=1e-8).fit(X, y)
    assert model.alphas_.tolist() == [1.0, 0.1, 0.01]
    for fold, (train, test) in enumerate(splits):
        for place, alpha in enumerate(model.alphas_):
            single = rl.AUCtronClassifier(
                alpha=alpha, tol=1e-8, random_state=0, standardize=False
            ).fit(X[train], y[train])
            expected = rl.auc(y[test], single.decision_function(X[test]))
            assert model.scores_[fold, place] == pytest.approx(expected, abs=1e-9)
    means = model.scores_.mean(axis=0)
    assert model.alpha_ == model.alphas_[means.argmax()]
    assert model.best_score_ == means.max()
    alone = rl.AUCtronClassifier(alpha=model.alpha_, tol=1e-8, random_state=0).fit(X, y)
    assert model.coef_ == pytest.approx(alone.coef_, rel=1e-4, abs=1e-6)
    assert model.intercept_ == pytest.approx(alone.intercept_, rel=1e-4)
    assert model.converged_
    assert model.gradient_norm_ < 1e-6


def test_of_equally_good_penalties_the_strongest_is_chosen():
    X = np.arange(40.0)[:, np.newaxis]  # one feature ranks in one way
    model = rl.AUCtronClassifierCV().fit(X, X[:, 0] > 25)
    assert model.alpha_ == model.alphas_[0] == model.alphas_.max()
    assert (model.scores_ == 1).all()


def test_a_path_takes_fewer_iterations_than_its_points_alone(monkeypatch):
    X, y, _ = drawn(400, features=10)
    counted = []
    original = SOLVERS["lbfgs"]

    def counting(objective, path, max_iter, tol):
        ended = original(objective, path, max_iter, tol)
        counted.append(path.iterations)
        return ended

    monkeypatch.setitem(SOLVERS, "lbfgs", counting)
    model = rl.AUCtronClassifierCV(cv=2).fit(X, y)
    path = sum(counted)
    counted.clear()
    for train, _ in StratifiedKFold(2).split(X, y):
        for alpha in model.alphas_:
            single = rl.AUCtronClassifier(alpha=alpha, tol=model.tol, random_state=0)
            single.fit(X[train], y[train])
    assert path < 0.8 * sum(counted)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_weights_are_repetitions_and_the_order_changes_no_digit(form):
    X, y, times = drawn(150)
    times[::7] = 0
    rows = np.random.default_rng(4).permutation(np.repeat(np.arange(len(y)), times))
    weighted = rl.AUCtronClassifierCV().fit(form(X), y, sample_weight=times)
    repeated = rl.AUCtronClassifierCV().fit(form(X[rows]), y[rows])
    assert weighted.scores_.tolist() == repeated.scores_.tolist()
    assert weighted.alpha_ == repeated.alpha_
    assert weighted.coef_.tolist() == repeated.coef_.tolist()
    assert weighted.intercept_.tolist() == repeated.intercept_.tolist()


def test_weights_count_when_folds_are_scored():
    X, y, weights = drawn(200)
    splits = list(StratifiedKFold(3).split(X, y))
    model = rl.AUCtronClassifierCV(alphas=[0.1], cv=splits).fit(X, y, weights)
    X = (X - np.average(X, axis=0, weights=weights)) / np.sqrt(
        np.cov(X.T, aweights=weights, ddof=0).diagonal()
    )
    train, test = splits[0]
    single = rl.AUCtronClassifier(alpha=0.1, random_state=0, standardize=False)
    scores = single.fit(X[train], y[train], weights[train]).decision_function(X[test])
    expected = rl.auc(y[test], scores, sample_weight=weights[test])
    assert model.scores_[0, 0] == pytest.approx(expected, abs=1e-9)
    assert model.scores_[0, 0] != pytest.approx(rl.auc(y[test], scores), abs=1e-4)


def test_the_scale_of_features_and_the_number_of_rows_do_not_change_the_choice():
    X, y, _ = drawn()
    found = rl.AUCtronClassifierCV().fit(X, y)
    moved = rl.AUCtronClassifierCV(cv=list(StratifiedKFold(5).split(X, y))).fit(X, y)
    again = rl.AUCtronClassifierCV(cv=list(StratifiedKFold(5).split(X, y))).fit(1e3 * X + 5, y)
    assert again.alpha_ == moved.alpha_
    assert again.scores_ == pytest.approx(moved.scores_, abs=2e-3)
    twice = rl.AUCtronClassifierCV().fit(np.vstack([X, X]), np.concatenate([y, y]))
    assert twice.scores_ == pytest.approx(found.scores_, abs=1e-12)
    assert twice.unit_coef_ == pytest.approx(found.unit_coef_, rel=1e-6)


@pytest.mark.parametrize("standardize", [True, False])
def test_own_splits_are_of_the_rows_as_they_came(standardize):
    X, y, weights = drawn(120)
    groups = np.arange(len(y)) // 5
    weights[groups == 3] = 0
    splits = list(GroupKFold(4).split(X, y, groups))
    model = rl.AUCtronClassifierCV(cv=splits, alphas=[0.1], standardize=standardize)
    found = model.fit(X, y, weights).scores_
    kept = np.flatnonzero(weights)
    inside = [(np.isin(kept, train), np.isin(kept, test)) for train, test in splits]
    without = [(np.flatnonzero(train), np.flatnonzero(test)) for train, test in inside]
    model.set_params(cv=without).fit(X[kept], y[kept], weights[kept])
    assert found.tolist() == model.scores_.tolist()


def test_other_scores():
    X, y, weights = drawn()
    X = np.vstack([X, X[:30]])
    y, weights = np.append(y, y[:30]), np.append(weights, weights[:30])
    by_auc = rl.AUCtronClassifierCV(cv=3).fit(X, y, weights)
    same = rl.AUCtronClassifierCV(cv=3, scoring=rl.scorers["auc"]).fit(X, y, weights)
    assert same.scores_ == pytest.approx(by_auc.scores_, abs=1e-12)
    loss = rl.AUCtronClassifierCV(cv=3, scoring="neg_log_loss").fit(X, y)
    assert (loss.scores_ < 0).all()
    assert loss.best_score_ == loss.scores_.mean(axis=0).max()
    # A scorer that takes no weights is given the rows that were merged.
    rows = []

    def unweighted(model, X, y):
        rows.append(len(y))
        return -log_loss(y, model.predict_proba(X))

    plain = rl.AUCtronClassifierCV(cv=3, scoring=unweighted).fit(X, y)
    assert sum(rows) == len(y) * len(plain.alphas_)
    assert plain.scores_ == pytest.approx(loss.scores_, rel=1e-12)
    scorer = make_scorer(rl.measures.accuracy, response_method="predict_proba")
    assert rl.AUCtronClassifierCV(cv=3, scoring=scorer).fit(X, y).best_score_ > 0.7


def test_few_rows_of_a_class():
    X, y, _ = drawn(60)
    few = np.zeros(60, int)
    few[np.argsort(-X[:, 0])[:3]] = 1
    assert rl.AUCtronClassifierCV().fit(X, few).scores_.shape == (3, 11)
    few[np.argsort(-X[:, 0])[:2]] = 0
    with pytest.raises(InputError, match="1 different positive and 59 negative rows"):
        rl.AUCtronClassifierCV().fit(X, few)
    with pytest.raises(InputError, match="Split 0 has 0 positive and 10 negative rows to test on"):
        rl.AUCtronClassifierCV(cv=[(np.arange(10, 60), np.flatnonzero(y == 0)[:10])]).fit(X, y)
    with pytest.raises(InputError, match="Split 0 has 10 positive and 0 negative rows to train on"):
        rl.AUCtronClassifierCV(cv=[(np.flatnonzero(y)[:10], np.arange(60))]).fit(X, y)


def test_folds_are_refused_before_a_model_is_trained(monkeypatch):
    X, y, _ = drawn(60)
    everything, one_class = np.arange(60), np.flatnonzero(y)
    monkeypatch.setattr(rl.AUCtronClassifierCV, "_minimise", None)
    with pytest.raises(
        InputError, match=r"Split 1 has \d+ positive and 0 negative rows to test on"
    ):
        rl.AUCtronClassifierCV(cv=[(everything, everything), (everything, one_class)]).fit(X, y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alphas": []}, r"alphas=\[\] is out of range"),
        ({"alphas": [0.1, -1]}, "finite non-negative numbers"),
        ({"alphas": [0.1, np.inf]}, "finite non-negative numbers"),
        ({"alphas": 1}, "alphas=1 is out of range"),
        ({"alphas": "many"}, "alphas='many' is out of range"),
        ({"cv": 1}, "cv=1 is out of range"),
        ({"cv": []}, "cv has no folds; pairs of training and test rows"),
        ({"cv": [1]}, "cv holds 1; pairs of training and test rows"),
        ({"cv": [([0, 1], [10**6])]}, "A fold of cv does not fit the"),
        ({"cv": [(range(40), range(40)), (range(40), [])]}, "Split 1 of cv has no test rows"),
        ({"gamma": 0}, "gamma=0 is out of range"),
        ({"solver": "newton-cg", "p": 1}, "needs a second derivative"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    X, y, _ = drawn(40)
    with pytest.raises(InputError, match=message):
        rl.AUCtronClassifierCV(**options).fit(X, y)


def test_splits_may_be_lists_or_masks():
    X, y, _ = drawn(60)
    splits = list(StratifiedKFold(3).split(X, y))
    expected = rl.AUCtronClassifierCV(alphas=[0.1, 0.01], cv=splits).fit(X, y)
    for same in (
        [tuple(map(list, split)) for split in splits],
        [tuple(np.isin(np.arange(60), rows) for rows in split) for split in splits],
        iter(splits),
    ):
        model = rl.AUCtronClassifierCV(alphas=[0.1, 0.01], cv=same).fit(X, y)
        assert model.scores_.tolist() == expected.scores_.tolist()


def test_only_the_model_that_is_kept_warns():
    X, y, _ = drawn(200)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        rl.AUCtronClassifierCV(max_iter=1, cv=2).fit(X, y)
    assert [warning.category.__bases__[-1] for warning in said] == [ConvergenceWarning]
    assert "max_iter=1 was reached" in str(said[0].message)
