"""Results have the same digits on every processor: each process here pretends to be on another."""

import contextlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import roclab as rl
from roclab.decisions import calibration_summary, population_stability_index
from roclab.measures import find_measure, gains_table
from roclab.measures.measure import measures_by_name

MACHINES = {
    "BLAS of another processor": {"OPENBLAS_CORETYPE": "Prescott"},
    "one thread": {"OPENBLAS_NUM_THREADS": "1", "ROCLAB_NUM_THREADS": "1"},
    "no AVX2": {"ROCLAB_DISABLE_AVX2": "1"},
}


def results():
    """Every measure, the intervals and the comparisons, of scores with ties, as text."""
    rng = np.random.default_rng(0)
    rows = 3000
    truth = (rng.random(rows) < 0.3).astype(int)
    scores = np.round(1 / (1 + np.exp(-rng.normal(size=rows) - 1.5 * truth)), 3)
    others = {"a": scores, "b": np.round(scores + rng.normal(size=rows) / 9, 3)}
    others["near a"] = np.where(np.arange(rows) == 5, 0.25, scores)
    weights = rng.gamma(2.0, size=rows)
    groups = {"patient": rng.integers(0, 500, rows), "site": rng.integers(0, 9, rows)}
    found = {}
    for weighted in (False, True):
        extra = {"sample_weight": weights} if weighted else {}
        for name, entry in measures_by_name().items():
            _, options = find_measure(entry.example)
            with contextlib.suppress(rl.InputError):  # some have no weighted form
                value = entry.function(truth, scores, **extra, **options)
                found[f"{name} {weighted}"] = float(value) if entry.single else value.to_dict()
        for measure in ("auc", "scored_auc"):
            table = rl.ScoreTable(truth, others, groups=groups, **extra)
            for cluster in (None, "patient"):
                compared = rl.compare(table, measure=measure, cluster=cluster).to_dict()
                del compared["omnibus"]  # eigenvalues are LAPACK's
                found[f"compare {measure} {weighted} {cluster}"] = compared
        strata = rl.stratified_auc_interval(truth, scores, stratum=groups["site"], **extra)
        found[f"stratified {weighted}"] = strata.to_dict()
        found[f"bca {weighted}"] = rl.auc_interval(
            truth, scores, method="bca", n_resamples=199, rng=0, **extra
        ).to_dict()
        found[f"margin curve {weighted}"] = rl.margin_curve(truth, scores, **extra).to_dict()
        found[f"calibration {weighted}"] = calibration_summary(
            truth, scores, clip=1e-3, **extra
        ).to_dict()
        found[f"calibration curve {weighted}"] = rl.calibration_curve(
            truth, scores, **extra
        ).to_dict()
        models = {"a": scores, "b": np.round(scores, 1)}
        curves = rl.decision_curve(rl.ScoreTable(truth, models, **extra))
        found[f"decision curves {weighted}"] = curves.to_dict()
        found[f"gains {weighted}"] = gains_table(truth, scores, **extra).to_dict()
    stability = population_stability_index(scores[:2000], scores[2000:])
    found["stability"] = stability.to_dict()
    found["planned"] = rl.auc_power(0.8, 50, 70)
    found["precision-recall gain"] = rl.precision_recall_curve(truth, scores).to_dict()
    return {name: json.dumps(value) for name, value in found.items()}


@pytest.fixture(scope="module")
def here():
    return results()


@pytest.mark.parametrize("machine", MACHINES)
def test_results_have_the_same_digits(machine, here):
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2", **MACHINES[machine]}
    done = subprocess.run(
        [sys.executable, __file__], env=environment, capture_output=True, text=True, check=True
    )
    elsewhere = json.loads(done.stdout)
    assert elsewhere.keys() == here.keys()
    assert [name for name, value in here.items() if elsewhere[name] != value] == []


if __name__ == "__main__":
    print(json.dumps(results()))
