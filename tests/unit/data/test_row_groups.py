"""Groups of rows, numbered in the order in which they first appear."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.data.row_groups import Membership

INTEGERS = st.sampled_from([(-3, 3), (-128, 127), (0, 2**62), (-(2**63), 2**63 - 1)])


@given(INTEGERS.flatmap(lambda ends: st.lists(st.integers(*ends), max_size=40)))
def test_integers_are_numbered_as_they_appear(values):
    numbers = {}
    expected = [numbers.setdefault(value, len(numbers)) for value in values]
    found = Membership.of(np.array(values, dtype=np.int64))
    assert (found.numbers.tolist(), found.count) == (expected, len(numbers))


@pytest.mark.parametrize(
    "values",
    [
        np.array([2**63 + 1, 2**63, 2**63 + 1, 2**63], dtype=np.uint64),
        np.array([-128, 127] * 200, dtype=np.int8),
        np.array([255, 0] * 200, dtype=np.uint8),
        np.array([True, False, True]),
    ],
)
def test_every_type(values):
    found = Membership.of(values)
    assert found.numbers.tolist() == ([0, 1] * len(values))[: len(values)]
    assert found.count == 2
