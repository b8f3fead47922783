"""The population stability index against counting, and its distribution by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

import roclab as rl
from roclab.decisions import population_stability_index
from roclab.report.document import document

TIED = st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=40)


def by_counting(reference, current, low, high):
    """The index of samples with given bins; one half is added to all counts if one is 0."""
    counts = [
        [sum(a <= score < b for score in sample) for a, b in zip(low, high, strict=True)]
        for sample in (reference, current)
    ]
    assert [sum(row) for row in counts] == [len(reference), len(current)]
    more = 0.5 if 0 in counts[0] + counts[1] else 0
    shares = [[(n + more) / (sum(row) + more * len(row)) for n in row] for row in counts]
    return sum((q - p) * math.log(q / p) for p, q in zip(*shares, strict=True))


@given(TIED, st.one_of(TIED, st.lists(st.floats(-5, 5), min_size=1)), st.sampled_from([2, 3, 10]))
def test_equals_counting(reference, current, n_bins):
    if len(set(reference)) == 1:
        reference = [*reference, reference[0] + 1, reference[0] + 1]
    found = population_stability_index(reference, current, n_bins=n_bins)
    assert found.value == pytest.approx(
        by_counting(reference, current, found.low, found.high), abs=1e-12
    )
    assert found.value >= -1e-15
    assert found.contribution.sum() == found.value
    scale = 1 / len(reference) + 1 / len(current)
    assert found.pvalue == pytest.approx(chi2.sf(found.value / scale, len(found) - 1))
    assert found.critical_value == pytest.approx(chi2.ppf(0.95, len(found) - 1) * scale)
    assert not set(found.low) & set(reference)  # bounds are halfway between scores


@given(TIED)
def test_a_sample_is_as_stable_as_can_be_against_itself(sample):
    sample = [*sample, -9.0, 9.0]
    found = population_stability_index(sample, sample[::-1])
    assert (found.value, found.pvalue) == (0, 1)
    assert found.reference_share.tolist() == found.current_share.tolist()


def test_a_published_way_to_compute_it():
    """By hand: shares (1/2, 1/2) and (1/4, 3/4)."""
    found = population_stability_index([1, 2, 3, 4], [1, 3, 3, 5], n_bins=2)
    assert found.value == pytest.approx(0.25 * math.log(2) + 0.25 * math.log(1.5))
    assert (found.low.tolist(), found.high.tolist()) == ([-math.inf, 2.5], [2.5, math.inf])
    assert (found.df, found.n_reference, found.n_current, float(found)) == (1, 4, 4, found.value)


def test_neighbouring_and_infinite_scores_have_bounds():
    near = [1.0, np.nextafter(1.0, 2)]
    found = population_stability_index(near * 2, near, n_bins=2)
    assert found.current_share.tolist() == [0.5, 0.5]
    ends = [-math.inf, 0.0, 0.0, math.inf]
    assert population_stability_index(ends, ends, n_bins=4).value == 0


@pytest.mark.parametrize("dtype", ["i1", "u8", "f4", "f8"])
def test_scores_of_any_type_and_rankings(dtype):
    one, other = np.array([1, 2, 3, 4, 5], dtype), np.array([2, 2, 3, 5], dtype)
    plain = population_stability_index(one, other, n_bins=2)
    ranked = population_stability_index(
        rl.Ranking([0, 1, 0, 1, 0], one), rl.Ranking([0, 1, 1, 0], other), n_bins=2
    )
    assert plain.to_dict() == ranked.to_dict()


@pytest.mark.parametrize(("reference", "current"), [([], [1]), ([1, 2], []), ([3, 3, 3], [1, 2])])
def test_what_is_undefined(reference, current):
    with pytest.warns(rl.UndefinedMeasureWarning, match="two bins of them") as caught:
        found = population_stability_index(reference, current)
    assert caught[0].filename == __file__
    assert math.isnan(found.value)
    assert math.isnan(found.pvalue)
    assert "undefined" in str(found)


def test_what_is_refused():
    with pytest.raises(rl.InputError, match="current holds NaN"):
        population_stability_index([1, 2], [1, math.nan])
    with pytest.raises(rl.InputError, match="reference has weights"):
        population_stability_index(rl.Ranking([0, 1], [1, 2], sample_weight=[1, 2]), [1])
    with pytest.raises(rl.InputError, match="n_bins=0 is out of range"):
        population_stability_index([1, 2], [1], n_bins=0)


def test_what_people_see():
    stable = population_stability_index([1, 2, 3, 4], [1, 3, 3, 5], n_bins=2)
    assert "No significant change: 95 % of samples" in str(stable)
    moved = population_stability_index(range(100), range(50, 150), n_bins=5)
    assert "Significant change: " in str(moved)
    assert document(moved).main_table.header == (
        "low",
        "high",
        "reference_share",
        "current_share",
        "contribution",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "m", "tied"), [(100, 100, False), (1000, 200, False), (300, 300, True)]
)
def test_stable_samples_are_called_changed_as_often_as_stated(n, m, tied):
    rng = np.random.default_rng(7)
    called = 0
    for _ in range(1000):
        samples = [rng.normal(size=size) for size in (n, m)]
        if tied:
            samples = [np.round(2 * sample) for sample in samples]
        called += population_stability_index(*samples).pvalue < 0.05
    assert 0.03 <= called / 1000 <= 0.08  # 0.05 with a standard error of 0.007, and few per bin
