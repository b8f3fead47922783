"""The direct way to the scored AUC and its variance equals the way through a ranking."""

import numpy as np
import pytest
import reference
from hypothesis import given
from strategies import level_samples

from roclab import InputError, Ranking, scored_auc
from roclab.data.ranking import scored_pairs


@given(sample=level_samples())
def test_equals_the_twin(sample):
    truth, scores = sample[:2]
    pairs = scored_pairs(truth, scores)
    if pairs.pos and pairs.neg:
        exact = float(reference.scored_auc(truth, scores))
        assert pairs.scored_auc == pytest.approx(exact, rel=1e-12, abs=1e-13)
    if min(pairs.pos, pairs.neg) > 1:
        exact = float(reference.scored_auc_variance(truth, scores))
        assert pairs.scored_auc_variance == pytest.approx(exact, rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("share", [0.001, 0.05, 0.95])
@pytest.mark.parametrize("kind", ["normal", "tied", "integers", "float32", "shifted"])
def test_large_samples_equal_the_ranking_for_any_number_of_threads(share, kind, monkeypatch):
    check_against_ranking(260_000, share, kind, monkeypatch)


# The smaller class is too large for the cache, so that rows are divided by score.
@pytest.mark.parametrize("share", [0.4, 0.6])
@pytest.mark.parametrize(
    "kind", ["normal", "tied", "integers", "float32", "shifted", "clusters", "separated"]
)
def test_divided_samples_equal_the_ranking_for_any_number_of_threads(share, kind, monkeypatch):
    check_against_ranking(400_000, share, kind, monkeypatch)


def check_against_ranking(size, share, kind, monkeypatch):
    rng = np.random.default_rng(11)
    truth = rng.random(size) < share
    scores = rng.normal(size=size) + truth
    scores = {
        "normal": lambda: scores,
        "tied": lambda: scores.round(1),
        "integers": lambda: (1000 * scores).astype(np.int64),
        "float32": lambda: scores.astype(np.float32),
        "shifted": lambda: scores + 1e4,
        "clusters": lambda: scores + rng.choice([0.0, 1e7], size),
        "separated": lambda: scores + 20 * truth,  # parts that hold one class only
    }[kind]()
    summary = Ranking(truth, scores).summary
    found = set()
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("ROCLAB_NUM_THREADS", threads)
        pairs = scored_pairs(truth, scores)
        found.add((pairs.scored_auc, pairs.scored_auc_variance))
    assert len(found) == 1
    value, variance = found.pop()
    assert value == pytest.approx(summary.scored_auc, rel=1e-12)
    assert variance == pytest.approx(summary.scored_auc_variance, rel=1e-10)


# Gains of a tenth beside scores of ten thousand million: sums about a common origin would lose
# every digit of them.
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("size", [10, 200_000])
def test_small_gains_beside_far_scores(size, mirrored):
    truth = np.repeat([False, True, False, False], [size, size, size, size])
    scores = np.repeat([0.0, 0.125, 1e10, 2e10], size)
    if mirrored:
        truth, scores = ~truth, -scores
    pairs = scored_pairs(truth, scores)
    assert pairs.scored_auc == pytest.approx(0.125 / 3, rel=1e-14)


@pytest.mark.parametrize("dtype", ["f8", "i4", "i8", "u8"])
@pytest.mark.parametrize("swap", [False, True])
def test_scores_at_the_ends_of_their_type(dtype, swap):
    low, high = (-4.0, 4.0) if dtype == "f8" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    scores = np.array([low, high, high, high, low, low], dtype)
    truth = np.array([0, 1, 0, 1, 1, 0]) != swap
    span = float(high) - float(low)
    pairs = scored_pairs(truth, scores)
    # of nine pairs four gain the span, or with the classes exchanged one does
    assert pairs.scored_auc == pytest.approx((1 if swap else 4) / 9 * span, rel=1e-15)


@pytest.mark.parametrize("size", [1, 200_000])
@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
@pytest.mark.parametrize("label", [False, True])
def test_an_infinite_score_is_never_lost_sight_of(size, infinite, label):
    truth = np.append(np.tile([False, True], 2 * size), label)
    scores = np.append(np.arange(4.0 * size), infinite)
    for sign in (truth, ~truth):
        assert not np.isfinite(scored_pairs(sign, scores).scored_auc)
        with pytest.raises(InputError, match="infinite"):
            scored_auc(sign, scores)


@pytest.mark.parametrize("size", [1, 200_000])
def test_nan_is_refused(size):
    truth, scores = np.tile([False, True, False], size), np.tile([0.1, 0.3, 0.2], size)
    for row in (0, 1):
        with pytest.raises(InputError, match="NaN"):
            scored_pairs(truth, np.where(np.arange(3 * size) == row, np.nan, scores))
    with pytest.raises(InputError, match="NaN"):
        scored_pairs(np.zeros(3 * size, bool), np.full(3 * size, np.nan))
