"""The AUC of a batch: roclab against scikit-learn and two ways that scipy offers."""

from __future__ import annotations

import numpy as np
from scipy.stats import mannwhitneyu, rankdata
from sklearn.metrics import roc_auc_score

import roclab as rl
from benchmarks.harness import EXACT, SINGLE, Case, Contender, timing_table
from benchmarks.tables import Table
from benchmarks.workloads import Labels, Scores, Workload, at_most

LARGEST = [
    Workload(n=10**7),
    Workload(n=10**7, kind="float64 tied"),
    Workload(n=10**7, positives=0.5),
]
WORKLOADS = [
    Workload(n=10**2),
    Workload(n=10**4),
    Workload(n=10**5),
    Workload(n=10**6),
    Workload(n=10**6, kind="float32"),
    Workload(n=10**6, kind="int64"),
    Workload(n=10**6, kind="lognormal"),
    Workload(n=10**6, kind="probabilities near 0"),
    Workload(n=10**6, positives=0.5),
    *LARGEST,
]
LARGEST_MANNWHITNEYU = 10**6


def tables(largest: int) -> list[Table]:
    return [
        timing_table(
            "AUC, over scikit-learn's roc_auc_score",
            map(_against_peers, at_most(largest, WORKLOADS)),
        ),
        timing_table(
            "AUC, two threads over one", map(_against_one_thread, at_most(largest, LARGEST))
        ),
    ]


def _against_peers(load: Workload) -> Case:
    y, s = load.draw()
    contenders = [
        Contender(name="scikit-learn roc_auc_score", call=lambda: roc_auc_score(y, s)),
        Contender(name="scipy rankdata", call=lambda: rank_sum_auc(y, s)),
        *_roclab(y, s),
    ]
    skipped = []
    if load.n <= LARGEST_MANNWHITNEYU:
        contenders.append(
            Contender(
                name="scipy mannwhitneyu",
                call=lambda: mannwhitneyu_auc(y, s),
                tolerance=SINGLE if s.dtype == np.float32 else EXACT,
            )
        )
    else:
        skipped.append("scipy mannwhitneyu left out: it ranks as rankdata does, and takes longer")
    return Case(name=load.name, contenders=contenders, skipped=skipped)


def _against_one_thread(load: Workload) -> Case:
    return Case(name=load.name, contenders=_roclab(*load.draw()))


def _roclab(y: Labels, s: Scores) -> list[Contender]:
    return [
        Contender(name="roclab auc", call=lambda: rl.auc(y, s), threads=threads)
        for threads in (1, 2)
    ]


def rank_sum_auc(y: Labels, s: Scores) -> float:
    """AUC from the positives' ranks: the formula people write by hand."""
    n_pos = int(y.sum())
    n_neg = len(y) - n_pos
    return float((rankdata(s)[y].sum() - n_pos * (n_pos + 1) / 2) / (n_pos * n_neg))


def mannwhitneyu_auc(y: Labels, s: Scores) -> float:
    """AUC as the statistic of the Mann-Whitney test, which computes a p-value too."""
    positives, negatives = s[y], s[~y]
    statistic = mannwhitneyu(positives, negatives, method="asymptotic").statistic
    return float(np.asarray(statistic) / (len(positives) * len(negatives)))
