"""Rankings: the part whose scores lie in an interval, and threads."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import samples, weighted_samples

import roclab as rl
from roclab import _core

BOUNDS = st.floats(allow_nan=False)


def expected(y, s, low, high, w=None):
    values = s.astype(np.float64)  # a Python float would be rounded to a narrower type
    inside = (values >= low) & ((values < high) | (high == np.inf))
    weight = None if w is None else w[inside]
    return rl.Ranking(y[inside], s[inside], sample_weight=weight)


@given(samples(), BOUNDS, BOUNDS)
def test_equals_the_ranking_of_the_rows(sample, low, high):
    y, s = sample
    if s.dtype.kind in "iu" and s.dtype.itemsize == 8:
        s = s.astype(np.float64)  # an integer and a bound may be one double
    found, same = rl.Ranking(y, s).between(low, high), expected(y, s, low, high)
    for name in ("scores", "pos", "neg"):
        assert getattr(found, name).tolist() == getattr(same, name).tolist()
    assert (found.n_pos, found.n_neg) == (same.n_pos, same.n_neg)
    assert not found.has_rows


def test_limits_of_weighted_scores_are_not_rounded():
    ranking = rl.Ranking([0, 1], np.zeros(2, np.float32), sample_weight=[1, 1])
    assert (ranking.between(0.0, 1e-150).n_pos, ranking.between(0.0, 1e-150).n_neg) == (1, 1)


@given(weighted_samples(samples(dtypes=["f8", "f4", "i4"])), BOUNDS, BOUNDS)
def test_equals_the_ranking_of_the_weighted_rows(sample, low, high):
    y, s, w = sample
    found = rl.Ranking(y, s, sample_weight=w).between(low, high)
    same = expected(y, s, low, high, w)
    assert found.scores.tolist() == same.scores.tolist()
    for name in ("pos", "neg", "pos_squared", "neg_squared"):
        np.testing.assert_allclose(getattr(found, name), getattr(same, name), rtol=1e-12)
    assert (found.n_pos, found.n_neg) == (same.n_pos, same.n_neg)


def test_infinite_scores_are_below_an_infinite_bound():
    ranking = rl.Ranking([0, 1, 1], [-np.inf, 1.0, np.inf])
    assert ranking.between(1.0, np.inf).scores.tolist() == [1.0, np.inf]
    assert ranking.between(-np.inf, 1.0).scores.tolist() == [-np.inf]


def test_weights_need_rows():
    ranking = rl.Ranking([0, 1], [1.0, 2.0], sample_weight=[1, 2])
    with pytest.raises(rl.InputError, match="no rows"):
        ranking.between(0, 3).between(0, 3)


def test_threads_sort_their_rankings_at_the_same_time(monkeypatch):
    both = threading.Barrier(2, timeout=60)
    group = _core.group_scores

    def waiting(*arguments):
        both.wait()  # for the other thread, which must not wait for this one
        return group(*arguments)

    monkeypatch.setattr(_core, "group_scores", waiting)
    rankings = [rl.Ranking([0, 1], [0.1, shift]) for shift in (0.2, 0.3)]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda one: one.scores.tolist(), rankings))
    assert found == [[0.1, 0.2], [0.1, 0.3]]
