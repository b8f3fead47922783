"""The algebra of `RangeSummary`: any bracketing of any partition equals brute force."""

import functools
import itertools
import math
import pickle
import struct
import warnings
import zlib
from fractions import Fraction

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from strategies import MILD_WEIGHTS, level_samples, one_class_samples, samples, weighted_samples

import roclab as rl
from roclab import RangeSummary

MEASURES = ("auc", "auc_variance", "scored_auc", "scored_auc_variance")
INTEGERS = ("twice_wins", "pos_moment", "neg_moment")
SHARED = (*MEASURES, "tie_share")
FIELDS = ("n_pos", "n_neg", "weighted", *SHARED)


def integers(summary):
    return tuple(getattr(summary, name) for name in INTEGERS)


def leaves(truth, scores, weight=None):
    """One leaf for each distinct score, ascending."""
    if weight is None:
        groups = reference.groups(truth, scores)
        return [RangeSummary.leaf(s, int(p), int(n)) for s, p, n in groups]
    pos, neg = reference.split(truth, scores, weight)

    def sums(rows, score):
        tied = [w for s, w in rows if s == score]
        return float(sum(tied)), float(sum(w * w for w in tied)), len(tied)

    made = []
    for score in sorted({s for s, _ in pos + neg}):
        (p, p2, n_pos), (n, n2, n_neg) = sums(pos, score), sums(neg, score)
        made.append(
            RangeSummary.leaf(score, p, n, pos_squared=p2, neg_squared=n2, n_pos=n_pos, n_neg=n_neg)
        )
    return made


@st.composite
def bracketed(draw, sample):
    """(truth, scores, weight, summary): the leaves of a sample joined in any order of brackets."""
    truth, scores, weight = (*draw(sample), None)[:3]
    parts = leaves(truth, scores, weight)
    for _ in range(draw(st.integers(0, 3))):
        parts.insert(draw(st.integers(0, len(parts))), RangeSummary())
    while len(parts) > 1:
        k = draw(st.integers(0, len(parts) - 2))
        parts[k : k + 2] = [parts[k].join(parts[k + 1])]
    return truth, scores, weight, parts[0]


def assert_equals_twin(summary, truth, scores, weight=None):
    """All measures to 1e-12; a variance that is nearly nothing, to 1e-13 of the scale."""
    span = float(scores.max() - scores.min())
    for name, scale in zip(SHARED, (1, 1, span, span**2, 1), strict=True):
        expected = float(getattr(reference, name)(truth, scores, weight))
        tolerance = 1e-13 * scale if name.endswith("variance") else 1e-15 * scale
        value = getattr(summary, name)
        assert value == pytest.approx(expected, rel=1e-12, abs=tolerance, nan_ok=True), name
        assert not value < 0, name


@given(bracketed(level_samples(min_size=2)))
def test_any_bracketing_equals_brute_force(case):
    truth, scores, _, summary = case
    assert integers(summary) == reference.integer_moments(truth, scores)
    assert all(type(value) is int for value in integers(summary))
    assert (summary.n_pos, summary.n_neg) == (truth.sum(), (~truth).sum())
    assert not summary.weighted
    assert_equals_twin(summary, truth, scores)


@given(bracketed(samples()))
def test_any_bracketing_of_any_scores_counts_exactly(case):
    truth, scores, _, summary = case
    assert integers(summary) == reference.integer_moments(truth, scores)


@given(bracketed(weighted_samples(level_samples(), kinds=MILD_WEIGHTS)))
def test_any_bracketing_with_weights_equals_brute_force(case):
    truth, scores, weight, summary = case
    kept = weight > 0
    assert (summary.n_pos, summary.n_neg) == ((truth & kept).sum(), (~truth & kept).sum())
    assert summary.weighted
    assert_equals_twin(summary, truth, scores, weight)


