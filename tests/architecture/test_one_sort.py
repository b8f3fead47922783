"""A journey sorts each column of scores once, whatever it computes from it."""

import numpy as np
import pytest

import roclab as rl
from roclab import _core

# The kernels that sort scores, and which argument these are.
SORTING = {
    "count_pairs": 1,
    "scored_pairs": 1,
    "group_scores": 1,
    "group_weighted": 1,
    "order_rows": 0,
}
N = 400


@pytest.fixture
def sorts(monkeypatch):
    """The columns of real numbers that were sorted; groups and ranks are integers."""
    sorted_columns = []

    def counted(kernel, place):
        def sort(*arguments):
            if arguments[place].dtype.kind == "f":
                sorted_columns.append(arguments[place])
            return kernel(*arguments)

        return sort

    for name, place in SORTING.items():
        monkeypatch.setattr(_core, name, counted(getattr(_core, name), place))
    return sorted_columns


RNG = np.random.default_rng(3)
Y = RNG.random(N) < 0.4
MODELS = {name: RNG.normal(size=N) + shift * Y for name, shift in [("a", 0), ("b", 0.5), ("c", 1)]}
A, B = MODELS["a"], MODELS["b"]
GROUPS = {"patient": RNG.integers(0, 40, N), "fold": RNG.integers(0, 4, N)}
W = RNG.choice([0, 0.5, 1, 2], N)
FURTHER = "gini, scored_auc, ks_statistic"
DRAWN = {"n_resamples": 20, "rng": 0}


def table(weight=None):
    return rl.ScoreTable(Y, MODELS, groups=GROUPS, sample_weight=weight)


def half(part, weight=None):
    weight = None if weight is None else weight[part]
    return rl.Ranking(Y[part], A[part], sample_weight=weight)


FIRST, SECOND, THIRD = slice(0, 200), slice(200, 300), slice(300, None)


# The columns that each journey is given, or makes, and the journey with or without weights.
JOURNEYS = {
    "evaluate": (3, lambda w: rl.evaluate(table(w))),
    "further": (3, lambda w: rl.evaluate(table(w), measures=FURTHER)),
    "cluster": (3, lambda w: rl.evaluate(table(w), cluster="patient")),
    "cluster, further": (
        3,
        lambda w: rl.evaluate(table(w), cluster="patient", measures=FURTHER),
    ),
    "bootstrap": (
        3,
        lambda w: rl.evaluate(table(w), method="bootstrap", measures=FURTHER, **DRAWN),
    ),
    "bca of clusters": (
        3,
        lambda w: rl.evaluate(table(w), method="bca", cluster="patient", **DRAWN),
    ),
    "stratum": (3, lambda w: rl.evaluate(table(w), stratum="fold")),
    "fold": (3, lambda w: rl.evaluate(table(w), fold="fold")),
    # Each row in its group.
    "by": (12, lambda w: rl.evaluate(table(w), by="fold", measures=FURTHER)),
    "compare": (3, lambda w: rl.compare(table(w))),
    "compare scored AUCs": (3, lambda w: rl.compare(table(w), measure="scored_auc")),
    "compare clusters": (3, lambda w: rl.compare(table(w), cluster="patient")),
    "compare any measure": (3, lambda w: rl.compare(table(w), measure="average_precision")),
    "compare any measure, resampled": (
        3,
        lambda w: rl.compare(table(w), measure="ks_statistic", **DRAWN),
    ),
    "select": (3, lambda w: rl.select_model(table(w), **DRAWN)),
    "select by gini": (3, lambda w: rl.select_model(table(w), measure="gini", **DRAWN)),
    "select, ties": (3, lambda w: rl.select_model(table(w), ties="scored_auc", **DRAWN)),
    "two models": (2, lambda w: rl.compare_auc(Y, A, B, sample_weight=w)),
    "two models, bootstrap": (
        2,
        lambda w: rl.compare_auc(Y, A, B, sample_weight=w, method="bootstrap", **DRAWN),
    ),
    "two models, any measure": (
        2,
        lambda w: rl.compare_measure(Y, A, B, measure="gini", sample_weight=w),
    ),
    "a value, bootstrap": (
        1,
        lambda w: rl.compare_to_value(Y, A, sample_weight=w, method="bootstrap", **DRAWN),
    ),
    "two samples, bootstrap": (
        2,
        lambda w: rl.compare_independent_auc(
            half(FIRST, w), half(SECOND, w), method="bootstrap", **DRAWN
        ),
    ),
    "interval": (1, lambda w: rl.auc_interval(Y, A, sample_weight=w)),
    "interval of clusters": (
        1,
        lambda w: rl.auc_interval(Y, A, sample_weight=w, cluster=GROUPS["patient"]),
    ),
    "scored interval of clusters": (
        1,
        lambda w: rl.scored_auc_interval(Y, A, sample_weight=w, cluster=GROUPS["patient"]),
    ),
    "interval of any measure": (
        1,
        lambda w: rl.interval(Y, A, measure="gini", sample_weight=w, **DRAWN),
    ),
    "band": (1, lambda w: rl.roc_band(Y, A, sample_weight=w, **DRAWN)),
    "sensitivity": (
        1,
        lambda w: rl.sensitivity_at(Y, A, specificity=0.9, sample_weight=w, **DRAWN),
    ),
    "folds": (1, lambda w: rl.cross_validated_auc(Y, A, fold=GROUPS["fold"], sample_weight=w)),
    "average curve": (
        1,
        lambda w: rl.average_roc(Y, A, fold=GROUPS["fold"], over="threshold", sample_weight=w),
    ),
    "strata": (
        1,
        lambda w: rl.stratified_auc_interval(Y, A, stratum=GROUPS["fold"], sample_weight=w),
    ),
    "repair": (1, lambda w: rl.repair_section(Y, A, sample_weight=w, sections="all").explain()),
    # What was found in, what it is checked on, and the repaired scores.
    "checked repair": (
        3,
        lambda w: rl.checked_repair(half(FIRST, w), half(SECOND, w), sections="all", alpha=0.999),
    ),
    # The folds and all of them together.
    "checked repair in folds": (
        5,
        lambda w: rl.checked_repair(
            half(FIRST, w),
            [half(SECOND, w), half(THIRD, w)],
            sections="all",
            alpha=0.999,
        ),
    ),
}


@pytest.mark.filterwarnings("ignore::roclab.errors.UndefinedMeasureWarning")
@pytest.mark.filterwarnings("ignore::roclab.errors.DegenerateIntervalWarning")
@pytest.mark.parametrize("weight", [None, W], ids=["plain", "weighted"])
@pytest.mark.parametrize(("columns", "journey"), JOURNEYS.values(), ids=JOURNEYS)
def test_each_column_is_sorted_once(sorts, columns, journey, weight):
    journey(weight)
    assert len(sorts) == columns
