"""Do detectors keep their word: so many events between false alarms, on average?"""

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
        {"events": 15},
        {"per_class": 2, "alternative": "two-sided"},
    ],
    ids=str,
)
def test_false_alarms_are_as_rare_as_stated(options):
    """Of an e-detector by construction, for blocks of the shortest length; alarms do occur."""
    auc = rl.auc(population(1.2))
    detector = rl.BlockEDetector(auc, average_run_length=2000, **options)
    events = 400_000
    alarms = len(detector.update_many(*stream(np.random.default_rng(1), events, 1.2)))
    assert 0 < alarms <= events / 2000


def test_a_small_reference_costs_no_false_alarms():
    # With the mean of the reference in place of its bound many more streams raise an alarm.
    rng = np.random.default_rng(0)
    bounded = estimated = 0
    for _ in range(100):
        reference = rl.DriftReference(*stream(rng, 600, 1.2), per_class=5)
        events = stream(rng, 10_000, 1.2)
        for confidence in (0.95, 0.5):
            detector = rl.BlockEDetector(
                reference, average_run_length=200_000, reference_confidence=confidence
            )
            alarmed = bool(detector.update_many(*events))
            bounded, estimated = (
                (bounded + alarmed, estimated)
                if confidence == 0.95
                else (bounded, estimated + alarmed)
            )
    assert bounded <= 10  # 5 in each hundred by its run length, 5 by its confidence
    assert estimated > 2 * bounded + 5


def test_bounds_hold_as_often_as_stated():
    """The mean of all blocks lies above the bound of a reference in about 90 % of them."""
    truth = rl.DriftReference(*stream(np.random.default_rng(99), 400_000, 1.2), per_class=5)
    rng = np.random.default_rng(2)
    held = sum(
        rl.BlockEDetector(
            rl.DriftReference(*stream(rng, 1000, 1.2), per_class=5), reference_confidence=0.9
        ).bounds[0]
        <= truth.block_mean
        for _ in range(300)
    )
    assert 0.85 <= held / 300 <= 0.95


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
