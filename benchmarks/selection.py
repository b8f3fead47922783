"""Choosing one of many models by replicates: against a loop over scikit-learn's AUC."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sklearn.metrics import roc_auc_score

import roclab as rl
from benchmarks.harness import Case, Contender, timing_table
from benchmarks.tables import Table
from benchmarks.workloads import Labels, Scores, Workload, at_most

MODELS = 100
REPLICATES = 1000
LOADS = [Workload(n=10**5), Workload(n=10**5, positives=0.5), Workload(n=10**3, positives=0.3)]
ENOUGH = 5000  # examples of a class, from which select_model draws from the joint normal limit
TITLE = (
    f"choosing among {MODELS} models by {REPLICATES:,} replicates, "
    "over a loop with scikit-learn's AUC (extrapolated)"
)
NOTE = (
    "Times are a thousandth of a choice. Replicates of the loop: {few}, extrapolated to 1,000. "
    "roclab drew 1,000 by the method that the case names, with the sorts, contenders and optimism "
    "that belong to them."
)


def tables(largest: int) -> list[Table]:
    return [timing_table(TITLE, map(_case, at_most(largest, LOADS)))]


def _case(load: Workload) -> Case:
    y, s = load.draw()
    rng = np.random.default_rng(1)
    columns = {f"model {i}": s + rng.normal(size=load.n) for i in range(MODELS)}
    few = 1 if load.n > 10**4 else 10
    is_large = min(np.count_nonzero(y), np.count_nonzero(~y)) >= ENOUGH
    return Case(
        name=f"{load.name}, {'joint normal' if is_large else 'bootstrap'}",
        skipped=[NOTE.format(few=few)],
        contenders=[
            Contender(
                name="scikit-learn in a loop",
                call=lambda: loop(y, columns, few),
                units=few,
            ),
            *(
                Contender(
                    name="roclab select_model",
                    call=lambda: rl.select_model(
                        rl.ScoreTable(y, columns), n_resamples=REPLICATES, rng=0
                    ),
                    units=REPLICATES,
                    threads=threads,
                    result=lambda found: sum(one.value for one in found.models) / MODELS,
                    tolerance=0.05,  # the mean over models, each replicate by its own draws
                )
                for threads in (1, 2)
            ),
        ],
    )


def loop(y: Labels, columns: Mapping[str, Scores], replicates: int) -> float:
    """The mean AUC of all models over rows drawn with replacement, as most people write it."""
    rng = np.random.default_rng(0)
    values = []
    for _ in range(replicates):
        rows = rng.integers(0, len(y), len(y))
        values.append([roc_auc_score(y[rows], scores[rows]) for scores in columns.values()])
    return float(np.mean(values))
