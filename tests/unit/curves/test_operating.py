import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_likelihood_ratios_by_hand():
    np.testing.assert_equal(POINTS.lr_pos, [math.nan, math.inf, 2, 1])
    np.testing.assert_equal(POINTS.lr_neg, [1, 0.5, 0, math.nan])
    np.testing.assert_equal(POINTS.odds_ratio, [math.nan, math.inf, math.inf, math.nan])
    point = rl.operating_points(rl.Ranking.from_groups([0, 1], pos=[2, 8], neg=[9, 3])).at(
        threshold=1
    )
    assert point.lr_pos == pytest.approx(0.8 / 0.25)
    assert point.lr_neg == pytest.approx(0.2 / 0.75)
    assert point.odds_ratio == pytest.approx(8 * 9 / (3 * 2))
    assert point.lr_pos / point.lr_neg == pytest.approx(point.odds_ratio)


def test_prevalence_acts_as_weights_of_the_classes():
    y, s = np.array([1, 1, 1, 0, 0, 0, 0]), [3, 2, 2, 2, 1, 1, 0]
    points = rl.operating_points(y, s, prevalence=0.1)
    weighted = rl.operating_points(y, s, sample_weight=np.where(y, 0.1 / 3, 0.9 / 4))
    for rate in ("sensitivity", "lr_pos", "ppv", "npv", "accuracy", "f1", "matthews", "youden"):
        np.testing.assert_allclose(getattr(points, rate), getattr(weighted, rate), rtol=1e-12)
        assert getattr(points[2], rate) == pytest.approx(getattr(points, rate)[2])
    assert points.tp.tolist() == [0, 1, 3, 3, 3]
    cost = {"false_positive_cost": 1, "false_negative_cost": 3}
    np.testing.assert_allclose(
        points.expected_cost(**cost),
        rl.operating_points(y, s).expected_cost(**cost, prevalence=0.1),
    )
    with pytest.raises(rl.InputError, match=r"prevalence=1\.5 is out of range"):
        rl.operating_points(y, s, prevalence=1.5)


def test_best_within_a_range():
    y, s = [0, 1, 0, 1, 1, 0, 1, 0], [1, 2, 3, 4, 5, 6, 7, 8]
    points = rl.operating_points(y, s)
    assert points.best(tpr_range=(0.9, 1)).threshold == 2
    assert points.best(fpr_range=(0.2, 0.3)).threshold == 7
    assert points.best(fpr_range=(0, 0.3), criterion="closest").threshold == 7
    assert points.best(threshold_range=(3, 5)).threshold == 4
    assert points.best(threshold_range=(5, 5)).threshold == 5
    with pytest.raises(rl.InputError, match=r"No threshold is within fpr_range=\(0.3, 0.4\)"):
        points.best(fpr_range=(0.3, 0.4))
    with pytest.raises(rl.InputError, match=r"fpr_range=0\.1 is not a range"):
        points.best(fpr_range=0.1)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=12))
def test_local_maxima_are_the_points_that_no_other_dominates(rows):
    y, s = zip(*rows, strict=True)
    if len(set(y)) < 2:
        return
    points = rl.operating_points(y, s)
    all_points = [points[row] for row in range(len(points))]
    kept = [
        one.threshold
        for one in all_points
        if not any(
            other.tp >= one.tp and other.fp <= one.fp and (other.tp, other.fp) != (one.tp, one.fp)
            for other in all_points
        )
    ]
    assert [one.threshold for one in points.local_maxima()] == kept


def test_local_maxima_need_both_classes():
    with pytest.warns(rl.UndefinedMeasureWarning):
        points = rl.operating_points([1, 1], [0.1, 0.2])
    with pytest.raises(rl.InputError, match=r"local_maxima\(\) needs both classes"):
        points.local_maxima()


def test_one_row():
    point = POINTS[-2]
    assert point == POINTS[2]
    assert repr(point) == (
        "OperatingPoint(threshold 0.4: sensitivity 1.000, specificity 0.500, "
        "2 tp, 1 fp, 1 tn, 0 fn)"
    )
    plain = json.loads(json.dumps(point.to_dict()))
    assert plain["f1"] == 0.8
    assert repr(POINTS) == "OperatingPoints(4 thresholds, 0.8 to 0.1)"
    with pytest.raises(IndexError):
        POINTS[4]


def test_ties_go_to_the_strictest_threshold():
    assert POINTS.best().threshold == 0.8
    assert POINTS.best(criterion="closest").threshold == 0.8


def test_a_rounded_rate_is_reached():
    # 0.1 + 0.2 exceeds 3 out of 10 by rounding alone.
    points = rl.operating_points([1] * 10 + [0], [*range(10), -1])
    assert points.at(sensitivity=0.1 + 0.2).tp == 3


def test_a_threshold_at_infinity():
    points = rl.operating_points([0, 1], [math.inf, 0.0])
    assert points.at(threshold=math.inf).fp == 1  # an infinite score is at or above it
    assert points[0].fp == 0
    assert POINTS.at(threshold=math.inf).tp == 0


def test_an_unknown_criterion():
    with pytest.raises(rl.InputError, match="Choose 'youden' or 'closest'"):
        POINTS.best(criterion="cost")


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
