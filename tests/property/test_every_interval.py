"""Every interval contains its estimate, and one without width is warned of.

Over all registered measures, sizes, ties, separated and constant scores, and weights whose sums
lose the smaller ones.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import MEASURES, found, samples

import roclab as rl
from roclab.decisions import calibration_summary
from roclab.inference import multiclass_auc_interval
from roclab.measures import find_measure

SIDES = ("two-sided", "less", "greater")


def check(interval, warned, span=math.inf):
    """It contains its value; ends that are undefined or coincide are warned of."""
    value, low, high = interval.value, interval.low, interval.high
    if math.isnan(value):
        return
    if math.isnan(low + high):
        assert "UndefinedMeasureWarning" in warned, interval
        return
    assert low <= value <= high, interval
    scale = abs(value) if math.isinf(span) else span
    if math.isfinite(value) and high - low <= 1e-12 * scale:
        assert "DegenerateIntervalWarning" in warned, interval


@pytest.mark.parametrize("measure", MEASURES)
@given(
    sample=samples(),
    method=st.sampled_from(["half_sampling", "bootstrap", "bca"]),
    side=st.sampled_from(SIDES),
)
def test_any_measure(measure, sample, method, side):
    truth, scores, weight = sample
    entry, options = find_measure(measure)
    interval, warned = found(
        rl.interval,
        truth,
        scores,
        measure=measure,
        sample_weight=None if method == "bca" else weight,
        method=method,
        alternative=side,
        n_resamples=20,
        rng=0,
    )
    low, high = entry.range_with(options)
    check(interval, warned, high - low)


@given(samples(), st.sampled_from(SIDES))
def test_auc_and_scored_auc(sample, side):
    truth, scores, weight = sample
    options = {"sample_weight": weight, "alternative": side, "n_resamples": 20, "rng": 0}
    resampled = ("bootstrap", "bca", "bootstrap_t")
    for method in ("auto", "delong", "logit", "score", "newcombe", *resampled):
        check(*found(rl.auc_interval, truth, scores, method=method, **options), 1.0)
        if method in ("auto", *resampled):
            cluster = np.arange(len(truth)) // 2
            check(*found(rl.auc_interval, truth, scores, method=method, cluster=cluster, **options))
    for method in ("log", "delong", "bootstrap", "bca"):
        check(*found(rl.scored_auc_interval, truth, scores, method=method, **options))


@given(samples(), st.sampled_from([None, 0.1]))
def test_rates_at_a_threshold(sample, prevalence):
    truth, scores, weight = sample
    for method in ("clopper_pearson", "wilson"):
        points, _ = found(
            rl.operating_point_interval,
            truth,
            scores,
            threshold=[0, 0.1, 0.5, 0.9, 2],
            prevalence=prevalence,
            sample_weight=weight,
            method=method,
        )
        for point in points.points:
            for interval in (point.sensitivity, point.specificity, *point.rates.values()):
                if not math.isnan(interval.value + interval.low):
                    assert interval.low <= interval.value <= interval.high
    for method in ("order_statistics", "wilson", "bootstrap"):
        options = {"sample_weight": weight, "method": method, "n_resamples": 20, "rng": 0}
        check(*found(rl.sensitivity_at, truth, scores, specificity=0.9, **options), 1.0)
        check(*found(rl.specificity_at, truth, scores, sensitivity=0.9, **options), 1.0)


@given(samples())
def test_strata_folds_and_classes(sample):
    truth, scores, weight = sample
    places = np.arange(len(truth))
    for method in ("between", "within"):
        for weighting in ("pairs", "equal"):
            options = {"method": method, "weighting": weighting, "sample_weight": weight}
            check(*found(rl.stratified_auc_interval, truth, scores, stratum=places % 3, **options))
    for method in ("auto", "wald", "ledell"):
        result, warned = found(
            rl.cross_validated_auc,
            truth,
            scores,
            fold=places % 2,
            method=method,
            sample_weight=weight,
        )
        for interval in (result.pooled, result.averaged):
            check(interval, warned | {"UndefinedMeasureWarning"}, 1.0)
    classes = np.where(truth, "a", np.where(places % 2, "b", "c"))
    columns = {"a": scores, "b": np.roll(scores, 1), "c": 1 - scores}
    for average in ("hand_till", "macro", "weighted"):
        result, _ = found(
            multiclass_auc_interval, classes, columns, average=average, sample_weight=weight
        )
        for interval in (result, *result.parts):
            if not math.isnan(interval.value + interval.low):
                assert interval.low <= interval.value <= interval.high


@given(samples())
def test_decisions(sample):
    truth, scores, weight = sample
    goals = ({}, {"max_fpr": 0.1}, {"min_tpr": 0.9}, {"capacity": 0.3}, {"false_negative_cost": 20})
    for goal in goals:
        choice, _ = found(
            rl.choose_threshold,
            truth,
            scores,
            sample_weight=weight,
            n_resamples=20,
            rng=0,
            **goal,
        )
        if not math.isnan(choice.low):
            assert choice.low <= choice.threshold <= choice.high
    for prevalence in (None, 0.1):
        curve, _ = found(
            rl.decision_curve, truth, scores, sample_weight=weight, prevalence=prevalence
        )
        rounding = 1e-12 * (1 + np.abs(curve.net_benefit))
        assert (curve.low <= curve.net_benefit + rounding).all()
        assert (curve.net_benefit <= curve.high + rounding).all()


@given(samples(weights=("none", "mild", "tiny", "huge")))
def test_calibration(sample):
    truth, scores, weight = sample
    result, _ = found(calibration_summary, truth, scores, sample_weight=weight, clip=1e-3)
    for interval in (result.intercept, result.slope, result.observed_expected):
        if not math.isnan(interval.value + interval.low):
            assert interval.low <= interval.value <= interval.high


def test_weights_that_vanish_in_a_sum_are_refused_by_the_fit_of_calibration():
    with pytest.raises(rl.InputError, match="within a factor of 1e"):
        calibration_summary([0, 1, 1], [0.2, 0.7, 0.6], sample_weight=[1e50, 1, 1])


@given(samples())
def test_comparisons_of_any_measure_take_any_weights(sample):
    truth, scores, weight = sample
    table = rl.ScoreTable(truth, {"a": scores, "b": np.roll(scores, 1)}, sample_weight=weight)
    for measure in ("average_precision", "partial_auc(fpr_range=(0, 0.2))", "accuracy"):
        result, _ = found(rl.compare, table, measure=measure, n_resamples=20, rng=0)
        for model in result.models:
            one = model.interval
            if not math.isnan(one.value + one.low):
                assert one.low <= one.value <= one.high
    rl.compare_independent_auc(table["a"], table["b"])


@pytest.mark.parametrize(("n_pos", "n_neg"), [(10, 1000), (5, 50), (30, 30)])
def test_a_separated_sample_is_no_certainty_about_the_partial_auc(n_pos, n_neg):
    """All halves have the largest value: Wilson's interval of a proportion of the smaller class."""
    rng = np.random.default_rng(0)
    truth = np.arange(n_pos + n_neg) < n_pos
    scores = truth + 0.5 * rng.random(len(truth))
    interval = rl.interval(truth, scores, measure="partial_auc(fpr_range=(0, 0.2))", rng=0)
    from scipy.stats import t

    sizes = np.array([n_pos, n_neg])
    df = sum(sizes) ** 2 / np.sum(sizes**2 / (sizes[::-1] - 1))
    trials = min(n_pos, n_neg)
    assert interval.value == pytest.approx(0.2)
    assert interval.low == pytest.approx(0.2 / (1 + t.ppf(0.975, df) ** 2 / trials), rel=1e-9)
    assert interval.high == pytest.approx(0.2)
    assert interval.high >= interval.value
