"""Workloads are what their names say."""

import numpy as np
import pytest

from benchmarks.workloads import KINDS, Workload, at_most


@pytest.mark.parametrize("kind", KINDS)
def test_a_workload_is_what_its_name_says(kind):
    load = Workload(n=1000, kind=kind)
    y, s = load.draw()
    assert (y.sum(), len(s)) == (50, 1000)
    assert np.array_equal(s, load.draw()[1])
    assert load.name == f"1e3 {kind}, 5% positive"


def test_workloads_are_cut_to_size_and_not_repeated():
    loads = [Workload(n=10), Workload(n=100), Workload(n=1000)]
    assert at_most(100, loads) == [Workload(n=10), Workload(n=100)]
