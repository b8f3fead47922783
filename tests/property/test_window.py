"""A sliding window against the batch ranking of what is in it, after every single event."""

import math
import pickle
from collections import deque

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl

EVENTS = st.lists(
    st.tuples(st.booleans(), st.integers(-6, 6), st.integers(0, 9)), min_size=1, max_size=120
)


def agree(window, events, weights=None):
    """The window says of its content what a ranking of the events says."""
    labels = np.array([label for label, _ in events], bool)
    scores = np.array([score for _, score in events], float)
    ranking = rl.Ranking(labels, scores, sample_weight=weights)
    assert (window.n_pos, window.n_neg) == (ranking.n_pos, ranking.n_neg)
    summary = ranking.summary
    exact = weights is None
    for name, tolerance in (
        ("auc", 0 if exact else 1e-13),
        ("auc_variance", 1e-12 if exact else 1e-9),
        ("scored_auc", 1e-12),
        ("scored_auc_variance", 1e-10),
    ):
        found, expected = getattr(window, name), getattr(summary, name)
        assert found == pytest.approx(expected, rel=tolerance, abs=1e-14, nan_ok=True), name
    snapshot = window.ranking()
    np.testing.assert_array_equal(snapshot.scores, ranking.scores)
    np.testing.assert_allclose(snapshot.pos, ranking.pos, rtol=1e-12)
    np.testing.assert_allclose(snapshot.neg, ranking.neg, rtol=1e-12)
    return ranking


@given(EVENTS, st.integers(1, 40))
def test_every_event_without_weights(events, size):
    window, kept = rl.WindowAUC(size), deque(maxlen=size)
    for label, score, action in events:
        if action == 0 and kept:
            last = len(kept) - 1 - [*reversed(kept)].index(kept[score % len(kept)])
            window.revert(*kept[last])
            del kept[last]
        else:
            window.update(label, score / 4)
            kept.append((label, score / 4))
        assert len(window) == len(kept)
        ranking = agree(window, kept)
        if ranking.n_pos and ranking.n_neg:
            np.testing.assert_equal(window.interval().to_dict(), rl.auc_interval(ranking).to_dict())
            assert window.auc == float(reference.auc(*map(list, zip(*kept, strict=True))))


@given(EVENTS, st.integers(1, 40))
def test_every_event_with_weights(events, size):
    window, kept, weights = rl.WindowAUC(size), deque(maxlen=size), deque(maxlen=size)
    for label, score, weight in events:
        window.update(label, score, sample_weight=weight / 2)
        if weight:
            kept.append((label, score))
            weights.append(weight / 2)
        if kept:
            plain = set(weights) == {1.0} and not window.weighted
            agree(window, kept, None if plain else np.array(weights))


