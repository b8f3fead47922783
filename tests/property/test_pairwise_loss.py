"""The loss over pairs: what holds for all data."""

import numpy as np
import pytest
import reference_learning
from hypothesis import given
from hypothesis import strategies as st
from strategies import LARGE_SCORES, level_samples, weighted_samples

from roclab import auc
from roclab.learning import PairwiseObjective, pairwise_loss

FINITE = sorted(set(LARGE_SCORES) - {"with infinities"})
LOSSES = st.one_of(
    st.tuples(st.just("hinge"), st.sampled_from([0.25, 0.3, 1.0]), st.sampled_from([1, 2, 3])),
    st.tuples(st.just("logistic"), st.sampled_from([0.1, 1.0, 5.0]), st.just(2)),
)


@given(weighted_samples(level_samples(), kinds=("counts", "importance", "with zeros")), LOSSES)
def test_equals_going_through_all_pairs(sample, loss):
    truth, scores, weights = sample
    name, gamma, p = loss
    options = {"loss": name, "gamma": gamma, "p": p}
    value, gradient, hessian = reference_learning.pair_loss(
        truth, scores, weights=weights, **options
    )
    found = pairwise_loss(truth, scores, sample_weight=weights, hessian=True, **options)
    assert found.value == pytest.approx(float(value), rel=1e-12, abs=1e-300)
    scale = max(float(np.abs(gradient).max()), 1e-300)
    assert np.abs(found.gradient - gradient).max() <= 1e-12 * scale
    assert np.abs(found.hessian_bound - 2 * np.diag(hessian)).max() <= 1e-12 / gamma**2


@given(level_samples(), LOSSES)
def test_moving_all_scores_alike_costs_nothing(sample, loss):
    truth, scores = sample
    name, gamma, p = loss
    objective = PairwiseObjective(truth, loss=name, gamma=gamma, p=p)
    found = objective(scores)
    assert abs(found.gradient.sum()) <= 1e-13 * max(np.abs(found.gradient).sum(), 1e-300)
    assert np.all(found.gradient[truth] <= 0)
    assert np.all(found.gradient[~truth] >= 0)
    flat = objective.hessian_product(np.ones(len(scores)))
    assert np.abs(flat).max() <= 1e-12 / gamma**2


@given(level_samples())
def test_a_pair_ranked_wrong_costs_at_least_the_margin(sample):
    truth, scores = sample
    for p in (1, 2, 3):
        # Wrong pairs cost gamma**p at least, and ties gamma**p, which counts them whole.
        assert (
            pairwise_loss(truth, scores, gamma=0.5, p=p).value
            >= 0.5**p * (1 - auc(truth, scores)) - 1e-15
        )


@pytest.mark.parametrize("kind", FINITE)
def test_rows_in_any_order_give_the_same(kind):
    # However scores are spread, and whichever way of sorting that leads to.
    rng = np.random.default_rng(0)
    scores = np.asarray(LARGE_SCORES[kind](rng, 20_000), np.float64)
    scores = scores / max(np.abs(scores).max(), 1e-300)  # or their squares would overflow
    truth = rng.random(len(scores)) < 0.3
    order = rng.permutation(len(scores))
    objective = PairwiseObjective(truth[order], gamma=1e-3)
    objective(rng.normal(size=len(scores)))
    found, shuffled = pairwise_loss(truth, scores, gamma=1e-3), objective(scores[order])
    assert shuffled.value == found.value
    # Tied rows that have changed places stand elsewhere in the sums, so not to the last digit.
    assert shuffled.gradient == pytest.approx(found.gradient[order], rel=1e-11, abs=1e-24)
    d = scores[truth][::50, np.newaxis] - scores[~truth]
    slopes = -2 * np.maximum(1e-3 - d, 0).sum(axis=1) / (truth.sum() * (~truth).sum())
    assert found.gradient[truth][::50] == pytest.approx(slopes, rel=1e-9, abs=1e-24)
