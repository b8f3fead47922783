"""Do tests reject a true hypothesis as often as they say, and a false one more often?

Binormal scores, fixed seeds, tests at 0.05. Expected rates are those of 20,000 runs (5,000 where
replicates are drawn), found with the functions below; a rate p of n runs has the standard error
sqrt(p (1 - p) / n), and four of those of the difference are tolerated. Each is also checked to be
what the nominal level allows: DeLong's test of one small sample is known to be too eager.
"""

import math

import numpy as np
import pytest
from scipy.special import ndtri

import roclab as rl
from roclab.inference.comparison.paired import compare_auc
from roclab.inference.comparison.pairwise import compare
from roclab.inference.comparison.unpaired import compare_independent_auc, compare_to_value

pytestmark = pytest.mark.filterwarnings("ignore::roclab.DegenerateIntervalWarning")

RUNS = 1000


def samples(n_pos, n_neg, aucs, *, runs=RUNS, correlation=0.5, levels=None):
    """Labels and a column of scores for each AUC, many times over."""
    rng = np.random.default_rng([n_pos, n_neg, *(int(1000 * auc) for auc in aucs)])
    labels = np.repeat([True, False], [n_pos, n_neg])
    for _ in range(runs):
        common = rng.normal(size=len(labels)) * math.sqrt(correlation)
        columns = []
        for auc in aucs:
            own = rng.normal(size=len(labels)) * math.sqrt(1 - correlation)
            scores = common + own + math.sqrt(2) * ndtri(auc) * labels
            columns.append(scores if levels is None else np.digitize(scores, levels))
        yield labels, columns


def rejected(results):
    found = [result.pvalue < 0.05 for result in results]
    return sum(found) / len(found)


def check(rate, expected, *, runs=RUNS, study=20_000):
    error = math.sqrt(expected * (1 - expected) * (1 / runs + 1 / study))
    assert abs(rate - expected) < 4 * error, (rate, expected)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "auc", "levels", "expected"),
    [
        (10, 10, 0.8, None, 0.0367),
        (20, 30, 0.7, None, 0.0503),
        (100, 100, 0.7, None, 0.0535),
        (40, 60, 0.75, [-1, 0, 1, 2], 0.0496),
    ],
)
def test_paired(n_pos, n_neg, auc, levels, expected):
    drawn = samples(n_pos, n_neg, (auc, auc), levels=levels)
    check(rejected(compare_auc(y, a, b, method="delong") for y, (a, b) in drawn), expected)


def test_paired_with_weights_that_say_nothing():
    rng = np.random.default_rng(77)
    rate = rejected(
        compare_auc(y, a, b, method="delong", sample_weight=rng.gamma(2.0, size=len(y)))
        for y, (a, b) in samples(80, 80, (0.7, 0.7))
    )
    check(rate, 0.0512)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "auc", "expected"), [(10, 10, 0.8, 0.0362), (60, 90, 0.7, 0.0512)]
)
def test_unpaired(n_pos, n_neg, auc, expected):
    rate = rejected(
        compare_independent_auc(rl.Ranking(y, a), rl.Ranking(y, b), method="delong")
        for y, (a, b) in samples(n_pos, n_neg, (auc, auc), correlation=0.0)
    )
    check(rate, expected)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "value", "delong", "score"),
    [
        (10, 10, 0.5, 0.0724, 0.0516),
        (10, 10, 0.8, 0.1087, 0.0466),
        (50, 80, 0.5, 0.0526, 0.0485),
        (50, 80, 0.8, 0.0616, 0.0348),
    ],
)
def test_one_sample(n_pos, n_neg, value, delong, score):
    drawn = list(samples(n_pos, n_neg, (value,)))
    for method, expected in (("delong", delong), ("score", score)):
        check(
            rejected(compare_to_value(y, a, value=value, method=method) for y, (a,) in drawn),
            expected,
        )


