"""Calibration curves at the edges: what is refused, undefined and drawn."""

import numpy as np
import pytest

import roclab as rl
from roclab.report.document import document
from roclab.report.figure import Points

Y = [0, 1, 0, 1]
P = [0.1, 0.4, 0.4, 0.8]


def test_without_examples_there_are_no_bins():
    with pytest.warns(rl.UndefinedMeasureWarning, match="needs examples") as caught:
        curve = rl.calibration_curve([], [])
    assert caught[0].filename == __file__
    assert len(curve) == 0
    assert repr(curve) == "CalibrationCurve(0 bins, 0 off the diagonal)"


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_is_enough(label):
    curve = rl.calibration_curve([label] * 3, [0.2, 0.2, 0.2])
    assert curve.observed_rate.tolist() == [label]
    assert curve.mean_probability.tolist() == [0.2]


def test_the_points_are_the_bins_of_the_calibration_error():
    curve = rl.calibration_curve(Y, P, n_bins=2, strategy="quantile")
    error = rl.calibration_error(Y, P, n_bins=2, strategy="quantile")
    assert curve.mean_probability.tolist() == error.mean_score.tolist()
    assert curve.observed_rate.tolist() == error.share.tolist()


def test_none_is_a_bin_for_each_distinct_probability():
    assert rl.calibration_curve(Y, P, n_bins=None).count.tolist() == [1, 2, 1]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"n_bins": 0}, r"n_bins=0 is out of range.*Pass n_bins=None"),
        ({"n_bins": 2.5}, "n_bins=2.5 is out of range"),
        ({"strategy": "equal"}, "strategy='equal' is not an option"),
        ({"confidence_level": 1}, "confidence_level=1 is out of range"),
    ],
)
def test_what_is_refused(given, said):
    with pytest.raises(rl.InputError, match=said):
        rl.calibration_curve(Y, P, **given)


def test_scores_that_are_no_probabilities_are_refused():
    with pytest.raises(rl.InputError, match="calibration_curve needs probabilities"):
        rl.calibration_curve(Y, [1, 2, 3, 4])


def test_the_figure_has_error_bars():
    curve = rl.calibration_curve(Y * 9, P * 9)
    bars, line = document(curve).figures[0].series
    assert isinstance(bars, Points)
    np.testing.assert_allclose(bars.y - bars.y_error[0], curve.low)
    np.testing.assert_allclose(bars.y + bars.y_error[1], curve.high)
    assert line.y.tolist() == curve.observed_rate.tolist()
    pyplot = pytest.importorskip("matplotlib.pyplot")
    ax = rl.plot(curve)
    assert ax.get_ylabel() == "observed rate, 95 % interval"
    pyplot.close(ax.figure)
