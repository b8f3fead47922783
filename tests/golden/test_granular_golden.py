"""Granular ROC: the two classifiers of Dong et al. (2013), Table 3, and what their paper prints.

Scores are decimal strings; values in doubles, and as fractions where the comparison is exact, were
computed by an independent program from the definitions.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import reference_granular as twin

import roclab as rl

LABELS = "11011100110010001010"
SCORES = {
    "A": "0.9 0.8 0.7 0.6 0.55 0.54 0.53 0.52 0.51 0.505 0.495 0.4 0.38 0.35 0.34 0.33 0.32 0.31 "
    "0.2 0.1",
    "B": "0.9 0.8 0.7 0.6 0.57 0.55 0.53 0.51 0.48 0.45 0.4 0.38 0.36 0.34 0.32 0.3 0.25 0.15 0.12 "
    "0.1",
}
TRUTH = np.array([label == "1" for label in LABELS])

# granularity: (low, up, lambda, lambda AUC)
PUBLISHED = {
    "A": {
        "0.001": (0.6900000000000001, 0.6900000000000001, 1.0, 0.69),
        "0.005": (0.6900000000000001, 0.6900000000000001, 1.0, 0.69),
        "0.01": (0.6804166666666668, 0.6933333333333334, 0.9813701923076924, 0.6771454326923078),
        "0.02": (0.6448632154882155, 0.7354171754171753, 0.8768672218219653, 0.605038383057156),
        "0.05": (0.5757393301143301, 0.765135717457146, 0.7524669375359232, 0.519202186899787),
        "0.1": (0.5345918202168203, 0.7857616127258985, 0.6803486089912932, 0.4694405402039923),
        "0.3": (0.30752036712120745, 0.9266378773731715, 0.3318668215818726, 0.2289881068914921),
        "1.0": (0.008333333333333333, 1.0, 0.008333333333333333, 0.00575),
    },
    "B": {
        "0.001": (0.6900000000000001, 0.6900000000000001, 1.0, 0.69),
        "0.005": (0.6900000000000001, 0.6900000000000001, 1.0, 0.69),
        "0.01": (0.6900000000000001, 0.6900000000000001, 1.0, 0.69),
        "0.02": (0.6740277777777778, 0.6918181818181818, 0.9742845670900863, 0.6722563512921594),
        "0.05": (0.6097699522699522, 0.7454835673585674, 0.8179522379420353, 0.5643870441800044),
        "0.1": (0.5599423955673957, 0.7792088632267204, 0.7186037300046387, 0.49583657370320067),
        "0.3": (0.341695338391767, 0.9152871565292784, 0.37332036831747767, 0.2575910541390596),
        "1.0": (0.008333333333333333, 1.0, 0.008333333333333333, 0.00575),
    },
}

# granularity: (low, up), sums in IEEE doubles
CLEAN = {
    "A": {
        "0.001": (0.69, 0.69),
        "0.005": (0.69, 0.69),
        "0.01": (0.675, 0.7),
        "0.02": (0.64, 0.735),
        "0.05": (0.585, 0.77),
        "0.1": (0.535, 0.785),
        "0.3": (0.21, 0.95),
        "1.0": (0.0, 1.0),
    },
    "B": {
        "0.001": (0.69, 0.69),
        "0.005": (0.69, 0.69),
        "0.01": (0.69, 0.69),
        "0.02": (0.665, 0.695),
        "0.05": (0.625, 0.74),
        "0.1": (0.55, 0.795),
        "0.3": (0.265, 0.95),
        "1.0": (0.0, 1.0),
    },
}

# granularity: (low, up), exact decimals
CLEAN_DECIMAL = {
    "A": {
        "0.001": ("69/100", "69/100"),
        "0.005": ("69/100", "69/100"),
        "0.01": ("27/40", "7/10"),
        "0.02": ("16/25", "147/200"),
        "0.05": ("117/200", "77/100"),
        "0.1": ("53/100", "157/200"),
        "0.3": ("21/100", "19/20"),
        "1.0": ("0", "1"),
    },
    "B": {
        "0.001": ("69/100", "69/100"),
        "0.005": ("69/100", "69/100"),
        "0.01": ("69/100", "69/100"),
        "0.02": ("27/40", "139/200"),
        "0.05": ("5/8", "37/50"),
        "0.1": ("109/200", "159/200"),
        "0.3": ("13/50", "19/20"),
        "1.0": ("0", "1"),
    },
}

# (rho, F, G, rho AUC)
RHO_PUBLISHED_100 = {
    "A": (0.4768867926774919, 0.7367755190127077, 0.30867069705976846, 0.3290518869474694),
    "B": (0.5030193678138701, 0.7457013180142842, 0.33931612870103406, 0.34708336379157034),
}
RHO_PUBLISHED_10000 = {"A": 0.474666, "B": 0.500340}
RHO_CLEAN_EXACT = {
    "A": (0.42692719014916153, 0.7316120402860631, 0.24913043478260874, 0.29457976120292145),
    "B": (0.45517789089018823, 0.7399532584115718, 0.27999999999999997, 0.31407274471422986),
}

PRINTED = {"A": ("0.645", "0.735"), "B": ("0.674", "0.691")}  # low and up at 0.02

CASES = [(name, delta) for name in SCORES for delta in CLEAN[name]]


def ranking(name):
    return rl.Ranking(TRUTH, [float(score) for score in SCORES[name].split()])


def rows(name):
    """Rows by descending score, as the paper's algorithm reads them."""
    return list(zip(map(float, SCORES[name].split()), TRUTH.tolist(), strict=True))


