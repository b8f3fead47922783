"""The margin curve, the scored AUC and its parts: twins, theorems and invariances."""

import math
from fractions import Fraction

import numpy as np
import pytest
import reference
import reference_scored as twin
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    MILD_WEIGHTS,
    level_samples,
    one_class_samples,
    samples,
    truths,
    weighted_samples,
)

import roclab as rl
from roclab.measures.granular import granular_auc

TAUS = st.integers(-40, 40).map(lambda k: k / 8) | st.floats(-5, 5)
WEIGHTED = weighted_samples(level_samples(min_size=2), kinds=MILD_WEIGHTS)
ANY_WEIGHTED = weighted_samples(level_samples(min_size=2))


@st.composite
def unit_samples(draw, max_size=20):
    """(truth, scores) with tied scores in [0, 1]."""
    size = draw(st.integers(2, max_size))
    value = st.integers(0, 8).map(lambda k: k / 8) | st.floats(0, 1)
    return draw(truths(size)), np.array(draw(st.lists(value, min_size=size, max_size=size)))


def near(exact, truth_scores, **keywords):
    span = float(np.ptp(truth_scores.astype(float)))
    return pytest.approx(float(exact), rel=1e-12, abs=1e-15 * max(span, 1e-300), **keywords)


# --- theta ------------------------------------------------------------------------------------


@given(level_samples(min_size=2, max_size=16), TAUS, st.booleans())
def test_theta_is_the_double_nearest_to_the_twin(sample, tau, strict):
    truth, scores = sample
    exact = float(twin.margin_auc(truth, scores, tau, strict=strict))
    assert rl.margin_curve(truth, scores, strict=strict).at(tau) == exact
    assert rl.margin_auc(truth, scores, margin=tau, strict=strict) == exact


@given(samples(max_size=12, dtypes=["f2", "f4", "f8"], finite=True), st.data(), st.booleans())
def test_differences_are_compared_without_rounding(sample, data, strict):
    truth, scores = sample
    scores = scores.astype("f8")
    scores[np.abs(scores) > 1e300] = 0
    leads = (scores[truth][:, np.newaxis] - scores[~truth]).ravel().tolist()
    lead = data.draw(st.sampled_from(leads))
    tau = data.draw(
        st.sampled_from([lead, math.nextafter(lead, -np.inf), math.nextafter(lead, np.inf)])
    )
    exact = float(twin.margin_auc(truth, scores, tau, strict=strict))
    assert rl.margin_auc(truth, scores, margin=tau, strict=strict) == exact


@given(ANY_WEIGHTED, TAUS, st.booleans())
def test_theta_with_weights_equals_the_twin(sample, tau, strict):
    truth, scores, weight = sample
    exact = twin.margin_auc(truth, scores, tau, weight, strict=strict)
    value = rl.margin_auc(truth, scores, sample_weight=weight, margin=tau, strict=strict)
    assert value == pytest.approx(float(exact), abs=1e-14)
    assert 0 <= value <= 1


@given(samples(max_size=12, finite=True))
def test_theta_at_zero_is_the_auc(sample):
    truth, scores = sample
    if scores.dtype.kind in "iu":
        scores = scores // 2**12 if scores.dtype.itemsize == 8 else scores  # a range below 2**53
    else:
        scores = np.clip(scores, np.finfo(scores.dtype).min / 4, np.finfo(scores.dtype).max / 4)
    assert rl.margin_curve(truth, scores).at(0) == rl.auc(truth, scores)


@given(weighted_samples(samples(max_size=12, dtypes=["f4", "i4", "u1"], finite=True)))
def test_theta_at_zero_is_the_weighted_auc(sample):
    truth, scores, weight = sample
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    assert rl.margin_curve(ranking).at(0) == pytest.approx(rl.auc(ranking), abs=1e-14)


@given(level_samples(), st.lists(TAUS, max_size=8))
def test_many_margins_at_once_are_each_alone(sample, taus):
    curve = rl.margin_curve(*sample)
    values = curve.at(taus)
    assert values.tolist() == [curve.at(tau) for tau in taus]
    assert curve.at(np.array([taus, taus])).tolist() == [values.tolist()] * 2


