"""`compressed_ranking`: the list of weighted data, worked out by hand."""

import math

import numpy as np
import pytest

import roclab as rl


def test_a_list_by_hand():
    # From the top: 2+ at 9, 1+ at 8, 2- at 7, 1+ at 6, 8+ at 5, 1- at 4. With eps 0.5 and 2 listed
    # at 9, the next may have up to 3 above it: that is 6. Down to 6 there are 4, the next may have
    # up to 6 above it: 5. Down to 5 there are 12, and no more follow.
    found = rl.streaming.compressed_ranking(
        [1, 1, 0, 1, 1, 0],
        [9, 8, 7, 6, 5, 4],
        sample_weight=[2, 1, 2, 1, 8, 1],
        eps=0.5,
    )
    assert found.scores.tolist() == [9, 6, 5]
    assert found.pos.tolist() == [2, 1, 8]
    assert found.neg.tolist() == [0, 0, 0]
    assert found.gap_pos.tolist() == [0, 1, 0, 0]
    assert found.gap_neg.tolist() == [0, 2, 0, 1]
    # 2 negatives with 2 positives above and 1 in the gap; 1 with all 12.
    assert found.auc == pytest.approx((2 * 2.5 + 12) / 36)
    assert found.auc_bounds.low == pytest.approx((2 * 2 + 12) / 36)
    assert found.auc_bounds.high == pytest.approx((2 * 3 + 12) / 36)
    assert rl.auc([1, 1, 0, 1, 1, 0], [9, 8, 7, 6, 5, 4], sample_weight=[2, 1, 2, 1, 8, 1]) == (
        pytest.approx(18 / 36)
    )


def test_weights_that_double_put_every_positive_into_the_list():
    weights = 2.0 ** np.arange(60)
    found = rl.streaming.compressed_ranking(
        [1] * 60 + [0], range(61, 0, -1), sample_weight=[*weights, 1], eps=0.5
    )
    assert len(found) == 60
    assert found.auc == 1
    plain = rl.streaming.compressed_ranking([1] * 60 + [0], range(61, 0, -1), eps=0.5)
    assert len(plain) + 2 <= 2 * math.log(60) / math.log(1.5) + 4


def test_eps_zero_is_exact():
    truth, scores = [1, 0, 1, 0, 0, 1], [3, 3, 2, 2, 1, 1]
    found = rl.streaming.compressed_ranking(truth, scores, eps=0)
    assert found.scores.tolist() == [3, 2, 1]
    assert found.auc == found.auc_bounds.low == found.auc_bounds.high == rl.auc(truth, scores)


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_is_undefined(label):
    with pytest.warns(rl.UndefinedMeasureWarning, match="AUC needs both classes"):
        found = rl.streaming.compressed_ranking([label] * 3, [1, 2, 2], eps=0.5)
    assert math.isnan(found.auc)
    assert math.isnan(found.auc_bounds.low)
    assert found.scores.tolist() == ([2] if label else [])


def test_integers_keep_their_type():
    found = rl.streaming.compressed_ranking([0, 1, 1], [2**60, 2**60 + 1, 2**60 + 2], eps=0.1)
    assert found.scores.tolist() == [2**60 + 2, 2**60 + 1]


def test_eps_that_cannot_be():
    with pytest.raises(
        rl.InputError, match=r"eps=-1 is out of range; .* The relative error is at most"
    ):
        rl.streaming.compressed_ranking([0, 1], [1, 2], eps=-1)


def test_printed_forms():
    found = rl.streaming.compressed_ranking([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], eps=0.5)
    assert repr(found) == "CompressedRanking(2 scores, AUC 0.875 in 0.875 to 0.875, eps 0.5)"
    assert found.to_dict() == {
        "eps": 0.5,
        "auc": 0.875,
        "auc_bounds": {"low": 0.875, "high": 0.875},
        "scores": [0.8, 0.4],
        "pos": [1, 1],
        "neg": [0, 1],
        "gap_pos": [0, 0, 0],
        "gap_neg": [0, 0, 1],
    }
