"""The repaired classifier: what it keeps, what it gives, and where it works."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import roclab as rl
from roclab.repair.heldout import held_out


def inverted(n=2000, seed=0):
    """One feature that ranks well but for a band in its middle, where it is the wrong way round."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, n)
    chance = 1 / (1 + np.exp(-2 * np.where(abs(x) < 1, -x, x)))
    return x[:, None], (rng.random(n) < chance).astype(int)


def straight(n=1000, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, n)
    return x[:, None], (rng.random(n) < 1 / (1 + np.exp(-x))).astype(int)


X, Y = inverted()
NEW, NEW_Y = inverted(seed=1)


class TestFit:
    def test_a_planted_inversion_is_found_kept_and_raises_the_auc_of_new_data(self):
        model = rl.RepairedClassifierCV(LogisticRegression()).fit(X, Y)
        (decision,) = model.decisions_
        assert decision.kept
        assert decision.reason.endswith("below 0.05")
        before = rl.auc(NEW_Y, model.estimator_.predict_proba(NEW)[:, 1])
        after = rl.auc(NEW_Y, model.predict_proba(NEW)[:, 1])
        assert after > before + 0.02
        assert model.checked_.gain.difference > 0
        assert model.repair_ == model.checked_.repair

    def test_where_nothing_is_inverted_nothing_is_changed(self):
        x, y = straight()
        model = rl.RepairedClassifierCV(LogisticRegression()).fit(x, y)
        assert not any(decision.kept for decision in model.decisions_)
        assert all("is needed" in decision.reason for decision in model.decisions_)
        alone = LogisticRegression().fit(x, y)
        assert model.predict_proba(x).tolist() == alone.predict_proba(x).tolist()
        assert model.predict(x).tolist() == alone.predict(x).tolist()
        assert model.checked_.gain is None

    @pytest.mark.parametrize("keep", ["every_fold", "most_folds", "significant"])
    def test_several_validation_folds(self, keep):
        model = rl.RepairedClassifierCV(GaussianNB(), validation=3, keep=keep).fit(X, Y)
        (decision,) = model.decisions_
        assert len(decision.gains) == 3
        assert decision.kept

    def test_all_sections_are_decided_on_their_own(self):
        model = rl.RepairedClassifierCV(GaussianNB(), sections="all").fit(X, Y)
        assert len(model.decisions_) > 2
        assert sum(decision.kept for decision in model.decisions_) == len(model.repair_) >= 1

    def test_held_out_rows_are_a_share_of_each_class(self):
        model = rl.RepairedClassifierCV(GaussianNB(), validation_size=0.25, sections="all")
        model.fit(X, Y)
        gain = model.checked_.gain
        assert gain.n_pos == round(0.25 * Y.sum())
        assert gain.n_neg == round(0.25 * (1 - Y).sum())

    def test_scores_are_out_of_fold(self):
        """A model that knows its training rows by heart shows no concavity there."""
        rng = np.random.default_rng(4)
        x, y = rng.normal(size=(400, 2)), rng.random(400) < 0.5
        nearest = KNeighborsClassifier(1)
        heart = rl.RepairedClassifierCV(nearest, cv="train", sections="all").fit(x, y)
        assert heart.decisions_ == ()
        folds = rl.RepairedClassifierCV(nearest, cv=5, sections="all").fit(x, y)
        assert folds.repair_.ranking.summary.auc < 0.65

    def test_training_scores_are_those_of_the_model(self):
        model = rl.RepairedClassifierCV(GaussianNB(), cv="train").fit(X, Y)
        assert len(model.repair_.ranking) == 1400

    def test_splitters(self):
        whole = rl.RepairedClassifierCV(GaussianNB(), cv=StratifiedKFold(3)).fit(X, Y)
        assert len(whole.repair_.ranking) == 1400
        part = rl.RepairedClassifierCV(
            GaussianNB(), cv=ShuffleSplit(1, test_size=0.5, random_state=0), calibrate=True
        ).fit(X, Y)
        assert len(part.repair_.ranking) == 700

    def test_splits_are_of_all_rows_without_those_held_out(self):
        """They raised an IndexError: the rows that are not held out are fewer."""
        splits = list(StratifiedKFold(3).split(X, Y))
        model = rl.RepairedClassifierCV(GaussianNB(), cv=splits).fit(X, Y)
        others = held_out(Y, folds=1, share=0.3, remaining=1, rng=np.random.RandomState(0)).others
        scores = np.empty(len(Y))
        for train, test in splits:
            known = GaussianNB().fit(
                X[np.intersect1d(train, others)], Y[np.intersect1d(train, others)]
            )
            scores[test] = known.predict_proba(X[test])[:, 1]
        expected = rl.Ranking(Y[others], scores[others])
        for field in ("scores", "pos", "neg"):
            np.testing.assert_array_equal(
                getattr(model.repair_.ranking, field), getattr(expected, field)
            )

        masks = [tuple(np.isin(np.arange(len(Y)), rows) for rows in split) for split in splits]
        negative = [(train - len(Y), test) for train, test in splits]
        for same in (iter(splits), masks, negative, [tuple(map(list, one)) for one in splits]):
            other = rl.RepairedClassifierCV(GaussianNB(), cv=same).fit(X, Y)
            assert other.decisions_ == model.decisions_
            assert other.repair_ == model.repair_

    def test_splits_in_a_search(self):
        splits = list(KFold(3, shuffle=True, random_state=0).split(X, Y))
        search = GridSearchCV(
            rl.RepairedClassifierCV(GaussianNB(), cv=2), {"cv": [2, "train"]}, cv=splits
        ).fit(X, Y)
        assert search.best_estimator_.decisions_[0].kept

    def test_rows_of_no_fold_are_not_scored(self):
        train, test = next(ShuffleSplit(1, test_size=0.5, random_state=0).split(X))
        model = rl.RepairedClassifierCV(GaussianNB(), cv=[(train, test)]).fit(X, Y)
        assert 600 < len(model.repair_.ranking) < 800

    def test_the_same_seed_gives_the_same(self):
        first, second = (rl.RepairedClassifierCV(GaussianNB()).fit(X, Y) for _ in range(2))
        assert first.decisions_ == second.decisions_
        other = rl.RepairedClassifierCV(GaussianNB(), random_state=7).fit(X, Y)
        assert other.decisions_ != first.decisions_

    def test_a_frozen_model_is_not_trained(self):
        frozen = FrozenEstimator(LogisticRegression().fit(X, Y))
        model = rl.RepairedClassifierCV(frozen).fit(*inverted(seed=5))
        assert model.decisions_[0].kept
        np.testing.assert_array_equal(
            model.estimator_.predict_proba(NEW), frozen.predict_proba(NEW)
        )

    def test_labels_may_be_words(self):
        words = np.where(Y == 1, "yes", "no")
        model = rl.RepairedClassifierCV(GaussianNB()).fit(X, words)
        assert model.classes_.tolist() == ["no", "yes"]
        assert set(model.predict(NEW)) == {"no", "yes"}

    def test_weights_mean_what_they_say(self):
        """Half of the rows are the wrong way round, and count only where they have weight."""
        x, y = straight(3000)
        turned = np.where(abs(x[:, 0]) < 1.5, 1 - y, y)
        both, labels = np.vstack((x, x)), np.concatenate((y, turned))
        for weight, kept in ((0.01, False), (20.0, True)):
            weights = np.repeat([1.0, weight], len(x))
            model = rl.RepairedClassifierCV(LogisticRegression())
            model.fit(both, labels, sample_weight=weights)
            assert any(decision.kept for decision in model.decisions_) == kept

    def test_rows_of_weight_zero_do_not_matter(self):
        weights = np.concatenate((np.ones(len(X)), np.zeros(len(NEW))))
        rows, labels = np.vstack((X, NEW)), np.concatenate((Y, 1 - NEW_Y))
        with_them = rl.RepairedClassifierCV(GaussianNB()).fit(rows, labels, sample_weight=weights)
        without = rl.RepairedClassifierCV(GaussianNB()).fit(X, Y, sample_weight=np.ones(len(X)))
        assert with_them.decisions_ == without.decisions_


