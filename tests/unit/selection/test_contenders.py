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


@pytest.mark.parametrize("units", [7.5, 100])
def test_a_model_is_left_out_only_if_the_other_test_says_so_too(units):
    """The statistic is the smaller one of the two tests, and the p-value not below the other's."""
    rng = np.random.default_rng(0)
    values = np.array([0.8, 0.78, 0.7])
    replicates = values + 0.02 * rng.normal(size=(300, 3))
    alone = best_pvalues(values, replicates, units=units, span=1.0)
    leads = np.ones((3, 3))
    leads[0, 1], leads[0, 2], leads[1, 2] = 0.4, 0.03, 0.2
    found = best_pvalues(values, replicates, units=units, span=1.0, lead_pvalues=leads)
    drawn = replicates[:, :2] - replicates[:, [2]]
    largest = ((drawn - drawn.mean(axis=0)) / drawn.std(axis=0, ddof=1)).max(axis=1)
    statistic = norm.isf(t.sf(norm.isf(0.03) * np.sqrt((units - 1) / units), units - 1))
    expected = (1 + np.count_nonzero(largest >= statistic)) / 301
    assert (found[0], found[2]) == (1, pytest.approx(expected))
    assert found[1] >= 0.4
    assert (found >= alone).all()
    certain = best_pvalues(values, replicates, units=units, span=1.0, lead_pvalues=0 * leads)
    assert list(certain) == list(alone)


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