def test_margins_beyond_one_block_are_each_alone():
    rng = np.random.default_rng(5)
    truth, scores = rng.random(2000) < 0.5, rng.random(2000)
    curve = rl.margin_curve(truth, scores)
    taus = curve.taus(points=900)  # about a million look-ups
    leads = scores[truth][:, np.newaxis] - scores[~truth]
    for k in (0, 1, 261, 262, 449, 523, 524, 899):
        expected = (leads > taus[k]).mean() + (leads == taus[k]).mean() / 2
        assert curve.at(taus)[k] == pytest.approx(expected, abs=1e-14)


@given(level_samples(), st.lists(TAUS, min_size=2, max_size=8))
def test_theta_falls_from_one_to_zero(sample, taus):
    curve = rl.margin_curve(*sample)
    values = curve.at(sorted(taus))
    assert (np.diff(values) <= 0).all()
    assert curve.at([-np.inf, math.nextafter(curve.low, -np.inf)]).tolist() == [1, 1]
    assert curve.at([math.nextafter(curve.high, np.inf), np.inf]).tolist() == [0, 0]
    assert curve.at(curve.low) < 1
    assert curve.at(curve.high) > 0
    drawn = curve.taus(points=7)
    assert (drawn[0], drawn[-1], len(drawn)) == (curve.low, curve.high, 7)


@given(level_samples(), TAUS)
def test_theta_is_the_auc_of_moved_positives(sample, tau):
    truth, scores = sample
    tau = round(8 * tau) / 8
    moved = np.where(truth, scores - tau, scores)
    assert rl.margin_auc(truth, scores, margin=tau) == rl.auc(truth, moved)


@given(level_samples(), TAUS)
def test_the_classes_mirror_each_other(sample, tau):
    truth, scores = sample
    ours = rl.margin_auc(truth, scores, margin=tau)
    assert rl.margin_auc(~truth, scores, margin=-tau) == pytest.approx(1 - ours, abs=1e-15)
    assert rl.margin_auc(~truth, -scores, margin=tau) == ours


@given(WEIGHTED, TAUS)
def test_the_clean_granular_auc_lies_on_the_curve(sample, delta):
    truth, scores, weight = sample
    delta = abs(round(8 * delta) / 8)
    curve = rl.margin_curve(truth, scores, sample_weight=weight)
    granular = granular_auc(truth, scores, sample_weight=weight, granularity=delta)
    expected = [granular.low, granular.auc, granular.up]
    assert curve.at([delta, 0, -delta]) == pytest.approx(expected, abs=1e-14)


def test_the_whole_range_of_bytes():
    scores = np.array([-128, 127, -127, 126], "i1")
    curve = rl.margin_curve([0, 1, 1, 0], scores)
    assert (curve.low, curve.high) == (-253, 255)
    assert curve.at([-253, 1, 254.5, 255]).tolist() == [0.875, 0.5, 0.25, 0.125]


# --- areas ------------------------------------------------------------------------------------


@given(ANY_WEIGHTED, TAUS, TAUS)
def test_areas_equal_the_twin(sample, a, b):
    truth, scores, weight = sample
    low, high = sorted((a, b))
    curve = rl.margin_curve(truth, scores, sample_weight=weight)
    exact = twin.margin_area(truth, scores, low, high, weight)
    assert curve.area(low=low, high=high) == pytest.approx(float(exact), rel=1e-12, abs=1e-14)
    assert curve.area(low=a, high=a) == 0


@given(ANY_WEIGHTED)
def test_the_area_from_zero_on_is_the_scored_auc(sample):
    truth, scores, weight = sample
    exact = reference.scored_auc(truth, scores, weight)
    curve = rl.margin_curve(truth, scores, sample_weight=weight)
    assert curve.area() == near(exact, scores)
    assert rl.scored_auc(truth, scores, sample_weight=weight) == near(exact, scores)