class TestScores:
    def test_probabilities_stay_between_0_and_1(self):
        for method in ("mirror", "flatten"):
            model = rl.RepairedClassifierCV(
                GaussianNB(), sections="all", keep="every_fold", method=method
            ).fit(X, Y)
            assert len(model.repair_)
            far = np.array([[-1e6], [0.0], [1e6]])
            for rows in (NEW, far):
                found = model.predict_proba(rows)
                assert found.min() >= 0
                assert found.max() <= 1
                np.testing.assert_allclose(found.sum(axis=1), 1)

    def test_decisions_are_repaired_where_there_are_no_probabilities(self):
        model = rl.RepairedClassifierCV(LinearSVC()).fit(X, Y)
        assert not hasattr(model, "predict_proba")
        assert model.decisions_[0].kept
        scores = model.decision_function(NEW)
        assert (
            scores.tolist() == model.repair_.apply(model.estimator_.decision_function(NEW)).tolist()
        )
        assert (model.predict(NEW) == (scores > 0)).all()

    def test_the_response_can_be_chosen(self):
        model = rl.RepairedClassifierCV(LogisticRegression(), response_method="decision_function")
        model.fit(X, Y)
        assert not hasattr(model, "predict_proba")
        assert hasattr(model, "decision_function")
        assert not hasattr(rl.RepairedClassifierCV(LogisticRegression()), "decision_function")

    def test_calibration_makes_the_hull(self):
        model = rl.RepairedClassifierCV(LinearSVC(), calibrate=True).fit(X, Y)
        found = model.predict_proba(NEW)[:, 1]
        assert 0 <= found.min() < found.max() <= 1
        assert len(np.unique(found)) < 60  # tied between the corners of the hull
        ranked = model.decision_function(NEW)
        order = np.argsort(ranked)
        assert (np.diff(found[order]) >= 0).all()
        plain = rl.RepairedClassifierCV(LogisticRegression()).fit(X, Y)
        calibrated = rl.RepairedClassifierCV(LogisticRegression(), calibrate=True).fit(X, Y)
        errors = [
            rl.brier_score(NEW_Y, one.predict_proba(NEW)[:, 1]) for one in (plain, calibrated)
        ]
        assert errors[1] < errors[0]


