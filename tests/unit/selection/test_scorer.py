import copy
import pickle
import warnings

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import AgglomerativeClustering
from sklearn.ensemble import IsolationForest, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    PredefinedSplit,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import roclab as rl
from roclab.measures.measure import measures_by_name

RANKS = ("decision_function", "predict_proba")
PROBABILITIES = ("predict_proba",)
NEED_OPTIONS = [
    "expected_cost(false_positive_cost=1, false_negative_cost=5)",
    "margin_auc(margin=0.2)",
    "net_benefit(threshold=0.2)",
    "partial_auc(fpr_range=(0, 0.1))",
    "sensitivity(specificity=0.9)",
    "specificity(sensitivity=0.9)",
]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(120, 3)).round(1)  # equal rows, so that scores tie
    y = (X[:, 0] + rng.normal(size=120) > 0.3).astype(int)
    return X, y


def held_out(model, X, y, method="predict_proba", cv=3):
    """Labels and scores of each test fold, by hand."""
    for train, test in StratifiedKFold(cv).split(X, y):
        fitted = clone(model).fit(X[train], y[train])
        scores = getattr(fitted, method)(X[test])
        yield y[test], scores if scores.ndim == 1 else scores[:, 1], test


class Recording(ClassifierMixin, BaseEstimator):
    """A classifier that counts its predictions."""

    calls = 0

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        type(self).calls += 1
        positive = 1 / (1 + np.exp(-X[:, 0]))
        return np.c_[1 - positive, positive]


@pytest.mark.parametrize("word", [*rl.scorers, *NEED_OPTIONS])
def test_scores_are_those_of_the_measure_on_held_out_folds(word, data):
    X, y = data
    model = LogisticRegression()
    scorer = rl.scorers[word]
    measure, options = rl.find_measure(word.removeprefix("neg_"))
    sign = -1 if measure.better == "lower" else 1
    expected = [
        sign * float(measure.function(labels, scores, **options))
        for labels, scores, _ in held_out(model, X, y, scorer.response_method[0])
    ]
    found = cross_val_score(model, X, y, cv=3, scoring=scorer, error_score="raise")
    assert found.tolist() == expected
    assert len(set(expected)) > 1


def test_numbers_by_hand():
    X, y = np.array([[0.0], [1.0], [1.0], [3.0]]), np.array([0, 1, 0, 1])
    model = Recording().fit(X, y)
    p = 1 / (1 + np.exp(-X[:, 0]))
    assert rl.scorers["auc"](model, X, y) == 0.875
    assert rl.scorers["neg_brier_score"](model, X, y) == pytest.approx(-np.mean((p - y) ** 2))
    gaps = [p[1] - p[0], 0, p[3] - p[0], p[3] - p[2]]
    assert rl.scorers["scored_auc"](model, X, y) == pytest.approx(np.mean(gaps))
    assert rl.scorers["accuracy"](model, X, y) == 0.5  # all are at least 0.5


def test_every_measure_of_one_number_has_a_scorer():
    names = {name for name, measure in measures_by_name().items() if measure.single}
    found = {word.removeprefix("neg_").partition("(")[0] for word in (*rl.scorers, *NEED_OPTIONS)}
    assert found == names


@pytest.mark.parametrize(
    ("word", "methods"),
    [
        ("auc", RANKS),
        ("h_measure(severity_ratio=1)", RANKS),
        ("precision_at", RANKS),
        ("expected_cost(false_positive_cost=1, false_negative_cost=5)", RANKS),
        (
            "expected_cost(false_positive_cost=1, false_negative_cost=5, threshold=0.5)",
            PROBABILITIES,
        ),
        ("accuracy", PROBABILITIES),
        ("scored_auc", PROBABILITIES),
        ("lambda_auc", PROBABILITIES),
        ("log_loss", PROBABILITIES),
    ],
)
def test_scores_come_from_probabilities_where_their_scale_counts(word, methods):
    assert rl.scorers[word].response_method == methods


