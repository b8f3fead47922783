"""The choice of a threshold: brute force over all of them, limits, intervals and refusals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from strategies import MILD_WEIGHTS, level_samples, samples, weighted_samples

import roclab as rl

rates = st.floats(0, 1)
costs = st.sampled_from([0.0, 0.1, 1.0, 3.0, 25.0])


def brute_force(y, s, *, fp_cost, fn_cost, prevalence, max_fpr=1, min_tpr=0, capacity=1):
    """The lowest expected cost within the limits, over all thresholds; None if there is none."""
    y, s = np.asarray(y, bool), np.asarray(s)
    found = []
    for called in [np.zeros(len(y), bool), *(s >= threshold for threshold in np.unique(s))]:
        tpr, fpr = np.mean(called[y]), np.mean(called[~y])
        share = prevalence * tpr + (1 - prevalence) * fpr
        if fpr <= max_fpr + 1e-12 and tpr >= min_tpr - 1e-12 and share <= capacity + 1e-12:
            found.append(prevalence * (1 - tpr) * fn_cost + (1 - prevalence) * fpr * fp_cost)
    return min(found, default=None)


@given(level_samples(), costs, costs, st.sampled_from([None, 0.01, 0.5, 0.9]))
def test_no_threshold_costs_less(sample, fp_cost, fn_cost, prevalence):
    y, s = sample
    if not fp_cost + fn_cost:
        return
    choice = rl.choose_threshold(
        y,
        s,
        false_positive_cost=fp_cost,
        false_negative_cost=fn_cost,
        prevalence=prevalence,
        n_resamples=2,
        rng=0,
    )
    share = float(np.mean(y)) if prevalence is None else prevalence
    best = brute_force(y, s, fp_cost=fp_cost, fn_cost=fn_cost, prevalence=share)
    assert choice.expected_cost == pytest.approx(best, abs=1e-9)
    called = np.asarray(s) >= choice.threshold
    assert (choice.tp, choice.fp) == (np.sum(called & y), np.sum(called & ~y))
    assert (choice.tn, choice.fn) == (np.sum(~called & ~y), np.sum(~called & y))
    assert choice.low <= choice.threshold <= choice.high
    cost = rl.operating_point_interval(
        y,
        s,
        threshold=choice.threshold,
        false_positive_cost=fp_cost,
        false_negative_cost=fn_cost,
        prevalence=share,
    ).rates["expected_cost"]
    assert (choice.cost_low, choice.cost_high) == pytest.approx((cost.low, cost.high), abs=1e-12)
    assert choice.cost_low <= choice.expected_cost <= choice.cost_high


@given(level_samples(), rates, rates, rates)
def test_limits_hold_or_are_refused(sample, max_fpr, min_tpr, capacity):
    y, s = sample
    limits = {"max_fpr": max_fpr, "min_tpr": min_tpr, "capacity": capacity}
    best = brute_force(y, s, fp_cost=1, fn_cost=1, prevalence=float(np.mean(y)), **limits)
    if best is None:
        with pytest.raises(rl.InputError, match="No threshold is within the limits"):
            rl.choose_threshold(y, s, **limits, n_resamples=2, rng=0)
        return
    choice = rl.choose_threshold(y, s, **limits, n_resamples=2, rng=0)
    assert choice.objective == "expected_cost"
    assert choice.expected_cost == pytest.approx(best, abs=1e-9)


@given(level_samples(), rates)
def test_a_limit_alone_is_used_up(sample, rate):
    y, s = sample
    points = rl.operating_points(y, s)
    strict = rl.choose_threshold(y, s, max_fpr=rate, n_resamples=2, rng=0)
    assert strict.tpr == np.max(points.tpr[points.fpr <= rate + 1e-12])
    lenient = rl.choose_threshold(y, s, min_tpr=rate, n_resamples=2, rng=0)
    assert lenient.fpr == np.min(points.fpr[points.tpr >= rate - 1e-12])
    few = rl.choose_threshold(y, s, capacity=rate, n_resamples=2, rng=0)
    assert few.called_positive <= rate + 1e-12
    assert [one.objective for one in (strict, lenient, few)] == ["tpr", "fpr", "tpr"]


def goals():
    """Options of every goal: costs, of which one may be 0, and limits, alone and together."""
    limits = st.fixed_dictionaries(
        {}, optional={"max_fpr": rates, "min_tpr": rates, "capacity": rates}
    )
    one_free = st.sampled_from([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 7.0)])
    prices = one_free.map(
        lambda pair: {"false_positive_cost": pair[0], "false_negative_cost": pair[1]}
    )
    shares = st.sampled_from([{}, {"prevalence": 0.01}, {"prevalence": 0.9}])
    return st.tuples(limits, st.one_of(st.just({}), prices), shares).map(
        lambda parts: parts[0] | parts[1] | parts[2]
    )


@given(weighted_samples(level_samples(), kinds=MILD_WEIGHTS), goals())
def test_no_goal_picks_a_dominated_point(sample, goal):
    """Against every other threshold within the limits, counted one by one."""
    y, s, weights = sample
    y = np.asarray(y, bool)
    try:
        choice = rl.choose_threshold(y, s, sample_weight=weights, **goal, n_resamples=2, rng=0)
    except rl.InputError:  # nothing is within the limits, or all weights of a class are 0
        return
    masses = [
        (weights[(s >= t) & y].sum(), weights[(s >= t) & ~y].sum())
        for t in np.unique(s[weights > 0])
    ]
    pos, neg = weights[y].sum(), weights[~y].sum()
    share = goal.get("prevalence", pos / (pos + neg))
    for tp, fp in [(0, 0), *masses]:
        tpr, fpr = tp / pos, fp / neg
        called = share * tpr + (1 - share) * fpr
        if (
            fpr <= goal.get("max_fpr", 1) - 1e-9
            and tpr >= goal.get("min_tpr", 0) + 1e-9
            and called <= goal.get("capacity", 1) - 1e-9
        ):
            better = tpr - choice.tpr, choice.fpr - fpr
            assert not (min(better) > -1e-9 and max(better) > 1e-9)


def test_a_limit_that_all_reach_takes_the_point_that_none_dominates():
    y, s = [0, 1, 1], [0.1, 0.5, 0.9]
    choice = rl.choose_threshold(y, s, min_tpr=0.5, n_resamples=2, rng=0)
    assert (choice.threshold, choice.tpr, choice.fpr) == (0.5, 1.0, 0.0)
    free = {"false_positive_cost": 1, "false_negative_cost": 0}
    choice = rl.choose_threshold(y, s, **free, n_resamples=2, rng=0)
    assert (choice.threshold, choice.tpr, choice.fpr) == (0.5, 1.0, 0.0)
    free = {"false_positive_cost": 0, "false_negative_cost": 1}
    choice = rl.choose_threshold(y, s, **free, n_resamples=2, rng=0)
    assert (choice.threshold, choice.tpr, choice.fpr) == (0.5, 1.0, 0.0)


def test_the_best_point_is_not_dominated_by_a_tiny_weight():
    weights = [1.0, 1.0, 1e-14]
    points = rl.operating_points([0, 1, 1], [0.1, 0.9, 0.5], sample_weight=weights)
    assert points.best().threshold == 0.5
    choice = rl.choose_threshold([0, 1, 1], [0.1, 0.9, 0.5], sample_weight=weights, rng=0)
    assert (choice.threshold, choice.tpr) == (0.5, 1.0)


@given(level_samples())
def test_equal_costs_at_one_half_maximize_youden(sample):
    points = rl.operating_points(*sample)
    choice = rl.choose_threshold(*sample, prevalence=0.5, n_resamples=2, rng=0)
    assert choice.tpr - choice.fpr == pytest.approx(np.max(points.youden), abs=1e-9)


@given(samples())
def test_any_scores_are_taken(sample):
    choice = rl.choose_threshold(*sample, n_resamples=2, rng=0)
    assert choice.low <= choice.threshold <= choice.high
    assert choice.tp + choice.fn == choice.n_pos


def normal(n_pos=60, n_neg=90, seed=0):
    rng = np.random.default_rng(seed)
    scores = np.concatenate([rng.normal(1.5, 1, n_pos), rng.normal(size=n_neg)])
    return np.repeat([True, False], [n_pos, n_neg]), scores


def test_the_interval_follows_the_scores_and_the_costs_their_unit():
    y, s = normal()
    choice = rl.choose_threshold(y, s, false_negative_cost=2, rng=3)
    again = rl.choose_threshold(y, 10 * s - 4, false_positive_cost=7, false_negative_cost=14, rng=3)
    assert again.threshold == pytest.approx(10 * choice.threshold - 4)
    assert (again.low, again.high) == pytest.approx((10 * choice.low - 4, 10 * choice.high - 4))
    assert again.expected_cost == pytest.approx(7 * choice.expected_cost)
    assert again.optimism == pytest.approx(7 * choice.optimism)


def test_weights_count_as_repetition_for_the_choice():
    y, s = normal(20, 30)
    weights = np.arange(50) % 3 + 1
    weighted = rl.choose_threshold(y, s, sample_weight=weights, false_negative_cost=4, rng=0)
    repeated = rl.choose_threshold(
        np.repeat(y, weights), np.repeat(s, weights), false_negative_cost=4, rng=0
    )
    assert weighted.threshold == repeated.threshold
    assert weighted.expected_cost == pytest.approx(repeated.expected_cost)
    assert weighted.high - weighted.low > repeated.high - repeated.low


def test_more_examples_give_a_narrower_interval_and_less_optimism():
    few, many = (rl.choose_threshold(*normal(n, n, seed=1), rng=0) for n in (50, 5000))
    assert many.high - many.low < (few.high - few.low) / 2
    assert 0 < many.optimism < few.optimism / 4
    assert many.low < 0.75 < many.high  # the middle, where equal normal densities cross


def test_the_document_has_the_interval_of_the_cost():
    choice = rl.choose_threshold(
        [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.2], false_negative_cost=5, rng=0
    )
    # 2 of 3 negatives called positive, no positive missed: half of each class's upper end counts.
    alarm, miss = stats.binomtest(2, 3).proportion_ci(), stats.binomtest(0, 3).proportion_ci()
    above = math.hypot((alarm.high - 2 / 3) / 2, 5 * miss.high / 2)
    assert choice.cost_high == pytest.approx(1 / 3 + above)
    assert choice.cost_low == pytest.approx(alarm.low / 2)
    text = "95 % interval of the cost at this threshold: [0.04715, 2.11], without the choice"
    assert text in str(choice)


def test_the_neighbours_are_operating_points_from_strict_to_lenient():
    y, s = normal()
    choice = rl.choose_threshold(y, s, rng=0)
    points = rl.operating_points(y, s)
    thresholds = [one.threshold for one in choice.neighbours]
    assert thresholds == sorted(thresholds, reverse=True)
    assert choice.threshold in thresholds
    assert set(thresholds) <= set(points.threshold.tolist())
    for one in choice.neighbours:
        place = points.at(threshold=one.threshold)
        assert (one.tpr, one.fpr) == (place.tpr, place.fpr)
        assert one.expected_cost >= choice.expected_cost
    assert thresholds[0] >= choice.high or math.isinf(thresholds[0])


def test_constant_scores_leave_all_or_nothing():
    choice = rl.choose_threshold([0, 0, 0, 1], [5, 5, 5, 5], rng=0)
    assert math.isinf(choice.threshold)
    assert choice.expected_cost == 0.25
    assert choice.low <= 5 <= choice.high
    all_of_them = rl.choose_threshold([0, 0, 0, 1], [5, 5, 5, 5], false_negative_cost=9, rng=0)
    assert all_of_them.threshold == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"false_negative_cost": -1}, "false_negative_cost=-1 is out of range"),
        ({"false_positive_cost": 0, "false_negative_cost": 0}, "are both 0"),
        ({"prevalence": 0}, "prevalence=0 is out of range"),
        ({"max_fpr": 1.5}, "max_fpr=1.5 is out of range; a share from 0 to 1"),
        ({"capacity": math.nan}, "capacity=nan is out of range"),
        ({"min_tpr": 1, "max_fpr": 0}, r"max_fpr allow is 0.5; min_tpr=1.0 is asked for"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(rl.InputError, match=message):
        rl.choose_threshold([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], **options)


def test_one_class_is_refused():
    with pytest.raises(rl.InputError, match=r"0 positive and 2 negative examples; .* both classes"):
        rl.choose_threshold([0, 0], [1, 2])


def test_progress_counts_the_replicates():
    told = []
    y, s = [0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]
    rl.choose_threshold(y, s, n_resamples=1100, rng=0, progress=lambda *n: told.append(n))
    assert told == [(500, 1100), (1000, 1100), (1100, 1100)]


def test_thresholds_beyond_all_scores_are_not_excluded_where_the_data_cannot():
    """No positive is below the lower end, and their share there may still be up to 1.8 %."""
    rng = np.random.default_rng(0)
    y = np.repeat([True, False], 200)
    s = rng.standard_normal(400) + 1.2 * y
    costly = rl.choose_threshold(y, s, false_negative_cost=100, rng=0)
    # Share of the positives 1 - 0.025 ** (1 / 200) times 100 exceeds any share of negatives there.
    assert costly.low == -np.inf
    assert np.isfinite(costly.high)
    assert rl.choose_threshold(y, s, false_positive_cost=100, rng=0).high == np.inf
    equal = rl.choose_threshold(y, s, rng=0)
    assert np.isfinite([equal.low, equal.high]).all()


def test_weights_of_very_different_size():
    """Their ranks round to 0 and 1, whose normal scores are infinite."""
    weight = [1e-50, 1e50, 1.0, 1e-50]
    choice = rl.choose_threshold([1, 0, 1, 0], [0.9, 0.1, 0.4, 0.4], sample_weight=weight, rng=0)
    assert choice.low <= choice.threshold <= choice.high
