"""Time windows, decay and whole streams against brute force on the same times and weights."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl

EVENTS = st.lists(
    st.tuples(st.booleans(), st.integers(-4, 4), st.integers(0, 3), st.integers(-9, 9)),
    min_size=1,
    max_size=70,
)
NAMES = ("auc", "auc_variance", "scored_auc", "scored_auc_variance")


def agree(window, rows, weights=None, rel=1e-10):
    """The window says of (label, score) rows what all pairs say."""
    labels, scores = [label for label, _ in rows], [score for _, score in rows]
    assert (window.n_pos, window.n_neg) == (sum(labels), len(labels) - sum(labels))
    for name in NAMES:
        expected = float(getattr(reference, name)(labels, scores, weights))
        found = getattr(window, name)
        assert found == pytest.approx(expected, rel=rel, abs=1e-13, nan_ok=True), name


@given(EVENTS, st.integers(1, 20), st.data())
def test_time_window_at_every_event(events, duration, data):
    lateness = data.draw(st.integers(0, duration))
    window = rl.TimeWindowAUC(duration, lateness=lateness)
    arrived, now, late = [], None, 0
    for step, (label, score, _, jump) in enumerate(events):
        time = step + jump
        window.update(label, score / 2, time=time)
        if now is not None and (now - time > lateness or now - time >= duration):
            late += 1
        else:
            arrived.append((time, (label, Fraction(score, 2))))
        now = time if now is None else max(now, time)
        assert (window.now, window.n_late) == (now, late)
        agree(window, [row for time, row in arrived if now - time < duration])


@given(EVENTS, st.integers(1, 30), st.randoms(use_true_random=False))
def test_time_window_is_the_same_in_any_order_of_arrival(events, duration, random):
    """As long as none is too late, which here none can be."""
    rows = [(label, score, time) for time, (label, score, _, _) in enumerate(events)]
    rows = rows[-duration:]
    windows = []
    for order in (rows, random.sample(rows, len(rows))):
        window = rl.TimeWindowAUC(duration, lateness=duration)
        for label, score, time in order:
            window.update(label, score, time=time)
        window.advance_to(rows[-1][2])
        windows.append(window)
    for name in ("n_pos", "n_neg", "auc", "auc_variance", "n_late", "now"):
        np.testing.assert_equal(getattr(windows[0], name), getattr(windows[1], name))
    assert windows[0].n_late == 0


@given(EVENTS, st.sampled_from([0.5, 1, 3, 10, 1000]))
def test_decay_at_every_event(events, half_life):
    window = rl.DecayedAUC(half_life, tolerance=1e-15)
    rows, arrivals = [], []
    for label, score, weight, _ in events:
        window.update(label, score / 2, sample_weight=weight / 2)
        if weight:
            rows.append((label, Fraction(score, 2)))
            arrivals.append(weight / 2)
        ages = np.arange(len(rows))[::-1]
        weights = np.array(arrivals) * 2.0 ** (-ages / half_life)
        kept = {
            of: [i for i, row in enumerate(rows) if row[0] == of][-count or len(rows) :]
            for of, count in ((True, window.n_pos), (False, window.n_neg))
        }
        inside = sorted(kept[True] + kept[False])
        for of, share in zip((True, False), window.dropped, strict=True):
            all_of = sum(w for w, row in zip(weights, rows, strict=True) if row[0] == of)
            gone = all_of - sum(weights[i] for i in kept[of])
            assert share <= 1e-15
            assert gone <= 2e-15 * all_of
        if inside:
            agree(window, [rows[i] for i in inside], [Fraction(weights[i]) for i in inside], 1e-8)


@given(EVENTS, st.integers(0, 70))
def test_cumulative_parts_merge(events, cut):
    whole, low, high = rl.CumulativeAUC(), rl.CumulativeAUC(), rl.CumulativeAUC()
    for i, (label, score, _, _) in enumerate(events):
        whole.update(label, score)
        (low if i < cut else high).update(label, score)
        if i % 10 == 0:
            agree(whole, [(label, Fraction(score)) for label, score, _, _ in events[: i + 1]])
    low.merge(high)
    for name in ("n_pos", "n_neg", "auc", "auc_variance"):
        np.testing.assert_equal(getattr(low, name), getattr(whole, name))


WINDOWS = {
    "time": lambda: rl.TimeWindowAUC(300, lateness=20),
    "decay": lambda: rl.DecayedAUC(150.5, tolerance=1e-4),
    "all": rl.CumulativeAUC,
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", WINDOWS)
def test_a_restored_window_goes_on_with_the_same_values(kind, weighted):
    rng = np.random.default_rng(1)
    n = 3000
    labels, scores = rng.random(n) < 0.3, rng.normal(size=n).round(2)
    weights = rng.gamma(2, size=n) if weighted else np.ones(n)
    times = np.arange(n) - rng.integers(0, 25, n)
    window = WINDOWS[kind]()

    def feed(each, i):
        more = {"time": times[i]} if kind == "time" else {}
        each.update(labels[i], scores[i], sample_weight=weights[i], **more)

    for i in range(2000):
        feed(window, i)
    copies = [type(window).from_bytes(window.to_bytes()), pickle.loads(pickle.dumps(window))]
    for i in range(2000, n):
        for each in (window, *copies):
            feed(each, i)
        if i % 50 == 0:
            for each in copies:
                for name in (*NAMES, "n_pos", "n_neg"):
                    assert getattr(each, name) == getattr(window, name)
    assert copies[0].to_bytes() == window.to_bytes()
    damaged = bytearray(window.to_bytes())
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(rl.SerializationError, match="damaged"):
        type(window).from_bytes(bytes(damaged))
