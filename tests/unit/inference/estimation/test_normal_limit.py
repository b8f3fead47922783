"""Replicates from the joint normal limit: their covariance, and when rows decide too much."""

import math

import numpy as np
import pytest

import roclab as rl
from roclab.inference.estimation.delong import joint_estimate
from roclab.inference.estimation.normal_limit import (
    difference_skewness,
    largest_share,
    normal_replicates,
)
from roclab.inference.estimation.resampling import Draws


def table(n=60, *, weights=None):
    rng = np.random.default_rng(4)
    y = np.arange(n) % 3 == 0
    base = rng.normal(size=n) + y
    scores = {"a": base, "b": (base + rng.normal(size=n)).round(), "c": -base, "d": base.copy()}
    return rl.ScoreTable(y, scores, sample_weight=weights)


@pytest.mark.parametrize("measure", ["auc", "scored_auc"])
@pytest.mark.parametrize("cluster", [None, np.arange(60) // 2])
def test_replicates_have_the_joint_covariance(measure, cluster):
    draws = Draws.of(100_000, 1, cluster=cluster)
    joint = joint_estimate(table(), measure=measure, clusters=draws.clusters)
    drawn = normal_replicates(joint, draws)
    errors = np.sqrt(np.diag(joint.covariance))
    assert drawn.mean(axis=0) == pytest.approx(joint.values, abs=0.02 * errors.max())
    found = np.cov(drawn.T) / np.outer(errors, errors)
    wanted = joint.covariance / np.outer(errors, errors)
    assert found == pytest.approx(wanted, abs=0.02)
    assert np.array_equal(drawn[:, 0], drawn[:, 3])


def test_differences_of_similar_models_keep_their_digits():
    rng = np.random.default_rng(0)
    y = np.arange(4000) % 2 == 0
    base = rng.normal(size=4000) + y
    near = base.copy()
    near[:8] = near[8:16]
    joint = joint_estimate(rl.ScoreTable(y, {"near": near, "base": base, "far": -base}))
    drawn = normal_replicates(joint, Draws.of(50_000, 2))
    spread = float(np.std(drawn[:, 0] - drawn[:, 1]))
    assert spread == pytest.approx(math.sqrt(joint.difference_variance[0, 1]), rel=0.02)
    assert spread < 0.1 * float(np.std(drawn[:, 0]))


def test_models_without_variance_do_not_move():
    y = [0, 1] * 5
    scores = {"perfect": y, "constant": [1] * 10}
    joint = joint_estimate(rl.ScoreTable(y, scores))
    assert np.array_equal(normal_replicates(joint, Draws.of(3, 0)), [[1.0, 0.5]] * 3)
    assert difference_skewness(joint, 0.1) == math.inf


def test_the_bound_of_the_skewness():
    joint = joint_estimate(table())
    draws = Draws.of(10, 0)
    share = largest_share(table()["a"], draws)
    assert share == 1 / 20
    smallest = math.sqrt(min(joint.difference_variance[i, j] for i, j in ((0, 1), (0, 2), (1, 2))))
    assert difference_skewness(joint, share) == pytest.approx(share / smallest, rel=1e-12)
    same = joint_estimate(rl.ScoreTable([0, 1, 0, 1], {"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]}))
    assert difference_skewness(same, 0.5) == 0.0


def test_the_largest_share_of_rows_and_clusters():
    weights = np.ones(60)
    weights[3] = 5.0  # a positive: 5 of 24
    weighted = table(weights=weights)["a"]
    assert largest_share(weighted, Draws.of(10, 0)) == pytest.approx(5 / 24, rel=1e-12)
    # Rows 3 and 4 of one cluster, a positive and a negative of 40.
    pairs = Draws.of(10, 0, cluster=(np.arange(60) + 1) // 2)
    assert largest_share(weighted, pairs) == pytest.approx(5 / 24 + 1 / 40, rel=1e-12)
    assert largest_share(table()["a"], pairs) == pytest.approx(1 / 20 + 1 / 40, rel=1e-12)
