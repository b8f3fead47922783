"""Hedged capital: from its formulas, by hand, and over all streams of a length."""

import copy
from fractions import Fraction

import numpy as np
import pytest
import reference_sequences as slow
from hypothesis import given
from hypothesis import strategies as st

from roclab.streaming.sequences.empirical_bernstein import EmpiricalBernstein
from roclab.streaming.sequences.hedged_capital import HedgedCapital

values = st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]), max_size=40)


def after(many, error=0.05):
    found = HedgedCapital(error)
    for x in many:
        found.add(x)
    return found


@given(st.one_of(values, values.map(lambda many: 6 * many[:4])), st.sampled_from([0.01, 0.05, 0.5]))
def test_ends_are_the_outermost_rejected_means_of_the_grid(many, error):
    many = [*many]
    found = after(many, error)
    if found.empty:
        return
    low, high = (round(10_000 * end) for end in (found.low, found.high))
    assert low == 0 or slow.rejected(many, low / 10_000, error, 1)
    assert not slow.rejected(many, (low + 1) / 10_000, error, 1)
    assert high == 10_000 or slow.rejected(many, high / 10_000, error, -1)
    assert not slow.rejected(many, (high - 1) / 10_000, error, -1)


def test_ends_by_hand():
    """Stakes on ten values of 1 exceed 0.9 / m, so bets against m gain 0.1 + 0.9 / m each time."""
    grid = range(1, 10_001)

    def capital(k):
        return (Fraction(1, 10) + Fraction(9, 10) / Fraction(k, 10_000)) ** 10

    expected = max(k for k in grid if capital(k) >= 40)
    assert expected == 6685
    found = after([1.0] * 10)
    assert (found.low, found.high) == (0.6685, 1.0)
    mirrored = after([0.0] * 10)
    assert (mirrored.low, mirrored.high) == (0.0, 0.3315)


def test_no_value_leaves_all_means():
    found = HedgedCapital(0.05)
    assert (found.low, found.high, found.empty) == (0, 1, False)


@pytest.mark.parametrize("mean", [0.3, 0.5, 0.9])
def test_capital_against_the_true_mean_is_1_on_average(mean):
    total = {"above": 0.0, "below": 0.0}
    place = round(10_000 * mean)
    for won in np.ndindex(2, 2, 2, 2, 2, 2):
        probability = np.prod([mean if one else 1 - mean for one in won])
        found = after(map(float, won), error=1e-9)
        total["above"] += probability * found._above[place - found._first]
        total["below"] += probability * found._below[place - found._first]
    assert total == pytest.approx({"above": 1.0, "below": 1.0}, abs=1e-9)


@pytest.mark.parametrize("kind", [HedgedCapital, EmpiricalBernstein])
@pytest.mark.parametrize(("mean", "least"), [(0.5, 0.02), (0.85, 0.02)])
def test_the_probability_to_ever_miss_the_mean(kind, mean, least):
    """Exactly, over all 2**11 streams of values 0 and 1: at most the error, and not nothing."""
    error = 0.2

    def missed(sequence, probability, left):
        if sequence.empty or not sequence.low <= mean <= sequence.high:
            return probability
        if not left or probability < 1e-7:
            return 0.0
        total = 0.0
        for x, share in ((1.0, mean), (0.0, 1 - mean)):
            branch = copy.deepcopy(sequence)
            branch.add(x)
            total += missed(branch, probability * share, left - 1)
        return total

    found = missed(kind(error), 1.0, 11)
    assert found <= error
    assert found >= (least if kind is HedgedCapital else 0)


def test_a_mean_that_changes_leaves_nothing():
    found = after([0.9, 0.8] * 200 + [0.3, 0.2] * 400)
    assert found.empty
    found.add(0.5)
    assert found.empty
    kept = after([0.9, 0.8] * 600)
    assert not kept.empty
    assert kept.low < 0.85 < kept.high


def test_the_interval_never_grows():
    rng = np.random.default_rng(0)
    found = HedgedCapital(0.05)
    ends = []
    for x in rng.beta(4, 1, 300):
        found.add(float(x))
        ends.append((found.low, found.high))
    low, high = np.array(ends).T
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()
    assert low[-1] < 0.8 < high[-1]
    assert high[-1] - low[-1] < 0.12
