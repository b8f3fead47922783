"""Do detectors keep their word: so few false alarms, ever, and so many events between them?"""

import math

import numpy as np
import pytest

import roclab as rl


def stream(rng, n, shift, rate=0.5):
    labels = rng.random(n) < rate
    return labels, np.round(rng.normal(size=n) + shift * labels, 1)


def population(shift, rate=0.5, n=400_000):
    """A reference that is so large that it is the truth."""
    return rl.Ranking(*stream(np.random.default_rng(99), n, shift, rate))


@pytest.mark.parametrize(
    "options",
    [
        {"per_class": 1},
        {"per_class": 5},
        {"per_class": 20},
        {"events": 15},
        {"per_class": 2, "alternative": "two-sided"},
    ],
    ids=str,
)
def test_false_alarms_ever_are_as_rare_as_stated(options):
    auc = rl.auc(population(1.2))
    rng = np.random.default_rng(1)
    alarmed = sum(
        bool(rl.BlockDriftTest(auc, alpha=0.2, **options).update_many(*stream(rng, 3000, 1.2)))
        for _ in range(300)
    )
    assert alarmed / 300 <= 0.2
    assert alarmed > 0 or options == {"per_class": 20}  # bets are made


def test_a_small_reference_costs_no_false_alarms():
    # With the reference's AUC in place of its bound a third of these streams raise an alarm.
    rng = np.random.default_rng(0)
    alarmed = certain = 0
    for _ in range(200):
        reference = rl.Ranking(*stream(rng, 200, 1.2))
        events = stream(rng, 5000, 1.2)
        alarmed += bool(rl.BlockDriftTest(reference, alpha=0.1).update_many(*events))
        taken_for_known = rl.BlockDriftTest(rl.auc(reference), alpha=0.1)
        certain += bool(taken_for_known.update_many(*events))
    assert alarmed / 200 <= 0.1
    assert certain / 200 > 0.2


@pytest.mark.parametrize(
    ("rate", "length", "options"),
    [
        (0.5, 2000, {"per_class": 2}),
        (0.2, 2000, {"per_class": 5}),
        (0.5, 5000, {"per_class": 50, "drop": 0.15}),  # a block alone may raise an alarm
        (0.3, 2000, {"events": 20, "alternative": "two-sided"}),
    ],
    ids=["pairs", "rare", "steep", "two-sided"],
)
def test_events_between_the_alarms_of_a_chart(rate, length, options):
    chart = rl.BlockCUSUM(
        population(1.2, rate), average_run_length=length, reference_confidence=0.5, **options
    )
    alarms = len(chart.update_many(*stream(np.random.default_rng(0), 1_000_000, 1.2, rate)))
    assert 1_000_000 / alarms == pytest.approx(length, rel=0.15)


def test_most_references_give_the_stated_run_length_or_more():
    rng = np.random.default_rng(1)
    shorter = 0
    for _ in range(20):
        chart = rl.BlockCUSUM(rl.Ranking(*stream(rng, 1000, 1.2)), average_run_length=2000, rng=rng)
        alarms = len(chart.update_many(*stream(rng, 60_000, 1.2)))
        shorter += alarms > 30 + 2 * math.sqrt(30)
    assert shorter <= 5  # 10 % are promised; 2 standard errors of 20 runs beyond that