def test_alternatives():
    """At the edge of each hypothesis one test in twenty is wrong."""
    same = list(samples(60, 60, (0.7, 0.7)))
    for alternative, expected in (("less", 0.0512), ("greater", 0.0505)):
        rate = rejected(
            compare_auc(y, a, b, method="delong", alternative=alternative) for y, (a, b) in same
        )
        check(rate, expected)
    at_the_margin = list(samples(100, 100, (0.7, 0.8)))
    for alternative in ("noninferior", "equivalent"):
        rate = rejected(
            compare_auc(y, a, b, method="delong", alternative=alternative, margin=0.1)
            for y, (a, b) in at_the_margin
        )
        check(rate, 0.0515)


@pytest.mark.parametrize(
    ("method", "paired", "unpaired"),
    [("permutation", 0.046, 0.043), ("bootstrap", 0.0452, 0.0404)],
)
def test_resampling(method, paired, unpaired):
    runs, options = 400, {"method": method, "n_resamples": 199}
    rate = rejected(
        compare_auc(y, a, b, rng=number, **options)
        for number, (y, (a, b)) in enumerate(samples(20, 30, (0.7, 0.7), runs=runs))
    )
    check(rate, paired, runs=runs, study=5000)
    rate = rejected(
        compare_independent_auc(rl.Ranking(y, a), rl.Ranking(y, b), rng=number, **options)
        for number, (y, (a, b)) in enumerate(
            samples(20, 30, (0.7, 0.7), runs=runs, correlation=0.0)
        )
    )
    check(rate, unpaired, runs=runs, study=5000)


def test_permutation_of_labels():
    rate = rejected(
        compare_to_value(y, a, method="permutation", n_resamples=199, rng=number)
        for number, (y, (a,)) in enumerate(samples(8, 12, (0.5,), runs=400))
    )
    check(rate, 0.0402, runs=400, study=5000)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "auc"), [(10, 10, 0.8), (10, 100, 0.6), (10, 100, 0.95), (30, 30, 0.95)]
)
def test_defaults_hold_their_level_in_small_samples(n_pos, n_neg, auc):
    """At most 0.075, and three standard errors of 1,000 runs."""
    pairs = list(samples(n_pos, n_neg, (auc, auc)))
    most = 0.075 + 3 * math.sqrt(0.075 * 0.925 / RUNS)
    for alternative in ("two-sided", "less", "greater"):
        side = {"alternative": alternative}
        assert rejected(compare_auc(y, a, b, **side) for y, (a, b) in pairs) < most
        assert rejected(compare_to_value(y, a, value=auc, **side) for y, (a, _) in pairs) < most
    margin = {"alternative": "noninferior", "margin": 0.1}
    lower = samples(n_pos, n_neg, (auc - 0.1, auc))
    assert rejected(compare_auc(y, a, b, **margin) for y, (a, b) in lower) < most


def test_power():
    """AUC 0.7 against 0.8 with 100 of each class; pairing is worth a lot."""
    paired = rejected(
        compare_auc(y, a, b, method="delong")
        for y, (a, b) in samples(100, 100, (0.7, 0.8), runs=500)
    )
    check(paired, 0.8013, runs=500, study=4000)
    unpaired = rejected(
        compare_independent_auc(rl.Ranking(y, a), rl.Ranking(y, b), method="delong")
        for y, (a, b) in samples(100, 100, (0.7, 0.8), runs=500, correlation=0.0)
    )
    check(unpaired, 0.5435, runs=500, study=4000)


def test_all_models_at_once():
    """The chi-square of four models, and any false claim among their six pairs after Holm."""
    runs = 600
    omnibus = claims = 0
    for y, columns in samples(80, 80, (0.7,) * 4, runs=runs):
        table = rl.ScoreTable(y, dict(zip("abcd", columns, strict=True)))
        comparison = compare(table, method="delong")
        omnibus += comparison.omnibus.pvalue < 0.05
        claim = any(pair.adjusted_pvalue < 0.05 for pair in comparison.pairs)
        assert claim == (len(comparison.groups) > 1)
        claims += claim
    check(omnibus / runs, 0.0522, runs=runs, study=6000)
    check(claims / runs, 0.0432, runs=runs, study=6000)


def test_intervals_of_differences_cover():
    covered = 0
    for y, (a, b) in samples(40, 60, (0.7, 0.8)):
        result = compare_auc(y, a, b, method="delong")
        covered += result.low <= -0.1 <= result.high
    check(covered / RUNS, 0.9522)
