"""Bootstrap replicates against the sample that was drawn, written out row by row."""

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import MILD_WEIGHTS, level_samples, truths, weights

import roclab as rl
from roclab import _core
from roclab.inference.comparison.permutation import (
    exchange_columns,
    exchange_labels,
    exchange_pairs,
    permutation_pvalue,
)
from roclab.inference.estimation.influence import acceleration, influences, jackknife
from roclab.inference.estimation.resampling import (
    Draws,
    resample_measure,
    resample_moments,
    resample_values,
)
from roclab.inference.intervals.bootstrap import bca, percentile

REPLICATES = 6
SEEDS = st.integers(0, 2**32)


@st.composite
def tables(draw):
    """Labels, two columns on a grid of eighths, weights or None, clusters or None."""
    truth, first = draw(level_samples())
    second = (
        np.array(draw(st.lists(st.integers(-9, 9), min_size=len(truth), max_size=len(truth)))) / 8
    )
    weight = draw(st.none() | weights(truth, kinds=MILD_WEIGHTS))
    clusters = draw(
        st.none() | st.lists(st.sampled_from("abcde"), min_size=len(truth), max_size=len(truth))
    )
    return truth, (first, second), weight, clusters


def drawn_rows(truth, scores, weight, clusters, seed, stratified):
    """For each replicate the rows of the input, each as often as it was drawn.

    None where a class lies in one cluster: there replicates have no value.
    """
    kept = np.arange(len(truth)) if weight is None else np.flatnonzero(weight)
    ascending = kept[np.argsort(scores[kept], kind="stable")]
    rows = np.concatenate([ascending[truth[ascending]], ascending[~truth[ascending]]])
    n_pos = int(truth[kept].sum())
    numbers, n_clusters = None, 0
    if clusters is not None:
        names = list(dict.fromkeys(clusters[row] for row in kept))
        numbers = np.array([names.index(clusters[row]) for row in rows], np.uint32)
        n_clusters = len(names)
        if 1 in (len(set(numbers[:n_pos])), len(set(numbers[n_pos:]))):
            return [np.empty(0, int)] * REPLICATES
    resampler = _core.Resampler(n_pos, len(rows) - n_pos, stratified, numbers, n_clusters)
    seed = Draws.of(1, seed).seed
    return [np.repeat(rows, resampler.draw(seed, i)) for i in range(REPLICATES)]


def nearly(found, expected):
    return found == pytest.approx(float(expected), rel=1e-9, abs=1e-12, nan_ok=True)


@given(tables(), SEEDS, st.booleans())
def test_replicates_are_the_values_of_the_drawn_rows(table, seed, stratified):
    truth, columns, weight, clusters = table
    rankings = [rl.Ranking(truth, scores, sample_weight=weight) for scores in columns]
    draws = Draws.of(REPLICATES, seed, stratified=stratified, cluster=clusters)
    aucs = resample_values(rankings, draws)
    leads = resample_values(rankings, draws, measure="scored_auc")
    for i, rows in enumerate(drawn_rows(truth, columns[0], weight, clusters, seed, stratified)):
        drawn_weight = None if weight is None else weight[rows]
        for k, scores in enumerate(columns):
            sample = truth[rows], scores[rows], drawn_weight
            assert nearly(aucs[i, k], reference.auc(*sample))
            assert nearly(leads[i, k], reference.scored_auc(*sample))


@given(tables(), SEEDS)
def test_variances_of_replicates_are_those_of_the_drawn_rows(table, seed):
    truth, columns, weight, clusters = table
    ranking = rl.Ranking(truth, columns[0], sample_weight=weight)
    draws = Draws.of(REPLICATES, seed, cluster=clusters)
    for measure, value_of, variance_of in (
        ("auc", reference.auc, reference.auc_variance),
        ("scored_auc", reference.scored_auc, reference.scored_auc_variance),
    ):
        values, variances = resample_moments(ranking, draws, measure=measure)
        for i, rows in enumerate(drawn_rows(truth, columns[0], weight, clusters, seed, True)):
            sample = truth[rows], columns[0][rows], None if weight is None else weight[rows]
            assert nearly(values[i], value_of(*sample))
            expected = variance_of(*sample)
            if expected == expected:  # with weights effective numbers may be 1 but for rounding
                assert variances[i] == pytest.approx(float(expected), rel=1e-7, abs=1e-12)


@given(tables(), SEEDS, st.booleans())
def test_any_measure_sees_the_drawn_rows(table, seed, stratified):
    truth, (scores, _), weight, clusters = table
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    draws = Draws.of(REPLICATES, seed, stratified=stratified, cluster=clusters)
    values = resample_measure(lambda drawn: rl.ks_statistic(drawn), [ranking], draws)[:, 0]
    for i, rows in enumerate(drawn_rows(truth, scores, weight, clusters, seed, stratified)):
        if truth[rows].all() or not truth[rows].any():
            assert np.isnan(values[i])
        else:
            drawn_weight = None if weight is None else weight[rows]
            expected = rl.ks_statistic(truth[rows], scores[rows], sample_weight=drawn_weight)
            assert values[i] == pytest.approx(expected, rel=1e-12, abs=1e-14)


