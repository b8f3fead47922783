"""The direct way to the scored AUC and its variance equals the way through a ranking."""

import numpy as np
import pytest
import reference
from hypothesis import given
from strategies import level_samples

from roclab import InputError, Ranking
from roclab.ranking import scored_pairs


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
    rng = np.random.default_rng(11)
    truth = rng.random(260_000) < share
    scores = rng.normal(size=len(truth)) + truth
    scores = {
        "normal": scores,
        "tied": scores.round(1),
        "integers": (1000 * scores).astype(np.int64),
        "float32": scores.astype(np.float32),
        "shifted": scores + 1e4,
    }[kind]
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


def test_nan_is_refused_and_a_large_smaller_class_left_to_the_ranking():
    with pytest.raises(InputError, match="NaN"):
        scored_pairs([0, 1, 0], [0.1, np.nan, 0.2])
    half = np.arange(300_000) % 2
    assert scored_pairs(half, np.arange(300_000.0)) is None
