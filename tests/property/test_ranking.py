"""`Ranking` against grouping by a dict and a stable argsort; what it keeps of its input."""

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    LARGE_SCORES,
    level_samples,
    one_class_samples,
    samples,
    weighted_samples,
)

import roclab as rl

ARRAYS = ("scores", "pos", "neg", "pos_squared", "neg_squared", "order")


@given(samples() | one_class_samples())
def test_groups(sample):
    truth, scores = sample
    ranking = rl.Ranking(truth, scores)
    expected = reference.groups(truth, scores)
    assert ranking.scores.dtype == scores.dtype
    assert ranking.scores.tolist() == [s for s, _, _ in expected]
    assert (ranking.pos.dtype, ranking.neg.dtype) == (np.int64, np.int64)
    assert ranking.pos.tolist() == [p for _, p, _ in expected]
    assert ranking.neg.tolist() == [n for _, _, n in expected]
    assert (ranking.pos_squared, ranking.neg_squared, ranking.weighted) == (None, None, False)
    assert (ranking.n_pos, ranking.n_neg) == (truth.sum(), (~truth).sum())


@given(weighted_samples())
def test_groups_with_weights(sample):
    truth, scores, weight = sample
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    mass = reference.groups(truth, scores, weight)
    positive_weight = weight > 0
    pos, neg = reference.split(truth, scores, weight)
    assert ranking.weighted
    assert ranking.scores.dtype == scores.dtype
    assert ranking.scores.tolist() == [s for s, _, _ in mass]
    np.testing.assert_allclose(ranking.pos, [float(p) for _, p, _ in mass], rtol=1e-14)
    np.testing.assert_allclose(ranking.neg, [float(n) for _, _, n in mass], rtol=1e-14)
    for squared, rows in ((ranking.pos_squared, pos), (ranking.neg_squared, neg)):
        exact = [float(sum(w * w for s, w in rows if s == score)) for score, _, _ in mass]
        np.testing.assert_allclose(squared, exact, rtol=1e-14)
    assert ranking.n_pos == (truth & positive_weight).sum()
    assert ranking.n_neg == (~truth & positive_weight).sum()


@given(weighted_samples(), st.booleans())
def test_groups_are_the_same_whether_rows_or_groups_are_sorted(sample, weighted):
    truth, scores, weight = sample
    weight = weight if weighted else None
    groups, rows = (rl.Ranking(truth, scores, sample_weight=weight) for _ in range(2))
    assert not groups.is_sorted
    assert rows.prepare(rows=True).is_sorted
    for name in ARRAYS:
        one, other = getattr(groups, name), getattr(rows, name)
        if one is None:
            assert other is None
        else:
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)
            assert not other.flags.writeable
    np.testing.assert_array_equal(rows.scores[rows.rows().groups], rows.rows().scores)
    # Bit by bit, except that the sign of a zero is that of any of the tied scores.
    for name in ("auc", "auc_variance", "effective_pos"):
        np.testing.assert_array_equal(getattr(rows.summary, name), getattr(groups.summary, name))


@given(weighted_samples(), st.booleans(), st.lists(st.integers(0, 6), max_size=6))
def test_consecutive_rows_are_sorted_with_the_whole(sample, weighted, sizes):
    truth, scores, weight = sample
    whole = rl.Ranking(truth, scores, sample_weight=weight if weighted else None)
    sizes = np.diff(np.minimum(np.cumsum([0, *sizes, len(whole)]), len(whole)))
    kept = np.flatnonzero(weight) if weighted else np.arange(len(truth))
    first = 0
    for size, part in zip(sizes.tolist(), whole.consecutive(sizes), strict=True):
        rows = kept[first : first + size]
        same = rl.Ranking(
            truth[rows], scores[rows], sample_weight=weight[rows] if weighted else None
        )
        assert part.is_sorted
        np.testing.assert_array_equal(part.order, same.order)
        for name in ("scores", "pos", "neg", "pos_squared", "neg_squared"):
            np.testing.assert_array_equal(getattr(part, name), getattr(same, name))
        first += size


@given(weighted_samples())
def test_order_is_stable_and_leaves_out_rows_without_weight(sample):
    truth, scores, weight = sample
    plain, weighted = rl.Ranking(truth, scores), rl.Ranking(truth, scores, sample_weight=weight)
    kept = np.flatnonzero(weight)
    assert plain.order.dtype == weighted.order.dtype == np.uint32
    np.testing.assert_array_equal(plain.order, np.argsort(scores, kind="stable"))
    np.testing.assert_array_equal(weighted.order, kept[np.argsort(scores[kept], kind="stable")])


@given(weighted_samples())
def test_arrays_are_read_only(sample):
    truth, scores, weight = sample
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    for name in ARRAYS:
        assert not getattr(ranking, name).flags.writeable, name


@given(weighted_samples(), st.booleans())
def test_later_changes_of_the_input_do_not_reach_it(sample, weighted):
    truth, scores, weight = sample
    keywords = {"sample_weight": weight} if weighted else {}
    copied = {name: array.copy() for name, array in keywords.items()}
    expected = rl.Ranking(truth.copy(), scores.copy(), **copied)
    ranking = rl.Ranking(truth, scores, **keywords)
    truth[:], scores[:], weight[:] = ~truth, scores[::-1].copy(), 7.0
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(ranking, name), getattr(expected, name), name)
    assert ranking.summary == expected.summary


