"""p-values of being the best."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, t

from roclab.selection.contenders import best_pvalues


def twin(values, replicates, units):
    """The same in plain words, for leads that all vary."""
    clearly = np.sqrt(2 * np.log(max(np.log(max(2 * units, 3)), 1)))
    pvalues = []
    for i in range(len(values)):
        leads = [v - values[i] for j, v in enumerate(values) if j != i]
        if max(leads) <= 0:
            pvalues.append(1.0)
            continue
        drawn = np.array([[r[j] - r[i] for j in range(len(values)) if j != i] for r in replicates])
        errors = drawn.std(axis=0, ddof=1)
        ratios = leads / errors
        largest = [
            max(
                (one - drawn.mean(axis=0)[j]) / errors[j]
                + (ratios[j] if ratios[j] < -clearly else 0)
                for j, one in enumerate(row)
            )
            for row in drawn
        ]
        shrunk = max(ratios) * np.sqrt((units - 1) / units)
        as_rare = norm.isf(t.sf(shrunk, units - 1))
        pvalues.append((1 + sum(one >= as_rare for one in largest)) / (1 + len(largest)))
    return pvalues


@pytest.mark.parametrize("units", [2, 7.5, 100])
def test_it_is_what_the_words_say(units):
    rng = np.random.default_rng(0)
    values = np.array([0.8, 0.78, 0.7, 0.5, 0.79])
    replicates = values + 0.05 * rng.normal(size=(300, 5)) + 0.03 * rng.normal(size=(300, 1))
    found = best_pvalues(values, replicates, units=units, span=1.0)
    assert found == pytest.approx(twin(values, replicates, units), abs=1e-12)
    assert found[0] == 1.0


def test_a_lead_that_never_varies_is_judged_by_a_coin():
    values = np.array([0.5, 1.0])
    replicates = np.tile(values, (100, 1))
    for units in (2, 3, 10, 30):
        found = best_pvalues(values, replicates, units=units, span=1.0)
        statistic = 0.5 * np.sqrt(units) * np.sqrt((units - 1) / units)
        assert found == pytest.approx([t.sf(statistic, units - 1), 1.0])
    assert best_pvalues(values, replicates, units=30, span=np.inf)[0] == 0.5


def test_rounding_is_no_lead():
    values = np.array([0.7, 0.7 + 1e-16])
    assert list(best_pvalues(values, np.tile(values, (9, 1)), units=20, span=1.0)) == [1, 1]


def test_one_unit_or_one_replicate_tells_nothing():
    values = np.array([0.1, 0.9])
    replicates = values + np.random.default_rng(0).normal(size=(50, 2)) / 100
    assert list(best_pvalues(values, replicates, units=1, span=1.0)) == [1, 1]
    assert list(best_pvalues(values, replicates[:1], units=50, span=1.0)) == [1, 1]
