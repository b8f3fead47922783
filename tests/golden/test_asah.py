"""The aSAH data of pROC, where ROCLAB_DATA names the folder that holds asah.csv."""

import numpy as np
import pytest
import real_data
import reference

import roclab as rl
from roclab.inference import auc_covariance, multiclass_auc_interval

# Covariances that pROC's test of cov has.
COVARIANCES = {
    ("wfns", "ndka"): -0.000532967856762438,
    ("ndka", "s100b"): -0.000756164938056579,
    ("s100b", "wfns"): 0.00119615567376754,
}
# Middles between scores, as pROC reports the local maxima of s100b (its test of coords).
LOCAL_MAXIMA = (
    -np.inf, 0.065, 0.075, 0.085, 0.095, 0.105, 0.115, 0.135, 0.155, 0.205, 0.245, 0.29, 0.325,
    0.345, 0.395, 0.435, 0.475, 0.485, 0.51,
)  # fmt: skip
# predictor: (AUC, DeLong standard error), as pROC prints them for the outcome Poor
ASAH = {"wfns": (0.8236789, 0.0383), "ndka": (0.6119580, 0.0565), "s100b": (0.7313686, 0.0517)}


@pytest.fixture(scope="module")
def patients():
    return real_data.rows("asah.csv")


@pytest.mark.parametrize("predictor", ASAH)
def test_asah(patients, predictor):
    auc, standard_error = ASAH[predictor]
    outcome = np.array([row["class"] for row in patients])
    scores = np.array([float(row[predictor]) for row in patients])
    interval = rl.auc_interval(outcome, scores, pos_label="Poor", method="delong")
    assert interval.value == pytest.approx(auc, abs=5e-8)
    assert interval.standard_error == pytest.approx(standard_error, abs=5e-5)
    poor = outcome == "Poor"
    assert interval.value == pytest.approx(float(reference.auc(poor, scores)), rel=1e-14)
    variance = float(reference.auc_variance(poor, scores))
    assert interval.standard_error**2 == pytest.approx(variance, rel=1e-12)


def test_operating_points_of_s100b(patients):
    outcome = np.array([row["class"] for row in patients]) == "Poor"
    scores = np.array([float(row["s100b"]) for row in patients])
    points = rl.operating_points(outcome, scores)
    # A middle makes the same decisions as the next score above it.
    expected = [points.at(threshold=middle) for middle in reversed(LOCAL_MAXIMA)]
    found = points.local_maxima()
    assert [(one.tp, one.fp) for one in found] == [(one.tp, one.fp) for one in expected]
    best = points.best()
    # pROC's test of coords at 0.205: 26 tp, 14 fp, 58 tn, 15 fn.
    assert (best.tp, best.fp, best.tn, best.fn) == (26, 14, 58, 15)
    assert best.lr_pos == pytest.approx((26 / 41) / (14 / 72))
    assert best.lr_neg == pytest.approx((15 / 41) / (58 / 72))


def test_covariances(patients):
    outcome = np.array([row["class"] for row in patients]) == "Poor"
    columns = {name: np.array([float(row[name]) for row in patients]) for name in ASAH}
    found = auc_covariance(rl.ScoreTable(outcome, columns))
    for pair, covariance in COVARIANCES.items():
        a, b = (found.names.index(name) for name in pair)
        assert found.covariance[a, b] == pytest.approx(covariance, rel=1e-12)


def test_one_score_for_ordered_classes(patients):
    """pROC's test of multiclass.roc: no direction is chosen for each pair, as "auto" does."""
    outcome = np.array([int(row["gos6"]) for row in patients])
    scores = np.array([float(row["s100b"]) for row in patients])
    assert rl.multiclass_auc(outcome, scores) == pytest.approx(0.3487473175, abs=5e-11)
    falling = multiclass_auc_interval(outcome, scores, labels=[5, 4, 3, 1])
    assert falling.value == pytest.approx(0.6512526825, abs=5e-11)
    # The better direction of each pair, which is optimistic.
    better = np.mean([max(one.value, 1 - one.value) for one in falling.parts])
    assert better == pytest.approx(0.6539999352, abs=5e-11)
