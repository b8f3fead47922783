"""The gamma-exponential mixture, against numerical integration."""

import math

import pytest
import reference_sequences as slow

from roclab.numeric.mixture_boundary import gamma_exponential_boundary, log_gamma_exponential


@pytest.mark.parametrize("v", [0.0, 0.3, 4.0, 60.0])
@pytest.mark.parametrize("rho", [0.56, 2.0])
def test_the_mixture_is_that_of_the_definition(v, rho):
    for s in (0.0, 0.5, 3.0, 12.0):
        found, slope = log_gamma_exponential(s, v, rho)
        assert found == pytest.approx(math.log(slow.mixture(s, v, rho)), abs=1e-9)
        step = 1e-5
        ends = [log_gamma_exponential(s + sign * step, v, rho)[0] for sign in (-1, 1)]
        assert slope == pytest.approx((ends[1] - ends[0]) / (2 * step), abs=1e-5)


@pytest.mark.parametrize("log_limit", [0.7, 3.7, 30.0, 700.0])
def test_the_boundary_is_where_the_mixture_reaches_its_limit(log_limit):
    last = 0.0
    for v in (0.0, 1e-9, 0.5, 1.0, 1000.0, 1e6):
        s = gamma_exponential_boundary(v, 0.56, log_limit)
        assert log_gamma_exponential(s, v, 0.56)[0] == pytest.approx(log_limit, rel=1e-8)
        assert s > last
        last = s
