"""Repairs as tables: what was found and kept, and what is done to each example."""

import csv
import io
import json

import numpy as np
import pytest
from rich.console import Console
from writers import notes, to_csv, to_json, to_markdown, to_table

import roclab as rl

FOUND = rl.Ranking([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])
CHECK = rl.Ranking([0] * 9 + [1] * 9, np.linspace(0.69, 0.41, 18))


def on_screen(result, width=140):
    page = io.StringIO()
    Console(file=page, width=width).print(to_table(result))
    return page.getvalue()


def test_a_checked_repair_on_screen():
    result = rl.checked_repair(FOUND, CHECK)
    lines = on_screen(result).splitlines()
    assert lines[0].split() == ["scores", "repaired", "why", "n+", "n-", "area"]
    row = lines[2].split()
    assert row[:4] == ["0.4", "to", "0.9", "yes"]
    assert row[-3:] == ["2", "2", "0.2222"]
    assert result.decisions[0].reason in lines[2]
    assert "1 of 1 concavity is repaired." in lines
    assert any(
        line.startswith("AUC of the checked examples: 0.000 before, 1.000") for line in lines
    )


def test_a_refusal_on_screen():
    text = on_screen(rl.checked_repair(FOUND, CHECK, alpha=1e-9))
    assert "0 of 1 concavity is repaired." in text
    assert "All scores stay unchanged." in text


def test_open_ends_are_words():
    scores = [4, 3, 2, 1]
    for labels, words in [([0, 1, 1, 0], "from 2"), ([0, 0, 1, 1], "from 1")]:
        ranking = rl.Ranking(labels, scores)
        assert words in to_markdown(rl.checked_repair(ranking, ranking))
    everything = rl.repair_section([0, 1], [2, 1])
    assert "| all" in to_markdown(everything.explain())
    low = rl.repair_section([1, 0, 1], [3, 2, 1])
    assert "below 2.5" in to_markdown(low.explain())


def test_programs_get_every_digit():
    result = rl.checked_repair(FOUND, CHECK)
    (row,) = csv.DictReader(io.StringIO(to_csv(result)))
    assert float(row["pvalue"]) == result.decisions[0].pvalue
    assert row["kept"] == "True"
    data = json.loads(to_json(result))
    assert data["decisions"][0]["area"] == result.decisions[0].area
    assert notes(result)[0] == "1 of 1 concavity is repaired."


def test_nothing_found():
    fine = rl.Ranking([0, 1], [1, 2])
    result = rl.checked_repair(fine, CHECK)
    assert on_screen(result) == "No concavity was found, so there is nothing to repair.\n"
    assert to_csv(result).startswith("low,high,area")


def test_an_explanation_lists_the_examples():
    table = rl.repair_section(FOUND).explain()
    text = on_screen(table)
    assert "mirrored" in text
    assert "4 of 6 examples are in a repaired section. AUC 0.556 before, 1.000 after." in text
    rows = list(csv.DictReader(io.StringIO(to_csv(table))))
    assert [row["row"] for row in rows] == ["1", "2", "3", "4"]
    assert [float(row["repaired"]) for row in rows] == table.repaired.tolist()


@pytest.mark.parametrize("n", [15, 60])
def test_of_many_examples_the_first_are_shown(n):
    y, s = np.arange(n) < n // 2, np.arange(n)
    text = to_markdown(rl.repair_section(y, s).explain())
    assert ("The first 20 are shown." in text) == (n > 20)
    assert text.count("\n|") >= min(n, 20)
