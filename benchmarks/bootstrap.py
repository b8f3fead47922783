"""The bootstrap of an AUC: roclab's engine against a loop over scikit-learn's AUC."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import roc_auc_score

import roclab as rl
from benchmarks.harness import Case, Contender, timing_table
from benchmarks.tables import Table
from benchmarks.workloads import Labels, Scores, Workload, at_most
from roclab.inference.intervals.auc import IntervalMethod

WORKLOADS = [
    Workload(n=10**3, positives=0.3),
    Workload(n=10**5, kind="float64 tied"),
    Workload(n=10**5, positives=0.3),
]
TITLE = "one bootstrap replicate of the AUC, over a loop with scikit-learn's"
REPLICATES = 2000


def tables(largest: int) -> list[Table]:
    loads = at_most(largest, WORKLOADS)
    cases = [(load, "bootstrap") for load in loads]
    cases += [(loads[-1], method) for method in ("bca", "bootstrap_t")]
    return [timing_table(TITLE, (_case(load, method) for load, method in cases))]


def _case(load: Workload, method: IntervalMethod) -> Case:
    y, s = load.draw()
    few = max(5, 10**5 // load.n)
    return Case(
        name=f"{load.name}, {method}",
        contenders=[
            Contender(name="scikit-learn in a loop", call=lambda: loop(y, s, few), units=few),
            *(
                Contender(
                    name="roclab auc_interval",
                    call=lambda: rl.auc_interval(
                        y, s, method=method, n_resamples=REPLICATES, rng=0
                    ),
                    units=REPLICATES,
                    threads=threads,
                    result=lambda interval: (interval.low + interval.high) / 2,
                    tolerance=0.03,  # the middle of the replicates, each by its own draws
                )
                for threads in (1, 2)
            ),
        ],
    )


def loop(y: Labels, s: Scores, replicates: int) -> float:
    """The mean of AUCs of rows drawn with replacement, as most people write it."""
    rng = np.random.default_rng(0)
    values = []
    for _ in range(replicates):
        rows = rng.integers(0, len(y), len(y))
        values.append(roc_auc_score(y[rows], s[rows]))
    return float(np.mean(values))
