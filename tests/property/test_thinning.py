"""A thinned line: fewer points, and nothing of the whole is farther from it than 1/2,000."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roclab as rl
from roclab.report.thinning import COLUMNS, thinned

BOUND = 1 / 2000


def distances(points, line):
    """Distance of each point from a line, segment by segment."""
    a, step = line[:-1], np.diff(line, axis=0)
    length = np.maximum(np.sum(step**2, axis=1), 1e-300)
    found = []
    for point in points:
        share = np.clip(np.sum((point - a) * step, axis=1) / length, 0, 1)
        found.append(np.hypot(*(a + share[:, None] * step - point).T).min())
    return np.array(found)


def loss(x, y, at, points):
    """The largest distance of some points of a line from what is drawn of it."""
    line = np.column_stack((x, y))
    places = np.linspace(0, len(x) - 1, points).astype(int)
    return distances(line[places], line[at]).max()


def curve_of(seed, n, shift, decimals):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    truth[:2] = [False, True]
    return rl.roc_curve(truth, np.round(rng.normal(size=n) + shift * truth, decimals))


@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    shift=st.sampled_from([0.0, 0.5, 2.0, 8.0]),
    decimals=st.sampled_from([3, 12]),
)
def test_a_roc_curve_looks_the_same(seed, shift, decimals):
    curve = curve_of(seed, 20_000, shift, decimals)
    at = thinned(curve.fpr, curve.tpr)
    x, y = curve.fpr, curve.tpr
    assert len(at) <= min(len(curve.fpr), 4 * COLUMNS)
    assert (at[0], at[-1]) == (0, len(curve.fpr) - 1)
    assert loss(x, y, at, 500) <= BOUND
    area = np.sum(np.diff(x[at]) * (y[at][1:] + y[at][:-1])) / 2
    assert area == pytest.approx(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2, abs=BOUND)


def upper_hull(x, y):
    """The vertices of the upper hull, by the chain of Andrew."""
    kept = []
    for point in zip(x.tolist(), y.tolist(), strict=True):
        while len(kept) > 1:
            (ax, ay), (bx, by) = kept[-2:]
            if (bx - ax) * (point[1] - ay) < (by - ay) * (point[0] - ax):
                break
            kept.pop()
        kept.append(point)
    return np.array(kept)


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_hull_of_what_is_drawn_is_the_hull(seed):
    rng = np.random.default_rng(seed)
    truth = np.arange(20_000) % 3 == 0
    ranking = rl.Ranking(truth, rng.normal(size=20_000) + truth)
    curve, hull = rl.roc_curve(ranking), rl.roc_hull(ranking)
    at = thinned(curve.fpr, curve.tpr)
    drawn = upper_hull(curve.fpr[at], curve.tpr[at])
    assert distances(np.column_stack((hull.fpr, hull.tpr)), drawn).max() <= BOUND


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), backwards=st.booleans())
def test_a_line_that_goes_up_and_down(seed, backwards):
    rng = np.random.default_rng(seed)
    x, y = np.linspace(0, 1, 30_000), rng.random(30_000)
    x = x[::-1] if backwards else x
    at = thinned(x, y)
    assert len(at) <= 4 * COLUMNS
    assert loss(x, y, at, 300) <= BOUND
    assert {y.min(), y.max()} <= set(y[at])


@given(
    st.lists(st.tuples(st.floats(allow_nan=True), st.floats(allow_nan=True)), max_size=50),
    st.sampled_from([1, 60]),
)
def test_any_values_at_all(points, times):
    x, y = np.array(points * times, dtype=np.float64).reshape(-1, 2).T
    at = thinned(x, y)
    assert (np.diff(at) > 0).all()
    if len(x) <= COLUMNS:
        assert at.tolist() == list(range(len(x)))
    else:
        assert {0, len(x) - 1} <= set(at.tolist())
        assert set(np.flatnonzero(np.isnan(y))) <= set(at.tolist())
        assert np.nanmax(y[at], initial=-np.inf) == np.nanmax(y, initial=-np.inf)


def test_a_band_keeps_the_extremes_of_both_its_lines():
    x = np.linspace(0, 1, 5000)
    low, high = np.zeros(5000), np.ones(5000)
    low[1234], high[4321] = -1, 2
    assert {0, 1234, 4321, 4999} <= set(thinned(x, low, high).tolist())


def test_steps_stay_steps():
    x = np.repeat(np.linspace(0, 1, 11), 2)
    y = np.concatenate(([0.0], np.repeat(np.linspace(0.1, 1, 10), 2), [1.0]))
    dense_x = np.concatenate([np.linspace(a, b, 500) for a, b in pairwise(x)])
    dense_y = np.concatenate([np.linspace(a, b, 500) for a, b in pairwise(y)])
    at = thinned(dense_x, dense_y)
    kept = set(zip(dense_x[at], dense_y[at], strict=True))
    assert set(zip(x, y, strict=True)) <= kept
