"""Frozen hulls, partial areas, operating points and H-measures; README.md names the sources."""

import runpy
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import reference
import reference_hull

import roclab as rl

DATA = runpy.run_path(str(Path(__file__).with_name("test_golden.py")))

# repair case: (vertices, as numbers of ROC points; concavities (low, high, area); area under hull)
HULLS = {
    "repair 1": ([0, 7, 8], [("1/5", "inf", "9/32")], "9/16"),
    "repair 2": ([0, 5], [("1/8", "inf", "6/35")], "1/2"),
    "repair 3": ([0, 1, 12, 14], [("71/250", "247/250", "5/33")], "8/11"),
    # Its source has two concavities and the area of the second, which leaves this for the first.
    "repair 4": ([0, 2, 7], [("5/6", "inf", "1/120"), ("0", "5/6", "1/10")], "11/20"),
}

# predictor: partial areas: FPR 0 to 0.1, the same standardised, FPR 0.2 to 0.5, TPR 0.8 to 1
PARTIAL = {
    "alpha": (0.0192640692640693, 0.575074048758259, 0.230422077922078, 0.0875324675324675),
    "beta": (0.00909090909090908, 0.521531100478469, 0.130909090909091, 0.052987012987013),
    "gamma": (0.0147402597402597, 0.551264524948735, 0.122919531448943, 0.0317171717171717),
}
# predictor: pROC's best threshold by Youden, specificity, sensitivity
YOUDEN = {
    "alpha": (0.8, 0.8, 0.714285714285714),
    "beta": (-0.165, 0.436363636363636, 0.828571428571429),
    "gamma": (4.5, 0.927272727272727, 0.228571428571429),
}

# labels, scores, severity ratio, H: worked out by hand
H_MEASURES = {
    "a tie, balanced": ([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], None, "1/2"),
    "a concavity, Beta(2, 2)": ([0, 1, 0], [0.9, 0.5, 0.1], 1, "41/176"),
    "a concavity, by default Beta(2, 3)": ([0, 1, 0], [0.9, 0.5, 0.1], None, "19/64"),
    "perfect": ([0, 0, 1], [-np.inf, 3, np.inf], None, "1"),
    "reversed": ([1, 0, 0], [-5, 3, 70], None, "0"),
    "constant": ([1, 0, 0], [7, 7, 7], 4, "0"),
}


@pytest.mark.parametrize("name", HULLS)
def test_hulls(name):
    scores, labels, _ = DATA["AUC"][name]
    y, exact = DATA["bits"](labels), DATA["numbers"](scores)
    vertices, concavities, area = HULLS[name]
    concavities = [(float(low), float(high), share) for low, high, share in decimal(concavities)]
    assert reference_hull.hull_vertices(y, exact) == vertices
    assert reference_hull.hull_auc(y, exact) == Fraction(area)
    assert [tuple(c[:3]) for c in reference_hull.concavities(y, np.array(exact, float))] == (
        concavities
    )
    hull = rl.roc_hull(y, np.array(exact, float))
    points = [reference.roc_points(y, np.array(exact, float))[k] for k in vertices]
    assert hull.fpr.tolist() == [float(x) for x, _, _ in points]
    assert hull.tpr.tolist() == [float(y) for _, y, _ in points]
    assert hull.thresholds.tolist() == [t for _, _, t in points]
    assert hull.auc == float(Fraction(area))
    assert [(c.low, c.high, c.area) for c in hull.concavities] == [
        (low, high, float(share)) for low, high, share in concavities
    ]


def decimal(concavities):
    for low, high, area in concavities:
        yield Fraction(low), np.inf if high == "inf" else Fraction(high), Fraction(area)


def predictor(name):
    return DATA["bits"](DATA["PROC_LABELS"]), np.array(DATA["PROC"][name][0].split(), float)


@pytest.mark.parametrize("name", PARTIAL)
def test_partial_areas_of_proc(name):
    sample = predictor(name)
    values = (
        rl.partial_auc(*sample, fpr_range=(0, 0.1)),
        rl.partial_auc(*sample, fpr_range=(0, 0.1), standardize=True),
        rl.partial_auc(*sample, fpr_range=(0.2, 0.5)),
        rl.partial_auc(*sample, tpr_range=(0.8, 1)),
    )
    assert values == pytest.approx(PARTIAL[name], rel=1e-12, abs=1e-15)
    assert rl.partial_auc(*sample, fpr_range=(0, 0.1), standardize=True) == values[1]


@pytest.mark.parametrize("name", YOUDEN)
def test_best_point_of_proc(name):
    labels, scores = predictor(name)
    best = rl.operating_points(labels, scores).best(criterion="youden")
    threshold, specificity, sensitivity = YOUDEN[name]
    assert best.specificity == pytest.approx(specificity, rel=1e-12)
    assert best.sensitivity == pytest.approx(sensitivity, rel=1e-12)
    # pROC reports the middle between our threshold and the next lower score.
    below = scores[scores < best.threshold].max()
    assert (best.threshold + below) / 2 == pytest.approx(threshold, rel=1e-12)


@pytest.mark.parametrize("name", H_MEASURES)
def test_h_measures(name):
    labels, scores, severity_ratio, expected = H_MEASURES[name]
    value = rl.h_measure(labels, scores, severity_ratio=severity_ratio)
    assert value == pytest.approx(float(Fraction(expected)), abs=1e-15)


def test_the_better_beta_of_the_package():
    """The example on the page of the Python package hmeasure 0.1.6 (a negative ratio there)."""
    labels = [1, 1, 0, 1, 1, 0, 1, 1, 1, 0]
    scores = [0.84901876, 0.10282827, 0.43752488, 0.46004468, 0.90878931]
    scores += [0.79177719, 0.5297229, 0.13803906, 0.73166264, 0.22959056]
    assert rl.h_measure(labels, scores) == pytest.approx(0.18889596344769588, abs=1e-15)
    value = rl.h_measure(labels, scores, cost_distribution="class_shares")
    assert value == pytest.approx(0.18310946512079307, abs=1e-15)
