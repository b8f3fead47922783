"""Intervals near the upper bound: true values, and recorded coverage."""

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.coverage import near_bound
from roclab_studies.populations import labels_of


@pytest.mark.parametrize("asked", near_bound.questions(), ids=str)
def test_the_true_value_is_that_of_a_large_sample(asked, monkeypatch):
    monkeypatch.setattr(near_bound, "TRUTH_ROWS", 200_000)
    rng = np.random.default_rng(3)
    many = 400_000
    n_pos = many * asked.n_pos // (asked.n_pos + asked.n_neg)
    scores = near_bound.draw(asked, rng, n_pos, many - n_pos)
    entry, options = near_bound.find_measure(asked.measure)
    value = entry.value_of(rl.Ranking(labels_of(n_pos, many - n_pos), scores), **options)
    assert near_bound.true_value(asked) == pytest.approx(value, abs=0.02)


def test_counts_are_those_of_all_samples():
    found = near_bound.answer(replace(near_bound.questions()[3], runs=3))
    assert (found.covered, found.warned) == (3, 0)
    assert 0.3 < found.median_width < 1


def test_recorded_intervals_cover_or_warn():
    rows = STUDIES["near_bound"].recorded()
    assert all(row.covered / row.runs >= 0.93 or row.warned == row.runs for row in rows)
    assert all(row.covered / row.runs >= 0.88 for row in rows)
