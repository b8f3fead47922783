"""Averages over folds against slow twins, with ties and weights."""

import math

import numpy as np
import pytest
import reference
import reference_folds as twin
from hypothesis import given
from hypothesis import strategies as st
from strategies import MILD_WEIGHTS, level_samples, weights

import roclab as rl
from roclab.inference import FoldScores

GRID = [0, 0.2, 0.25, 0.5, 0.8, 1]

# Expected of folds whose classes separate, and of folds whose scores are all equal.
pytestmark = pytest.mark.filterwarnings(
    "ignore:The (wald|ledell) interval has zero width:roclab.errors.DegenerateIntervalWarning"
)


@st.composite
def folded(draw):
    """Labels, scores, folds that each have both classes, and weights or None."""
    parts = [draw(level_samples(max_size=10)) for _ in range(draw(st.integers(2, 4)))]
    truth = np.concatenate([one for one, _ in parts])
    scores = np.concatenate([one for _, one in parts])
    names = np.repeat([f"fold {k}" for k in range(len(parts))], [len(one) for one, _ in parts])
    weight = None
    if draw(st.booleans()):
        weight = np.concatenate([draw(weights(one, kinds=MILD_WEIGHTS)) for one, _ in parts])
    order = np.array(draw(st.permutations(range(len(truth)))))
    return truth[order], scores[order], names[order], None if weight is None else weight[order]


@given(folded())
def test_averaged_and_pooled(sample):
    truth, scores, fold, weight = sample
    found = rl.cross_validated_auc(truth, scores, fold=fold, sample_weight=weight, method="wald")
    averaged, pooled = found.averaged, found.pooled
    assert averaged.value == pytest.approx(float(twin.averaged(truth, scores, fold, weight)))
    assert pooled.value == pytest.approx(float(reference.auc(truth, scores, weight)))
    expected = float(twin.variance(truth, scores, fold, weight))
    assert averaged.standard_error**2 == pytest.approx(expected, abs=1e-12, nan_ok=True)
    delong = rl.auc_interval(truth, scores, sample_weight=weight)
    variances = pooled.standard_error**2, delong.standard_error**2  # rounding is 1e-16 of these
    assert variances[0] == pytest.approx(variances[1], abs=1e-12, nan_ok=True)
    assert (pooled.n_pos, pooled.n_neg) == (delong.n_pos, delong.n_neg)
    if not math.isnan(expected):
        margin = 1.959963984540054 * math.sqrt(expected)
        assert averaged.low == pytest.approx(max(averaged.value - margin, 0), abs=1e-9)
        assert averaged.high == pytest.approx(min(averaged.value + margin, 1), abs=1e-9)
    for one, part in zip(found.folds, twin.folds_of(truth, scores, fold, weight), strict=True):
        assert one.value == pytest.approx(float(reference.auc(*part[:3])))
    there = fold if weight is None else fold[weight > 0]
    assert [one.fold for one in found.folds] == list(dict.fromkeys(there.tolist()))
    auto = rl.cross_validated_auc(truth, scores, fold=fold, sample_weight=weight).averaged
    assert 0 <= auto.low <= auto.value <= auto.high <= 1


@given(folded())
def test_the_standard_error_of_ledell_and_others(sample):
    truth, scores, fold, _ = sample
    found = rl.cross_validated_auc(truth, scores, fold=fold, method="ledell").averaged
    expected = float(twin.ledell_variance(truth, scores, fold))
    assert found.standard_error**2 == pytest.approx(expected, abs=1e-12)
    margin = 1.959963984540054 * math.sqrt(expected)
    assert found.low == pytest.approx(max(found.value - margin, 0), abs=1e-9)
    assert found.high == pytest.approx(min(found.value + margin, 1), abs=1e-9)