class TestEstimators:
    def test_decision_values_alone_are_enough_for_ranks(self, data):
        X, y = data
        expected = [rl.auc(*fold[:2]) for fold in held_out(LinearSVC(), X, y, "decision_function")]
        found = cross_val_score(LinearSVC(), X, y, cv=3, scoring=rl.scorers["auc"])
        assert found.tolist() == expected

    def test_decision_values_can_be_asked_for(self, data):
        X, y = data
        scorer = rl.scorers.make("scored_auc", response_method="decision_function")
        folds = held_out(LogisticRegression(), X, y, "decision_function")
        expected = [rl.scored_auc(*fold[:2]) for fold in folds]
        found = cross_val_score(LogisticRegression(), X, y, cv=3, scoring=scorer)
        assert found.tolist() == expected

    def test_probabilities_are_missed_with_advice(self, data):
        model = LinearSVC().fit(*data)
        with pytest.raises(rl.InputError, match="scored_auc needs predict_proba, which"):
            rl.scorers["scored_auc"](model, *data)
        with pytest.raises(rl.InputError, match=r"LinearSVC does not have\. Wrap it in Calibrated"):
            rl.scorers["brier_score"](model, *data)
        calibrated = CalibratedClassifierCV(LinearSVC()).fit(*data)
        assert 0 < rl.scorers["scored_auc"](calibrated, *data) < 1

    def test_an_estimator_without_scores(self, data):
        model = AgglomerativeClustering().fit(data[0])
        with pytest.raises(rl.InputError, match="decision_function or predict_proba, which Aggl"):
            rl.scorers["auc"](model, *data)

    def test_a_failure_in_a_search_is_nan_with_the_advice(self, data):
        with pytest.warns(UserWarning, match="which LinearSVC does not have"):
            found = cross_val_score(LinearSVC(), *data, cv=3, scoring=rl.scorers["scored_auc"])
        assert np.isnan(found).all()

    def test_pipelines_and_sparse_matrices(self, data):
        X, y = data
        dense = make_pipeline(StandardScaler(with_mean=False), LogisticRegression())
        expected = [rl.h_measure(*fold[:2]) for fold in held_out(dense, X, y, "decision_function")]
        scorer = rl.scorers["h_measure"]
        assert cross_val_score(dense, X, y, cv=3, scoring=scorer).tolist() == expected
        found = cross_val_score(dense, sparse.csr_matrix(X), y, cv=3, scoring=scorer)
        np.testing.assert_allclose(found, expected)

    def test_an_outlier_detector(self, data):
        X, y = data
        model = IsolationForest(random_state=0).fit(X)
        assert rl.scorers["auc"](model, X, y) == rl.auc(y, model.decision_function(X))

    def test_three_classes(self, data):
        X, _ = data
        y = np.arange(len(X)) % 3
        model = LogisticRegression().fit(X, y)
        with pytest.raises(rl.InputError, match=r"on 3 classes \(0, 1, 2\); auc needs two"):
            rl.scorers["auc"](model, X, y)


