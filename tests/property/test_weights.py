"""What weights may not change: their unit, and rows of weight 0, which are not there."""

import math
import warnings

import numpy as np
import pytest

import roclab as rl

# In units of weights, or of rows read.
IN_UNITS = {"pos", "neg", "tp", "fp", "tn", "fn", "rows_read", "sentence", "concavities"}
UNITS = (2.0**-7, 3.0, 7.3, 0.1, 1 / 3, 1e-9)
DRAWN = {"rng": 0, "n_resamples": 40}


def table(truth, scores, weights, group=None):
    """Models that often tie."""
    columns = {
        "a": scores,
        "b": np.where(scores == 0.5, 0.4, scores),
        "c": np.round(scores * 5) / 5,
        "d": 1 - np.abs(scores - 0.5),
    }
    groups = None if group is None else {"g": group}
    return rl.ScoreTable(truth, columns, sample_weight=weights, groups=groups)


def mean_of_positives(truth, scores, sample_weight):
    return float(np.average(scores[truth], weights=sample_weight[truth]))


def of_measure(word):
    measure, options = rl.find_measure(word)
    return lambda t, s, w: measure.function(t, s, sample_weight=w, **options)


OF_ALL = {
    **{one.example or one.name: of_measure(one.example) for one in rl.list_measures().measures},
    **{
        word: of_measure(word)
        for word in (
            "brier_parts(bins=4, strategy='quantile')",
            "brier_parts(bins=None)",
            "calibration_error(bins=3, strategy='quantile')",
            "calibration_error(bins=4, strategy='quantile')",
            "capture_at(share=0.5)",
            "partial_auc(fpr_range=(0.25, 0.5))",
            "partial_auc(tpr_range=(0.5, 1))",
        )
    },
    **{
        curve.__name__: lambda t, s, w, curve=curve: curve(t, s, sample_weight=w)
        for curve in (
            rl.roc_curve,
            rl.roc_hull,
            rl.cost_curve,
            rl.precision_recall_curve,
            rl.precision_recall_gain_curve,
            rl.operating_points,
            rl.granular_roc,
        )
    },
    **{
        f"auc_interval, {method}": lambda t, s, w, method=method: rl.auc_interval(
            t, s, sample_weight=w, method=method, **DRAWN
        )
        for method in ("auto", "delong", "score", "newcombe", "bootstrap", "bca")
    },
    "scored_auc_interval": lambda t, s, w: rl.scored_auc_interval(
        t, s, sample_weight=w, method="bca", **DRAWN
    ),
    "interval": lambda t, s, w: rl.interval("ks_statistic", t, s, sample_weight=w, **DRAWN),
    "sensitivity_at": lambda t, s, w: rl.sensitivity_at(
        t, s, specificity=0.75, sample_weight=w, **DRAWN
    ),
    "specificity_at": lambda t, s, w: rl.specificity_at(
        t, s, sensitivity=0.75, sample_weight=w, **DRAWN
    ),
    "roc_band": lambda t, s, w: rl.roc_band(t, s, sample_weight=w, **DRAWN),
    "best": lambda t, s, w: rl.operating_points(t, s, sample_weight=w).best(),
    "compare_auc": lambda t, s, w: rl.compare_auc(
        t, s, np.round(s * 5) / 5, sample_weight=w, method="bootstrap", **DRAWN
    ),
    "compare": lambda t, s, w: rl.compare(table(t, s, w)),
    **{
        f"select_model, {by}": lambda t, s, w, by=by: rl.select_model(
            table(t, s, w), by=by, **DRAWN
        )
        for by in ("auc", "scored_auc", "brier_score")
    },
}
OF_GROUPS = {
    **{
        f"auc_interval, {method}": lambda t, s, w, g, method=method: rl.auc_interval(
            t, s, sample_weight=w, cluster=g, method=method, **DRAWN
        )
        for method in ("auto", "bootstrap", "bca", "bootstrap_t")
    },
    "interval": lambda t, s, w, g: rl.interval(
        "brier_score", t, s, sample_weight=w, cluster=g, **DRAWN
    ),
    "sensitivity_at": lambda t, s, w, g: rl.sensitivity_at(
        t, s, specificity=0.5, sample_weight=w, cluster=g, **DRAWN
    ),
    "roc_band": lambda t, s, w, g: rl.roc_band(t, s, sample_weight=w, cluster=g, **DRAWN),
    "compare_auc": lambda t, s, w, g: rl.compare_auc(
        t, s, np.round(s * 5) / 5, sample_weight=w, cluster=g, method="bootstrap", **DRAWN
    ),
    "stratified_auc": lambda t, s, w, g: rl.stratified_auc(
        t, s, stratum=g, sample_weight=w, weighting="equal"
    ),
    "stratified_auc_interval": lambda t, s, w, g: rl.stratified_auc_interval(
        t, s, stratum=g, sample_weight=w
    ),
    "cross_validated_auc": lambda t, s, w, g: rl.cross_validated_auc(t, s, fold=g, sample_weight=w),
    "average_roc": lambda t, s, w, g: rl.average_roc(t, s, fold=g, sample_weight=w),
    "evaluate, cluster": lambda t, s, w, g: rl.evaluate(table(t, s, w, g), cluster="g"),
    "evaluate, fold": lambda t, s, w, g: rl.evaluate(table(t, s, w, g), fold="g"),
    "evaluate, stratum": lambda t, s, w, g: rl.evaluate(table(t, s, w, g), stratum="g"),
    "compare": lambda t, s, w, g: rl.compare(table(t, s, w, g), cluster="g"),
    "select_model": lambda t, s, w, g: rl.select_model(table(t, s, w, g), cluster="g", **DRAWN),
    "select_model by a function": lambda t, s, w, g: rl.select_model(
        table(t, s, w, g),
        by=mean_of_positives,
        better="higher",
        cluster="g",
        **DRAWN,
    ),
}


