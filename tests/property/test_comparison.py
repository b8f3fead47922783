"""Joint covariances and comparisons against definitions in fractions."""

import itertools
import math

import numpy as np
import pytest
import reference
import reference_comparison as twin
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2
from strategies import (
    LARGE_SCORES,
    MILD_WEIGHTS,
    large_truths,
    level_samples,
    samples,
    score_arrays,
    truths,
    weights,
)

import roclab as rl
from roclab.inference.comparison.paired import compare_auc
from roclab.inference.comparison.pairwise import compare
from roclab.inference.comparison.unpaired import compare_independent_auc, compare_to_value
from roclab.inference.estimation.delong import joint_estimate

# Samples without spread are drawn often; unit tests say what they must warn of.
pytestmark = pytest.mark.filterwarnings("ignore::roclab.DegenerateIntervalWarning")

ALTERNATIVES = ("two-sided", "less", "greater", "noninferior", "equivalent")


@st.composite
def model_samples(draw, models=2, min_size=4, max_size=16, measure="auc"):
    """(truth, columns) with two rows of each class at least; columns tied, often related."""
    size = draw(st.integers(min_size, max_size))
    truth = draw(truths(size))
    assume(2 <= truth.sum() <= size - 2)
    columns = []
    for _ in range(models):
        kind = draw(st.sampled_from(["own", "own", "copy", "near", "perfect", "constant"]))
        if kind in ("copy", "near") and columns:
            column = columns[draw(st.integers(0, len(columns) - 1))].copy()
            if kind == "near":
                row = draw(st.integers(0, size - 1))
                column[row] = column[draw(st.integers(0, size - 1))]
        elif kind == "perfect":
            column = truth * 2.0
        elif kind == "constant":
            column = np.zeros(size)
        elif measure == "auc":
            column = draw(score_arrays(size))
        else:
            column = np.array(draw(st.lists(st.integers(-8, 8), min_size=size, max_size=size))) / 8
        columns.append(column)
    return truth, columns


def named(columns):
    return {f"m{number}": column for number, column in enumerate(columns)}


def margin_of(alternative):
    return 0.1 if alternative in ("noninferior", "equivalent") else None


def check_joint(truth, columns, weight, measure, rel):
    joint = joint_estimate(
        rl.ScoreTable(truth, named(columns), sample_weight=weight), measure=measure
    )
    scale = max(1.0, max(float(np.abs(c.astype(float)).max()) for c in columns))
    tiny = 0.0 if measure == "auc" else 1e-13 * scale
    for a, first in enumerate(columns):
        assert joint.values[a] == pytest.approx(
            float(twin.value(truth, first, weight, measure)), rel=1e-13, abs=tiny
        )
        for b, second in enumerate(columns):
            expected = float(twin.covariance(truth, first, second, weight, measure))
            own = joint.covariance[a, a] + joint.covariance[b, b]
            assert joint.covariance[a, b] == pytest.approx(
                expected, rel=rel, abs=1e-14 * own + tiny**2
            )
            gap = float(twin.difference_variance(truth, first, second, weight, measure))
            assert joint.difference_variance[a, b] == pytest.approx(gap, rel=1e-9, abs=tiny**2)
    return joint


@given(model_samples(models=3))
def test_joint_covariance(sample):
    truth, columns = sample
    joint = check_joint(truth, columns, None, "auc", 1e-13)
    assert joint.values.tolist() == [rl.auc(truth, column) for column in columns]
    for a, b in itertools.combinations(range(3), 2):
        alike = twin.order_alike(truth, columns[a], columns[b])
        assert (joint.identical[a] == joint.identical[b]) == alike
        if alike:
            assert joint.values[a] == joint.values[b]
            assert joint.difference_variance[a, b] == 0
            assert (joint.covariance[a] == joint.covariance[b]).all()


@given(model_samples(models=2), st.data())
def test_weighted_joint_covariance(sample, data):
    truth, columns = sample
    weight = data.draw(weights(truth, MILD_WEIGHTS))
    kept = truth[weight > 0]
    assume(2 <= kept.sum() <= len(kept) - 2)
    joint = check_joint(truth, columns, weight, "auc", 1e-11)
    if twin.order_alike(truth[weight > 0], *(column[weight > 0] for column in columns)):
        assert joint.identical == (0, 0)
        assert joint.difference_variance[0, 1] == 0


