"""`auc_given_errors` against enumeration of every ranking and threshold, and what follows."""

from fractions import Fraction
from math import comb

import pytest
import reference_probability as twin
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.measures import fixed_error

SMALL = [(P, Q) for P in range(1, 5) for Q in range(1, 5)] + [(1, 7), (7, 1), (2, 6), (6, 2)]


@pytest.mark.parametrize(("n_pos", "n_neg"), SMALL)
def test_equals_enumeration(n_pos, n_neg):
    for n_errors in range(n_pos + n_neg + 1):
        _, mean, variance = twin.auc_given_errors(n_pos, n_neg, n_errors)
        assert twin.auc_given_errors_by_sums(n_pos, n_neg, n_errors) == (mean, variance)
        result = rl.auc_given_errors(n_pos, n_neg, n_errors)
        assert (result.mean, result.variance) == (float(mean), float(variance))
        doubles = fixed_error._in_doubles(n_pos, n_neg, n_errors)
        assert doubles == pytest.approx((float(mean), float(variance)), abs=1e-14)


# Errors few and many, weights with one mode, with two (errors as many as either class) and flat.
@pytest.mark.parametrize(
    ("n_pos", "n_neg", "n_errors"),
    [
        (1500, 1500, 1500),
        (1490, 1510, 1500),
        (1, 2000, 1000),
        (2000, 1, 1000),
        (2, 2998, 1500),
        (1500, 2500, 3500),
        (300, 2700, 2999),
        (9000, 1000, 4000),
        (20_000, 80_000, 1000),
        (300_000, 700_000, 600),
        (999_000, 1000, 400),
    ],
)
def test_large_samples_equal_sums_in_whole_numbers(n_pos, n_neg, n_errors):
    mean, variance = twin.auc_given_errors_by_sums(n_pos, n_neg, n_errors)
    result = rl.auc_given_errors(n_pos, n_neg, n_errors)
    assert result.mean == pytest.approx(float(mean), abs=1e-13)
    assert result.variance == pytest.approx(float(variance), rel=1e-12)


@pytest.mark.parametrize("n_errors", [0, 1, 1000, 250_000, 500_000, 750_000, 999_999, 1_000_000])
def test_a_million_examples_in_equal_classes(n_errors):
    result = rl.auc_given_errors(500_000, 500_000, n_errors)
    assert result.mean == pytest.approx(1 - n_errors / 1_000_000, abs=1e-13)
    assert 0 <= result.variance < 1e-6


COUNTS = st.tuples(st.integers(1, 3000), st.integers(1, 3000)).flatmap(
    lambda n: st.tuples(st.just(n[0]), st.just(n[1]), st.integers(0, n[0] + n[1]))
)


@given(COUNTS)
def test_symmetries_and_bounds(counts):
    n_pos, n_neg, n_errors = counts
    result = rl.auc_given_errors(n_pos, n_neg, n_errors)
    assert 0 <= result.mean <= 1
    assert 0 <= result.variance <= 0.25
    swapped = rl.auc_given_errors(n_neg, n_pos, n_errors)
    assert result.mean == pytest.approx(swapped.mean, abs=1e-13)
    assert result.variance == pytest.approx(swapped.variance, rel=1e-11, abs=1e-18)
    # Turning every ranking round turns errors into hits.
    reversed_ = rl.auc_given_errors(n_pos, n_neg, n_pos + n_neg - n_errors)
    assert result.mean == pytest.approx(1 - reversed_.mean, abs=1e-13)
    assert result.variance == pytest.approx(reversed_.variance, rel=1e-11, abs=1e-18)


@given(st.integers(1, 2000), st.integers(0, 4000))
def test_equal_classes_have_the_accuracy_as_mean(n, n_errors):
    n_errors = min(n_errors, 2 * n)
    mean = rl.auc_given_errors(n, n, n_errors).mean
    assert mean == pytest.approx(1 - n_errors / (2 * n), abs=1e-14)


def closed_form(P, Q, k):
    """The mean in closed form, as it is quoted for every k."""
    n = P + Q
    tail = Fraction(sum(comb(n, x) for x in range(k)), sum(comb(n + 1, x) for x in range(k + 1)))
    slope = Fraction((Q - P) ** 2 * (n + 1), 4 * P * Q)
    return 1 - Fraction(k, n) - slope * (Fraction(k, n) - tail)


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_the_closed_form_holds_only_up_to_the_smaller_class(n_pos, n_neg, data):
    few = data.draw(st.integers(0, min(n_pos, n_neg)))
    mean = rl.auc_given_errors(n_pos, n_neg, few).mean
    assert mean == float(closed_form(n_pos, n_neg, few))
    if n_pos != n_neg:
        many = data.draw(st.integers(min(n_pos, n_neg) + 1, n_pos + n_neg))
        mean, _ = twin.auc_given_errors_by_sums(n_pos, n_neg, many)
        assert mean != closed_form(n_pos, n_neg, many)
