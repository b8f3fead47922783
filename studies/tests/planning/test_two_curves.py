"""Power of two curves of a pilot: the formula of pROC, and recorded samples."""

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.planning import two_curves


def test_recorded_powers():
    """pROC 1.18.0 prints 0.7131594 for ndka and wfns."""
    rows = STUDIES["planned_curves"].recorded()
    found = {(row.first, row.second): row for row in rows}
    assert found["ndka", "wfns"].proc_first == pytest.approx(0.7131594, abs=1e-6)
    for row in rows:
        assert row.rejected / row.runs == pytest.approx(row.predicted, abs=0.03)


def test_the_formula_depends_on_the_order_of_variances():
    rng = np.random.default_rng(0)
    y = np.arange(100) < 40
    s = rng.normal(size=100) + y
    other = rl.ScoreTable(y, {"a": s, "b": rng.normal(size=100) + 2 * y})
    powers = [two_curves.power_of_proc(other, first) for first in (0, 1)]
    assert abs(powers[0] - powers[1]) > 0.05
    # Shares of the negatives below a positive, and of the positives above a negative, are the same.
    mirrored = rl.ScoreTable([0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [2, 1, 3, 1.5]})
    powers = [two_curves.power_of_proc(mirrored, first) for first in (0, 1)]
    assert powers[0] == pytest.approx(powers[1])
