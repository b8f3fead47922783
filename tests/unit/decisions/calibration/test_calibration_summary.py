"""Calibration summaries at the edges: separated, tied, missing and impossible probabilities."""

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import roclab as rl
from roclab.decisions import calibration_summary
from roclab.report.document import document

Y = [0, 1, 0, 1, 0, 1]
P = [0.1, 0.4, 0.4, 0.8, 0.6, 0.7]


def drawn(n=300, slope=1.7, shift=-0.5):
    """Probabilities that are too extreme and too low."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=n)
    return rng.random(n) < 1 / (1 + np.exp(-x)), 1 / (1 + np.exp(-(slope * x + shift)))


def test_the_slope_is_that_of_a_logistic_regression():
    y, p = drawn()
    logit = np.log(p / (1 - p))[:, np.newaxis]
    fitted = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(logit, y)
    found = calibration_summary(y, p)
    assert found.slope.value == pytest.approx(fitted.coef_[0, 0], rel=1e-5)
    assert found.slope.high < 1  # too extreme
    assert found.intercept.low > 0  # too low
    assert found.observed_expected.low > 1


def test_wide_samples_have_the_variance_of_the_information():
    """Of calibrated probabilities the interval is about 1.96 standard errors to either side."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=4000)
    p = 1 / (1 + np.exp(-x))
    found = calibration_summary(rng.random(4000) < p, p)
    for one, information in (
        (found.intercept, np.sum(p * (1 - p))),
        (found.slope, np.sum(p * (1 - p) * x**2)),
    ):
        assert one.standard_error == pytest.approx(information**-0.5, rel=0.1)
        assert one.high - one.low == pytest.approx(2 * 1.96 * one.standard_error, rel=0.01)


def test_perfect_probabilities_have_an_infinite_slope():
    y, p = [0, 0, 1, 1] * 5, [0.1, 0.3, 0.4, 0.8] * 5
    found = calibration_summary(y, p)
    assert (found.slope.value, found.slope.high) == (math.inf, math.inf)
    assert 1 < found.slope.low < math.inf
    reversed_ = calibration_summary(y, 1 - np.array(p))
    assert (reversed_.slope.value, reversed_.slope.low) == (-math.inf, -math.inf)
    assert reversed_.slope.high == pytest.approx(-found.slope.low)
    weighted = calibration_summary(y[:4], p[:4], sample_weight=[5.0] * 4)
    assert weighted.slope.low < found.slope.low


def test_equal_probabilities_have_no_slope():
    found = calibration_summary([0, 1, 1], [0.3, 0.3, 0.3])
    assert math.isnan(found.slope.value)
    assert found.intercept.value == pytest.approx(math.log(2) - math.log(3 / 7))


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_has_a_ratio_only(label):
    with pytest.warns(
        rl.UndefinedMeasureWarning, match="The intercept and the slope is nan"
    ) as seen:
        found = calibration_summary([label] * 4, [0.2, 0.2, 0.5, 0.1])
    assert seen[0].filename == __file__
    assert math.isnan(found.intercept.value)
    assert math.isnan(found.slope.low)
    assert found.observed_expected.value == pytest.approx(4 * label)
    assert 0 <= found.observed_expected.low <= found.observed_expected.high < math.inf


def test_without_examples_all_is_undefined():
    with pytest.warns(rl.UndefinedMeasureWarning):
        assert math.isnan(calibration_summary([], []).observed_expected.value)


@pytest.mark.parametrize(("scores", "said"), [([0.0, 0.5], "are 0;"), ([0.5, 1.0], "are 1;")])
def test_certain_probabilities_need_a_clip(scores, said):
    with pytest.raises(rl.InputError, match=said):
        calibration_summary([0, 1], scores)
    assert math.isfinite(calibration_summary([0, 1], scores, clip=1e-6).intercept.value)


def test_what_is_refused():
    with pytest.raises(rl.InputError, match=r"clip=0\.5 is out of range"):
        calibration_summary(Y, P, clip=0.5)
    with pytest.raises(rl.InputError, match="calibration_summary needs probabilities"):
        calibration_summary(Y, [1, 2, 3, 4, 5, 6])


def test_what_it_says():
    found = calibration_summary(rl.Ranking(Y, P), confidence_level=0.9)
    assert repr(found).startswith("CalibrationSummary(intercept 0.000 [")
    assert repr(found).endswith("90 % profile likelihood, 3+ 3-)")
    (table,) = document(found).tables
    assert [row[0] for row in table.cells] == ["intercept", "slope", "observed/expected"]
    assert [row[-1] for row in table.cells] == ["0", "1", "1"]
    assert found.slope.method == "profile likelihood"
