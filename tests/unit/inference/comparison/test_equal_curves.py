"""`compare_roc`: against the sum over subjects, all permutations, invariances and level."""

import itertools
import math

import numpy as np
import pytest
import reference_comparison

import roclab as rl
from roclab.inference import compare_independent_roc, compare_roc


def drawn(seed=0, n=24, decimals=None):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    a, b = rng.normal(size=n) + y, rng.normal(size=n) + 2 * y
    return (y, a, b) if decimals is None else (y, np.round(a, decimals), np.round(b, decimals))


@pytest.mark.parametrize("seed", range(4))
def test_the_statistic_is_that_of_venkatraman_and_begg(seed):
    y, a, b = drawn(seed)
    found = compare_roc(y, a, b, n_resamples=1, rng=0)
    expected = reference_comparison.equal_curves_statistic(y, a, b)
    assert found.statistic * len(y) ** 2 == pytest.approx(expected, rel=1e-12)
    assert (found.method, found.paired) == ("venkatraman_begg", True)


def test_the_p_value_is_the_share_of_all_permutations():
    y, a, b = drawn(1, n=8)
    ranks = [np.argsort(np.argsort(scores)) for scores in (a, b)]
    values = []
    for swap in itertools.product([False, True], repeat=len(y)):
        pair = np.where(swap, ranks[1], ranks[0]), np.where(swap, ranks[0], ranks[1])
        values.append(compare_roc(y, *pair, n_resamples=1, rng=0).statistic)
    observed = compare_roc(y, a, b, n_resamples=4000, rng=0)
    share = np.mean(np.array(values) >= observed.statistic - 1e-12)
    assert observed.pvalue == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 4000))


@pytest.mark.parametrize("decimals", [None, 0])
def test_scales_order_of_rows_and_reversal_do_not_matter(decimals):
    y, a, b = drawn(2, decimals=decimals)
    found = compare_roc(y, a, b, n_resamples=99, rng=0)
    assert found == compare_roc(y, np.exp(a), 5 * b - 3, n_resamples=99, rng=0)
    others = [
        compare_roc(y, b, a, n_resamples=99, rng=0),
        compare_roc(~y, -a, -b, n_resamples=99, rng=0),
    ]
    others.append(compare_roc(y[::-1], a[::-1], b[::-1], n_resamples=99, rng=0))
    for other in others:
        assert other.statistic == pytest.approx(found.statistic, rel=1e-12)
        assert other.pvalue == pytest.approx(found.pvalue, abs=0.2)


def test_equal_rankings_have_the_largest_p_value():
    y, a, _ = drawn()
    for found in (
        compare_roc(y, a, np.exp(a), n_resamples=50, rng=0),
        compare_independent_roc(rl.Ranking(y, a), rl.Ranking(y, 3 * a), n_resamples=50, rng=0),
    ):
        assert (found.statistic, found.pvalue) == (0, 1)


def test_curves_that_cross_differ_although_their_areas_do_not():
    rng = np.random.default_rng(3)
    y = np.arange(400) % 2
    narrow = 1.0 * y + rng.normal(size=400)
    wide = math.sqrt(26 / 2) * y + np.where(y == 1, 5, 1) * rng.normal(size=400)
    assert rl.compare_auc(y, narrow, wide).pvalue > 0.05
    assert compare_roc(y, narrow, wide, n_resamples=199, rng=0).pvalue < 0.02
    first, second = rl.Ranking(y, narrow), rl.Ranking(y[::2], wide[::2])
    assert (second.n_pos, second.n_neg) == (0, 200)
    second = rl.Ranking(y[:300], wide[:300])
    found = compare_independent_roc(first, second, n_resamples=199, rng=0)
    assert found.pvalue < 0.05
    assert (found.n_pos, found.n_pos_b, found.method) == (200, 150, "venkatraman")


def test_the_unpaired_statistic_is_the_area_between_curves_by_share_called():
    (y, a, _), (z, _, b) = drawn(4), drawn(5, n=30)
    found = compare_independent_roc(rl.Ranking(y, a), rl.Ranking(z, b), n_resamples=1, rng=0)
    share = (y.sum() + z.sum()) / 54
    curves = [rl.roc_curve(y, a), rl.roc_curve(z, b)]
    grid = np.linspace(0, 1, 20_001)
    rates = [
        np.interp(grid, share * curve.tpr + (1 - share) * curve.fpr, curve.tpr) for curve in curves
    ]
    expected = 2 * share * np.mean(np.abs(rates[0] - rates[1]))
    assert found.statistic == pytest.approx(expected, rel=0.05)


@pytest.mark.filterwarnings("error")
def test_what_is_undefined_or_refused():
    with pytest.warns(rl.UndefinedMeasureWarning, match="both classes"):
        assert math.isnan(compare_roc([1, 1], [1, 2], [2, 1]).pvalue)
    one, both = rl.Ranking([1, 1], [1, 2]), rl.Ranking([0, 1], [1, 2])
    with pytest.warns(rl.UndefinedMeasureWarning, match="both classes"):
        assert math.isnan(compare_independent_roc(one, both).statistic)
    weighted = rl.Ranking([0, 1], [1, 2], sample_weight=[1, 2])
    with pytest.raises(rl.InputError, match="sample_weight"):
        compare_independent_roc(weighted, both)


@pytest.mark.slow
@pytest.mark.parametrize("paired", [True, False])
def test_it_holds_its_level(paired):
    rng = np.random.default_rng(7)
    runs, rejected = 300, 0
    y = np.arange(60) % 3 == 0
    for run in range(runs):
        common = rng.normal(size=60)
        a, b = (np.round(y + common + rng.normal(size=60), 1) for _ in range(2))
        if paired:
            found = compare_roc(y, a, b, n_resamples=99, rng=run)
        else:
            b = np.round(y + 1.4 * rng.normal(size=60), 1)
            found = compare_independent_roc(
                rl.Ranking(y, a), rl.Ranking(y, b), n_resamples=99, rng=run
            )
        rejected += found.pvalue <= 0.05
    assert rejected <= runs * (0.05 + 3 * math.sqrt(0.05 * 0.95 / runs))
