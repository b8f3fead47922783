"""Values with their intervals on one line."""

import math

import numpy as np
import pytest

import roclab as rl
from roclab.formatting import with_interval


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((0.7314, 0.62, 0.83), "0.731 [0.62, 0.83]"),
        ((0.76123, 0.7601, 0.7623), "0.7612 [0.760, 0.762]"),
        ((0.7612345, 0.76121, 0.76126), "0.761235 [0.76121, 0.76126]"),
        ((1, 1, 1), "1.000 [1.00, 1.00]"),
        ((12.5, 3.25, 40), "12.500 [3.25, 40.00]"),
        ((math.nan, math.nan, math.nan), "nan [nan, nan]"),
        ((0.5, -math.inf, math.inf), "0.500 [-inf, inf]"),
    ],
)
def test_decimals_fit_the_width(numbers, text):
    assert with_interval(*numbers) == text


def test_many_examples_show_an_interval():
    y = np.arange(200_000) % 2 == 0
    s = np.random.default_rng(0).normal(size=len(y)) + y
    found = rl.auc_interval(y, s)
    low, high = repr(found).split("[")[1].split("]")[0].split(", ")
    assert low != high
    assert float(low) <= found.value <= float(high)
