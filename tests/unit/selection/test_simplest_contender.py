import math
import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier

import roclab as rl

EQUAL = [[0.7, 0.8, 0.9]]


def results(scores, params=None, metric="score"):
    """`cv_results_` with a row for each candidate."""
    columns = np.asarray(scores, float).T
    return {
        "params": params or [{"size": row} for row in range(columns.shape[1])],
        **{f"split{j}_test_{metric}": column for j, column in enumerate(columns)},
        **{f"split{j}_train_{metric}": np.ones(len(column)) for j, column in enumerate(columns)},
    }


def pvalue_of_being_best(scores, row, share):
    """The slow twin of what decides on one row: each t-test by itself, Simes by its definition."""
    gains = [
        [a - b for a, b in zip(other, scores[row], strict=True)]
        for place, other in enumerate(scores)
        if place != row
    ]
    floor = np.median([np.var(gain, ddof=1) for gain in gains])
    pvalues = []
    for gain in gains:
        splits = len(gain)
        variance = max(np.var(gain, ddof=1), floor)
        error = math.sqrt((1 / splits + share / (1 - share)) * variance)
        pvalues.append(stats.t.sf(np.mean(gain) / error, splits - 1))
    return min(len(pvalues) * p / (k + 1) for k, p in enumerate(sorted(pvalues)))


@pytest.mark.parametrize("share", [None, 0.3])
@pytest.mark.parametrize("seed", range(5))
def test_contenders_are_those_of_the_slow_twin(seed, share):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0.8, 0.02, size=(12, 6)) + np.linspace(0, 0.15, 12)[:, None]
    levels = (0.5, 0.9, 0.95)
    for level in levels:
        rule = rl.SimplestContender("size", test_share=share, confidence_level=level)
        expected = [
            row
            for row in range(12)
            if pvalue_of_being_best(scores, row, share or 1 / 6) >= 1 - level
        ]
        assert rule.contenders(results(scores)) == tuple(expected)
        assert rule(results(scores)) == expected[0]
    assert 1 < len(expected) < 12


def test_the_corrected_test_by_hand():
    # Gains 0.1, 0.2, 0.3: mean 0.2, variance 0.01; of 3 splits (1/3 + 1/2) * 0.01 = 0.0913^2,
    # t = 2.19 with 2 degrees of freedom, p = 0.080.
    scores = [[0.5, 0.5, 0.5], [0.6, 0.7, 0.8]]
    pvalue = stats.t.sf(0.2 / math.sqrt(0.01 * 5 / 6), 2)
    assert pvalue == pytest.approx(0.0799, abs=1e-4)
    for level, expected in ((1 - pvalue - 1e-6, (1,)), (1 - pvalue + 1e-6, (0, 1))):
        rule = rl.SimplestContender("size", confidence_level=level)
        assert rule.contenders(results(scores)) == expected


