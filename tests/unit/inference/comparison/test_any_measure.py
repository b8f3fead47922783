"""`compare_measure`: closed forms against slow twins, resampling, what is refused and undefined."""

import math
from dataclasses import replace

import numpy as np
import pytest
import reference_measures
from scipy import stats

import roclab as rl
from roclab.inference.comparison.any_measure import pair_evidence
from roclab.inference.estimation.measure_estimate import measure_estimate
from roclab.inference.estimation.resampling import Draws
from roclab.measures import find_measure

CLOSED = [
    "partial_auc(fpr_range=(0, 0.13))",
    "partial_auc(tpr_range=(0.72, 0.93))",
    "partial_auc(fpr_range=(0.07, 0.5), tpr_range=(0.51, 0.93), standardize=True)",
    "gini",
    "average_precision",
    "brier_score",
    "log_loss",
    "accuracy",
    "expected_cost(false_positive_cost=1, false_negative_cost=3, threshold=0.5)",
    "expected_cost(false_positive_cost=1, false_negative_cost=3, threshold=0.5, prevalence=0.2)",
]
RESAMPLED = ["h_measure", "ks_statistic", "sensitivity(specificity=0.9)", "lift_at(share=0.2)"]


def drawn(seed=0, n=60, decimals=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    common = rng.normal(size=n)
    a, b = (
        np.clip(np.round(1 / (1 + np.exp(0.5 - common - rng.normal(size=n) - d * y)), decimals),
                0.01, 0.99)
        for d in (2.0, 1.0)
    )  # fmt: skip
    return y.astype(int), a, b


@pytest.mark.parametrize("decimals", [1, 8])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("word", CLOSED)
def test_influences_are_derivatives_with_respect_to_weights(word, weighted, decimals):
    y, scores, _ = drawn(decimals=decimals)
    weight = np.random.default_rng(1).uniform(0.5, 2, len(y)) if weighted else np.ones(len(y))
    entry, options = find_measure(word)
    ranking = rl.Ranking(y, scores, sample_weight=weight)
    found = entry.influence(ranking, **options)
    groups = np.searchsorted(ranking.scores, scores)
    expected = reference_measures.derivatives(entry, options, y, scores, weight)
    share = np.average(y, weights=weight)
    moved = (y - share) / weight.sum() * found.of_prevalence
    for side, contributions in ((1, found.of_pos), (0, found.of_neg)):
        of_class = contributions[groups[y == side]]
        mean = np.average(of_class, weights=weight[y == side])
        moved[y == side] += (of_class - mean) / weight[y == side].sum()
    np.testing.assert_allclose(moved, expected, atol=2e-8)


@pytest.mark.parametrize("word", ["brier_score", "accuracy", "log_loss"])
def test_means_over_rows_are_welchs_t_of_paired_differences(word):
    y, a, b = drawn()
    losses = {
        "brier_score": lambda s: (s - y) ** 2,
        "accuracy": lambda s: (s >= 0.5) == y,
        "log_loss": lambda s: -np.log(np.where(y == 1, s, 1 - s)),
    }[word]
    difference, variance, df = reference_measures.paired_t(
        losses(a).astype(float), losses(b).astype(float), y
    )
    found = rl.compare_measure(y, a, b, measure=word)
    assert found.method == "paired_t"
    assert found.difference == pytest.approx(difference, abs=1e-13)
    assert found.standard_error**2 == pytest.approx(variance, rel=1e-10)
    assert found.df == pytest.approx(df, rel=1e-10)
    statistic = difference / math.sqrt(variance)
    assert found.statistic == pytest.approx(statistic, rel=1e-10)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(statistic), df), rel=1e-9)


def test_without_strata_the_rows_are_one_sample():
    y, a, b = drawn()
    differences = (a - y) ** 2 - (b - y) ** 2
    found = rl.compare_measure(y, a, b, measure="brier_score", stratified=False)
    # Up to the corrections n / (n - 1) of the classes.
    assert found.standard_error == pytest.approx(stats.sem(differences), rel=0.02)


