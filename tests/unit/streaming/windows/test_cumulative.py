"""CumulativeAUC: a whole stream, merged from its parts."""

import copy
import math

import numpy as np
import pytest
import reference

import roclab as rl
from roclab.streaming import StreamingAUC


def test_one_by_one():
    stream = rl.CumulativeAUC()
    values = stream.update_many([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], return_auc=True)
    np.testing.assert_equal(values, [math.nan, 1, 0.75, 0.875])
    assert repr(stream) == "CumulativeAUC(AUC 0.875, 2+ 2-)"
    assert isinstance(stream, StreamingAUC)


def test_memory_follows_distinct_scores():
    stream = rl.CumulativeAUC()
    rng = np.random.default_rng(0)
    labels = rng.random(200_000) < 0.5
    stream.update_many(labels, rng.integers(0, 100, 200_000))
    assert len(stream) == 200_000
    assert len(stream.to_bytes()) < 4000


@pytest.mark.parametrize("weighted", [(False, False), (True, False), (False, True), (True, True)])
def test_workers_merge(weighted):
    rng = np.random.default_rng(4)
    n = 900
    labels, scores = rng.random(n) < 0.4, rng.normal(size=n).round(1)
    weights = np.ones(n)
    streams, first = [], 0
    for part in weighted:
        rows = slice(first, first + n // 2)
        if part:
            weights[rows] = rng.integers(1, 5, n // 2)
        stream = rl.CumulativeAUC()
        stream.update_many(labels[rows], scores[rows], sample_weight=weights[rows])
        streams.append(stream)
        first += n // 2
    second = streams[1].to_bytes()
    merged = streams[0].merge(streams[1])
    assert streams[1].to_bytes() == second
    assert merged.weighted == any(weighted)
    expected = rl.Ranking(labels, scores, sample_weight=weights if any(weighted) else None)
    assert merged.auc == pytest.approx(rl.auc(expected), rel=0 if not any(weighted) else 1e-13)
    assert merged.auc_variance == pytest.approx(expected.summary.auc_variance, rel=1e-11)
    np.testing.assert_array_equal(merged.ranking().pos, expected.pos)


def test_a_stream_merged_with_itself():
    stream = rl.CumulativeAUC()
    stream.update_many([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    stream.merge(stream)
    assert (stream.auc, stream.n_pos, stream.n_neg) == (0.875, 4, 4)


def test_what_does_not_merge():
    with pytest.raises(
        rl.InputError, match="other is a WindowAUC; a CumulativeAUC merges with another"
    ):
        rl.CumulativeAUC().merge(rl.WindowAUC(3))


def test_copies_are_apart():
    stream = rl.CumulativeAUC()
    stream.update(1, 0.5)
    other = copy.deepcopy(stream)
    stream.update(0, 0.4)
    assert (len(stream), len(other)) == (2, 1)
    with pytest.raises(rl.SerializationError, match="hold no CumulativeAUC"):
        rl.CumulativeAUC.from_bytes(rl.WindowAUC(3).to_bytes())


def test_more_events_of_a_score_than_can_be_counted():
    stream = rl.CumulativeAUC()
    stream.update(1, 0.5)
    for _ in range(31):
        stream.merge(stream)
    assert stream.n_pos == 2**31
    with pytest.raises(
        rl.InputError, match=r"More than 4,294,967,295 events of one class would share"
    ):
        stream.merge(stream)
    assert stream.n_pos == 2**31
    stream.update(0, 0.5)
    assert stream.auc == 0.5


def test_merging_stays_exact_beyond_2_to_the_63_pairs():
    # The number of pairs won within a part of the tree no longer fits into 64 bits.
    rng = np.random.default_rng(6)
    labels, scores = rng.integers(0, 2, 2000), rng.integers(0, 200, 2000) / 8 + 0.5
    scores[labels == 1] += 3
    stream = rl.CumulativeAUC()
    stream.update_many(labels, scores)
    asked_early = rl.CumulativeAUC.from_bytes(stream.to_bytes())
    once = stream.ranking()
    for doubled in range(1, 24):
        stream.merge(stream)
        asked_early.merge(asked_early)
        factor = 2**doubled
        exact = rl.Ranking.from_groups(once.scores, once.pos * factor, once.neg * factor).summary
        assert asked_early.auc_variance == exact.auc_variance
    assert stream.auc == exact.auc == once.summary.auc
    assert (
        stream.auc_variance
        == exact.auc_variance
        == pytest.approx(reference_variance(once, factor), rel=1e-12)
    )
    stream.update(1, 0.25)
    asked_early.update(1, 0.25)
    assert stream.auc_variance == asked_early.auc_variance != exact.auc_variance


def reference_variance(ranking, factor):
    counts = list(
        zip((ranking.pos * factor).tolist(), (ranking.neg * factor).tolist(), strict=True)
    )
    return reference.auc_variance_of_groups(counts)


def test_merging_refuses_what_cannot_be_counted():
    stream = rl.CumulativeAUC()
    scores = np.arange(4000) / 7
    stream.update_many(np.arange(4000) % 2, scores)
    for _ in range(31):
        stream.merge(stream)
    before = stream.to_bytes()
    with pytest.raises(rl.InputError, match="more examples than can be counted exactly"):
        stream.merge(stream)
    assert stream.to_bytes() == before


def test_an_event_too_many_is_refused_one_by_one_as_well():
    full, part = rl.CumulativeAUC(), rl.CumulativeAUC()
    part.update(1, 0.5)
    for power in range(32):
        full.merge(part)
        if power < 31:
            part.merge(part)
    assert full.n_pos == 2**32 - 1
    with pytest.raises(rl.InputError, match="More than 4,294,967,295 events of one class"):
        full.update(1, 0.5)
    full.update(1, 0.6)
    assert full.n_pos == 2**32