class TestChoice:
    params = ({"a": 3, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}, {"a": 1, "b": 2})
    scores = ((0.7, 0.8, 0.9), (0.7, 0.81, 0.9), (0.72, 0.8, 0.88), (0.7, 0.8, 0.91))

    @pytest.mark.parametrize(
        ("rule", "row"),
        [
            (rl.SimplestContender("b"), 0),
            (rl.SimplestContender("a"), 1),  # 1 and 3 tie in a and in mean: the first
            (rl.SimplestContender("a", larger_is_simpler=True), 0),
            (rl.SimplestContender(lambda params: -params["a"] * params["b"]), 2),
            (rl.SimplestContender(lambda params: (params["b"], params["a"])), 0),
            (rl.SimplestContender(lambda _: 0), 1),
        ],
    )
    def test_the_simplest(self, rule, row):
        found = results(self.scores, self.params)
        assert rule.contenders(found) == (0, 1, 2, 3)
        assert rule(found) == row

    def test_the_higher_mean_of_equally_simple_ones(self):
        found = results([[0.7, 0.8], [0.7, 0.81], [0.7, 0.81]], [{"a": 1}] * 3)
        assert rl.SimplestContender("a")(found) == 1

    def test_identical_candidates_are_all_contenders(self):
        assert rl.SimplestContender("size", confidence_level=0.5).contenders(
            results(EQUAL * 4)
        ) == (0, 1, 2, 3)

    def test_equal_but_for_rounding(self):
        scores = [[0.8, 0.8, 0.8], [0.8 + 1e-16, 0.8 + 1e-16, 0.8 + 1e-16]]
        assert rl.SimplestContender("size").contenders(results(scores)) == (0, 1)

    def test_the_same_gain_in_every_split_is_certain(self):
        scores = [[0.5] * 5, [1.0] * 5, [1.0] * 5]
        assert rl.SimplestContender("size").contenders(results(scores)) == (1, 2)

    def test_copies_of_a_candidate_cost_nothing(self):
        worse, better = [0.5, 0.52, 0.49, 0.51], [0.8, 0.85, 0.78, 0.82]
        rule = rl.SimplestContender("size", confidence_level=0.99)
        assert rule.contenders(results([worse, better])) == (1,)
        assert rule.contenders(results([worse] + [better] * 500)) == tuple(range(1, 501))


class TestMissingScores:
    def test_a_failed_fit_is_no_contender(self):
        scores = [[math.nan, 0.99, 0.99], [0.7, 0.8, 0.9], [-math.inf, 0.8, 0.9]]
        assert rl.SimplestContender("size").contenders(results(scores)) == (1,)

    def test_a_split_without_scores_is_left_out(self):
        scores = [[0.5, 0.5, 0.5, math.nan], [0.6, 0.7, 0.8, math.nan]]
        rule = rl.SimplestContender("size", test_share=1 / 3, confidence_level=0.9)
        assert rule.contenders(results(scores)) == (1,)  # as in the test by hand
        assert rl.SimplestContender("size", test_share=0.5, confidence_level=0.9).contenders(
            results(scores)
        ) == (0, 1)

    @pytest.mark.parametrize(
        "scores",
        [[[math.nan, math.nan]], [[math.nan, 1], [1, math.nan]], [[-math.inf, 1], [1, math.nan]]],
    )
    def test_no_candidate_with_all_scores(self, scores):
        with pytest.raises(rl.InputError, match=r"None of the .* has a score in every split"):
            rl.SimplestContender("size")(results(scores))


class TestSplits:
    def test_one_candidate_needs_no_comparison(self):
        assert rl.SimplestContender("size")(results([[0.7]])) == 0

    def test_one_split_is_refused(self):
        with pytest.raises(rl.InputError, match="only one split"):
            rl.SimplestContender("size")(results([[0.7], [0.8]]))

    def test_more_than_ten_splits_are_all_read(self):
        rng = np.random.default_rng(0)
        scores = rng.normal(size=(3, 12))
        scores[2, :11] += 3
        scores[2, 11] = -1000  # the last split undoes the advantage
        assert 0 in rl.SimplestContender("size").contenders(results(scores))


class TestMetrics:
    @pytest.fixture
    def both(self):
        return {
            **results([[0.5, 0.52, 0.51], [0.8, 0.83, 0.79]], metric="auc"),
            **results([[0.5, 0.6, 0.7], [0.5, 0.7, 0.6]], metric="mean_test_x"),
        }

    def test_by_names_one(self, both):
        assert rl.SimplestContender("size", measure="auc")(both) == 1
        assert rl.SimplestContender("size", measure="mean_test_x")(both) == 0

    @pytest.mark.parametrize("by", [None, "score"])
    def test_none_or_another_is_refused(self, both, by):
        with pytest.raises(rl.InputError, match=r"which has auc, mean_test_x\. Choose one of them"):
            rl.SimplestContender("size", measure=by)(both)

    def test_the_only_one_needs_no_name(self):
        assert rl.SimplestContender("size")(results(EQUAL * 2, metric="auc")) == 0

    def test_no_results(self):
        with pytest.raises(rl.InputError, match="which has no results"):
            rl.SimplestContender("size")({"params": []})