@given(level_samples(max_size=14), TAUS, TAUS)
def test_the_area_is_the_integral_of_theta_step_by_step(sample, a, b):
    truth, scores = sample
    low, high = sorted((a, b))
    curve = rl.margin_curve(truth, scores)
    stretches = twin.steps(truth, scores, low, high)
    exact = sum(
        (twin.margin_auc(truth, scores, middle) * width for middle, width in stretches), Fraction(0)
    )
    assert exact == twin.margin_area(truth, scores, low, high)
    ours = sum(curve.at(float(middle)) * float(width) for middle, width in stretches)
    assert curve.area(low=low, high=high) == pytest.approx(ours, rel=1e-12, abs=1e-14)


def test_the_area_is_the_integral_of_theta_numerically():
    rng = np.random.default_rng(11)
    truth = rng.random(3000) < 0.3
    scores = rng.normal(size=3000) + truth
    curve = rl.margin_curve(truth, scores)
    taus = np.linspace(0, curve.high, 4001)
    values = curve.at(taus)
    # theta falls, so rectangles from either side hold the area between them
    step = taus[1]
    assert step * values[1:].sum() <= curve.area() <= step * values[:-1].sum()
    assert curve.area() == pytest.approx(step * (values.sum() - values[0] / 2), abs=1e-4)
    assert curve.area(low=0, high=1) + curve.area(low=1, high=2) == pytest.approx(
        curve.area(low=0, high=2), rel=1e-13
    )
    assert curve.area() == pytest.approx(rl.scored_auc(truth, scores), rel=1e-13)


def test_many_equal_steps_lose_no_digits():
    # a plain running sum of 300,000 equal shares is off by 1e-12
    n = 300_000
    truth, scores = np.arange(2 * n) % 2 == 0, np.arange(2 * n) / 10
    weight = np.full(2 * n, 0.1)
    exact = (n - 1) * (2 * n - 1) / (60 * n)  # the mean of max(2 (i - j) - 1, 0) / 10
    for ranking in (rl.Ranking(truth, scores), rl.Ranking(truth, scores, sample_weight=weight)):
        assert rl.margin_curve(ranking).area() == pytest.approx(exact, rel=2e-14)
        assert rl.scored_auc(ranking) == pytest.approx(exact, rel=1e-13)
        parts = rl.measures.scored_parts(ranking)
        assert parts.r_pos - parts.r_neg == pytest.approx(exact, rel=1e-13)


@given(level_samples())
def test_areas_on_both_sides_make_the_difference_of_means(sample):
    truth, scores = sample
    curve, parts = rl.margin_curve(truth, scores), rl.measures.scored_parts(truth, scores)
    far = min(curve.low, 0.0)
    lost = -far - curve.area(low=far, high=0)  # the integral of 1 - theta up to 0
    assert curve.area() - lost == pytest.approx(parts.mean_difference, abs=1e-14)
    assert curve.area(low=-np.inf, high=0) == np.inf


@given(level_samples(min_size=2), st.sampled_from([-1e9, 1e9, 1e12]), TAUS)
def test_a_large_offset_costs_no_digits(sample, offset, tau):
    truth, steps = sample
    tau = round(8 * tau) / 8
    near_zero, far_away = rl.margin_curve(truth, steps), rl.margin_curve(truth, offset + steps)
    assert far_away.at(tau) == near_zero.at(tau)
    assert far_away.area() == pytest.approx(near_zero.area(), rel=1e-13, abs=1e-15)
    difference = rl.measures.scored_parts(truth, steps).mean_difference
    moved = rl.measures.scored_parts(truth, offset + steps).mean_difference
    assert moved == pytest.approx(difference, rel=1e-13, abs=1e-15)


@given(
    level_samples(),
    st.sampled_from([("i8", 2**60), ("i8", -(2**63) + 16), ("u8", 2**64 - 17), ("i1", -112)]),
    st.integers(-33, 33),
)
def test_large_integers_keep_their_differences(sample, place, tau):
    truth, steps = sample
    dtype, centre = place
    scores = np.array([centre + int(8 * step) for step in steps], dtype)
    plain = rl.margin_curve(truth, 8 * steps)
    curve = rl.margin_curve(truth, scores)
    assert curve.at(tau) == plain.at(tau)
    assert curve.area() == pytest.approx(plain.area(), rel=1e-13)
    assert rl.scored_auc(truth, scores) == near(plain.area(), 8 * steps)


