"""Pictures: what is drawn is what the result says."""

import subprocess
import sys
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.special import ndtri

import roclab as rl
from roclab.report.document import Document, document, figure
from roclab.report.figure import Axes, Figure, Line
from roclab.report.plot_style import FAINT, PALE, STYLES
from roclab.result import Result

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
        assert corners >= set(zip(band.fpr[:-1], rates[:-1], strict=True))
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
    faint = [line for line in ax.get_lines() if line.get_alpha() == FAINT]
    assert len(faint) == 2
    for line, tpr in zip(faint, average.fold_tpr, strict=True):
        assert line.get_ydata().tolist() == [0, *tpr]
        assert line.get_zorder() < 2
    (area,) = ax.collections if over == "fpr" else ax.patches
    assert area.get_alpha() == 0.15
    corners = area.get_paths()[0].vertices if over == "fpr" else area.get_xy()
    assert corners.min() >= 0
    assert corners.max() <= 1
    words = "mean ± standard error" + " of both rates" * (over == "threshold")
    assert legend(ax)[1:] == [words]


def test_what_is_known_of_a_part_of_the_curve_only(ax):
    average = rl.average_roc(Y * 2, S * 2, fold=[1] * 8 + [2] * 8, fpr=[0.1, 0.5])
    rl.plot(average, ax=ax)
    assert lines(ax)["mean of 2 curves"] == points(average)  # no AUC, and no way up to it
    assert ax.get_legend().get_texts()[0].get_text() == "mean of 2 curves"
    corners = set(map(tuple, ax.collections[0].get_paths()[0].vertices))
    for sign in (-1, 1):
        ends = average.tpr + sign * average.tpr_error
        assert corners >= set(zip(average.fpr, ends, strict=True))
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


def test_a_hull_with_its_concavities(ax):
    hull = rl.roc_hull(Y, S)
    rl.plot(hull, ax=ax, ranking=rl.Ranking(Y, S))
    assert legend(ax) == ["AUC 0.625", "hull, AUC 0.812, 1 concavity", "concavities"]
    (patch,) = ax.patches
    total = sum(concavity.area for concavity in hull.concavities)
    assert polygon_area(patch.get_xy()) == pytest.approx(total)


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


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def colors(ax):
    return {line.get_label(): mpl.colors.to_hex(line.get_color()) for line in ax.get_lines()}


