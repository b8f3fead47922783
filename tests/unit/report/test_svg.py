"""Figures as SVG: well-formed, with the numbers of the figure, and names as they are."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import roclab as rl
from roclab.report.document import figure
from roclab.report.figure import Axes, Bars, Figure, Line, Points, Polygon, Rule
from roclab.report.svg import to_svg

Y = np.array([0, 1, 0, 1, 0, 1, 1, 0] * 4)
A = np.array([0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.9, 0.5] * 4) + np.arange(32) / 500
TABLE = rl.ScoreTable(Y, {"a": A, "</svg><b>&": -A}, groups={"g": np.arange(32) % 2})


def parsed(shown):
    return ElementTree.fromstring(to_svg(shown))


def places(root, label):
    """Points of a line in units of its axes."""
    plot = root.find("svg")
    x0, x1, y0, y1, _ = map(float, plot.get("data-axes").split())
    left, right, bottom, top = map(float, plot.get("data-area").split())
    [path] = [one for one in root.iter("path") if one.get("data-label") == label]
    pairs = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", path.get("d")), dtype=float)
    x = x0 + (pairs[:, 0] - left) / (right - left) * (x1 - x0)
    return x, y0 + (pairs[:, 1] - bottom) / (top - bottom) * (y1 - y0)


@pytest.mark.parametrize(
    "result",
    [
        TABLE,
        rl.evaluate(TABLE, by="g"),
        rl.compare(TABLE),
        rl.select_model(TABLE, rng=0, n_resamples=50),
        rl.Ranking(Y, A),
        rl.roc_band(Y, A, rng=0, n_resamples=50),
        rl.roc_hull(Y, A),
        rl.cost_curve(Y, A),
        rl.margin_curve(Y, A),
        rl.repair_section(Y, A),
        rl.auc_change(TABLE, TABLE, by="g", model="a"),
    ],
    ids=lambda result: type(result).__name__,
)
def test_every_figure_is_well_formed(result):
    shown = figure(result)
    root = parsed(shown)
    legend = [item.text or "".join(item.itertext()) for item in root.iter("li")]
    texts = ["".join(item.itertext()).removeprefix("■ ") for item in root.iter("li")]
    assert len(legend) == len(texts)
    assert set(texts) == {one.label for one in shown.series if one.label}
    for element in root.iter("path"):
        assert "nan" not in element.get("d")


def test_a_curve_has_its_points():
    curve = rl.roc_curve(Y, A)
    shown = figure(curve)
    x, y = places(parsed(shown), shown.series[-1].label)
    np.testing.assert_allclose(x, curve.fpr, atol=0.0005)
    np.testing.assert_allclose(y, curve.tpr, atol=0.0005)


def test_ticks_are_round_numbers_within_the_axis():
    line = Line(x=np.array([0.0, 37.0]), y=np.array([-0.31, 0.2]), label="a")
    root = parsed(Figure(series=(line,), axes=Axes(x="x", y="y")))
    texts = [one.text for one in root.iter("text")]
    assert [text for text in ("0", "10", "20", "30", "-0.2", "0.2") if text not in texts] == []


def test_a_log_axis_has_powers_of_ten():
    line = Line(x=np.arange(3.0), y=np.array([0.01, 1.0, 1e4]), label="e-value")
    root = parsed(Figure(series=(line,), axes=Axes(x="x", y="y", y_scale="log")))
    assert {"0.01", "1", "10000"} <= {one.text for one in root.iter("text")}


def test_what_is_not_finite_leaves_a_gap():
    line = Line(x=np.arange(4.0), y=np.array([0.0, np.nan, 1.0, np.inf]), label="a")
    root = parsed(Figure(series=(line,), axes=Axes(x="x", y="y")))
    [path] = [one.get("d") for one in root.iter("path")]
    assert path.count("M") == 2


def test_all_kinds_of_series():
    ones = np.ones(2)
    series = (
        Rule(x=0.5, label="limit"),
        Rule(y=0.5),
        Bars(x=np.array([-1.0, 2.0]), y=np.arange(2.0), label="bars"),
        Points(x=ones, y=ones, y_error=ones / 10, label="bars only"),
        Polygon(x=np.array([0.0, 1.0, 1.0]), y=np.array([0.0, 0.0, 1.0])),
    )
    root = parsed(Figure(series=series, axes=Axes(x="x", y="y", names=("one", "two"))))
    assert len(root.findall(".//rect")) == 2
    assert {"one", "two"} <= {one.text for one in root.iter("text")}


def test_an_empty_figure_is_drawn():
    assert parsed(Figure(series=(), axes=Axes(x="x", y="y"))).find("svg") is not None
