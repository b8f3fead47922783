"""A band for the ROC curve: roclab's replicates against a loop over scikit-learn's curve."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import roc_curve

import roclab as rl
from benchmarks.harness import Case, Contender, timing_table
from benchmarks.tables import Table
from benchmarks.workloads import Labels, Scores, Workload, at_most
from roclab.inference.bands.roc_band import BandKind, BandMethod

WORKLOADS = [
    Workload(n=10**3, positives=0.3),
    Workload(n=10**5, kind="float64 tied"),
    Workload(n=10**5, positives=0.3),
]
TITLE = (
    "one replicate of a ROC band, over a loop with scikit-learn's roc_curve (extrapolated from "
    "fewer replicates)"
)
REPLICATES = 2000
GRID = np.linspace(0, 1, 201)
METHODS: dict[BandKind, BandMethod] = {"pointwise": "wilson", "simultaneous": "bootstrap"}


def tables(largest: int) -> list[Table]:
    loads = at_most(largest, WORKLOADS)
    return [timing_table(TITLE, (_case(load, kind) for load in loads for kind in METHODS))]


def _case(load: Workload, kind: BandKind) -> Case:
    y, s = load.draw()
    few = max(5, 10**5 // load.n)
    return Case(
        name=f"{load.name}, {kind}, {REPLICATES:,} replicates",
        contenders=[
            Contender(
                name=f"scikit-learn in a loop of {few}", call=lambda: loop(y, s, few), units=few
            ),
            *(
                Contender(
                    name="roclab roc_band",
                    call=lambda: rl.roc_band(
                        y, s, kind=kind, method=METHODS[kind], n_resamples=REPLICATES, rng=0
                    ),
                    units=REPLICATES,
                    threads=threads,
                    result=lambda band: np.mean(band.tpr),
                    tolerance=0.03,  # the curve itself beside the mean of a few replicates of it
                )
                for threads in (1, 2)
            ),
        ],
    )


def loop(y: Labels, s: Scores, replicates: int) -> float:
    """Curves of rows drawn with replacement, read at a grid, as most people write it."""
    rng = np.random.default_rng(0)
    rates = np.empty((replicates, len(GRID)))
    for i in range(replicates):
        rows = rng.integers(0, len(y), len(y))
        fpr, tpr, _ = roc_curve(y[rows], s[rows])
        rates[i] = np.interp(GRID, fpr, tpr)
    np.quantile(rates, [0.025, 0.975], axis=0)
    return float(rates.mean())