@given(samples() | one_class_samples())
def test_groups_make_the_same_ranking_without_rows(sample):
    ranking = rl.Ranking(*sample)
    counted = rl.Ranking.from_groups(ranking.scores, ranking.pos, ranking.neg)
    for name in ("scores", "pos", "neg", "n_pos", "n_neg", "weighted", "summary"):
        np.testing.assert_equal(getattr(counted, name), getattr(ranking, name), name)
    with pytest.raises(rl.InputError):
        assert counted.order.size


@given(weighted_samples())
def test_the_input_is_left_as_it_was(sample):
    copies = [np.copy(array) for array in sample]
    truth, scores, weight = sample
    for array in sample:
        array.flags.writeable = False
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    assert len(ranking.order)
    rl.auc(truth, scores, sample_weight=weight)
    for array, copy in zip(sample, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def _spread(array):
    wide = np.zeros((len(array), 3), array.dtype)
    wide[:, 1] = array
    return wide[:, 1]


CONTAINERS = {
    "list": np.ndarray.tolist,
    "every third column": _spread,
    "reversed view": lambda array: array[::-1].copy()[::-1],
    "other byte order": lambda array: array.astype(array.dtype.newbyteorder()),
    "unaligned": lambda array: np.frombuffer(b"\0" + array.tobytes(), np.uint8)[1:].view(
        array.dtype
    ),
    "pandas": lambda array: pytest.importorskip("pandas").Series(array),
    "pandas, nullable": lambda array: pytest.importorskip("pandas").Series(array).convert_dtypes(),
    "pandas, odd index": lambda array: pytest.importorskip("pandas").Series(array, array[::-1]),
    "polars": lambda array: pytest.importorskip("polars").Series(array),
    "pyarrow": lambda array: pytest.importorskip("pyarrow").array(array),
    "pyarrow, in chunks": lambda array: pytest.importorskip("pyarrow").chunked_array(
        [array[:1], array[1:]]
    ),
}


@pytest.mark.parametrize("container", CONTAINERS)
@given(sample=weighted_samples(samples(dtypes=["i4", "f4", "f8"])))
def test_containers_hold_the_same_ranking(container, sample):
    truth, scores, weight = sample
    wrap = CONTAINERS[container]
    expected = rl.Ranking(truth, scores, sample_weight=weight)
    ranking = rl.Ranking(wrap(truth), wrap(scores), sample_weight=wrap(weight))
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(ranking, name), getattr(expected, name), name)
    value = rl.auc(wrap(truth), wrap(scores), sample_weight=wrap(weight))
    assert value == pytest.approx(rl.auc(expected), rel=1e-14)
    assert rl.auc(wrap(truth), wrap(scores)) == rl.auc(truth, scores)


@given(level_samples())
def test_summary(sample):
    summary = rl.Ranking(*sample).summary
    expected = reference.integer_moments(*sample)
    assert (summary.twice_wins, summary.pos_moment, summary.neg_moment) == expected


@pytest.mark.parametrize("size", [33, 1000, 4097, 65_537, 300_000])
@pytest.mark.parametrize("shape", LARGE_SCORES)
def test_large_samples(shape, size):
    rng = np.random.default_rng(size)
    scores, truth = LARGE_SCORES[shape](rng, size), rng.random(size) < 0.1
    ranking = rl.Ranking(truth, scores)
    distinct, inverse = np.unique(scores, return_inverse=True)
    np.testing.assert_array_equal(ranking.scores, distinct)
    np.testing.assert_array_equal(ranking.pos, np.bincount(inverse[truth], minlength=len(distinct)))
    np.testing.assert_array_equal(
        ranking.neg, np.bincount(inverse[~truth], minlength=len(distinct))
    )
    np.testing.assert_array_equal(ranking.order, np.argsort(scores, kind="stable"))


@pytest.mark.parametrize("size", [1000, 65_537, 300_000])
@pytest.mark.parametrize("shape", ["normal", "seven levels", "integers", "ascending"])
def test_large_weighted_samples(shape, size):
    rng = np.random.default_rng(size)
    scores, truth = LARGE_SCORES[shape](rng, size), rng.random(size) < 0.1
    weight = rng.exponential(size=size) * (rng.random(size) < 0.9)
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    distinct, inverse = np.unique(scores[weight > 0], return_inverse=True)
    np.testing.assert_array_equal(ranking.scores, distinct)
    for of_class, mass, squared in (
        (truth, ranking.pos, ranking.pos_squared),
        (~truth, ranking.neg, ranking.neg_squared),
    ):
        chosen, w = inverse[of_class[weight > 0]], weight[of_class & (weight > 0)]
        np.testing.assert_allclose(mass, np.bincount(chosen, w, len(distinct)), rtol=1e-12)
        np.testing.assert_allclose(squared, np.bincount(chosen, w**2, len(distinct)), rtol=1e-12)
