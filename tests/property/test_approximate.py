"""The approximate window after every single operation: invariants, error and size, and its twin."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
import reference
import reference_streaming
from hypothesis import given
from hypothesis import strategies as st
from reference_streaming import PRINTED, PaperWindow, twice_wins
from strategies import level_samples, weighted_samples

import roclab as rl

EPS = (0, 0.01, 0.1, 0.5, 1, 2, 10)
ROUNDING = 1e-15


class Scenario:
    """A random stream: window size, ties, class rate and order of removal drawn from a seed."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.size = int(self.rng.integers(1, 201)) if seed % 5 else seed % 3 + 1
        self.levels = int(self.rng.choice([1, 3, 12, 10_000]))
        self.rate = float(self.rng.choice([0.02, 0.1, 0.5, 0.9]))
        self.first_in_first_out = bool(seed % 2)

    def operations(self, insertions):
        """(remove, positive, score) for each step, down to the empty window."""
        inside = []
        for _ in range(insertions):
            while len(inside) >= self.size or (inside and self.rng.random() < 0.1):
                yield True, *self._taken(inside)
            event = bool(self.rng.random() < self.rate), float(self.rng.integers(self.levels))
            inside.append(event)
            yield False, *event
        while inside:
            yield True, *self._taken(inside)

    def _taken(self, inside):
        chosen = inside[0 if self.first_in_first_out else int(self.rng.integers(len(inside)))]
        inside.remove(chosen)  # the oldest of those that are equal, as the window does
        return chosen


def check_state(window, events, eps):
    assert window._problem() == ""
    assert len(window) == len(events)
    n_pos = sum(positive for positive, _ in events)
    n_neg = len(events) - n_pos
    assert (window.n_pos, window.n_neg) == (n_pos, n_neg)
    if eps and n_pos:
        assert window.compressed_size <= 2 * math.log(n_pos) / math.log1p(eps) + 4
    if not (n_pos and n_neg):
        values = (window.auc, window.auc_flipped, *window.auc_bounds.to_dict().values())
        assert all(map(math.isnan, values))
        return
    exact = twice_wins(events) / (2 * n_pos * n_neg)
    assert abs(window.auc - exact) <= eps * exact / 2 + ROUNDING
    assert abs(window.auc_flipped - exact) <= eps * (1 - exact) / 2 + ROUNDING
    low, high = window.auc_bounds.low, window.auc_bounds.high
    assert low <= exact <= high
    # The bounds are never wider than what the two guarantees say.
    plain, losses = window.auc, 1 - window.auc_flipped
    assert (
        low >= max(plain / (1 + eps / 2), 1 - losses / (1 - eps / 2) if eps < 2 else 0) - ROUNDING
    )
    assert (
        high <= min(plain / (1 - eps / 2) if eps < 2 else 1, 1 - losses / (1 + eps / 2)) + ROUNDING
    )
    assert high - low <= eps * min(exact, 1 - exact) + ROUNDING
    assert abs(window.auc_bounds.middle - exact) <= eps / 4 + ROUNDING
    if eps == 0:
        assert window.auc == window.auc_flipped == low == high == exact


def check_twins(window, twin, flipped_twin):
    for own_class, of in ((True, twin), (False, flipped_twin)):
        scores, own, other = window._listed(own_class)
        assert (-scores).tolist() == of.C.nodes
        assert (own.tolist(), other.tolist()) == of.C.gaps()
    if window.n_pos and window.n_neg:
        pairs = window.n_pos * window.n_neg
        assert window.auc == float(twin.approx() / pairs)
        assert window.auc_flipped == float(1 - flipped_twin.approx() / pairs)


@pytest.mark.parametrize("eps", EPS)
@pytest.mark.parametrize("seed", range(9))
def test_every_state_of_random_streams(eps, seed):
    window = rl.ApproximateWindowAUC(1000, eps)
    twin, flipped_twin = PaperWindow(eps), PaperWindow(eps)
    inside = []
    operations = Scenario(100 * seed + EPS.index(eps)).operations(250)
    for step, (remove, positive, score) in enumerate(operations):
        event, kind = (positive, score), ("rem" if remove else "add")
        if remove:
            del inside[len(inside) - 1 - inside[::-1].index(event)]
        else:
            inside.append(event)
        (window.revert if remove else window.update)(positive, score)
        getattr(twin, f"{kind}_{'pos' if positive else 'neg'}")(-score)
        getattr(flipped_twin, f"{kind}_{'neg' if positive else 'pos'}")(-score)
        check_state(window, inside, eps)
        check_twins(window, twin, flipped_twin)
        if step % 10 == 0:  # slow, and the window has just been found equal to the twin
            assert not twin.problems()
    assert len(window) == 0
    assert window._problem() == ""
    assert window.compressed_size == 2


@pytest.mark.parametrize("eps", EPS)
@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_sliding_is_the_last_events(eps, size):
    rng = np.random.default_rng(size)
    truth = rng.random(150) < rng.choice([0.1, 0.5, 0.9])
    scores = rng.integers(0, rng.choice([2, 9, 1000]), 150) / 8
    one_by_one, at_once = (rl.ApproximateWindowAUC(size, eps) for _ in range(2))
    values = []
    for step, event in enumerate(zip(truth.tolist(), scores.tolist(), strict=True)):
        one_by_one.update(*event)
        first = max(0, step + 1 - size)
        inside = list(zip(truth[first : step + 1].tolist(), scores[first : step + 1], strict=True))
        check_state(one_by_one, inside, eps)
        values.append(one_by_one.auc)
    returned = at_once.update_many(truth, scores, return_auc=True)
    np.testing.assert_array_equal(returned, values)
    assert at_once.to_bytes() == one_by_one.to_bytes()


