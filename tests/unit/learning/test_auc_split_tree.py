"""AUCSplitTreeClassifier as its users meet it."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from packaging.version import Version
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import roclab as rl
from roclab.errors import InputError
from roclab.learning import AUCSplitTreeClassifier

NAN = float("nan")
X = np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [3.0, 1.0]])
Y = [0, 1, 0, 1]


def column(*values):
    return np.array(values, dtype=float)[:, np.newaxis]


class TestNumbers:
    def test_a_threshold_lies_halfway(self):
        tree = AUCSplitTreeClassifier().fit(column(1, 2, 4, 9), [0, 0, 1, 1])
        assert tree.tree_.threshold[0] == 3
        assert tree.predict([[3.0], [3.1]]).tolist() == [0, 1]

    @pytest.mark.parametrize(
        ("lower", "upper"),
        [(1.0, np.nextafter(1.0, 2)), (-1.7e308, 1.7e308), (0.0, 5e-324), (-5e-324, 0.0)],
    )
    def test_neighbouring_and_extreme_numbers_are_told_apart(self, lower, upper):
        tree = AUCSplitTreeClassifier(leaf_score="share").fit(column(lower, upper), [0, 1])
        assert tree.predict_proba([[lower], [upper]])[:, 1].tolist() == [0, 1]

    def test_of_equal_splits_the_first_feature_and_the_lower_number_win(self):
        tree = AUCSplitTreeClassifier(max_depth=1).fit(
            np.array([[0, 0], [1, 1], [2, 2], [3, 3]]), [1, 0, 1, 0]
        )
        assert tree.tree_.feature[0] == 0
        assert tree.tree_.threshold[0] == 0.5

    def test_a_split_that_ranks_nothing_is_not_made(self):
        both = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        tree = AUCSplitTreeClassifier().fit(both, [0, 1, 1, 0])
        assert tree.n_leaves_ == 1
        assert tree.depth_ == 0
        assert tree.predict_proba(both)[:, 1].tolist() == [0.5] * 4
        assert tree.feature_importances_.tolist() == [0, 0]

    def test_constant_features_make_one_leaf(self):
        tree = AUCSplitTreeClassifier().fit(np.ones((5, 3)), [0, 1, 1, 0, 1])
        assert tree.predict_proba([[1.0, 1.0, 1.0]])[0] == pytest.approx([3 / 7, 4 / 7])
        assert tree.predict([[9.0, 9.0, 9.0]]).tolist() == [1]

    def test_float32_and_integers_are_taken_as_they_are(self):
        wanted = AUCSplitTreeClassifier().fit(X, Y).predict_proba(X)
        for kind in (np.float32, np.int64, bool):
            typed = X.astype(kind).astype(np.float64)
            found = AUCSplitTreeClassifier().fit(X.astype(kind), Y).predict_proba(X.astype(kind))
            assert np.array_equal(
                found, AUCSplitTreeClassifier().fit(typed, Y).predict_proba(typed)
            )
        assert np.array_equal(wanted, AUCSplitTreeClassifier().fit(X.tolist(), Y).predict_proba(X))


class TestMissing:
    def test_it_goes_where_the_auc_is_larger(self):
        tree = AUCSplitTreeClassifier(max_depth=1).fit(
            column(0, 0, 5, 5, NAN, NAN), [0, 0, 1, 1, 0, 0]
        )
        assert tree.tree_.missing_to[0] == 0
        assert tree.predict([[NAN]]).tolist() == [0]
        tree.fit(column(0, 0, 5, 5, NAN, NAN), [0, 0, 1, 1, 1, 1])
        assert tree.predict([[NAN]]).tolist() == [1]

    def test_having_a_value_may_decide(self):
        tree = AUCSplitTreeClassifier(max_depth=1).fit(column(1, 2, 1, NAN, NAN), [0, 0, 0, 1, 1])
        assert np.isinf(tree.tree_.threshold[0])
        assert tree.predict([[1e9], [-1e9], [NAN]]).tolist() == [0, 0, 1]
        assert "x0 known" in tree.to_text()
        assert "x0 missing" in tree.to_text()

    def test_never_seen_it_goes_with_the_weight(self):
        tree = AUCSplitTreeClassifier().fit(column(0, 1, 1, 1), [0, 1, 1, 1])
        assert tree.predict([[NAN]]).tolist() == [1]
        tree.fit(column(0, 1, 1, 1), [0, 1, 1, 1], [9, 1, 1, 1])
        assert tree.predict([[NAN]]).tolist() == [0]

    def test_a_feature_without_any_value_is_of_no_use(self):
        tree = AUCSplitTreeClassifier().fit(np.column_stack([np.full(4, NAN), X[:, 0]]), Y)
        assert tree.feature_importances_.tolist() == [0, 1]

    def test_infinity_is_refused(self):
        with pytest.raises(ValueError, match="infinity"):
            AUCSplitTreeClassifier().fit(column(0, np.inf), [0, 1])
        with pytest.raises(InputError, match="Feature 0 holds infinity in row 1"):
            AUCSplitTreeClassifier(categorical_features=[1]).fit(
                np.array([[0, "a"], [np.inf, "b"]], object), [0, 1]
            )


class TestCategories:
    FRAME = pd.DataFrame(
        {
            "colour": ["red", "blue", "green", "red", None, "blue"],
            "size": [1.0, 2.0, NAN, 3.0, 2.0, 1.0],
        }
    )
    TRUTH = ("yes", "no", "yes", "yes", "no", "no")

    def test_names_places_and_masks_mean_the_same(self):
        texts = [
            AUCSplitTreeClassifier(categorical_features=chosen)
            .fit(self.FRAME, self.TRUTH)
            .to_text()
            for chosen in (["colour"], [0], [-2], [True, False], np.array([True, False]))
        ]
        assert len(set(texts)) == 1
        assert "colour in {green, red}" in texts[0]
        assert "colour in {blue} or missing" in texts[0]

    def test_unseen_categories_go_with_the_weight(self):
        tree = AUCSplitTreeClassifier(categorical_features=["colour"])
        tree.fit(self.FRAME, self.TRUTH, [1, 1, 1, 1, 1, 9])
        new = pd.DataFrame({"colour": ["violet", None, "red"], "size": [1.0, 1.0, 1.0]})
        assert tree.predict(new).tolist() == ["no", "no", "yes"]
        assert tree.classes_.tolist() == ["no", "yes"]

    def test_a_child_for_each(self):
        tree = AUCSplitTreeClassifier(
            categorical_features=["colour"], categorical_split="multiway", max_depth=1
        ).fit(self.FRAME, self.TRUTH)
        assert tree.n_leaves_ == 4
        assert tree.to_text().splitlines()[1:] == [
            "|   colour in {blue}: +0 -2, score 0.250",
            "|   colour in {green}: +1 -0, score 0.667",
            "|   colour in {red}: +2 -0, score 0.750",
            "|   colour missing: +0 -1, score 0.333",
        ]

    def test_small_categories_forbid_a_child_for_each(self):
        values = column(0, 0, 1, 1, 2)
        tree = AUCSplitTreeClassifier(
            categorical_features=[0], categorical_split="multiway", min_samples_leaf=2
        )
        assert tree.fit(values, [0, 0, 1, 1, 1]).n_leaves_ == 1
        assert (
            tree.set_params(categorical_split="binary").fit(values, [0, 0, 1, 1, 1]).n_leaves_ == 2
        )

    def test_order_of_categories_means_nothing(self):
        tree = AUCSplitTreeClassifier(categorical_features=[0], max_depth=1)
        tree.fit(column(0, 1, 2, 3), [1, 0, 1, 0])
        assert tree.predict(column(0, 1, 2, 3)).tolist() == [1, 0, 1, 0]

    @pytest.mark.parametrize(
        ("chosen", "message"),
        [
            (["weight"], "names weight; the features of X are colour, size"),
            ([2], "does not fit the 2 features of X; indices are integers from 0 to 1"),
            ([0.5], "indices are integers from 0 to 1"),
            ([True], "holds 1 booleans and X has 2 features"),
            (0, "a flat sequence of indices or names"),
        ],
    )
    def test_features_that_are_not_there(self, chosen, message):
        with pytest.raises(InputError, match=message):
            AUCSplitTreeClassifier(categorical_features=chosen).fit(self.FRAME, self.TRUTH)

    def test_names_need_a_frame(self):
        with pytest.raises(InputError, match="but X has no column names"):
            AUCSplitTreeClassifier(categorical_features=["colour"]).fit(X, Y)

    def test_texts_need_to_be_named(self):
        with pytest.raises(InputError, match="Feature 0 holds values that are not numbers"):
            AUCSplitTreeClassifier(categorical_features=["size"]).fit(self.FRAME, self.TRUTH)

    def test_texts_and_numbers_do_not_mix(self):
        mixed = np.array([["a"], [1]], object)
        with pytest.raises(InputError, match="mixes strings and numbers"):
            AUCSplitTreeClassifier(categorical_features=[0]).fit(mixed, [0, 1])


def coloured(n=300):
    rng = np.random.default_rng(0)
    colour, x = rng.choice(["red", "green", "blue"], n), rng.normal(size=n)
    y = ((colour == "red") * 1.5 + x + rng.normal(size=n) > 0.5).astype(int)
    return colour, x, y


COLOUR, SIZE, HEALTHY = coloured()
ROWS = np.array(list(zip(COLOUR.tolist(), SIZE.tolist(), strict=True)), object)
FRAMES = {
    "pandas text": lambda c, x: pd.DataFrame({"colour": c, "size": x}),
    "pandas objects": lambda c, x: pd.DataFrame({"colour": pd.Series(c, dtype=object), "size": x}),
    "pandas categories": lambda c, x: pd.DataFrame({"colour": pd.Categorical(c), "size": x}),
    "pandas nullable": lambda c, x: pd.DataFrame(
        {"colour": pd.Series(c, dtype="string"), "size": pd.Series(x, dtype="Float64")}
    ),
    "pandas Arrow": lambda c, x: pd.DataFrame(
        {"colour": pd.Series(c, dtype="string[pyarrow]"), "size": pd.Series(x, dtype="Float64")}
    ),
    "polars text": lambda c, x: pl.DataFrame({"colour": list(c), "size": x}),
    "polars categories": lambda c, x: pl.DataFrame(
        {"colour": pl.Series(list(c)).cast(pl.Categorical), "size": x}
    ),
    "polars enum": lambda c, x: pl.DataFrame(
        {"colour": pl.Series(list(c)).cast(pl.Enum(["red", "green", "blue", "violet"])), "size": x}
    ),
}
# scikit-learn before 1.9 does not see the columns of polars 2, whatever the estimator.
if Version(sklearn.__version__) < Version("1.9"):
    FRAMES = {kind: made for kind, made in FRAMES.items() if not kind.startswith("polars")}


@pytest.mark.parametrize("kind", FRAMES)
class TestFramesWithText:
    """They failed with "could not convert string to float", though the command took them."""

    def test_are_taken_as_if_the_columns_were_named(self, kind):
        named = AUCSplitTreeClassifier(max_depth=3, categorical_features=[0]).fit(ROWS, HEALTHY)
        expected = named.predict_proba(ROWS)
        frame = FRAMES[kind](COLOUR, SIZE)
        tree = AUCSplitTreeClassifier(max_depth=3).fit(frame, HEALTHY)
        assert tree.is_categorical_.tolist() == [True, False]
        assert tree.feature_names_in_.tolist() == ["colour", "size"]
        assert tree.get_params() == AUCSplitTreeClassifier(max_depth=3).get_params()
        for other in FRAMES.values():  # trained on one kind, used on another
            np.testing.assert_array_equal(tree.predict_proba(other(COLOUR, SIZE)), expected)
        assert "colour in {red}" in tree.to_text()
        again = clone(tree).fit(frame, HEALTHY)
        assert again.to_text() == pickle.loads(pickle.dumps(tree)).to_text() == tree.to_text()
        with pytest.raises(InputError, match="categorical_features=None with a data frame"):
            AUCSplitTreeClassifier(categorical_features=[]).fit(frame, HEALTHY)

    def test_columns_in_another_order_are_refused_as_by_scikit_learn(self, kind):
        frame = FRAMES[kind](COLOUR, SIZE)
        tree = AUCSplitTreeClassifier(max_depth=3).fit(frame, HEALTHY)
        with pytest.raises(ValueError, match="feature names should match"):
            tree.predict(frame[["size", "colour"]])

    def test_unseen_categories_and_missing_values(self, kind):
        frame = FRAMES[kind](COLOUR, SIZE)
        tree = AUCSplitTreeClassifier(max_depth=3).fit(frame, HEALTHY)
        named = AUCSplitTreeClassifier(max_depth=3, categorical_features=[0]).fit(ROWS, HEALTHY)
        colours, sizes = ["violet", None, "red"], [0.0, 0.0, np.nan]
        rows = np.array(list(zip(colours, sizes, strict=True)), object)
        new = FRAMES[kind](colours, sizes)
        np.testing.assert_array_equal(tree.predict_proba(new), named.predict_proba(rows))
        missing = FRAMES[kind](["red", None, "blue", None], [1.0, 2.0, None, 3.0])
        learned = AUCSplitTreeClassifier().fit(missing, [0, 1, 0, 1])
        assert learned.predict(missing).tolist() == [0, 1, 0, 1]


def test_categories_of_numbers_in_a_frame():
    frame = pd.DataFrame({"code": pd.Categorical([3, 1, 2, 3, 1, 2]), "x": 0.0})
    tree = AUCSplitTreeClassifier().fit(frame, [1, 0, 1, 1, 0, 1])
    assert tree.is_categorical_.tolist() == [True, False]
    assert tree.predict(frame).tolist() == [1, 0, 1, 1, 0, 1]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [1, 2, 3, 4], "b": [True, False, True, False]}),
        pd.DataFrame({"a": pd.Series([1, 2, None, 4], dtype=object)}),
        pd.DataFrame({"a": pd.Series([1, 2, None, 4], dtype="Int64")}),
        pl.DataFrame({"a": [1, 2, None, 4]}),
    ],
)
def test_frames_of_numbers_have_no_categories(frame):
    tree = AUCSplitTreeClassifier().fit(frame, [0, 0, 1, 1])
    assert not tree.is_categorical_.any()


def test_text_where_training_had_numbers_is_refused():
    tree = AUCSplitTreeClassifier().fit(pd.DataFrame({"x": SIZE}), HEALTHY)
    for frame in (pd.DataFrame({"x": COLOUR}), pl.DataFrame({"x": COLOUR.tolist()})):
        with pytest.raises(InputError, match="Column 'x' of X holds text or categories, but held"):
            tree.predict(frame)


@pytest.mark.parametrize(
    ("rows", "features"),
    [
        (ROWS, r"\[0\]"),
        (ROWS[:, ::-1], r"\[1\]"),
        (ROWS.astype(str), r"\[0, 1\]"),
        (ROWS.tolist(), r"\[0\]"),
    ],
)
def test_text_in_arrays_is_refused_with_the_option(rows, features):
    message = f"are text or categories; .* Pass categorical_features={features}, or"
    with pytest.raises(InputError, match=message):
        AUCSplitTreeClassifier().fit(rows, HEALTHY)


class TestLimits:
    X, y = make_classification(400, 6, n_informative=4, flip_y=0.2, random_state=0)

    def test_depth(self):
        tree = AUCSplitTreeClassifier(max_depth=3).fit(self.X, self.y)
        assert tree.depth_ == 3
        assert tree.n_leaves_ <= 8

    def test_rows_of_leaves_and_splits(self):
        tree = AUCSplitTreeClassifier(min_samples_leaf=20, min_samples_split=60).fit(self.X, self.y)
        leaf = tree.tree_.feature < 0
        assert tree.tree_.rows[leaf].min() >= 20
        assert tree.tree_.rows[~leaf].min() >= 60
        assert tree.tree_.rows[leaf].sum() == len(self.y)

    def test_leaves(self):
        tree = AUCSplitTreeClassifier(max_leaf_nodes=5).fit(self.X, self.y)
        assert tree.n_leaves_ == 5

    def test_unlimited_trees_separate_what_can_be(self):
        tree = AUCSplitTreeClassifier(leaf_score="share").fit(self.X, self.y)
        assert rl.auc(self.y, tree.predict_proba(self.X)[:, 1]) == 1

    def test_the_path_of_pruning_is_what_fit_does(self):
        path = AUCSplitTreeClassifier().cost_complexity_pruning_path(self.X, self.y)
        assert (np.diff(path.ccp_alphas) > 0).all()
        assert (np.diff(path.n_leaves) < 0).all()
        for i in range(0, len(path.ccp_alphas) - 1, 3):
            alpha = (path.ccp_alphas[i] + path.ccp_alphas[i + 1]) / 2
            tree = AUCSplitTreeClassifier(ccp_alpha=alpha).fit(self.X, self.y)
            assert tree.n_leaves_ == path.n_leaves[i]
            assert 0.5 + tree.tree_.gain.sum() == pytest.approx(path.auc[i], abs=1e-12)
        assert repr(path).startswith(f"PruningPath({len(path.auc)} subtrees, ")

    def test_features_are_drawn_for_each_node(self):
        def first(seed):
            tree = AUCSplitTreeClassifier(max_depth=1, max_features=1, random_state=seed)
            return int(tree.fit(self.X, self.y).tree_.feature[0])

        drawn = [first(seed) for seed in range(60)]
        assert set(drawn) == set(range(6))
        assert drawn == [first(seed) for seed in range(60)]

    @pytest.mark.parametrize("wanted", ["sqrt", "log2", 0.5, 3, 6, None])
    def test_ways_to_say_how_many_features(self, wanted):
        tree = AUCSplitTreeClassifier(max_features=wanted, random_state=0).fit(self.X, self.y)
        assert tree.n_leaves_ > 1


class TestLeafScores:
    def test_laplace_prior_and_share(self):
        rows, truth = column(0, 0, 0, 1), [0, 0, 0, 1]
        scores = {
            kind: AUCSplitTreeClassifier(leaf_score=kind)
            .fit(rows, truth)
            .predict_proba([[0.0], [1.0]])[:, 1]
            .tolist()
            for kind in ("laplace", "prior", "share")
        }
        assert scores["laplace"] == [1 / 5, 2 / 3]
        assert scores["prior"] == [0.5 / 5, 1.5 / 3]
        assert scores["share"] == [0, 1]

    def test_an_even_leaf_is_negative(self):
        tree = AUCSplitTreeClassifier().fit(column(0, 0), ["a", "b"])
        assert tree.predict([[0.0]]).tolist() == ["a"]


class TestWeights:
    def test_rows_of_weight_zero_are_not_there(self):
        rows = np.vstack([X, [[7.0, 7.0]]])
        with_zero = AUCSplitTreeClassifier().fit(rows, [*Y, 0], [1, 1, 1, 1, 0])
        assert with_zero.to_text() == AUCSplitTreeClassifier().fit(X, Y).to_text()

    def test_wild_weights_stay_exact_enough(self):
        mass = [1e-30, 1e30, 1.0, 1e-3]
        tree = AUCSplitTreeClassifier().fit(column(0, 1, 2, 3), [0, 1, 0, 1], mass)
        assert tree.n_leaves_ == 4
        assert np.isfinite(tree.predict_proba(column(0, 1, 2, 3))).all()

    @pytest.mark.parametrize(
        ("weights", "message"),
        [
            ([1, 1, -1, 1], "weight is -1 in row 2"),
            ([1, 1], "4 rows and sample_weight has 2"),
        ],
    )
    def test_bad_weights(self, weights, message):
        with pytest.raises(InputError, match=message):
            AUCSplitTreeClassifier().fit(X, Y, weights)

    def test_a_class_of_weight_zero(self):
        with pytest.raises(InputError, match="one class only"):
            AUCSplitTreeClassifier().fit(X, Y, [1, 0, 1, 0])


class TestRefusals:
    def test_one_class(self):
        with pytest.raises(InputError, match=r"y holds one class only \(1\); two are needed"):
            AUCSplitTreeClassifier().fit(X, [1, 1, 1, 1])

    def test_three_classes(self):
        with pytest.raises(InputError, match=r"Only binary classification.*OneVsRestClassifier"):
            AUCSplitTreeClassifier().fit(X, [0, 1, 2, 0])
        assert (
            OneVsRestClassifier(AUCSplitTreeClassifier()).fit(X, [0, 1, 2, 0]).predict(X).size == 4
        )

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"max_depth": 0}, "max_depth=0 .* an integer from 1 .* max_depth=None"),
            ({"max_depth": 2.5}, r"max_depth=2\.5"),
            ({"min_samples_split": 1}, "min_samples_split=1 is out of range; an integer from 2 to"),
            ({"min_samples_leaf": None}, "min_samples_leaf=None"),
            ({"max_leaf_nodes": True}, "max_leaf_nodes=True"),
            ({"max_features": 3}, "max_features=3, and X has 2 features; an integer from 1 to 2"),
            ({"max_features": 1.5}, r"max_features=1\.5"),
            ({"max_features": "all"}, "max_features='all'"),
            (
                {"categorical_split": "ternary"},
                "Choose 'binary' or 'multiway'",
            ),
            ({"leaf_score": "m"}, "Choose 'laplace', 'prior' or 'share'"),
            ({"ccp_alpha": -1}, "ccp_alpha=-1 is out of range; a finite number of at least 0"),
            ({"ccp_alpha": NAN}, "ccp_alpha=nan"),
        ],
    )
    def test_parameters(self, parameters, message):
        with pytest.raises(InputError, match=message):
            AUCSplitTreeClassifier(**parameters).fit(X, Y)

    def test_names_of_another_number_of_features(self):
        tree = AUCSplitTreeClassifier().fit(X, Y)
        with pytest.raises(InputError, match="feature_names has 1 names and the tree 2 features"):
            tree.to_text(feature_names=["one"])


class TestAmongOthers:
    X, y = make_classification(300, 8, n_informative=3, flip_y=0.1, random_state=1)

    def test_clone_and_pickle(self):
        frame = TestCategories.FRAME
        tree = AUCSplitTreeClassifier(categorical_features=["colour"]).fit(
            frame, TestCategories.TRUTH
        )
        again = pickle.loads(pickle.dumps(tree))
        assert np.array_equal(again.predict_proba(frame), tree.predict_proba(frame))
        assert again.to_text() == tree.to_text()
        assert clone(tree).get_params() == tree.get_params()

    def test_pipeline_and_grid_search(self):
        search = GridSearchCV(
            make_pipeline(StandardScaler(), AUCSplitTreeClassifier()),
            {"aucsplittreeclassifier__ccp_alpha": [0.0, 0.002, 0.02]},
            scoring="roc_auc",
            cv=3,
        ).fit(self.X, self.y)
        assert search.best_score_ > 0.8

    def test_a_bag_ranks_better_than_a_tree(self):
        tree = AUCSplitTreeClassifier(max_features="sqrt", random_state=0)
        bag = BaggingClassifier(tree, n_estimators=30, random_state=0)
        alone, many = (
            cross_val_score(model, self.X, self.y, scoring="roc_auc", cv=3).mean()
            for model in (tree, bag)
        )
        assert many > alone + 0.02

    def test_learning_the_path_leaves_the_model_alone(self):
        tree = AUCSplitTreeClassifier(max_depth=2).fit(self.X, self.y)
        before = tree.to_text()
        tree.cost_complexity_pruning_path(self.X[:, :3], self.y)
        assert tree.to_text() == before
        assert tree.n_features_in_ == 8

    def test_what_the_tree_says_of_itself(self):
        tree = AUCSplitTreeClassifier(max_depth=2).fit(self.X, self.y)
        assert repr(tree.tree_) == "SplitTree(7 nodes, 4 leaves, depth 2)"
        assert tree.tree_.to_dict()["rows"][0] == 300
        assert tree.feature_importances_.sum() == pytest.approx(1)
        assert set(tree.apply(self.X).tolist()) == set(np.flatnonzero(tree.tree_.feature < 0))
