"""A journey checks each array once, whatever it computes from it."""

import importlib
import sys

import numpy as np
import pytest

import roclab as rl
from roclab.checks import labels_and_scores

CHECKS = ("as_labels", "as_scores", "as_weights")
N = 300
RNG = np.random.default_rng(5)
Y = (RNG.random(N) < 0.4).astype(int)
SCORES = {name: RNG.normal(size=N) + 0.4 * Y for name in "abcdef"}
GROUPS = {"patient": RNG.integers(0, 40, N), "fold": RNG.integers(0, 4, N)}
W = RNG.choice([0.5, 1, 2], N)
X = RNG.normal(size=(N, 3)) + Y[:, np.newaxis]
DRAWN = {"n_resamples": 20, "rng": 0}


@pytest.fixture
def checks(monkeypatch):
    """Calls of each check, in every module that imports it."""
    for room in ("curves", "decisions", "inference", "learning", "measures", "report", "selection"):
        module = importlib.import_module(f"roclab.{room}")
        for name in module.__all__:  # loads the modules, which import the checks
            getattr(module, name)
    counts = dict.fromkeys(CHECKS, 0)

    def counted(name, check):
        def call(*arguments, **options):
            counts[name] += 1
            return check(*arguments, **options)

        return call

    for name in CHECKS:
        check = getattr(labels_and_scores, name)
        for module in [one for key, one in sys.modules.items() if key.startswith("roclab")]:
            if vars(module).get(name) is check:
                monkeypatch.setattr(module, name, counted(name, check))
    return counts


def table(weight):
    return rl.ScoreTable(Y, SCORES, groups=GROUPS, sample_weight=weight)


# The numbers of columns of labels and scores that each journey is given.
JOURNEYS = {
    "auc": (1, 1, lambda w: rl.auc(Y, SCORES["a"], sample_weight=w)),
    "interval": (1, 1, lambda w: rl.auc_interval(Y, SCORES["a"], sample_weight=w)),
    "bootstrap": (
        1,
        1,
        lambda w: rl.auc_interval(Y, SCORES["a"], sample_weight=w, method="bootstrap", **DRAWN),
    ),
    "any measure": (
        1,
        1,
        lambda w: rl.interval(Y, SCORES["a"], measure="ks_statistic", sample_weight=w, **DRAWN),
    ),
    "two models": (1, 2, lambda w: rl.compare_auc(Y, SCORES["a"], SCORES["b"], sample_weight=w)),
    "threshold": (1, 1, lambda w: rl.choose_threshold(Y, SCORES["a"], sample_weight=w, rng=0)),
    "evaluate": (1, 6, lambda w: rl.evaluate(table(w))),
    "evaluate, more": (1, 6, lambda w: rl.evaluate(table(w), measures="gini, ks_statistic")),
    "clusters": (1, 6, lambda w: rl.evaluate(table(w), cluster="patient")),
    "folds": (1, 6, lambda w: rl.evaluate(table(w), fold="fold")),
    "compare": (1, 6, lambda w: rl.compare(table(w))),
    "select": (1, 6, lambda w: rl.select_model(table(w), **DRAWN)),
    "report": (1, 6, lambda w: rl.report.html_report(table(w))),
    # Features are scikit-learn's to check, and fit has no scores.
    "train": (0, 0, lambda w: rl.AUCtronClassifier().fit(X, Y, sample_weight=w)),
}


@pytest.mark.filterwarnings("ignore::roclab.RoclabWarning")
@pytest.mark.parametrize("weight", [None, W], ids=["plain", "weighted"])
@pytest.mark.parametrize(("labels", "scores", "journey"), JOURNEYS.values(), ids=JOURNEYS)
def test_each_array_is_checked_once(checks, labels, scores, journey, weight):
    journey(weight)
    weights = 0 if weight is None else 1
    assert checks == {"as_labels": labels, "as_scores": scores, "as_weights": weights}