class TestLabels:
    @pytest.mark.parametrize("names", [("no", "yes"), ("z", "a"), (1, 2), (-1, 0), (False, True)])
    def test_the_last_class_is_positive(self, names, data):
        X, y = data
        named = np.array(names)[y]
        model = KNeighborsClassifier(7)
        last = np.unique(named)[-1]
        for word in ("auc", "neg_brier_score"):
            measure, _ = rl.find_measure(word.removeprefix("neg_"))
            expected = [
                (-1 if "neg" in word else 1) * measure.function(labels == last, scores)
                for labels, scores, _ in held_out(model, X, named)
            ]
            found = cross_val_score(model, X, named, cv=3, scoring=rl.scorers[word])
            assert found.tolist() == expected

    def test_another_class_can_be_positive(self, data):
        X, y = data
        named = np.array(["bad", "good"])[y]
        model = LogisticRegression().fit(X, named)
        for word, score in (("auc", -model.decision_function(X)), ("scored_auc", None)):
            score = model.predict_proba(X)[:, 0] if score is None else score
            found = rl.scorers.make(word, pos_label="bad")(model, X, named)
            assert found == rl.find_measure(word)[0].function(named == "bad", score)

    def test_scorers_of_both_classes_share_no_predictions(self, data):
        X, y = data
        named = np.array(["bad", "good"])[y]
        model = RandomForestClassifier(20, random_state=0)
        scoring = {
            "theirs": "roc_auc",
            "good": rl.scorers["scored_auc"],
            "bad": rl.scorers.make("margin_auc", margin=0.3, pos_label="bad"),
            "again": rl.scorers["margin_auc(margin=0.3)"],
        }
        found = cross_validate(model, X, named, cv=3, scoring=scoring)
        for key, word, positive in (
            ("theirs", "auc", "good"),
            ("bad", "margin_auc(margin=0.3)", "bad"),
            ("again", "margin_auc(margin=0.3)", "good"),
        ):
            alone = rl.scorers.make(word, pos_label=positive)
            expected = cross_val_score(model, X, named, cv=3, scoring=alone)
            np.testing.assert_allclose(found[f"test_{key}"], expected, rtol=1e-12)
        assert (found["test_bad"] != found["test_again"]).all()

    def test_a_fold_of_one_class_is_read_as_the_estimator_knows_it(self, data):
        # 1 alone would pass for positive
        X, y = data
        named = y + 1
        model = LogisticRegression().fit(X, named)
        ones = named == 1
        expected = -np.mean(model.predict_proba(X[ones])[:, 1] ** 2)
        assert rl.scorers["brier_score"](model, X[ones], named[ones]) == pytest.approx(expected)

    def test_a_label_that_was_not_trained_on(self, data):
        model = LogisticRegression().fit(*data)
        X, y = data
        with pytest.raises(rl.InputError, match=r"y holds .*7.*, which is not among the classes"):
            rl.scorers["auc"](model, X, np.where(np.arange(len(y)) == 3, 7, y))

    def test_an_unknown_positive_class(self, data):
        model = LogisticRegression().fit(*data)
        with pytest.raises(ValueError, match="pos_label=9 is not a valid label"):
            rl.scorers.make("auc", pos_label=9)(model, *data)


class TestUndefined:
    def test_a_test_fold_of_one_class_is_nan_with_our_warning(self, data):
        X, y = data
        fold = np.where(y == 1, np.arange(len(y)) % 2, 0)
        fold[:4] = -1
        cv = PredefinedSplit(np.where((fold == 1) & (np.cumsum(fold == 1) <= 10), 1, fold * 0 - 1))
        with pytest.warns(rl.UndefinedMeasureWarning, match="10 positive and 0 negative"):
            found = cross_val_score(
                LogisticRegression(), X, y, cv=cv, scoring=rl.scorers["scored_auc"]
            )
        assert np.isnan(found).tolist() == [True]

    def test_a_training_fold_of_one_class_is_nan_with_a_warning(self):
        X, y = np.arange(20.0).reshape(-1, 1), np.repeat([0, 1], 10)
        with pytest.warns(UserWarning, match=r"trained on one class \([01]\).*Stratify the splits"):
            found = cross_val_score(
                DecisionTreeClassifier(), X, y, cv=KFold(2), scoring=rl.scorers["auc"]
            )
        assert np.isnan(found).all()


