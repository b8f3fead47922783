import json

import numpy as np
import pytest

import roclab as rl

SAMPLE = ([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])


def test_fields_by_hand():
    curve = rl.cost_curve(*SAMPLE)
    assert curve.probability_cost.tolist() == [0, 0.5, 1]
    assert curve.cost.tolist() == [0, 0.25, 0]
    assert curve.thresholds.tolist() == [0.8, 0.4]
    assert curve.fpr.tolist() == [0, 0.5]
    assert curve.tpr.tolist() == [0.5, 1]
    assert curve.area() == 0.125
    assert curve.at(0.25) == 0.125
    assert [curve.threshold_at(x) for x in (0, 0.5, 0.51, 1)] == [0.8, 0.8, 0.4, 0.4]


def test_useless_scores_cost_what_no_scores_cost():
    curve = rl.cost_curve([0, 1], [1, 1])
    assert curve.thresholds.tolist() == [np.inf, 1]
    assert curve.cost.tolist() == [0, 0.5, 0]
    assert curve.area() == 0.25


def test_a_perfect_ranking_costs_nothing():
    curve = rl.cost_curve([0, 1], [1, 2])
    assert curve.probability_cost.tolist() == [0, 1]
    assert curve.thresholds.tolist() == [2]
    assert curve.area() == 0
    assert repr(curve) == "CostCurve(1 piece, highest cost 0.000)"


def test_plain_values_and_read_only_arrays():
    curve = rl.cost_curve(*SAMPLE)
    assert json.loads(json.dumps(curve.to_dict()))["thresholds"] == [0.8, 0.4]
    with pytest.raises(ValueError, match="read-only"):
        curve.cost[0] = 1


@pytest.mark.parametrize("bad", [-0.1, 1.1, np.nan])
def test_a_probability_cost_is_a_share(bad):
    curve = rl.cost_curve(*SAMPLE)
    with pytest.raises(rl.InputError, match="between 0 and 1"):
        curve.at(bad)
    with pytest.raises(rl.InputError, match="between 0 and 1"):
        curve.threshold_at(bad)
