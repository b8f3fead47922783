"""A choice among models, drawn."""

import matplotlib as mpl
import pytest

import roclab as rl
from roclab.report.plot_style import STYLES

mpl.use("agg")


def test_models_stand_best_first_and_contenders_are_filled():
    y = [0, 1] * 30
    scores = {"constant": [0.5] * 60, "perfect": [0.1, 0.9] * 30, "also": [1, 2] * 30}
    chosen = rl.select_model(rl.ScoreTable(y, scores), rng=0, n_resamples=50)
    ax = rl.plot(chosen)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["constant", "also", "perfect"]
    points = [container.lines[0] for container in ax.containers]
    assert [one.get_xydata().tolist() for one in points] == [[[0.5, 0]], [[1.0, 1]], [[1.0, 2]]]
    in_table = [STYLES[list(scores).index(name)].color for name in ("constant", "also", "perfect")]
    assert [one.get_color() for one in points] == in_table
    assert [one.get_markerfacecolor() for one in points] == ["white", *in_table[1:]]
    assert ax.get_title() == "2 of 3 may be the best (filled)"


def test_ends_are_two_standard_errors_away():
    table = rl.ScoreTable([0, 1, 0, 1, 1], {"a": [0.1, 0.4, 0.4, 0.8, 0.2], "b": [3, 1, 2, 4, 5]})
    chosen = rl.select_model(table, rng=0, n_resamples=50)
    ax = rl.plot(chosen)
    bars = [bar for one in ax.containers for bar in one.lines[2][0].get_segments()]
    assert len(bars) == 2
    for bar in bars:
        model = chosen.models[::-1][int(bar[0, 1])]
        low, high = bar[:, 0]
        assert low == pytest.approx(model.value - 2 * model.standard_error)
        assert high == pytest.approx(model.value + 2 * model.standard_error)
