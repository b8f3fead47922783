"""The studentized permutation test: where it is chosen, its exchanges, and its interval."""

import itertools
import math

import numpy as np
import pytest

import roclab as rl
from roclab import _core
from roclab.inference.comparison.paired import difference_of
from roclab.inference.comparison.permutation import samples_exchanged, twice_midranks
from roclab.inference.comparison.small_samples import Mover
from roclab.inference.comparison.studentized import EXCHANGES, StudentizedPermutation
from roclab.inference.estimation.delong import joint_estimate
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.numeric.distributions import normal_cdf, normal_quantile

NAME = "studentized_permutation"
DRAWS = 20_000


def sample(n_pos=30, n_neg=30, seed=0, shift=(1.0, 2.0), decimals=None):
    rng = np.random.default_rng(seed)
    labels = np.repeat([1, 0], [n_pos, n_neg])
    common = rng.normal(size=len(labels))
    scores = [common + rng.normal(size=len(labels)) + one * labels for one in shift]
    return labels, *(scores if decimals is None else [one.round(decimals) for one in scores])


def delong(labels, *columns):
    """AUCs, their variances and that of the difference, of rows if there are two columns."""
    placed = []
    for scores in columns:
        wins = np.subtract.outer(scores[labels == 1], scores[labels == 0])
        placed.append(((wins > 0) + 0.5 * (wins == 0)).astype(float))
    variances = [
        sum(np.var(one.mean(axis=axis), ddof=1) / one.shape[1 - axis] for axis in (0, 1))
        for one in placed
    ]
    apart = placed[0] - placed[-1]
    between = sum(np.var(apart.mean(axis=axis), ddof=1) / apart.shape[1 - axis] for axis in (0, 1))
    return [one.mean() for one in placed], variances, between


def distance(aucs, variances, between, sizes):
    """Statistic of `Mover` at 0, without its sign."""
    estimates = [
        Estimate(measure="auc", value=auc, variance=v, pos=p, neg=n, n_pos=p, n_neg=n)
        for auc, v, (p, n) in zip(aucs, variances, sizes, strict=True)
    ]
    mover = Mover(first=estimates[0], second=estimates[1], variance=between, two_sided=True)
    return abs(mover.statistic(0.0)), mover.setting


def check_share(reaching, exact):
    """The share of draws that reach each distance is that of all exchanges."""
    for least in np.quantile(exact, [0.2, 0.5, 0.8, 0.95]):
        share = np.mean(np.array(exact) >= least - 1e-9)
        found = reaching(least - 1e-9)
        assert found / DRAWS == pytest.approx(share, abs=4 * math.sqrt(0.25 / DRAWS))


@pytest.mark.parametrize("decimals", [None, 0])
def test_exchanged_ranks_of_rows(decimals):
    labels, a, b = sample(4, 5, seed=1, decimals=decimals)
    ranks = [np.array([(x < one).sum() + (x <= one).sum() for one in x]) for x in (a, b)]
    exact = []
    for swaps in itertools.product([False, True], repeat=len(labels)):
        columns = np.where(swaps, ranks[::-1], ranks)
        found, setting = distance(*delong(labels, *columns), [(4, 5)] * 2)
        exact.append(found)
    midranks = [twice_midranks(rl.Ranking(labels, scores)) for scores in (a, b)]
    together = np.concatenate(midranks).astype(np.uint32)
    drawn = _core.PairExchanges(labels.astype(np.uint8), together, 3, DRAWS)

    def reaching(distance):
        constants = setting.correlation, setting.weight
        count, draws = drawn.reaching(0, 1, *constants, distance, DRAWS + 1)
        assert draws == DRAWS
        enough, fewer = drawn.reaching(0, 1, *constants, distance, 50)
        assert (enough, fewer < draws) == (50, True)
        return count

    check_share(reaching, exact)


