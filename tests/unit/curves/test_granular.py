"""The granular ROC curve as an object, and what its options refuse."""

import json

import numpy as np
import pytest

import roclab as rl
from roclab.curves.score_scale import ScoreScale

Y = [0, 1, 0, 1]
S = [0.1, 0.4, 0.4, 0.8]


def test_fields():
    band = rl.granular_roc(Y, S, granularity=0.1)
    assert band.low.fpr.tolist() == [0, 0, 0.5, 0.5, 1]
    assert band.low.tpr.tolist() == [0, 0.5, 0.5, 1, 1]
    assert band.up.fpr.tolist() == [0, 0, 0, 0.5, 1]
    assert band.up.tpr.tolist() == [0, 0.5, 1, 1, 1]
    assert band.low.thresholds.tolist() == [np.inf, 0.8 - 0.1, 0.4, 0.4 - 0.1, 0.1]
    assert band.up.thresholds.tolist() == [np.inf, 0.8 + 0.1, 0.4 + 0.1, 0.4, 0.1]
    assert (band.granularity, band.definition) == (0.1, "clean")


def test_published_has_a_point_for_each_distinct_score():
    band = rl.granular_roc(Y, S, granularity=0.4, definition="published", decimals=1)
    assert band.up.thresholds.tolist() == [np.inf, 0.8, 0.4, 0.1, -np.inf]
    # At 0.4 the block is the tied pair alone (0.8 is not below 0.8): the ordinary point. At 0.1 it
    # is that pair and one more negative, all of the negatives: 0/0 counts as 0.
    assert band.up.fpr.tolist() == [0, 0, 0.5, 0, 1]
    assert band.up.tpr.tolist() == [0, 0.5, 1, 1, 1]
    assert band.low.fpr.tolist() == [0, 0, 0.5, 1, 1]
    assert band.low.tpr.tolist() == [0, 0.5, 1, 1, 1]


def test_repr_and_dict():
    band = rl.granular_roc(Y, S, definition="published")
    assert repr(band) == "GranularROC(5 points low, 5 up, granularity 0.02, published)"
    as_dict = band.to_dict()
    assert as_dict["low"] == band.low.to_dict()
    assert (as_dict["granularity"], as_dict["definition"]) == (0.02, "published")
    json.dumps(as_dict)


def test_a_ranking_will_do():
    ranking = rl.Ranking(Y, S)
    assert rl.granular_roc(ranking).to_dict() == rl.granular_roc(Y, S).to_dict()


@pytest.mark.parametrize("bad", [-0.1, -1, np.nan, np.inf, -np.inf, "0.02", None, True, 10**400])
def test_granularity_must_be_a_finite_number_not_below_zero(bad):
    for function in (rl.granular_roc, rl.granular_auc, rl.lambda_auc):
        with pytest.raises(rl.InputError, match="finite number of at least 0 is needed"):
            function(Y, S, granularity=bad)


@pytest.mark.parametrize("bad", ["Clean", "", None, 1])
def test_definition_must_be_known(bad):
    for function in (rl.granular_roc, rl.granular_auc, rl.lambda_auc, rl.rho_auc):
        with pytest.raises(rl.InputError, match=r"'clean'.*'published'"):
            function(Y, S, definition=bad)


def test_published_refuses_weights():
    for function in (rl.granular_roc, rl.granular_auc, rl.lambda_auc, rl.rho_auc):
        with pytest.raises(rl.InputError, match="no weighted form"):
            function(Y, S, sample_weight=[1, 1, 1, 1], definition="published")


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinite_scores_are_refused(bad):
    for definition in ("clean", "published"):
        for function in (rl.granular_roc, rl.granular_auc, rl.lambda_auc, rl.rho_auc):
            with pytest.raises(rl.InputError, match="finite scores"):
                function(Y, [0.1, 0.4, 0.4, bad], definition=definition)


