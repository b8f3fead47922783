"""Recorded answers are those of the monitor as it is, and keep its promise."""

import math
import os
from dataclasses import replace

import numpy as np
import pytest

from roclab.monitor.cohorts import Reading
from roclab_studies.catalogue import STUDIES
from roclab_studies.monitor import (
    delays,
    false_alarms,
    fleets,
    full_path,
    label_free,
    real_streams,
    replays,
)
from roclab_studies.runner import question_of

DAY = fleets.DAY


def recorded(study, **wanted):
    return [
        one
        for one in STUDIES[study].recorded()
        if all(getattr(one, name) == value for name, value in wanted.items())
    ]


def test_recorded_false_alarms_are_those_of_the_monitor_as_it_is():
    """If the rule has changed: python -m roclab_studies monitor_alarms --again."""
    [row] = recorded("monitor_alarms", setting="few events")
    assert false_alarms.answer(question_of(false_alarms, row)) == row


def test_recorded_delays_are_those_of_the_monitor_as_it_is():
    """If the rule has changed: python -m roclab_studies monitor_delays --again."""
    [row] = recorded("monitor_delays", setting="weeks", method="default", drop=0.1)
    found = delays.answer(question_of(delays, row))
    assert found == row
    assert row.found == row.calm


def test_recorded_replays_are_those_of_the_monitor_as_it_is():
    if not os.environ.get("ROCLAB_DATA"):
        pytest.skip("ROCLAB_DATA is not set: no folder with electricity.csv.gz")
    [row] = recorded("monitor_replays", layout="electricity, days", method="logistic regression")
    found = replays.answer(replace(question_of(replays, row), shuffles=1))
    names = ("said", "whole_alarms", "segment_alarms", "cohorts", "notice")
    assert all(getattr(found, name) == getattr(row, name) for name in names)


def test_the_budget_is_kept_where_it_is_promised():
    rows = [row for row in STUDIES["monitor_alarms"].recorded() if row.method == "default"]
    kept = [row for row in rows if row.setting not in false_alarms.NOT_PROMISED]
    assert len(kept) >= 10
    assert all(row.rate + 2 * row.rate_error < 1 for row in kept)


def test_the_monitor_itself_says_what_the_rule_alone_says():
    rows = recorded("monitor_path", method="known")
    assert rows
    assert all(row.same == row.blocks and not row.missing for row in rows)
    assert all(row.agreeing == row.whole_alarms + row.segment_alarms for row in rows)
    assert sum(row.agreeing for row in rows) > 0


def test_an_installation_driven_day_by_day(monkeypatch):
    monkeypatch.setitem(full_path.SETTINGS, "small", fleets.Setting(rows=80))
    monkeypatch.setattr(fleets, "MODELS", 3)
    question = full_path.Question(setting="small", method="known", number=0, months=1)
    found = full_path.answer(question)
    assert found.blocks == found.same > 3 * 30
    assert found.rows == pytest.approx(3 * 80 * 60, rel=0.05)
    assert found.early_wait == fleets.HORIZON
    assert 0.85 < found.early_coverage < 0.95


def test_a_replay_tells_a_planted_fall(monkeypatch):
    days, each = 130, 200
    rng = np.random.default_rng(0)
    day = np.repeat(np.arange(days), each)
    label = rng.random(len(day)) < 0.4
    score = rng.normal(size=len(day)) + np.where(day < 80, 1.8, 0.6) * label
    stream = real_streams.RealStream(
        day * DAY + np.tile(np.arange(each) * (DAY // each), days),
        label,
        1 / (1 + np.exp(-score)),
        "side",
        tuple(np.where(rng.random(len(day)) < 0.5, "left", "right")),
    )
    monkeypatch.setattr(replays, "scored", lambda *_: stream)
    question = replays.Question(
        layout="electricity, days", method="logistic regression", shuffles=1
    )
    found = replays.answer(question)
    assert (found.whole_alarms, found.segment_alarms, found.streams) == (1, 2, 3)
    assert (found.learning, found.shuffled, found.slow) == (0, 0, 0)
    assert '"since": 691' in found.said  # day 80 of 1970, in microseconds
    assert 0.3 < found.firing < 0.6
    assert found.reference == pytest.approx(0.9, abs=0.01)


def test_labels_of_real_streams_come_late_or_never():
    stream = real_streams.RealStream(
        np.arange(10_000) * 1000, np.ones(10_000, bool), np.zeros(10_000), "", ("",) * 10_000
    )
    came = real_streams.arrivals(stream, "electricity, days", np.random.default_rng(0))
    assert (came < 0).mean() == pytest.approx(real_streams.MISSING, abs=0.01)
    assert (came - stream.time)[came >= 0].mean() == pytest.approx(DAY, rel=0.05)


def test_the_label_free_estimate_is_shown_where_it_was_better_on_mature_cohorts():
    def reading(auc, expected):
        return Reading(n=50, n_labelled=50, n_pos=20, n_neg=30, auc=auc, expected_auc=expected)

    calm = [reading(0.8, 0.8)] * label_free.REFERENCE
    better = [reading(0.7, 0.72)] * 40
    worse = [reading(0.8, 0.72)] * 60
    lag = 5
    found = label_free.judged([*calm, *better, *worse], lag)
    shown = [one for one, _, _ in found]
    # 40 cohorts with errors of 0.02 against 0.1, then of 0.08 against 0: even after 40 more.
    assert shown[: 40 - 10 + 5] == [True] * 35
    assert not shown[-1]
    assert [error for _, error, _ in found][:2] == pytest.approx([0.02, 0.02])
    assert found[-1][1:] == pytest.approx((0.08, 0.0))


def test_an_empty_count_has_no_quantile():
    assert math.isnan(delays._quantile([], 0.5))
    assert delays._quantile([1, 2, math.inf, math.inf], 0.5) == math.inf
    assert delays._quantile([1, 2, 3], 0.5) == 2