def test_each_row_its_own_cluster_changes_little_and_repeated_rows_nothing():
    y, a, b = drawn()
    for word in ("brier_score", "partial_auc(fpr_range=(0, 0.3))", "average_precision"):
        rows = rl.compare_measure(y, a, b, measure=word, stratified=False)
        alone = rl.compare_measure(y, a, b, measure=word, cluster=np.arange(len(y)))
        assert alone.standard_error == pytest.approx(rows.standard_error, rel=0.02)
        twice = rl.compare_measure(
            *(np.tile(one, 2) for one in (y, a, b)),
            measure=word,
            cluster=np.tile(np.arange(len(y)), 2),
        )
        assert twice.difference == pytest.approx(alone.difference, abs=1e-12)
        assert twice.standard_error == pytest.approx(alone.standard_error, rel=1e-9)


def test_the_variance_of_the_gini_coefficient_is_four_times_delongs():
    y, a, b = drawn(decimals=1)
    gini = rl.compare_measure(y, a, b, measure="gini")
    auc = rl.compare_auc(y, a, b, method="delong")
    assert gini.difference == pytest.approx(2 * auc.difference)
    assert gini.standard_error == pytest.approx(2 * auc.standard_error, rel=1e-10)
    whole = rl.compare_measure(y, a, b, measure="partial_auc(fpr_range=(0, 1))")
    assert whole.standard_error == pytest.approx(auc.standard_error, rel=1e-10)


@pytest.mark.parametrize("options", [{}, {"method": "bootstrap", "rng": 1, "n_resamples": 99}])
def test_of_the_auc_it_is_compare_auc(options):
    y, a, b = drawn()
    assert rl.compare_measure(y, a, b, measure="auc", **options) == rl.compare_auc(
        y, a, b, **options
    )


def test_of_the_scored_auc_it_is_compare():
    y, a, b = drawn()
    found = rl.compare_measure(y, a, b, measure="scored_auc")
    pair = rl.compare(rl.ScoreTable(y, {"a": a, "b": b}), measure="scored_auc").pairs[0]
    fields = ("difference", "low", "high", "statistic", "pvalue", "standard_error", "method")
    assert [getattr(found, name) for name in fields] == [getattr(pair, name) for name in fields]


@pytest.mark.parametrize("word", CLOSED + RESAMPLED + ["auc"])
@pytest.mark.parametrize("method", ["auto", "half_sampling", "bootstrap"])
def test_interval_and_test_agree_and_reversing_the_models_reverses_them(word, method):
    y, a, b = drawn(seed=3)
    options = {"method": method, "n_resamples": 60, "rng": 5}
    found = rl.compare_measure(y, a, b, measure=word, **options)
    if found.n_resamples is None:  # draws follow the order of the first model
        other = rl.compare_measure(y, b, a, measure=word, **options)
        assert (other.low, other.high) == pytest.approx((-found.high, -found.low), abs=1e-12)
        assert other.pvalue == pytest.approx(found.pvalue, rel=1e-9)
    for level in (0.5, 0.9, 0.95):
        at = rl.compare_measure(y, a, b, measure=word, confidence_level=level, **options)
        assert (at.pvalue < 1 - level) == (not at.low <= 0 <= at.high), level


def every_measure():
    """A specification of each measure of one number."""
    options = {
        "expected_cost": "false_positive_cost=1, false_negative_cost=3, threshold=0.5",
        "margin_auc": "margin=0.2",
        "net_benefit": "threshold=0.3",
        "partial_auc": "fpr_range=(0, 0.3)",
        "sensitivity": "specificity=0.9",
        "specificity": "sensitivity=0.9",
    }
    y, a, _ = drawn()
    words = []
    for one in rl.list_measures().measures:
        word = f"{one.name}({options[one.name]})" if one.name in options else one.name
        value = find_measure(word)[0].value_of(rl.Ranking(y, a), **find_measure(word)[1])
        words += [word] if isinstance(value, float) else []
    return words


def closed_forms():
    names = {one.name for one in rl.list_measures().measures if one.closed_form}
    return [word for word in every_measure() if find_measure(word)[0].name in names]


