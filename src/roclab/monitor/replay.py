"""Replay: history is added in the order of time, and judged as if it had come live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from roclab.monitor.history import History, Integers
from roclab.monitor.installation import Installation
from roclab.monitor.schema import Rejected
from roclab.monitor.store.records import Alert
from roclab.streaming.calendar import Calendar

_AT_ONCE = 50_000  # rows of a transaction
_STEPS_AT_ONCE = 20  # of a transaction, since each waits for the disk


@dataclass(frozen=True, kw_only=True)
class Imported:
    """What an import did.

    Attributes
    ----------
    rows, labels : int
        Number of predictions and labels that are new.
    duplicates : int
        Number of predictions that were known already.
    rejected : int
        Number of rows that were refused.
    reason : str or None
        Why the first of them was.
    behind : int
        Number of new predictions of cohorts that had been judged before.
    alerts : tuple of Alert
        What the monitor would have said since the first of the rows, in the order of time.
    """

    rows: int
    labels: int
    duplicates: int
    rejected: int
    reason: str | None
    behind: int
    alerts: tuple[Alert, ...]


@dataclass(frozen=True)
class _Step:
    """Rows that are added together; `until` is when they are judged, None before the last part."""

    start: int
    stop: int
    known_before: int
    late: Integers
    until: int | None

    @property
    def size(self) -> int:
        return self.stop - self.start + len(self.late)


def replay(
    installation: Installation,
    model: str,
    history: History,
    *,
    progress: Callable[[int, int | None], object] | None = None,
) -> Imported:
    """Add history in the order of time, and judge it as time goes by.

    Parameters
    ----------
    installation : Installation
        Where it is added.
    model : str
        Name of the model.
    history : History
        What is added.
    progress : callable, optional
        Called as ``progress(done, total)``, in rows.
    """
    store = installation.store
    with store.transaction():
        state = installation.model_of(model)
    number, closed = state.record.number, state.record.closed
    before = {one.cohort: one.n for one in store.cohorts(number)}
    reason = history.reason
    labels = refused = done = 0
    steps = _steps(state.calendar, history, installation.now())
    with installation.silently():
        for group in _transactions(steps):
            with store.transaction():
                for step in group:
                    rows = history.predictions(step.start, step.stop, step.known_before)
                    for row, outcome in zip(
                        rows, installation.predictions(model, rows, None), strict=True
                    ):
                        if isinstance(outcome, Rejected):
                            refused += 1
                            reason = reason or f"the first since {outcome.reason}"
                        else:
                            labels += row.label is not None and outcome != "duplicate"
                    for outcome in installation.labels(model, history.labels(step.late), None):
                        labels += outcome in ("accepted", "corrected")
                    installation.committed()
                    if step.until is not None:
                        installation.replay_until(state, step.until)
                    done += step.stop - step.start
            installation.committed()
            if progress is not None:
                progress(done, len(history))
        while not _refreshed(installation):
            pass
    with store.transaction():
        # So that windows are those of the present when the store is opened again.
        store.set_state("time", installation.now())
    store.checkpoint()
    added = {one.cohort: one.n - before.get(one.cohort, 0) for one in store.cohorts(number)}
    new = sum(added.values())
    return Imported(
        rows=new,
        labels=labels,
        duplicates=len(history) - new - refused,
        rejected=history.rejected + refused,
        reason=reason,
        behind=sum(count for cohort, count in added.items() if cohort < closed),
        alerts=tuple(
            one
            for one in reversed(store.alerts(model=number, limit=100_000))
            if len(history) and one.fired >= history.time[0]
        ),
    )


def _refreshed(installation: Installation) -> bool:
    with installation.store.transaction():
        done = installation.refresh(5.0)
    installation.committed()
    return done


def _transactions(steps: Iterator[_Step]) -> Iterator[list[_Step]]:
    group: list[_Step] = []
    for step in steps:
        group.append(step)
        if len(group) == _STEPS_AT_ONCE or sum(one.size for one in group) >= _AT_ONCE:
            yield group
            group = []
    if group:
        yield group


def _steps(calendar: Calendar, history: History, now: int) -> Iterator[_Step]:
    """Rows of each cohort period by their arrival; periods without rows are left out.

    Labels that become known in the period of their prediction come with it, since nothing is judged
    before the period has ended.
    """
    if not len(history):
        return
    labelled = np.flatnonzero(history.label >= 0)
    last = max(history.time[-1], history.label_time[labelled].max(initial=0))
    ends = [calendar.after(calendar.cohort(int(history.time[0])))]
    while ends[-1] <= last:
        ends.append(calendar.after(ends[-1]))
    period = np.searchsorted(ends, history.time, side="right")
    came = np.searchsorted(ends, history.label_time, side="right")
    late = labelled[came[labelled] > period[labelled]]
    late = late[np.argsort(history.label_time[late], kind="stable")]
    for one in np.union1d(period, came[late]).tolist():
        start, stop = np.searchsorted(period, [one, one + 1]).tolist()
        first, behind = np.searchsorted(came[late], [one, one + 1]).tolist()
        end = ends[one]
        while stop - start > _AT_ONCE:
            yield _Step(start, start + _AT_ONCE, end, late[:0], None)
            start += _AT_ONCE
        yield _Step(start, stop, end, late[first:behind], min(end, now))
