"""No comparison is certain: an interval of zero width is that of the same scores, or warned of.

Over all registered measures, sizes, ties, separated and constant scores, and weights whose sums
lose the smaller ones.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import MEASURES, SCORES, SIZES, WEIGHTS, found

import roclab as rl
from roclab.measures import find_measure

ALTERNATIVES = ("two-sided", "less", "greater", "noninferior", "equivalent")
RANKINGS = [
    "accuracy",
    "average_precision",
    "capture_at",
    "gini",
    "h_measure",
    "ks_statistic",
    "partial_auc(fpr_range=(0, 0.2))",
    "partial_auc(tpr_range=(0.8, 1))",
    "precision_at",
    "sensitivity(specificity=0.9)",
    "specificity(sensitivity=0.9)",
]


@st.composite
def pairs(draw):
    """(truth, two columns of scores, sample_weight), the scores from 0 to 1."""
    n_pos, n_neg = draw(st.sampled_from(SIZES))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    truth = np.arange(n_pos + n_neg) < n_pos
    first, second = (SCORES[draw(st.sampled_from(list(SCORES)))] for _ in range(2))
    a = first(rng, truth)
    b = draw(st.sampled_from([second(rng, truth), first(rng, truth), a.copy(), a / 2]))
    return truth, a, b, WEIGHTS[draw(st.sampled_from(list(WEIGHTS)))](rng, len(truth))


def bounds(measure):
    """The range of a measure with its options."""
    entry, options = find_measure(measure)
    return entry.range_with(options)


def finite(measure, *columns):
    """The scores, without certain ones if the measure would be infinite for them."""
    return (np.clip(one, 0.01, 0.99) if measure == "log_loss" else one for one in columns)


def alike(measure, a, b):
    """Whether two models are the same: for the scored AUC by score margins, which need no scale."""
    if measure == "scored_auc":
        return np.array_equal(*(np.unique(one, return_inverse=True)[1] for one in (a, b)))
    return np.array_equal(a, b)


def scale(measure, *values):
    """Size of a measure, by which rounding is judged: its range or, without bounds, its values."""
    low, high = bounds(measure)
    return max(map(abs, values)) if math.isinf(high - low) else high - low


def check(pair, warned, size, *, same):
    """Ends that are undefined or coincide are warned of, unless the scores are the same.

    `pair` is a result of a comparison, or a pair of `compare`, which is two-sided.
    """
    assert math.isnan(pair.pvalue) or 0 <= pair.pvalue <= 1
    if math.isnan(pair.low) or math.isnan(pair.high):
        assert warned & {"UndefinedMeasureWarning", "DegenerateIntervalWarning"}, pair
        return
    side = getattr(pair, "alternative", "two-sided")
    low, high, rounding = pair.low, pair.high, 1e-12 * size
    if side in ("two-sided", "equivalent") and high - low <= rounding:
        assert (same and low == high == 0) or "DegenerateIntervalWarning" in warned, pair
    if side == "two-sided":
        assert (pair.pvalue < 0.05) == (not low - rounding <= 0 <= high + rounding), pair
        if pair.difference == pair.standard_error == 0:
            assert pair.pvalue == 1


@pytest.mark.parametrize("measure", MEASURES)
@given(
    pair=pairs(),
    method=st.sampled_from(["auto", "half_sampling", "bootstrap"]),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_any_measure_of_two_models(measure, pair, method, alternative):
    truth, a, b, weight = pair
    a, b = finite(measure, a, b)
    low, high = bounds(measure)
    margin = 0.1 * min(high - low, 1) if alternative in ALTERNATIVES[3:] else None
    result, warned = found(
        rl.compare_measure,
        truth,
        a,
        b,
        measure=measure,
        sample_weight=weight,
        method=method,
        alternative=alternative,
        margin=margin,
        n_resamples=40,
        rng=0,
    )
    size = scale(measure, result.value_a, result.value_b)
    check(result, warned, size, same=alike(measure, a, b))


@pytest.mark.parametrize("measure", MEASURES)
@given(pair=pairs())
def test_any_measure_of_several_models(measure, pair):
    truth, a, b, weight = pair
    a, b = finite(measure, a, b)
    table = rl.ScoreTable(truth, {"a": a, "b": b, "c": b.copy()}, sample_weight=weight)
    result, warned = found(rl.compare, table, measure=measure, n_resamples=40, rng=0)
    size = scale(measure, *(one.interval.value for one in result.models))
    for one in result.pairs:
        same = {one.model_a, one.model_b} == {"b", "c"} or alike(measure, a, b)
        check(one, warned, size, same=same)


@given(pairs(), st.sampled_from(ALTERNATIVES))
def test_aucs(pair, alternative):
    truth, a, b, weight = pair
    margin = 0.1 if alternative in ALTERNATIVES[3:] else None
    options = {"alternative": alternative, "margin": margin, "n_resamples": 40, "rng": 0}
    first, second = (rl.Ranking(truth, one, sample_weight=weight) for one in (a, b))
    for method in ("auto", "delong", "bootstrap"):
        one, warned = found(
            rl.compare_auc, truth, a, b, sample_weight=weight, method=method, **options
        )
        check(one, warned, 1.0, same=False)
        one, warned = found(rl.compare_independent_auc, first, second, method=method, **options)
        check(one, warned, 1.0, same=False)
        one, warned = found(rl.compare_to_value, first, value=0.7, method=method, **options)
        check(one, warned, 1.0, same=False)


@pytest.mark.parametrize("method", ["auto", "half_sampling", "bootstrap"])
@pytest.mark.parametrize("measure", RANKINGS)
@pytest.mark.parametrize(("n_pos", "n_neg"), [(10, 30), (40, 20)])
def test_two_perfect_models_are_not_the_same_model(measure, method, n_pos, n_neg):
    """If they differed by d, n independent pairs, or rows, would agree with probability (1-d)^n."""
    rng = np.random.default_rng(0)
    truth = np.arange(n_pos + n_neg) < n_pos
    a, b = (np.where(truth, 0.9, 0.1) + 0.05 * rng.random(len(truth)) for _ in range(2))
    low, high = bounds(measure)
    result = rl.compare_measure(truth, a, b, measure=measure, method=method, n_resamples=20, rng=0)
    pairs = n_pos + n_neg if measure == "accuracy" else min(n_pos, n_neg)
    bound = (high - low) * (1 - 0.025 ** (1 / pairs))
    assert (result.low, result.high) == pytest.approx((-bound, bound))
    assert (result.difference, result.statistic, result.pvalue) == (0, 0, 1)
    assert result.method == "agreement"
    table = rl.ScoreTable(truth, {"a": a, "b": b})
    pair = rl.compare(table, measure=measure, n_resamples=20, rng=0).pairs[0]
    assert (pair.low, pair.high, pair.method) == (result.low, result.high, "agreement")
    margin = {"alternative": "equivalent", "margin": bound}
    equal = rl.compare_measure(
        truth, a, b, measure=measure, method=method, n_resamples=20, rng=0, **margin
    )
    assert equal.pvalue == pytest.approx(0.025)


def test_the_gini_coefficient_of_two_perfect_models_has_twice_the_interval_of_the_auc():
    truth = np.arange(30) < 12
    a, b = truth + np.linspace(0, 0.5, 30), truth + np.linspace(0.5, 0, 30)
    auc, gini = (rl.compare_measure(truth, a, b, measure=one) for one in ("auc", "gini"))
    assert (gini.low, gini.high) == pytest.approx((2 * auc.low, 2 * auc.high))
    patients = np.arange(30) % 15
    auc, gini = (
        rl.compare_measure(truth, a, b, measure=one, cluster=patients) for one in ("auc", "gini")
    )
    assert (gini.low, gini.high) == pytest.approx((2 * auc.low, 2 * auc.high))


@pytest.mark.parametrize("measure", ["lift_at", "net_benefit(threshold=0.3)", "scored_auc"])
def test_agreement_does_not_bound_a_measure_without_bounds(measure):
    rng = np.random.default_rng(0)
    truth = np.arange(40) < 10
    ends = (0.1, 0.9) if measure == "scored_auc" else (0.9, 0.1)  # one of 0 is of no examples
    a, b = (np.where(truth, *ends) + 0.05 * rng.random(len(truth)) for _ in range(2))
    result = rl.compare_measure(truth, a, b, measure=measure, n_resamples=20, rng=0)
    assert (result.difference, result.statistic, result.pvalue) == (0, 0, 1)
    assert (result.low, result.high) == (-math.inf, math.inf)


def test_values_that_differ_by_a_constant_do_not_vary():
    """Variances of rounding errors once gave a p-value of 1e-237, and a division by zero."""
    truth = np.arange(40) < 10
    constants = np.full(40, 0.5), np.full(40, 0.4)
    for method in ("half_sampling", "bootstrap"):
        with pytest.warns(rl.DegenerateIntervalWarning, match="not certainty"):
            result = rl.compare_measure(
                truth,
                *constants,
                measure="calibration_error",
                method=method,
                n_resamples=100,
                rng=0,
            )
        assert result.difference == pytest.approx(0.1)
        assert result.standard_error == 0
        assert math.isnan(result.pvalue)
