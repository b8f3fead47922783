"""The resampling engine: what is drawn, that it is drawn evenly, and that it can be drawn again."""

import numpy as np
import pytest
from scipy import stats

import roclab as rl
from roclab import _core
from roclab.inference.estimation.resampling import Draws, resample_measure, resample_values

# Around every size at which the drawing changes its way: few rows, powers of two, whole parts.
SIZES = [1, 2, 7, 48, 49, 64, 255, 256, 257, 1000, 32768, 32769, 40_000, 65536, 65537, 200_000]


def counts_of(n, replicates, seed=0, n_neg=1):
    resampler = _core.Resampler(n, n_neg, True, None, 0)
    return np.array([resampler.draw(seed, i)[:n] for i in range(replicates)])


@pytest.mark.parametrize("n", SIZES)
def test_as_many_rows_are_drawn_as_there_are(n):
    assert (counts_of(n, 20).sum(axis=1, dtype=int) == n).all()


@pytest.mark.parametrize("n", [n for n in SIZES if n > 2])
def test_every_row_is_as_likely(n):
    replicates = max(40, 400_000 // n)
    counts = counts_of(n, replicates, seed=1)
    # Each row is drawn binomially, n times of probability 1/n.
    share = stats.binom(n, 1 / n).pmf(np.arange(5))
    seen = np.bincount(counts.ravel(), minlength=6)
    expected = np.append(share, 1 - share.sum()) * counts.size
    seen = np.append(seen[:5], seen[5:].sum())
    likely = expected > 5
    # Counts of one replicate are dependent, though weakly: the test errs on the safe side.
    assert (
        stats.chisquare(
            seen[likely], expected[likely] * seen[likely].sum() / expected[likely].sum()
        ).pvalue
        > 1e-4
    )
    means = counts.mean(axis=0)
    spread = np.sqrt((1 - 1 / n) / replicates)
    assert abs(means - 1).max() < 6.5 * spread


@pytest.mark.parametrize("n", [100, 300, 1000, 40_000, 200_000])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.77])
def test_parts_of_the_rows_get_their_binomial_share(n, share):
    """The draws are shared out among parts by coins; their numbers must vary as they should."""
    part = int(share * n)
    drawn = counts_of(n, 400, seed=2)[:, :part].sum(axis=1, dtype=int)
    binomial = stats.binom(n, part / n)
    assert abs(drawn.mean() - binomial.mean()) < 4.5 * binomial.std() / np.sqrt(400)
    # A variance of 400 draws has a relative standard error of 7 %.
    assert 0.68 < drawn.var() / binomial.var() < 1.36


def test_the_same_seed_draws_the_same_rows_in_every_release():
    resampler = _core.Resampler(8, 4, True, None, 0)
    assert resampler.draw(2026, 0).tolist() == [0, 0, 2, 3, 0, 0, 3, 0, 0, 1, 1, 2]
    assert resampler.draw(2026, 1).tolist() == [0, 1, 1, 2, 2, 0, 0, 2, 2, 1, 0, 1]
    large = _core.Resampler(100_000, 70_000, False, None, 0).draw(7, 5)
    assert [int(np.flatnonzero(large == k).sum()) for k in (2, 5, 8)] == [
        2631988556,
        42982134,
        284979,
    ]


def test_positives_and_negatives_are_drawn_by_themselves_unless_told_otherwise():
    resampler = _core.Resampler(30, 70, True, None, 0)
    assert {int(resampler.draw(0, i)[:30].sum()) for i in range(50)} == {30}
    plain = _core.Resampler(30, 70, False, None, 0)
    counts = [plain.draw(0, i) for i in range(50)]
    assert {int(count.sum()) for count in counts} == {100}
    assert len({int(count[:30].sum()) for count in counts}) > 5


def test_rows_of_a_cluster_are_drawn_together():
    clusters = np.array([0, 1, 0, 2, 1, 1], np.uint32)
    resampler = _core.Resampler(2, 4, True, clusters, 3)
    for replicate in range(20):
        counts = resampler.draw(3, replicate)
        assert counts[0] == counts[2]
        assert counts[1] == counts[4] == counts[5]
        assert counts[0] + counts[1] + counts[3] == 3


