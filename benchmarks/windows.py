"""Windows over a stream, one event at a time from Python: roclab, river and what came before.

All windows of a case are full before anything is timed, with the same events, and then see the same
stream of further ones. A call lets some thousands in, a slow contender fewer; times are for one.

river's `update` only puts an event in a queue, and `get` takes all of the queue in at once. So its
window is filled by one `update` for each event and a single `get`: seconds, not hours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import cycle, islice
from math import nan
from typing import Any

import numpy as np

import roclab as rl
from benchmarks.harness import Case, Contender, cost_table, is_finite, timing_table
from benchmarks.stream_baselines import BinnedWindowAUC, ScanWindowAUC
from benchmarks.tables import Table
from benchmarks.workloads import Labels, Scores
from roclab.inference import Interval

SIZES = (10**3, 10**4, 10**5, 10**6)
POSITIVES = 0.5
EVENTS = 20_000  # of a call
FEW = 10**6  # a scan does as many events in a call as make this many steps, but at least five
FEWER = 10**5  # one in Python, at least one
LARGEST_SCAN = 10**5  # in Python
EPS = (0.1, 0.01)
LOW, HIGH = -4.0, 5.0  # of the bins
COARSE = 0.01  # a hundred bins know the AUC about so well; nothing bounds their error
OVER_A_SCAN = "AUC after every event of a window, over a scan of it"
OTHER_READINGS = "Other readings of a window after every event, in units of the AUC"
ON_READ = "Hull and H-measure of a window, in units of an event with its AUC"
RIVER = "river RollingROCAUC"
SCAN = "scan in Python"
EXACT = "roclab WindowAUC, auc"
INTERVAL = "roclab WindowAUC, interval"
SCORED = "roclab WindowAUC, scored_auc"
MANY = "roclab WindowAUC, update_many"
HULL = "roclab WindowAUC, hull"
H_MEASURE = "roclab WindowAUC, h_measure"
TREE = "a balanced binary tree, no list"
# How many times faster than river, and how many times as long as the AUC alone.
WANTED_COST = {INTERVAL: 2.5, MANY: 1 / 1.5}

Event = tuple[bool, float]


class Stream:
    """Labels and scores: as many as fill a window, and those that follow.

    Two windows follow, and then they come again; no score is twice in a window, since not all
    contenders know what to do with ties, and what enters is not what has just left.
    """

    def __init__(self, size: int) -> None:
        rng = np.random.default_rng(0)
        self.size = size
        self.labels: Labels = rng.random(3 * size) < POSITIVES
        self.scores: Scores = rng.normal(size=3 * size) + self.labels
        rest = slice(size, None)
        self._events = list(
            zip(self.labels[rest].tolist(), self.scores[rest].tolist(), strict=True)
        )

    def events(self) -> Iterator[Event]:
        """Those that follow, one by one."""
        return cycle(self._events)

    def batches(self) -> Iterator[tuple[Labels, Scores]]:
        """Those that follow, many at once."""
        many = self.batch
        for first in cycle(range(self.size, 3 * self.size - many + 1, many)):
            yield self.labels[first : first + many], self.scores[first : first + many]

    @property
    def batch(self) -> int:
        """How many at once: those of a call, if there are as many."""
        return min(EVENTS, 2 * self.size)

    def fill(self, window: Any) -> Any:
        """The window, with what comes first in it."""
        labels, scores = self.labels[: self.size], self.scores[: self.size]
        if hasattr(window, "update_many"):
            window.update_many(labels, scores)
        else:
            for label, score in zip(labels.tolist(), scores.tolist(), strict=True):
                window.update(label, score)
        return window


def tables(largest: int) -> list[Table]:
    sizes = list(dict.fromkeys(min(size, largest) for size in SIZES))
    return [
        timing_table(OVER_A_SCAN, map(_over_a_scan, sizes)),
        cost_table(OTHER_READINGS, map(_other_readings, sizes), WANTED_COST),
        cost_table(ON_READ, map(_on_read, sizes), {}),
    ]


def case_name(size: int) -> str:
    """As the tables print it."""
    return f"window of {size:.0e}".replace("e+0", "e")


def _over_a_scan(size: int) -> Case:
    stream = Stream(size)
    fewer = min(max(1, FEWER // size), EVENTS)
    few = min(max(5, FEW // size), EVENTS)
    contender = partial(_contender, stream, compared=fewer)
    contenders, skipped = [], []
    if find_spec("river"):
        # Here, because the package is installed for benchmarks only.
        from river.metrics import RollingROCAUC

        contenders.append(contender(RIVER, RollingROCAUC(size), river_values, events=few))
        skipped.append(f"river did {few:,} events in a call, where roclab did {EVENTS:,}")
    else:
        skipped.append("river left out: it is not installed (`make bench` does that)")
    if size <= LARGEST_SCAN:
        contenders.append(contender(SCAN, ScanWindowAUC(size), aucs, events=fewer))
        skipped.append(f"the scan in Python did {fewer:,} events in a call")
    else:
        skipped.append("the scan in Python left out: it takes a second for an event")
    contenders += [
        contender(
            "100 bins", BinnedWindowAUC(size, low=LOW, high=HIGH, bins=100), aucs, tolerance=COARSE
        ),
        *(
            contender(
                f"roclab ApproximateWindowAUC, eps {eps:g}, {lists}",
                rl.ApproximateWindowAUC(size, eps, flipped=lists == "both lists"),
                aucs,
                tolerance=eps / 2,
            )
            for eps in EPS
            for lists in ("one list", "both lists")
        ),
        contender(EXACT, rl.WindowAUC(size), aucs),
    ]
    return Case(name=case_name(size), contenders=contenders, skipped=skipped)


def _other_readings(size: int) -> Case:
    stream = Stream(size)
    contender = partial(_contender, stream)
    many, batches = stream.fill(rl.WindowAUC(size)), stream.batches()
    return Case(
        name=case_name(size),
        contenders=[
            contender(EXACT, rl.WindowAUC(size), aucs, result=is_finite),
            contender(
                INTERVAL,
                rl.WindowAUC(size),
                intervals,
                result=lambda interval: is_finite([interval.low, interval.high]),
            ),
            contender(SCORED, rl.WindowAUC(size), scored_aucs, result=is_finite),
            Contender(
                name=MANY,
                # As many events in a call as the others have, so that none begins colder.
                call=lambda: [
                    many.update_many(*next(batches), return_auc=True)
                    for _ in range(EVENTS // stream.batch)
                ][-1],
                result=is_finite,
                units=EVENTS // stream.batch * stream.batch,
            ),
        ],
    )


def _on_read(size: int) -> Case:
    stream = Stream(size)
    window = stream.fill(rl.WindowAUC(size))
    # One score in the list, so that little but the tree is left, which has a node for each score.
    tree = stream.fill(rl.ApproximateWindowAUC(size, 1e9, flipped=False))
    batches = stream.batches()
    return Case(
        name=case_name(size),
        contenders=[
            _contender(stream, EXACT, rl.WindowAUC(size), aucs, result=is_finite),
            Contender(name=HULL, call=lambda: window.hull().auc, result=is_finite),
            Contender(name=H_MEASURE, call=window.h_measure, result=is_finite),
            Contender(
                name=TREE,
                call=lambda: tree.update_many(*next(batches)),
                result=lambda _: is_finite(tree.auc),
                units=stream.batch,
            ),
        ],
    )


def _contender(
    stream: Stream,
    name: str,
    window: Any,
    read: Callable[[Any, Iterable[Event]], Any],
    *,
    events: int = EVENTS,
    compared: int = 1,
    **options: Any,
) -> Contender:
    """So many events in a call, each followed by a reading; that after the first few is returned.

    These are as many as the slowest contender does, so that all can be compared.
    """
    stream.fill(window)
    coming = stream.events()

    def call() -> Any:
        value = read(window, islice(coming, compared))
        read(window, islice(coming, events - compared))
        return value

    return Contender(name=name, call=call, units=events, **options)


def aucs(window: Any, events: Iterable[Event]) -> float:
    """Let events in and read the AUC after each."""
    value = nan
    for label, score in events:
        window.update(label, score)
        value = window.auc
    return value


def river_values(metric: Any, events: Iterable[Event]) -> float:
    """The same in river's words."""
    value = nan
    for label, score in events:
        metric.update(label, score)
        value = metric.get()
    return value


def intervals(window: rl.WindowAUC, events: Iterable[Event]) -> Interval | None:
    """The interval after each."""
    value = None
    for label, score in events:
        window.update(label, score)
        value = window.interval()
    return value


def scored_aucs(window: rl.WindowAUC, events: Iterable[Event]) -> float:
    """The scored AUC after each."""
    value = nan
    for label, score in events:
        window.update(label, score)
        value = window.scored_auc
    return value
