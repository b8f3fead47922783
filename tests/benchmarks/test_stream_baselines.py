"""The windows that the benchmark measures against are what they are said to be."""

import math

import numpy as np
import pytest

import roclab as rl
from benchmarks.stream_baselines import BinnedWindowAUC, ScanWindowAUC


def events(n=300, levels=20):
    rng = np.random.default_rng(3)
    truth = rng.random(n) < 0.3
    return truth.tolist(), (rng.integers(0, levels, n) + truth).astype(float).tolist()


@pytest.mark.parametrize(
    "window",
    [ScanWindowAUC(40), BinnedWindowAUC(40, low=0, high=21, bins=21)],
    ids=["scan", "bins"],
)
def test_equals_the_batch_at_every_event(window):
    truth, scores = events()
    for step, event in enumerate(zip(truth, scores, strict=True)):
        window.update(*event)
        inside = slice(max(0, step - 39), step + 1)
        if 0 < sum(truth[inside]) < len(truth[inside]):
            assert window.auc == pytest.approx(rl.auc(truth[inside], scores[inside]), abs=1e-15)
        else:
            assert math.isnan(window.auc)


def test_bins_take_all_inside_for_tied_and_what_is_outside_for_the_ends():
    window = BinnedWindowAUC(9, low=0, high=1, bins=2)
    for label, score in ((0, -5), (1, 0.2), (0, 0.6), (1, 7)):
        window.update(label, score)
    assert window.auc == (0.5 + 1.5) / 4
    assert rl.auc([0, 1, 0, 1], [-5, 0.2, 0.6, 7]) == 0.75


@pytest.mark.parametrize("count", [10, 40, 130])
def test_many_at_once_are_the_same_as_one_by_one(count):
    truth, scores = events()
    one_by_one, at_once = ScanWindowAUC(40), ScanWindowAUC(40)
    for event in zip(truth[: 50 + count], scores, strict=False):
        one_by_one.update(*event)
    at_once.update_many(np.array(truth[:50]), np.array(scores[:50]))
    at_once.update_many(np.array(truth[50 : 50 + count]), np.array(scores[50 : 50 + count]))
    for event in zip(truth[200:], scores[200:], strict=True):
        one_by_one.update(*event)
        at_once.update(*event)
        assert at_once.auc == one_by_one.auc
