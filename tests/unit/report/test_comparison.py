"""Comparisons as tables: a matrix of few models, pairs of more, and names that do no harm."""

import csv
import io
import json
import re

import numpy as np
import pytest
from rich.console import Console
from writers import notes, to_csv, to_json, to_markdown, to_table

import roclab as rl
from roclab.data.table import MissingValues
from roclab.report.documents.comparison import outcome


def table_of(models, rows=60, names=None, **options):
    rng = np.random.default_rng(5)
    y = np.arange(rows) % 2
    names = names or [f"m{i}" for i in range(models)]
    scores = {
        name: rng.normal(size=rows).round(1) + y * (i + 1) / 2 for i, name in enumerate(names)
    }
    return rl.ScoreTable(y, scores, **options)


def on_screen(result, width=120):
    page = io.StringIO()
    Console(file=page, width=width).print(to_table(result))
    return page.getvalue()


def test_few_models_make_a_matrix_best_first():
    comparison = rl.compare(table_of(3))
    text = on_screen(comparison)
    first = [line.split()[0] for line in text.splitlines()[2:5]]
    assert first == ["m2", "m1", "m0"]
    header = next(line for line in text.splitlines() if line.startswith("(column - row)"))
    assert header.split() == ["(column", "-", "row)", "m2", "m1"]
    pair = comparison.pairs[0]  # m0 minus m1
    assert f"{-pair.difference:+.3f}" in text
    assert f"[{-pair.high:.3f}, {-pair.low:.3f}]" in text
    assert outcome(comparison) in text.replace("\n", " ")
    assert "3 pairs (Holm)" in " ".join(text.split())
    assert "All equal: Simes test of the pairs, p =" in " ".join(text.split())


def test_more_models_make_a_list_of_pairs():
    comparison = rl.compare(table_of(7), correction="fdr")
    lines = on_screen(comparison).splitlines()
    pairs = [line for line in lines if re.match(r"m\d +m\d ", line)]
    assert len(pairs) == 21
    assert "Benjamini-Hochberg" in " ".join(lines)


def test_of_very_many_models_only_pairs_with_the_best_are_shown():
    comparison = rl.compare(table_of(15))
    text = on_screen(comparison)
    best = max(comparison.models, key=lambda one: one.interval.value).model
    shown = [line.split() for line in text.splitlines() if line.startswith(f"{best} ")]
    assert len(shown) == 15  # itself, and fourteen others
    assert "CSV has all" in text
    assert len(list(csv.DictReader(io.StringIO(to_csv(comparison))))) == 105


def test_csv_has_every_digit_and_both_values():
    comparison = rl.compare(table_of(3))
    rows = list(csv.DictReader(io.StringIO(to_csv(comparison))))
    values = {one.model: one.interval.value for one in comparison.models}
    for row, pair in zip(rows, comparison.pairs, strict=True):
        for field in ("difference", "low", "high", "statistic", "pvalue", "adjusted_pvalue"):
            assert float(row[field]) == getattr(pair, field)
        assert float(row["value_a"]) - float(row["value_b"]) == pytest.approx(pair.difference)
        assert float(row["value_a"]) == values[row["model_a"]]


def test_csv_of_one_model_has_its_columns():
    header, *rows = to_csv(rl.compare(table_of(1))).splitlines()
    assert header == to_csv(rl.compare(table_of(2))).splitlines()[0]
    assert not rows


def test_groups_have_their_own_tables_and_sentences():
    table = table_of(2, groups={"site": ["n", "n", "s", "s"] * 15})
    comparison = rl.compare(table, by="site")
    text = on_screen(comparison)
    assert "site: n" in text
    assert "site: s" in text
    for part in comparison.parts.values():
        assert outcome(part) in text.replace("\n", " ")
    rows = list(csv.DictReader(io.StringIO(to_csv(comparison))))
    assert [row["group"] for row in rows] == ["n", "s"]
    assert json.loads(to_json(comparison))["parts"][1]["group"] == "s"
    assert to_markdown(comparison).count("| model |") == 2
    assert to_markdown(comparison).count("| model a | model b |") == 2


def test_hostile_names_do_no_harm():
    names = ["[red]x[/red]", "a|b", "c,d\n", "\x1b[31mred", "*bold*"]
    comparison = rl.compare(table_of(5, names=names))
    text = on_screen(comparison, width=60)
    assert "\x1b" not in text
    assert "[red]x[/red]" in text.replace("\n", "")
    markdown = to_markdown(comparison)
    assert "a\\|b" in markdown
    assert "\\*bold\\*" in markdown
    assert (
        len(
            {
                line.count("|") - line.count("\\|")
                for line in markdown.splitlines()
                if line[:1] == "|"
            }
        )
        == 2
    )


