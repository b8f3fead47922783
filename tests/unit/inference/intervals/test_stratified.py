"""The AUC within strata: what is left out, what is not defined, what is refused."""

import math

import numpy as np
import pytest

import roclab as rl

Y = [0, 1, 0, 1, 1, 1, 0, 1]
S = [0.1, 0.4, 0.8, 0.8, 0.9, 0.2, 0.7, 0.6]
STRATA = ["a", "a", "b", "b", "b", "c", "d", "d"]  # AUC 1, 3/4 and 0; c lacks negatives


def test_by_hand():
    found = rl.stratified_auc_interval(Y, S, stratum=STRATA)
    assert found.value == pytest.approx((1 * 1 + 2 * 0.75 + 1 * 0) / 4)
    deviations = np.array([1, 2, 1]) / 4 * (np.array([1, 0.75, 0]) - found.value)
    # Shares 1/4, 1/2, 1/4: q = 3/8, and sum s^2 (1 - 2 s + q) = 13/64.
    assert found.standard_error == pytest.approx(math.sqrt(24 / 13 * np.sum(deviations**2)))
    assert (found.n_strata, found.n_strata_left_out, found.n_rows_left_out) == (3, 1, 1)
    assert (found.n_pos, found.n_neg) == (4, 3)
    equal = rl.stratified_auc_interval(Y, S, stratum=STRATA, weighting="equal")
    assert equal.value == pytest.approx(1.75 / 3)
    assert equal.standard_error == pytest.approx(np.std([1, 0.75, 0], ddof=1) / math.sqrt(3))
    assert equal.to_dict()["weighting"] == "equal"
    assert equal.measure == "stratified_auc"


def test_ends_solve_wilsons_equation():
    options = {"stratum": STRATA, "weighting": "equal", "confidence_level": 0.8}
    found = rl.stratified_auc_interval(Y, S, **options)
    t = 1.885618083164127  # Student's quantile, 2 degrees of freedom, 0.9
    dispersion = found.standard_error**2 / (found.value * (1 - found.value))
    for end in (found.low, found.high):
        assert (found.value - end) ** 2 == pytest.approx(t**2 * dispersion * end * (1 - end))


def test_a_stratum_that_holds_nearly_all_pairs_says_nothing_of_others():
    truth = np.arange(406) % 2
    scores, stratum = np.arange(406) * 7 % 11, np.maximum(np.arange(406) - 400, 0)
    found = rl.stratified_auc_interval(truth, scores, stratum=stratum)
    assert found.n_strata == 1
    assert (found.low, found.high) == (0, 1)
    stratum = np.maximum(np.arange(406) - 398, 0) // 2
    found = rl.stratified_auc_interval(truth, scores, stratum=stratum)
    assert found.n_strata == 4
    assert found.high - found.low > 0.5


def test_one_sided():
    options = {"stratum": STRATA, "confidence_level": 0.9}
    both = rl.stratified_auc_interval(Y, S, stratum=STRATA, confidence_level=0.8)
    greater = rl.stratified_auc_interval(Y, S, **options, alternative="greater")
    less = rl.stratified_auc_interval(Y, S, **options, alternative="less")
    assert (greater.low, greater.high) == (pytest.approx(both.low), 1)
    assert (less.low, less.high) == (0, pytest.approx(both.high))


def test_within_needs_two_of_each_class():
    with pytest.warns(rl.UndefinedMeasureWarning, match="'between', which needs one"):
        found = rl.stratified_auc_interval(Y, S, stratum=STRATA, method="within")
    assert math.isnan(found.low + found.high)
    assert math.isnan(found.standard_error)
    assert found.value == pytest.approx(0.625)


def test_no_stratum_with_both_classes():
    with pytest.warns(rl.UndefinedMeasureWarning, match="None of the 8 strata has both classes"):
        found = rl.stratified_auc_interval(Y, S, stratum=range(8))
    assert math.isnan(found.value + found.low + found.high)
    assert (found.n_strata, found.n_pos, found.n_neg, found.n_rows_left_out) == (0, 0, 0, 8)
    with pytest.warns(rl.UndefinedMeasureWarning, match="None of 8 strata has both"):
        assert math.isnan(rl.stratified_auc(Y, S, stratum=range(8)))
    with pytest.warns(rl.UndefinedMeasureWarning, match="None of 0 strata has both"):
        assert math.isnan(rl.stratified_auc([], [], stratum=[]))