def numbers(result, place=""):
    """All numbers in a result, by where they are."""
    result = result.to_dict() if hasattr(result, "to_dict") else result
    if isinstance(result, dict):
        items = [(key, one) for key, one in result.items() if key not in IN_UNITS]
    elif isinstance(result, (list, tuple)):
        yield f"{place}.length", len(result)
        items = enumerate(result)
    else:
        yield place, result
        return
    for key, one in items:
        yield from numbers(one, f"{place}.{key}")


def assert_same(first, second):
    first, second = dict(numbers(first)), dict(numbers(second))
    assert first.keys() == second.keys()
    for place, value in first.items():
        if isinstance(value, float):
            assert second[place] == pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True), place
        else:
            assert second[place] == value, place


def samples(count, rows):
    """Few distinct scores and weights, so that shares of the weight are often equal."""
    random = np.random.default_rng(13)
    for number in range(count):
        size = int(random.integers(*rows))
        truth = random.integers(0, 2, size).astype(bool)
        truth[:4] = [True, False, True, False]
        scores = random.integers(0, 11, size) / 10
        kinds = [[0.1, 0.2, 0.3, 0.7], [1, 2, 3, 4], [1]][number % 3]
        yield random, truth, scores, random.choice(kinds, size).astype(float)


@pytest.mark.parametrize("name", OF_ALL)
def test_the_unit_of_weights_does_not_matter(name):
    ask = OF_ALL[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", (rl.UndefinedMeasureWarning, rl.DegenerateIntervalWarning))
        for _, truth, scores, weights in samples(12, (8, 30)):
            plain = ask(truth, scores, weights)
            for unit in UNITS:
                assert_same(plain, ask(truth, scores, unit * weights))


@pytest.mark.parametrize("name", OF_GROUPS)
def test_rows_of_weight_zero_are_not_there(name):
    """Nor are clusters, strata and folds that have no others."""
    ask = OF_GROUPS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", (rl.UndefinedMeasureWarning, rl.DegenerateIntervalWarning))
        for random, truth, scores, weights in samples(6, (50, 60)):
            group = random.integers(0, 6, len(truth))
            weights[group == random.integers(0, 6)] = 0
            weights[random.integers(0, len(truth), 3)] = 0
            kept = weights > 0
            assert_same(
                ask(truth, scores, weights, group),
                ask(truth[kept], scores[kept], weights[kept], group[kept]),
            )


def test_quantile_bins_at_a_bound():
    """The middle of the second score is at half of all weight, whatever the unit."""
    truth, scores = [0, 1, 1, 0, 1, 0], [0.1, 0.3, 0.3, 0.3, 0.9, 0.9]
    for unit in UNITS:
        weights = [unit * weight for weight in (0.3, 0.1, 0.1, 0.1, 0.1, 0.2)]
        bins = rl.calibration_error(
            truth, scores, sample_weight=weights, bins=2, strategy="quantile"
        )
        assert bins.weight == pytest.approx([1 / 3, 2 / 3])
        assert bins.value == pytest.approx((1 / 3) * 0.1 + (2 / 3) * abs(0.6 - 0.5))


def test_a_fold_without_weight_is_none():
    truth, scores = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.2]
    fold, weights = list("aabbcc"), [1, 1, 1, 2, 0, 0]
    found = rl.cross_validated_auc(truth, scores, fold=fold, sample_weight=weights)
    assert [one.fold for one in found.folds] == ["a", "b"]
    assert found.averaged.value == 1
    with pytest.raises(rl.InputError, match="1 different value beside rows of weight 0"):
        rl.cross_validated_auc(truth, scores, fold=fold, sample_weight=[1, 1, 0, 0, 0, 0])


def test_a_fold_of_one_class_leaves_the_average_undefined():
    """It has examples, which an average over the other folds would leave out silently."""
    truth, scores = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.2]
    weights = [1, 1, 1, 2, 0, 3]
    with pytest.warns(rl.UndefinedMeasureWarning, match=r"1 of 3 folds \(c\)"):
        found = rl.cross_validated_auc(truth, scores, fold=list("aabbcc"), sample_weight=weights)
    assert [one.value for one in found.folds[:2]] == [1, 1]
    assert math.isnan(found.folds[2].value)
    assert math.isnan(found.averaged.value)
    assert found.pooled.value == pytest.approx((1 * 1.5 + 2 * 2 + 3 * 1) / (6 * 2))