@pytest.mark.parametrize("decimals", [None, 0])
def test_exchanged_ranks_of_samples(decimals):
    first, second = (sample(3, n_neg, seed=n_neg, decimals=decimals)[:2] for n_neg in (4, 3))
    labels = np.concatenate([first[0], second[0]])
    ranks = np.concatenate(
        [
            [sum((x[y == k] < one).mean() + (x[y == k] <= one).mean() for k in (0, 1)) for one in x]
            for y, x in (first, second)
        ]
    ).round(9)
    pos, neg = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    exact = []
    for of_pos, of_neg in itertools.product(
        itertools.combinations(pos, 3), itertools.combinations(neg, 4)
    ):
        chosen = np.isin(np.arange(len(labels)), [*of_pos, *of_neg])
        parts = [delong(labels[rows], ranks[rows]) for rows in (chosen, ~chosen)]
        aucs, variances = ([part[k][0] for part in parts] for k in (0, 1))
        found, setting = distance(aucs, variances, sum(variances), [(3, 4), (3, 3)])
        exact.append(found)
    permuter = samples_exchanged(rl.Ranking(*first), rl.Ranking(*second))
    constants = setting.correlation, setting.weight
    check_share(lambda distance: permuter.reaching(3, DRAWS, 1, *constants, distance), exact)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "method"),
    [
        (30, 30, NAME),
        (45, 30, NAME),
        (99, 99, NAME),
        (29, 30, "mover"),
        (30, 46, "mover"),
        (100, 100, "mover"),
    ],
)
def test_chosen_with_few_examples_of_balanced_classes(n_pos, n_neg, method):
    labels, a, b = sample(n_pos, n_neg)
    found = rl.compare_auc(labels, a, b)
    assert found.method == method
    if method == NAME:
        assert 100 <= found.n_resamples <= EXCHANGES
        assert (found.n_resamples == EXCHANGES) == (found.pvalue < 0.05)
    else:
        assert found.n_resamples is None
    samples = rl.Ranking(labels, a), rl.Ranking(labels, b)
    assert rl.compare_independent_auc(*samples).method == method
    (pair,) = rl.compare(rl.ScoreTable(labels, {"a": a, "b": b})).pairs
    assert (pair.method, pair.pvalue, pair.low) == (method, found.pvalue, found.low)


