"""Decision curves, drawn: true values, cut off at the frame only."""

import matplotlib as mpl
import numpy as np
import pytest

import roclab as rl
from roclab.report.document import figure
from roclab.report.figure import Band, Line
from roclab.report.svg import to_svg

mpl.use("agg")

RNG = np.random.default_rng(3)
Y = np.arange(90) % 3 == 0
A, B = (1 / (1 + np.exp(1 - RNG.normal(size=90) - 2 * Y)) for _ in range(2))
CURVE = rl.decision_curve(Y, A)
CURVES = rl.decision_curve(rl.ScoreTable(Y, {"a": A, "b": B}))


def test_the_band_has_the_true_ends_and_the_axis_stops_above_them():
    (band,) = (one for one in figure(CURVE).series if isinstance(one, Band))
    np.testing.assert_array_equal(band.low, CURVE.low)
    np.testing.assert_array_equal(band.high, CURVE.high)
    ax = rl.plot(CURVE)
    (filled,) = ax.collections
    assert filled.get_paths()[0].vertices[:, 1].min() == CURVE.low.min() < -1
    assert ax.get_ylim()[0] == pytest.approx(-CURVE.prevalence / 4)
    assert ax.get_ylim()[1] > CURVE.high.max()
    mpl.pyplot.close(ax.figure)


def test_curves_have_all_their_values():
    curves = [one for one in figure(CURVES).series if isinstance(one, Line)]
    found = {one.label: one.y for one in curves}
    np.testing.assert_array_equal(found["a"], CURVES["a"].net_benefit)
    np.testing.assert_array_equal(found["treat all"], CURVE.treat_all)
    assert [one.group for one in curves if one.label in "ab"] == [1, 0]


@pytest.mark.parametrize("results", [CURVES, {"a": CURVE, "b": CURVE}, [CURVE, CURVE]])
def test_bands_of_several_are_drawn_on_demand(results):
    quiet = rl.plot(results)
    full = rl.plot(results, bands=True)
    assert (len(quiet.collections), len(full.collections)) == (0, 2)
    assert full.get_ylim()[0] == quiet.get_ylim()[0]
    for ax in (quiet, full):
        mpl.pyplot.close(ax.figure)


def test_one_curve_without_its_band():
    ax = rl.plot(CURVE, bands=False)
    assert not ax.collections
    mpl.pyplot.close(ax.figure)


def test_what_leaves_the_frame_is_cut_off_there_in_svg_too():
    picture = to_svg(figure(CURVE))
    frame = 'width="376" height="248" viewBox="52 10 376 248">'
    cut = [part.split("</svg>")[0] for part in picture.split(frame)[1:]]
    assert len(cut) == 2  # the band, and treating everybody
    assert 'fill-opacity="0.15"' in cut[0]
    assert 'data-label="treat all"' in cut[1]
