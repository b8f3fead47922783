"""Pictures of what hardly is a sample: one class, one row, all scores tied."""

import warnings

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

import roclab as rl

mpl.use("Agg")

SAMPLES = {
    "positives only": ([1, 1, 1], [1, 2, 2]),
    "negatives only": ([0, 0], [1, 1]),
    "one row": ([1], [3]),
    "all tied": ([0, 1, 0, 1], [1, 1, 1, 1]),
    "two rows": ([0, 1], [0, 1]),
    "perfect": ([0, 0, 1, 1], [1, 2, 3, 4]),
    "reversed": ([0, 0, 1, 1], [4, 3, 2, 1]),
    "large integers": ([0, 1, 0, 1], [2**62, 2**62 + 1, 1, 2]),
    "infinite": ([0, 1, 0, 1], [-np.inf, np.inf, 0, 1]),
}


def table(y, s):
    return rl.ScoreTable(y, {"a": s, "b": s[::-1]}, groups={"g": np.arange(len(y))})


CURVES = {
    "roc": rl.roc_curve,
    "hull": rl.roc_hull,
    "precision": rl.precision_recall_curve,
    "gain": rl.curves.precision_recall_gain_curve,
    "cost": rl.cost_curve,
    "rates": rl.operating_points,
    "margin": rl.margin_curve,
    "granular": rl.granular_roc,
    "band": lambda y, s: rl.roc_band(y, s, n_resamples=20, rng=0),
    "binormal": rl.binormal_fit,
    "average": lambda y, s: rl.average_roc(y, s, fold=np.arange(len(y)) % 2),
    "repair": rl.repair_section,
    "scores": rl.Ranking,
    "table": table,
}
LISTS = {
    "evaluation": lambda y, s: rl.evaluate(table(y, s)),
    "groups": lambda y, s: rl.evaluate(table(y, s), by="g"),
    "comparison": lambda y, s: rl.compare(table(y, s)),
    "selection": lambda y, s: rl.select_model(table(y, s), n_resamples=20, rng=0),
    "folds": lambda y, s: rl.cross_validated_auc(y, s, fold=np.arange(len(y)) % 2),
}


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("kind", [*CURVES, *LISTS])
def test_it_is_drawn_if_there_is_a_result(sample, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rl.RoclabWarning)
        try:
            result = (CURVES | LISTS)[kind](*SAMPLES[sample])
        except rl.InputError:
            pytest.skip("there is no such result of this sample")
        page = Figure()
        rl.plot(result, ax=page.add_subplot(121))
        if kind in CURVES:
            rl.plot({"one": result, "other": result}, ax=page.add_subplot(122))
        page.canvas.draw()
