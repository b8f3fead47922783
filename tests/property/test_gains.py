"""The gains table against counting, on small samples with ties."""

import numpy as np
import pytest
import reference_probability as twin
from hypothesis import given
from hypothesis import strategies as st
from strategies import MILD_WEIGHTS, level_samples, weighted_samples

import roclab as rl
from roclab.measures import gains_table

N_BINS = st.sampled_from([1, 2, 3, 10])


@given(weighted_samples(level_samples(), kinds=MILD_WEIGHTS), N_BINS, st.booleans())
def test_equals_counting(sample, n_bins, weighted):
    truth, scores, weight = sample
    weight = weight if weighted else None
    table = gains_table(truth, scores, n_bins=n_bins, sample_weight=weight)
    rows = twin.rows_of(truth, scores, weight)
    bins = twin.bins_of(rows, n_bins, "quantile")[::-1]
    assert len(table) == len(bins)

    def mass(kept):
        return float(sum(w for _, w, _ in kept))

    total, all_pos = mass(rows), mass([row for row in rows if row[2]])
    seen = []
    for place, kept in enumerate(bins):
        seen += kept
        pos = [row for row in kept if row[2]]
        seen_pos = mass([row for row in seen if row[2]])
        expected = {
            "low": float(min(s for s, _, _ in kept)),
            "high": float(max(s for s, _, _ in kept)),
            "count": mass(kept),
            "positives": mass(pos),
            "response_rate": mass(pos) / mass(kept),
            "lift": mass(pos) / mass(kept) / (all_pos / total),
            "share": mass(seen) / total,
            "capture": seen_pos / all_pos,
            "cumulative_lift": seen_pos / all_pos / (mass(seen) / total),
            "ks": seen_pos / all_pos - (mass(seen) - seen_pos) / (total - all_pos),
        }
        found = {name: getattr(table, name)[place] for name in expected}
        assert found == pytest.approx(expected, abs=1e-9)


@given(level_samples(), N_BINS)
def test_ends_where_everything_is_captured(sample, n_bins):
    table = gains_table(*sample, n_bins=n_bins)
    assert (table.share[-1], table.capture[-1], table.ks[-1]) == (1, 1, 0)
    assert (np.diff(table.low) < 0).all()
    assert table.ks.max() <= rl.ks_statistic(*sample) + 1e-12
    assert table.count.sum() == len(sample[0])