def test_one_stratum_says_nothing_of_others():
    found = rl.stratified_auc_interval(Y, S, stratum=["x"] * 8)
    assert found.value == pytest.approx(rl.auc(Y, S))
    assert (found.low, found.high) == (0, 1)
    assert math.isnan(found.standard_error)
    assert repr(found).endswith("5+ 3-, 1 stratum")


def test_perfect_strata_are_no_certainty():
    found = rl.stratified_auc_interval([0, 1] * 10, range(20), stratum=np.arange(20) // 2)
    assert (found.value, found.high, found.standard_error) == (1, 1, 0)
    assert 0.5 < found.low < 0.8


def test_large_strata_of_different_levels():
    """Pooled scores rank nothing where each stratum has a level of its own; within they do."""
    rng = np.random.default_rng(0)
    stratum = rng.integers(0, 50, 5000)
    y = rng.random(5000) < 0.3
    s = rng.normal(size=5000) + 1.5 * y + 20 * rng.normal(size=50)[stratum]
    assert rl.auc(y, s) < 0.6
    found = rl.stratified_auc_interval(y, s, stratum=stratum)
    assert found.low < 0.8556 < found.high  # Phi(1.5 / sqrt 2)
    inside = rl.stratified_auc_interval(y, s, stratum=stratum, method="within")
    assert inside.standard_error == pytest.approx(found.standard_error, rel=0.3)


def test_what_is_refused():
    with pytest.raises(rl.InputError, match="Choose 'pairs', 'rows', 'positives' or 'equal'"):
        rl.stratified_auc(Y, S, stratum=STRATA, weighting="users")
    with pytest.raises(rl.InputError, match="stratum has 2 values and there are 8 rows"):
        rl.stratified_auc(Y, S, stratum=["a", "b"])
    with pytest.raises(rl.InputError, match="stratum has no value in row 0"):
        rl.stratified_auc(Y, S, stratum=[None, *STRATA[1:]])
    with pytest.raises(rl.InputError, match="Choose 'between' or 'within'"):
        rl.stratified_auc_interval(Y, S, stratum=STRATA, method="bootstrap")
    table = rl.ScoreTable(Y, {"s": S}, groups={"q": STRATA, "c": range(8)})
    for other in ({"cluster": "c"}, {"measures": "gini"}, {"method": "delong"}):
        with pytest.raises(rl.InputError, match="stratum='q' cannot be combined with"):
            rl.evaluate(table, stratum="q", **other)


def test_table():
    table = rl.ScoreTable(Y, {"s": S, "t": S[::-1]}, groups={"q": STRATA, "half": [0, 1] * 4})
    found = rl.evaluate(table, stratum="q", weighting="equal")
    assert found.rows[0].interval == rl.stratified_auc_interval(
        Y, S, stratum=STRATA, weighting="equal"
    )
    assert found.to_dict()["stratum"] == "q"
    with pytest.warns(rl.UndefinedMeasureWarning, match="groups of `half`"):
        rl.evaluate(table, stratum="q", by="half")


def test_the_group_auc_of_advertising_weights_users_by_impressions_or_clicks():
    """Zhu et al. 2017: the mean of the users' AUCs, weighted by their impressions or clicks."""
    user = ["a"] * 2 + ["b"] * 4 + ["c"] * 2
    clicked, score = [1, 0, 1, 1, 1, 0, 1, 1], [0.9, 0.1, 0.2, 0.2, 0.9, 0.2, 0.3, 0.4]
    of_a, of_b = 1, (0.5 + 0.5 + 1) / 3  # c clicked on everything
    found = {
        weighting: rl.stratified_auc(clicked, score, stratum=user, weighting=weighting)
        for weighting in ("rows", "positives", "pairs", "equal")
    }
    assert found == pytest.approx(
        {
            "rows": (2 * of_a + 4 * of_b) / 6,
            "positives": (1 * of_a + 3 * of_b) / 4,
            "pairs": (1 * of_a + 3 * of_b) / 4,
            "equal": (of_a + of_b) / 2,
        }
    )
