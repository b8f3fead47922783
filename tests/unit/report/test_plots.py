"""Pictures: what is drawn is what the result says."""

import subprocess
import sys

import numpy as np
import pytest

import roclab as rl

mpl = pytest.importorskip("matplotlib")
mpl.use("Agg")

Y = [1, 0, 0, 1, 1, 0, 1, 0]
S = [0.9, 0.7, 0.7, 0.4, 0.4, 0.2, 0.3, 0.1]


@pytest.fixture
def ax():
    from matplotlib import pyplot

    figure, ax = pyplot.subplots()
    yield ax
    pyplot.close(figure)


def lines(ax):
    found = {line.get_label().split(",")[0]: line.get_xydata() for line in ax.get_lines()}
    return {name: points.tolist() for name, points in found.items()}


def points(curve):
    return np.column_stack((curve.fpr, curve.tpr)).tolist()


def test_a_repair(ax):
    repair = rl.repair_section(Y, S)
    assert rl.plot(repair, ax=ax) is ax
    drawn = lines(ax)
    assert drawn["before"] == points(rl.roc_curve(Y, S))
    assert drawn["after"] == points(rl.roc_curve(Y, repair.apply(S)))
    assert drawn["hull"] == points(rl.roc_hull(Y, S))
    (patch,) = ax.patches
    area = polygon_area(patch.get_xy())
    assert area == pytest.approx(repair.sections[0].area)
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert words == ["before, AUC 0.625", "after, AUC 1.000", "hull, AUC 0.812", "repaired"]


def test_a_band(ax):
    band = rl.roc_band(Y, S, rng=0, n_resamples=20)
    rl.plot(band, ax=ax)
    assert lines(ax)["AUC 0.625"] == [[0, 0], *points(band)]
    (filled,) = ax.collections
    corners = {tuple(corner) for corner in filled.get_paths()[0].vertices}
    for rates in (band.low, band.high):
        assert corners >= set(zip(band.fpr, rates, strict=True))
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert words == ["AUC 0.625", "95 % simultaneous band"]


def test_a_binormal_fit(ax):
    fit = rl.binormal_fit([0, 0, 1, 0, 1, 0, 1, 1], [1, 1, 1, 2, 2, 3, 3, 3])
    rl.plot(fit, ax=ax)
    drawn = np.array(lines(ax)["binormal"])
    np.testing.assert_allclose(drawn[:, 1], fit.tpr_at(drawn[:, 0]))
    assert ax.get_legend().get_texts()[0].get_text() == f"binormal, AUC {fit.auc.value:.3f}"


@pytest.mark.parametrize("over", ["fpr", "threshold"])
def test_an_average(ax, over):
    average = rl.average_roc(Y * 2, S * 2, fold=[1] * 8 + [2] * 8, over=over)
    rl.plot(average, ax=ax)
    drawn = next(xy for name, xy in lines(ax).items() if name.startswith("mean of 2 curves"))
    assert drawn == [[0, 0], *points(average)]
    bars = ax.containers[0]
    assert bars.has_yerr
    assert bars.has_xerr == (over == "threshold")


def test_what_is_known_of_a_part_of_the_curve_only(ax):
    average = rl.average_roc(Y * 2, S * 2, fold=[1] * 8 + [2] * 8, fpr=[0.1, 0.5])
    rl.plot(average, ax=ax)
    assert lines(ax)["mean of 2 curves"] == points(average)  # no AUC, and no way up to it
    assert ax.get_legend().get_texts()[0].get_text() == "mean of 2 curves"
    assert len(ax.containers[0].lines[2][0].get_segments()) == 2
    band = rl.roc_band(Y, S, rng=0, n_resamples=20, fpr=[0.2, 0.3])
    rl.plot(band, ax=ax)
    assert lines(ax)["AUC 0.625"] == points(band)


def test_options_that_a_picture_does_not_have(ax):
    with pytest.raises(
        rl.InputError, match=r"of ROCCurve takes no option colour\. Did you mean color"
    ):
        rl.plot(rl.roc_curve(Y, S), ax=ax, colour="red")


def polygon_area(corners):
    x, y = corners.T
    return abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2


def test_a_repair_of_a_section_that_is_open_at_the_top(ax):
    repair = rl.repair_section([0, 1, 1, 0], [4, 3, 2, 1])
    rl.plot(repair, ax=ax)
    (patch,) = ax.patches
    assert polygon_area(patch.get_xy()) == pytest.approx(repair.sections[0].area)


def test_a_repair_for_other_data(ax):
    repair = rl.ScoreRepair.from_json(rl.repair_section(Y, S).to_json())
    with pytest.raises(rl.InputError, match="has no data"):
        rl.plot(repair, ax=ax)
    other = rl.Ranking([0, 1, 1], [0.5, 0.45, 0.95])
    rl.plot(repair, ax=ax, ranking=other)
    assert lines(ax)["before"] == points(rl.roc_curve(other))


def test_a_repair_with_nothing_to_do(ax):
    rl.plot(rl.repair_section([0, 1], [1, 2]), ax=ax)
    assert not ax.patches


def test_curves_and_hulls(ax):
    rl.plot(rl.roc_curve(Y, S), ax=ax)
    assert ax.get_legend().get_texts()[0].get_text() == f"AUC {rl.auc(Y, S):.3f}"
    rl.plot(rl.roc_hull(Y, S), ax=ax)
    assert lines(ax)["hull"] == points(rl.roc_hull(Y, S))


def test_makes_its_own_figure():
    from matplotlib import pyplot

    ax = rl.plot(rl.roc_curve(Y, S))
    assert ax.get_xlabel() == "false positive rate"
    pyplot.close(ax.figure)


@pytest.mark.parametrize("thing", [3, [1, 2], {"a": 3}, type("ROCCurve", (), {})()])
def test_refuses_what_it_cannot_draw(thing):
    with pytest.raises(rl.InputError, match="is not a result of roclab"):
        rl.plot(thing)


def test_says_what_to_install():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import roclab as rl\n"
        "try: rl.plot(rl.roc_curve([0, 1], [1, 2]))\n"
        "except rl.MissingExtraError as error: print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'roclab[plot]'" in run.stdout