@pytest.mark.parametrize(("name", "delta"), CASES)
def test_clean_in_doubles(name, delta):
    area = rl.granular_auc(ranking(name), granularity=float(delta))
    assert (area.low, area.up) == CLEAN[name][delta]
    assert area.auc == 0.69


@pytest.mark.parametrize(("name", "delta"), CASES)
@pytest.mark.parametrize("decimals", [3, 5])
def test_clean_in_decimals(name, delta, decimals):
    area = rl.granular_auc(ranking(name), granularity=float(delta), decimals=decimals)
    low, up = map(Fraction, CLEAN_DECIMAL[name][delta])
    assert (area.low, area.up) == (float(low), float(up))
    scores = [Fraction(score) for score in SCORES[name].split()]
    assert twin.theta(TRUTH, scores, -Fraction(delta), add=twin.exactly) == low
    assert twin.theta(TRUTH, scores, Fraction(delta), add=twin.exactly) == up


@pytest.mark.parametrize(("name", "delta"), CASES)
def test_published(name, delta):
    low, up, ratio, lambda_auc = PUBLISHED[name][delta]
    options = {"granularity": float(delta), "definition": "published"}
    area = rl.granular_auc(ranking(name), **options)
    assert area.low == pytest.approx(low, abs=1e-14)
    assert area.up == pytest.approx(up, abs=1e-14)
    assert area.lambda_ == pytest.approx(ratio, abs=1e-14)
    assert rl.lambda_auc(ranking(name), **options) == pytest.approx(lambda_auc, abs=1e-14)


def test_published_gives_table_3():
    for name, (low, up) in PRINTED.items():
        area = rl.granular_auc(ranking(name), definition="published")
        assert f"{area.low:.3f}" == low
        if name == "A":
            assert f"{area.up:.3f}" == up
        else:  # 0.6918: printed 0.691, by truncation
            assert f"{area.up:.5f}" == "0.69182"
            assert str(area.up).startswith(up)


def test_the_deviations_of_classifier_b_are_those_of_binary_fractions():
    exact = {"definition": "published", "decimals": 3}
    area = rl.granular_auc(ranking("B"), **exact)
    assert (area.low, area.up) == pytest.approx((0.69, 0.69), abs=1e-14)
    assert rl.granular_auc(ranking("A"), **exact).up == pytest.approx(0.7331, abs=5e-5)
    # Nine neighbouring gaps are 0.02, of which binary sums miss three.
    scores = sorted(map(Fraction, SCORES["B"].split()))
    equal = [a for a, b in pairwise(scores) if b - a == Fraction("0.02")]
    assert len(equal) == 9
    assert [float(a) for a in equal if float(a) + 0.02 > float(a + Fraction("0.02"))] == [
        0.1,
        0.34,
        0.55,
    ]


