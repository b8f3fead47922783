import math

import numpy as np
import pytest
import reference_retrieval as twin
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.inference import multiclass_auc_interval

AVERAGES = ("hand_till", "hand_till_weighted", "macro", "weighted")


def drawn(rng, sizes, separation, decimals=1):
    """Tied scores of classes with these sizes, of unequal spread and separation."""
    y = np.repeat(np.arange(len(sizes)), sizes)
    scores = rng.normal(size=(len(y), len(sizes))) * np.linspace(1, 1.5, len(sizes))
    scores[np.arange(len(y)), y] += separation * np.linspace(0.5, 1.5, len(sizes))[y]
    return y, np.round(scores, decimals)


@st.composite
def samples(draw):
    k = draw(st.integers(2, 4))
    more = draw(st.lists(st.integers(0, k - 1), max_size=10))
    truth = np.array([*range(k), *range(k), *more])
    cells = draw(st.lists(st.integers(0, 3), min_size=k * len(truth), max_size=k * len(truth)))
    return truth, np.array(cells).reshape(len(truth), k)


@given(samples(), st.sampled_from(AVERAGES))
def test_value_and_variance_are_those_of_the_twin(sample, average):
    truth, matrix = sample
    result = multiclass_auc_interval(truth, matrix, average=average)
    columns = dict(enumerate(matrix.T))
    assert result.value == rl.multiclass_auc(truth, matrix, average=average)
    expected = twin.multiclass_variance(truth, columns, average)
    assert result.standard_error**2 == pytest.approx(expected, rel=1e-9, abs=1e-14)
    assert 0 <= result.low <= result.value <= result.high <= 1


@given(samples())
def test_weights_of_one_change_nothing(sample):
    truth, matrix = sample
    plain = multiclass_auc_interval(truth, matrix)
    weighted = multiclass_auc_interval(truth, matrix, sample_weight=np.full(len(truth), 3.0))
    assert (weighted.low, weighted.high, weighted.standard_error) == pytest.approx(
        (plain.low, plain.high, plain.standard_error), rel=1e-9, abs=1e-12
    )


def test_two_classes_are_the_auc_of_one():
    rng = np.random.default_rng(2)
    y, scores = drawn(rng, (20, 30), 1.0)
    one = rl.auc_interval(y, scores[:, 1])
    matrix = np.column_stack([-scores[:, 1], scores[:, 1]])
    for average in AVERAGES:
        result = multiclass_auc_interval(y, matrix, average=average)
        assert (result.value, result.standard_error) == pytest.approx(
            (one.value, one.standard_error), rel=1e-12
        )
        assert (result.low, result.high) == pytest.approx((one.low, one.high), rel=1e-12)
    ordered = multiclass_auc_interval(y, scores[:, 1])
    assert (ordered.low, ordered.high) == pytest.approx((one.low, one.high), rel=1e-12)


def test_parts_are_the_intervals_of_each_class():
    y, scores = drawn(np.random.default_rng(3), (12, 20, 40), 1.5)
    weight = np.linspace(0.5, 2, len(y))
    for options in ({}, {"sample_weight": weight}):
        result = multiclass_auc_interval(y, scores, average="macro", **options)
        for label, part in enumerate(result.parts):
            one = rl.auc_interval(y == label, scores[:, label], **options)
            assert part.classes == (label,)
            assert (part.n_pos, part.n_neg) == (one.n_pos, one.n_neg)
            assert (part.value, part.low, part.high) == pytest.approx(
                (one.value, one.low, one.high), rel=1e-9
            )
            assert part.standard_error == pytest.approx(one.standard_error, rel=1e-9)


def test_parts_are_pairs_of_classes():
    y, scores = drawn(np.random.default_rng(3), (12, 20, 40), 1.5)
    result = multiclass_auc_interval(y, scores)
    assert [one.classes for one in result.parts] == [(0, 1), (0, 2), (1, 2)]
    assert (result.parts[1].n_pos, result.parts[1].n_neg) == (12, 40)
    assert result.value == pytest.approx(np.mean([one.value for one in result.parts]))
    assert repr(result.parts[1]).startswith("ClassInterval(0 and 2: AUC 0.")
    assert repr(result).startswith("multiclass AUC (hand_till) 0.")
    assert "0 and 2" in str(result)


def test_one_score_for_ordered_classes():
    y, s = np.array([0, 0, 1, 1, 2, 2, 2]), np.array([1, 3, 2, 2, 3, 4, 1])
    pairs = [(0, 1), (0, 2), (1, 2)]
    aucs = [rl.auc(y[(y == a) | (y == b)] == b, s[(y == a) | (y == b)]) for a, b in pairs]
    assert rl.multiclass_auc(y, s) == pytest.approx(np.mean(aucs))
    assert rl.multiclass_auc(y, s, labels=[2, 1, 0]) == pytest.approx(1 - np.mean(aucs))
    result = multiclass_auc_interval(y, s)
    assert [one.value for one in result.parts] == pytest.approx(aucs)
    words = np.array(["low", "middle", "high"])[y]
    named = multiclass_auc_interval(words, s, labels=["low", "middle", "high"])
    assert (named.value, named.low) == (result.value, result.low)


@pytest.mark.parametrize("average", AVERAGES)
def test_the_standard_error_is_that_of_resampled_rows(average):
    rng = np.random.default_rng(5)
    y, scores = drawn(rng, (40, 60, 100), 1.2)
    found = multiclass_auc_interval(y, scores, average=average).standard_error
    values = []
    for _ in range(800):
        rows = rng.integers(0, 200, 200)
        values.append(rl.multiclass_auc(y[rows], scores[rows], average=average))
    assert found == pytest.approx(np.std(values), rel=0.1)


def test_perfect_ranks_are_not_certainty():
    result = multiclass_auc_interval([0, 0, 1, 1, 2, 2], np.repeat(np.eye(3), 2, axis=0))
    assert result.value == result.high == 1
    assert result.standard_error == 0
    assert result.low == pytest.approx(result.parts[0].low)
    assert result.low < 0.8


def test_one_example_of_a_class():
    result = multiclass_auc_interval([0, 0, 1, 2, 2], [0.1, 0.5, 0.4, 0.7, 0.9])
    assert math.isnan(result.standard_error)
    assert 0 < result.low < result.value < result.high <= 1


def test_a_missing_class_is_undefined():
    with pytest.warns(rl.UndefinedMeasureWarning, match="scores for 2, but no examples"):
        result = multiclass_auc_interval([0, 1, 0, 1], np.ones((4, 3)), labels=[0, 1, 2])
    assert math.isnan(result.value)
    assert result.parts == ()
    assert "undefined" in str(result)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "separation"), [((10, 20, 30), 1.2), ((30, 30, 30), 0.8), ((15,) * 5, 2.0)]
)
@pytest.mark.parametrize("average", ["hand_till", "weighted"])
def test_coverage(sizes, separation, average):
    rng = np.random.default_rng(6)
    many = tuple(1000 * size for size in sizes)
    truth = rl.multiclass_auc(*drawn(rng, many, separation), average=average)
    covered = []
    for _ in range(400):
        result = multiclass_auc_interval(*drawn(rng, sizes, separation), average=average)
        covered.append(result.low <= truth <= result.high)
    assert 0.92 <= np.mean(covered) <= 0.995


def test_a_micro_average_has_no_interval():
    with pytest.raises(rl.InputError, match="'micro' compares scores of different classes"):
        multiclass_auc_interval(list("abc"), np.eye(3), average="micro")