@given(level_samples(), st.integers(0, 30), st.integers(0, 30))
def test_join_of_rankings_of_ranges(sample, a, b):
    truth, scores = sample
    order = np.argsort(scores, kind="stable")
    truth, scores = truth[order], scores[order]
    cuts = [np.searchsorted(scores, scores[min(k, len(scores) - 1)]) for k in sorted((a, b))]
    whole = RangeSummary()
    for part in np.split(np.arange(len(scores)), cuts):
        whole = whole.join(
            rl.Ranking(truth[part], scores[part]).summary if len(part) else RangeSummary()
        )
    assert_same(whole, rl.Ranking(truth, scores).summary)


@given(weighted_samples(), st.booleans(), st.lists(st.integers(0, 30)), st.randoms())
def test_many_ranges_in_any_order(sample, weighted, places, random):
    truth, scores, weight = sample
    weight = weight if weighted else None
    cuts = np.sort(scores)[[min(place, len(scores) - 1) for place in places]]
    part_of = np.searchsorted(np.sort(cuts), scores, side="right")
    parts = []
    for part in range(len(cuts) + 1):
        rows = part_of == part
        some = None if weight is None else weight[rows]
        parts.append(RangeSummary.from_arrays(truth[rows], scores[rows], sample_weight=some))
        counted = rows if weight is None else rows & (weight > 0)
        assert parts[-1].lowest == min(scores[counted].astype(float), default=math.inf)
        assert parts[-1].highest == max(scores[counted].astype(float), default=-math.inf)
    ends = [one for one in parts if one.n_pos + one.n_neg]
    if any(low.highest == high.lowest for low, high in itertools.pairwise(ends)):
        # Integers beyond 2**53, which floats do not distinguish: no order is certain.
        with pytest.raises(rl.InputError, match="share no score"):
            RangeSummary.join_all(parts)
        joined = functools.reduce(RangeSummary.join, parts)
    else:
        random.shuffle(parts)
        joined = RangeSummary.join_all(iter(parts))
    whole = rl.Ranking(truth, scores, sample_weight=weight).summary
    assert (joined.lowest, joined.highest) == (whole.lowest, whole.highest)
    assert (joined.n_pos, joined.n_neg) == (whole.n_pos, whole.n_neg)
    assert joined.auc == pytest.approx(whole.auc, rel=1e-12, nan_ok=True)
    if not weighted:
        assert integers(joined) == integers(whole)


@given(weighted_samples(), st.booleans())
def test_a_summary_of_arrays_is_that_of_the_ranking(sample, weighted):
    truth, scores, weight = sample
    names = np.where(truth, "yes", "no")
    weight = weight if weighted else None
    made = RangeSummary.from_arrays(names, scores, sample_weight=weight, pos_label="yes")
    assert made == rl.Ranking(truth, scores, sample_weight=weight).summary


def test_ranges_that_overlap_are_not_joined():
    low = RangeSummary.from_arrays([0, 1], [1.0, 2.0])
    for other in ([2.0, 3.0], [1.5, 1.6], [0.0, 1.0]):
        with pytest.raises(rl.InputError, match="share no score"):
            RangeSummary.join_all([low, RangeSummary(), RangeSummary.from_arrays([0, 1], other)])
    with pytest.raises(rl.InputError, match="summaries holds a float"):
        RangeSummary.join_all([low, 0.5])
    with pytest.raises(rl.InputError, match="y_score holds NaN"):
        RangeSummary.from_arrays([0, 1], [1.0, math.nan])
    assert RangeSummary.join_all([]) == RangeSummary.from_arrays([], []) == RangeSummary()


def assert_same(ours, theirs):
    assert integers(ours) == integers(theirs)
    for name in FIELDS:
        expected = pytest.approx(getattr(theirs, name), rel=1e-12, abs=1e-13, nan_ok=True)
        assert getattr(ours, name) == expected, name


@given(st.data())
def test_join_is_associative_with_the_empty_summary_as_identity(data):
    truth, scores = data.draw(level_samples())
    parts = leaves(truth, scores)
    i, j = sorted(data.draw(st.integers(0, len(parts))) for _ in range(2))
    a, b, c = (fold(part) for part in (parts[:i], parts[i:j], parts[j:]))
    assert_same(a.join(b).join(c), a.join(b.join(c)))
    for summary in (a, b, c):
        assert_same(summary.join(RangeSummary()), summary)
        assert_same(RangeSummary().join(summary), summary)