@pytest.mark.parametrize("bad", [-1, 19, 1.5, "2", True])
def test_decimals_must_be_a_small_whole_number(bad):
    with pytest.raises(rl.InputError, match="from 0 to 18"):
        rl.granular_roc(Y, S, decimals=bad)


@pytest.mark.parametrize(
    ("scores", "granularity", "decimals", "message"),
    [
        ([0.1, 0.4, 0.45, 0.8], 0.1, 1, "y_score holds 0.45.*more than 1 decimals"),
        ([0.1, 0.4, 0.1 + 0.2, 0.8], 0.1, 1, "y_score holds 0.30000000000000004.*more than"),
        (S, 0.02, 1, "granularity holds 0.02.*more than 1 decimals"),
        (S, 1 / 3, 12, "granularity holds 0.333.*more than 12 decimals"),
        ([1e9, 2e9, 3e9, 4e9], 1, 9, "y_score holds 1000000000.*up to 2.25e"),
        ([1e300, 2e300, 3e300, 4e300], 1, 9, "up to 2.25e"),
        ([0, 1, 2, 2**60], 1, 1, "y_score holds 1152921504606846976.*up to 4.61e"),
        ([-(2**63), 1, 2, 3], 1, 0, "y_score holds 9223372036854775808.*up to 4.61e"),
        (np.array([1, 2, 3, 2**64 - 1], np.uint64), 1, 0, "18446744073709551615.*too large"),
        (np.array(S, np.float32) * np.float32(100_000), 0.1, 2, "up to 4.19e"),
        (S, 1e10, 6, "granularity holds 10000000000.*up to 2.25e"),
        (S, 2**61, 6, "granularity holds 2305843009213693952.*too large"),
        (S, 2**100, 6, "granularity holds .*too large"),
    ],
)
def test_numbers_that_are_no_such_decimals_are_refused(scores, granularity, decimals, message):
    for function in (rl.granular_roc, rl.granular_auc):
        with pytest.raises(rl.InputError, match=message):
            function(Y, scores, granularity=granularity, decimals=decimals)


def test_whole_numbers_beyond_doubles_are_exact_in_decimals():
    scores = np.array([2**60 + 1, 2**60 + 3])
    assert rl.granular_auc([0, 1], scores, granularity=1, decimals=0).low == 1.0
    assert rl.granular_auc([0, 1], scores, granularity=2, decimals=0).low == 0.5
    assert rl.granular_auc([0, 1], scores, granularity=3, decimals=0).low == 0.0
    assert rl.granular_auc([1, 0], scores, granularity=3, decimals=0).up == 1.0


@pytest.mark.parametrize("function", [rl.granular_auc, rl.granular_roc])
def test_whole_numbers_that_doubles_cannot_tell_apart_need_decimals(function):
    scores = [2**53, 2**53 + 1, 2**53 + 2]
    with pytest.raises(rl.InputError, match=r"beyond 2\*\*53.*decimals=0"):
        function([0, 1, 0], scores)
    assert rl.granular_auc([0, 1, 0], scores, granularity=1, decimals=0).auc == 0.5


@pytest.mark.parametrize("decimals", range(16))
def test_every_decimal_below_the_bound_is_read_as_written(decimals):
    rng = np.random.default_rng(decimals)
    steps = rng.integers(-(10**15), 10**15, 2000)
    steps[:2] = 2**51 - 1, -(2**51) + 1
    scores = np.array([float(f"{step}e-{decimals}") for step in steps])
    np.testing.assert_array_equal(ScoreScale(decimals)._steps(scores, "y_score"), steps)


def test_scores_whose_sums_overflow_are_compared_all_the_same():
    area = rl.granular_auc([0, 1, 0, 1], [-1.7e308, -1.7e308, 1.7e308, 1.7e308], granularity=1e308)
    assert (area.low, area.auc, area.up) == (0.25, 0.5, 0.75)
