"""Precision-recall curves at the edges: missing classes, what results say."""

import json

import numpy as np
import pytest

import roclab as rl

Y = [0, 1, 0, 1]
S = [0.1, 0.4, 0.4, 0.8]


def test_without_positives_recall_is_nan():
    with pytest.warns(rl.UndefinedMeasureWarning, match="needs positive examples") as caught:
        curve = rl.precision_recall_curve([0, 0], [1, 2])
    assert caught[0].filename == __file__
    assert np.isnan(curve.recall).all()
    assert curve.precision.tolist() == [1, 0, 0]


def test_without_negatives_precision_is_one():
    curve = rl.precision_recall_curve([1, 1], [1, 2])
    assert curve.precision.tolist() == [1, 1, 1]
    assert curve.recall.tolist() == [0, 0.5, 1]


@pytest.mark.parametrize("labels", [[0, 0], [1, 1], []])
def test_gains_need_both_classes(labels):
    with pytest.warns(rl.UndefinedMeasureWarning, match="needs both classes") as caught:
        curve = rl.curves.precision_recall_gain_curve(labels, [1, 2][: len(labels)])
    assert caught[0].filename == __file__
    assert np.isnan(curve.recall_gain).all()
    assert np.isnan(curve.precision_gain).all()


@pytest.mark.parametrize(
    "function", [rl.precision_recall_curve, rl.curves.precision_recall_gain_curve]
)
def test_results_are_read_only_and_speak_json(function):
    curve = function(Y, S)
    for name, values in curve.to_dict().items():
        assert not getattr(curve, name).flags.writeable
        assert len(values) == len(curve)
    json.dumps(curve.to_dict())
    ranked = function(rl.Ranking(Y, S))
    assert ranked.to_dict().keys() == curve.to_dict().keys()


def test_results_say_what_they_are():
    assert repr(rl.precision_recall_curve(Y, S)) == (
        "PrecisionRecallCurve(4 points, thresholds 0.8 to 0.1)"
    )
    assert repr(rl.curves.precision_recall_gain_curve(Y, S)) == (
        "PrecisionRecallGainCurve(3 points, area 0.750)"
    )


def test_an_empty_curve_has_its_first_point():
    with pytest.warns(rl.UndefinedMeasureWarning):
        curve = rl.precision_recall_curve([], [])
    assert (len(curve), curve.precision[0], curve.thresholds[0]) == (1, 1, np.inf)