def models(count, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(60) % 2
    return rl.ScoreTable(
        truth, {f"m{at}": rng.normal(size=60) + at / 5 * truth for at in range(count)}
    )


CURVES = {"first": rl.roc_curve(Y, S), "second": rl.roc_curve(Y, S[::-1])}


class TestTogether:
    def test_a_dict_names_them_and_gives_each_a_color(self, ax):
        rl.plot(CURVES, ax=ax)
        assert legend(ax) == ["first, AUC 0.625", "second, AUC 0.406"]
        drawn = colors(ax)
        assert drawn["first, AUC 0.625"] == STYLES[0].color
        assert drawn["second, AUC 0.406"] == STYLES[1].color
        assert lines(ax)["second"] == points(CURVES["second"])

    def test_a_list_numbers_what_is_of_one_kind(self, ax):
        rl.plot([*CURVES.values(), rl.roc_hull(Y, S)], ax=ax)
        assert legend(ax) == [
            "1, AUC 0.625",
            "2, AUC 0.406",
            "hull, AUC 0.812, 1 concavity",
        ]

    def test_tables_and_bands(self, ax):
        band = rl.roc_band(Y, S, rng=0, n_resamples=20)
        rl.plot({"a": band, "b": band}, ax=ax)
        assert legend(ax) == ["a, AUC 0.625", "b, AUC 0.625", "95 % simultaneous band"]
        fills = [mpl.colors.to_hex(one.get_facecolor()[0]) for one in ax.collections]
        assert fills == [STYLES[1].color, STYLES[0].color]

    def test_parts_of_tables_keep_their_own_colors(self, ax):
        rl.plot({"old": models(2), "new": models(2, seed=1)}, ax=ax)
        assert len(set(colors(ax).values())) == 4 + 1  # and the diagonal
        assert [text.split(",")[0] for text in legend(ax)] == ["old", "old", "new", "new"]

    def test_the_baseline_is_drawn_once_and_named_last(self, ax):
        curve = rl.precision_recall_curve(Y, S)
        rl.plot({"a": curve, "b": curve}, ax=ax)
        assert [text.split(",")[0] for text in legend(ax)] == ["a", "b", "all called positive"]

    def test_of_many_only_the_best_are_named(self, ax):
        table = models(40)
        rl.plot(table, ax=ax)
        best = sorted(table, key=lambda name: -rl.auc(table[name]))
        assert [text.split(",")[0] for text in legend(ax)] == [*best[:3], "37 others"]
        grey = [line for line in ax.get_lines() if mpl.colors.to_hex(line.get_color()) == PALE]
        assert len(grey) == 37 + 1
        curves = {name: rl.roc_curve(table[name]) for name in table}
        other = rl.plot(curves, ax=ax.figure.add_subplot())
        assert [text.split(",")[0] for text in legend(other)] == [*best[:3], "37 others"]

    def test_eight_are_all_named(self, ax):
        rl.plot(models(8), ax=ax)
        assert len(legend(ax)) == 8

    def test_axes_that_differ(self, ax):
        with pytest.raises(rl.InputError, match="need the same axes"):
            rl.plot([rl.roc_curve(Y, S), rl.precision_recall_curve(Y, S)], ax=ax)
        with pytest.raises(rl.InputError, match="need the same axes"):
            rl.plot([rl.evaluate(models(2)), rl.evaluate(models(2))], ax=ax)

    @pytest.mark.parametrize("nothing", [[], {}, ()])
    def test_nothing(self, nothing):
        with pytest.raises(rl.InputError, match="nothing in result"):
            rl.plot(nothing)


class TestOptions:
    def test_label_and_color(self, ax):
        rl.plot(rl.roc_curve(Y, S), ax=ax, label="mine", color="tab:red", lw=3, ls=":")
        (line,) = (one for one in ax.get_lines() if one.get_label().startswith("mine"))
        assert line.get_color() == "tab:red"
        assert (line.get_linewidth(), line.get_linestyle()) == (3, ":")
        assert legend(ax) == ["mine, AUC 0.625"]

    def test_each_call_takes_the_next_color(self, ax):
        for name, curve in CURVES.items():
            rl.plot(curve, ax=ax, label=name)
        assert legend(ax) == ["first, AUC 0.625", "second, AUC 0.406"]
        assert list(colors(ax).values()) == [PALE, STYLES[0].color, STYLES[1].color]

    def test_after_clearing_the_axes_it_starts_again(self, ax):
        rl.plot(CURVES, ax=ax)
        ax.clear()
        rl.plot(rl.evaluate(models(2)), ax=ax)
        rl.plot(CURVES["first"], ax=ax)
        assert legend(ax) == ["AUC 0.625"]

    def test_what_others_drew_stays(self, ax):
        ax.plot([0, 1], [0, 1], label="theirs")
        ax.stairs([0.2, 0.4], label="steps")
        ax.set_title("theirs too")
        rl.plot(CURVES["first"], ax=ax)
        assert legend(ax) == ["AUC 0.625", "theirs", "steps"]
        assert ax.get_title() == "theirs too"

    def test_colors_for_several(self, ax):
        rl.plot(CURVES, ax=ax, color=["red", "lime"])
        assert colors(ax)["second, AUC 0.406"] == "#00ff00"
        with pytest.raises(rl.InputError, match="not a list of 2 colors"):
            rl.plot(CURVES, ax=ax, color="red")

    def test_one_label_for_several(self, ax):
        with pytest.raises(rl.InputError, match="Pass a dict of names"):
            rl.plot(CURVES, ax=ax, label="both")

    def test_unknown_options_name_the_known_ones(self, ax):
        with pytest.raises(
            rl.InputError, match=r"It takes ax, label, color, alpha, .*zorder, rank"
        ):
            rl.plot(rl.repair_section(Y, S), ax=ax, size=3)
        with pytest.raises(rl.InputError, match="takes no option ranking"):
            rl.plot(rl.roc_curve(Y, S), ax=ax, ranking=rl.Ranking(Y, S))

    def test_points_take_them_too(self, ax):
        rl.plot(rl.evaluate(models(2)), ax=ax, marker="*", color="red")
        points = [container.lines[0] for container in ax.containers]
        assert [(one.get_marker(), one.get_color()) for one in points] == [("*", "red")] * 2


HOSTILE = [
    "$x_1$",
    "_hidden",
    r"\frac{1}{2} $\alpha",
    "<b onload='x'>&amp;</b>",
    "",
    "two\nlines",
    "ünïcödé % {0}",
]


@pytest.mark.filterwarnings("ignore:Glyph")
class TestNames:
    def test_are_drawn_as_they_are(self):
        table = rl.ScoreTable([0, 1] * 10, {name: np.arange(20.0) for name in HOSTILE})
        ax = rl.plot({name: rl.roc_curve(table[name]) for name in HOSTILE})
        shown = [name.replace("\n", "\\n") for name in HOSTILE]
        assert legend(ax) == [f"{name}, AUC 0.550".removeprefix(", ") for name in shown]
        assert not any(text.get_parse_math() for text in ax.get_legend().get_texts())
        forest = rl.plot(rl.evaluate(table))
        names = [label.get_text() for label in forest.get_yticklabels()]
        assert names == shown[::-1]
        assert not any(label.get_parse_math() for label in forest.get_yticklabels())
        for one in (ax, forest):
            one.figure.canvas.draw()
            mpl.pyplot.close(one.figure)

    def test_a_long_name_leaves_room_for_the_curve(self):
        ax = rl.plot({"long " * 100: rl.roc_curve(Y, S), "b": rl.roc_curve(Y, S)})
        ax.figure.canvas.draw()
        (text, _) = legend(ax)
        assert text.startswith("long long")
        assert text.endswith(", AUC 0.625")
        whole = ax.figure.bbox
        box = ax.get_legend().get_window_extent()
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1
        assert ax.get_position().width > 0.6
        mpl.pyplot.close(ax.figure)


@pytest.mark.parametrize(
    "make",
    [
        lambda: models(8),
        lambda: models(30),
        lambda: rl.evaluate(models(6)),
        lambda: rl.operating_points(Y, S),
        lambda: rl.Ranking(Y, S),
    ],
)
def test_legends_and_labels_are_inside_the_page_and_cover_no_axes(make):
    ax = rl.plot(make())
    ax.figure.canvas.draw()
    page, box = ax.figure.bbox, ax.get_tightbbox()  # of names, titles and legend too
    assert page.x0 <= box.x0
    assert box.x1 <= page.x1
    assert page.y0 <= box.y0
    assert box.y1 <= page.y1
    if ax.get_legend():
        legend = ax.get_legend().get_window_extent()
        below = legend.y1 < ax.xaxis.label.get_window_extent().y0
        lines = [line.get_path().transformed(line.get_transform()) for line in ax.get_lines()]
        assert below or not any(line.intersects_bbox(legend, filled=False) for line in lines)
    mpl.pyplot.close(ax.figure)


@pytest.mark.parametrize(
    ("make", "size"),
    [
        (lambda: rl.roc_curve(Y, S), (5.2, 5.2)),
        (lambda: rl.det_curve(Y, S), (5.2, 5.2)),
        (lambda: rl.cost_curve(Y, S), (6.4, 4.39)),
        (lambda: rl.evaluate(models(6)), (6.4, 2.62)),
    ],
)
def test_new_figures_fill_a_column_of_a_notebook(make, size):
    ax = rl.plot(make())
    assert ax.figure.get_size_inches() == pytest.approx(size)
    mpl.pyplot.close(ax.figure)


def test_titles_of_panels_are_inside_the_page():
    from roclab.report.drawing import draw, size_of

    shown = replace(figure(rl.calibration_curve(Y, S)), title="a title")
    page = mpl.figure.Figure(figsize=size_of(shown), layout="constrained")
    ax = page.add_subplot()
    draw(shown, ax, [], {})
    page.canvas.draw()
    assert ax.title.get_window_extent().y1 <= page.bbox.y1


def test_a_legend_inside_covers_no_curve():
    good = rl.plot({"good": rl.roc_curve([0, 1] * 9, [1, 2] * 9)})
    bad = rl.plot({"bad": rl.roc_curve([0, 1] * 9, [2, 1] * 9)})
    for ax, inside in ((good, True), (bad, False)):
        ax.figure.canvas.draw()
        box = ax.get_legend().get_window_extent()
        assert (box.y0 > ax.get_window_extent().y0) == inside
        mpl.pyplot.close(ax.figure)


def test_global_settings_are_left_alone():
    before = dict(mpl.rcParams)
    mpl.pyplot.close(rl.plot(models(3)).figure)
    assert dict(mpl.rcParams) == before


def test_long_curves_are_thinned(ax):
    rng = np.random.default_rng(0)
    truth = rng.random(50_000) < 0.5
    curve = rl.roc_curve(truth, rng.normal(size=50_000) + truth)
    rl.plot(curve, ax=ax)
    drawn = ax.get_lines()[-1].get_xydata()
    assert len(drawn) < 8000 < len(curve.fpr)
    assert set(map(tuple, drawn)) <= set(zip(curve.fpr, curve.tpr, strict=True))


def test_the_strips_of_calibration_curves_are_below_each_other():
    curve = rl.calibration_curve(Y, S)
    ax = rl.plot({"a": curve, "b": curve})
    (below,) = ax.child_axes
    bars = [one.get_height() for one in below.patches]
    assert max(bars) == pytest.approx(0.8)
    colors = {mpl.colors.to_hex(one.get_facecolor()) for one in below.patches}
    assert colors == {STYLES[0].color, STYLES[1].color}
    rl.plot(curve, ax=ax, label="c")
    ax.figure.canvas.draw()
    first, second = (one.get_window_extent() for one in ax.child_axes)
    assert second.y1 < first.y0 < first.y1 < ax.get_window_extent().y0
    assert [one.get_xlabel() != "" for one in (ax, *ax.child_axes)] == [False, False, True]
    assert legend(ax) == ["a", "b", "c"]
    mpl.pyplot.close(ax.figure)


def test_the_history_of_a_stream_has_a_second_picture_below():
    rng = np.random.default_rng(0)
    watcher = rl.StreamWatcher(rl.WindowAUC(50), every=20, detector=rl.BlockEDetector(0.9))
    steps = []
    for label, score in zip(rng.random(400) < 0.5, rng.random(400), strict=True):
        steps += watcher.update(bool(label), float(score))
    ax = rl.plot(steps)
    (below,) = ax.child_axes
    assert below.get_yscale() == "log"
    assert (ax.get_xlabel(), below.get_xlabel()) == ("", "event")
    assert "threshold of an alarm" in legend(ax)
    mpl.pyplot.close(ax.figure)


def test_a_legend_covers_no_curve_that_was_drawn_before(ax):
    rl.plot(rl.roc_curve([0, 1] * 9, [2, 1] * 9), ax=ax)
    rl.plot(rl.roc_curve([0, 1] * 9, [1, 2] * 9), ax=ax)
    ax.figure.canvas.draw()
    assert ax.get_legend().get_window_extent().y1 < ax.get_window_extent().y0


@dataclass(frozen=True)
class Rates(Result):
    """A result whose document has a picture on another scale."""

    fpr: tuple[float, ...] = (0.01, 0.1, 0.5)


@document.register
def _(result: Rates) -> Document:
    places = ndtri(np.array(result.fpr))
    line = Line(x=places, y=places[::-1], label="")
    axes = Axes(x="false positive rate", y="false negative rate", deviates=True)
    return Document(data={}, parts=(Figure(series=(line,), axes=axes),))


def test_pictures_of_documents_and_deviates_at_the_ticks(ax):
    rl.plot({"one": Rates(), "two": Rates(fpr=(0.2, 0.3))}, ax=ax)
    assert legend(ax) == ["one", "two"]
    ticks = {
        label.get_text(): at
        for at, label in zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)
    }
    assert ticks["0.5"] == pytest.approx(0)
    assert ticks["0.05"] == pytest.approx(ndtri(0.05))