@pytest.fixture
def sample():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    return rl.Ranking(y, rng.normal(size=300).round(1) + y)


@pytest.mark.parametrize("measure", ["auc", "scored_auc"])
def test_replicates_do_not_depend_on_threads_or_chunks(sample, measure, monkeypatch):
    found = []
    for threads, chunk in (("1", 3e7), ("2", 3e7), ("5", 3e7), ("2", 1000)):
        monkeypatch.setenv("ROCLAB_NUM_THREADS", threads)
        monkeypatch.setattr("roclab.inference.estimation.resampling._CHUNK", chunk)
        found.append(resample_values([sample, sample], Draws.of(203, 5), measure=measure))
    for values in found[1:]:
        np.testing.assert_array_equal(values, found[0])
    assert len(np.unique(found[0][:, 0])) > 150


def test_models_of_a_table_see_the_same_draws(sample):
    values = resample_values([sample, sample], Draws.of(50, 0))
    np.testing.assert_array_equal(values[:, 0], values[:, 1])


def test_progress_is_told_and_an_interrupt_is_heard(sample, monkeypatch):
    monkeypatch.setattr("roclab.inference.estimation.resampling._CHUNK", 3000)
    told = []
    resample_values([sample], Draws.of(25, 0, progress=lambda *at: told.append(at)))
    assert told == [(10, 25), (20, 25), (25, 25)]

    def interrupt(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        resample_values([sample], Draws.of(25, 0, progress=interrupt))


def test_a_replicate_without_a_class_is_nan():
    ranking = rl.Ranking([1, 0, 0], [3, 1, 2])
    values = resample_values([ranking], Draws.of(200, 0, stratified=False))
    share = np.isnan(values).mean()
    # all three draws negative, (2/3)^3, or all positive, (1/3)^3
    assert abs(share - 9 / 27) < 4 * np.sqrt(2 / 9 / 200)
    assert set(values[~np.isnan(values)]) == {1.0}
    measured = resample_measure(
        lambda drawn: drawn.summary.auc, [ranking], Draws.of(200, 0, stratified=False)
    )
    np.testing.assert_array_equal(measured, values)


@pytest.mark.parametrize("rng", [True, -1, 1.5, "seed", np.random.RandomState(0)])
def test_what_is_no_source_of_randomness(rng):
    with pytest.raises(rl.InputError, match="rng="):
        Draws.of(10, rng)


def test_sources_of_randomness():
    assert Draws.of(10, 3).seed == Draws.of(10, np.int64(3)).seed != Draws.of(10, 4).seed
    assert Draws.of(10, None).seed != Draws.of(10, None).seed
    generator = np.random.default_rng(0)
    assert Draws.of(10, generator).seed != Draws.of(10, generator).seed


@pytest.mark.parametrize("n", [0, -5, 2.5, "many", True, None, 10**10])
def test_numbers_of_resamples_that_are_refused(n):
    with pytest.raises(rl.InputError, match=r"n_resamples=.* an integer from 1 to"):
        Draws.of(n, 0)


def test_clusters_that_are_refused(sample):
    with pytest.raises(rl.InputError, match="299 values and there are 300 rows"):
        resample_values([sample], Draws.of(5, 0, cluster=np.zeros(299)))
    with pytest.raises(rl.InputError, match=r"shape \(2, 2\)"):
        Draws.of(5, 0, cluster=np.zeros((2, 2)))
    for missing in ([1.0, np.nan], ["a", None], np.array(["2020-01-01", "NaT"], "M8[D]")):
        with pytest.raises(rl.InputError, match=r"no value in row 1 .*Drop such rows"):
            Draws.of(5, 0, cluster=missing)
    with pytest.raises(rl.InputError, match=r"1 masked values"):
        Draws.of(5, 0, cluster=np.ma.array([1, 2], mask=[False, True]))
    with pytest.raises(rl.InputError, match=r"cluster holds a value of type dict in row 0"):
        Draws.of(5, 0, cluster=[{}, {}])
    weighted = rl.Ranking([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 1, 0, 2])
    with pytest.raises(rl.InputError, match="at least 4 rows"):
        resample_values([weighted], Draws.of(5, 0, cluster=["a", "b", "a"]))