# --- scale, shift, weights --------------------------------------------------------------------


@given(unit_samples(), st.sampled_from([1e-9, 0.3, 7.0, 1e12]), st.sampled_from([-5.0, 0.0, 3.0]))
def test_scored_auc_scales_with_the_scores(sample, a, b):
    truth, scores = sample
    moved = a * (scores + b)
    plain = rl.scored_auc(truth, scores)
    # adding b rounds the scores themselves, to about 1e-15
    assert rl.scored_auc(truth, moved) == pytest.approx(a * plain, rel=1e-12, abs=4e-15 * a)


@given(WEIGHTED)
def test_normalizing_is_scaling_to_the_unit_interval(sample):
    truth, scores, weight = sample
    kept = scores[weight > 0]
    span = np.ptp(kept)
    scaled = (scores - kept.min()) / (span or 1)
    options = {"sample_weight": weight, "normalize": True}
    assert rl.scored_auc(truth, scores, **options) == pytest.approx(
        rl.scored_auc(truth, scaled, sample_weight=weight), rel=1e-12, abs=1e-14
    )
    ours = rl.measures.scored_parts(truth, scores, **options)
    theirs = rl.measures.scored_parts(truth, scaled, sample_weight=weight)
    assert ours.to_dict() == pytest.approx(theirs.to_dict(), rel=1e-12, abs=1e-14)
    assert ours.unit_interval
    curve = rl.margin_curve(truth, scores, **options)
    assert -1 <= curve.low <= curve.high <= 1
    assert curve.area() == pytest.approx(ours.scored_auc, rel=1e-12, abs=1e-14)
    assert curve.area(low=-1, high=0.5) == pytest.approx(
        rl.margin_curve(truth, scaled, sample_weight=weight).area(low=-1, high=0.5),
        rel=1e-12,
        abs=1e-14,
    )


@given(level_samples(), st.integers(-8, 8))
def test_normalized_margins_are_shares_of_the_range(sample, eighths):
    truth, scores = sample
    exact = twin.margin_auc(truth, scores, Fraction(eighths, 8), normalize=True)
    whole = (8 * scores).astype(int)
    value = rl.margin_auc(truth, whole, margin=eighths / 8, normalize=True)
    assert value == float(exact)


@given(weighted_samples(level_samples(), kinds=("counts",)), TAUS)
def test_whole_weights_mean_repetition(sample, tau):
    truth, scores, weight = sample
    times = weight.astype(int)
    many = np.repeat(truth, times), np.repeat(scores, times)
    weighted = rl.Ranking(truth, scores, sample_weight=weight)
    assert rl.margin_auc(weighted, margin=tau) == pytest.approx(
        rl.margin_auc(*many, margin=tau), abs=1e-14
    )
    assert rl.scored_auc(weighted) == near(rl.scored_auc(*many), scores)
    assert rl.measures.scored_parts(weighted).to_dict() == pytest.approx(
        rl.measures.scored_parts(*many).to_dict(), rel=1e-12, abs=1e-14
    )


@given(WEIGHTED, st.sampled_from([1e-55, 1e55]), TAUS)
def test_the_scale_of_weights_does_not_matter(sample, factor, tau):
    truth, scores, weight = sample
    one = rl.margin_curve(truth, scores, sample_weight=weight)
    other = rl.margin_curve(truth, scores, sample_weight=factor * weight)
    assert other.at(tau) == pytest.approx(one.at(tau), abs=1e-14)
    assert other.area() == pytest.approx(one.area(), rel=1e-12, abs=1e-14)


# --- parts and theorems -----------------------------------------------------------------------


