"""Thresholds as people read them: whoever follows one calls the same examples positive."""

import html
import json
import math
import re

import numpy as np
import pytest
from rich.console import Console

import roclab as rl
from roclab.report.document import document
from roclab.report.html import to_html
from roclab.report.markdown import to_markdown
from roclab.report.page.answer import called as advice
from roclab.report.page.build import html_report
from roclab.report.terminal import to_terminal

TRUTH = np.arange(60) % 3 == 0
STEPS = np.random.default_rng(3).permutation(60) + 12 * TRUTH


def kinds():
    """Scores whose neighbours differ far behind the sixth digit."""
    yield "close to 1", 1 - (80 - STEPS) * 1e-9
    yield "close to 1, float32", (1 - (80 - STEPS) * np.float32(2**-24)).astype(np.float32)
    yield "ordinary", STEPS / 97
    yield "tiny", STEPS * 1e-300
    yield "large", 1e15 + STEPS / 8
    yield "beyond 2**53", STEPS + 2**60
    yield "beyond 2**63", STEPS.astype(np.uint64) + np.uint64(2**63)
    yield "negative", -1 - (80 - STEPS) * 1e-10


KINDS = dict(kinds())


def called(scores, text):
    """The examples at or above a printed threshold, compared as a reader of the text would."""
    number = int(text) if re.fullmatch(r"-?\d+", text) else float(text)
    return scores >= number


@pytest.mark.parametrize("kind", KINDS)
def test_the_advice_calls_what_it_counts(kind):
    scores = KINDS[kind]
    for goal in ({}, {"false_negative_cost": 9}, {"min_tpr": 0.7}, {"capacity": 0.2}):
        choice = rl.choose_threshold(TRUTH, scores, rng=0, n_resamples=50, **goal)
        texts = [
            re.search(r"score is at least (\S+)\.\n", str(choice) + "\n")[1],
            re.search(r"threshold (\S+) \[", repr(choice))[1],
        ]
        for text in texts:
            found = called(scores, text)
            assert (np.sum(found & TRUTH), np.sum(found & ~TRUTH)) == (choice.tp, choice.fp)
        for end, text in zip(
            (choice.low, choice.high),
            re.search(r"\[(\S+), (\S+)\]", repr(choice)).groups(),
            strict=True,
        ):
            assert np.array_equal(called(scores, text), scores >= end)


@pytest.mark.parametrize("kind", KINDS)
def test_tables_and_reprs(kind):
    scores = KINDS[kind]
    points = rl.operating_points(TRUTH, scores)
    told = document(points)
    first = told.tables[0]
    rows = [row[:3] for row in first.cells]
    console = Console(width=300)
    with console.capture() as terminal:
        console.print(to_terminal(told))
    for written in (str(points), terminal.get(), to_markdown(told), to_html(told)):
        assert all(html.escape(row[0]) in written for row in rows[:20])
    for text, tp, fp in rows[1:]:
        found = called(scores, text)
        assert (np.sum(found & TRUTH), np.sum(found & ~TRUTH)) == (int(tp), int(fp))
    for point in (points.best(), points.at(sensitivity=0.5), points[5]):
        found = called(scores, re.match(r"OperatingPoint\(threshold (\S+):", repr(point))[1])
        assert np.sum(found) == point.tp + point.fp
    interval = rl.operating_point_interval(TRUTH, scores, threshold="youden")
    for text in (
        re.match(r"threshold (\S+):", repr(interval))[1],
        re.match(r"Threshold (\S+)\n", str(interval))[1],
    ):
        assert np.array_equal(called(scores, text), scores >= interval.threshold)
    for curve in (
        rl.roc_curve(TRUTH, scores),
        rl.roc_curve(TRUTH, scores, thin=True),
        rl.roc_hull(TRUTH, scores),
        rl.precision_recall_curve(TRUTH, scores),
        rl.det_curve(TRUTH, scores),
    ):
        place = [column.title for column in document(curve).tables[0].columns].index("thresholds")
        for row, threshold in zip(document(curve).tables[0].cells, curve.thresholds, strict=False):
            assert np.array_equal(called(scores, row[place]), scores >= threshold)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_and_its_panel(kind):
    scores = KINDS[kind]
    page = html_report(rl.ScoreTable(TRUTH, {"a": scores}))
    choice = rl.choose_threshold(TRUTH, scores, n_resamples=2, rng=0)
    text = re.search(r"positive what scores (\S+) or more", advice(choice))[1]
    assert np.sum(called(scores, text)) == choice.tp + choice.fp
    [data] = json.loads(re.search(r'id="report-data">(.*?)</script>', page)[1])["models"]
    assert data["threshold"][0] == "above all scores"
    assert (data["tp"][0], data["fp"][0]) == (0, 0)
    counts = (np.cumsum(data["tp"]), np.cumsum(data["fp"]))
    for text, tp, fp in list(zip(data["threshold"], *counts, strict=True))[1:]:
        found = called(scores, text)
        assert (np.sum(found & TRUTH), np.sum(found & ~TRUTH)) == (tp, fp)