def test_one_model_and_undefined_ones_have_tables_too():
    text = on_screen(rl.compare(table_of(1)))
    assert "no other model" in text
    with pytest.warns(rl.UndefinedMeasureWarning):
        undefined = rl.compare(rl.ScoreTable([1, 1], {"a": [1, 2], "b": [2, 1]}))
    text = on_screen(undefined)
    assert "undefined" in text
    assert "nan" not in text
    assert json.loads(to_json(undefined))["pairs"][0]["pvalue"] is None


def test_notes_tell_of_rows_left_out():
    missing = MissingValues(rows_read=70, rows_dropped=10, by_column={"m0": 10})
    table = table_of(2, missing=missing, groups={"half": ["a", "a", "b", "b"] * 15})
    for result in (rl.compare(table), rl.compare(table, by="half")):
        told = "10 of 70 rows left out; values missing: m0 10."
        assert notes(result) == (told,)
        assert told in on_screen(result)
        assert json.loads(to_json(result))["missing"]["rows_dropped"] == 10


def test_the_sentence_writes_names_as_the_tables_do():
    text = on_screen(
        rl.compare(table_of(2, names=["na\N{LATIN SMALL LETTER I WITH DIAERESIS}ve", "\x1b[1m"]))
    )
    assert text.count("\\x1b[1m") >= 3
    assert "'" not in text


def test_a_table_without_rows_has_no_groups():
    empty = rl.ScoreTable([], {"a": [], "b": []}, groups={"g": []})
    nothing = rl.compare(empty, by="g")
    assert nothing.to_dict()["parts"] == []
    assert to_csv(nothing).startswith("group,measure,model_a,model_b,")
    assert to_csv(nothing).count("\n") == 1
    assert on_screen(nothing).strip() == to_markdown(nothing).strip() == ""


def failing(labels, count, seed):
    """Scores of a model that ranks this number of positives below all negatives."""
    scores = labels + np.random.default_rng(seed).random(len(labels)) / 2
    scores[np.flatnonzero(labels)[:count]] -= 2
    return scores


def test_without_power_the_report_says_so():
    labels = np.repeat([1, 0], [10, 1000])
    models = {"a": failing(labels, 1, 1), "b": failing(labels, 0, 2)}
    expected = (
        "No test has power here with 10 positives: one that holds its level for ROC curves of all "
        "shapes finds even a perfect model significantly better than one with AUC 0.900 with a "
        "probability of at most 0.14."
    )
    assert expected in notes(rl.compare(rl.ScoreTable(labels, models)))
    assert expected in notes(rl.compare_auc(labels, *models.values()))
    first, second = (rl.Ranking(labels, scores) for scores in models.values())
    assert expected in notes(rl.compare_independent_auc(first, second))
    reverse = rl.compare_auc(1 - labels, *(-scores for scores in models.values()))
    assert expected.replace("positives", "negatives") in notes(reverse)
    assert "AUC 0.900 - 1.000" in str(reverse)


def test_of_two_perfect_models_nothing_is_said_about_power():
    labels = np.repeat([1, 0], [20, 20])
    models = [failing(labels, 0, seed) for seed in (1, 2)]
    assert "power" not in str(rl.compare_auc(labels, *models))
    assert "power" not in str(
        rl.compare(rl.ScoreTable(labels, dict(zip("ab", models, strict=True))))
    )


def test_of_several_models_the_report_counts_pairs_without_power():
    labels = np.repeat([1, 0], [20, 60])
    counts = {"a": 1, "b": 2, "c": 14}
    models = {name: failing(labels, count, count) for name, count in counts.items()}
    comparison = rl.compare(rl.ScoreTable(labels, models))
    assert [pair.adjusted_pvalue < 0.05 for pair in comparison.pairs] == [False, True, True]
    assert comparison.power_bounds == pytest.approx((0.05 / 0.9**20, 1, 1))
    (found,) = [note for note in notes(comparison) if "power" in note]
    assert found.startswith("No test has much power here with 20 positives for 1 of 3 pairs: ")
    assert "AUC 0.900" in found


@pytest.mark.parametrize("kind", ["significant", "many", "margin", "measure", "alike"])
def test_where_a_test_has_power_or_needs_none_nothing_is_said(kind):
    labels = np.repeat([1, 0], [200, 200] if kind == "many" else [10, 1000])
    count = {"significant": 9, "many": 20}.get(kind, 1)
    a, b = failing(labels, count, 1), failing(labels, 19 if kind == "many" else 0, 2)
    if kind == "margin":
        result = rl.compare_auc(labels, a, b, alternative="noninferior", margin=0.01)
    elif kind == "measure":
        result = rl.compare(rl.ScoreTable(labels, {"a": a, "b": b}), measure="scored_auc")
    else:
        result = rl.compare(rl.ScoreTable(labels, {"a": a, "b": 2 * a if kind == "alike" else b}))
    assert not any("power" in note for note in notes(result))