def test_not_chosen_without_exchangeable_examples():
    labels, a, b = sample()
    assert rl.compare_auc(labels, a, b, alternative="noninferior", margin=0.1).method == "mover"
    assert rl.compare_auc(labels, a, b, sample_weight=np.arange(1, 61)).method == "mover"
    assert rl.compare_auc(labels, a, b, cluster=np.arange(60) // 2).method == "mover"
    assert rl.compare_auc(labels, a.round(), b).method == "mover"
    first, second = rl.Ranking(labels, a), rl.Ranking(labels, b)
    assert rl.compare_independent_auc(first.summary, second.summary).method == "mover"
    assert rl.compare_independent_auc(first, rl.Ranking(*sample(46, 46)[:2])).method == "mover"
    assert rl.compare_auc(labels, a, a).method == "agreement"


@pytest.mark.parametrize(("shift", "method"), [((2.0, 4.0), NAME), ((3.6, 5.0), "mover")])
def test_not_chosen_where_a_nearly_perfect_model_cannot_be_known(shift, method):
    """A model that fails in one of 11 examples looks perfect in 30 with probability 0.06."""
    labels, a, b = sample(shift=shift)
    found = rl.compare_auc(labels, a, b)
    assert (found.value_a**30 <= 0.05) == (method == NAME)
    assert found.value_a < found.value_b
    assert found.method == method
    assert rl.compare_auc(labels, -a, -b).method == method
    samples = rl.Ranking(labels, a), rl.Ranking(labels, b)
    assert rl.compare_independent_auc(*samples).method == method


@pytest.mark.parametrize(("tied", "method"), [(6, NAME), (7, "mover")])
def test_not_chosen_where_many_rows_have_the_same_score(tied, method):
    """Exchanges of ranks would break the ties of a spike, which has another rank in each model."""
    labels, a, b = sample()
    spiked = np.where(np.argsort(np.argsort(a)) < tied, -9.0, a)
    assert rl.compare_auc(labels, spiked, b).method == method
    assert rl.compare_auc(labels, b, spiked).method == method


def test_a_pair_alone_has_the_p_value_that_it_has_among_others():
    labels, a, b = sample(40, 50)
    rng = np.random.default_rng(8)
    others = {f"m{number}": a + rng.normal(size=90) for number in range(4)}
    comparison = rl.compare(rl.ScoreTable(labels, {**others, "a": a, "b": b}))
    for pair in comparison.pairs:
        columns = others | {"a": a, "b": b}
        alone = rl.compare_auc(labels, columns[pair.model_a], columns[pair.model_b])
        assert (alone.method, alone.pvalue) == (NAME, pair.pvalue)
        assert (alone.low, alone.high) == (pair.low, pair.high)


def test_depends_on_ranks_alone():
    labels, a, b = sample()
    found = rl.compare_auc(labels, a, b)
    order = np.random.default_rng(5).permutation(60)
    assert rl.compare_auc(labels[order], a[order], b[order]) == found
    assert rl.compare_auc(labels, np.exp(a), b**3).pvalue == found.pvalue
    swapped = rl.compare_auc(labels, b, a)
    assert (swapped.pvalue, swapped.low) == (found.pvalue, pytest.approx(-found.high))
    first, second = rl.Ranking(labels, a), rl.Ranking(*sample(40, 35, seed=2)[:2])
    found = rl.compare_independent_auc(first, second)
    assert found.method == NAME
    assert rl.compare_independent_auc(second, first).pvalue == found.pvalue
    moved = rl.Ranking(labels, np.exp(a))
    assert rl.compare_independent_auc(moved, second).pvalue == found.pvalue


def test_recorded_values():
    """Found with this function when it was written: the seed is part of the method."""
    labels, a, b = sample()
    found = rl.compare_auc(labels, a, b)
    expected = 0.06344221105527642, -0.2856279041343014, 0.007707090083592383
    assert (found.pvalue, found.low, found.high) == pytest.approx(expected)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_interval_excludes_0_if_and_only_if_the_test_rejects(alternative):
    rejected = 0
    for seed, level in itertools.product(range(25), (0.8, 0.9, 0.95, 0.99)):
        labels, a, b = sample(seed=seed, shift=(1.0, 1.8))
        found = rl.compare_auc(labels, a, b, alternative=alternative, confidence_level=level)
        assert found.method == NAME
        excluded = not found.low <= 0 <= found.high
        assert excluded == (found.pvalue < 1 - level)
        rejected += excluded
    assert (rejected == 0) == (alternative == "greater")


def evidence(reached, difference=0.1):
    labels, a, b = sample(shift=(2.5, 1.5))
    joint = joint_estimate({"a": rl.Ranking(labels, a), "b": rl.Ranking(labels, b)})
    models = (0, 1) if difference > 0 else (1, 0)
    mover = difference_of(joint, *models).auto("two-sided")
    assert isinstance(mover, Mover)
    assert mover.difference * difference > 0
    return StudentizedPermutation(mover=mover, reached=reached)


@pytest.mark.parametrize("difference", [0.1, -0.1])
@pytest.mark.parametrize("reached", [0, 3, 40, 200, 1000, 1900, 2000])
def test_p_values_at_the_limits_are_the_error_rate(reached, difference):
    found = evidence(reached, difference)
    for error in (0.2, 0.05, 0.025, 0.005):
        assert found.above(found.low(error)) == pytest.approx(error)
        assert found.below(found.high(error)) == pytest.approx(error)
    nulls = np.linspace(-0.5, 0.5, 101)
    assert (np.diff([found.statistic(null) for null in nulls]) <= 1e-9).all()
    far = found.high if difference > 0 else found.low
    assert far(0.05) == (found.mover.high if difference > 0 else found.mover.low)(0.05)


def test_pvalue_counts_the_data_as_one_exchange():
    found = evidence(40)
    assert 2 * found.above(0.0) == pytest.approx(41 / (EXCHANGES + 1))
    assert found.statistic(0.0) == pytest.approx(-normal_quantile(41 / (EXCHANGES + 1) / 2))


def test_beyond_all_exchanges_mover_says_how_far():
    labels, a, b = sample(60, 60, shift=(0.0, 4.0))
    found = rl.compare_auc(labels, a, b)
    assert found.method == NAME
    assert found.pvalue < 1e-6
    assert 2 * evidence(0).above(0.0) == pytest.approx(1 / (EXCHANGES + 1))
    assert normal_cdf(-found.statistic) == pytest.approx(1 - found.pvalue / 2)