def test_infinite_thresholds_are_named():
    truth, scores = [1, 1, 1, 0, 1], [-math.inf, -math.inf, 1, 2, math.inf]
    page = html_report(rl.ScoreTable(truth, {"a": scores}))
    [data] = json.loads(re.search(r'id="report-data">(.*?)</script>', page)[1])["models"]
    assert data["threshold"] == ["above all scores", "inf", "2", "1", "any score"]
    assert "Call all examples positive." in str(rl.choose_threshold(truth, scores, rng=0))
    few = rl.choose_threshold(truth, scores, capacity=0.2, rng=0)
    assert "Call examples positive if their score is at least inf." in str(few)
    none = rl.choose_threshold(truth, scores, capacity=0, rng=0)
    assert "Call no example positive" in str(none)
    assert str(rl.operating_points(truth, scores)).splitlines()[2].split()[:2] == ["above", "inf"]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        # A threshold of 2 costs 0.25, none 0.5: it is the limit that excludes it.
        ({"max_fpr": 0.2}, "no threshold within the limits finds a positive"),
        ({"capacity": 0.2}, "no threshold within the limits finds a positive"),
        ({"min_tpr": 0}, "every threshold has false positives"),
        (
            {"max_fpr": 0.2, "false_positive_cost": 1, "false_negative_cost": 1},
            "no threshold within the limits saves more than it costs",
        ),
        (
            {"false_positive_cost": 9, "false_negative_cost": 1},
            "no threshold saves more than it costs",
        ),
    ],
)
def test_calling_nothing_positive_has_the_reason_of_the_goal(limits, reason):
    truth, scores = [1, 1, 0, 0], [2, 2, 2, 1]
    chosen = rl.choose_threshold(truth, scores, rng=0, **limits)
    assert (chosen.tp, chosen.fp) == (0, 0)
    assert f"Call no example positive: {reason}." in str(chosen)


def test_the_stability_index_of_a_sample_against_itself_is_zero():
    for first, kind in ((2**60, np.int64), (-(2**63), np.int64), (2**63, np.uint64)):
        scores = np.array([first + step for step in range(100)], kind)
        found = rl.decisions.population_stability_index(scores, scores)
        assert (found.value, len(found)) == (0.0, 10)
        assert found.reference_share.tolist() == [0.1] * 10
        inside = [
            (scores >= low) & (scores < high)
            for low, high in zip(found.low, found.high, strict=True)
        ]
        assert [int(np.sum(one)) for one in inside] == [10] * 10
        low = scores[:50].repeat(2)
        changed = rl.decisions.population_stability_index(scores, low, n_bins=2)
        shifted = rl.decisions.population_stability_index(
            np.arange(100), np.arange(50).repeat(2), n_bins=2
        )
        assert changed.value == shifted.value > 1