@pytest.mark.parametrize(("name", "low"), [("A", 0.889), ("B", 0.728)])
def test_the_lower_curve_as_printed_lies_above(name, low):
    printed, _ = twin.published_rows(rows(name), 0.02, low_as_printed=True)
    assert float(printed) == pytest.approx(low, abs=5e-4)
    swapped, _ = twin.published_rows(rows(name), 0.02)
    assert float(swapped) < 0.69 < float(printed)


def test_counts_that_are_not_set_back_give_an_area_above_one():
    _, up = twin.published_rows(rows("A"), 0.02, accumulate=True)
    assert float(up) == pytest.approx(1.29, abs=5e-3)


def test_the_printed_algorithm_depends_on_the_order_of_ties():
    first = [(0.5, True), (0.5, False), (0.4, True), (0.3, False)]
    second = [(0.5, False), (0.5, True), (0.4, True), (0.3, False)]
    areas = [twin.published_rows(case, 0.05) for case in (first, second)]
    assert {tuple(round(float(area), 3) for area in case) for case in areas} == {
        (0.583, 0.917),
        (0.417, 0.75),
    }
    results = set()
    for case in (first, second):
        scores, truth = zip(*case, strict=True)
        area = rl.granular_auc(truth, scores, granularity=0.05, definition="published")
        results.add((area.low, area.auc, area.up))
    assert results == {(0.625, 0.625, 0.625)}  # and below the smallest gap it is the AUC


@pytest.mark.parametrize("name", SCORES)
def test_rho_published(name):
    parts = rl.measures.granular_parts(ranking(name), grid=100, definition="published")
    value = rl.rho_auc(ranking(name), grid=100, definition="published")
    got = (parts.rho, parts.up_area, parts.low_area, value)
    assert got == pytest.approx(RHO_PUBLISHED_100[name], abs=1e-14)
    fine = rl.measures.granular_parts(ranking(name), grid=10_000, definition="published")
    assert fine.rho == pytest.approx(RHO_PUBLISHED_10000[name], abs=5e-7)


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("decimals", [None, 3])
def test_rho_clean_exact(name, decimals):
    parts = rl.measures.granular_parts(ranking(name), grid=None, decimals=decimals)
    value = rl.rho_auc(ranking(name), grid=None, decimals=decimals)
    got = (parts.rho, parts.up_area, parts.low_area, value)
    assert got == pytest.approx(RHO_CLEAN_EXACT[name], abs=1e-14)
    assert parts.low_area == pytest.approx({"A": 0.249130, "B": 0.28}[name], abs=5e-7)


def binormal(seed):
    rng = np.random.default_rng(seed)
    truth = np.repeat([True, False], 2000)
    return rl.Ranking(truth, rng.normal(np.where(truth, 0.65, 0.45), 0.2))


# The paper's simulation: means over 300 samples, of which these are 20; tolerance about 3 sd of
# their mean.
@pytest.mark.parametrize(
    ("definition", "up", "low", "ratio"),
    [("published", 0.0198, -0.0298, 0.9364), ("clean", 0.0214, -0.0225, 0.9439)],
)
def test_binormal(definition, up, low, ratio):
    areas = [rl.granular_auc(binormal(seed), definition=definition) for seed in range(20)]
    assert np.mean([area.auc for area in areas]) == pytest.approx(0.7602, abs=0.005)
    assert np.mean([area.up - area.auc for area in areas]) == pytest.approx(up, abs=3e-4)
    assert np.mean([area.low - area.auc for area in areas]) == pytest.approx(low, abs=3.5e-4)
    assert np.mean([area.lambda_ for area in areas]) == pytest.approx(ratio, abs=8e-4)
    # The paper prints AUC 0.7628, low 0.7441 and up 0.7938, differences that no sample has.
    assert all(abs(area.low - area.auc - (0.7441 - 0.7628)) > 1e-3 for area in areas)
    assert all(abs(area.up - area.auc - (0.7938 - 0.7628)) > 5e-3 for area in areas)


@pytest.mark.parametrize("definition", ["clean", "published"])
def test_a_grid_of_100_is_close_to_one_of_200(definition):
    sample = binormal(0)
    coarse, fine = (
        rl.measures.granular_parts(sample, grid=k, definition=definition) for k in (100, 200)
    )
    assert coarse.rho != fine.rho
    assert abs(coarse.rho - fine.rho) < 2e-5
