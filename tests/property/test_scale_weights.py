"""Weights in bins of scores: the weighted AUC and its interval, for any ties and weights."""

import math
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from parted_table import PartedTable

import roclab as rl
from roclab.readers.rows import RowReader
from roclab.scale import ScoreHistogram
from roclab.scale.local import LocalTable
from roclab.scale.plans import bounded_histograms

LEVELS = [0.0, 0.1, 0.25, 0.3, 0.33, 0.5, 0.6, 0.75, 1.0]
CUTS = st.lists(st.sampled_from(LEVELS), max_size=5, unique=True).map(sorted)
WEIGHTS = (
    st.sampled_from([0.0, 0.5, 1.0, 3.0])
    | st.floats(1e-3, 1e3)
    | st.sampled_from([1e-9, 1.0, 1e9, 1e-40, 1e40])
)


@st.composite
def weighted_rows(draw, max_size=40, both=True):
    """Labels, scores with ties and weights; both classes have weight."""
    score = st.sampled_from(LEVELS) if draw(st.booleans()) else st.floats(-2, 2)
    row = st.tuples(st.integers(0, 1), score, WEIGHTS)
    rows = draw(st.lists(row, min_size=2, max_size=max_size))
    truth, scores, weights = (np.array(column) for column in zip(*rows, strict=True))
    assume(not both or (weights[truth == 0].any() and weights[truth == 1].any()))
    return truth, scores.astype(float), weights.astype(float)


def counted(cuts, truth, scores, weights):
    histogram = ScoreHistogram(cuts)
    histogram.update(truth, scores, sample_weight=weights)
    return histogram


def is_within(histogram, exact):
    """The promise: the AUC within its bounds, and an interval that contains the exact one."""
    low, high = histogram.auc_bounds.to_dict().values()
    assert low - 1e-14 <= exact.auc <= high + 1e-14
    assert (histogram.n_pos, histogram.n_neg) == (exact.n_pos, exact.n_neg)
    for level in (0.5, 0.95):
        wide = histogram.interval(confidence_level=level)
        narrow = rl.auc_interval(exact, confidence_level=level)
        assert wide.low <= narrow.low + 1e-9
        assert narrow.high <= wide.high + 1e-9


@given(weighted_rows(), CUTS)
@example(
    (np.array([1, 0, 1, 0]), np.array([0.1, 0.2, 0.3, 0.4]), np.array([1e9, 1.0, 1.0, 1e-9])), []
)
def test_the_weighted_auc_is_within_its_error(data, cuts):
    truth, scores, weights = data
    histogram = counted(cuts, truth, scores, weights)
    is_within(histogram, rl.Ranking(truth, scores, sample_weight=weights).summary)


@given(weighted_rows())
def test_without_error_the_interval_is_the_exact_one(data):
    truth, scores, weights = data
    histogram = counted(np.unique(scores), truth, scores, weights)
    exact = rl.auc_interval(truth, scores, sample_weight=weights)
    found = histogram.interval()
    assert histogram.max_error == 0
    assert found.value == pytest.approx(exact.value, rel=1e-12, abs=1e-14)
    for name in ("low", "high", "standard_error"):
        value = getattr(exact, name)
        assert getattr(found, name) == pytest.approx(value, rel=1e-6, abs=1e-7, nan_ok=True)


@given(weighted_rows(), CUTS)
def test_the_error_is_half_the_weight_of_pairs_within_bins(data, cuts):
    """By definition, and reached when all of these pairs are won or all are lost."""
    truth, scores, weights = data
    histogram = counted(cuts, truth, scores, weights)
    pos, neg = weights[truth == 1], weights[truth == 0]
    bins = np.searchsorted(cuts, scores) + np.where(np.isin(scores, cuts), 0.5, 0)
    inside = [
        w * v
        for w, a in zip(pos, bins[truth == 1], strict=True)
        for v, b in zip(neg, bins[truth == 0], strict=True)
        if a == b and a == int(a)
    ]
    wanted = math.fsum(inside) / (2 * math.fsum(pos) * math.fsum(neg))
    assert histogram.max_error == pytest.approx(wanted, rel=1e-9, abs=1e-300)


@given(weighted_rows(), CUTS, st.sampled_from([1.0, 3.0, 1e-30]))
def test_equal_weights_are_counts(data, cuts, weight):
    truth, scores, _ = data
    plain, weighted = ScoreHistogram(cuts), ScoreHistogram(cuts)
    plain.update(truth, scores)
    weighted.update(truth, scores, sample_weight=np.full(len(truth), weight))
    assert weighted.max_error == pytest.approx(plain.max_error, rel=1e-12, nan_ok=True)
    here, there = weighted.interval(), plain.interval()
    for name in ("value", "low", "high"):
        value = getattr(there, name)
        assert getattr(here, name) == pytest.approx(value, rel=1e-6, abs=1e-9, nan_ok=True)


@given(weighted_rows(both=False), CUTS, st.data())
def test_weights_and_counts_add_up_and_survive_bytes(data, cuts, choice):
    truth, scores, weights = data
    split = choice.draw(st.integers(0, len(truth)))
    first, second = ScoreHistogram(cuts), ScoreHistogram(cuts)
    first.update(truth[:split], scores[:split])
    second.update(truth[split:], scores[split:], sample_weight=weights[split:])
    added = ScoreHistogram.from_bytes(first.to_bytes()) + ScoreHistogram.from_bytes(
        second.to_bytes()
    )
    ones = np.concatenate([np.ones(split), weights[split:]])
    whole = counted(cuts, truth, scores, ones)
    assert (added.n_pos, added.n_neg) == (whole.n_pos, whole.n_neg)
    assert added.auc == pytest.approx(whole.auc, rel=1e-12, abs=1e-14, nan_ok=True)
    assert added.max_error == pytest.approx(whole.max_error, rel=1e-12, nan_ok=True)
    first.update(truth[split:], scores[split:], sample_weight=weights[split:])
    assert first == added
    if not math.isnan(added.auc):
        assert rl.auc(added.ranking()) == pytest.approx(added.auc, rel=1e-12, abs=1e-14)


@given(weighted_rows(max_size=80), st.sampled_from([0.4, 0.1, 0.01]), st.integers(0, 80))
def test_a_table_is_counted_to_the_error_that_is_allowed(data, max_error, cut):
    truth, scores, weights = data
    frame = pl.DataFrame({"y": truth, "a": scores, "w": weights})
    reader = RowReader(label="y", models=("a",), weight="w")
    exact = rl.Ranking(truth, scores, sample_weight=weights).summary
    local = LocalTable(frame=frame.lazy(), memory_limit=1000, directory=Path(tempfile.gettempdir()))
    for table in (local, PartedTable([frame[:cut], frame[cut:]])):
        counts, found = bounded_histograms(table, reader, max_error=max_error)
        assert (counts.pos, counts.neg) == (exact.n_pos, exact.n_neg)
        assert found["a"].max_error <= max_error
        is_within(found["a"], exact)
