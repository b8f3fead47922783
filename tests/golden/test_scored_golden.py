"""Golden values of the scored AUC family: exact fractions computed by an independent program.

M1 and M2 are the models of example 1 in Wu, Flach and Ferri (ECML 2007), which prints their values
rounded; the other two cases are constructed.
"""

from fractions import Fraction

import numpy as np
import pytest
import reference_scored

import roclab as rl

# name: scores, labels, AUC, scored AUC, R+, R-, M+ - M-, strict theta at TAUS
TAUS = ("0", "0.1", "0.25", "0.5", "1")
CASES = {
    "M1": (
        "1.0 0.7 0.6 0.5 0.4 0.0",
        "111000",
        "1",
        "7/15",
        "23/30",
        "3/10",
        "7/15",
        "1 8/9 2/3 4/9 0",
    ),
    "M2": (
        "1.0 0.9 0.6 0.5 0.2 0.0",
        "110100",
        "8/9",
        "49/90",
        "67/90",
        "1/5",
        "8/15",
        "8/9 8/9 8/9 4/9 0",
    ),
    "ties": (
        "0.9 0.5 0.5 0.5 0.4 0.1 0.9",
        "1100100",
        "13/24",
        "23/120",
        "3/10",
        "13/120",
        "1/10",
        "5/12 5/12 5/12 1/12 0",
    ),
    "outside_unit_interval": (
        "-1.0 3.0 -2.0 1.0",
        "1100",
        "3/4",
        "2",
        "5/4",
        "-3/4",
        "3/2",
        "3/4 3/4 3/4 3/4 1/2",
    ),
}
# case: theta at TAUS, a lead of exactly tau counting one half, counted by hand
HALF = {
    "M1": "1 17/18 2/3 1/2 1/18",
    "M2": "8/9 8/9 8/9 1/2 1/18",
    "ties": "13/24 5/12 5/12 1/12 0",
    "outside_unit_interval": "3/4 3/4 3/4 3/4 5/8",
}


def case(name):
    scores, labels, *values = CASES[name]
    exact = [Fraction(word) for word in scores.split()]
    return [int(digit) for digit in labels], exact, np.array(exact, float), values


def close(value, exact):
    return value == pytest.approx(float(Fraction(exact)), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("name", CASES)
def test_values(name):
    y, _, s, (auc, scored, r_pos, r_neg, difference, _) = case(name)
    curve = rl.margin_curve(y, s)
    assert close(rl.scored_auc(y, s), scored)
    assert close(curve.area(), scored)
    assert close(curve.at(0), auc)
    parts = rl.measures.scored_parts(y, s)
    assert close(parts.r_pos, r_pos)
    assert close(parts.r_neg, r_neg)
    assert close(parts.mean_difference, difference)
    assert close(parts.scored_auc, scored)
    assert parts.unit_interval == (name != "outside_unit_interval")


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_theta_in_decimals(name, strict):
    y, exact, s, (*_, strictly) = case(name)
    expected = [Fraction(word) for word in (strictly if strict else HALF[name]).split()]
    twin = [reference_scored.margin_auc(y, exact, Fraction(tau), strict=strict) for tau in TAUS]
    assert twin == expected
    for tau, value in zip(TAUS, expected, strict=True):
        assert close(rl.margin_auc(y, s, margin=float(tau), strict=strict, decimals=1), value)
        whole, margin = np.array([round(100 * v) for v in exact]), 100 * Fraction(tau)
        assert close(rl.margin_auc(y, whole, margin=int(margin), strict=strict), value)


def test_the_paper_prints_these():
    # Example 2, two digits, and the remark on subtracting 0.25 in example 1
    parts = [rl.measures.scored_parts(*case(name)[::2]) for name in ("M1", "M2")]
    assert [round(p.r_pos, 2) for p in parts] == [0.77, 0.74]
    assert [round(p.r_neg, 2) for p in parts] == [0.3, 0.2]
    assert [round(p.scored_auc, 2) for p in parts] == [0.47, 0.54]
    after = [rl.margin_auc(*case(name)[::2], margin=0.25) for name in ("M1", "M2")]
    assert after == [6 / 9, 8 / 9]


def test_the_integral_over_the_unit_interval_alone_is_less():
    # the paper integrates from 0 to 1, which is the scored AUC only if no lead is above 1
    curve = rl.margin_curve([1, 1, 0, 0], [2.5, 1.0, 0.0, 0.5])
    assert curve.area() == 1.5
    assert curve.area(low=0, high=1) == 0.875


# Where MOA and CapyMOA err: they give -0.25 and 0.2778.
@pytest.mark.parametrize("normalize", [False, True])
def test_constant_scores_have_a_scored_auc_of_zero(normalize):
    y, s = [1, 0, 1, 0], [0.5] * 4
    assert rl.scored_auc(y, s, normalize=normalize) == 0
    curve = rl.margin_curve(y, s, normalize=normalize)
    assert curve.area() == 0
    assert (curve.at(-1e-300), curve.at(0), curve.at(1e-300)) == (1, 0.5, 0)


def test_tied_classes_count_nothing_in_the_scored_auc():
    y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.5, 0.5, 0.5, 0.3, 0.1]
    assert rl.scored_auc(y, s) == pytest.approx(1 / 3, rel=1e-15)


def test_granular_classifiers_are_points_of_the_curve():
    # Table 3 of Dong et al. (2013) at 0.02, the clean definition, in exact decimals
    labels = [int(digit) for digit in "11011100110010001010"]
    a = "0.9 0.8 0.7 0.6 0.55 0.54 0.53 0.52 0.51 0.505 0.495 0.4 0.38 0.35 0.34 0.33 0.32 0.31"
    b = "0.9 0.8 0.7 0.6 0.57 0.55 0.53 0.51 0.48 0.45 0.4 0.38 0.36 0.34 0.32 0.3 0.25 0.15"
    for scores, low, up in (
        (a + " 0.2 0.1", 16 / 25, 147 / 200),
        (b + " 0.12 0.1", 27 / 40, 0.695),
    ):
        curve = rl.margin_curve(labels, np.array(scores.split(), float), decimals=3)
        assert curve.at([0.02, 0, -0.02]) == pytest.approx([low, 0.69, up], rel=1e-15)
