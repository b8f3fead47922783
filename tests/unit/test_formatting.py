"""Values with their intervals on one line."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.formatting import distinct_texts, range_text, threshold_text, with_interval


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((0.7314, 0.62, 0.83), "0.731 [0.62, 0.83]"),
        ((0.99, 0.983, 0.995), "0.9900 [0.983, 0.995]"),
        ((0.76123, 0.7591, 0.7633), "0.7612 [0.759, 0.763]"),
        ((0.76123, 0.7601, 0.7623), "0.76123 [0.7601, 0.7623]"),
        ((0.7612345, 0.76121, 0.76126), "0.761235 [0.76121, 0.76126]"),
        ((1, 1, 1), "1.000 [1.00, 1.00]"),
        ((12.5, 3.25, 40), "12.500 [3.25, 40.00]"),
        ((math.nan, math.nan, math.nan), "nan [nan, nan]"),
        ((0.5, -math.inf, math.inf), "0.500 [-inf, inf]"),
    ],
)
def test_decimals_fit_the_width(numbers, text):
    assert with_interval(*numbers) == text


def test_many_examples_show_an_interval():
    y = np.arange(200_000) % 2 == 0
    s = np.random.default_rng(0).normal(size=len(y)) + y
    found = rl.auc_interval(y, s)
    low, high = repr(found).split("[")[1].split("]")[0].split(", ")
    assert low != high
    assert float(low) <= found.value <= float(high)


LABELS = [0, 1, 0, 1, 1, 0, 0, 1]
SCORES = [0.1, 0.4, 0.4, 0.8, 0.9, 0.2, 0.5, 0.6]
OTHER = [0.3, 0.2, 0.4, 0.9, 0.5, 0.2, 0.6, 0.6]


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("auto", "Wilson-type"),
        ("delong", "DeLong"),
        ("logit", "logit-transformed DeLong"),
        ("score", "score test"),
        ("newcombe", "Newcombe"),
        ("bootstrap", "bootstrap"),
        ("bca", "BCa bootstrap"),
        ("bootstrap_t", "bootstrap-t"),
    ],
)
def test_an_interval_names_its_method(method, name):
    resampling = {"n_resamples": 50, "rng": 0} if "b" in method else {}
    found = rl.auc_interval(LABELS, SCORES, method=method, **resampling)
    assert f", 95 % {name}, 4+ 4-" in repr(found)


@pytest.mark.parametrize(
    ("method", "name"),
    [("auto", "MOVER"), ("delong", "DeLong"), ("permutation", "permutation")],
)
def test_a_comparison_names_its_method(method, name):
    resampling = {"n_resamples": 50, "rng": 0} if method == "permutation" else {}
    found = rl.compare_auc(LABELS, SCORES, OTHER, method=method, **resampling)
    assert f", 95 % {name}, p = " in repr(found)


def test_other_results_name_their_methods():
    table = rl.ScoreTable(LABELS, {"a": SCORES, "b": OTHER}, groups={"g": [0, 1, 1, 0] * 2})
    assert "; Simes p = " in repr(rl.compare(table))
    assert ", MOVER, adjusted p = " in repr(rl.compare(table).pairs[0])
    assert repr(rl.compare(table).omnibus).startswith("Omnibus(Simes: ")
    assert repr(rl.evaluate(table)).endswith("; 95 % Wilson-type)")
    assert "; 95 % DeLong)" in repr(rl.evaluate(table, method="delong"))
    assert "95 % smoothed bootstrap" in repr(rl.choose_threshold(LABELS, SCORES, rng=0))
    assert "95 % Clopper-Pearson" in repr(
        rl.operating_point_interval(LABELS, SCORES, threshold=0.4)
    )


SHORT = st.sampled_from([np.float64, np.float32, np.float16])


@given(
    st.lists(st.floats(-6e4, 6e4, width=16) | st.floats(-1, 1), min_size=1, max_size=8),
    SHORT,
    st.integers(0, 3),
    st.sampled_from([3, 4, 6]),
)
def test_a_printed_threshold_has_the_counts_of_the_threshold(values, kind, close, digits):
    scores = [np.array(values).astype(kind)]
    for _ in range(close):  # neighbours that differ in their last bit
        scores.append(np.nextafter(scores[-1], kind(np.inf)))
    scores = np.unique(np.concatenate(scores))
    scores = scores[np.isfinite(scores)]
    for place, threshold in enumerate(scores.astype(float).tolist()):
        below = float(scores[place - 1]) if place else -math.inf
        text = threshold_text(threshold, below, digits=digits)
        for called in (scores >= float(text), scores.astype(float) >= float(text)):
            assert called.tolist() == [False] * place + [True] * (len(scores) - place)
        assert float(threshold_text(threshold)) == threshold


def test_thresholds_have_few_digits_where_few_suffice():
    assert threshold_text(0.731245678, 0.7) == "0.731245"
    assert threshold_text(0.731245378, 0.7) == "0.731245"
    assert threshold_text(0.99999998822, 0.99999) == "0.999999"
    assert threshold_text(0.99999998822, 0.9999999) == "0.99999998"
    assert threshold_text(0.99999998822) == "0.99999998822"
    assert threshold_text(123456789.0, 5.0) == "123456789"
    assert threshold_text(2**53 + 1, 2**53) == "9007199254740993"
    assert (threshold_text(math.inf, 1.0), threshold_text(-math.inf)) == ("inf", "-inf")


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((0.25, 0.5), "0.25 to 0.5"),
        ((0.123456, 0.98765432), "0.1235 to 0.9877"),
        ((0.99994, 0.999996), "0.99994 to 1"),
        ((0.99999, 1.0), "0.99999 to 1"),
        ((1 - 2**-53, 1.0), "0.9999999999999999 to 1"),
        ((0.99996, 1.00004), "0.99996 to 1.00004"),
        ((1000000.0, 1000012.0), "1000000 to 1000012"),
        ((1234.5, 1234567.0), "1234 to 1234567"),
        ((0.7, 0.7), "0.7"),
        ((-math.inf, 0.3), "-inf to 0.3"),
        ((2**53, 2**53 + 1), "9007199254740992 to 9007199254740993"),
    ],
)
def test_the_ends_of_a_range_are_distinguished(ends, text):
    assert range_text(*ends) == text


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 40).map(
    lambda step: 1 - step * 2**-53
)


@given(st.lists(numbers, min_size=1, max_size=8), st.integers(1, 8))
def test_texts_of_different_numbers_differ_and_keep_their_order(values, digits):
    texts = distinct_texts(*values, digits=digits)
    read = dict(zip(values, map(float, texts), strict=True))
    assert sorted(read) == sorted(read, key=read.get)
    assert len(set(read.values())) == len(read)
    for value, shown in read.items():
        assert all(abs(shown - value) <= abs(shown - other) for other in values)