@given(model_samples(models=2, measure="scored_auc"))
def test_scored_joint_covariance(sample):
    check_joint(*sample, None, "scored_auc", 1e-11)


@given(model_samples(models=2, measure="scored_auc"), st.data())
def test_weighted_scored_joint_covariance(sample, data):
    truth, columns = sample
    weight = data.draw(weights(truth, ("importance",)))
    check_joint(truth, columns, weight, "scored_auc", 1e-9)


@given(model_samples(), st.sampled_from([0.001, 3.0, 1e20]), st.data())
def test_the_scale_of_weights_does_not_matter(sample, factor, data):
    truth, columns = sample
    weight = data.draw(weights(truth, ("importance",)))
    assume((columns[0] != columns[1]).any())
    result, scaled = (
        compare_auc(truth, *columns, sample_weight=w) for w in (weight, weight * factor)
    )
    for name in ("difference", "standard_error", "pvalue", "low", "high"):
        assert getattr(scaled, name) == pytest.approx(getattr(result, name), rel=1e-6, abs=1e-12)


@given(model_samples())
def test_weights_of_one_are_no_weights(sample):
    truth, columns = sample
    result, weighted = (
        compare_auc(truth, *columns, sample_weight=w) for w in (None, np.ones(len(truth)))
    )
    for name in ("difference", "standard_error", "pvalue", "low", "high"):
        assert getattr(weighted, name) == pytest.approx(getattr(result, name), rel=1e-9, abs=1e-13)


@given(model_samples(), st.sampled_from(ALTERNATIVES), st.sampled_from([0.8, 0.95, 0.99]))
def test_paired_test(sample, alternative, level):
    truth, (first, second) = sample
    variance = twin.difference_variance(truth, first, second)
    result = compare_auc(
        truth,
        first,
        second,
        method="delong",
        alternative=alternative,
        margin=margin_of(alternative),
        confidence_level=level,
    )
    difference = float(twin.value(truth, first) - twin.value(truth, second))
    assert result.difference == pytest.approx(difference, rel=1e-12, abs=1e-15)
    assert -1 <= result.low <= result.high <= 1
    if variance > 0:
        expected = twin.wald(difference, float(variance), alternative, 0.1, level)
        found = (result.statistic, result.pvalue, result.low, result.high)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-13)
        assert result.standard_error == pytest.approx(math.sqrt(variance), rel=1e-12, abs=0)
    else:
        assert 0 < result.pvalue <= 1
        assert result.low < result.difference < result.high or difference in (-1, 1)


