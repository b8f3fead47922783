"""Selections by resampled rows and by the normal limit: both are made, and agree."""

from dataclasses import replace

import pytest

import roclab as rl
from roclab_studies.catalogue import STUDIES
from roclab_studies.selection import normal_limit


def test_both_ways_are_taken_and_agree():
    asked = replace(normal_limit.questions()[0], replicates=400)
    found = normal_limit.answer(asked)
    assert found == normal_limit.answer(asked)
    assert 0 < found.win_shares < 0.2
    assert 0.05 < found.bound < 0.2


@pytest.mark.parametrize("name", ["exponential weights", "clusters of 5", "5 rows differ"])
def test_samples(name):
    asked = next(one for one in normal_limit.questions() if one.population == name)
    table, options = normal_limit.sample(asked)
    assert (table["a"].n_pos, table["a"].n_neg) == (5000, 5000)
    assert (table.sample_weight is None) == (name != "exponential weights")
    assert ("cluster" in options) == (name == "clusters of 5")
    # Weights and clusters leave fewer than 5,000 independent examples, and 5 rows decide too much.
    assert rl.select_model(table, n_resamples=10, rng=0, **options).method == "bootstrap"


def test_recorded_selections_agree_up_to_the_bound():
    rows = [row for row in STUDIES["normal_limit"].recorded() if row.bound <= 0.5]
    assert len(rows) >= 24
    assert all(row.same for row in rows)
    assert max(row.win_shares for row in rows) < 0.02
