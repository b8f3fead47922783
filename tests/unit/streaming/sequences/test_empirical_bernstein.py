"""The empirical-Bernstein sequence: from its formulas, and under drift."""

import math

import numpy as np
import pytest
import reference_sequences as slow
from hypothesis import given
from hypothesis import strategies as st

from roclab.numeric.mixture_boundary import log_gamma_exponential
from roclab.streaming.sequences.empirical_bernstein import EmpiricalBernstein

values = st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]), min_size=1, max_size=40)


def after(many, error=0.05):
    found = EmpiricalBernstein(error)
    for x in many:
        found.add(x)
    return found


@given(values, st.sampled_from([0.01, 0.05, 0.5]))
def test_ends_are_where_the_mixture_reaches_its_limit(many, error):
    found = after(many, error)
    squares = slow.squared_errors(many)
    limit = math.log(2 / error)
    rho = 5 / (2 * limit + math.log(1 + 2 * limit))
    for end, sign in ((found.low, 1), (found.high, -1)):
        deviation = sign * (sum(many) - len(many) * end)
        value = log_gamma_exponential(deviation, squares, rho)[0]
        if end in (0.0, 1.0):
            assert value <= limit + 1e-9
        else:
            assert value == pytest.approx(limit, rel=1e-9)


@pytest.mark.parametrize("mean", [0.3, 0.9])
def test_the_mixture_at_the_true_mean_is_at_most_1_on_average(mean):
    for sign in (1, -1):
        total = 0.0
        for won in np.ndindex(*[2] * 7):
            probability = np.prod([mean if one else 1 - mean for one in won])
            deviation = sign * (sum(won) - 7 * mean)
            squares = slow.squared_errors([float(x) for x in won])
            total += probability * slow.mixture(deviation, squares, 0.56)
        assert 0.3 < total <= 1 + 1e-9


def test_no_value_leaves_all_means():
    found = EmpiricalBernstein(0.05)
    assert (found.low, found.high, found.empty) == (0, 1, False)


def test_it_follows_a_mean_that_drifts():
    found = after([0.9, 0.8] * 500 + [0.3, 0.2] * 500)
    assert found.low < 0.55 < found.high
    assert found.high - found.low < 0.2
    assert not found.empty