@given(model_samples(), st.sampled_from(ALTERNATIVES), st.sampled_from([0.8, 0.95]), st.data())
def test_by_default_the_interval_excludes_what_the_test_rejects(sample, alternative, level, data):
    truth, columns = sample
    options = {"alternative": alternative, "margin": margin_of(alternative)}
    options["confidence_level"] = level
    weight = data.draw(st.none() | weights(truth, ("importance",)))
    cluster = data.draw(st.none() | st.just(np.arange(len(truth)) // 2))
    results = [
        compare_auc(truth, *columns, sample_weight=weight, cluster=cluster, **options),
        compare_to_value(
            truth, columns[0], value=0.7, sample_weight=weight, cluster=cluster, **options
        ),
        compare_independent_auc(
            *(rl.Ranking(truth, column, sample_weight=weight) for column in columns), **options
        ),
    ]
    for result in results:
        if math.isnan(result.pvalue) or abs(result.pvalue - (1 - level)) < 1e-9:
            continue
        assert result.method in ("mover", "shrunken_variance", "agreement")
        # 0 for nearly identical models, more than 38 standard errors from the margin.
        assert 0 <= result.pvalue <= 1
        margin = result.margin or 0.0
        excluded = {
            "two-sided": result.low > 0 or result.high < 0,
            "less": result.high < 0,
            "greater": result.low > 0,
            "noninferior": result.low > -margin,
            "equivalent": result.low > -margin and result.high < margin,
        }[alternative]
        assert (result.pvalue < 1 - level) == excluded


@given(model_samples())
def test_exchanging_the_models_turns_the_sign(sample):
    truth, (first, second) = sample
    result, turned = compare_auc(truth, first, second), compare_auc(truth, second, first)
    assert turned.difference == -result.difference
    assert turned.pvalue == pytest.approx(result.pvalue, rel=1e-12, abs=0)
    assert (turned.low, turned.high) == pytest.approx((-result.high, -result.low), rel=1e-12, abs=0)


@given(model_samples())
def test_what_does_not_change_the_order_changes_nothing(sample):
    truth, (first, second) = sample
    ranks = [np.array(reference.twice_ranks(column)) for column in (first, second)]
    assert compare_auc(truth, *ranks) == compare_auc(truth, first, second) or math.isnan(
        compare_auc(truth, *ranks).statistic
    )


@given(samples(min_size=4, max_size=14), samples(min_size=4, max_size=14))
def test_independent_test(first, second):
    for truth, _ in (first, second):
        assume(2 <= truth.sum() <= len(truth) - 2)
    result = compare_independent_auc(rl.Ranking(*first), rl.Ranking(*second), method="delong")
    variances = [float(reference.auc_variance(*sample)) for sample in (first, second)]
    difference = float(reference.auc(*first) - reference.auc(*second))
    assert result.difference == pytest.approx(difference, abs=1e-15)
    if sum(variances) > 0:
        parts = [v**2 / (len(s[0]) - 1) for v, s in zip(variances, (first, second), strict=True)]
        assert result.df == pytest.approx(sum(variances) ** 2 / sum(parts), rel=1e-10, abs=0)
        statistic = difference / math.sqrt(sum(variances))
        assert result.statistic == pytest.approx(statistic, rel=1e-10, abs=1e-14)
    else:
        assert 0 < result.pvalue <= 1
        assert math.isnan(result.statistic)
        assert result.method == "score"


@given(samples(min_size=4, max_size=20), st.sampled_from([0.3, 0.5, 0.9]))
def test_one_sample_tests(sample, value):
    assume(2 <= sample[0].sum() <= len(sample[0]) - 2)
    difference = float(reference.auc(*sample)) - value
    variance = float(reference.auc_variance(*sample))
    n_pos, n_neg = int(sample[0].sum()), int((~sample[0]).sum())
    null = twin.hanley_mcneil_variance(value, n_pos, n_neg) * reference.tie_factor(*sample)
    score = compare_to_value(*sample, value=value, method="score")
    assert score.statistic == pytest.approx(difference / math.sqrt(null), rel=1e-10, abs=1e-12)
    delong = compare_to_value(*sample, value=value, method="delong")
    expected = (
        twin.wald(difference, variance)[:2] if variance > 0 else (score.statistic, score.pvalue)
    )
    assert (delong.statistic, delong.pvalue) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert delong.method == ("delong" if variance > 0 else "score")
    # a test rejects a value if its interval leaves it out
    if abs(score.pvalue - 0.05) > 1e-6:
        assert (score.low > 0 or score.high < 0) == (score.pvalue < 0.05)


@given(model_samples(models=4, max_size=12))
def test_table(sample):
    truth, columns = sample
    comparison = compare(rl.ScoreTable(truth, named(columns)), method="delong")
    values = [twin.value(truth, column) for column in columns]
    covariances = [[twin.covariance(truth, a, b) for b in columns] for a in columns]
    expected = twin.chi_square(values, covariances)
    if expected is None:
        assert math.isnan(comparison.omnibus.pvalue)
    else:
        statistic, rank = expected
        assert comparison.omnibus.df == rank
        assert comparison.omnibus.statistic == pytest.approx(float(statistic), rel=1e-6, abs=1e-9)
        tail = chi2.sf(float(statistic), rank) if rank else 1.0
        assert comparison.omnibus.pvalue == pytest.approx(tail, rel=1e-5, abs=0)
    numbers = list(itertools.combinations(range(4), 2))
    pvalues = []
    for (a, b), pair in zip(numbers, comparison.pairs, strict=True):
        alone = compare_auc(truth, columns[a], columns[b], method="delong")
        assert (pair.model_a, pair.model_b) == (f"m{a}", f"m{b}")
        assert pair.difference == pytest.approx(alone.difference, abs=1e-15)
        assert pair.pvalue == pytest.approx(alone.pvalue, rel=1e-7, abs=0)
        assert (pair.low, pair.high) == pytest.approx((alone.low, alone.high), rel=1e-7, abs=1e-12)
        pvalues.append(pair.pvalue)
    assert [pair.adjusted_pvalue for pair in comparison.pairs] == pytest.approx(twin.holm(pvalues))
    check_groups(comparison)


def check_groups(comparison):
    names = [one.model for one in comparison.models]
    letters = {one.model: set(one.letters) for one in comparison.models}
    values = {one.model: one.interval.value for one in comparison.models}
    apart = {
        frozenset((pair.model_a, pair.model_b)): pair.adjusted_pvalue < 0.05
        for pair in comparison.pairs
    }
    matrix = [[a != b and apart[frozenset((a, b))] for b in names] for a in names]
    expected = {frozenset(names[i] for i in group) for group in twin.largest_sets(matrix)}
    assert {frozenset(group) for group in comparison.groups} == expected
    for a, b in itertools.combinations(names, 2):
        assert bool(letters[a] & letters[b]) != apart[frozenset((a, b))]
    for group in comparison.groups:
        assert [values[name] for name in group] == sorted((values[n] for n in group), reverse=True)
    firsts = [values[group[0]] for group in comparison.groups]
    assert firsts == sorted(firsts, reverse=True)


@given(model_samples(models=2), st.integers(1, 3))
def test_copies_of_a_model_add_nothing(sample, copies):
    truth, (first, second) = sample
    alone = compare(rl.ScoreTable(truth, {"a": first, "b": second}))
    more = {f"copy{number}": first for number in range(copies)}
    joined = compare(rl.ScoreTable(truth, {"a": first, "b": second, **more}))
    assert joined.omnibus.df == alone.omnibus.df
    assert joined.omnibus.statistic == pytest.approx(
        alone.omnibus.statistic, rel=1e-9, abs=1e-12, nan_ok=True
    )
    for pair in joined.pairs:
        if pair.model_b.startswith("copy") and pair.model_a != "b":
            assert (pair.difference, pair.standard_error, pair.pvalue) == (0, 0, 1)


@given(level_samples(min_size=6, max_size=14), st.sampled_from([-3.7, 1e6 / 3, 0.1]))
def test_scored_models_that_differ_by_a_shift_are_identical(sample, shift):
    truth, scores = sample
    assume(2 <= truth.sum() <= len(truth) - 2)
    table = rl.ScoreTable(truth, {"a": scores, "b": scores + shift})
    comparison = compare(table, measure="scored_auc")
    (pair,) = comparison.pairs
    # scores + shift are rounded: what is left of differences is no evidence
    if abs(shift) < 10:
        assert (pair.difference, pair.standard_error, pair.pvalue) == (0, 0, 1)
        assert comparison.omnibus.df == 0
    assert pair.pvalue > 0


@pytest.mark.parametrize("kind", LARGE_SCORES)
def test_large_samples_agree_with_the_summary(kind):
    rng = np.random.default_rng(9)
    scores = LARGE_SCORES[kind](rng, 3000)
    for truth in large_truths(rng, scores).values():
        if not 2 <= truth.sum() <= len(truth) - 2:
            continue
        other = rng.permutation(scores)
        for weight in (None, rng.gamma(2.0, size=len(truth))):
            joint = joint_estimate(
                rl.ScoreTable(truth, {"a": scores, "b": other}, sample_weight=weight)
            )
            for model, column in enumerate((scores, other)):
                summary = rl.Ranking(truth, column, sample_weight=weight).summary
                assert joint.values[model] == pytest.approx(
                    summary.auc, rel=1e-15, abs=0 if weight is None else 2e-15
                )
                assert joint.covariance[model, model] == pytest.approx(
                    summary.auc_variance, rel=1e-9, abs=0 if weight is None else 1e-18
                )


FINITE = [
    kind
    for kind in LARGE_SCORES
    if kind
    not in (
        "with infinities",
        "whole range of doubles",
        "lognormal, huge tails",
        "clusters of neighbouring doubles",
        "subnormals",
    )
]


@pytest.mark.parametrize("kind", FINITE)
def test_large_scored_samples_agree_with_the_summary(kind):
    rng = np.random.default_rng(9)
    scores = LARGE_SCORES[kind](rng, 3000)
    truth = rng.random(3000) < 0.3
    for weight in (None, rng.gamma(2.0, size=3000)):
        joint = joint_estimate(
            rl.ScoreTable(truth, {"a": scores}, sample_weight=weight), measure="scored_auc"
        )
        summary = rl.Ranking(truth, scores, sample_weight=weight).summary
        assert joint.values[0] == pytest.approx(summary.scored_auc, rel=1e-11, abs=0)
        assert joint.covariance[0, 0] == pytest.approx(summary.scored_auc_variance, rel=1e-8, abs=0)
