"""Scored, margin, probabilistic and soft AUC: scales and refusals."""

import json

import numpy as np
import pytest

import roclab as rl

Y, S = [0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0]


def test_scores_on_another_scale():
    tenfold = [0, 5, 5, 10]
    assert rl.scored_auc(Y, S) == rl.scored_auc(Y, tenfold, normalize=True) == 0.5
    assert rl.scored_auc(Y, tenfold) == 5
    assert rl.margin_auc(Y, tenfold, margin=0.5) == 0.75
    assert rl.measures.scored_parts(Y, tenfold).mean_difference == 5


def test_parts_are_plain():
    parts = rl.measures.scored_parts(Y, S)
    assert json.loads(json.dumps(parts.to_dict())) == {
        "r_pos": 0.625,
        "r_neg": 0.125,
        "mean_pos": 0.75,
        "mean_neg": 0.25,
        "mean_difference": 0.5,
        "scored_auc": 0.5,
        "unit_interval": True,
    }


def test_nothing_is_normalized_in_silence():
    assert rl.scored_auc(Y, [0, 50, 50, 100]) == 50
    assert rl.scored_auc(Y, [0, 50, 50, 100], normalize=True) == 0.5
    assert rl.measures.scored_parts([1, 0], [5, 5], normalize=True).mean_pos == 0


@pytest.mark.parametrize(
    "measure",
    [
        rl.scored_auc,
        rl.measures.scored_parts,
        rl.soft_auc,
        lambda y, s: rl.margin_auc(y, s, margin=0.1),
        rl.probabilistic_auc,
    ],
)
@pytest.mark.parametrize("score", [np.inf, -np.inf])
def test_infinite_scores_are_refused(measure, score):
    with pytest.raises(rl.InputError):
        measure(Y, [0.0, 0.5, 0.5, score])


@pytest.mark.parametrize("scores", [[0.0, 0.5, 1.01, 0.2], [-0.01, 0.5, 0.7, 0.2]])
def test_probabilistic_auc_refuses_what_is_no_probability(scores):
    with pytest.raises(rl.InputError, match="probabilities"):
        rl.probabilistic_auc(Y, scores)


@pytest.mark.parametrize("slope", [0, -1, np.nan, np.inf, 1e-101, 1e101])
def test_soft_auc_refuses_slopes_that_are_none(slope):
    with pytest.raises(rl.InputError, match="slope="):
        rl.soft_auc(Y, S, slope=slope)


def test_soft_auc_refuses_a_slope_beyond_the_range():
    with pytest.raises(rl.InputError, match="smaller slope"):
        rl.soft_auc(Y, [0, 1e50, 1e50, 2e50], slope=1e60)


def test_margin_auc_needs_a_margin():
    with pytest.raises(TypeError, match="margin"):
        rl.margin_auc(Y, S)
    with pytest.raises(rl.InputError, match="margin=nan is not a number"):
        rl.margin_auc(Y, S, margin=np.nan)
