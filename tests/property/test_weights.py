"""What weights may not change: their unit, and rows of weight 0, which are not there."""

import math
import warnings

import numpy as np
import pytest
from questions import OF_GROUPS, OF_ROWS

import roclab as rl

# In units of weights, or of rows read.
IN_UNITS = {"pos", "neg", "tp", "fp", "tn", "fn", "rows_read", "sentence", "concavities"}
UNITS = (2.0**-7, 3.0, 7.3, 0.1, 1 / 3, 1e-9)


def numbers(result, place=""):
    """All numbers in a result, by where they are."""
    result = result.to_dict() if hasattr(result, "to_dict") else result
    if isinstance(result, dict):
        items = [(key, one) for key, one in result.items() if key not in IN_UNITS]
    elif isinstance(result, (list, tuple)):
        yield f"{place}.length", len(result)
        items = enumerate(result)
    else:
        yield place, result
        return
    for key, one in items:
        yield from numbers(one, f"{place}.{key}")


def assert_same(first, second):
    first, second = dict(numbers(first)), dict(numbers(second))
    assert first.keys() == second.keys()
    for place, value in first.items():
        if isinstance(value, float):
            assert second[place] == pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True), place
        else:
            assert second[place] == value, place


def samples(count, rows):
    """Few distinct scores and weights, so that shares of the weight are often equal."""
    random = np.random.default_rng(13)
    for number in range(count):
        size = int(random.integers(*rows))
        truth = random.integers(0, 2, size).astype(bool)
        truth[:4] = [True, False, True, False]
        scores = random.integers(0, 11, size) / 10
        kinds = [[0.1, 0.2, 0.3, 0.7], [1, 2, 3, 4], [1]][number % 3]
        yield random, truth, scores, random.choice(kinds, size).astype(float)


@pytest.mark.parametrize("name", OF_ROWS)
def test_the_unit_of_weights_does_not_matter(name):
    ask = OF_ROWS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.RoclabWarning)
        for _, truth, scores, weights in samples(12, (8, 30)):
            plain = ask(truth, scores, weights)
            for unit in UNITS:
                assert_same(plain, ask(truth, scores, unit * weights))


@pytest.mark.parametrize("name", OF_GROUPS)
def test_rows_of_weight_zero_are_not_there(name):
    """Nor are clusters, strata and folds that have no others."""
    ask = OF_GROUPS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.RoclabWarning)
        for random, truth, scores, weights in samples(6, (50, 60)):
            group = random.integers(0, 6, len(truth))
            weights[group == random.integers(0, 6)] = 0
            weights[random.integers(0, len(truth), 3)] = 0
            kept = weights > 0
            assert_same(
                ask(truth, scores, weights, group),
                ask(truth[kept], scores[kept], weights[kept], group[kept]),
            )


def test_quantile_bins_at_a_bound():
    """The middle of the second score is at half of all weight, whatever the unit."""
    truth, scores = [0, 1, 1, 0, 1, 0], [0.1, 0.3, 0.3, 0.3, 0.9, 0.9]
    for unit in UNITS:
        weights = [unit * weight for weight in (0.3, 0.1, 0.1, 0.1, 0.1, 0.2)]
        bins = rl.calibration_error(
            truth, scores, sample_weight=weights, n_bins=2, strategy="quantile"
        )
        assert bins.weight == pytest.approx([1 / 3, 2 / 3])
        assert bins.value == pytest.approx((1 / 3) * 0.1 + (2 / 3) * abs(0.6 - 0.5))


def test_a_fold_without_weight_is_none():
    truth, scores = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.2]
    fold, weights = list("aabbcc"), [1, 1, 1, 2, 0, 0]
    found = rl.cross_validated_auc(truth, scores, fold=fold, sample_weight=weights)
    assert [one.fold for one in found.folds] == ["a", "b"]
    assert found.averaged.value == 1
    with pytest.raises(rl.InputError, match="1 distinct value beside rows of weight 0"):
        rl.cross_validated_auc(truth, scores, fold=fold, sample_weight=[1, 1, 0, 0, 0, 0])


def test_a_fold_of_one_class_leaves_the_average_undefined():
    """It has examples, which an average over the other folds would leave out silently."""
    truth, scores = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.2]
    weights = [1, 1, 1, 2, 0, 3]
    with pytest.warns(rl.UndefinedMeasureWarning, match=r"1 of 3 folds \(c\)"):
        found = rl.cross_validated_auc(truth, scores, fold=list("aabbcc"), sample_weight=weights)
    assert [one.value for one in found.folds[:2]] == [1, 1]
    assert math.isnan(found.folds[2].value)
    assert math.isnan(found.averaged.value)
    assert found.pooled.value == pytest.approx((1 * 1.5 + 2 * 2 + 3 * 1) / (6 * 2))