@given(level_samples(min_size=6))
def test_influences_are_those_of_leaving_rows_out(sample):
    """For an average over pairs the jackknife has a closed form: the placements."""
    ranking = rl.Ranking(*sample)
    none = Draws.of(1, 0)
    found = influences(ranking, "auc", none)
    assert found.sum() == pytest.approx(0, abs=1e-12)
    if min(ranking.n_pos, ranking.n_neg) > 1:
        left_out = jackknife(lambda smaller: smaller.summary.auc, ranking)
        np.testing.assert_allclose(found, left_out, atol=1e-12)
        leads = jackknife(lambda smaller: smaller.summary.scored_auc, ranking)
        np.testing.assert_allclose(influences(ranking, "scored_auc", none), leads, atol=1e-11)


@given(level_samples(), st.data())
def test_influences_with_weights_and_clusters(sample, data):
    truth, scores = sample
    weight = data.draw(weights(truth, kinds=("counts",)))
    clusters = np.arange(len(truth))
    weighted = rl.Ranking(truth, scores, sample_weight=weight)
    found = influences(weighted, "auc", Draws.of(1, 0, cluster=clusters))
    times = weight.astype(int)
    repeated = rl.Ranking(np.repeat(truth, times), np.repeat(scores, times))
    of_rows = influences(repeated, "auc", Draws.of(1, 0, cluster=np.repeat(clusters, times)))
    np.testing.assert_allclose(found, of_rows, atol=1e-12)
    assert acceleration(found) == pytest.approx(acceleration(of_rows), abs=1e-9)


def reference_bca(replicates, value, accelerated, levels):
    from scipy.stats import norm

    below = np.mean([(r < value) + (r == value) / 2 for r in replicates])
    bias = norm.ppf(np.clip(below, 0.5 / len(replicates), 1 - 0.5 / len(replicates)))
    corrected = [
        norm.cdf(bias + (bias + norm.ppf(p)) / (1 - accelerated * (bias + norm.ppf(p))))
        for p in levels
    ]
    return tuple(np.quantile(replicates, corrected))


@given(
    st.lists(st.integers(0, 20).map(lambda k: k / 20), min_size=1, max_size=60),
    st.integers(0, 20).map(lambda k: k / 20),
    st.floats(-0.2, 0.2),
)
def test_bca_and_percentile(replicates, value, accelerated):
    replicates, levels = np.array(replicates), (0.025, 0.975)
    assert bca(replicates, value, accelerated, levels) == pytest.approx(
        reference_bca(replicates, value, accelerated, levels), abs=1e-12
    )
    assert percentile(replicates, levels) == tuple(np.quantile(replicates, levels))


@st.composite
def small_pairs(draw):
    size = draw(st.integers(2, 8))
    columns = [draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)) for _ in range(2)]
    return draw(truths(size)), *map(np.array, columns)


def auc(truth, scores):
    return float(reference.auc(truth, scores))


@given(small_pairs(), SEEDS)
def test_exchanged_pairs_are_among_all_exchanges_and_as_likely(sample, seed):
    truth, first, second = sample
    n = len(truth)
    midranks = np.array([reference.twice_ranks(first), reference.twice_ranks(second)])
    possible = set()
    for bits in range(2**n):
        swapped = midranks.copy()
        rows = [i for i in range(n) if bits >> i & 1]
        swapped[:, rows] = swapped[::-1, rows]
        possible.add(round(auc(truth, swapped[0]) - auc(truth, swapped[1]), 9))
    found = exchange_pairs(rl.Ranking(truth, first), rl.Ranking(truth, second), Draws.of(300, seed))
    assert set(np.round(found, 9) + 0.0) <= {p + 0.0 for p in possible}
    # an exchange and its mirror image are as likely
    assert abs(found.mean()) <= 5 * max(found.std(), 1e-12) / np.sqrt(300)


@given(level_samples(max_size=12), SEEDS)
def test_exchanged_labels_have_the_moments_of_the_rank_sum(sample, seed):
    truth, scores = sample
    found = exchange_labels(rl.Ranking(truth, scores), Draws.of(400, seed))
    n, n_pos = len(truth), int(truth.sum())
    ties = np.array(list({s: list(scores).count(s) for s in scores}.values()))
    variance = (n + 1 - (ties**3 - ties).sum() / (n * (n - 1))) / (12 * n_pos * (n - n_pos))
    assert abs(found.mean()) <= 5 * np.sqrt(variance / 400) + 1e-12
    assert found.var() <= 2.2 * variance + 1e-12


@given(level_samples(max_size=8), level_samples(max_size=8), SEEDS)
def test_exchanged_columns_keep_the_classes(first, second, seed):
    rankings = rl.Ranking(*first), rl.Ranking(*second)
    found = exchange_columns(*rankings, Draws.of(100, seed))
    assert (abs(found) <= 1).all()
    steps = np.lcm(
        2 * rankings[0].n_pos * rankings[0].n_neg, 2 * rankings[1].n_pos * rankings[1].n_neg
    )
    np.testing.assert_allclose(found * steps, np.round(found * steps), atol=1e-6)


def test_permutation_pvalues():
    exchanged = np.array([-0.3, -0.1, 0.0, 0.1, 0.3])
    assert permutation_pvalue(0.3, exchanged, "two-sided") == 3 / 6
    assert permutation_pvalue(0.3 + 1e-15, exchanged, "greater") == 2 / 6
    assert permutation_pvalue(-0.1, exchanged, "less") == 3 / 6
    assert permutation_pvalue(0.9, exchanged, "two-sided") == 1 / 6
