"""Measures of probabilities at the edges: bad options, no examples, what results say."""

import json
import math

import numpy as np
import pytest

import roclab as rl

Y = [0, 1, 0, 1]
S = [0.1, 0.4, 0.4, 0.8]

MEASURES = [rl.brier_score, rl.log_loss, rl.measures.brier_parts, rl.calibration_error]


@pytest.mark.parametrize("function", MEASURES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("scores", [[0, 1, 2, 1], [-0.1, 0, 0, 0], [0, 0, 1, math.inf]])
def test_only_probabilities_are_accepted(function, scores):
    with pytest.raises(rl.InputError, match=f"{function.__name__} needs probabilities"):
        function(Y, scores)


@pytest.mark.parametrize("function", [rl.measures.brier_parts, rl.calibration_error])
@pytest.mark.parametrize("bins", [0, -1, 2.5, "10", 10**7, np.nan])
def test_bins_are_counted(function, bins):
    with pytest.raises(rl.InputError, match=r"n_bins=.* from 1 to 1,000,000 .*None"):
        function(Y, S, n_bins=bins)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "kmeans"}, "strategy='kmeans'.*'uniform' or 'quantile'"),
        ({"norm": "l3"}, "norm='l3'.*'l1', 'l2' or 'max'"),
        ({"confidence_level": 95}, "confidence_level=95.*0.95"),
    ],
)
def test_options_of_the_calibration_error(options, message):
    with pytest.raises(rl.InputError, match=message):
        rl.calibration_error(Y, S, **options)


@pytest.mark.parametrize("clip", [-0.1, 0.5, math.nan, "eps", None])
def test_clip_is_a_small_probability(clip):
    with pytest.raises(rl.InputError, match=r"clip=.*below 0\.5"):
        rl.log_loss(Y, S, clip=clip)


@pytest.mark.parametrize("threshold", [math.nan, "0.5", None])
def test_a_threshold_is_a_number(threshold):
    with pytest.raises(rl.InputError, match=r"threshold=.*a number is needed"):
        rl.measures.accuracy(Y, S, threshold=threshold)


@pytest.mark.parametrize("function", [*MEASURES, rl.measures.accuracy], ids=lambda f: f.__name__)
def test_no_examples_are_undefined(function):
    with pytest.warns(rl.UndefinedMeasureWarning, match="there are none") as caught:
        result = function([], [])
    assert caught[0].filename == __file__
    values = result.to_dict() if hasattr(result, "to_dict") else {"value": result}
    assert math.isnan(values.get("value", values.get("reliability")))


def test_labels_themselves_are_perfect_probabilities():
    assert rl.calibration_error(Y, Y).value == 0
    assert rl.brier_score(Y, Y) == 0


def test_results_say_what_they_are():
    error = rl.calibration_error(Y, S, norm="l2")
    assert repr(error) == "CalibrationError(0.132, l2, 3 bins)"
    assert float(error) == error.value
    assert json.loads(json.dumps(error.to_dict()))["count"] == [1, 2, 1]
    assert not error.share.flags.writeable
    parts = rl.measures.brier_parts(Y, S)
    assert json.loads(json.dumps(parts.to_dict()))["uncertainty"] == 0.25


def test_weights_count_in_effect():
    error = rl.calibration_error([0, 1, 0], [0.2, 0.2, 0.9], sample_weight=[1, 3, 2])
    assert error.count == pytest.approx([16 / 10, 1])
    assert error.weight == pytest.approx([4 / 6, 2 / 6])
    assert error.share == pytest.approx([3 / 4, 0])


def test_a_decimal_on_an_edge_belongs_to_the_lower_bin():
    scores = [k / 10 for k in range(11)]
    error = rl.calibration_error([0, 1] * 5 + [0], scores)
    assert error.count.tolist() == [2] + [1] * 9
    other = rl.calibration_error([0, 1], [0.29, 0.3], n_bins=100)
    assert len(other) == 2


def test_more_bins_than_scores():
    assert len(rl.calibration_error(Y, S, n_bins=1_000_000)) == 3
    assert len(rl.calibration_error(Y, S, n_bins=1_000_000, strategy="quantile")) == 3
