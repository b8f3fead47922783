"""Corrections against their definitions and scipy; groups against trying all sets."""

import itertools
import math

import pytest
import reference_comparison
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from roclab.inference.comparison.multiplicity import (
    adjusted_pvalues,
    group_letters,
    indistinct_groups,
)

PVALUES = st.lists(
    st.one_of(st.sampled_from([0.0, 0.01, 0.02, 0.05, 0.5, 1.0]), st.floats(0, 1)),
    min_size=1,
    max_size=12,
)


@given(PVALUES)
def test_holm(pvalues):
    assert adjusted_pvalues(pvalues, "holm") == pytest.approx(reference_comparison.holm(pvalues))


@given(PVALUES)
def test_benjamini_and_hochberg(pvalues):
    expected = false_discovery_control(pvalues, method="bh")
    assert adjusted_pvalues(pvalues, "fdr") == pytest.approx(expected.tolist(), rel=1e-14)


@given(PVALUES, st.sampled_from(["holm", "fdr"]))
def test_corrections_keep_the_order_and_never_help(pvalues, correction):
    adjusted = adjusted_pvalues(pvalues, correction)
    for p, q in zip(pvalues, adjusted, strict=True):
        assert p <= q <= 1 or q == pytest.approx(p, rel=1e-15)
    for (p, q), (r, s) in itertools.combinations(zip(pvalues, adjusted, strict=True), 2):
        assert not (p < r and q > s)


def test_published_example_of_benjamini_and_hochberg():
    """Their 15 p-values (1995, section 3.3): at 0.05 the first four are rejected."""
    pvalues = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
        0.5719, 0.6528, 0.7590, 1.0,
    ]  # fmt: skip
    assert sum(p <= 0.05 for p in adjusted_pvalues(pvalues, "fdr")) == 4
    assert sum(p <= 0.05 for p in adjusted_pvalues(pvalues, "holm")) == 3


@pytest.mark.parametrize("correction", ["holm", "fdr", "none"])
def test_tests_that_could_not_be_made_do_not_count(correction):
    adjusted = adjusted_pvalues([0.01, math.nan, 0.04], correction)
    assert math.isnan(adjusted[1])
    assert [adjusted[0], adjusted[2]] == adjusted_pvalues([0.01, 0.04], correction)
    assert adjusted_pvalues([], correction) == []


def graph(size, edges):
    apart = [[False] * size for _ in range(size)]
    for a, b in edges:
        apart[a][b] = apart[b][a] = True
    return apart


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 8))
    pairs = list(itertools.combinations(range(size), 2))
    kept = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return graph(size, [pair for pair, keep in zip(pairs, kept, strict=True) if keep])


@given(graphs())
def test_groups_are_the_largest_sets(apart):
    assert indistinct_groups(apart) == reference_comparison.largest_sets(apart)


@given(graphs())
def test_letters_tell_apart_what_was_told_apart(apart):
    letters = group_letters(indistinct_groups(apart), len(apart))
    for a, b in itertools.combinations(range(len(apart)), 2):
        assert apart[a][b] == (not set(letters[a]) & set(letters[b]))


def check_cover(apart, groups):
    shared = set()
    for group in groups:
        pairs = set(itertools.combinations(group, 2))
        assert not any(apart[a][b] for a, b in pairs)
        others = set(range(len(apart))) - set(group)
        assert all(any(apart[a][b] for a in group) for b in others), "not the largest"
        shared |= pairs
    near = {(a, b) for a, b in itertools.combinations(range(len(apart)), 2) if not apart[a][b]}
    assert shared == near
    assert {a for group in groups for a in group} == set(range(len(apart)))


def test_of_too_many_groups_enough_are_given():
    # fifty families of two unlike members: 2^50 largest sets
    apart = graph(100, [(a, a + 1) for a in range(0, 100, 2)])
    groups = indistinct_groups(apart)
    assert len(groups) < 5000
    check_cover(apart, groups)


def test_a_large_group_does_not_need_a_deep_stack():
    assert indistinct_groups(graph(1100, [])) == [list(range(1100))]
    every = graph(260, itertools.combinations(range(260), 2))
    assert indistinct_groups(every) == [[a] for a in range(260)]


def test_letters_beyond_the_alphabet_have_numbers():
    letters = group_letters([[a] for a in range(28)], 29)
    assert letters[0] == "a"
    assert letters[25:] == ["z", "a2", "b2", ""]
