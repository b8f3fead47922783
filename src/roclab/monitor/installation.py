"""An installation: its models and streams on a store, and what time and labels do to them.

Everything that is said about a cohort is said at a boundary of the calendar, from what was known
before it. So it does not matter when the service gets to it: after a day of standstill it says what
it would have said, at the same times.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from roclab.errors import InputError
from roclab.monitor.alerts import Alerts
from roclab.monitor.changes import Changes
from roclab.monitor.cohorts import FEWEST, Reading, is_mature, label_delay
from roclab.monitor.comparisons import Comparisons
from roclab.monitor.conditions import Conditions
from roclab.monitor.readings import (
    Readings,
    as_text,
    changed_cohorts,
    read_streams,
    streams_of,
)
from roclab.monitor.rules import CHANGE, RuleState
from roclab.monitor.schema import Identifier, Label, Labels, Prediction, Predictions, Rejected
from roclab.monitor.settings import ModelSettings, Settings, settings_of
from roclab.monitor.state import RECENT, ModelState, StreamState
from roclab.monitor.store.events import Outcome
from roclab.monitor.store.records import Act, Alert, CohortCount, LabelChanges, Model
from roclab.monitor.store.sqlite import SQLiteStore
from roclab.streaming.calendar import Calendar, iso

_DELAYS = 5_000
_DELAY_COHORTS = 400
_FORGOTTEN = "forgotten"  # when something was, whose traces are not removed yet


class Installation:
    """Models, streams, readings and alerts on a store; called by one thread.

    Parameters
    ----------
    settings : Settings
        All settings.
    store : SQLiteStore
        The store, open.
    clock : callable
        The time in microseconds since 1970.
    """

    def __init__(
        self,
        settings: Settings,
        store: SQLiteStore,
        clock: Callable[[], int] = lambda: time.time_ns() // 1000,
    ) -> None:
        self.settings, self.store = settings, store
        self._clock = clock
        self._last = store.state("time") or 0
        self.models: dict[str, ModelState] = {}
        self.alerts = Alerts(settings.alerts, store, self.now)
        self.changes = Changes(settings.alerts, store, self.alerts, self.models)
        self.conditions = Conditions(settings.rule, store, self.alerts)
        self._comparisons = Comparisons(store, self.models)
        self._staged: list[tuple[ModelState, LabelChanges]] = []
        self._touched: set[str] = set()  # models that the transaction may have changed in memory
        self.load()

    # Time

    def now(self) -> int:
        """The time, which never goes back: a clock that was set back is waited for."""
        self._last = max(self._last, self._clock())
        return self._last

    # What comes in

    def predictions(
        self, model: str, rows: Predictions | Sequence[Prediction], now: int | None
    ) -> list[Outcome]:
        """Add predictions of a model, inside a transaction; times of their own if `now` is None."""
        state = self._model(model, now)
        if isinstance(state, Rejected):
            return [state] * len(rows)
        if not len(rows):
            return []
        rows = Predictions.of(rows)
        cohorts = _cohorts(state.calendar, rows.time)
        if not state.summarised.isdisjoint(cohorts):
            return self._without_summarised(state, rows, cohorts, now)
        outcomes, changes = self.store.append(state.record, rows, cohorts, now)
        self._know_segments(state, rows)
        labelled = [one for one in rows.label_time if one is not None]
        self._touch(
            state,
            prediction=max(rows.time),
            label=None if not labelled else max(labelled) if now is None else now,
        )
        self._stage(state, changes)
        return outcomes

    def _without_summarised(
        self, state: ModelState, rows: Predictions, cohorts: Sequence[int], now: int | None
    ) -> list[Outcome]:
        """Refuse predictions of cohorts that were computed elsewhere, and add the others."""
        refused: Outcome = Rejected(
            "a summary of this cohort was received; a cohort has rows or a summary"
        )
        good = [
            row for row, cohort in zip(rows, cohorts, strict=True) if cohort not in state.summarised
        ]
        rest = iter(self.predictions(state.record.name, good, now))
        return [refused if cohort in state.summarised else next(rest) for cohort in cohorts]

    def labels(self, model: str, rows: Labels | Sequence[Label], now: int | None) -> list[Outcome]:
        """Add labels of a model, inside a transaction; times of their own if `now` is None.

        They are also labels of the challengers of the model.
        """
        state = self._model(model, now)
        if isinstance(state, Rejected):
            return [state] * len(rows)
        if not len(rows):
            return []
        rows = Labels.of(rows)
        challengers = [one for one in self.models.values() if one.settings.challenger_of == model]
        outcomes: list[Outcome] = []
        for one in (*challengers, state):
            self._touched.add(one.record.name)
            outcomes, changes = self.store.add_labels(one.record, rows, now)
            self._touch(one, label=max(rows.time) if now is None else now)
            self._stage(one, changes)
        return outcomes

    def _touch(
        self, state: ModelState, *, prediction: int | None = None, label: int | None = None
    ) -> None:
        """Keep the latest times."""
        record = state.record
        times = [
            one if new is None else max(one or new, new)
            for one, new in ((record.last_prediction, prediction), (record.last_label, label))
        ]
        if times != [record.last_prediction, record.last_label]:
            state.record = record._replace(last_prediction=times[0], last_label=times[1])
            self.store.touch(state.record)

    def committed(self) -> None:
        """Apply what was staged to the windows: it is durable now."""
        self._touched.clear()
        staged, self._staged = self._staged, []
        for state, changes in staged:
            self._apply(state, changes)

    def _apply(self, state: ModelState, changes: LabelChanges) -> None:
        state.whole.window.update(changes)
        for number, some in changes.by_segments():
            for stream in streams_of(self.store, state, number):
                stream.window.update(some)

    def rolled_back(self) -> None:
        """Undo in memory what the transaction changed: it failed. Windows are not changed yet."""
        self._staged.clear()
        self.alerts.load()
        self._load_models(before=dict(self.models), touched=self._touched)

    def take_news(self) -> list[dict[str, Any]]:
        """What pages that are open should know, once."""
        news, self.alerts.news = self.alerts.news, []
        return news

    def _stage(self, state: ModelState, changes: LabelChanges) -> None:
        if len(changes):
            self._staged.append((state, changes))

    def _model(self, name: str, now: int | None) -> ModelState | Rejected:
        self._touched.add(name)
        state = self.models.get(name)
        if state is not None:
            return state
        most = self.settings.limits.models
        if len(self.models) >= most:
            return Rejected(f"there are {most} models already; raise models in [limits] for more")
        chosen = settings_of(self.settings, name)
        record = self.store.add_model(
            name, chosen.cohort, chosen.time_zone, self.now() if now is None else now
        )
        state = self._new_model(record, chosen)
        if now is not None:
            # Nothing was known at earlier boundaries; of old rows there would be many.
            boundary = state.calendar.cohort(now)
            self.store.close_until(record.number, boundary)
            state.record = record._replace(closed=boundary)
        state.add_stream(self.store.add_stream(record.number))
        self.models[name] = state
        return state

    def _calendar(self, model: str) -> Calendar:
        """The calendar of a model, which need not be there yet."""
        state = self.models.get(model)
        if state is not None:
            return state.calendar
        chosen = settings_of(self.settings, model)
        return Calendar(chosen.cohort, chosen.time_zone)

    def _know_segments(self, state: ModelState, rows: Predictions) -> None:
        """Add streams of segments and values that were not seen before."""
        watched = state.settings.segments
        for place in sorted({*rows.segments}):
            for key in rows.combinations[place]:
                if key in state.streams or (watched is not None and key[0] not in watched):
                    continue
                if self._no_room(state, key) is None:
                    state.add_stream(self.store.add_stream(state.record.number, *key))

    def _no_room(self, state: ModelState, key: tuple[str, str]) -> Rejected | None:
        """Why a stream of a segment cannot be added, if it cannot."""
        limits = self.settings.limits
        values = sum(segment == key[0] for segment, _ in state.streams)
        if values >= limits.segment_values:
            return Rejected(
                f"{key[0]} has {values} values already; raise segment_values in [limits] for more"
            )
        names = {segment for segment, _ in state.streams if segment}
        if key[0] and key[0] not in names and len(names) >= limits.segments:
            return Rejected(
                f"there are {len(names)} segments already; raise segments in [limits] for more"
            )
        return None

    def model_of(self, name: str) -> ModelState:
        """A model, added inside a transaction if it is new."""
        state = self._model(name, None)
        if isinstance(state, Rejected):
            raise InputError(
                found="The model {name} is refused: {why}", name=name, why=state.reason
            )
        return state

    # What time does

    def silently(self) -> AbstractContextManager[None]:
        """Alerts are recorded and not delivered: they are history."""
        return self.alerts.silently()

    def replay_until(self, state: ModelState, until: int) -> None:
        """Judge what had become due for a model by a time of the past, inside a transaction."""
        self._pass(state, until)

    def tick(self, now: int | None = None, *, only: str | None = None) -> bool:
        """Judge what has become due, of all models or one, inside a transaction; whether it was."""
        now = self.now() if now is None else now
        self.store.set_state("time", now)
        models = list(self.models.values()) if only is None else [self.models[only]]
        due = [self._pass(state, now) for state in models]
        self.alerts.notify_after_mutes(self.models, now)
        return any(due)

    def next_boundary(self) -> int:
        """When the next cohort of a model ends."""
        now = self.now()
        calendars = {state.record[2:4]: state.calendar for state in self.models.values()}
        return min((one.after(one.cohort(now)) for one in calendars.values()), default=2**62)

    def _pass(self, state: ModelState, now: int) -> bool:
        """Judge a model at the boundaries that have passed, and now; whether there was one."""
        due = False
        for boundary in self._boundaries(state, now):
            due = True
            self._touched.add(state.record.name)
            self._close(state, boundary)
        for stream in list(state.streams.values()):
            stream.window.advance(now)
        self.conditions.judge_now(state, now)
        return due

    def _boundaries(self, state: ModelState, now: int) -> Iterable[int]:
        """Ends of cohorts that have passed and were not looked at."""
        calendar, model = state.calendar, state.record
        latest = calendar.cohort(now)
        boundary = model.closed
        # Without them, nothing is to be said at the end of a cohort without rows.
        at_each = self.conditions.look_at_cohorts(state)
        while boundary < latest:
            opened = self.store.open_cohorts(model.number, latest)
            if boundary >= 0 and (at_each or (opened and opened[0].cohort < boundary)):
                boundary = calendar.after(boundary)
            else:
                boundary = calendar.after(opened[0].cohort) if opened else latest
            yield boundary
            self.store.close_until(model.number, boundary)
            model = state.record = model._replace(closed=boundary)

    def _close(self, state: ModelState, boundary: int) -> None:
        """Judge the complete cohorts of a model at a boundary, from what was known before it."""
        calendar, number = state.calendar, state.record.number
        candidates = [
            one
            for one in self.store.open_cohorts(number, boundary)
            if calendar.after(one.cohort) <= boundary
        ]
        known = [
            (one, *self.store.known_counts(number, one.cohort, boundary)) for one in candidates
        ]
        known = [one for one in known if one[1]]
        estimated = False
        for one, n, labelled in known:
            age = (boundary - calendar.after(one.cohort)) / 1e6
            mature = is_mature(state.settings, n=n, n_labelled=labelled, age=age, delay=None)
            if not mature:
                if not estimated:  # which takes a while, so only if labels are missing
                    state.delay, estimated = self._delay(state, boundary), True
                    self.store.set_delay(number, state.delay)
                mature = is_mature(
                    state.settings, n=n, n_labelled=labelled, age=age, delay=state.delay
                )
            if mature:
                unchanged = (n, labelled) == (one.n, one.labelled)
                self._freeze(state, one, boundary, unchanged=unchanged)
        self.conditions.judge_cohorts(state, boundary)

    def _delay(self, state: ModelState, boundary: int) -> float | None:
        """Time within which 95 % of labels come, in seconds."""
        made, labels, came = self.label_times(state, boundary)
        return label_delay((boundary - made) / 1e6, (came - made) / 1e6, labels == 1)

    def label_times(
        self, state: ModelState, boundary: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Prediction time, label and arrival of a sample of the labels known before a time."""
        length = round(state.calendar.length.total_seconds() * 1e6)
        since = boundary - _DELAY_COHORTS * length
        counts = self.store.cohorts(state.record.number, since=since)
        every = 1 + sum(one.labelled for one in counts) // _DELAYS
        return self.store.delays(state.record.number, since, boundary, every)

    def _freeze(
        self, state: ModelState, count: CohortCount, boundary: int, *, unchanged: bool
    ) -> None:
        number, cohort = state.record.number, count.cohort
        if state.settings.missing_label == "negative":
            self._stage(state, self.store.fill_missing(number, cohort, boundary))
            unchanged = False
        rows = self.store.rows(number, [cohort], as_of=boundary)
        readings = read_streams(self.store, state, rows)
        contents = _contents(readings, cohort)
        self.store.freeze(contents, number, cohort, boundary)
        if unchanged and not self.store.corrected_since(boundary):
            self.store.set_readings(contents, number, cohort, count.changes)
            for stream, reading in readings:
                stream.remember(cohort, reading)
        for stream, reading in readings:
            stream.latest, stream.latest_cohort = reading, cohort
            stream.mature.add(cohort)
            self.changes.add_cohort(state, stream, cohort, reading, boundary)
        self._tell_reading(state, cohort)
        self._comparisons.add_cohort(state, cohort, boundary)

    def add_summary(
        self, model: str, cohort: int, key: tuple[str, str], reading: Reading
    ) -> Outcome:
        """Add a cohort that was computed elsewhere, inside a transaction."""
        now, calendar = self.now(), self._calendar(model)
        if calendar.cohort(cohort) != cohort:
            return Rejected(
                f"{iso(cohort)} is not the beginning of a {calendar.period} in {calendar.time_zone}"
            )
        if calendar.after(cohort) > now:
            return Rejected("the cohort has not ended")
        state = self._model(model, None)
        if isinstance(state, Rejected):
            return state
        number = state.record.number
        if self.store.has_rows(number, cohort):
            return Rejected("rows of this cohort were received; a cohort has rows or a summary")
        stream = state.streams.get(key)
        if stream is None:
            refusal = self._no_room(state, key)
            if refusal is not None:
                return refusal
            stream = state.add_stream(self.store.add_stream(number, *key))
        before = self.store.readings(
            stream.record.number, frozen=True, since=cohort, until=cohort + 1
        )
        if before:
            same = before[0][1] == json.loads(as_text(reading))
            return "duplicate" if same else Rejected("the reading of this cohort is frozen")
        state.summarised.add(cohort)
        content = [(stream.record.number, cohort, as_text(reading))]
        self.store.freeze(content, number, cohort, now)
        self.store.set_readings(content, number, cohort, 0)
        stream.latest, stream.latest_cohort = reading, cohort
        stream.mature.add(cohort)
        stream.remember(cohort, reading)
        if min(reading.n_pos, reading.n_neg) >= FEWEST and reading.auc is not None:
            self.changes.add_block(
                state, stream, (cohort,), reading.auc, reading.n_pos, reading.n_neg, now
            )
        self._touch(state, prediction=state.calendar.after(cohort) - 1)
        self._tell_reading(state, cohort)
        return "accepted"

    # Readings of cohorts as known now

    def refresh(self, seconds: float) -> bool:
        """Read cohorts that have changed, inside a transaction, for some seconds; whether done."""
        end = time.monotonic() + seconds
        for state, count in changed_cohorts(self.store, self.models):
            self.keep(state, count, self.read(state, count))
            if time.monotonic() > end:
                return False
        return True

    def changed(self) -> Iterable[tuple[ModelState, CohortCount]]:
        """Cohorts that have changed since they were read; by any thread."""
        return changed_cohorts(self.store, self.models)

    def read(self, state: ModelState, count: CohortCount) -> Readings:
        """Read a cohort as known now; by any thread, since it changes nothing."""
        rows = self.store.rows(state.record.number, [count.cohort])
        if len(rows) < count.n:
            return []  # some are gone by their age: the reading that was made of all of them stays
        return read_streams(self.store, state, rows)

    def keep(self, state: ModelState, count: CohortCount, readings: Readings) -> None:
        """Keep readings, inside a transaction. What came since they were read is read again."""
        if self.models.get(state.record.name) is not state:
            return  # forgotten, or loaded again
        self._touched.add(state.record.name)
        number, cohort = state.record.number, count.cohort
        self.store.set_readings(_contents(readings, cohort), number, cohort, count.changes)
        for stream, reading in readings:
            stream.remember(cohort, reading)
        self._tell_reading(state, cohort)

    def _tell_reading(self, state: ModelState, cohort: int) -> None:
        self.alerts.news.append(
            {"kind": "reading", "model": state.record.name, "cohort": iso(cohort)}
        )

    # Acts of people

    def act(
        self,
        kind: str,
        *,
        model: str,
        author: str,
        reason: str,
        stream: int | None = None,
        alert: int | None = None,
        until: int | None = None,
    ) -> Act:
        """Record an act, inside a transaction, and do what it says."""
        now = self.now()
        state = self.models[model]
        self._touched.add(model)
        act = self.alerts.record(
            Act(
                number=0,
                at=now,
                author=author,
                kind=kind,
                model=model,
                stream=stream,
                alert=alert,
                until=until,
                reason=reason,
            )
        )
        for one in list(state.streams.values()):
            for rule, fired in list(one.alerts.items()):
                if kind == "close" and fired.number == alert:
                    if rule == CHANGE:
                        self.changes.end(state, one, now, "closed")
                    else:
                        self.alerts.end(state, one, rule, now, "closed")
            if kind == "rebase" and stream in (None, one.record.number):
                self.changes.rebase(state, one, now)
        return act

    def forget_model(self, name: str) -> None:
        """Remove everything about a model, inside a transaction."""
        self._touched.add(name)
        state = self.models.pop(name)
        self.store.forget_model(state.record.number)
        self._forgets()
        self.alerts.acts = self.store.acts()
        self.alerts.news.append({"kind": "forgotten", "model": name})

    def forget_id(self, name: str, identifier: Identifier) -> bool:
        """Remove one id of a model, inside a transaction; readings that were frozen stay."""
        state = self.models[name]
        found = self.store.forget_id(state.record.number, identifier)
        if found is None:
            return False
        self._forgets()
        if found.before is not None:
            self._stage(state, LabelChanges.of([found]))
        return True

    def _forgets(self) -> None:
        self.store.set_state(_FORGOTTEN, self.now())
        for state in self.models.values():
            state.of_segments.clear()  # their numbers may be used again

    @property
    def has_traces(self) -> bool:
        """Whether the file may still have traces of what was forgotten."""
        return self.store.state(_FORGOTTEN) is not None

    def remove_traces(self) -> bool:
        """Write the file again without what was forgotten; False if readers need the log of it."""
        self.store.rewrite()
        if not self.store.empty_log():
            return False
        with self.store.transaction():
            self.store.remove_state(_FORGOTTEN)
        return True

    def remove_old(self, now: int, limit: int) -> int:
        """Remove rows that are older than the retention, inside a transaction; how many."""
        retention = self.settings.store.retention
        if retention is None:
            return 0
        removed = 0
        for state in list(self.models.values()):
            before = now - round(retention.total_seconds() * 1e6)
            removed += self.store.remove_rows(
                state.record.number, state.calendar.cohort(before), limit - removed
            )
            if removed >= limit:
                break
        return removed

    # Loading

    def load(self) -> None:
        """Build everything in memory from the store."""
        self._staged.clear()
        self.alerts.load()
        self._load_models(before={}, touched=())

    def _load_models(self, *, before: Mapping[str, ModelState], touched: Collection[str]) -> None:
        """Build models in memory, but those before that were not touched.

        Those that were touched keep their windows, which a transaction changes when it is over.
        """
        found: dict[str, ModelState] = {}
        for record in self.store.models():
            if record.name in before and record.name not in touched:
                found[record.name] = before[record.name]
                continue
            chosen = settings_of(self.settings, record.name)
            if (chosen.cohort, chosen.time_zone) != (record.period, record.time_zone):
                raise InputError(
                    found="The settings say that cohorts of {model} are {new} in {new_zone}, and "
                    "the store has {old} in {old_zone}",
                    fix="Restore these settings, or remove the model by roclab monitor forget.",
                    model=record.name,
                    new=f"{chosen.cohort}s",
                    new_zone=chosen.time_zone,
                    old=f"{record.period}s",
                    old_zone=record.time_zone,
                )
            found[record.name] = self._new_model(record, chosen)
            found[record.name].delay = self.store.delay(record.number)
        self._load_streams(found, before)
        for name in self.models.keys() - found.keys():
            del self.models[name]
        self.models.update(found)  # whoever reads meanwhile finds every model, old or new
        self._touched.clear()

    def _load_streams(
        self, found: Mapping[str, ModelState], before: Mapping[str, ModelState]
    ) -> None:
        of_number = {state.record.number: state for state in found.values()}
        conditions: dict[int, dict[str, RuleState]] = defaultdict(dict)
        for (number, rule), content in self.store.rule_states().items():
            conditions[number][rule] = RuleState(**content)
        alerts: dict[int, dict[str, Alert]] = defaultdict(dict)
        for alert in self.store.alerts(firing=True, limit=100_000):
            alerts[alert.stream][alert.rule] = alert
        for record in self.store.streams():
            state, key = of_number[record.model], (record.segment, record.value)
            old = before.get(state.record.name)
            stream = state.streams[key] if old is state else state.add_stream(record)
            stream.conditions, stream.alerts = conditions[record.number], alerts[record.number]
            if old is not state:
                self._load_stream(state, stream)
            if _same(old, state):
                stream.window = old.streams[key].window
        for name, state in found.items():
            if not _same(before.get(name), state):
                self._load_windows(state, self._last)

    def _load_stream(self, state: ModelState, stream: StreamState) -> None:
        stream.rule = self.changes.rebuilt(state, stream)
        stream.mature = {*self.store.frozen_at(stream.record.number)}
        latest = self.store.latest_frozen(stream.record.number)
        if latest is not None:
            stream.latest_cohort, content = latest
            stream.latest = Reading.of(content)
        stream.recent = [
            (cohort, Reading.of(content))
            for cohort, content in self.store.readings(stream.record.number, last=RECENT)
        ]

    def _load_windows(self, state: ModelState, now: int) -> None:
        length = round(state.settings.window.total_seconds() * 1e6)
        since = state.calendar.cohort(now - length)
        for stream in state.streams.values():
            stream.window.advance(now)
        for part in self.store.labelled_since(state.record.number, since):
            self._apply(state, part)

    def _new_model(self, record: Model, chosen: ModelSettings) -> ModelState:
        state = ModelState(
            record=record,
            settings=chosen,
            calendar=Calendar(record.period, record.time_zone),
            summarised=self.store.summarised(record.number),
        )
        return state


def _same(old: ModelState | None, new: ModelState) -> TypeGuard[ModelState]:
    """Whether a model is the same, and not another that has its name and number since."""
    return old is not None and old.record[:5] == new.record[:5]


def _contents(readings: Readings, cohort: int) -> list[tuple[int, int, str]]:
    return [(stream.record.number, cohort, as_text(reading)) for stream, reading in readings]


def _cohorts(calendar: Calendar, times: Sequence[int]) -> Sequence[int]:
    """The cohort of each time."""
    first = calendar.cohort(min(times))
    if max(times) < calendar.after(first):  # most batches are of one cohort
        return [first] * len(times)
    return [calendar.cohort(one) for one in times]