@given(folded(), st.data())
def test_clusters_equal_the_twin(sample, data):
    truth, scores, fold, _ = sample
    names = st.lists(st.integers(0, 9), min_size=len(truth), max_size=len(truth))
    cluster = data.draw(names)
    found = rl.cross_validated_auc(truth, scores, fold=fold, cluster=cluster, method="wald")
    expected = float(twin.clustered_variance(truth, scores, fold, cluster))
    variance = found.averaged.standard_error**2
    assert variance == pytest.approx(expected, abs=1e-12, nan_ok=True)
    pooled = rl.auc_interval(truth, scores, cluster=cluster)
    assert found.pooled.standard_error == pytest.approx(
        pooled.standard_error, abs=1e-6, nan_ok=True
    )
    pooled_auto = rl.cross_validated_auc(truth, scores, fold=fold, cluster=cluster).pooled
    if pooled.standard_error > 1e-6:
        ends = pooled_auto.low, pooled_auto.high
        assert ends == pytest.approx((pooled.low, pooled.high), abs=1e-6)


@given(folded())
def test_clusters_of_one_row_change_the_degrees_of_freedom_only(sample):
    truth, scores, fold, weight = sample
    options = {"fold": fold, "sample_weight": weight, "method": "wald"}
    plain = rl.cross_validated_auc(truth, scores, **options)
    found = rl.cross_validated_auc(truth, scores, cluster=np.arange(len(truth)), **options)
    for one, other in ((plain.averaged, found.averaged), (plain.pooled, found.pooled)):
        variances = one.standard_error**2, other.standard_error**2
        if weight is None:  # numbers of clusters are of mean weights, in all folds together
            assert variances[0] == pytest.approx(variances[1], abs=1e-12, nan_ok=True)
        assert (one.value, one.n_pos, one.n_neg) == (other.value, other.n_pos, other.n_neg)


@given(folded(), st.integers(2, 3))
def test_repeated_folds_say_no_more_than_one_round_of_them(sample, rounds):
    truth, scores, fold, _ = sample
    row = np.arange(len(truth))
    again = FoldScores(
        y_true=np.tile(truth, rounds),
        y_score=np.tile(scores, rounds),
        fold=np.concatenate([[f"{k}: {one}" for one in fold] for k in range(rounds)]),
        row=np.tile(row, rounds),
    )
    once = rl.cross_validated_auc(truth, scores, fold=fold)
    found = rl.cross_validated_auc(again)
    for one, other in ((once.averaged, found.averaged), (once.pooled, found.pooled)):
        assert one.value == pytest.approx(other.value)
        assert (one.n_pos, one.n_neg) == (other.n_pos, other.n_neg)
    expected = twin.variance(again.y_true, again.y_score, again.fold, row=again.row)
    found_variance = found.averaged.standard_error**2
    assert found_variance == pytest.approx(float(expected), abs=1e-12, nan_ok=True)
    assert found_variance == pytest.approx(once.averaged.standard_error**2, abs=1e-12, nan_ok=True)


@given(folded())
def test_average_curves(sample):
    truth, scores, fold, weight = sample
    options = {"fold": fold, "sample_weight": weight}
    vertical = rl.average_roc(truth, scores, fpr=GRID, **options)
    mean, error = twin.vertical(truth, scores, fold, GRID, weight)
    np.testing.assert_allclose(vertical.tpr, mean, atol=1e-9)
    np.testing.assert_allclose(vertical.tpr_error, error, atol=1e-9)
    assert not vertical.fpr_error.any()
    thresholds = [np.inf, 1.0, 0.25, 0.1, -1.0, -9.0]
    by_threshold = rl.average_roc(truth, scores, over="threshold", thresholds=thresholds, **options)
    expected = twin.by_threshold(truth, scores, fold, thresholds, weight)
    np.testing.assert_allclose([by_threshold.fpr, by_threshold.tpr], expected, atol=1e-9)
    every = rl.average_roc(truth, scores, over="threshold", **options)
    assert (every.fpr[0], every.tpr[0], every.fpr[-1], every.tpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(every.thresholds) < 0).all()
    kept = scores if weight is None else scores[weight > 0]
    assert set(every.thresholds[1:]) == set(kept)  # so few that all of them are taken
