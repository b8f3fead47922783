"""Gram: exact products of rows, whatever their size, their length and the number of threads."""

from fractions import Fraction

import numpy as np
import pytest

from roclab.numeric import gram as module
from roclab.numeric.gram import Gram, IntegerSums


def exact(rows):
    fractions = [[Fraction(float(number)) for number in row] for row in rows]
    return [
        [sum(a * b for a, b in zip(one, two, strict=True)) for two in fractions]
        for one in fractions
    ]


@pytest.mark.parametrize("bits", [1, 2, 21, 22, 23, 53, 60])
def test_products_of_whole_numbers_are_exact(bits):
    rng = np.random.default_rng(bits)
    rows = rng.integers(-(2**bits) + 1, 2**bits, size=(7, 40)).astype(np.float64)
    rows[0, 0], rows[1, 1], rows[2] = 2.0**bits - 1, -(2.0**bits) + 1, np.sign(rows[2])
    assert module._products(rows).tolist() == exact(rows)
    assert module._products(rows[:, 3:30]).tolist() == exact(rows[:, 3:30])


def test_sums_of_some_columns_add_up():
    rng = np.random.default_rng(2)
    rows = rng.integers(-(2**53), 2**53, size=(3, 50)).astype(np.float64)
    whole = IntegerSums.of(rows)
    assert whole.sums.tolist() == [sum(map(int, row)) for row in rows]
    added = IntegerSums.of_zeros(3, 0)
    for first, last in [(0, 1), (1, 1), (1, 30), (30, 50)]:
        added += IntegerSums.of(rows[:, first:last], threads=1)
    assert added.length == whole.length
    assert added.sums.tolist() == whole.sums.tolist()
    assert added.products.tolist() == whole.products.tolist()
    assert added.of_deviations().products.tolist() == Gram.of_deviations(rows).products.tolist()
    zeros = IntegerSums.of(np.zeros((3, 4)))
    assert IntegerSums.of_zeros(3, 4).products.tolist() == zeros.products.tolist()


def test_products_of_deviations_are_exact():
    rows = np.array([[1, 4, -2, 2**40], [0, 0, 7, 1]], np.float64)
    found = Gram.of_deviations(rows)
    means = [Fraction(int(row.sum()), 4) for row in rows]
    deviations = [
        [Fraction(float(number)) - mean for number in row]
        for row, mean in zip(rows, means, strict=True)
    ]
    expected = [
        [sum(a * b for a, b in zip(one, two, strict=True)) for two in deviations]
        for one in deviations
    ]
    assert [
        [Fraction(product, found.denominator) for product in line] for line in found.products
    ] == expected


@pytest.mark.parametrize("threads", ["1", "2", "5"])
@pytest.mark.parametrize("top", [2.0**22, 2.0**22 + 1, 2.0**53])
def test_the_largest_sums_are_exact(monkeypatch, threads, top):
    """Up to 2**22 doubles hold the sum of a block; beyond, numbers are multiplied as integers."""
    monkeypatch.setenv("ROCLAB_NUM_THREADS", threads)
    rows = np.full((2, 1 << 18), top)
    rows[1] = -top
    square = int(top) ** 2 << 18
    assert module._products(rows).tolist() == [[square, -square], [-square, square]]


@pytest.mark.parametrize("exponent", [-1074, -1000, -500, 0, 400, 970])
def test_numbers_of_any_size_keep_the_digits_of_their_products(exponent):
    rng = np.random.default_rng(0)
    rows = np.ldexp(np.rint(rng.normal(size=(3, 40)) * 2**30), exponent)
    found = Gram.of_numbers(rows.copy())
    expected = exact(rows)
    assert [
        [Fraction(product, found.denominator) for product in line] for line in found.products
    ] == expected


def test_one_unit_for_rows_of_very_different_size():
    rows = np.array([[3e200, 1e200], [2e-200, 5e-200]])
    found = Gram.of_numbers(rows.copy())
    assert found.products[0, 1] / found.denominator == pytest.approx(11.0, rel=1e-15, abs=0)
    assert found.products[1, 1] > 0
    with pytest.raises(OverflowError):
        found.values()


def test_rows_that_are_nearly_equal_keep_the_digits_of_their_distance():
    rng = np.random.default_rng(1)
    first = rng.normal(size=1000)
    second = first.copy()
    second[7] += 2.0**-40
    gap = second[7] - first[7]
    distances = Gram.of_numbers(np.array([first, second])).squared_distances()
    assert distances[0, 1] == distances[1, 0] == pytest.approx(gap**2, rel=1e-5, abs=0)
    assert distances[0, 0] == distances[1, 1] == 0


def test_rows_of_zeros():
    assert Gram.of_numbers(np.zeros((2, 3))).values().tolist() == [[0, 0], [0, 0]]
    assert Gram.of_deviations(np.zeros((2, 3))).values().tolist() == [[0, 0], [0, 0]]


def test_quotients_are_rounded_once():
    rows = np.array([[1.0, 0.0, 0.0]])
    assert Gram.of_deviations(rows).values()[0, 0] == 2 / 3
