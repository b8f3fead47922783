"""Trees of AUC splits: native equals counting all pairs, on small data with many ties."""

import math
from fractions import Fraction

import numpy as np
import pytest
import reference_tree as reference
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.learning import AUCSplitTreeClassifier, split_auc

WEIGHTS = {
    "none": st.just(1.0),
    "counts": st.integers(0, 3).map(float),
    "eighths": st.integers(1, 24).map(lambda k: k / 8),
    "any": st.floats(0.01, 100),
    "spread": st.integers(-12, 12).map(lambda e: 2.0**e),
}
RULES = st.fixed_dictionaries(
    {},
    optional={
        "max_depth": st.integers(1, 4),
        "min_samples_split": st.integers(2, 6),
        "min_samples_leaf": st.integers(1, 4),
    },
)


@st.composite
def tables(draw, weights=tuple(WEIGHTS), categories=True, missing=True):
    """(X, truth, weights, categorical): few values, so that ties and constants are common."""
    size, columns = draw(st.integers(2, 18)), draw(st.integers(1, 3))
    cell = st.integers(0, 3).map(float)
    if missing:
        cell = st.one_of(cell, cell, st.just(math.nan))
    X = np.array(draw(st.lists(cell, min_size=size * columns, max_size=size * columns)))
    truth = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    truth[:2] = True, False
    kind = draw(st.sampled_from(weights))
    mass = np.array(draw(st.lists(WEIGHTS[kind], min_size=size, max_size=size)))
    mass[:2] = np.maximum(mass[:2], 0.125 if kind == "eighths" else 1)
    categorical = draw(st.lists(st.booleans(), min_size=columns, max_size=columns))
    return X.reshape(size, columns), truth, mass, categorical if categories else [False] * columns


def reference_rows(X, truth, mass):
    return [
        (tuple(None if math.isnan(v) else v for v in row), bool(label), weight)
        for row, label, weight in zip(X.tolist(), truth, mass.tolist(), strict=True)
    ]


def nested(model, node=0):
    """The grown tree in the form of the reference: what it says of its nodes."""
    tree = model.tree_
    shown = {"pos": tree.pos[node], "neg": tree.neg[node], "rows": tree.rows[node]}
    if tree.feature[node] < 0:
        return shown
    first = tree.first_child[node]
    children = [nested(model, first + i) for i in range(tree.children[node])]
    return shown | {"feature": tree.feature[node], "children": children}


def nested_reference(tree):
    shown = {"pos": float(tree["pos"]), "neg": float(tree["neg"]), "rows": tree["rows"]}
    if "rule" not in tree:
        return shown
    children = [nested_reference(child) for child in tree["children"]]
    return shown | {"feature": tree["rule"][1], "children": children}


EVERY_CELL = [math.nan, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0]
# Sums of these are exact, so that trees must be equal to the last bit.
EXACT = ("none", "counts", "eighths", "spread")


@given(tables(weights=EXACT), RULES, st.booleans())
def test_the_tree_is_that_of_all_pairs(table, rules, multiway):
    X, truth, mass, categorical = table
    expected = reference.grow(
        reference_rows(X, truth, mass), categorical, multiway=multiway, **rules
    )
    model = AUCSplitTreeClassifier(
        categorical_features=categorical,
        categorical_split="multiway" if multiway else "binary",
        **rules,
    ).fit(X, truth, mass)
    assert nested(model) == nested_reference(expected)
    assert model.n_leaves_ == reference.leaves(expected)
    grid = np.array(np.meshgrid(*[EVERY_CELL] * X.shape[1])).reshape(X.shape[1], -1).T
    scores = [
        float(reference.score(expected, [None if math.isnan(v) else v for v in row]))
        for row in grid.tolist()
    ]
    assert model.predict_proba(grid)[:, 1] == pytest.approx(scores, rel=1e-14)


@given(tables(weights=EXACT))
def test_two_sets_of_categories_are_the_best_two(table):
    X, truth, mass, _ = table
    model = AUCSplitTreeClassifier(max_depth=1, categorical_features=[0]).fit(X[:, :1], truth, mass)
    rows = [row for row in reference_rows(X[:, :1], truth, mass) if row[2]]
    if len({row[0] for row in rows}) > 1:
        best = float(reference.best_of_all_sets(rows, 0))
        assert 0.5 + model.tree_.gain[0] == pytest.approx(best, rel=1e-14)
    else:
        assert model.n_leaves_ == 1


@given(tables(), RULES, st.randoms(use_true_random=False), st.sampled_from([None, 1, "sqrt"]))
def test_rows_may_come_in_any_order(table, rules, random, max_features):
    X, truth, mass, categorical = table
    order = list(range(len(X)))
    random.shuffle(order)
    model = AUCSplitTreeClassifier(
        categorical_features=categorical, max_features=max_features, random_state=3, **rules
    )
    one = model.fit(X, truth, mass).tree_.to_dict()
    other = model.fit(X[order], truth[order], mass[order]).tree_.to_dict()
    assert repr(one) == repr(other)  # nan equals nan


@given(tables(weights=("counts",)), st.integers(1, 4))
def test_whole_weights_repeat_rows(table, max_depth):
    X, truth, mass, categorical = table
    model = AUCSplitTreeClassifier(categorical_features=categorical, max_depth=max_depth)
    weighted = model.fit(X, truth, mass).predict_proba(X)
    times = mass.astype(int)
    repeated = model.fit(np.repeat(X, times, axis=0), np.repeat(truth, times)).predict_proba(X)
    assert np.array_equal(weighted, repeated)


