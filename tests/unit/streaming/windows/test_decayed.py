"""DecayedAUC: what it forgets, what it keeps and what it refuses."""

import math

import numpy as np
import pytest

import roclab as rl


def test_by_hand():
    window = rl.DecayedAUC(1)
    for label, score in [(0, 3), (0, 1), (1, 2), (0, 2), (1, 4)]:
        window.update(label, score)
    # weights now: negatives 1/16 at 3, 1/8 at 1, 1/2 at 2; positives 1/4 at 2, 1 at 4
    won = 1 / 4 * (1 / 8 + 1 / 4) + 1 * (1 / 16 + 1 / 8 + 1 / 2)
    assert window.auc == pytest.approx(won / (5 / 4 * 11 / 16), rel=1e-15)
    ranking = window.ranking()
    assert ranking.scores.tolist() == [1, 2, 3, 4]
    assert ranking.pos.tolist() == [0, 1 / 4, 0, 1]
    assert ranking.neg.tolist() == [1 / 8, 1 / 2, 1 / 16, 0]
    point = window.point_at(2)
    assert (point.tp, point.fp) == (1.25, 9 / 16)
    assert (window.half_life, window.tolerance, window.n_seen) == (1, 1e-9, 5)


def test_an_interval_of_the_weights_that_events_have_now():
    rng = np.random.default_rng(1)
    window = rl.DecayedAUC(100)
    labels = rng.random(3000) < 0.3
    window.update_many(labels, rng.normal(size=3000) + labels)
    expected = rl.auc_interval(window.ranking())
    found = window.interval()
    assert found.value == pytest.approx(expected.value, rel=1e-13)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-10)
    assert window.scored_auc == pytest.approx(window.summary.scored_auc, rel=1e-12)
    effective = window.summary.effective_pos, window.summary.effective_neg
    assert effective == pytest.approx((2.885 * 30, 2.885 * 70), rel=0.15)


def test_a_rare_class_does_not_vanish():
    window = rl.DecayedAUC(5)
    window.update_many([1, 1], [0.5, 2.0])
    for _ in range(40):
        window.update_many(np.zeros(5000, bool), np.linspace(0, 1, 5000))
    # 40,000 half-lives later: one positive is half as good, the other above all
    assert window.n_pos == 2
    weight = 2 ** (-1 / 5)
    last = window.ranking()
    below = last.neg[last.scores < 0.5].sum() / last.neg.sum()
    assert window.auc == pytest.approx((weight * below + 1) / (weight + 1), rel=1e-12)
    assert math.isfinite(window.interval().low)
    assert window.ranking().pos.sum() > 0
    window.update(1, -1.0)
    assert window.n_pos == 1
    assert window.auc == pytest.approx(0, abs=1e-15)
    assert window.dropped[0] == 0


def test_memory_is_bounded():
    window = rl.DecayedAUC(100, tolerance=1e-6)
    rng = np.random.default_rng(0)
    for _ in range(20):
        window.update_many(rng.random(10_000) < 0.5, rng.normal(size=10_000))
    most = 100 * math.log2(151 / 1e-6) + 1
    assert 0 < window.n_pos <= most
    assert 0 < window.n_neg <= most
    assert all(0 < share <= 1e-6 for share in window.dropped)
    assert window.n_seen == 200_000


def test_revert_undoes_the_last_event():
    window = rl.DecayedAUC(3)
    window.update_many([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    before = window.auc, window.ranking().pos.tolist(), window.n_seen
    window.update(0, 0.6)
    window.revert(0, 0.6)
    assert (window.auc, window.ranking().pos.tolist(), window.n_seen) == before
    window.revert(0, 0.1)
    assert window.n_seen == 4
    assert window.auc == pytest.approx(1 - 0.5 / (1 + 2 ** (2 / 3)), rel=1e-15)
    with pytest.raises(
        rl.InputError, match=r"No event with y_true=0, y_score=0\.1 is in the window"
    ):
        window.revert(0, 0.1)
    window.revert(0, 0.4)
    assert math.isnan(window.auc)


def test_reset_forgets():
    window = rl.DecayedAUC(3)
    window.update_many([0, 1], [0.1, 0.4])
    window.reset()
    assert (len(window), window.n_seen) == (0, 0)
    assert math.isnan(window.auc)
    window.update(1, 1)
    assert window.ranking().pos.tolist() == [1]


@pytest.mark.parametrize("half_life", [0, -1, math.nan, math.inf, "10", None, True])
def test_half_lives_that_are_refused(half_life):
    with pytest.raises(
        rl.InputError, match=r"half_life=.* a number between 0 and 1e\+15 .* a number of events"
    ):
        rl.DecayedAUC(half_life)


@pytest.mark.parametrize("tolerance", [0, 1, 1e-16, math.nan, "0"])
def test_tolerances_that_are_refused(tolerance):
    with pytest.raises(
        rl.InputError, match=r"tolerance=.* a number from 1e-15 to below 1 is needed"
    ):
        rl.DecayedAUC(10, tolerance=tolerance)
