"""`compare` by any measure: pairs as in `compare_measure`, order, joint test, intervals."""

import math

import numpy as np
import pytest
from scipy import stats

import roclab as rl


def drawn(n=90, models=3, seed=2):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    common = rng.normal(size=n)
    scores = {
        name: np.clip(
            np.round(1 / (1 + np.exp(0.7 - common - rng.normal(size=n) - d * y)), 2), 0.01, 0.99
        )
        for name, d in zip("abcdef"[:models], (2.5, 2.0, 0.5, 1.0, 0.0, 3.0), strict=False)
    }
    return rl.ScoreTable(y, scores, groups={"site": np.repeat(["x", "y", "z"], n // 3)})


TABLE = drawn()
SAME = ("difference", "low", "high", "standard_error", "statistic", "pvalue", "method")


@pytest.mark.parametrize(
    "word", ["brier_score", "partial_auc(fpr_range=(0, 0.2))", "average_precision", "h_measure"]
)
def test_two_models_are_compare_measure(word):
    table = drawn(models=2)
    options = {"rng": 3, "n_resamples": 100}
    pair = rl.compare(table, measure=word, **options).pairs[0]
    rows = table["a"].rows()
    expected = rl.compare_measure(
        rows.labels, rows.scores, table["b"].rows().scores, measure=word, **options
    )
    assert [getattr(pair, name) for name in SAME] == [getattr(expected, name) for name in SAME]


def test_lower_is_better_for_a_loss():
    found = rl.compare(TABLE, measure="brier_score")
    values = {one.model: one.interval.value for one in found.models}
    assert found.groups[0][0] == min(values, key=values.get)
    assert "has the lowest brier_score" in str(found)
    assert found.measure == found.models[0].interval.measure == "brier_score"
    text = str(rl.compare(TABLE, measure=rl.average_precision))
    assert "has the highest average_precision" in text
    assert "influence functions" in text


def test_intervals_of_models_contain_their_values_and_stay_in_range():
    for word in ("brier_score", "log_loss", "average_precision", "gini", "ks_statistic"):
        for one in rl.compare(TABLE, measure=word, rng=0, n_resamples=60).models:
            interval = one.interval
            low, high = rl.find_measure(word)[0].range_with({})
            assert low <= interval.low < interval.value < interval.high <= high, word


def test_the_joint_test_is_hotellings_with_many_examples_and_simes_with_few():
    few = rl.compare(TABLE, measure="brier_score").omnibus
    assert few.method == "simes"
    many = rl.compare(drawn(n=3000), measure="brier_score").omnibus
    assert (many.method, many.df) == ("hotelling", 2)
    assert many.pvalue < 1e-6
    halves = rl.compare(TABLE, measure="ks_statistic", rng=0, n_resamples=60)
    assert halves.omnibus.method == "simes"
    assert halves.omnibus.pvalue == pytest.approx(
        min(
            3 * p / rank
            for rank, p in enumerate(sorted(pair.pvalue for pair in halves.pairs), start=1)
        )
    )


def test_the_joint_test_of_brier_scores_is_the_classical_one():
    """Hotelling's T-squared of differences, with classes fixed: a sum of two covariances."""
    table = drawn(n=900)
    y = table["a"].rows().labels
    losses = np.array([(table[name].rows().scores - y) ** 2 for name in table.names])
    differences = losses[:2] - losses[2]
    share, covariance = y.mean(), 0.0
    for side, part in ((1, share), (0, 1 - share)):
        of_class = differences[:, y == side]
        covariance = covariance + part**2 * np.cov(of_class) / of_class.shape[1]
    mean = differences.mean(axis=1)
    expected = mean @ np.linalg.solve(covariance, mean)
    assert rl.compare(table, measure="brier_score").omnibus.statistic == pytest.approx(expected)


def test_clusters_widen_intervals_and_weights_are_used():
    rows = rl.compare(TABLE, measure="brier_score")
    sites = rl.compare(TABLE, measure="brier_score", cluster="site")
    assert sites.cluster == "site"
    assert sites.pairs[0].statistic != rows.pairs[0].statistic
    y = TABLE["a"].rows().labels
    columns = {name: TABLE[name].rows().scores for name in TABLE.names}
    weighted = rl.ScoreTable(y, columns, sample_weight=1 + np.arange(len(y)) % 2)
    assert rl.compare(weighted, measure="brier_score").pairs[0].difference != (
        rows.pairs[0].difference
    )


def test_identical_models_share_everything():
    y = TABLE["a"].rows().labels
    scores = TABLE["a"].rows().scores
    for word in ("brier_score", "h_measure"):
        found = rl.compare(
            rl.ScoreTable(y, {"a": scores, "b": scores}), measure=word, rng=0, n_resamples=20
        )
        assert (found.pairs[0].pvalue, found.omnibus.pvalue) == (1, 1)
        assert "do not differ" in str(found)


def test_progress_counts_the_replicates_of_all_groups():
    seen = []
    rl.compare(
        TABLE,
        measure="ks_statistic",
        by="site",
        rng=0,
        n_resamples=40,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen[-1] == (120, 120)


def test_a_group_with_one_class_is_nan_with_one_warning():
    y = [0, 1, 0, 1, 0, 0]
    table = rl.ScoreTable(
        y,
        {"a": [0.1, 0.7, 0.2, 0.6, 0.3, 0.4], "b": [0.3, 0.6, 0.4, 0.2, 0.1, 0.2]},
        groups={"g": list("xxxxyy")},
    )
    with pytest.warns(rl.UndefinedMeasureWarning) as found:
        grouped = rl.compare(table, measure="average_precision", by="g")
    assert len(found) == 1
    assert math.isnan(grouped.parts["y"].pairs[0].pvalue)
    assert math.isnan(grouped.interactions[0].pvalue)


def test_interactions_are_cochrans_q_with_variances_of_the_intervals():
    grouped = rl.compare(TABLE, by="site", correction="none")
    assert len(grouped.interactions) == 3
    z = stats.norm.ppf(0.975)
    for number, test in enumerate(grouped.interactions):
        pairs = [part.pairs[number] for part in grouped.parts.values()]
        assert (test.model_a, test.model_b) == (pairs[0].model_a, pairs[0].model_b)
        weights = [(2 * z / (pair.high - pair.low)) ** 2 for pair in pairs]
        mean = np.average([pair.difference for pair in pairs], weights=weights)
        q = sum(w * (pair.difference - mean) ** 2 for w, pair in zip(weights, pairs, strict=True))
        assert test.statistic == pytest.approx(q)
        assert test.pvalue == test.adjusted_pvalue == pytest.approx(stats.chi2.sf(q, 2))
        assert (test.df, test.n_groups) == (2, 3)
    assert grouped.to_dict()["interactions"][0]["df"] == 2
    assert "Interaction: the difference" in str(grouped)


def test_a_difference_that_reverses_between_groups_is_an_interaction():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    group = np.repeat(["p", "q"], 200)
    strong, weak = 2.0 * y + rng.normal(size=400), 0.3 * y + rng.normal(size=400)
    a, b = np.where(group == "p", strong, weak), np.where(group == "p", weak, strong)
    grouped = rl.compare(rl.ScoreTable(y, {"a": a, "b": b}, groups={"g": group}), by="g")
    assert grouped.interactions[0].pvalue < 1e-4
    assert "a - b depends on g" in str(grouped)
    evaluation = rl.evaluate(rl.ScoreTable(y, {"a": a}, groups={"g": group}), by="g")
    assert evaluation.homogeneity[0].pvalue < 1e-4


def test_homogeneity_of_equal_and_of_perfect_groups():
    y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.9]
    twice = rl.ScoreTable(y * 2, {"a": s * 2}, groups={"g": list("xxxxxxyyyyyy")})
    [same] = rl.evaluate(twice, by="g").homogeneity
    assert (same.statistic, same.pvalue, same.df, same.n_groups) == (0, 1, 1, 2)
    perfect = rl.ScoreTable(y * 2, {"a": s + y}, groups={"g": list("xxxxxxyyyyyy")})
    [found] = rl.evaluate(perfect, by="g").homogeneity
    assert 0 < found.pvalue < 1
    assert rl.evaluate(twice).homogeneity == ()
    one = rl.ScoreTable(y, {"a": s}, groups={"g": ["x"] * 6})
    assert math.isnan(rl.evaluate(one, by="g").homogeneity[0].pvalue)


def test_homogeneity_does_not_depend_on_the_confidence_level():
    tests = [
        rl.evaluate(TABLE, by="site", confidence_level=level).homogeneity[0].pvalue
        for level in (0.5, 0.95, 0.999)
    ]
    assert tests == pytest.approx([tests[0]] * 3)


def test_homogeneity_of_large_groups_agrees_with_the_test_of_two_samples():
    rng = np.random.default_rng(5)
    y = np.arange(4000) % 2
    table = rl.ScoreTable(
        y, {"a": 1.1 * y + rng.normal(size=4000)}, groups={"g": np.repeat(["x", "y"], 2000)}
    )
    for method in ("auto", "delong"):
        [found] = rl.evaluate(table, by="g", method=method).homogeneity
        parts = table.split("g")
        expected = rl.compare_independent_auc(parts["x"]["a"], parts["y"]["a"], method="delong")
        assert found.pvalue == pytest.approx(expected.pvalue, rel=0.03)


@pytest.mark.slow
def test_tests_across_small_groups_hold_their_level():
    rng = np.random.default_rng(1)
    reject = {"homogeneity": 0, "interaction": 0}
    sizes, runs = ((10, 10), (10, 40), (60, 30)), 400
    y = np.concatenate([np.repeat([1, 0], pair) for pair in sizes])
    group = np.repeat(["x", "y", "z"], [sum(pair) for pair in sizes])
    for _ in range(runs):
        common = rng.normal(size=len(y))
        scores = {name: 1.2 * y + common + rng.normal(size=len(y)) for name in "ab"}
        table = rl.ScoreTable(y, scores, groups={"g": group})
        reject["homogeneity"] += rl.evaluate(table, by="g").homogeneity[0].pvalue < 0.05
        reject["interaction"] += rl.compare(table, by="g").interactions[0].pvalue < 0.05
    # 0.075 plus two standard errors of a share of 400
    assert max(reject.values()) < runs * 0.1
    assert min(reject.values()) > 0


def test_groups_in_which_models_agree_do_not_count_for_a_measure_without_bounds():
    """Their differences are not bounded: they say nothing about an interaction."""
    rng = np.random.default_rng(0)
    y, site = np.arange(60) % 3 == 0, np.repeat(["x", "y", "z"], 20)
    columns = {name: np.where(y, 0.8, 0.1) + 0.1 * rng.random(60) for name in "ab"}
    columns["b"][site != "x"] = rng.random(40)
    table = rl.ScoreTable(y, columns, groups={"site": site})
    with pytest.warns(rl.DegenerateIntervalWarning):
        found = rl.compare(table, measure="lift_at(share=0.3)", by="site", rng=0, n_resamples=60)
    assert found.parts["x"].pairs[0].high == np.inf
    assert found.interactions[0].n_groups == 2