def fold(parts):
    """Join in rounds of neighbours, as a tree does; parts may be many."""
    while len(parts) > 1:
        pairs = [low.join(high) for low, high in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + parts[len(parts) - len(parts) % 2 :]
    return parts[0] if parts else RangeSummary()


@given(level_samples(min_size=2), st.sampled_from([-1e9, 1e9, 1e12]))
def test_a_large_offset_costs_no_digits(sample, offset):
    truth, steps = sample
    scores = offset + steps  # exact: eighths fit beside 1e12
    assert_equals_twin(rl.Ranking(truth, scores).summary, truth, scores)
    assert_equals_twin(fold(leaves(truth, scores)), truth, scores)


@given(
    samples(min_size=4, max_size=25, dtypes=["f4"], finite=True),
    st.sampled_from([1e-30, 1.0, 1e30]),
)
def test_scored_values_of_scores_of_any_size(sample, scale):
    truth, scores = sample[0], np.tanh(sample[1].astype("f8")) * scale
    assert_equals_twin(rl.Ranking(truth, scores).summary, truth, scores)


@given(level_samples(), st.sampled_from([("i8", 2**60), ("i8", -(2**63) + 16), ("u8", 2**64 - 17)]))
def test_scored_values_of_large_integers(sample, place):
    truth, steps = sample
    dtype, centre = place
    scores = np.array([centre + int(8 * step) for step in steps], dtype)
    assert_equals_twin(rl.Ranking(truth, scores).summary, truth, scores)


@given(weighted_samples(level_samples(), kinds=MILD_WEIGHTS), st.sampled_from([1e-58, 3.0, 1e58]))
def test_the_scale_of_weights_does_not_matter(sample, scale):
    truth, scores, weight = sample
    one = rl.Ranking(truth, scores, sample_weight=weight).summary
    other = rl.Ranking(truth, scores, sample_weight=scale * weight).summary
    for name in SHARED:
        expected = pytest.approx(getattr(one, name), rel=1e-12, abs=1e-13, nan_ok=True)
        assert getattr(other, name) == expected, name


@given(level_samples())
def test_equal_weights_are_no_weights(sample):
    plain = rl.Ranking(*sample).summary
    weighted = rl.Ranking(*sample, sample_weight=np.full(len(sample[0]), 0.25)).summary
    for name in ("n_pos", "n_neg", *SHARED):
        expected = pytest.approx(getattr(plain, name), rel=1e-12, abs=1e-13, nan_ok=True)
        assert getattr(weighted, name) == expected, name


@given(samples(min_size=2, max_size=3) | one_class_samples())
def test_too_few_examples_are_nan_in_silence(sample):
    truth, scores = sample
    n_pos, n_neg = int(truth.sum()), int((~truth).sum())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        summary = fold(leaves(truth, scores))
        assert np.isnan(summary.auc) == (min(n_pos, n_neg) == 0)
        assert np.isnan(summary.auc_variance) == (min(n_pos, n_neg) < 2)


def test_the_empty_summary():
    empty = RangeSummary()
    assert (empty.n_pos, empty.n_neg, integers(empty)) == (0, 0, (0, 0, 0))
    assert all(np.isnan(getattr(empty, name)) for name in MEASURES)
    assert empty.tie_share == 0


@pytest.mark.parametrize("score", [-np.inf, np.inf])
def test_infinite_scores_have_ranks_but_no_margins(score):
    summary = fold(sorted_leaves({score: (2, 2), 0.0: (1, 3)}))
    assert summary.auc == (11 / 30 if score < 0 else 19 / 30)
    assert summary.auc_variance > 0
    for name in ("scored_auc", "scored_auc_variance"):
        with pytest.raises(rl.InputError):
            getattr(summary, name)


def sorted_leaves(counts):
    return [RangeSummary.leaf(s, *counts[s]) for s in sorted(counts)]


@pytest.mark.parametrize(
    ("leaf", "keywords"),
    [
        ((np.nan, 1, 1), {}),
        ((0.5, -1, 1), {}),
        ((0.5, 1, -1), {}),
        ((0.5, 1.5, 1), {}),
        ((0.5, np.nan, 1), {}),
        ((0.5, 1.5, 1.0), {"pos_squared": 2.25}),
        ((0.5, 1.5, 1.0), {"pos_squared": 2.25, "neg_squared": 1.0}),
        ((0.5, -1.5, 1.0), {"pos_squared": 2.25, "neg_squared": 1.0, "n_pos": 1, "n_neg": 1}),
        ((0.5, np.inf, 1.0), {"pos_squared": 2.25, "neg_squared": 1.0, "n_pos": 1, "n_neg": 1}),
    ],
)
def test_a_leaf_refuses_what_is_no_mass(leaf, keywords):
    with pytest.raises(rl.InputError):
        RangeSummary.leaf(*leaf, **keywords)


@given(weighted_samples(level_samples(), kinds=MILD_WEIGHTS))
def test_exact_counts_exist_without_weights_only(sample):
    summary = fold(leaves(*sample))
    for name in INTEGERS:
        with pytest.raises(rl.InputError):
            getattr(summary, name)


@given(level_samples(), st.integers(0, 30))
def test_counts_join_weights_as_unit_weights(sample, cut):
    truth, scores = sample
    unit = leaves(truth, scores, np.ones(len(truth)))
    mixed = leaves(truth, scores)[:cut] + unit[cut:]
    assert_equals_twin(fold(mixed), truth, scores)


MILLION = 10**6
NEARLY_PERFECT = {
    "one inversion": [(0, MILLION - 1), (1, 0), (0, 1), (MILLION - 1, 0)],
    "one tie": [(0, MILLION - 1), (1, 1), (MILLION - 1, 0)],
    "a lost positive": [(1, 0), (0, MILLION), (MILLION - 1, 0)],
    "few at the wrong end": [(3, 2), (7, MILLION - 9), (MILLION - 20, 4), (10, 3)],
    "nearly reversed": [(MILLION - 1, 0), (0, 1), (1, 0), (0, MILLION - 1)],
    "overlap": [(k, MILLION // (k + 1)) for k in range(40)] + [(MILLION, 1), (MILLION, 0)],
    "billions": [(1, 10**9), (10, 10**8), (10**8, 10), (10**9, 3)],
}


@pytest.mark.parametrize("case", NEARLY_PERFECT)
def test_variance_near_the_corners_keeps_its_digits(case):
    counts = NEARLY_PERFECT[case]
    summary = fold([RangeSummary.leaf(float(k), p, n) for k, (p, n) in enumerate(counts)])
    assert integers(summary) == reference.integer_moments_of_groups(counts)
    exact = reference.auc_variance_of_groups(counts)
    assert summary.auc_variance == pytest.approx(float(exact), rel=1e-12)
    pairs = summary.n_pos * summary.n_neg
    assert summary.auc == pytest.approx(float(Fraction(summary.twice_wins, 2 * pairs)), rel=5e-16)


def test_variance_of_a_million_nearly_perfect_rows():
    rng = np.random.default_rng(3)
    truth = np.repeat([True, False], MILLION)
    scores = np.round(rng.normal(size=2 * MILLION), 3) + 8.0 * truth
    ranking = rl.Ranking(truth, scores)
    counts = list(zip(ranking.pos.tolist(), ranking.neg.tolist(), strict=True))
    assert integers(ranking.summary) == reference.integer_moments_of_groups(counts)
    exact = reference.auc_variance_of_groups(counts)
    assert ranking.summary.auc_variance == pytest.approx(float(exact), rel=1e-12)


SUMMARIES = st.one_of(
    st.just((np.array([], bool), np.array([]))),
    samples(),
    one_class_samples(),
    level_samples(),
    weighted_samples(level_samples()),
).map(lambda sample: fold(leaves(*sample)))

COPIES = {
    "bytes": lambda summary: RangeSummary.from_bytes(summary.to_bytes()),
    **{
        f"pickle {protocol}": lambda summary, protocol=protocol: pickle.loads(
            pickle.dumps(summary, protocol)
        )
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("copy", COPIES)
@given(summary=SUMMARIES)
def test_copies_are_the_same_to_the_last_bit(copy, summary):
    twin = COPIES[copy](summary)
    assert twin.to_bytes() == summary.to_bytes()
    exact = () if summary.weighted else INTEGERS
    for name in ("n_pos", "n_neg", "weighted", "auc", "auc_variance", *exact):
        np.testing.assert_equal(getattr(twin, name), getattr(summary, name), name)


@given(SUMMARIES, st.data())
def test_truncated_bytes_are_refused(summary, data):
    whole = summary.to_bytes()
    for spoilt in (whole[: data.draw(st.integers(0, len(whole) - 1))], whole + b"\0"):
        with pytest.raises(rl.SerializationError):
            RangeSummary.from_bytes(spoilt)


@given(SUMMARIES, st.data())
def test_changed_bytes_are_refused(summary, data):
    spoilt = bytearray(summary.to_bytes())
    spoilt[data.draw(st.integers(0, len(spoilt) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(rl.SerializationError):
        RangeSummary.from_bytes(bytes(spoilt))


HEADER = 10  # its last four bytes are the checksum of the content


def forged(summary, at, value):
    """The bytes with a few changed ones in the content, and with the right checksum."""
    data = summary.to_bytes()
    content = bytearray(data[HEADER:])
    content[at : at + len(value)] = value
    return data[: HEADER - 4] + struct.pack("<I", zlib.crc32(content)) + bytes(content)


WHOLE = [struct.pack("<Q", value) for value in (0, 1, 2**32, 2**53, 2**62, 2**64 - 1)]
REAL = [struct.pack("<d", value) for value in (-1.0, 1e-300, 1e3, 1e200, np.inf, np.nan)]


@given(SUMMARIES, st.data())
def test_forged_bytes_are_refused_or_can_be_a_sample(summary, data):
    """Whatever is restored has an AUC and a variance that some sample can have."""
    at = data.draw(st.integers(0, len(summary.to_bytes()) - HEADER - 8))
    value = data.draw(st.sampled_from([*WHOLE, *REAL]) | st.binary(min_size=1, max_size=1))
    try:
        found = RangeSummary.from_bytes(forged(summary, at, value))
    except rl.SerializationError:
        return
    assert RangeSummary.from_bytes(found.to_bytes()) == found
    if found.n_pos and found.n_neg:
        assert 0 <= found.auc <= 1
    assert not found.auc_variance < 0
    assert not found.auc_variance > 1


@pytest.mark.parametrize("weight", [None, [1.0, 2.0, 0.5, 4.0]])
def test_forged_counts_are_refused(weight):
    """Numbers of examples, pair counts and their squares, and sums of weights."""
    summary = RangeSummary.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], sample_weight=weight)
    counts = [
        (1, 2**64 - 1),
        (9, 2**64 - 1),
        (1, 0),
        (9, 0),
        (17, 9),
        (33, 100),
        (33, 0),
        (49, 100),
    ]
    if weight is not None:
        counts = [(1, 0), (9, 0), (1, 1)]
    for at, value in counts:
        with pytest.raises(rl.SerializationError, match="contradict each other"):
            RangeSummary.from_bytes(forged(summary, at, struct.pack("<Q", value)))
    if weight is not None:
        for field in range(11):
            for value in (-1.0, np.nan, np.inf, 1e6):
                forgery = forged(summary, 65 + 8 * field, struct.pack("<d", value))
                with pytest.raises(rl.SerializationError, match="contradict each other"):
                    RangeSummary.from_bytes(forgery)
    with pytest.raises(rl.SerializationError, match="contradict each other"):
        RangeSummary.from_bytes(forged(summary, 0, b"\x02"))
    with pytest.raises(rl.SerializationError, match="contradict each other"):
        RangeSummary.from_bytes(forged(summary, 65 + 8 * 29, struct.pack("<d", 0.9)))


@given(st.binary(max_size=300))
def test_foreign_bytes_are_refused(foreign):
    with pytest.raises(rl.SerializationError):
        RangeSummary.from_bytes(foreign)


def test_counts_beyond_128_bits_are_refused():
    low = rl.RangeSummary.leaf(0.0, 0, 10**13)
    with pytest.raises(rl.InputError, match="128 bits"):
        low.join(rl.RangeSummary.leaf(1.0, 10**13, 0))
    largest = rl.RangeSummary.leaf(0.0, 10**12, 10**12)
    assert largest.pos_moment == 10**36
    assert largest.auc == 0.5
    assert largest.auc_variance == 0


@pytest.mark.parametrize("ratio", [1e8, 1e12, 1e16])
def test_one_weight_may_dominate(ratio):
    labels, scores = [1, 1, 0, 0, 0], [0.9, 0.2, 0.5, 0.1, 0.3]
    weights = [ratio**0.5, ratio**-0.5, 1.0, 2.0, 3.0]
    exact = float(reference.auc_variance(labels, scores, weights))
    found = rl.Ranking(labels, scores, sample_weight=weights).summary.auc_variance
    assert found == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("offset", [1e3, 1e6, 1e9, 1e12])
def test_scored_values_survive_scores_far_away(offset):
    rng = np.random.default_rng(8)
    scores = np.append(rng.integers(0, 64, 60) / 64, offset + np.arange(61))
    truth = np.append(rng.integers(0, 2, 60), np.zeros(61, int))
    summary = rl.Ranking(truth, scores).summary
    assert summary.scored_auc == pytest.approx(
        float(reference.scored_auc(truth, scores)), rel=1e-13
    )
    assert summary.scored_auc_variance == pytest.approx(
        float(reference.scored_auc_variance(truth, scores)), rel=1e-11
    )


def test_ranges_that_overlap_or_come_in_the_wrong_order_are_refused():
    low, high = RangeSummary.leaf(1.0, 1, 1), RangeSummary.leaf(2.0, 1, 1)
    assert low.join(high).n_pos == 2
    for first, second in ((high, low), (low, low)):
        with pytest.raises(rl.InputError, match="follow one another"):
            first.join(second)
    with pytest.raises(rl.InputError, match="higher is a int; another RangeSummary"):
        low.join(3)
    assert low.join(RangeSummary()) == RangeSummary().join(low) == low


@pytest.mark.parametrize("name", ["auc_variance", "scored_auc_variance"])
def test_where_one_weight_is_all_rounding_is_no_variance(name):
    labels, scores = [0, 0, 1, 0, 1], [3, 1, -1, 0, -2]
    weights = [1e-8, 1e-34, 1e54, 1e60, 1e-34]
    exact = float(getattr(reference, name)(labels, scores, weights))
    found = getattr(rl.Ranking(labels, scores, sample_weight=weights).summary, name)
    assert 0 <= exact <= 1e-60
    assert 0 <= found <= 1e-60


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 5), st.integers(-60, 60)), min_size=4, max_size=12
    )
)
def test_variances_of_any_weights_are_possible(rows):
    """No class can bring more than the squared range, whatever is rounded.

    nan where weights of one score are so unequal that their sum says nothing of the smaller one.
    """
    labels = [label for label, _, _ in rows]
    summary = rl.Ranking(
        labels, [s / 4 for _, s, _ in rows], sample_weight=[10.0**e for _, _, e in rows]
    ).summary
    if 2 <= sum(labels) <= len(labels) - 2:
        for variance, reach in ((summary.auc_variance, 1), (summary.scored_auc_variance, 5 / 4)):
            assert math.isnan(variance) or 0 <= variance <= 2 * reach**2


@given(st.integers(2, 30), st.integers(2, 30), st.data())
def test_scores_that_all_tie_have_no_variance_whatever_the_weights(n_pos, n_neg, data):
    weight = data.draw(arrays(np.float64, n_pos + n_neg, elements=st.floats(1e-6, 1e6)))
    labels = np.arange(n_pos + n_neg) < n_pos
    found = rl.Ranking(labels, np.zeros(len(labels)), sample_weight=weight)
    assert found.summary.auc == pytest.approx(0.5, abs=1e-15)
    assert found.summary.auc_variance == 0
