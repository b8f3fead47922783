"""Evidence: every kind keeps its promises to `decide`, and its own."""

import math

import numpy as np
import pytest
from scipy.stats import norm, t

from roclab.inference.comparison.alternatives import decide
from roclab.inference.comparison.evidence import Agreement, Apart, Replicates, Score, Wald
from roclab.inference.estimation.joint_estimate import Estimate


def estimate(value, n_pos=20, n_neg=30, variance=0.0):
    return Estimate(
        measure="auc",
        value=value,
        variance=variance,
        pos=n_pos,
        neg=n_neg,
        n_pos=n_pos,
        n_neg=n_neg,
    )


KINDS = {
    "normal": Wald(difference=0.1, standard_error=0.05),
    "Student": Wald(difference=0.1, standard_error=0.05, df=7.5),
    "score": Score(estimate=estimate(0.6), value=0.5),
    "replicates": Replicates(
        difference=0.1, replicates=np.random.default_rng(0).normal(0.1, 0.05, 3000)
    ),
    "apart": Apart(first=estimate(0.8), second=estimate(0.7)),
    "agreement": Agreement(pairs=20),
}
DIFFERENCES = {name: 0.0 if name == "agreement" else 0.1 for name in KINDS}


@pytest.mark.parametrize("name", KINDS)
def test_tests_and_bounds_say_the_same(name):
    """A hypothesis at the bound of error e has the p-value e."""
    evidence = KINDS[name]
    tolerance = 0.002 if name == "replicates" else 1e-9
    for error in (0.005, 0.05, 0.3):
        assert evidence.above(evidence.low(error)) == pytest.approx(error, abs=tolerance)
        assert evidence.below(evidence.high(error)) == pytest.approx(error, abs=tolerance)


@pytest.mark.parametrize("name", KINDS)
def test_more_error_means_closer_bounds(name):
    evidence, difference = KINDS[name], DIFFERENCES[name]
    errors = (1e-6, 0.001, 0.05, 0.4)
    lows, highs = ([bound(e) for e in errors] for bound in (evidence.low, evidence.high))
    assert lows == sorted(lows)
    assert highs == sorted(highs, reverse=True)
    assert lows[-1] <= difference <= highs[-1]
    for null in (-0.4, -0.1, 0.0, 0.1, 0.3):
        assert 0 < evidence.above(null) <= 1
        assert 0 < evidence.below(null) <= 1


def test_wald_is_normal_or_student():
    normal, student = KINDS["normal"], KINDS["Student"]
    assert normal.statistic(0.0) == 2.0
    assert normal.above(0.0) == pytest.approx(norm.sf(2), rel=1e-14, abs=0)
    assert student.below(0.0) == pytest.approx(t.cdf(2, 7.5), rel=1e-12, abs=0)
    assert student.high(0.025) == pytest.approx(0.1 + 0.05 * t.ppf(0.975, 7.5), rel=1e-12, abs=0)


def test_agreement_is_a_probability():
    """Chance that 20 pairs agree if 10 % do not."""
    assert KINDS["agreement"].above(-0.1) == pytest.approx(0.9**20)
    assert KINDS["agreement"].above(0.1) == KINDS["agreement"].above(0.0) == 1
    assert KINDS["agreement"].statistic(0.0) == 0


def test_apart_never_reaches_zero():
    far = Apart(first=estimate(1.0, 10**6, 10**6), second=estimate(0.0, 10**6, 10**6))
    assert far.above(0.0) < 1e-100
    assert far.above(0.0) > 0
    assert far.below(0.0) == 1
    assert far.above(1.0) == 1


@pytest.mark.parametrize(
    ("alternative", "margin", "pvalue", "null", "ends"),
    [
        ("two-sided", None, 2 * norm.sf(2), 0.0, (0.025, 0.025)),
        ("greater", None, norm.sf(2), 0.0, (0.05, None)),
        ("less", None, norm.cdf(2), 0.0, (None, 0.05)),
        ("noninferior", 0.02, norm.sf(2.4), -0.02, (0.05, None)),
        ("equivalent", 0.3, norm.cdf(-4), 0.3, (0.05, 0.05)),
        ("equivalent", 0.02, norm.cdf(1.6), 0.02, (0.05, 0.05)),
    ],
)
def test_what_alternatives_ask_for(alternative, margin, pvalue, null, ends):
    evidence = KINDS["normal"]
    decision = decide(evidence, alternative=alternative, margin=margin, confidence_level=0.95)
    assert decision.pvalue == pytest.approx(pvalue, rel=1e-12, abs=0)
    assert decision.statistic == pytest.approx((0.1 - null) / 0.05)
    low = -1 if ends[0] is None else 0.1 - 0.05 * norm.isf(ends[0])
    high = 1 if ends[1] is None else 0.1 + 0.05 * norm.isf(ends[1])
    assert (decision.low, decision.high) == pytest.approx((low, high), rel=1e-12, abs=0)


def test_bounds_cut_off_and_nan_stays():
    wide = Wald(difference=0.1, standard_error=3.0)
    cut = decide(wide, confidence_level=0.95)
    assert (cut.low, cut.high) == (-1, 1)
    free = decide(wide, confidence_level=0.95, bounds=(-math.inf, math.inf))
    assert free.high == pytest.approx(0.1 + 3 * norm.ppf(0.975))
    unknown = Wald(difference=0.1, standard_error=math.nan)
    for alternative in ("two-sided", "less", "greater", "noninferior", "equivalent"):
        nothing = decide(unknown, alternative=alternative, margin=0.1, confidence_level=0.95)
        assert np.isnan([nothing.low, nothing.high, nothing.statistic, nothing.pvalue]).all()


def test_replicates_at_the_hypothesis_speak_for_it():
    evidence = Replicates(difference=0.1, replicates=np.array([-0.1, 0.0, 0.0, 0.2]))
    assert evidence.above(0.0) == evidence.below(0.0) == (1 + 3) / (1 + 4)
