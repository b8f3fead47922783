"""Measures of retrieval at the edges: sizes out of range, missing classes."""

import math

import pytest

import roclab as rl

Y = [0, 1, 0, 1]
S = [0.1, 0.4, 0.4, 0.8]
TOPS = [rl.measures.precision_at, rl.measures.capture_at, rl.measures.lift_at]


@pytest.mark.parametrize("function", TOPS, ids=lambda f: f.__name__)
class TestTop:
    @pytest.mark.parametrize("k", [0, -1, 5, 1.5, math.nan, math.inf, "2"])
    def test_k_is_a_number_of_examples(self, function, k):
        with pytest.raises(rl.InputError, match=r"k=.*whole number of examples.*the total of 4"):
            function(Y, S, k=k)

    @pytest.mark.parametrize("share", [0, -0.1, 1.01, math.nan, "0.1"])
    def test_share_is_one(self, function, share):
        with pytest.raises(rl.InputError, match=r"share=.*above 0, at most 1"):
            function(Y, S, share=share)

    def test_only_one_of_them(self, function):
        with pytest.raises(rl.InputError, match=r"k=2 and share=0\.5"):
            function(Y, S, k=2, share=0.5)

    def test_k_is_a_weight_where_there_are_weights(self, function):
        weight = [0.5, 0.5, 0.5, 0.5]
        assert function(Y, S, k=1.0, sample_weight=weight) == function(Y, S, k=2)
        assert function(Y, S, k=0.75, sample_weight=weight) == function(Y, S, share=0.375)
        with pytest.raises(rl.InputError, match=r"k=2\.5 .*a weight .*the total of 2"):
            function(Y, S, k=2.5, sample_weight=weight)

    def test_the_docstring_has_its_parameters(self, function):
        assert "k : int, optional" in function.__doc__
        assert "{" not in function.__doc__


@pytest.mark.parametrize(
    "function", [rl.measures.average_precision_gain, rl.measures.capture_at, rl.measures.lift_at]
)
@pytest.mark.parametrize("labels", [[0, 0], [1, 1], []])
def test_one_class_is_undefined(function, labels):
    with pytest.warns(rl.UndefinedMeasureWarning, match="both classes"):
        assert math.isnan(function(labels, [1, 2][: len(labels)]))


@pytest.mark.parametrize("weight", [None, [2, 0.5, 1]])
def test_an_average_precision_needs_positives_only(weight):
    scores = [1, 2, 2]
    assert rl.average_precision([1, 1, 1], scores, sample_weight=weight) == 1
    for truth in ([0, 0, 0], []):
        with pytest.warns(rl.UndefinedMeasureWarning, match="needs positive examples") as caught:
            assert math.isnan(rl.average_precision(truth, scores[: len(truth)]))
        assert caught[0].filename == __file__


def test_a_precision_is_defined_for_one_class():
    assert rl.measures.precision_at([0, 0], [1, 2], k=1) == 0
    assert rl.measures.precision_at([1, 1], [1, 2], k=1) == 1
    with pytest.warns(rl.UndefinedMeasureWarning, match="there are none") as caught:
        assert math.isnan(rl.measures.precision_at([], []))
    assert caught[0].filename == __file__


def test_infinite_scores_come_first():
    assert rl.measures.precision_at(Y, [math.inf, 0, -math.inf, 1], k=1) == 0
    assert rl.average_precision(Y, [-math.inf, 0, 0, math.inf]) == pytest.approx(5 / 6)
