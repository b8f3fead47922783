"""Is the best candidate among the contenders as often as they say, and what does simplicity cost?

Candidates are linear scores of some of the features, weighted by the difference of class means, so
that the expected AUC of each is known. Figures in docs/how_to/search_with_scikit_learn.md are those
of 1,000 runs of `simulate`; here are fewer.
"""

import functools
import math

import numpy as np
import pytest
from scipy.special import ndtr
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

import roclab as rl

SPLITS = {
    "2-fold": (functools.partial(StratifiedKFold, 2, shuffle=True), 1 / 2),
    "5-fold": (functools.partial(StratifiedKFold, 5, shuffle=True), 1 / 5),
    "10-fold": (functools.partial(StratifiedKFold, 10, shuffle=True), 1 / 10),
    "5-fold, 4 times": (functools.partial(RepeatedStratifiedKFold, n_splits=5, n_repeats=4), 1 / 5),
    "10 random 30 %": (functools.partial(StratifiedShuffleSplit, 10, test_size=0.3), 0.3),
}


def alike(count):
    """As many equally good candidates, each with two features of its own."""
    return np.full(2 * count, 0.6), [slice(2 * i, 2 * i + 2) for i in range(count)]


def nested():
    """Twelve candidates with ever more features, of which the first four are informative."""
    shift = np.array([1.2, 0.8, 0.5, 0.3] + [0.0] * 8)
    return shift, [slice(0, i + 1) for i in range(12)]


def expected_aucs(population, n_train, rng, repetitions=20_000):
    shift, candidates = population
    weights = rng.normal(size=(repetitions, len(shift))) * math.sqrt(4 / n_train) + shift
    parts = [(weights[:, features], shift[features]) for features in candidates]
    return np.array(
        [ndtr(w @ d / np.linalg.norm(w, axis=1) / math.sqrt(2)).mean() for w, d in parts]
    )


def search(population, rows, splitter, rng):
    """`cv_results_` of a search over the candidates."""
    shift, candidates = population
    y = np.repeat([0, 1], rows // 2)
    X = rng.normal(size=(rows, len(shift))) + np.outer(y, shift)
    results = {"params": [{"features": i} for i in range(len(candidates))]}
    for split, (train, test) in enumerate(splitter.split(X, y)):
        weights = X[train][y[train] == 1].mean(axis=0) - X[train][y[train] == 0].mean(axis=0)
        parts = X[test] * weights
        results[f"split{split}_test_score"] = [
            rl.auc(y[test], parts[:, features].sum(axis=1)) for features in candidates
        ]
    return results


def within_one_error(results):
    """The rows within one standard error of the best: the rule of Breiman et al. (1984)."""
    scores = np.stack([results[key] for key in results if key.startswith("split")], axis=1)
    mean = scores.mean(axis=1)
    best = mean.argmax()
    error = scores[best].std(ddof=1) / math.sqrt(scores.shape[1])
    return np.flatnonzero(mean >= mean[best] - error), best


def simulate(population, rows, splits, *, runs, levels=(0.95,)):
    """Share of runs with the best among the contenders, their number and the AUC given up.

    By rule: each confidence level, ``"one error"`` and ``"highest mean"``.
    """
    make, share = SPLITS[splits]
    rng = np.random.default_rng([rows, len(splits)])
    truth = expected_aucs(population, rows * (1 - share), rng)
    found = {}
    for run in range(runs):
        results = search(population, rows, make(random_state=run), rng)
        near, best = within_one_error(results)
        chosen = {"one error": near, "highest mean": [best]}
        for level in levels:
            rule = rl.SimplestContender("features", test_share=share, confidence_level=level)
            chosen[level] = rule.contenders(results)
        for rule, rows_chosen in chosen.items():
            lost = truth.max() - truth[min(rows_chosen)]
            seen = (truth.argmax() in rows_chosen, len(rows_chosen), lost)
            found.setdefault(rule, []).append(seen)
    return {rule: tuple(np.mean(seen, axis=0).tolist()) for rule, seen in found.items()}


@pytest.mark.parametrize("splits", SPLITS)
def test_of_many_equal_candidates_nearly_all_are_contenders(splits):
    # all are the best, so the share of contenders estimates the level
    assert simulate(alike(20), 60, splits, runs=40)[0.95][1] / 20 >= 0.95


def test_one_standard_error_does_not_keep_a_level():
    assert simulate(alike(20), 60, "5-fold", runs=40)["one error"][1] / 20 < 0.5


def test_the_best_of_different_candidates_is_a_contender():
    found = simulate(nested(), 400, "5-fold, 4 times", runs=60, levels=(0.95, 0.5))
    inside, size, lost = found[0.95]
    assert inside >= 0.95
    assert size < 11.5  # the worst can be told
    assert found[0.5][0] >= 0.5
    assert found[0.5][1] < size
    assert found["highest mean"][2] < found[0.5][2] < lost  # what simplicity costs
