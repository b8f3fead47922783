"""AUCInterval: few examples, the ends of the scale, what is refused and what is printed."""

import json
import math

import numpy as np
import pytest

import roclab as rl

Y = [0, 1, 0, 1]
S = [0.1, 0.4, 0.4, 0.8]


def test_one_example_of_a_class_has_an_interval_but_no_standard_error():
    interval = rl.auc_interval([0, 0, 0, 1], [1, 2, 3, 4])
    assert interval.value == 1
    assert 0 < interval.low < 0.9
    assert interval.high == 1
    assert math.isnan(interval.standard_error)


def test_delong_needs_two_examples_of_each_class():
    with pytest.warns(rl.UndefinedMeasureWarning, match='two examples of each class.*"auto"'):
        interval = rl.auc_interval([0, 0, 0, 1], [1, 2, 3, 4], method="delong")
    assert interval.value == 1
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)


@pytest.mark.parametrize("method", ["auto", "delong"])
def test_one_class_is_undefined(method):
    with pytest.warns(rl.UndefinedMeasureWarning, match="3 positive and 0 negative") as caught:
        interval = rl.auc_interval([1, 1, 1], [1, 2, 3], method=method)
    assert len(caught) == 1
    assert np.isnan([interval.value, interval.low, interval.high, interval.standard_error]).all()
    assert (interval.n_pos, interval.n_neg) == (3, 0)


@pytest.mark.parametrize(("scores", "value"), [([1, 2, 3, 4], 1), ([4, 3, 2, 1], 0)])
def test_the_ends_of_the_scale_are_no_certainty(scores, value):
    labels = [0, 0, 1, 1]
    interval = rl.auc_interval(labels, scores)
    assert interval.value == value
    assert interval.high - interval.low > 0.5
    with pytest.warns(rl.DegenerateIntervalWarning, match='no width.*method="auto"'):
        rl.auc_interval(labels, scores, method="delong")


def test_confidence_level():
    wide = rl.auc_interval(Y, S, confidence_level=0.99)
    narrow = rl.auc_interval(Y, S, confidence_level=0.5)
    assert wide.low < narrow.low < narrow.value < narrow.high <= wide.high
    for level in (0, 1, 95, -0.1, math.nan):
        with pytest.raises(rl.InputError, match=r"is not between 0 and 1.*0\.95"):
            rl.auc_interval(Y, S, confidence_level=level)


def test_unknown_method():
    with pytest.raises(rl.InputError, match=r"'delongg' is not known\. Methods: auto, delong"):
        rl.auc_interval(Y, S, method="delongg")


def test_a_ranking_comes_alone():
    ranking = rl.Ranking(Y, S)
    assert rl.auc_interval(ranking) == rl.auc_interval(Y, S)
    with pytest.raises(rl.InputError, match="already holds"):
        rl.auc_interval(ranking, S)


def test_a_summary_is_enough():
    low, high = rl.Ranking([0, 1, 0], [1, 2, 2]).summary, rl.Ranking([1, 0, 1], [3, 4, 5]).summary
    labels, scores = [0, 1, 0, 1, 0, 1], [1, 2, 2, 3, 4, 5]
    assert rl.auc_interval(low.join(high)) == rl.auc_interval(labels, scores)
    with pytest.raises(rl.InputError, match="Pass it alone"):
        rl.auc_interval(low, scores)


def test_what_is_printed():
    interval = rl.auc_interval([0, 1] * 20, np.arange(40))
    assert repr(interval) == "AUC 0.525 [0.35, 0.69], 95 %, 20+ 20-"
    reversed_scores = rl.auc_interval([0, 1] * 20, np.tile([1, 0], 20))
    assert repr(reversed_scores).endswith("below one half: are the scores reversed?")
    assert json.loads(json.dumps(interval.to_dict()))["n_pos"] == 20


def test_with_weights_effective_numbers_of_examples_count():
    rng = np.random.default_rng(1)
    y, s = np.arange(60) % 2, rng.normal(size=60)
    plain = rl.auc_interval(y, s)
    same = rl.auc_interval(y, s, sample_weight=np.full(60, 7.0))
    for name in ("value", "low", "high", "standard_error"):
        assert getattr(same, name) == pytest.approx(getattr(plain, name), rel=1e-12)
    uneven = rl.auc_interval(y, s, sample_weight=rng.exponential(size=60) ** 3)
    assert uneven.high - uneven.low > plain.high - plain.low
