"""Building a Ranking: roclab against two ways to group scores with numpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import roclab as rl
from benchmarks.harness import Case, Contender, timing_table
from benchmarks.tables import Table
from benchmarks.workloads import Labels, Scores, Workload, at_most

WORKLOADS = [
    Workload(n=10**6),
    Workload(n=10**6, kind="float32"),
    Workload(n=10**6, kind="float64 tied"),
    Workload(n=10**6, kind="int64"),
]
TITLE = "Distinct scores with positives and negatives counted, over numpy's argsort"

Groups = tuple[npt.NDArray[np.generic], npt.NDArray[np.generic], npt.NDArray[np.generic]]


def tables(largest: int) -> list[Table]:
    return [timing_table(TITLE, map(_case, at_most(largest, WORKLOADS)))]


def _case(load: Workload) -> Case:
    y, s = load.draw()
    contenders = [
        Contender(name="numpy argsort", call=lambda: group_by_argsort(y, s), result=np.stack),
        Contender(
            name="numpy unique", call=lambda: group_by_unique(y, s), result=np.stack, tolerance=0
        ),
    ]
    contenders += [
        Contender(
            name="roclab Ranking",
            call=lambda: rl.Ranking(y, s).prepare(),
            threads=threads,
            result=lambda ranking: np.stack([ranking.scores, ranking.pos, ranking.neg]),
            tolerance=0,
        )
        for threads in (1, 2)
    ]
    return Case(name=load.name, contenders=contenders)


def group_by_argsort(y: Labels, s: Scores) -> Groups:
    """Sort the rows, cut where the score changes."""
    order = np.argsort(s)
    ordered = s[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    totals = np.diff(np.append(starts, len(s)))
    pos = np.add.reduceat(y[order].astype(np.int64), starts)
    return ordered[starts], pos, totals - pos


def group_by_unique(y: Labels, s: Scores) -> Groups:
    """Number the distinct scores, count by number."""
    scores, group = np.unique(s, return_inverse=True)
    pos = np.bincount(group[y], minlength=len(scores))
    return scores, pos, np.bincount(group, minlength=len(scores)) - pos