@given(ANY_WEIGHTED, st.booleans())
def test_parts_equal_the_twin(sample, normalize):
    truth, scores, weight = sample
    ours = rl.measures.scored_parts(truth, scores, sample_weight=weight, normalize=normalize)
    r_pos, r_neg, mean_pos, mean_neg = twin.parts(truth, scores, weight, normalize)
    expected = {
        "r_pos": float(r_pos),
        "r_neg": float(r_neg),
        "mean_pos": float(mean_pos),
        "mean_neg": float(mean_neg),
        "mean_difference": float(mean_pos - mean_neg),
        "scored_auc": float(r_pos - r_neg),
    }
    found = ours.to_dict()
    assert found.pop("unit_interval") == (normalize or bool(unit_interval(scores[weight > 0])))
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-14)


def unit_interval(scores):
    return scores.min() >= 0 and scores.max() <= 1


@given(level_samples(max_size=16), st.randoms(use_true_random=False))
def test_the_algorithm_of_table_2_and_ties(sample, random):
    truth, scores = sample
    rows = list(zip(scores.tolist(), truth.tolist(), strict=True))
    random.shuffle(rows)
    any_order = twin.table_2(sorted(rows, key=lambda row: -row[0]))
    assert any_order[0] - any_order[1] == reference.scored_auc(truth, scores)
    negatives_first = twin.table_2(sorted(rows, key=lambda row: (-row[0], row[1])))
    ours = rl.measures.scored_parts(truth, scores)
    assert [ours.r_pos, ours.r_neg] == pytest.approx([float(r) for r in negatives_first], abs=1e-14)


@given(unit_samples())
def test_theorem_3_within_the_unit_interval(sample):
    parts, auc = rl.measures.scored_parts(*sample), rl.auc(*sample)
    slack = 1e-15
    assert parts.unit_interval
    assert parts.r_pos <= parts.mean_pos + slack
    assert parts.r_neg <= parts.mean_neg + slack
    assert parts.mean_difference - slack <= parts.scored_auc <= auc + slack


@given(level_samples(), st.sampled_from([-3.0, 0.0, 1e6]))
def test_what_remains_of_theorem_3_elsewhere(sample, offset):
    truth, scores = sample[0], sample[1] + offset
    parts = rl.measures.scored_parts(truth, scores)
    assert parts.mean_difference <= parts.scored_auc + 1e-14
    assert parts.unit_interval == unit_interval(scores)


def test_theorem_3_fails_outside_the_unit_interval():
    y, s = [1, 1, 0, 0], [-1.0, 3.0, -2.0, 1.0]
    parts = rl.measures.scored_parts(y, s)
    assert not parts.unit_interval
    assert parts.scored_auc > rl.auc(y, s)
    assert parts.r_pos > parts.mean_pos
    assert parts.r_neg < parts.mean_neg
    assert rl.measures.scored_parts(y, s, normalize=True).scored_auc < rl.auc(y, s)


@given(unit_samples())
def test_theorem_4_of_separated_scores(sample):
    truth, scores = sample
    scores = np.where(truth, 2 + scores, scores) / 3
    parts = rl.measures.scored_parts(truth, scores)
    assert rl.auc(truth, scores) == 1
    assert parts.scored_auc == pytest.approx(parts.mean_difference, rel=1e-13)
    assert rl.scored_auc(truth, truth.astype(float)) == 1


# --- one class --------------------------------------------------------------------------------


@given(one_class_samples())
def test_one_class_is_nan_with_a_warning(sample):
    truth, scores = sample[0], np.arange(len(sample[0]))
    with pytest.warns(rl.UndefinedMeasureWarning):
        curve = rl.margin_curve(truth, scores)
    assert np.isnan([curve.at(0), curve.area(), curve.low, curve.high]).all()
    assert np.isnan(curve.at([0.0, 1.0])).all()
    assert curve.to_dict()["theta"] == []
    for measure in (rl.scored_auc, rl.probabilistic_auc, rl.soft_auc):
        with pytest.warns(rl.UndefinedMeasureWarning):
            assert np.isnan(measure(truth, scores / len(scores)))
    with pytest.warns(rl.UndefinedMeasureWarning):
        assert np.isnan(rl.margin_auc(truth, scores, margin=1))
    with pytest.warns(rl.UndefinedMeasureWarning):
        assert np.isnan(rl.measures.scored_parts(truth, scores).r_pos)