@given(tables(), st.integers(-30, 30))
def test_the_scale_of_weights_changes_no_split(table, exponent):
    X, truth, mass, categorical = table
    model = AUCSplitTreeClassifier(categorical_features=categorical, leaf_score="share")
    one = model.fit(X, truth, mass).predict_proba(X)
    other = model.fit(X, truth, mass * 2.0**exponent).predict_proba(X)
    assert np.array_equal(one, other)


@given(tables(categories=False, missing=False))
def test_swapped_labels_turn_the_scores_round(table):
    X, truth, mass, _ = table
    one = AUCSplitTreeClassifier().fit(X, truth, mass).predict_proba(X)
    other = AUCSplitTreeClassifier().fit(X, ~truth, mass).predict_proba(X)
    assert one == pytest.approx(other[:, ::-1], rel=1e-12)


@given(tables(categories=False), st.sampled_from([np.exp, np.arctan, lambda x: 1e300 * x]))
def test_monotone_features_make_the_same_leaves(table, rising):
    X, truth, mass, _ = table
    X, truth, mass = X[mass > 0], truth[mass > 0], mass[mass > 0]  # others may be halfway
    one = AUCSplitTreeClassifier().fit(X, truth, mass).apply(X)
    other = AUCSplitTreeClassifier().fit(rising(X), truth, mass).apply(rising(X))
    assert np.array_equal(one, other)


@given(tables())
def test_gains_add_up_to_no_more_than_the_auc(table):
    """Leaves below a node may be ranked apart from each other, which only helps."""
    X, truth, mass, categorical = table
    model = AUCSplitTreeClassifier(categorical_features=categorical, leaf_score="share")
    scores = model.fit(X, truth, mass).predict_proba(X)[:, 1]
    auc = rl.auc(truth, scores, sample_weight=mass)
    assert auc >= 0.5 + model.tree_.gain.sum() - 1e-9
    if model.n_leaves_ == 2:
        assert auc == pytest.approx(0.5 + model.tree_.gain[0], rel=1e-9)


@given(tables(weights=("none",)), st.integers(0, 40))
def test_pruning_finds_the_best_subtree(table, alpha):
    X, truth, mass, categorical = table
    alpha = Fraction(alpha, 256)
    model = AUCSplitTreeClassifier(categorical_features=categorical, max_depth=3)
    whole = reference.grow(reference_rows(X, truth, mass), categorical, max_depth=3)
    subtrees = reference.all_subtrees(whole, whole["pos"] * whole["neg"])
    best = max((gain - alpha * leaves, -leaves) for gain, leaves in subtrees)
    pruned = model.set_params(ccp_alpha=float(alpha)).fit(X, truth)
    worth = pruned.tree_.gain.sum() - float(alpha) * pruned.n_leaves_
    assert worth == pytest.approx(float(best[0]), abs=1e-12)
    path = model.cost_complexity_pruning_path(X, truth)
    assert path.n_leaves[0] == reference.leaves(whole)
    assert path.n_leaves[-1] == 1
    assert path.auc[-1] == pytest.approx(0.5, abs=1e-12)
    for price, auc, leaves in zip(*path.to_dict().values(), strict=True):
        best = max(gain - Fraction(price) * count for gain, count in subtrees)
        assert auc - 0.5 - price * leaves == pytest.approx(float(best), abs=1e-12)


@given(tables(weights=EXACT), st.integers(2, 6))
def test_leaves_are_made_where_they_gain_most(table, max_leaf_nodes):
    X, truth, mass, categorical = table
    model = AUCSplitTreeClassifier(categorical_features=categorical)
    whole = model.fit(X, truth, mass).tree_
    few = model.set_params(max_leaf_nodes=max_leaf_nodes).fit(X, truth, mass)
    open_nodes, gains = [0], []
    while len(gains) + 1 < max_leaf_nodes:
        best = max(open_nodes, key=lambda node: (whole.gain[node], -node), default=None)
        if best is None or whole.feature[best] < 0:
            break
        open_nodes.remove(best)
        gains.append(whole.gain[best])
        open_nodes += [int(whole.first_child[best]) + i for i in range(2)]
    assert few.n_leaves_ == len(gains) + 1
    assert sorted(few.tree_.gain[few.tree_.feature >= 0]) == sorted(gains)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6))
def test_the_criterion_counts_all_pairs(children):
    pos, neg = zip(*children, strict=True)
    if not sum(pos) or not sum(neg):
        with pytest.warns(rl.UndefinedMeasureWarning):
            assert math.isnan(split_auc(pos, neg))
        return
    rows = [
        [((0,), truth, 1) for truth, n in ((True, p), (False, q)) for _ in range(n)]
        for p, q in children
        if p or q
    ]
    assert split_auc(pos, neg) == pytest.approx(float(reference.ranking_auc(rows)), rel=1e-14)


@pytest.mark.parametrize("weighted", [False, True])
def test_threads_change_nothing(monkeypatch, weighted):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 12)).round(1)
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 3] = rng.integers(0, 30, len(X))
    truth = np.nan_to_num(X[:, 0] * X[:, 1]) + X[:, 3] % 3 + rng.normal(size=len(X)) > 1
    mass = rng.random(len(X)) + 0.1 if weighted else None
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("ROCLAB_NUM_THREADS", threads)
        model = AUCSplitTreeClassifier(
            categorical_features=[3], max_features=0.5, random_state=1, min_samples_leaf=5
        ).fit(X, truth, mass)
        found.append((repr(model.tree_.to_dict()), model.predict_proba(X).tobytes()))
    assert found[0] == found[1] == found[2]
