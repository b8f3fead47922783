"""The aSAH data of pROC, where ROCLAB_DATA names the folder that holds asah.csv."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest
import reference

import roclab as rl

# predictor: (AUC, DeLong standard error), as pROC prints them for the outcome Poor
ASAH = {"wfns": (0.8236789, 0.0383), "ndka": (0.6119580, 0.0565), "s100b": (0.7313686, 0.0517)}


@pytest.fixture(scope="module")
def patients():
    folder = os.environ.get("ROCLAB_DATA")
    if folder is None:
        pytest.skip("ROCLAB_DATA is not set: no folder with asah.csv")
    with open(Path(folder) / "asah.csv", newline="") as file:
        return list(csv.DictReader(file))


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