@given(
    st.sampled_from(EPS) | st.floats(0, 20),
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(-4, 4)), max_size=80),
)
def test_any_sequence_of_updates_and_reverts(eps, operations):
    window, inside = rl.ApproximateWindowAUC(30, eps), []
    for remove, positive, score in operations:
        event = positive, float(score)
        if remove and event in inside:
            del inside[len(inside) - 1 - inside[::-1].index(event)]
            window.revert(*event)
        else:
            inside = [*inside, event][-30:]
            window.update(*event)
        check_state(window, inside, eps)
    again = rl.ApproximateWindowAUC.from_bytes(window.to_bytes())
    assert again.to_bytes() == window.to_bytes()
    check_state(again, inside, eps)


@given(level_samples(), st.sampled_from(EPS))
def test_content_is_the_batch_ranking(sample, eps):
    truth, scores = sample
    window = rl.ApproximateWindowAUC(len(truth), eps)
    window.update_many(truth, scores)
    batch, ranking = rl.Ranking(truth, scores), window.ranking()
    np.testing.assert_array_equal(ranking.scores, batch.scores)
    np.testing.assert_array_equal(ranking.pos, batch.pos)
    np.testing.assert_array_equal(ranking.neg, batch.neg)
    assert window.auc_bounds.low <= rl.auc(batch) <= window.auc_bounds.high


def broken_scenarios(printed):
    """In how many of 60 streams a misprint breaks something, and what it breaks first."""
    first = Counter()
    for seed in range(60):
        twin = PaperWindow(EPS[seed % len(EPS)], {printed})
        try:
            for remove, positive, score in Scenario(seed).operations(60):
                step = f"{'rem' if remove else 'add'}_{'pos' if positive else 'neg'}"
                getattr(twin, step)(-score)
                if found := twin.problems():
                    first[min(found)] += 1
                    break
        except (KeyError, ValueError):
            first["a node that is not there"] += 1
    return first


@pytest.mark.parametrize("printed", PRINTED)
def test_each_misprint_of_the_paper_breaks_an_invariant(printed):
    assert broken_scenarios(printed).total() >= 10


def printed_head(keys, s):
    """Algorithm 1 as printed, in a balanced tree of ascending keys with one positive at each."""
    low, high, hp = 0, len(keys), 0
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < s:
            high = middle
            continue
        hp += middle - low
        if keys[middle] == s:
            return hp
        hp, low = hp + 1, middle + 1
    return None


def test_the_printed_comparison_of_algorithm_1_finds_the_root_only():
    keys = range(31)
    assert [s for s in keys if printed_head(keys, s) == s] == [15]
    assert sum(printed_head(keys, s) is None for s in keys) == 30


dyadic = st.integers(1, 64).map(lambda eighths: eighths / 8)


@given(weighted_samples(level_samples(), kinds=("counts",)), dyadic)
def test_weighted_list_is_its_definition(sample, eps):
    truth, scores, weight = sample
    ranking = rl.Ranking(truth, scores, sample_weight=weight)
    found = rl.streaming.compressed_ranking(ranking, eps=eps)
    expected = reference_streaming.weighted_list(
        ranking.scores.tolist(), map(Fraction, ranking.pos.tolist()), Fraction(eps)
    )
    assert found.scores.tolist() == expected


@given(weighted_samples(level_samples()), st.sampled_from(EPS))
def test_weighted_estimate_keeps_its_bounds(sample, eps):
    truth, scores, weight = sample
    found = rl.streaming.compressed_ranking(truth, scores, sample_weight=weight, eps=eps)
    exact = float(reference.auc(truth, scores, weight))
    assert abs(found.auc - exact) <= eps * exact / 2 + 1e-12
    assert found.auc_bounds.low - 1e-12 <= exact <= found.auc_bounds.high + 1e-12
    assert found.auc_bounds.high - found.auc_bounds.low <= eps * found.auc + 1e-12
    positives = weight[truth & (weight > 0)]
    if eps:
        spread = positives.sum() / positives.min()
        assert len(found) <= 2 * math.log(spread) / math.log1p(eps) + 4
    total = weight[weight > 0]
    assert found.pos.sum() + found.gap_pos.sum() == pytest.approx(positives.sum())
    masses = [found.pos, found.neg, found.gap_pos, found.gap_neg]
    assert sum(mass.sum() for mass in masses) == pytest.approx(total.sum())


@given(level_samples(), st.sampled_from(EPS[1:]))
def test_equal_weights_are_no_weights(sample, eps):
    truth, scores = sample
    plain = rl.streaming.compressed_ranking(truth, scores, eps=eps)
    weighted = rl.streaming.compressed_ranking(
        truth, scores, eps=eps, sample_weight=np.full(len(truth), 4)
    )
    np.testing.assert_array_equal(plain.scores, weighted.scores)
    assert weighted.auc == pytest.approx(plain.auc, abs=1e-14)
