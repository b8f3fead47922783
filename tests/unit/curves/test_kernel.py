import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.curves import kernel_roc

ROWS = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=12)


@given(ROWS, st.floats(0.2, 5))
def test_rates_and_area_are_those_of_every_score(rows, bandwidth):
    y, s = (np.array(column) for column in zip(*rows, strict=True))
    if len(set(y)) < 2:
        return
    found = kernel_roc(y, s, bandwidth=bandwidth)
    place = len(found) // 3
    normal = NormalDist(0, bandwidth)
    for rate, scores in ((found.tpr, s[y]), (found.fpr, s[~y])):
        expected = np.mean([normal.cdf(one - found.thresholds[place]) for one in scores])
        assert rate[place] == pytest.approx(expected, abs=1e-12)
    # A smoothed positive minus a smoothed negative has twice the variance.
    apart = NormalDist(0, bandwidth * math.sqrt(2))
    pairs = [apart.cdf(float(pos - neg)) for pos in s[y] for neg in s[~y]]
    assert found.auc == pytest.approx(np.mean(pairs), abs=1e-5)
    assert (found.tpr[0], found.tpr[-1], found.fpr[0], found.fpr[-1]) == pytest.approx((0, 1, 0, 1))
    assert (np.diff(found.tpr) >= -1e-12).all()


def test_weights_are_repetitions():
    y, s, times = [0, 1, 0, 1, 1], [1, 3, 2, 2, 5], [1, 2, 3, 1, 2]
    weighted = kernel_roc(y, s, sample_weight=times, bandwidth=0.5)
    repeated = kernel_roc(np.repeat(y, times), np.repeat(s, times), bandwidth=0.5)
    np.testing.assert_allclose(weighted.tpr, repeated.tpr, atol=1e-12)
    assert weighted.auc == pytest.approx(repeated.auc)


def test_a_narrow_kernel_gives_the_curve_itself():
    y, s = [0, 1, 0, 1, 1, 0], [1, 3, 2, 2, 5, 4]
    assert kernel_roc(y, s, bandwidth=1e-3).auc == pytest.approx(rl.auc(y, s), abs=2e-3)


def test_a_far_score_leaves_the_others_their_thresholds():
    rng = np.random.default_rng(1)
    y = np.arange(200) % 2 == 0
    s = rng.normal(size=200) + y
    far = np.r_[s, 1e9]
    near = kernel_roc(y, s, bandwidth=0.3).auc
    found = kernel_roc(np.r_[y, True], far, bandwidth=0.3).auc
    assert found == pytest.approx((near * 100 + 1) / 101, abs=1e-4)


def test_the_bandwidth_is_silvermans():
    rng = np.random.default_rng(0)
    y = np.arange(3000) < 1000
    s = rng.normal(size=3000) * np.where(y, 2, 1)
    found = kernel_roc(y, s)
    quartiles = np.quantile(s[y], [0.25, 0.75])
    spread = min(np.std(s[y], ddof=1), (quartiles[1] - quartiles[0]) / 1.349)
    assert found.bandwidth_pos == pytest.approx(0.9 * spread * 1000**-0.2, rel=2e-3)
    # Scaled scores have the same curve.
    scaled = kernel_roc(y, 10 * s)
    assert scaled.bandwidth_neg == pytest.approx(10 * found.bandwidth_neg)
    np.testing.assert_allclose(scaled.tpr, found.tpr, atol=1e-12)
    # Most scores tie: the standard deviation remains.
    tied = kernel_roc([0, 1] * 4, [0, 0, 0, 0, 0, 0, 1, 2])
    assert tied.bandwidth_pos == pytest.approx(0.9 * 4**-0.2)


def test_what_is_undefined_or_refused():
    with pytest.warns(rl.UndefinedMeasureWarning):
        found = kernel_roc([1, 1], [0.1, 0.2])
    assert np.isnan(found.fpr).all()
    assert found.tpr[-1] == pytest.approx(1)
    assert math.isnan(found.auc)
    with pytest.raises(rl.InputError, match=r"scores of a class are equal.*Pass bandwidth"):
        kernel_roc([0, 1, 1], [1, 2, 2])
    with pytest.raises(rl.InputError, match="bandwidth=0 is out of range"):
        kernel_roc([0, 1], [1, 2], bandwidth=0)
    with pytest.raises(rl.InputError, match="needs finite scores"):
        kernel_roc([0, 1], [1, math.inf])


def test_the_scale_of_scores_is_that_of_the_bandwidths():
    truth, scores = [0, 1, 0, 1, 1], np.array([-3.0, 2.0, 1.0, 4.0, -1.0])
    plain = kernel_roc(truth, scores)
    for exponent in (-1070, 900):
        unit = 2.0**exponent
        found = kernel_roc(truth, unit * scores)
        assert (found.auc, found.bandwidth_pos) == (plain.auc, unit * plain.bandwidth_pos)
    wide = kernel_roc(truth, scores.astype(np.int64) + 2**60)
    assert wide.auc == pytest.approx(plain.auc, rel=1e-12)
    assert wide.bandwidth_neg == pytest.approx(plain.bandwidth_neg, rel=1e-12)