class TestAmongOthers:
    def test_in_and_around_a_pipeline(self):
        inside = rl.RepairedClassifierCV(make_pipeline(StandardScaler(), LogisticRegression()))
        around = make_pipeline(StandardScaler(), rl.RepairedClassifierCV(LogisticRegression()))
        for model in (inside, around):
            assert rl.auc(NEW_Y, model.fit(X, Y).predict_proba(NEW)[:, 1]) > 0.85
        weights = np.ones(len(Y))
        around.fit(X, Y, repairedclassifiercv__sample_weight=weights)
        with pytest.raises(rl.InputError, match="Pipeline, whose fit has no sample_weight"):
            inside.fit(X, Y, sample_weight=weights)

    def test_in_a_grid_search(self):
        search = GridSearchCV(
            rl.RepairedClassifierCV(LogisticRegression()),
            {"estimator__C": [0.1, 1], "method": ["mirror", "flatten"]},
            scoring="roc_auc",
            cv=3,
        ).fit(X, Y)
        assert search.best_params_["method"] == "mirror"
        assert search.best_score_ > 0.85

    def test_in_cross_validation_with_decisions(self):
        values = cross_val_score(rl.RepairedClassifierCV(LinearSVC()), X, Y, scoring="roc_auc")
        assert values.min() > 0.8

    def test_clone_and_pickle(self):
        model = rl.RepairedClassifierCV(GaussianNB(), keep="every_fold", validation=2).fit(X, Y)
        copy = pickle.loads(pickle.dumps(model))
        assert copy.predict_proba(NEW).tolist() == model.predict_proba(NEW).tolist()
        assert copy.decisions_ == model.decisions_
        fresh = clone(model)
        assert not hasattr(fresh, "repair_")
        assert fresh.fit(X, Y).decisions_ == model.decisions_

    def test_frames_keep_their_names(self):
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame({"x": X[:, 0], "word": np.where(Y, "a", "b")})
        base = make_pipeline(ColumnTransformer([("x", "passthrough", ["x"])]), GaussianNB())
        model = rl.RepairedClassifierCV(base).fit(frame, pandas.Series(Y))
        assert model.feature_names_in_.tolist() == ["x", "word"]
        assert model.predict(frame).shape == (len(Y),)

    def test_many_features(self):
        x, y = make_classification(400, random_state=0)
        model = rl.RepairedClassifierCV().fit(x, y)
        assert model.n_features_in_ == 20


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"method": "turn"}, "method='turn'"),
            ({"keep": "maybe"}, "keep='maybe'"),
            ({"sections": "some"}, "sections='some'"),
            ({"alpha": 0}, "alpha=0"),
            ({"cv": 1}, "cv=1 is out of range; .* from 2"),
            ({"cv": "prefit"}, "cv='prefit' is not an option"),
            ({"cv": []}, "cv has no folds; pairs of training and test rows"),
            ({"cv": [1, 2]}, "cv holds 1; pairs of training and test rows"),
            ({"cv": [([0, 1], [2], [3])]}, r"cv holds .*; pairs of training"),
            ({"cv": [([0, 1], [5000])]}, "fold of cv does not fit the 2,000 rows of X"),
            ({"cv": [([0.5, 1], [2])]}, "fold of cv does not fit"),
            ({"cv": [([True, False], [2])]}, "fold of cv does not fit"),
            ({"cv": 2.5}, "cv is a float; pairs of training"),
            ({"validation": 0}, "validation=0"),
            ({"validation": 1.5}, "validation=1.5"),
            ({"validation_size": 1.0}, "validation_size=1.0"),
            ({"response_method": "predict"}, "response_method='predict'"),
            (
                {"response_method": "decision_function"},
                "GaussianNB, which has no decision_f",
            ),
        ],
    )
    def test_options(self, options, message):
        with pytest.raises(rl.InputError, match=message):
            rl.RepairedClassifierCV(GaussianNB(), **options).fit(X, Y)

    def test_one_class_and_three(self):
        with pytest.raises(rl.InputError, match="one class; two classes are needed"):
            rl.RepairedClassifierCV(GaussianNB()).fit(X, np.ones(len(Y)))
        with pytest.raises(rl.InputError, match="multiclass"):
            rl.RepairedClassifierCV(GaussianNB()).fit(X, np.arange(len(Y)) % 3)

    def test_folds_without_positives(self):
        few = np.zeros(len(Y), int)
        few[:4] = 1
        with pytest.raises(rl.InputError, match="A class has 4 rows with weight, and 1 of them"):
            rl.RepairedClassifierCV(GaussianNB()).fit(X, few)
        rl.RepairedClassifierCV(GaussianNB(), cv=3).fit(X, few)
        with pytest.raises(rl.InputError, match="training fold of cv has rows of one class only"):
            rl.RepairedClassifierCV(GaussianNB(), cv=KFold(2)).fit(X, np.sort(Y))

    @pytest.mark.parametrize(
        ("cv", "message"),
        [
            ([([], np.arange(9))], "Split 0 of cv has no training rows; pairs of training and"),
            ([(np.arange(9), np.arange(9, 20)), (np.arange(9, 20), [])],
             "Split 1 of cv has no test rows; pairs of training and test rows"),
            ([(np.arange(500), np.zeros(len(Y), bool))], "Split 0 of cv has no test rows"),
            ([(np.arange(500), np.arange(9)), (np.flatnonzero(Y), np.arange(9))],
             "A training fold of cv has rows of one class only"),
            ([(np.arange(500), np.flatnonzero(Y))],
             "test folds of cv, without the rows held out for validation, have rows of one class"),
            ([], "cv has no folds"),
            (KFold(2), "A training fold of cv has rows of one class only"),
        ],
    )  # fmt: skip
    def test_folds_are_refused_before_a_model_is_trained(self, cv, message):
        class Untrained(GaussianNB):
            def fit(self, *_):
                raise AssertionError

        labels = np.sort(Y) if isinstance(cv, KFold) else Y
        with pytest.raises(rl.InputError, match=message):
            rl.RepairedClassifierCV(Untrained(), cv=cv).fit(X, labels)

    def test_test_rows_that_are_all_held_out_leave_the_other_folds(self):
        """Which rows are held out is random, so a small fold may lose all of them."""
        one = rl.RepairedClassifierCV(GaussianNB(), cv=2, random_state=0).fit(X, Y)
        halves = np.arange(0, 1000), np.arange(1000, 2000)
        splits = [(halves[0], halves[1]), (halves[1], halves[0])]
        for row in range(20):  # about a third of them are held out
            splits.append((halves[0], [row]))
        model = rl.RepairedClassifierCV(GaussianNB(), cv=splits, random_state=0).fit(X, Y)
        assert model.predict(X).shape == one.predict(X).shape

    def test_weights_that_the_estimator_cannot_honour(self):
        with pytest.raises(rl.InputError, match="KNeighborsClassifier, whose fit has no sample_w"):
            rl.RepairedClassifierCV(KNeighborsClassifier()).fit(X, Y, sample_weight=np.ones(len(Y)))

    def test_perceptrons_have_decisions_only(self):
        with pytest.raises(rl.InputError, match="Perceptron, which has no predict_proba"):
            rl.RepairedClassifierCV(Perceptron(), response_method="predict_proba").fit(X, Y)
