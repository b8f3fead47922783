"""Forms of the default interval: that of the library among them, and recorded coverage."""

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.coverage import pair_correlation
from roclab_studies.coverage.pair_correlation import DEFAULT, Cell, ends, estimates


def test_the_default_form_is_that_of_the_library():
    rng = np.random.default_rng(0)
    for n_pos, n_neg in ((10, 30), (20, 20), (40, 5)):
        pos, neg = rng.normal(1, 2, (5, n_pos)), rng.normal(0, 1, (5, n_neg))
        low, high = ends(Cell(0.7, n_pos, n_neg, *estimates(pos, neg)), 0.95, DEFAULT)
        y = np.repeat([1, 0], [n_pos, n_neg])
        for one in range(5):
            found = rl.auc_interval(y, np.concatenate([pos[one], neg[one]]))
            assert (found.low, found.high) == pytest.approx((low[one], high[one]))


def test_samples_do_not_depend_on_the_form():
    asked = [one for one in pair_correlation.questions(300) if one.populations == "new"]
    found = [pair_correlation.answer(replace(one, level=0.95)) for one in asked[:4]]
    assert [one.cells for one in found] == [448] * 4
    assert found[0].width == 1
    assert found[0].short > found[3].short


def test_wide_positives_that_no_form_had_seen():
    """If the interval has changed: python -m roclab_studies pair_correlation --again."""
    found = {
        row.form: (round(row.lowest, 3), row.short)
        for row in STUDIES["pair_correlation"].recorded()
        if (row.populations, row.level) == ("new", 0.95)
    }
    assert found[pair_correlation.BEFORE] == (0.847, 38)
    assert found[DEFAULT] == (0.893, 2)