class TestBadInput:
    def test_an_unknown_parameter(self):
        with pytest.raises(rl.InputError, match="no parameter 'depth'; its parameters are size"):
            rl.SimplestContender("depth")(results(EQUAL * 2))

    @pytest.mark.parametrize("value", [None, math.nan])
    def test_a_value_without_a_place(self, value):
        found = results(EQUAL * 2, [{"depth": 3}, {"depth": value}])
        with pytest.raises(rl.InputError, match=f"candidate 1 is {value}, which cannot be ordered"):
            rl.SimplestContender("depth")(found)

    def test_values_without_an_order(self):
        found = results(EQUAL * 2, [{"depth": 3}, {"depth": "auto"}])
        with pytest.raises(rl.InputError, match=r"have no order .*: 3, 'auto'\. Pass a function"):
            rl.SimplestContender("depth")(found)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"complexity": 3}, "neither the name of a parameter nor a function"),
            (
                {"complexity": "a", "test_share": 0},
                "test_share=0 is out of range; a number",
            ),
            ({"complexity": "a", "test_share": 5}, "test_share=5 is out of range"),
            ({"complexity": "a", "confidence_level": 95}, "confidence_level=95 is out of range"),
            ({"complexity": "a", "confidence_level": 0.05}, "from 0.5 to below 1"),
        ],
    )
    def test_options(self, options, message):
        with pytest.raises(rl.InputError, match=message):
            rl.SimplestContender(**options)


class TestSearch:
    @pytest.fixture
    def data(self):
        rng = np.random.default_rng(3)
        X = rng.normal(size=(300, 4)).round(1)
        return X, np.array(["no", "yes"])[(X[:, 0] + rng.normal(size=300) > 0).astype(int)]

    def test_single_metric(self, data):
        grid = {"n_neighbors": [1, 5, 11, 21, 41, 81]}
        rule = rl.SimplestContender("n_neighbors", larger_is_simpler=True)
        search = GridSearchCV(
            KNeighborsClassifier(), grid, scoring=rl.scorers["auc"], refit=rule
        ).fit(*data)
        contenders = rule.contenders(search.cv_results_)
        assert 0 not in contenders
        assert search.best_index_ == max(contenders)
        assert search.best_estimator_.n_neighbors == grid["n_neighbors"][max(contenders)]
        assert search.cv_results_["mean_test_score"].argmax() in contenders

    def test_several_metrics_in_two_processes(self, data):
        search = GridSearchCV(
            LogisticRegression(),
            {"C": [1e-4, 1e-2, 1.0, 100.0]},
            scoring=rl.scorers.of("auc", "brier_score"),
            refit=rl.SimplestContender("C", measure="neg_brier_score"),
            n_jobs=2,
        ).fit(*data)
        contenders = search.refit.contenders(search.cv_results_)
        assert 0 not in contenders  # its probabilities are all near one half
        assert search.best_params_ == {"C": [1e-4, 1e-2, 1.0, 100.0][contenders[0]]}

    def test_one_split(self, data):
        search = GridSearchCV(
            LogisticRegression(),
            {"C": [0.1, 1.0]},
            cv=ShuffleSplit(1, random_state=0),
            scoring=rl.scorers["auc"],
            refit=rl.SimplestContender("C"),
        )
        with pytest.raises(rl.InputError, match="only one split"):
            search.fit(*data)

    def test_copies(self):
        rule = rl.SimplestContender("C", measure="auc", test_share=0.2)
        assert repr(rule) == (
            "SimplestContender(complexity='C', measure='auc', larger_is_simpler=False, "
            "test_share=0.2, confidence_level=0.95)"
        )
        assert pickle.loads(pickle.dumps(rule)) == rule
        assert clone(GridSearchCV(LogisticRegression(), {}, refit=rule)).refit == rule
