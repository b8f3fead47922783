"""Probabilistic and soft AUC: twins, limits and invariances."""

import numpy as np
import pytest
import reference_scored as twin
from hypothesis import given
from hypothesis import strategies as st
from strategies import MILD_WEIGHTS, level_samples, truths, weighted_samples

import roclab as rl
from roclab.measures import sigmoid_pairs

SLOPES = st.sampled_from([1e-9, 0.01, 1.0, 3.7, 10.0, 250.0, 1e4, 1e9])
WEIGHTED = weighted_samples(level_samples(min_size=2), kinds=MILD_WEIGHTS)


@given(WEIGHTED, SLOPES)
def test_soft_auc_equals_the_twin(sample, slope):
    truth, scores, weight = sample
    expected = twin.soft_auc(truth, scores, slope, weight)
    value = rl.soft_auc(truth, scores, sample_weight=weight, slope=slope)
    assert value == pytest.approx(expected, abs=2e-15)


@given(level_samples(max_size=12), st.sampled_from([-1e9, 1e12]), SLOPES)
def test_soft_auc_does_not_mind_an_offset(sample, offset, slope):
    truth, scores = sample
    moved = rl.soft_auc(truth, scores + offset, slope=slope)
    assert moved == pytest.approx(rl.soft_auc(truth, scores, slope=slope), abs=2e-15)


def direct(truth, scores, weight, slope):
    leads = scores[truth][:, np.newaxis] - scores[~truth]
    values = 0.5 * (1 + np.tanh(0.5 * slope * leads))
    return np.average(np.average(values, axis=1, weights=weight[~truth]), weights=weight[truth])


SHAPES = {
    "uniform": lambda rng, n: rng.random(n),
    "normal": lambda rng, n: rng.normal(size=n),
    "far from zero": lambda rng, n: 1e6 + rng.normal(size=n),
    "two clusters": lambda rng, n: rng.normal(size=n) + 300 * (rng.random(n) < 0.5),
    "crowded beside sparse": lambda rng, n: rng.random(n) ** 8 * 100,
    "heavy tails": lambda rng, n: rng.standard_cauchy(n),
}


# Crowded boxes, where points stand in for scores, from one box to none.
@pytest.mark.parametrize("slope", [1e-6, 0.1, 1.0, 7.0, 60.0, 1000.0, 1e6])
@pytest.mark.parametrize("shape", SHAPES)
def test_points_stand_in_for_crowds(shape, slope):
    rng = np.random.default_rng(17)
    truth, scores = rng.random(1500) < 0.4, SHAPES[shape](rng, 1500)
    weight = rng.exponential(size=1500)
    value = rl.soft_auc(truth, scores, sample_weight=weight, slope=slope)
    # scores near 1e6 are rounded to 1e-10 as it is
    tolerance = 2e-15 + 1e-17 * slope * np.abs(scores).max()
    assert value == pytest.approx(direct(truth, scores, weight, slope), abs=tolerance)


def test_crowds_shrink_to_a_few_points():
    rng = np.random.default_rng(2)
    scores = np.sort(np.concatenate((rng.random(5000), 10 + np.arange(5.0))))
    mass = rng.random(5005)
    points, weight = sigmoid_pairs._condensed(scores, mass, slope=2.0)
    assert len(points) == sigmoid_pairs.NODES + 5
    assert (np.diff(points) > 0).all()
    for power in range(6):  # the same sums of powers
        assert weight @ points**power == pytest.approx(mass @ scores**power, rel=1e-13)


def test_soft_auc_of_more_than_one_block():
    # rows beyond one block, columns beyond one block, most pairs far apart
    rng = np.random.default_rng(3)
    truth = np.repeat([True, False], [1000, 9000])
    scores = np.where(truth, 5000.0, 0.0) + rng.permutation(10_000)
    weight = np.ones(10_000)
    for slope in (0.05, 2.0):
        expected = direct(truth, scores, weight, slope)
        assert rl.soft_auc(truth, scores, slope=slope) == pytest.approx(expected, abs=2e-15)


@given(level_samples())
def test_a_steep_soft_auc_is_the_auc(sample):
    assert rl.soft_auc(*sample, slope=1e9) == pytest.approx(rl.auc(*sample), abs=1e-15)


@given(level_samples())
def test_a_shallow_soft_auc_is_the_difference_of_means(sample):
    difference = rl.measures.scored_parts(*sample).mean_difference
    value = rl.soft_auc(*sample, slope=1e-3)
    assert value == pytest.approx(0.5 + 1e-3 * difference / 4, abs=2e-9)


@given(level_samples(), SLOPES)
def test_soft_auc_mirrors(sample, slope):
    truth, scores = sample
    value = rl.soft_auc(truth, scores, slope=slope)
    assert 0 <= value <= 1
    assert rl.soft_auc(~truth, scores, slope=slope) == pytest.approx(1 - value, abs=2e-15)
    assert rl.soft_auc(truth, np.full(len(truth), 0.3), slope=slope) == 0.5


@given(level_samples(), st.sampled_from([1e-6, 0.5, 1e6]))
def test_the_slope_is_per_unit_of_score(sample, factor):
    truth, scores = sample
    value = rl.soft_auc(truth, factor * scores, slope=2 / factor)
    assert value == pytest.approx(rl.soft_auc(truth, scores, slope=2), abs=2e-15)


@given(weighted_samples(level_samples(), kinds=("counts",)), SLOPES)
def test_whole_weights_mean_repetition(sample, slope):
    truth, scores, weight = sample
    times = weight.astype(int)
    many = np.repeat(truth, times), np.repeat(scores, times)
    value = rl.soft_auc(truth, scores, sample_weight=weight, slope=slope)
    assert value == pytest.approx(rl.soft_auc(*many, slope=slope), abs=2e-15)
    p, many = (scores + 2) / 4, (many[0], (many[1] + 2) / 4)
    value = rl.probabilistic_auc(truth, p, sample_weight=weight)
    assert value == pytest.approx(rl.probabilistic_auc(*many), abs=1e-15)


@given(WEIGHTED)
def test_probabilistic_auc_is_made_of_means(sample):
    truth, scores, weight = sample
    p = (scores + 2) / 4
    _, _, mean_pos, mean_neg = twin.parts(truth, p, weight)
    value = rl.probabilistic_auc(truth, p, sample_weight=weight)
    assert value == pytest.approx(float((mean_pos - mean_neg + 1) / 2), abs=1e-15)
    assert rl.probabilistic_auc(truth, truth.astype(int), sample_weight=weight) == 1
    assert rl.probabilistic_auc(truth, ~truth, sample_weight=weight) == 0


@given(st.integers(2, 12).flatmap(truths))
def test_probabilistic_auc_of_constant_scores_is_one_half(truth):
    assert rl.probabilistic_auc(truth, np.full(len(truth), 0.25)) == 0.5
    assert rl.probabilistic_auc(truth, np.ones(len(truth), int)) == 0.5