class TestSeveralMetrics:
    def test_a_search(self, data):
        X, y = data
        grid = {"n_neighbors": [1, 5, 15, 31]}
        scoring = rl.scorers.of("auc", "brier_score", "partial_auc(fpr_range=(0, 0.2))")
        search = GridSearchCV(KNeighborsClassifier(), grid, scoring=scoring, refit="auc", cv=3)
        search.fit(X, y)
        for row, neighbors in enumerate(grid["n_neighbors"]):
            folds = list(held_out(KNeighborsClassifier(neighbors), X, y))
            for split, (labels, scores, _) in enumerate(folds):
                found = {
                    name: search.cv_results_[f"split{split}_test_{name}"][row] for name in scoring
                }
                assert found == {
                    "auc": rl.auc(labels, scores),
                    "neg_brier_score": -rl.brier_score(labels, scores),
                    "partial_auc(fpr_range=(0, 0.2))": rl.partial_auc(
                        labels, scores, fpr_range=(0, 0.2)
                    ),
                }
        assert search.best_index_ == search.cv_results_["mean_test_auc"].argmax()

    def test_predictions_are_shared(self, data):
        Recording.calls = 0
        scoring = rl.scorers.of("auc", "scored_auc", "brier_score", "lambda_auc")
        cross_validate(Recording(), *data, cv=3, scoring=scoring)
        assert Recording.calls == 3

    def test_two_processes(self, data):
        scoring = rl.scorers.of("auc", "neg_log_loss")
        one, two = (
            cross_validate(LogisticRegression(), *data, cv=4, scoring=scoring, n_jobs=jobs)
            for jobs in (1, 2)
        )
        for name in scoring:
            assert one[f"test_{name}"].tolist() == two[f"test_{name}"].tolist()


class TestWeights:
    @pytest.mark.parametrize("word", [*rl.scorers, *NEED_OPTIONS])
    def test_every_measure_takes_them(self, word, data):
        X, y = data
        weight = np.arange(len(y)) % 4
        model = LogisticRegression().fit(X, y)
        scorer = rl.scorers[word]
        times = np.repeat(np.arange(len(y)), weight)
        found = scorer(model, X, y, sample_weight=weight)
        assert found == pytest.approx(scorer(model, X[times], y[times]), rel=1e-9)

    def test_they_are_routed(self, data):
        X, y = data
        weight = np.arange(len(y)) % 5
        with sklearn.config_context(enable_metadata_routing=True):
            model = LogisticRegression().set_fit_request(sample_weight=False)
            scoring = {
                name: rl.scorers["scored_auc"].set_score_request(sample_weight=wanted)
                for name, wanted in (("with", True), ("without", False))
            }
            found = cross_validate(
                model, X, y, cv=3, scoring=scoring, params={"sample_weight": weight}
            )
        folds = list(held_out(model, X, y))
        assert found["test_with"].tolist() == [
            rl.scored_auc(labels, scores, sample_weight=weight[test])
            for labels, scores, test in folds
        ]
        assert found["test_without"].tolist() == [rl.scored_auc(*fold[:2]) for fold in folds]

    def test_a_request_changes_no_other_scorer(self):
        with sklearn.config_context(enable_metadata_routing=True):
            rl.scorers["auc"].set_score_request(sample_weight=True)
            request = rl.scorers["auc"].get_metadata_routing().score.requests
        assert request.get("sample_weight") is None


class TestObject:
    @pytest.mark.parametrize("word", [*rl.scorers, *NEED_OPTIONS])
    def test_copies_score_alike(self, word, data):
        model = LogisticRegression().fit(*data)
        scorer = rl.scorers[word]
        for other in (
            pickle.loads(pickle.dumps(scorer)),
            copy.deepcopy(scorer),
            clone(GridSearchCV(model, {}, scoring=scorer)).scoring,
        ):
            assert other is not scorer
            assert other(model, *data) == scorer(model, *data)
            assert repr(other) == repr(scorer)

    def test_repr(self):
        assert repr(rl.scorers["brier_score"]) == (
            "MeasureScorer('neg_brier_score', response_method=('predict_proba',))"
        )

    def test_calls_without_trouble_give_no_warning(self, data):
        model = LogisticRegression().fit(*data)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rl.scorers["calibration_error(n_bins=5)"](model, *data)
