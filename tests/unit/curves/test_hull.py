import json
import math

import numpy as np
import pytest

import roclab as rl

SAMPLE = ([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])


def test_fields_by_hand():
    hull = rl.roc_hull(*SAMPLE)
    assert hull.fpr.tolist() == [0, 0, 2 / 3, 1]
    assert hull.tpr.tolist() == [0, 1 / 3, 1, 1]
    assert hull.thresholds.tolist() == [np.inf, 0.9, 0.4, 0.2]
    assert hull.intervals.tolist() == [[0.9, np.inf], [0.4, 0.9], [0.2, 0.4]]
    assert hull.pos.tolist() == [1, 2, 0]
    assert hull.neg.tolist() == [0, 2, 1]
    [concavity] = hull.concavities
    assert (concavity.low, concavity.high) == (0.4, 0.9)
    assert concavity.area == 2 / 9  # a triangle of legs 2/3 and 2/3
    assert (concavity.n_pos, concavity.n_neg) == (2, 2)
    assert isinstance(concavity.n_pos, int)
    assert math.isnan(concavity.pvalue)
    assert hull.auc == 7 / 9


def test_plain_values_and_one_line():
    hull = rl.roc_hull(*SAMPLE)
    assert repr(hull) == "ROCHull(4 vertices, 1 concavity, AUC 0.778)"
    assert len(hull) == 4
    plain = hull.to_dict()
    assert plain["concavities"][0]["area"] == 2 / 9
    assert json.loads(json.dumps(plain))["neg"] == [0, 2, 1]


def test_arrays_are_read_only():
    hull = rl.roc_hull(*SAMPLE)
    for array in (hull.fpr, hull.tpr, hull.thresholds, hull.pos, hull.neg):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_touching_point_is_no_vertex():
    # The curve meets the diagonal in the middle: one edge, one concavity of two triangles.
    hull = rl.roc_hull([0, 1, 0, 1], [4, 3, 2, 1])
    assert hull.thresholds.tolist() == [np.inf, 1]
    [concavity] = hull.concavities
    assert concavity.area == 1 / 4


def test_a_straight_stretch_is_no_concavity():
    hull = rl.roc_hull([0, 1, 0, 1], [2, 2, 1, 1])
    assert hull.thresholds.tolist() == [np.inf, 1]
    assert hull.concavities == ()


def test_weights_that_are_equal_but_for_rounding_make_no_concavity():
    # 0.1 + 0.2 over 0.3 and 0.3 over 0.3 are one slope, though not in the last digit.
    hull = rl.roc_hull([1, 1, 0, 1, 0], [2, 2, 2, 1, 1], sample_weight=[0.1, 0.2, 0.3, 0.3, 0.3])
    assert len(hull) == 2
    assert hull.concavities == ()


def test_infinite_scores_belong_to_the_first_and_last_stretch():
    hull = rl.roc_hull([0, 1, 1, 0], [np.inf, 3.0, 2.0, -np.inf])
    assert hull.thresholds.tolist() == [np.inf, 2.0, -np.inf]
    assert hull.concavities[0].n_neg == 1


def test_no_examples_at_all():
    with pytest.warns(rl.UndefinedMeasureWarning):
        hull = rl.roc_hull([], [])
    assert hull.thresholds.tolist() == [np.inf]
    assert np.isnan([*hull.fpr, *hull.tpr, hull.auc]).all()
    assert hull.intervals.shape == (0, 2)


def test_the_warning_points_to_the_caller():
    with pytest.warns(rl.UndefinedMeasureWarning) as caught:
        rl.roc_hull([1, 1], [1, 2])
    assert caught[0].filename == __file__
