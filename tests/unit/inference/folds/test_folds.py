"""Folds: scikit-learn's results, what is refused, and what is not defined."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold, cross_validate

import roclab as rl

X, Y = make_classification(120, n_features=5, flip_y=0.2, random_state=3)


def results_of(model, data=X, labels=Y, cv=5):
    return cross_validate(
        model, data, labels, cv=cv, scoring="roc_auc", return_estimator=True, return_indices=True
    )


@pytest.mark.parametrize(
    "model",
    [LogisticRegression(), RidgeClassifier(), RandomForestClassifier(10, random_state=1)],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("frame", [False, True])
def test_fold_values_are_scikit_learns(model, frame):
    data = pd.DataFrame(X) if frame else X
    results = results_of(model, data)
    scores = rl.fold_scores(results, data, Y)
    found = rl.cross_validated_auc(scores)
    assert [fold.value for fold in found.folds] == pytest.approx(results["test_score"].tolist())
    assert found.averaged.value == pytest.approx(results["test_score"].mean())
    assert sorted(scores.row) == list(range(120))
    columns = rl.cross_validated_auc(scores.y_true, scores.y_score, fold=scores.fold)
    assert columns.folds == found.folds
    for one, other in ((columns.averaged, found.averaged), (columns.pooled, found.pooled)):
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)
    assert repr(scores) == f"FoldScores(120 scores, {Y.sum()} positive, 5 folds)"
    assert json.loads(json.dumps(scores.to_dict()))["fold"][0] == 0


def test_the_positive_class_can_be_the_first_one():
    names = np.where(Y == 1, "sick", "healthy")
    results = results_of(LogisticRegression(), labels=names)
    sick = rl.cross_validated_auc(rl.fold_scores(results, X, names))
    healthy = rl.cross_validated_auc(rl.fold_scores(results, X, names, pos_label="healthy"))
    assert sick.averaged.value == pytest.approx(healthy.averaged.value)
    assert (sick.pooled.n_pos, healthy.pooled.n_pos) == (Y.sum(), 120 - Y.sum())
    forest = results_of(RandomForestClassifier(10, random_state=0), labels=names)
    there = rl.fold_scores(forest, X, names)
    back = rl.fold_scores(forest, X, names, pos_label="healthy")
    np.testing.assert_allclose(there.y_score, 1 - back.y_score)


def test_weights_beside_fold_scores_are_of_the_rows_of_the_data():
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    scores = rl.fold_scores(results_of(LogisticRegression(), cv=cv), X, Y)
    weight = np.arange(120) % 7 + 1.0
    found = rl.cross_validated_auc(scores, sample_weight=weight)
    for fold in found.folds:
        rows = scores.row[scores.fold == fold.fold]
        truth, score = (one[scores.fold == fold.fold] for one in (scores.y_true, scores.y_score))
        assert fold.value == pytest.approx(rl.auc(truth, score, sample_weight=weight[rows]))
    with pytest.raises(rl.InputError, match="sample_weight has 90 rows, and row 119 is in a fold"):
        rl.cross_validated_auc(scores, sample_weight=weight[:90])


def test_a_sparse_matrix_of_a_kind_that_cannot_take_rows():
    data = sparse.coo_matrix(X)
    results = results_of(LogisticRegression(), data)
    np.testing.assert_allclose(
        rl.fold_scores(results, data, Y).y_score, rl.fold_scores(results, X, Y).y_score
    )


def test_repeated_folds_count_every_example_once():
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    repeated = rl.cross_validated_auc(rl.fold_scores(results_of(LogisticRegression(), cv=cv), X, Y))
    once = rl.cross_validated_auc(
        rl.fold_scores(results_of(LogisticRegression(), cv=StratifiedKFold(5)), X, Y)
    )
    assert len(repeated.folds) == 20
    assert repeated.averaged.n_pos == Y.sum()
    # Four rounds of the same examples know no more than one: four times as many would halve it.
    assert repeated.averaged.standard_error == pytest.approx(once.averaged.standard_error, rel=0.2)
    assert repeated.pooled.standard_error == pytest.approx(once.pooled.standard_error, rel=0.2)


def test_refusals_of_results():
    results = results_of(LogisticRegression())
    for missing in ("estimator", "indices"):
        without = {name: value for name, value in results.items() if name != missing}
        with pytest.raises(rl.InputError, match=f"no '{missing}'.*return_indices=True"):
            rl.fold_scores(without, X, Y)
    with pytest.raises(rl.InputError, match="pos_label=7 is not among the classes"):
        rl.fold_scores(results, X, Y, pos_label=7)
    three = np.arange(120) % 3
    several = cross_validate(
        LogisticRegression(), X, three, cv=2, return_estimator=True, return_indices=True
    )
    with pytest.raises(rl.InputError, match="has 3 classes; two are needed"):
        rl.fold_scores(several, X, three)
    numbers = cross_validate(Ridge(), X, Y, cv=2, return_estimator=True, return_indices=True)
    with pytest.raises(rl.InputError, match=r"Ridge has no classes_; .*Cross-validate a classif"):
        rl.fold_scores(numbers, X, Y)
    for given in (None, results["test_score"]):
        with pytest.raises(rl.InputError, match="results has no 'estimator' and no 'indices'"):
            rl.fold_scores(given, X, Y)
    with pytest.raises(rl.InputError, match="y has 50 rows, and row 119 is in a fold"):
        rl.fold_scores(results, X, Y[:50])
    with pytest.raises(rl.InputError, match="X has 60 rows, and row 119 is in a fold"):
        rl.fold_scores(results, X[:60], Y)
    with pytest.raises(rl.InputError, match=r"y holds 'b', which is not among.*Logis.*: 0, 1"):
        rl.fold_scores(results, X, np.where(Y, "a", "b"))
    silent = {"estimator": [Silent()], "indices": {"test": [np.arange(120)]}}
    with pytest.raises(rl.InputError, match="Silent has neither decision_function nor predict_pro"):
        rl.fold_scores(silent, X, Y)


class Silent:
    """A model that decides and gives no scores."""

    classes_ = (0, 1)


def test_clusters_beside_fold_scores_are_of_the_rows_of_the_data():
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    scores = rl.fold_scores(results_of(LogisticRegression(), cv=cv), X, Y)
    plain = rl.cross_validated_auc(scores)
    found = rl.cross_validated_auc(scores, cluster=np.arange(120) // 4)
    assert found.averaged.value == plain.averaged.value
    assert (found.averaged.n_pos, found.averaged.n_neg) == (Y.sum(), 120 - Y.sum())
    columns = rl.cross_validated_auc(
        scores.y_true, scores.y_score, fold=scores.fold, cluster=scores.row // 4
    )
    assert found.averaged.standard_error == pytest.approx(columns.averaged.standard_error)
    with pytest.raises(rl.InputError, match="cluster has 90 rows, and row 119 is in a fold"):
        rl.cross_validated_auc(scores, cluster=np.arange(90))


def test_rows_of_weight_zero_belong_to_no_cluster():
    rng = np.random.default_rng(2)
    scores, fold, cluster = rng.normal(size=120), np.arange(120) // 10 % 3, np.arange(120) // 10
    weight = np.where(np.arange(120) % 5, 1.0, 0.0)
    kept = weight > 0
    options = {"fold": fold, "cluster": cluster, "sample_weight": weight}
    found = rl.cross_validated_auc(Y, scores, **options)
    expected = rl.cross_validated_auc(Y[kept], scores[kept], fold=fold[kept], cluster=cluster[kept])
    for one, other in ((found.averaged, expected.averaged), (found.pooled, expected.pooled)):
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_clusters_are_too_few_for_a_variance():
    options = {"fold": [1, 1, 1, 2, 2, 2], "cluster": [1, 1, 1, 2, 2, 2]}
    found = rl.cross_validated_auc(TRUTH, SCORES, **options).averaged
    assert math.isnan(found.standard_error)
    assert (found.low, found.high) == (0, 1)
    with pytest.raises(rl.InputError, match="6 rows and cluster has 5"):
        rl.cross_validated_auc(TRUTH, SCORES, fold=options["fold"], cluster=range(5))


def test_the_standard_error_of_ledell_and_others_by_hand():
    # Placements minus AUC: -1/2, 0, 1/2 in the first fold, of AUC 1/2, and 0 in the second, of
    # AUC 1. Both classes have a share of 1/2, so the mean square is (1 + 0 + 1) / 3 / 2 = 1/3.
    truth, scores = [0, 1, 0, 1, 0, 1], [0.6, 0.5, 0.4, 0.6, 0.3, 0.8]
    found = rl.cross_validated_auc(truth, scores, fold=[1, 1, 1, 2, 2, 2], method="ledell")
    assert found.averaged.value == 0.75
    assert found.averaged.standard_error == pytest.approx(math.sqrt(1 / 3 / 6), rel=1e-14)


def test_ties_count_nothing_in_the_standard_error_of_cvauc():
    # First fold: positive 2, negatives 2 and 1, AUC 3/4; influences 1/2 - 3/4, 0 - 3/4, 1 - 3/4.
    # Second: positives 2 and 3, negative 2, AUC 3/4; influences 0 - 3/4, 1 - 3/4, 1/2 - 3/4. Both
    # classes have a share of 1/2: the mean square is 4 (1 + 9 + 1) / 16 / 3 = 11/12.
    truth, scores = [1, 0, 0, 1, 1, 0], [2, 2, 1, 2, 3, 2]
    fold = [1, 1, 1, 2, 2, 2]
    found = rl.cross_validated_auc(truth, scores, fold=fold, method="ledell").averaged
    assert found.value == 0.75
    assert found.standard_error == pytest.approx(math.sqrt(11 / 12 / 6), rel=1e-14)


TRUTH, SCORES = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.9]


@pytest.mark.parametrize("function", [rl.cross_validated_auc, rl.average_roc])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"fold": ["a"] * 6}, "fold has 1 distinct value; an average over folds needs two"),
        ({"fold": [1, 2, 1]}, "fold"),
        ({"fold": [1, 1, None, 2, 2, 2]}, "fold has no value in row 2"),
        ({}, "fold is missing. Pass y_true, y_score and fold"),
    ],
)
def test_refusals(function, options, said):
    with pytest.raises(rl.InputError, match=said):
        function(TRUTH, SCORES, **options)


def test_more_refusals():
    with pytest.raises(rl.InputError, match="fold is missing"):
        rl.cross_validated_auc(rl.Ranking(TRUTH, SCORES))
    with pytest.raises(rl.InputError, match="fold has 2 values and there are"):
        rl.cross_validated_auc(rl.Ranking(TRUTH, SCORES), fold=[1, 2])
    with pytest.raises(rl.InputError, match="a Ranking already has"):
        rl.cross_validated_auc(rl.Ranking(TRUTH, SCORES), SCORES, fold=[1, 1, 1, 2, 2, 2])
    counts = rl.Ranking.from_groups([1, 2], pos=[1, 3], neg=[3, 1])
    with pytest.raises(rl.InputError, match="made from counts and has no rows"):
        rl.cross_validated_auc(counts, fold=[1, 2] * 4)
    scores = rl.fold_scores(results_of(LogisticRegression()), X, Y)
    with pytest.raises(rl.InputError, match="already hold labels, scores and folds"):
        rl.cross_validated_auc(scores, fold=scores.fold)
    with pytest.raises(rl.InputError, match=r"method='logit' is not an option\. Choose 'auto'"):
        rl.cross_validated_auc(scores, method="logit")
    with pytest.raises(rl.InputError, match=r"over='tpr' is not an option\. Choose 'fpr'"):
        rl.average_roc(scores, over="tpr")
    with pytest.raises(rl.InputError, match="thresholds has no effect with over='fpr'"):
        rl.average_roc(scores, thresholds=[1])
    with pytest.raises(rl.InputError, match="fpr has no effect with over='threshold'"):
        rl.average_roc(scores, over="threshold", fpr=[0.1])
    with pytest.raises(rl.InputError, match="descending numbers are needed"):
        rl.average_roc(scores, over="threshold", thresholds=[1, 2])
    with pytest.raises(rl.InputError, match="descending numbers are needed"):
        rl.average_roc(scores, over="threshold", thresholds=[math.nan])


def test_infinite_scores_are_a_threshold_once():
    average = rl.average_roc(
        TRUTH, [math.inf, *SCORES[1:]], fold=[1, 1, 1, 2, 2, 2], over="threshold"
    )
    assert average.thresholds.tolist() == [math.inf, 0.9, 0.8, 0.4, 0.3]
    assert average.fpr.tolist() == [0.25, 0.25, 0.25, 0.5, 1]


def test_a_fold_without_positives():
    fold = ["a", "a", "b", "a", "b", "a"]
    with pytest.warns(rl.UndefinedMeasureWarning, match=r"1 of 2 folds \(b\) have no positive or"):
        found = rl.cross_validated_auc(TRUTH, SCORES, fold=fold)
    assert math.isnan(found.averaged.value)
    assert math.isnan(found.averaged.low)
    assert found.pooled.value == rl.auc(TRUTH, SCORES)
    assert found.pooled.low < found.pooled.value
    assert math.isnan(found.folds[1].value)
    assert (found.folds[1].n_pos, found.folds[1].n_neg) == (0, 2)
    for over in ("fpr", "threshold"):
        with pytest.warns(rl.UndefinedMeasureWarning, match=r"1 of 2 folds \(b\)"):
            average = rl.average_roc(TRUTH, SCORES, fold=fold, over=over)
        assert np.isnan(average.tpr).all()


def test_one_class():
    with pytest.warns(rl.UndefinedMeasureWarning, match="2 of 2 folds"):
        found = rl.cross_validated_auc([1, 1, 1, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1])
    assert math.isnan(found.averaged.value)
    assert math.isnan(found.pooled.value)


def test_one_positive_in_each_fold_has_no_standard_error_but_an_interval():
    found = rl.cross_validated_auc(TRUTH[:4], SCORES[:4], fold=[0, 0, 1, 1]).averaged
    assert found.value == 1
    assert math.isnan(found.standard_error)
    assert 0 < found.low < found.high == 1


def test_many_scores_are_thinned_to_even_ranks():
    rng = np.random.default_rng(0)
    truth, scores, fold = rng.random(3000) < 0.5, rng.normal(size=3000), np.arange(3000) % 3
    average = rl.average_roc(truth, scores, fold=fold, over="threshold")
    assert len(average) == 201
    between = np.histogram(scores, average.thresholds[:0:-1])[0]
    assert between.min() >= 14
    assert between.max() <= 17
    assert average.thresholds[-1] == scores.min()


def test_fields_and_words():
    found = rl.cross_validated_auc(TRUTH, SCORES, fold=[1, 1, 1, 1, 2, 2])
    assert repr(found) == (
        f"CrossValidatedAUC(averaged 0.938 [{found.averaged.low:.2f}, {found.averaged.high:.2f}], "
        "pooled 0.944, 95 % Wilson-type, 2 folds, 3+ 3-)"
    )
    data = json.loads(json.dumps(found.to_dict()))
    assert data["folds"][1] == {"fold": 2, "value": 1.0, "n_pos": 1, "n_neg": 1}
    lower = rl.cross_validated_auc(
        TRUTH, SCORES, fold=[1, 1, 1, 1, 2, 2], alternative="greater", confidence_level=0.975
    )
    assert (lower.averaged.low, lower.averaged.high) == (found.averaged.low, 1)
    average = rl.average_roc(TRUTH, SCORES, fold=[1, 1, 1, 1, 2, 2], fpr=[0.5])
    assert average.fold_fpr is None
    assert average.fold_tpr.mean(axis=0) == pytest.approx(average.tpr)
    assert repr(average) == "AverageROC(2 curves over fpr, 1 points, 3+ 3-)"
    assert json.loads(json.dumps(average.to_dict()))["thresholds"] is None
