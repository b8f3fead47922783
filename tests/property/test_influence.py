"""Influence functions: parts of the ROC square add up, and the whole has DeLong's variance."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import samples, weighted_samples

import roclab as rl
from roclab.inference.estimation.delong import joint_estimate
from roclab.measures import find_measure

LEVELS = np.linspace(0.05, 0.95, 7)


def influence(word, ranking):
    entry, options = find_measure(word)
    return entry.influence(ranking, **options)


def centred(values, mass):
    return values - np.average(values, weights=mass)


@given(weighted_samples(), st.integers(1, 7), st.sampled_from(["fpr_range", "tpr_range"]))
def test_influences_on_two_parts_add_up_to_that_on_the_whole(sample, place, side):
    """Also if the parts meet at a rate of the curve, where each counts half."""
    truth, scores, weight = sample
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    assume(ranking.n_pos and ranking.n_neg)
    curve = rl.roc_curve(ranking)
    rates = curve.fpr if side == "fpr_range" else curve.tpr
    cut = float(rates[place % len(rates)])
    assume(0 < cut < 1)
    low, high = (influence(f"partial_auc({side}={ends})", ranking) for ends in ((0, cut), (cut, 1)))
    whole = influence("partial_auc(fpr_range=(0, 1))", ranking)
    for name, mass in (("of_pos", ranking.pos), ("of_neg", ranking.neg)):
        parts = centred(getattr(low, name) + getattr(high, name), mass)
        expected = centred(getattr(whole, name), mass)
        np.testing.assert_allclose(parts[mass > 0], expected[mass > 0], atol=1e-7)


@given(samples(min_size=6, finite=True), st.data())
def test_the_whole_range_has_delongs_variance(sample, data):
    truth, scores = sample
    assume(2 <= truth.sum() <= len(truth) - 2)
    other = np.array(data.draw(st.permutations(list(range(len(truth))))))
    delong = joint_estimate(rl.ScoreTable(truth, {"a": scores, "b": other}))
    variance = delong.difference_variance[0, 1]
    assume(variance > 1e-12)
    found = rl.compare_measure(truth, scores, other, measure="partial_auc(fpr_range=(0, 1))")
    assert found.standard_error**2 == pytest.approx(variance, rel=1e-6)
    assert found.difference == pytest.approx(delong.values[0] - delong.values[1], abs=1e-9)


@given(st.data(), st.integers(1, 12))
def test_any_sample_has_a_result_or_a_warning(data, size):
    truth = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    columns = [
        np.array(data.draw(st.lists(st.sampled_from(LEVELS), min_size=size, max_size=size)))
        for _ in range(2)
    ]
    for word in (
        "brier_score",
        "log_loss",
        "average_precision",
        "partial_auc(fpr_range=(0.2, 0.7))",
        "sensitivity(specificity=0.5)",
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = rl.compare_measure(truth, *columns, measure=word, n_resamples=6, rng=0)
        assert all(issubclass(one.category, rl.RoclabWarning) for one in caught)
        assert bool(caught) == math.isnan(found.pvalue)
        if not math.isnan(found.pvalue):
            assert found.low <= found.high
            assert (found.pvalue < 0.05) == (not found.low <= 0 <= found.high)