STREAMS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy ties": lambda rng, n: rng.integers(0, 5, n) / 4,
    "ascending": lambda _, n: np.arange(n) / 7,
    "descending": lambda _, n: -np.arange(n) / 7,
    "saw tooth": lambda _, n: np.arange(n) % 97 / 10,
    "two magnitudes": lambda rng, n: rng.random(n) * np.where(rng.random(n) < 0.5, 1e-6, 1e6),
    "constant, then spread": lambda rng, n: np.where(np.arange(n) < n // 2, 1.0, rng.random(n)),
}
LABELS = {
    "even": lambda rng, n: rng.random(n) < 0.5,
    "rare": lambda rng, n: rng.random(n) < 0.02,
    "bursts": lambda rng, n: (np.arange(n) // 400 + (rng.random(n) < 0.05)) % 2 == 0,
}


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("label", LABELS)
def test_long_streams(stream, label):
    """Windows of many leaves, checked every 97 events and while they are drained."""
    rng = np.random.default_rng(5)
    n, size = 6000, 1500
    scores, labels = STREAMS[stream](rng, n), LABELS[label](rng, n)
    window = rl.WindowAUC(size)
    aucs = window.update_many(labels, scores, return_auc=True)
    again = rl.WindowAUC(size)
    for i in range(n):
        again.update(labels[i], scores[i])
        np.testing.assert_equal(again.auc, aucs[i])
        if i % 97 == 0:
            first = max(0, i + 1 - size)
            part = slice(first, i + 1)
            expected = rl.Ranking(labels[part], scores[part]).summary
            np.testing.assert_equal(again.auc, expected.auc)
            np.testing.assert_equal(again.auc_variance, expected.auc_variance)
            assert again.scored_auc == pytest.approx(expected.scored_auc, rel=1e-10, nan_ok=True)
    order = rng.permutation(np.arange(n - size, n))
    for step, i in enumerate(order):
        window.revert(labels[i], scores[i])
        if step % 97 == 0:
            left = order[step + 1 :]
            expected = rl.Ranking(labels[left], scores[left]).summary
            np.testing.assert_equal(window.auc, expected.auc)
            np.testing.assert_equal(window.auc_variance, expected.auc_variance)
    assert len(window) == 0
    assert math.isnan(window.auc)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_restored_window_goes_on_with_the_same_values(weighted):
    rng = np.random.default_rng(1)
    n = 4000
    labels, scores = rng.random(n) < 0.3, rng.normal(size=n).round(2)
    weights = rng.gamma(2, size=n) if weighted else np.ones(n)
    window = rl.WindowAUC(900)
    window.update_many(labels[:2500], scores[:2500], sample_weight=weights[:2500])
    copies = [rl.WindowAUC.from_bytes(window.to_bytes()), pickle.loads(pickle.dumps(window))]
    for i in range(2500, n):
        for each in (window, *copies):
            each.update(labels[i], scores[i], sample_weight=weights[i])
        if i % 50 == 0:
            for each in copies:
                for name in ("auc", "auc_variance", "scored_auc", "scored_auc_variance", "n_pos"):
                    assert getattr(each, name) == getattr(window, name)
    assert copies[0].to_bytes() == window.to_bytes()


@given(EVENTS)
def test_points_and_order(events):
    window = rl.WindowAUC(50)
    for label, score, _ in events:
        window.update(label, score)
    kept = events[-50:]
    scores = sorted(score for _, score, _ in kept)
    assert [window.kth_score(k) for k in range(len(kept))] == scores
    assert window.kth_score(-1) == scores[-1]
    for threshold in (-7, 0, 0.5, 3, 99):
        point = window.point_at(threshold)
        assert point.tp == sum(label and score >= threshold for label, score, _ in kept)
        assert point.fp == sum(not label and score >= threshold for label, score, _ in kept)
        assert point.tp + point.fn == window.n_pos
        assert point.fp + point.tn == window.n_neg


@pytest.mark.parametrize("fall", [1e3, 1e6, 1e9])
def test_heavy_events_that_left_do_not_outweigh_light_ones(fall):
    """At scores that many events share, weights that fell by orders of magnitude."""
    rng = np.random.default_rng(3)
    n, size = 20_000, 300
    labels = rng.random(n) < 0.4
    scores = (rng.normal(size=n) + labels).round(1)
    weights = rng.uniform(0.5, 1.5, n) * np.where(np.arange(n) < n - size, fall, 1)
    window = rl.WindowAUC(size)
    window.update_many(labels, scores, sample_weight=weights)
    last = rl.Ranking(labels[-size:], scores[-size:], sample_weight=weights[-size:]).summary
    for name in ("auc", "auc_variance", "scored_auc", "scored_auc_variance"):
        assert getattr(window, name) == pytest.approx(getattr(last, name), rel=1e-12, abs=0), name


@given(EVENTS, st.integers(1, 40), st.sets(st.integers(0, 70)))
def test_the_variance_is_exact_whenever_it_is_asked_for(events, size, asked):
    """A window keeps the moments of the variance only from the first time that they are needed."""
    window = rl.WindowAUC(size)
    events = [(label, score) for label, score, _ in events]
    for step, (label, score) in enumerate(events):
        window.update(label, score)
        if step in asked:
            inside = events[max(0, step + 1 - size) : step + 1]
            batch = rl.Ranking(
                [label for label, _ in inside], [score for _, score in inside]
            ).summary
            np.testing.assert_equal(window.auc, batch.auc)
            np.testing.assert_equal(window.auc_variance, batch.auc_variance)
            np.testing.assert_equal(window.summary.auc_variance, batch.auc_variance)