@pytest.mark.parametrize("word", sorted({*every_measure()} - {*closed_forms()}))
def test_without_a_closed_form_auto_is_half_sampling(word):
    y, a, b = drawn()
    auto, halves = (
        rl.compare_measure(y, a, b, measure=word, method=method, n_resamples=20, rng=0)
        for method in ("auto", "half_sampling")
    )
    assert auto == halves


# Half-sampling where "auto" is something else.
@pytest.mark.parametrize(
    ("word", "method"),
    [(word, "auto") for word in every_measure()]
    + [(word, "half_sampling") for word in closed_forms()],
)
@pytest.mark.filterwarnings("ignore::roclab.DegenerateIntervalWarning")
def test_the_statistic_has_the_sign_of_the_difference(word, method):
    """Also without a true difference, where a correction for bias may exceed the estimate."""
    signs = []
    for seed in range(25):
        rng = np.random.default_rng([7, seed])
        y = np.repeat([1, 0], [12, 20])
        common = rng.normal(size=32)
        scores = [common + rng.normal(size=32) + 1.5 * y for _ in range(2)]
        a, b = (np.clip((1 / (1 + np.exp(-one))).round(seed % 2 + 1), 0.01, 0.99) for one in scores)
        found = rl.compare_measure(y, a, b, measure=word, method=method, n_resamples=40, rng=seed)
        if math.isnan(found.pvalue):
            continue
        signs.append(np.sign(found.statistic) * np.sign(found.difference))
        assert signs[-1] >= 0
        assert (found.pvalue < 0.05) == (not found.low <= 0 <= found.high)
        if found.pvalue < 0.05:
            assert np.sign(found.low) == np.sign(found.high) == np.sign(found.difference)
        if found.statistic == 0:
            assert found.pvalue == 1
    assert sum(signs) > 0


def test_a_bias_that_exceeds_the_difference_leaves_none():
    y, a, b = drawn(seed=1)
    found = rl.compare_measure(y, a, a + 0.01 * (a > a[3]), measure="h_measure", rng=0)
    assert found.pvalue == 1.0  # they rank alike
    estimate = measure_estimate(
        rl.ScoreTable(y, {"a": a, "b": b}), *find_measure("h_measure"), Draws.of(200, 0)
    )
    difference = float(estimate.joint.values[0] - estimate.joint.values[1])
    assert difference > 0
    for bias, expected in ((difference / 3, 2 / 3), (2 * difference, 0.0), (-difference, 2.0)):
        evidence = pair_evidence(replace(estimate, bias=np.array([bias, 0.0])), 0, 1)
        assert evidence.difference == pytest.approx(expected * difference)


def test_half_sampling_estimates_the_standard_error_of_a_closed_form():
    y, a, b = drawn(n=300)
    for word in ("brier_score", "partial_auc(fpr_range=(0, 0.3))", "average_precision"):
        closed = rl.compare_measure(y, a, b, measure=word)
        halves = rl.compare_measure(y, a, b, measure=word, method="half_sampling", rng=0)
        drawn_ = rl.compare_measure(y, a, b, measure=word, method="bootstrap", rng=0)
        assert halves.method == "half_sampling"
        assert halves.standard_error == pytest.approx(closed.standard_error, rel=0.1)
        assert drawn_.standard_error == pytest.approx(closed.standard_error, rel=0.1)


def test_noninferiority_of_a_loss_is_not_being_higher():
    y, a, b = drawn()
    options = {"alternative": "noninferior", "margin": 0.05}
    loss = rl.compare_measure(y, a, b, measure="brier_score", **options)
    assert loss.difference < 0
    assert loss.pvalue < 0.05
    assert (loss.low, loss.high < 0.05) == (-1, True)
    worse = rl.compare_measure(y, b, a, measure="brier_score", **options)
    assert worse.pvalue > 0.1 > loss.pvalue
    with pytest.raises(rl.InputError, match="margin"):
        rl.compare_measure(y, a, b, measure="brier_score", alternative="equivalent", margin=1.5)
    assert (
        rl.compare_measure(y, a, b, measure="log_loss", alternative="equivalent", margin=1.5).pvalue
        < 1
    )


