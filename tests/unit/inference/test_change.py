"""The decomposition of a change of the AUC against sums over all pairs, and its intervals."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roclab as rl
from roclab.errors import ColumnError, InputError


def table(rows):
    labels, scores, segments = map(list, zip(*rows, strict=True))
    return rl.ScoreTable(labels, {"m": scores}, groups={"g": segments})


def cells(rows, names):
    """Weight and AUC of the pairs of every two segments, by all pairs."""
    pos = [(s, g) for y, s, g in rows if y]
    neg = [(s, g) for y, s, g in rows if not y]
    weights, aucs = {}, {}
    for g in names:
        for h in names:
            pairs = [(a > b) + (a == b) / 2 for a, k in pos for b, j in neg if (k, j) == (g, h)]
            weights[g, h] = len(pairs) / (len(pos) * len(neg))
            aucs[g, h] = sum(pairs) / len(pairs) if pairs else None
    return weights, aucs


period = st.lists(
    st.tuples(st.booleans(), st.integers(0, 5), st.sampled_from("abc")), min_size=2, max_size=14
).filter(lambda rows: len({y for y, _, _ in rows}) == 2)


@settings(max_examples=80)
@given(old=period, new=period)
@pytest.mark.filterwarnings("ignore::roclab.RoclabWarning")
def test_both_parts_and_all_shares_are_those_of_all_pairs(old, new):
    found = rl.auc_change(table(old), table(new), by="g")
    names = sorted({g for _, _, g in old + new})
    (w0, a0), (w1, a1) = cells(old, names), cells(new, names)
    mix, ranking = {}, {}
    for cell in w0:
        before = a1[cell] if a0[cell] is None else a0[cell]
        after = a0[cell] if a1[cell] is None else a1[cell]
        before, after = before or 0.0, after or 0.0
        centre = (found.auc_before + found.auc_after) / 2
        mix[cell] = (w1[cell] - w0[cell]) * ((before + after) / 2 - centre)
        ranking[cell] = (w0[cell] + w1[cell]) / 2 * (after - before)
    assert found.mix == pytest.approx(sum(mix.values()), abs=1e-14)
    assert found.ranking == pytest.approx(sum(ranking.values()), abs=1e-14)
    assert found.mix + found.ranking == pytest.approx(found.difference, abs=4e-16)
    assert {one.segment for one in found.segments} == set(names)
    for one in found.segments:
        g = one.segment
        for part, value in ((mix, one.mix), (ranking, one.ranking)):
            row, column = (sum(part[g, h] for h in names), sum(part[h, g] for h in names))
            assert value == pytest.approx((row + column) / 2, abs=1e-14)
    shares = [abs(one.share) for one in found.segments]
    assert shares == sorted(shares, reverse=True)
    assert sum(one.share for one in found.segments) == pytest.approx(found.difference, abs=1e-14)


def sample(rng, n, rates, shifts):
    """Segments with their own proportions and separations."""
    g = rng.choice(len(rates), n, p=rates)
    y = rng.random(n) < 0.3
    s = rng.normal(size=n) + y * np.take(shifts, g) + 0.5 * g
    return rl.ScoreTable(y, {"m": s}, groups={"g": g})


def test_one_segment_is_all_ranking_with_the_variance_of_delong():
    rng = np.random.default_rng(1)
    old, new = sample(rng, 300, [1], [1.0]), sample(rng, 200, [1], [0.5])
    found = rl.auc_change(old, new, by="g")
    assert found.mix == 0
    assert found.mix_high - found.mix_low == pytest.approx(0, abs=1e-15)
    delong = rl.compare_independent_auc(new["m"], old["m"], method="delong")
    assert found.ranking == pytest.approx(delong.difference, abs=1e-15)
    variance = sum(one["m"].summary.auc_variance for one in (old, new))
    half = 1.959963984540054 * math.sqrt(variance)
    assert found.ranking_high - found.ranking == pytest.approx(half, rel=1e-9)


def test_the_intervals_have_the_spread_of_repeated_samples():
    rng = np.random.default_rng(2)
    found = [
        rl.auc_change(
            sample(rng, 400, [0.5, 0.3, 0.2], [1.0, 1.5, 0.5]),
            sample(rng, 500, [0.2, 0.3, 0.5], [1.0, 1.0, 0.5]),
            by="g",
        )
        for _ in range(400)
    ]
    for part in ("mix", "ranking"):
        values = [getattr(one, part) for one in found]
        halves = [getattr(one, f"{part}_high") - getattr(one, part) for one in found]
        # The standard deviation of 400 values has a standard error of 3.5 %.
        assert np.mean(halves) / 1.96 == pytest.approx(np.std(values), rel=0.12)


def test_segments_of_one_period_only_are_mix():
    old = rl.ScoreTable([0, 1, 0, 1], {"m": [1, 2, 3, 4]}, groups={"g": ["a"] * 4})
    new = rl.ScoreTable([0, 1, 0, 1], {"m": [4, 3, 2, 1]}, groups={"g": ["b"] * 4})
    found = rl.auc_change(old, new, by="g")
    assert (found.ranking, found.mix) == (0, found.difference)
    assert found.difference == -0.5
    by_name = {one.segment: one for one in found.segments}
    assert math.isnan(by_name["a"].auc_after)
    assert math.isnan(by_name["b"].auc_before)
    assert (by_name["a"].n_pos_before, by_name["a"].n_pos_after) == (2, 0)


def test_what_cannot_be_decomposed_is_refused():
    two = rl.ScoreTable([0, 1], {"m": [1, 2], "n": [2, 1]}, groups={"g": [1, 1]})
    one = rl.ScoreTable([0, 1], {"m": [1, 2]}, groups={"g": [1, 1]})
    with pytest.raises(InputError, match=r"2 score columns \(m, n\).*model='m'"):
        rl.auc_change(two, two, by="g")
    with pytest.raises(InputError, match="before has the scores 'm' and after has 'k'"):
        rl.auc_change(one, rl.ScoreTable([0, 1], {"k": [1, 2]}, groups={"g": [1, 1]}), by="g")
    with pytest.raises(InputError, match="has weights"):
        rl.auc_change(one, rl.ScoreTable([0, 1], {"m": [1, 2]}, sample_weight=[1, 2]), by="g")
    with pytest.raises(InputError, match="2 positive and 0 negative"):
        rl.auc_change(one, rl.ScoreTable([1, 1], {"m": [1, 2]}), by="g")
    with pytest.raises(InputError, match="a ScoreTable is needed"):
        rl.auc_change(one, one["m"], by="g")
    with pytest.raises(ColumnError, match="No group column 'x'"):
        rl.auc_change(one, one, by="x")
    with pytest.raises(ColumnError, match="No score column 'x'"):
        rl.auc_change(one, one, by="g", model="x")


def test_two_perfect_periods_leave_parts_without_width_which_is_warned_of():
    rows = [(k % 2, k % 2, "ab"[k % 4 > 1]) for k in range(20)]
    with pytest.warns(rl.DegenerateIntervalWarning, match="not certainty"):
        found = rl.auc_change(table(rows), table(rows[:12]), by="g")
    assert (found.mix_low, found.mix_high) == (0, 0)
    assert (found.ranking_low, found.ranking_high) == (0, 0)
    assert found.low < found.difference == 0 < found.high


def test_one_segment_has_no_mix_for_certain():
    rows = [(k % 2, (k % 2) + (k % 3), "a") for k in range(20)]
    found = rl.auc_change(table(rows), table(rows[:12]), by="g")
    assert (found.mix_low, found.mix_high) == (0, 0)
    assert found.ranking_low < found.ranking_high
