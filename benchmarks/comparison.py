"""All pairs of many models: one joint covariance against a loop of paired DeLong tests."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.stats import rankdata

import roclab as rl
from benchmarks.harness import Case, Contender, timing_table
from benchmarks.tables import Table
from benchmarks.workloads import Labels, Scores, Workload, at_most

MODELS = 100
LOADS = [Workload(n=10**5), Workload(n=10**5, kind="float64 tied")]
TITLE = f"one of all pairs of {MODELS} models tested, over a loop with midranks"
SAMPLED_PAIRS = 3


def tables(largest: int) -> list[Table]:
    return [timing_table(TITLE, map(_case, at_most(largest, LOADS)))]


def _case(load: Workload) -> Case:
    y, s = load.draw()
    rng = np.random.default_rng(1)
    columns = {f"model {i}": (s + rng.normal(size=load.n)).round(6) for i in range(MODELS)}
    if "tied" in load.kind:
        columns = {name: scores.round(1) for name, scores in columns.items()}
    pairs = list(combinations(columns.values(), 2))
    return Case(
        name=load.name,
        contenders=[
            Contender(
                name="midranks, pair by pair",
                call=lambda: [paired_delong(y, a, b) for a, b in pairs[:SAMPLED_PAIRS]],
                units=SAMPLED_PAIRS,
            ),
            *(
                Contender(
                    name="roclab compare",
                    call=lambda: rl.compare(rl.ScoreTable(y, columns), method="delong"),
                    units=len(pairs),
                    threads=threads,
                    result=lambda found: [p.statistic for p in found.pairs[:SAMPLED_PAIRS]],
                    tolerance=1e-9,  # variances of close models are differences of near numbers
                )
                for threads in (1, 2)
            ),
        ],
    )


def paired_delong(y: Labels, a: Scores, b: Scores) -> float:
    """DeLong's statistic of two models, by the midrank method of Sun and Xu (2014)."""
    placements = []
    for s in (a, b):
        ranks, pos, neg = rankdata(s), s[y], s[~y]
        above = (ranks[y] - rankdata(pos)) / len(neg)
        below = 1 - (ranks[~y] - rankdata(neg)) / len(pos)
        placements.append((above, below))
    (above_a, below_a), (above_b, below_b) = placements
    variance = np.var(above_a - above_b, ddof=1) / len(above_a)
    variance += np.var(below_a - below_b, ddof=1) / len(below_a)
    return float((above_a.mean() - above_b.mean()) / np.sqrt(variance))
