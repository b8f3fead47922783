"""The detection error tradeoff curve at the edges, and its figure."""

import numpy as np
import pytest

import roclab as rl
from roclab.report.document import document

Y = [0, 1, 0, 1, 1, 0]
S = [0.1, 0.4, 0.4, 0.8, 0.3, 0.5]


@pytest.mark.parametrize("labels", [[0, 0], [1, 1], []])
def test_a_missing_class_is_a_point_of_nan(labels):
    with pytest.warns(rl.UndefinedMeasureWarning, match="needs both classes") as caught:
        curve = rl.det_curve(labels, [1, 2][: len(labels)])
    assert caught[0].filename == __file__
    assert np.isnan([*curve.fpr, *curve.fnr, *curve.thresholds]).all()
    assert document(curve).figures[0].series[0].x.tolist() == []


def test_perfect_scores_are_one_point_without_errors():
    curve = rl.det_curve([0, 0, 1, 1], [1, 2, 3, 4])
    assert (curve.fpr.tolist(), curve.fnr.tolist(), curve.thresholds.tolist()) == ([0], [0], [3])
    assert repr(curve) == "DETCurve(1 point, thresholds 3 to 3)"


def test_all_tied_is_all_or_nothing():
    curve = rl.det_curve([0, 1, 1], [2, 2, 2])
    assert (curve.fpr.tolist(), curve.fnr.tolist()) == ([0, 1], [1, 0])
    assert curve.thresholds.tolist() == [np.inf, 2]


def test_the_figure_has_normal_deviates_of_the_rates():
    """Of normal scores the curve is straight, with slope -1 if both classes vary alike."""
    from scipy.special import ndtri

    grid = ndtri((np.arange(999) + 0.5) / 999)
    curve = rl.det_curve(np.repeat([0, 1], 999), np.concatenate((grid, grid + 1)))
    line = document(curve).figures[0].series[0]
    assert np.isfinite(line.x).all()
    inner = (np.abs(line.x) < 1.5) & (np.abs(line.y) < 1.5)
    np.testing.assert_allclose((line.x + line.y)[inner], -1, atol=0.03)


def test_the_picture_has_rates_at_its_ticks():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure, ax = pyplot.subplots()
    rl.plot(rl.det_curve(Y, S), ax=ax)
    ticks = [text.get_text() for text in ax.get_xticklabels()]
    assert ticks[4] == "0.5"
    assert ax.get_xticks()[4] == 0
    assert ax.get_ylabel() == "false negative rate"
    pyplot.close(figure)
