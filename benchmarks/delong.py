"""DeLong's variance: roclab against the midrank method and a package that uses it."""

from __future__ import annotations

from importlib.util import find_spec
from math import sqrt
from typing import Any

from scipy.stats import norm, rankdata

import roclab as rl
from benchmarks.harness import SINGLE, Case, Contender, timing_table
from benchmarks.tables import Table
from benchmarks.workloads import Labels, Scores, Workload, at_most

WORKLOADS = [
    Workload(n=10**4),
    Workload(n=10**6),
    Workload(n=10**6, kind="float64 tied"),
    Workload(n=10**6, positives=0.5),
]
TITLE = "AUC with DeLong's standard error, over the midrank method (Sun and Xu 2014)"


def tables(largest: int) -> list[Table]:
    return [timing_table(TITLE, map(_case, at_most(largest, WORKLOADS)))]


def _case(load: Workload) -> Case:
    y, s = load.draw()
    contenders = [Contender(name="midranks", call=lambda: midrank_delong(y, s))]
    skipped = []
    if find_spec("confidenceinterval"):
        # Here, because the package is installed for benchmarks only.
        from confidenceinterval import roc_auc_score

        contenders.append(
            Contender(
                name="confidenceinterval",
                call=lambda: roc_auc_score(y, s, method="delong"),
                result=_auc_and_error,
                tolerance=SINGLE,  # its ranks are float32, and added up as such
            )
        )
    else:
        skipped.append("confidenceinterval left out: it is not installed (`make bench` does that)")
    contenders += [
        Contender(
            name="roclab auc_interval",
            call=lambda: rl.auc_interval(y, s, method="delong"),
            threads=threads,
            result=lambda interval: (interval.value, interval.standard_error),
        )
        for threads in (1, 2)
    ]
    return Case(name=load.name, contenders=contenders, skipped=skipped)


def midrank_delong(y: Labels, s: Scores) -> tuple[float, float]:
    """AUC and its standard error from midranks within the classes and of all together.

    A positive's midrank among all, less that among the positives, is the number of negatives below
    it, ties half: one component of DeLong's variance per example, without a pair being looked at.
    """
    positives, negatives = s[y], s[~y]
    ranks = rankdata(s)
    above = (ranks[y] - rankdata(positives)) / len(negatives)
    below = 1 - (ranks[~y] - rankdata(negatives)) / len(positives)
    variance = above.var(ddof=1) / len(positives) + below.var(ddof=1) / len(negatives)
    return float(above.mean()), sqrt(variance)


def _auc_and_error(result: tuple[float, tuple[Any, Any]]) -> tuple[float, float]:
    auc, (low, high) = result
    return float(auc), float(high - low) / (2 * float(norm.ppf(0.975)))