def test_the_scale_of_weights_does_not_matter():
    y, a, b = drawn()
    for word in CLOSED:
        plain = rl.compare_measure(y, a, b, measure=word)
        heavy = rl.compare_measure(y, a, b, measure=word, sample_weight=np.full(len(y), 7.0))
        for name in ("difference", "low", "high", "statistic", "pvalue", "standard_error", "df"):
            assert getattr(heavy, name) == pytest.approx(getattr(plain, name), rel=1e-7), name


def test_identical_models_do_not_differ():
    y, a, _ = drawn()
    for word in CLOSED + RESAMPLED:
        same = rl.compare_measure(y, a, a, measure=word, n_resamples=50, rng=0)
        assert (same.difference, same.statistic, same.pvalue) == (0, 0, 1), word
        assert (same.low, same.high) == (0, 0)


def test_a_variance_of_0_is_not_certainty():
    with pytest.warns(rl.DegenerateIntervalWarning, match="not certainty"):
        found = rl.compare_measure([0, 1, 0, 1], [0, 1, 0, 1], [1, 0, 1, 0], measure="accuracy")
    assert found.difference == 1
    assert math.isnan(found.pvalue)
    assert math.isnan(found.low)


@pytest.mark.parametrize("word", ["brier_score", "average_precision", "h_measure"])
@pytest.mark.parametrize("y", [[0, 0, 0], [0, 0, 1], [1]])
def test_too_few_examples_are_nan_with_a_warning(word, y):
    scores = [0.2, 0.5, 0.7][: len(y)]
    with pytest.warns(rl.RoclabWarning):
        found = rl.compare_measure(y, scores, scores[::-1], measure=word, n_resamples=20, rng=0)
    assert math.isnan(found.pvalue)


def test_what_cannot_be_compared_is_refused():
    y, a, b = drawn()
    with pytest.raises(rl.InputError, match="several parts"):
        rl.compare_measure(y, a, b, measure="brier_parts")
    with pytest.raises(rl.InputError, match="infinite"):
        rl.compare_measure(y, np.where(y, a, 1.0), b, measure="log_loss")
    with pytest.raises(rl.InputError, match="method='delong'"):
        rl.compare_measure(y, a, b, measure="brier_score", method="delong")


def test_the_registry_knows_closed_forms():
    found = {one.name: one.closed_form for one in rl.list_measures().measures if one.closed_form}
    assert found == {
        "accuracy": "paired_t",
        "auc": "delong",
        "average_precision": "influence_function",
        "brier_score": "paired_t",
        "expected_cost": "influence_function",
        "gini": "influence_function",
        "log_loss": "paired_t",
        "partial_auc": "influence_function",
        "scored_auc": "delong",
    }
    y, a, b = drawn()
    costs = {"false_positive_cost": 1, "false_negative_cost": 2}
    assert rl.compare_measure(y, a, b, measure="expected_cost", n_resamples=9, **costs).method == (
        "half_sampling"
    )


def test_few_examples_of_influence_give_few_degrees_of_freedom():
    y, a, b = drawn(n=90)
    for word in ("partial_auc(fpr_range=(0, 0.1))", "average_precision"):
        entry, options = find_measure(word)
        influences = 0.0
        for scores, sign in ((a, 1), (b, -1)):
            ranking = rl.Ranking(y, scores)
            found = entry.influence(ranking, **options)
            groups = np.searchsorted(ranking.scores, scores)
            of_rows = np.where(y == 1, found.of_pos[groups], found.of_neg[groups])
            influences = influences + sign * of_rows
        expected = reference_measures.degrees_of_freedom(influences, y)
        assert rl.compare_measure(y, a, b, measure=word).df == pytest.approx(expected, rel=1e-9)
    narrow = rl.compare_measure(y, a, b, measure="partial_auc(fpr_range=(0, 0.05))")
    assert narrow.df < rl.compare_measure(y, a, b, measure="partial_auc(fpr_range=(0, 1))").df
