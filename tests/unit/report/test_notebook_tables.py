"""What a notebook shows: compact tables, legends without bullets."""

import re

import numpy as np
import pytest

import roclab as rl
from roclab.report.document import figure
from roclab.report.svg import to_svg

Y = np.array([0, 1, 0, 1, 0, 1, 1, 0] * 4)
A = np.array([0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.9, 0.5] * 4) + np.arange(32) / 500


def cells(html, tag):
    return re.findall(rf"<{tag}[^>]*>([^<]*)</{tag}>", html)


def test_an_interval_is_one_row_with_the_value_first():
    found = rl.auc_interval(Y, A)
    html = found._repr_html_()
    assert html.count("<tr>") == 2
    assert cells(html, "th")[:3] == ["measure", "value", "95 % interval"]
    shown = cells(html, "td")
    assert shown[1:3] == [f"{found.value:.4f}", f"[{found.low:.4f}, {found.high:.4f}]"]
    assert shown[-2:] == ["16", "16"]


def test_what_is_unusual_is_said():
    assert "alternative" not in rl.auc_interval(Y, A)._repr_html_()
    assert "greater" in cells(rl.auc_interval(Y, A, alternative="greater")._repr_html_(), "td")


def test_more_fields_than_fit_are_in_rows_of_seven():
    test = rl.compare_auc(Y, A, A[::-1])
    html = test._repr_html_()
    rows = [len(cells(row, "td")) for row in html.split("<tbody>")[1:]]
    assert rows[0] == 7
    assert len(rows) == 2
    assert cells(html, "th")[1:3] == ["difference", "95 % interval"]


def test_a_table_has_a_row_for_each_model():
    table = rl.ScoreTable(Y, {"<a>": A, "b": -A})
    html = table._repr_html_()
    assert cells(html, "th") == ["model", "AUC", "95 % interval"]
    shown = cells(html, "td")
    for at, name in enumerate(table):
        one = rl.auc_interval(table[name])
        assert shown[3 * at + 1] == f"{one.value:.3f}"
        assert shown[3 * at + 2] == f"[{one.low:.3f}, {one.high:.3f}]"
    assert shown[0] == "&lt;a&gt;"
    assert "<p>32 rows, 16 positive, 16 negative.</p>" in html


def test_a_table_of_many_models_shows_the_first():
    many = rl.ScoreTable(Y, {f"m{at}": A for at in range(25)})
    html = many._repr_html_()
    assert html.count("<tr>") == 1 + 20
    assert "The first 20 of 25 models are shown." in html


@pytest.mark.filterwarnings("ignore::roclab.UndefinedMeasureWarning")
def test_a_table_of_one_class():
    assert "undefined" in rl.ScoreTable([1, 1], {"a": [1, 2]})._repr_html_()


def test_legends_have_no_bullets_where_there_is_no_style_sheet():
    html = to_svg(figure(rl.roc_curve(Y, A)))
    assert re.search('<ul class="roclab-legend" style="list-style:none;', html)
    assert "<ul" not in to_svg(figure(rl.det_curve(Y, A)))  # which has nothing to say
