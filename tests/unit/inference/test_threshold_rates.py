"""`evaluate(threshold=)`: rates of models at a threshold, by group, and tests between groups."""

import itertools
import json
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import roclab as rl
from roclab.inference.comparison.homogeneity import equal_rates

RATES = ("sensitivity", "specificity", "ppv", "npv", "called_positive")
Y = np.array([0, 1, 0, 1, 0, 1, 1, 0, 1, 0])
A = np.array([0.1, 0.4, 0.4, 0.8, 0.5, 0.2, 0.9, 0.5, 0.5, 0.7])
B = np.array([4, 3, 2, 1, 4, 3, 2, 1, 3, 3])
WEIGHTS = np.array([1, 2, 0, 4, 0.5, 1, 1, 3, 2, 1])
REGION = np.array(["south", "south", "north", "north", "south", "south", "north", "north"] * 2)[:10]


def table(weight=None):
    return rl.ScoreTable(Y, {"a": A, "b": B}, sample_weight=weight, groups={"region": REGION})


def written(rates):
    """Intervals with every digit; nan is equal to nan."""
    return {name: repr(one.to_dict()) for name, one in rates.items()}


def in_a_loop(scores, by, thresholds, **options):
    """The rates of each group and model, one call for each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            rl.operating_point_interval(part[model], threshold=thresholds[model], **options).rates
            for part in scores.split(by).values()
            for model in part.names
        ]


@pytest.mark.parametrize("weight", [None, WEIGHTS])
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_rates_are_those_of_a_loop_over_the_groups(weight, level):
    scores, thresholds = table(weight), {"a": 0.5, "b": 3}
    options = {"threshold": thresholds, "confidence_level": level, "rng": 0}
    evaluation = rl.evaluate(scores, by="region", **options)
    expected = in_a_loop(scores, "region", thresholds, confidence_level=level)
    for row, rates in zip(evaluation.rows, expected, strict=True):
        assert row.threshold == thresholds[row.model]
        assert written(row.rates) == written({name: rates[name] for name in RATES})
    # Without groups, and the rest as without a threshold.
    whole = rl.evaluate(scores, **options)
    assert [row.rates["ppv"] for row in whole.rows] == [
        rl.operating_point_interval(
            scores[model], threshold=thresholds[model], confidence_level=level
        ).rates["ppv"]
        for model in "ab"
    ]
    assert whole.rate_homogeneity == ()
    plain = rl.evaluate(scores, by="region", confidence_level=level)
    for before, row in zip(plain.rows, evaluation.rows, strict=True):
        assert written({"auc": before.interval}) == written({"auc": row.interval})
    assert plain.homogeneity == evaluation.homogeneity


@given(
    st.lists(
        st.tuples(
            st.booleans(), st.integers(0, 4), st.sampled_from("uvw"), st.sampled_from([0, 0.5, 3])
        ),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from([-math.inf, 0, 2, 2.5, 4, 5, math.inf]),
    st.booleans(),
)
def test_counts_with_ties_weights_and_missing_classes(rows, threshold, weighted):
    y, s, g, w = (np.array(column) for column in zip(*rows, strict=True))
    w = w if weighted else np.ones(len(y))
    scores = rl.ScoreTable(y, {"m": s}, groups={"g": g}, sample_weight=w if weighted else None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.RoclabWarning)
        evaluation = rl.evaluate(scores, by="g", threshold=threshold, rng=0, n_resamples=9)
    called = s >= threshold
    for row in evaluation.rows:
        inside = g == row.group
        for name, part, among in (
            ("sensitivity", called, y),
            ("specificity", ~called, ~y),
            ("ppv", y, called),
            ("npv", ~y, ~called),
            ("called_positive", called, np.ones(len(y), bool)),
        ):
            mass = w[inside & among]
            one = row.rates[name]
            if not mass.sum():
                assert math.isnan(one.value + one.low + one.high)
                continue
            assert one.value == pytest.approx(w[inside & among & part].sum() / mass.sum())
            number = mass.sum() ** 2 / np.sum(mass**2)
            hits = one.value * number
            low = stats.beta.ppf(0.025, hits, number - hits + 1) if one.value > 1e-9 else 0
            high = stats.beta.ppf(0.975, hits + 1, number - hits) if one.value < 1 - 1e-9 else 1
            assert (one.low, one.high) == pytest.approx((low, high), abs=1e-8)
    for test in evaluation.rate_homogeneity:
        assert 0 <= test.pvalue <= 1 or (math.isnan(test.pvalue) and test.n_groups < 2)


def test_thresholds_beyond_all_scores():
    for threshold, called in ((2, 0), (math.inf, 0), (-math.inf, 1)):
        row = rl.evaluate(table(), threshold={"a": threshold, "b": 2}).rows[0]
        assert row.rates["called_positive"].value == row.rates["sensitivity"].value == called
        assert row.rates["specificity"].value == 1 - called
        assert math.isnan(row.rates["npv" if called else "ppv"].value)


def test_a_group_of_one_class_warns_once_and_has_the_other_rates():
    y = [1, 1, 1, 0, 1, 0]
    scores = rl.ScoreTable(y, {"a": [1, 2, 3, 1, 2, 3]}, groups={"g": list("uuuvvv")})
    with pytest.warns(rl.UndefinedMeasureWarning) as caught:
        evaluation = rl.evaluate(scores, by="g", threshold=2, rng=0)
    assert len(caught) == 1
    first = evaluation.rows[0].rates
    assert first["sensitivity"].value == pytest.approx(2 / 3)
    assert math.isnan(first["specificity"].value)
    assert first["called_positive"].value == pytest.approx(2 / 3)
    sensitivity, specificity = evaluation.rate_homogeneity
    assert (sensitivity.n_groups, specificity.n_groups) == (2, 1)
    assert math.isnan(specificity.pvalue)
    assert "specificity" not in "".join(
        note for note in str(evaluation).split("\n") if "At" in note
    )
    # Nothing is left to test.
    with pytest.warns(rl.UndefinedMeasureWarning):
        alone = rl.evaluate(scores.split("g")["u"], by="g", threshold=2, rng=0)
    assert math.isnan(alone.rate_homogeneity[0].pvalue)


def test_flat_in_dictionaries_and_frames_and_absent_without_a_threshold():
    evaluation = rl.evaluate(table(), by="region", threshold={"a": 0.5, "b": 3}, rng=0)
    row = evaluation.rows[1]
    names = [f"{name}{end}" for name in RATES for end in ("", "_low", "_high")]
    assert list(row.to_dict())[-len(names) - 1 :] == ["threshold", *names]
    assert row.to_dict()["ppv_low"] == row.rates["ppv"].low < row.rates["ppv"].value
    for frame in (evaluation.to_pandas(), evaluation.to_polars()):
        assert list(frame["called_positive_high"]) == [
            one.rates["called_positive"].high for one in evaluation.rows
        ]
        assert list(frame["threshold"]) == [0.5, 3, 0.5, 3]
    assert [one["rate"] for one in evaluation.to_dict()["rate_homogeneity"]] == [
        *("sensitivity", "specificity"),
        *("sensitivity", "specificity"),
    ]
    plain = rl.evaluate(table(), by="region")
    assert not {"threshold", *names} & set(plain.rows[0].to_dict())
    assert "rate_homogeneity" not in plain.to_dict()
    assert list(plain.homogeneity[0].to_dict()) == [
        "model",
        "statistic",
        "df",
        "pvalue",
        "n_groups",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": math.nan}, r"threshold=nan is not a number\. Pass a number"),
        ({"threshold": "youden"}, "threshold='youden' is not a number"),
        ({"threshold": {"a": 0.5, "b": math.nan}}, "Model 'b': threshold=nan is not a number"),
        ({"threshold": {"a": 0.5}}, "threshold has no value for b; .* for each model: a, b"),
        ({"threshold": {"a": 1, "b": 2, "c": 3}}, "threshold names unknown models: c; .*: a, b"),
        ({"threshold": {}}, "threshold has no value for a, b"),
        (
            {"threshold": 0.5, "cluster": "region"},
            r"threshold=0\.5 cannot be combined with cluster='region'; .* independent rows",
        ),
        ({"threshold": 0.5, "stratum": "region"}, "combined with stratum='region'; .* independent"),
        ({"threshold": 0.5, "fold": "region"}, "combined with fold='region'; .* independent rows"),
        ({"threshold": 0.5, "alternative": "less"}, "combined with alternative='less'; .* two-sid"),
        ({"threshold": 0.5, "confidence_level": 1}, "confidence_level=1 is out of range"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(rl.InputError, match=message):
        rl.evaluate(table(), **options)


def shares(hits, sizes):
    return [(hit / size if size else math.nan, size) for hit, size in zip(hits, sizes, strict=True)]


def homogeneity_of(hits, sizes, *, counted=True, n_resamples=2000):
    return equal_rates(
        "m", "sensitivity", shares(hits, sizes), counted=counted, n_resamples=n_resamples, seed=0
    )


@pytest.mark.parametrize(
    ("hits", "sizes"), [((30, 50), (100, 90)), ((30, 50, 71), (100, 90, 91)), ((9, 9), (50, 20))]
)
def test_chi_square_is_that_of_scipy(hits, sizes):
    counts = np.array([hits, np.subtract(sizes, hits)])
    expected = stats.chi2_contingency(counts, correction=False)
    found = homogeneity_of(hits, sizes)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.df == expected.dof
    assert (found.method == "chi_square") == (expected.expected_freq.min() >= 5)
    if found.method == "chi_square":
        assert found.pvalue == pytest.approx(expected.pvalue)
        assert found.n_resamples is None
    # Effective numbers have no permutations.
    assert homogeneity_of(hits, sizes, counted=False).pvalue == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(
    ("hits", "sizes"), [((1, 7), (8, 8)), ((0, 3, 5), (4, 5, 6)), ((7, 1), (200, 3))]
)
def test_few_examples_are_permuted(hits, sizes):
    """Against all tables with the same margins, by their hypergeometric probability."""
    total, called = sum(sizes), sum(hits)

    def statistic(counts):
        both = np.array([counts, np.subtract(sizes, counts)])
        return stats.chi2_contingency(both, correction=False).statistic

    exact = 0.0
    for counts in itertools.product(*(range(size + 1) for size in sizes)):
        if sum(counts) == called and statistic(counts) >= statistic(hits) - 1e-9:
            ways = (math.comb(size, count) for size, count in zip(sizes, counts, strict=True))
            exact += math.prod(ways) / math.comb(total, called)
    found = homogeneity_of(hits, sizes, n_resamples=40_000)
    assert (found.method, found.n_resamples) == ("permutation", 40_000)
    assert found.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact / 40_000))


def test_permutations_hold_the_level_in_small_groups():
    """The exact probability, over all outcomes of 4, 5 and 6 examples, of p <= 0.05."""
    sizes = (4, 5, 6)
    pvalues = {
        hits: homogeneity_of(hits, sizes, n_resamples=999).pvalue
        for hits in itertools.product(*(range(size + 1) for size in sizes))
    }
    for rate in (0.1, 0.3, 0.5, 0.8):
        rejected = sum(
            math.prod(stats.binom.pmf(hits, sizes, rate))
            for hits, pvalue in pvalues.items()
            if pvalue <= 0.05
        )
        assert rejected <= 0.05


def test_equal_rates_and_missing_groups():
    equal = homogeneity_of((5, 10), (10, 20))
    assert (equal.statistic, equal.pvalue) == (0, 1)
    assert homogeneity_of((0, 0), (3, 4)).pvalue == 1
    assert homogeneity_of((3, 4), (3, 4)).pvalue == 1
    skipped = homogeneity_of((30, 0, 50), (100, 0, 90))
    assert (skipped.n_groups, skipped.df) == (2, 1)
    assert skipped.pvalue == homogeneity_of((30, 50), (100, 90)).pvalue
    assert math.isnan(homogeneity_of((), ()).pvalue)


@pytest.mark.parametrize("value", [1 - 2**-52, 1e-60])
def test_rates_that_differ_by_rounding_alone(value):
    found = equal_rates(
        "m",
        "sensitivity",
        [(round(value), 1000.0), (value, 1.0)],
        counted=False,
        n_resamples=9,
        seed=0,
    )
    assert found.pvalue == pytest.approx(1)


def test_many_groups_are_permuted_in_chunks(monkeypatch):
    hits, sizes = (0, 3, 5, 1), (4, 5, 6, 7)
    whole = homogeneity_of(hits, sizes, n_resamples=500)
    monkeypatch.setattr("roclab.inference.comparison.homogeneity._CHUNK", 4 * 33)
    assert homogeneity_of(hits, sizes, n_resamples=500) == whole


def test_weights_of_one_size_count_as_examples():
    rng = np.random.default_rng(1)
    y, g = rng.random(400) < 0.5, rng.integers(0, 3, 400)
    s = np.round(y + rng.normal(size=400) + g / 2, 1)
    plain = rl.ScoreTable(y, {"m": s}, groups={"g": g})
    heavy = rl.ScoreTable(y, {"m": s}, groups={"g": g}, sample_weight=np.full(400, 2.5))
    for one, other in zip(
        rl.evaluate(plain, by="g", threshold=0.5).rate_homogeneity,
        rl.evaluate(heavy, by="g", threshold=0.5).rate_homogeneity,
        strict=True,
    ):
        inside = y if one.rate == "sensitivity" else ~y
        counts = [
            [np.sum((s >= 0.5) & inside & (g == at)), np.sum((s < 0.5) & inside & (g == at))]
            for at in range(3)
        ]
        expected = stats.chi2_contingency(counts, correction=False)
        assert (one.statistic, one.pvalue) == pytest.approx((expected.statistic, expected.pvalue))
        assert (other.statistic, other.pvalue) == pytest.approx((one.statistic, one.pvalue))


def test_the_notes_say_whether_rates_depend_on_the_group():
    y = np.tile([0, 1], 200)
    g = np.repeat(["north", "south"], 200)
    s = np.where((g == "south") & (y == 1) & (np.arange(400) % 8 < 5), 0.2, 0.3 + 0.4 * y)
    evaluation = rl.evaluate(
        rl.ScoreTable(y, {"m": s}, groups={"region": g}), by="region", threshold=0.5
    )
    text = str(evaluation)
    assert "At the threshold 0.5, with 95 % Clopper-Pearson intervals" in text
    assert "At the threshold 0.5 sensitivity depends on region: chi-square " in text
    assert "At the threshold 0.5 no difference in specificity between groups of region" in text
    assert "1.00 [0.96, 1.00]" in text
    assert repr(evaluation.rate_homogeneity[1]) == (
        "RateHomogeneity(specificity of m in 2 groups: chi-square test, p = 1)"
    )
    both = rl.evaluate(table(), by="region", threshold={"a": 0.5, "b": 3}, rng=0)
    assert "At the thresholds of the models, with" in str(both)
    assert "between groups of region was found: a (chi-square" in str(both)
    json.dumps(both.to_dict())


def test_the_random_state_decides_the_permutations():
    options = {"by": "region", "threshold": 0.5}
    one = rl.evaluate(table(), **options, rng=3)
    assert one.rate_homogeneity == rl.evaluate(table(), **options, rng=3).rate_homogeneity
    assert one.rate_homogeneity[0].method == "permutation"
    alone = rl.ScoreTable(Y, {"b": B}, groups={"region": REGION})
    both = rl.evaluate(table(), by="region", threshold=3, rng=3).rate_homogeneity
    assert rl.evaluate(alone, by="region", threshold=3, rng=3).rate_homogeneity == both[2:]
    fewer = rl.evaluate(table(), **options, n_resamples=99).rate_homogeneity[0]
    assert fewer.n_resamples == 99


def test_an_empty_table_has_no_rates():
    empty = rl.ScoreTable(np.zeros(0, bool), {"a": np.zeros(0)}, groups={"g": []})
    evaluation = rl.evaluate(empty, by="g", threshold=0.5)
    assert evaluation.rows == evaluation.rate_homogeneity == ()
    assert "threshold" not in str(evaluation)
