import json
import math

import numpy as np
import pytest

import roclab as rl

SAMPLE = ([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
POINTS = rl.operating_points(*SAMPLE)


def test_columns_by_hand():
    assert POINTS.threshold.tolist() == [math.inf, 0.8, 0.4, 0.1]
    assert POINTS.tp.tolist() == [0, 1, 2, 2]
    assert POINTS.fp.tolist() == [0, 0, 1, 2]
    assert POINTS.tn.tolist() == [2, 2, 1, 0]
    assert POINTS.fn.tolist() == [2, 1, 0, 0]
    assert POINTS.sensitivity.tolist() == POINTS.tpr.tolist() == [0, 0.5, 1, 1]
    assert POINTS.specificity.tolist() == [1, 1, 0.5, 0]
    assert POINTS.fpr.tolist() == [0, 0, 0.5, 1]
    assert POINTS.fnr.tolist() == [1, 0.5, 0, 0]
    np.testing.assert_equal(POINTS.ppv, [math.nan, 1, 2 / 3, 0.5])
    np.testing.assert_equal(POINTS.precision, POINTS.ppv)
    np.testing.assert_equal(POINTS.npv, [0.5, 2 / 3, 1, math.nan])
    assert POINTS.accuracy.tolist() == [0.5, 0.75, 0.75, 0.5]
    assert POINTS.balanced_accuracy.tolist() == [0.5, 0.75, 0.75, 0.5]
    assert POINTS.youden.tolist() == [0, 0.5, 0.5, 0]
    assert POINTS.f1.tolist() == [0, 2 / 3, 0.8, 2 / 3]


def test_one_row():
    point = POINTS[-2]
    assert point == POINTS[2]
    assert repr(point) == (
        "threshold 0.4: sensitivity 1.000, specificity 0.500, 2 tp, 1 fp, 1 tn, 0 fn"
    )
    plain = json.loads(json.dumps(point.to_dict()))
    assert plain["f1"] == 0.8
    assert repr(POINTS) == "OperatingPoints(4 thresholds, 0.8 to 0.1)"
    with pytest.raises(IndexError):
        POINTS[4]


def test_ties_go_to_the_strictest_threshold():
    assert POINTS.best().threshold == 0.8
    assert POINTS.best(criterion="closest").threshold == 0.8
    assert POINTS.best(criterion="cost").threshold == 0.8


def test_costs_and_prevalence_move_the_threshold():
    assert POINTS.best(criterion="cost", cost_ratio=3).threshold == 0.4
    assert POINTS.best(criterion="cost", cost_ratio=1 / 3).threshold == 0.8
    assert POINTS.best(criterion="cost", prevalence=0.9).threshold == 0.4
    assert POINTS.best(criterion="cost", prevalence=0.1).threshold == 0.8
    assert (
        POINTS.best(criterion="cost", cost_ratio=9, prevalence=0.1).threshold == 0.8
    )  # they cancel


def test_a_rounded_rate_is_reached():
    # 0.1 + 0.2 exceeds 3 out of 10 by rounding alone.
    points = rl.operating_points([1] * 10 + [0], [*range(10), -1])
    assert points.at(sensitivity=0.1 + 0.2).tp == 3


def test_a_threshold_at_infinity():
    points = rl.operating_points([0, 1], [math.inf, 0.0])
    assert points.at(threshold=math.inf).fp == 1  # an infinite score is at or above it
    assert points[0].fp == 0
    assert POINTS.at(threshold=math.inf).tp == 0


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"criterion": "youdn"}, "Choose 'youden', 'closest' or 'cost'"),
        ({"criterion": "youden", "prevalence": 0.1}, "not used with criterion='youden'"),
        ({"criterion": "closest", "cost_ratio": 2}, "not used with criterion='closest'"),
        ({"criterion": "cost", "prevalence": 0}, "between 0 and 1"),
        ({"criterion": "cost", "prevalence": 1}, "between 0 and 1"),
        ({"criterion": "cost", "prevalence": 1.5}, "between 0 and 1"),
        ({"criterion": "cost", "prevalence": math.nan}, "between 0 and 1"),
        ({"criterion": "cost", "cost_ratio": 0}, "cost_ratio=.*a finite number above 0"),
        ({"criterion": "cost", "cost_ratio": math.inf}, "cost_ratio=.*a finite number above 0"),
    ],
)
def test_impossible_choices(choice, message):
    with pytest.raises(rl.InputError, match=message):
        POINTS.best(**choice)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ({}, "got nothing; exactly one of"),
        ({"sensitivity": 0.5, "specificity": 0.5}, "got sensitivity and specificity"),
        ({"sensitivity": 1.1}, "between 0 and 1"),
        ({"specificity": -0.1}, "between 0 and 1"),
        ({"specificity": math.nan}, "between 0 and 1"),
        ({"threshold": math.nan}, "threshold=nan is not a number"),
    ],
)
def test_impossible_places(place, message):
    with pytest.raises(rl.InputError, match=message):
        POINTS.at(**place)


def test_huge_counts_do_not_overflow():
    big = 2**40
    points = rl.operating_points(
        rl.Ranking.from_groups([1, 2], pos=[big, 3 * big], neg=[3 * big, big])
    )
    assert points.matthews[1] == pytest.approx(0.5)
    assert points.best().threshold == 2
