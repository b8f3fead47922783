"""What measures beyond the AUC cost, in units of the AUC on the same data with as many threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import roclab as rl
from benchmarks.harness import Case, Contender, cost_table, is_finite
from benchmarks.tables import Table
from benchmarks.workloads import Labels, Scores, Workload, at_most

GRID = 100


@dataclass(frozen=True, kw_only=True)
class Costly:
    """A measure, the data to time it on, and how many times the AUC it may take."""

    name: str
    call: Callable[[Labels, Scores], Any]
    wanted: float
    workloads: Sequence[Workload]


def scored_with_variance(y: Labels, s: Scores) -> tuple[float, float]:
    """The scored AUC and its standard error."""
    interval = rl.scored_auc_interval(y, s)
    return interval.value, interval.standard_error


def _rho(definition: str) -> Costly:
    return Costly(
        name=f"rho AUC, {definition}, {GRID} intervals",
        call=lambda y, s: rl.rho_auc(y, s, grid=GRID, definition=definition),
        wanted=100,
        workloads=[
            Workload(n=10**5),
            Workload(n=10**5, positives=0.5),
            Workload(n=10**5, positives=0.95),
            Workload(n=10**5, kind="float64 tied"),
            Workload(n=10**5, kind="lognormal, sigma 4"),
            Workload(n=10**5, kind="lognormal, sigma 4", positives=0.95),
        ],
    )


MEASURES = (
    Costly(
        name="scored AUC with its variance",
        call=scored_with_variance,
        wanted=2.5,
        workloads=[
            Workload(n=10**6),
            Workload(n=10**6, positives=0.5),
            Workload(n=10**6, kind="float64 tied"),
            Workload(n=10**6, kind="float32"),
        ],
    ),
    _rho("clean"),
    _rho("published"),
    Costly(
        name="repair of the largest concavity",
        call=lambda y, s: rl.repair_section(y, s).apply(s),
        wanted=8,
        workloads=[
            Workload(n=10**6),
            Workload(n=10**6, positives=0.5),
            Workload(n=10**6, kind="float64 tied"),
            Workload(n=10**6, kind="float32"),
        ],
    ),
)


def tables(largest: int) -> list[Table]:
    return [_table(measure, at_most(largest, measure.workloads)) for measure in MEASURES]


def _table(measure: Costly, loads: Sequence[Workload]) -> Table:
    title = f"{measure.name[0].upper()}{measure.name[1:]}, in units of the AUC"
    return cost_table(title, _cases(measure, loads), {f"roclab {measure.name}": measure.wanted})


def _cases(measure: Costly, loads: Sequence[Workload]) -> Iterator[Case]:
    for load in loads:
        y, s = load.draw()
        for threads in (1, 2):
            yield Case(
                name=load.name,
                contenders=[
                    _contender("roclab auc", rl.auc, y, s, threads),
                    _contender(f"roclab {measure.name}", measure.call, y, s, threads),
                ],
            )


def _contender(
    name: str, call: Callable[[Labels, Scores], Any], y: Labels, s: Scores, threads: int
) -> Contender:
    # Different measures have different values; both must have one.
    return Contender(name=name, call=lambda: call(y, s), threads=threads, result=is_finite)
