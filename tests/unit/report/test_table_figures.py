"""Pictures of a table by kind: a model has one colour in all of them."""

from typing import get_args

import numpy as np
import pytest

import roclab as rl
from roclab.checks.choices import PlotKind
from roclab.report.document import figure
from roclab.report.documents.table import roc_figure
from roclab.report.figure import Band, Line, Points
from roclab.report.table_figures import table_figures
from roclab.report.together import model_colors

TOGETHER = sorted(set(get_args(PlotKind)) - {"pairs", "thresholds", "scores"})


def table_of(count, rows=120):
    """Probabilities; neither the best models nor the order of average precision come first."""
    rng = np.random.default_rng(count)
    truth = np.arange(rows) % 3 == 0
    strength = rng.permutation(count) / count
    scores = {
        f"m{at}": 1 / (1 + np.exp(-(rng.normal(size=rows) + 3 * strength[at] * truth)))
        for at in range(count)
    }
    groups = {"half": np.where(np.arange(rows) % 2, "odd", "even")}
    return rl.ScoreTable(truth, scores, groups=groups)


def colors(shown):
    """The numbers of the colours of lines and points, by the model that is named beside them."""
    found = {}
    for one in shown.series:
        if not isinstance(one, Line | Points) or one.group is None:
            continue
        named = one.label.split(",")[0]
        if shown.axes.names and not named:
            (place,) = one.y
            named = shown.axes.names[int(place)]
        if named:
            assert found.setdefault(named, one.group) == one.group
    return found


def expected(table):
    values = {name: rl.auc(table[name]) for name in table}
    found = model_colors(values)
    return {name: color for name, color in found.items() if color is not None}


@pytest.mark.filterwarnings("ignore:No interval for")
@pytest.mark.parametrize("count", [1, 4, 8, 12])
@pytest.mark.parametrize("kind", TOGETHER)
def test_a_model_has_one_colour_in_every_kind(kind, count):
    table = table_of(count)
    (shown,) = table_figures(table, kind)
    assert colors(shown) == expected(table)
    assert len(expected(table)) == {12: 3}.get(count, count)


@pytest.mark.filterwarnings("ignore:No interval for")
@pytest.mark.parametrize("count", [4, 12])
@pytest.mark.parametrize("kind", TOGETHER)
def test_in_groups_too(kind, count):
    table = table_of(count)
    for shown in table_figures(table, kind, by="half"):
        assert colors(shown) == expected(table)


@pytest.mark.parametrize("count", [4, 12])
def test_in_python_too(count):
    table = table_of(count)
    for result in (table, rl.evaluate(table), rl.select_model(table, rng=0, n_resamples=50)):
        assert colors(figure(result)) == expected(table)
    curves = colors(figure(rl.decision_curve(table)))
    assert curves == expected(table) if count == 4 else len(curves) == 3


def test_places_in_the_table_number_colours_and_of_many_the_best_three():
    values = {"a": 0.6, "b": 0.9, "c": 0.7}
    assert model_colors(values) == {"a": 0, "b": 1, "c": 2}
    many = {f"m{at}": at / 10 for at in range(9)} | {"undefined": float("nan")}
    named = {name: color for name, color in model_colors(many).items() if color is not None}
    assert named == {"m8": 0, "m7": 1, "m6": 2}
    assert list(model_colors(many)) == list(many)


def test_groups_of_several_models_have_a_picture_each():
    table = table_of(2)
    odd, even = table_figures(table, "roc", by="half")[::-1]
    assert [odd.title, even.title] == ["half: odd", "half: even"]
    for shown, part in ((odd, table.split("half")["odd"]), (even, table.split("half")["even"])):
        labels = {one.label for one in shown.series}
        assert labels == {one.label for one in roc_figure(part).series}


def test_average_precisions_are_named_best_first():
    table = table_of(4)
    with pytest.warns(rl.SmallSampleWarning) as said:
        (shown,) = table_figures(table, "pr")
    values = {name: rl.average_precision(table[name]) for name in table}
    order = sorted(values, key=values.get)  # the best is drawn last
    labels = [one.label for one in shown.series if isinstance(one, Line)]
    assert [label.split(",")[0] for label in labels] == order != list(table)
    without = [label.split(",")[0] for label in labels[::-1] if "[" not in label]
    assert 0 < len(without) < 4
    assert [str(one.message) for one in said] == [
        f"No interval for {', '.join(without)}: fewer than 20 negative examples score as high as "
        "the upper half of the positives."
    ]


def test_a_group_without_an_interval_is_named():
    with pytest.warns(rl.SmallSampleWarning) as said:
        table_figures(table_of(1), "pr", by="half")
    texts = [str(one.message).partition(": fewer")[0] for one in said]
    assert texts == ["No interval for m0 (half: odd)"]


@pytest.mark.filterwarnings("ignore:No interval for")
def test_groups_of_one_model_share_a_picture():
    table = table_of(1)
    (shown,) = table_figures(table, "pr", by="half")
    assert colors(shown) == {"even": 0, "odd": 1}


def test_a_title_for_each_model_and_group():
    shown = table_figures(table_of(2), "scores", by="half")
    assert [one.title for one in shown] == [
        f"half: {group}, {model}" for group in ("even", "odd") for model in ("m0", "m1")
    ]


class TestBands:
    def test_those_of_roc_curves_are_simultaneous(self):
        table = table_of(2)
        (shown,) = table_figures(table, "roc", band=True)
        bands = {one.group: one for one in shown.series if isinstance(one, Band)}
        assert {one.label for one in bands.values()} == {"95 % simultaneous band", ""}
        for at, name in enumerate(table):
            made = rl.roc_band(table[name], rng=0)
            np.testing.assert_array_equal(bands[at].low[1:-1], made.low[:-1])
            np.testing.assert_array_equal(bands[at].high[1:-1], made.high[:-1])

    def test_those_of_decision_curves_are_drawn_on_demand(self):
        table = table_of(2)
        (without,) = table_figures(table, "decision")
        (shown,) = table_figures(table, "decision", band=True)
        assert not [one for one in without.series if isinstance(one, Band)]
        bands = {one.group: one for one in shown.series if isinstance(one, Band)}
        for at, name in enumerate(table):
            curve = rl.decision_curve(table[name])
            np.testing.assert_array_equal(bands[at].low, curve.low)

    def test_of_many_models_they_cover_each_other(self):
        with pytest.raises(rl.InputError, match="Bands of 4 models cover each other; at most 3"):
            table_figures(table_of(4), "roc", band=True)

    @pytest.mark.parametrize("kind", sorted(set(get_args(PlotKind)) - {"roc", "decision"}))
    def test_other_kinds_have_none(self, kind):
        with pytest.raises(rl.InputError, match=f"Pictures of kind={kind} have no band"):
            table_figures(table_of(2), kind, band=True)
