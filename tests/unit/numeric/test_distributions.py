import math

import pytest
from scipy.special import ndtri, stdtrit
from scipy.stats import chi2

from roclab.numeric import distributions


@pytest.mark.parametrize("probability", [0.95, 0.975, 0.995, 0.5, 0.025, 0.9, 1e-9])
def test_normal_quantiles_are_those_of_scipy(probability):
    found = distributions.normal_quantile(probability)
    assert found == pytest.approx(float(ndtri(probability)), rel=1e-15)
    assert distributions.normal_cdf(found) == pytest.approx(probability, rel=1e-12)


@pytest.mark.parametrize("df", [1.0, 30.5, 2000.0])
@pytest.mark.parametrize("probability", [0.05, 0.5, 0.99])
def test_chi_squared_quantiles_are_those_of_scipy(df, probability):
    found = distributions.chi_squared_quantile(df, probability)
    assert chi2.cdf(found, df) == pytest.approx(probability, rel=1e-9)


def test_the_usual_levels_need_no_scipy():
    assert set(distributions._USUAL) == {(1 + level) / 2 for level in (0.9, 0.95, 0.99)}


def test_critical_values():
    assert distributions.critical_value(0.95, "two-sided") == 1.959963984540054
    assert distributions.critical_value(0.95, "less") == 1.6448536269514722
    assert distributions.critical_value(0.95, "two-sided", 7.0) == float(stdtrit(7.0, 0.975))
    assert distributions.critical_value(0.95, "greater", 0.0) == math.inf
    assert distributions.student_cdf(7.0, 2.364624251592785) == pytest.approx(0.975, abs=1e-12)


def test_levels_of_the_tails():
    assert distributions.tail_levels(0.9, "two-sided") == pytest.approx((0.05, 0.95))
    assert distributions.tail_levels(0.9, "greater") == pytest.approx((0.1, 1))
    assert distributions.tail_levels(0.9, "less") == pytest.approx((0, 0.9))
