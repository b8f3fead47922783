"""`multiclass_auc` against scikit-learn, the twin, and the AUC of two classes."""

import numpy as np
import pytest
import reference_retrieval as twin
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from strategies import MILD_WEIGHTS, WEIGHTS, truths

import roclab as rl

AVERAGES = ("hand_till", "hand_till_weighted", "macro", "weighted", "micro")
OF_SCIKIT_LEARN = {
    "hand_till": {"multi_class": "ovo", "average": "macro"},
    "hand_till_weighted": {"multi_class": "ovo", "average": "weighted"},
    "macro": {"multi_class": "ovr", "average": "macro"},
    "weighted": {"multi_class": "ovr", "average": "weighted"},
    "micro": {"multi_class": "ovr", "average": "micro"},
}


@st.composite
def several_classes(draw, weighted=False, least=3):
    """(classes, matrix of tied scores, weights or None), every class present with weight."""
    k = draw(st.integers(least, 5))
    more = draw(st.lists(st.integers(0, k - 1), max_size=25))
    truth = np.array([*range(k), *more])
    cells = draw(st.lists(st.integers(0, 3), min_size=k * len(truth), max_size=k * len(truth)))
    matrix = np.array(cells).reshape(len(truth), k) + 1
    if not weighted:
        return truth, matrix, None
    value = WEIGHTS[draw(st.sampled_from(MILD_WEIGHTS))]
    weight = np.array(draw(st.lists(value, min_size=len(truth), max_size=len(truth))))
    weight[:k] = np.maximum(weight[:k], 1)
    return truth, matrix, weight


@given(several_classes())
def test_equals_scikit_learn(sample):
    truth, matrix, _ = sample
    shares = matrix / matrix.sum(axis=1, keepdims=True)
    for average, options in OF_SCIKIT_LEARN.items():
        expected = pytest.approx(roc_auc_score(truth, shares, **options), abs=1e-12)
        assert rl.multiclass_auc(truth, shares, average=average) == expected, average


@given(
    average=st.sampled_from(["macro", "weighted", "micro"]), sample=several_classes(weighted=True)
)
def test_equals_scikit_learn_with_weights(average, sample):
    truth, matrix, weight = sample
    shares = matrix / matrix.sum(axis=1, keepdims=True)
    expected = roc_auc_score(truth, shares, sample_weight=weight, **OF_SCIKIT_LEARN[average])
    value = rl.multiclass_auc(truth, shares, average=average, sample_weight=weight)
    assert value == pytest.approx(expected, abs=1e-12)


@given(average=st.sampled_from(AVERAGES), sample=several_classes(weighted=True, least=2))
def test_equals_the_twin(average, sample):
    truth, matrix, weight = sample
    columns = dict(enumerate(matrix.T))
    for used in (None, weight):
        expected = float(twin.multiclass_auc(truth, columns, average, used))
        value = rl.multiclass_auc(truth, matrix, average=average, sample_weight=used)
        assert value == pytest.approx(expected, abs=1e-13)


@given(
    average=st.sampled_from(AVERAGES),
    sample=several_classes(),
    random=st.randoms(use_true_random=False),
)
def test_the_order_of_classes_and_of_rows_does_not_matter(average, sample, random):
    truth, matrix, _ = sample
    names = np.array(["d", "b", "e", "a", "c"])[: matrix.shape[1]]
    value = rl.multiclass_auc(truth, matrix, average=average)
    approx = pytest.approx(value, abs=1e-14)
    rows = random.sample(range(len(truth)), len(truth))
    assert rl.multiclass_auc(truth[rows], matrix[rows], average=average) == approx
    named = names[truth]
    assert rl.multiclass_auc(named, matrix, labels=names, average=average) == approx
    mapping = dict(zip(names.tolist(), matrix.T, strict=True))
    assert rl.multiclass_auc(named, mapping, average=average) == approx
    in_order = np.array([mapping[name] for name in sorted(mapping)]).T
    assert rl.multiclass_auc(named.tolist(), in_order.tolist(), average=average) == approx


@given(average=st.sampled_from(AVERAGES), sample=several_classes(weighted=True))
def test_whole_weights_mean_repetition(average, sample):
    truth, matrix, weight = sample
    times = np.floor(weight).astype(int)
    repeated = rl.multiclass_auc(
        np.repeat(truth, times), np.repeat(matrix, times, axis=0), average=average
    )
    value = rl.multiclass_auc(truth, matrix, average=average, sample_weight=times)
    assert value == pytest.approx(repeated, abs=1e-13)


@given(average=st.sampled_from(AVERAGES[:-1]), truth=truths(12), data=st.data())
def test_two_opposite_columns_are_the_plain_auc(average, truth, data):
    scores = np.array(data.draw(st.lists(st.integers(0, 5), min_size=12, max_size=12)))
    value = rl.multiclass_auc(truth, np.column_stack((-scores, scores)), average=average)
    assert value == pytest.approx(rl.auc(truth, scores), abs=1e-15)
