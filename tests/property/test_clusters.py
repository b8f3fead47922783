"""Clusters and strata: against twins that look at every pair, and what must hold of all."""

import math
import warnings

import numpy as np
import pytest
import reference_clusters as reference
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import t

import roclab as rl
from roclab.data.row_groups import Membership
from roclab.inference.estimation.delong import joint_estimate


@st.composite
def clustered(draw, least=4, most=24):
    """Labels, two columns on a coarse grid, weights or None (zeros too), and a name a row."""
    size = draw(st.integers(least, most))
    truth = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    grid = st.lists(st.integers(0, 5), min_size=size, max_size=size)
    first, second = (np.array(draw(grid)) / 4 for _ in range(2))
    weight = draw(
        st.none()
        | st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 3.0]), min_size=size, max_size=size).map(
            np.array
        )
    )
    names = draw(
        st.integers(1, 8).flatmap(
            lambda k: st.lists(st.integers(1, k), min_size=size, max_size=size)
        )
    )
    return truth, first, second, weight, names


def kept(names, weight):
    return [name for row, name in enumerate(names) if weight is None or weight[row] > 0]


def has_variance(truth, weight, names):
    """Two clusters with positives, and two with negatives."""
    rows = [row for row in range(len(names)) if weight is None or weight[row] > 0]
    return all(len({names[row] for row in rows if truth[row] == side}) > 1 for side in (0, 1))


@given(clustered(), st.sampled_from(["auc", "scored_auc"]))
def test_variance_is_obuchowskis(data, measure):
    truth, first, second, weight, names = data
    assume(has_variance(truth, weight, names))
    joint = joint_estimate(
        rl.ScoreTable(truth, {"a": first, "b": second}, sample_weight=weight),
        measure=measure,
        clusters=Membership.of(names),
    )
    columns = (first, second)
    for a, b in ((0, 0), (0, 1), (1, 1)):
        twin = float(reference.covariance(truth, columns[a], columns[b], names, weight, measure))
        assert joint.covariance[a, b] == pytest.approx(twin, rel=1e-12, abs=1e-15)
    twin = float(reference.difference_variance(truth, first, second, names, weight, measure))
    assert joint.difference_variance[0, 1] == pytest.approx(twin, rel=1e-12, abs=1e-15)


@given(clustered())
def test_clusters_of_one_row_are_delongs(data):
    truth, first, second, weight, names = data
    columns = {"a": first, "b": second}
    own = Membership.of(range(len(names)))
    plain = joint_estimate(rl.ScoreTable(truth, columns, sample_weight=weight))
    single = joint_estimate(rl.ScoreTable(truth, columns, sample_weight=weight), clusters=own)
    np.testing.assert_allclose(single.covariance, plain.covariance, rtol=1e-12, atol=1e-18)
    np.testing.assert_allclose(
        single.difference_variance, plain.difference_variance, rtol=1e-12, atol=1e-18
    )
    assert single.identical == plain.identical
    with np.errstate(invalid="ignore"):
        assert not (np.abs(single.design_effect - 1) > 1e-9).any()


@given(clustered())
def test_interval_comparison_and_table_have_the_same_variance(data):
    truth, first, second, weight, names = data
    assume(has_variance(truth, weight, names))
    twin = float(reference.covariance(truth, first, first, names, weight))
    options = {"sample_weight": weight, "cluster": names}
    table = rl.ScoreTable(
        truth, {"a": first, "b": second}, sample_weight=weight, groups={"c": names}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranked = rl.auc_interval(
            rl.Ranking(truth, first, sample_weight=weight), cluster=names, method="delong"
        )
        found = [
            rl.auc_interval(truth, first, method="delong", **options).standard_error,
            rl.auc_interval(truth, first, **options).standard_error,
            ranked.standard_error,
            rl.evaluate(table, cluster="c").rows[0].interval.standard_error,
            rl.compare(table, cluster="c").models[0].interval.standard_error,
        ]
        pair = rl.compare_auc(truth, first, second, **options)
        same = rl.compare(table, cluster="c").pairs[0]
        whole = rl.auc_interval(truth, first, **options)
        of_table = rl.compare(table, cluster="c").models[0].interval
    assert found == pytest.approx([math.sqrt(twin)] * 5, rel=1e-9, abs=1e-9)
    assert (same.low, same.high, same.pvalue) == pytest.approx((pair.low, pair.high, pair.pvalue))
    assert pair.df is None or pair.df == pytest.approx(
        reference.degrees_of_freedom(truth, names, weight), abs=1e-6
    )
    assert (of_table.low, of_table.high) == pytest.approx((whole.low, whole.high))
    assert 0 <= whole.low <= whole.value <= whole.high <= 1


@given(clustered(least=2), st.sampled_from(["pairs", "rows", "positives", "equal"]))
def test_stratified_auc_is_that_over_pairs_of_a_stratum(data, weighting):
    truth, scores, _, weight, names = data
    value, between, df, within = reference.stratified_auc(truth, scores, names, weight, weighting)
    _, left_out = reference.strata(truth, scores, names, weight)
    options = {"stratum": names, "weighting": weighting, "sample_weight": weight}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = rl.stratified_auc_interval(truth, scores, **options)
        inside = rl.stratified_auc_interval(truth, scores, **options, method="within")
        plain = rl.stratified_auc(truth, scores, **options)
    assert (found.n_strata_left_out, found.n_rows_left_out) == (
        len(left_out),
        sum(map(sum, left_out)),
    )
    for number, twin in (
        (plain, value),
        (found.value, value),
        (found.standard_error**2, between),
        (inside.standard_error**2, within),
    ):
        assert number == pytest.approx(
            math.nan if twin is None else float(twin), rel=1e-12, abs=1e-15, nan_ok=True
        )
    if value is not None:
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.n_pos + found.n_neg + found.n_rows_left_out == len(kept(names, weight))
    if between and 1e-9 < value < 1 - 1e-9:
        # Wilson's ends: (value - theta)^2 = w theta (1 - theta).
        w = t.ppf(0.975, float(df)) ** 2 * float(between / (value * (1 - value)))
        roots = np.roots([1 + w, -2 * float(value) - w, float(value) ** 2]).real
        assert sorted(roots) == pytest.approx([found.low, found.high], abs=1e-6)


@given(clustered(least=2))
def test_one_stratum_is_the_auc(data):
    truth, scores, _, weight, _ = data
    assume(has_variance(truth, weight, range(len(truth))))
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    plain = rl.auc_interval(ranking, method="score")
    inside = rl.stratified_auc_interval(ranking, stratum=["x"] * len(truth), method="within")
    assert inside.value == pytest.approx(plain.value, rel=1e-12)
    assert inside.standard_error == pytest.approx(plain.standard_error, rel=1e-9, abs=1e-9)


@given(clustered(least=2))
def test_scores_of_strata_need_no_common_scale(data):
    truth, scores, _, weight, names = data
    moved = np.exp(scores) * np.array(names) - 10 * np.array(names)
    options = {"stratum": names, "sample_weight": weight}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert rl.stratified_auc(truth, moved, **options) == pytest.approx(
            rl.stratified_auc(truth, scores, **options), rel=1e-12, nan_ok=True
        )
