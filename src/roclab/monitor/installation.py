"""An installation: its models and streams on a store, and what time and labels do to them.

Everything that is said about a cohort is said at a boundary of the calendar, from what was known
before it. So it does not matter when the service gets to it: after a day of standstill it says what
it would have said, at the same times.
"""

from __future__ import annotations

import json
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roclab.errors import InputError
from roclab.monitor.calendar import Calendar, iso
from roclab.monitor.cohorts import FEWEST, Reading, is_mature, label_delay, read_cohort
from roclab.monitor.explanation import explain_change
from roclab.monitor.rules import RuleState, as_json, next_state
from roclab.monitor.schema import Identifier, Label, Prediction, Rejected
from roclab.monitor.settings import ModelSettings, RuleSettings, Settings, settings_of
from roclab.monitor.store.events import Outcome
from roclab.monitor.store.records import Act, Alert, Block, Change, CohortCount, Model, Rows, Stream
from roclab.monitor.store.sqlite import SQLiteStore
from roclab.monitor.streams import ChangeRule, OpenAlarm, Window
from roclab.streaming.drift.alarm import Alarm

CHANGE = "change"  # name of the change rule
SPARK = 60  # cohorts of the small picture in the overview
_REFERENCE_SCORES = 5_000
_DELAYS = 5_000
_DELAY_COHORTS = 400
_MOST_RUN_LENGTH = 1e12

log = logging.getLogger("roclab.monitor")


@dataclass
class StreamState:
    """A stream in memory."""

    record: Stream
    name: str
    window: Window
    rule: ChangeRule
    latest: Reading | None = None
    latest_cohort: int | None = None
    recent: list[tuple[int, Reading]] = field(default_factory=list)
    alerts: dict[str, Alert] = field(default_factory=dict)
    conditions: dict[str, RuleState] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether it is the whole model."""
        return not self.record.segment


@dataclass
class ModelState:
    """A model in memory."""

    record: Model
    settings: ModelSettings
    calendar: Calendar
    streams: dict[tuple[str, str], StreamState] = field(default_factory=dict)
    of_segments: dict[int, list[StreamState]] = field(default_factory=dict)
    last_prediction: int | None = None
    last_label: int | None = None
    delay: float | None = None

    @property
    def whole(self) -> StreamState:
        """The stream of the whole model."""
        return self.streams["", ""]


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
        self._staged: list[tuple[ModelState, list[Change]]] = []
        self._silent = False
        self.news: list[dict[str, Any]] = []
        self.acts: list[Act] = store.acts()
        self._load()

    # Time

    def now(self) -> int:
        """The time, which never goes back: a clock that was set back is waited for."""
        self._last = max(self._last, self._clock())
        return self._last

    # What comes in

    def predictions(
        self, model: str, rows: Sequence[Prediction | Rejected], now: int | None
    ) -> list[Outcome]:
        """Add predictions of a model, inside a transaction; times of their own if `now` is None."""
        state = self._model(model, now)
        if isinstance(state, Rejected):
            return [state] * len(rows)
        good = [row for row in rows if isinstance(row, Prediction)]
        cohort = state.calendar.cohort
        outcomes, changes = self.store.append(
            state.record, good, [cohort(r.time) for r in good], now
        )
        if good:
            self._know_segments(state, good)
            latest = max(row.time for row in good)
            state.last_prediction = max(state.last_prediction or latest, latest)
        self._stage(state, changes)
        return _merged(rows, outcomes)

    def labels(
        self, model: str, rows: Sequence[Label | Rejected], now: int | None
    ) -> list[Outcome]:
        """Add labels of a model, inside a transaction; times of their own if `now` is None."""
        state = self._model(model, now)
        if isinstance(state, Rejected):
            return [state] * len(rows)
        good = [row for row in rows if isinstance(row, Label)]
        outcomes, changes = self.store.add_labels(state.record, good, now)
        self._stage(state, changes)
        return _merged(rows, outcomes)

    def committed(self) -> None:
        """Apply what was staged to the windows: it is durable now."""
        staged, self._staged = self._staged, []
        for state, changes in staged:
            of_segments: dict[int, list[Change]] = defaultdict(list)
            for change in changes:
                of_segments[change.segments].append(change)
            state.whole.window.update(changes)
            for number, some in of_segments.items():
                for stream in self._streams_of(state, number):
                    stream.window.update(some)

    def rolled_back(self) -> None:
        """Forget what was staged: the transaction failed."""
        self._staged.clear()
        self._load()

    def _stage(self, state: ModelState, changes: list[Change]) -> None:
        if changes:
            self._staged.append((state, changes))
            state.last_label = self.now()

    def _model(self, name: str, now: int | None) -> ModelState | Rejected:
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
        self._add_stream(state, self.store.add_stream(record.number))
        return state

    def _know_segments(self, state: ModelState, rows: Iterable[Prediction]) -> None:
        """Add streams of segments and values that were not seen before."""
        watched = state.settings.segments
        for segments in {row.segments for row in rows if row.segments}:
            for key in segments:
                if key in state.streams or (watched is not None and key[0] not in watched):
                    continue
                names = {segment for segment, _ in state.streams if segment}
                values = sum(segment == key[0] for segment, _ in state.streams)
                limits = self.settings.limits
                if values >= limits.segment_values or (
                    key[0] not in names and len(names) >= limits.segments
                ):
                    continue
                self._add_stream(state, self.store.add_stream(state.record.number, *key))
                state.of_segments.clear()

    def _streams_of(self, state: ModelState, segments: int) -> list[StreamState]:
        """Streams of a combination of segments, besides the whole model."""
        found = state.of_segments.get(segments)
        if found is None:
            keys = self.store.segments.get(segments, ())
            found = [state.streams[key] for key in keys if key in state.streams]
            state.of_segments[segments] = found
        return found

    def model_of(self, name: str) -> ModelState:
        """A model, added inside a transaction if it is new."""
        state = self._model(name, None)
        if isinstance(state, Rejected):
            raise InputError(
                found="The model {name} is refused: {why}", name=name, why=state.reason
            )
        return state

    # What time does

    @contextmanager
    def silently(self) -> Iterator[None]:
        """Alerts are recorded and not delivered: they are history."""
        self._silent = True
        try:
            yield
        finally:
            self._silent = False

    def replay_until(self, state: ModelState, until: int) -> None:
        """Judge what had become due for a model by a time of the past, inside a transaction."""
        for boundary in self._boundaries(state, until):
            self._close(state, boundary)
        for stream in state.streams.values():
            stream.window.advance(until)
        self._judge_now(state, until)

    def tick(self, now: int | None = None) -> bool:
        """Judge what has become due, inside a transaction; whether something was."""
        now = self.now() if now is None else now
        self.store.set_state("time", now)
        due = False
        for state in list(self.models.values()):
            for boundary in self._boundaries(state, now):
                due = True
                self._close(state, boundary)
            for stream in list(state.streams.values()):
                stream.window.advance(now)
            self._judge_now(state, now)
        self._notify_after_mutes(now)
        return due

    def _boundaries(self, state: ModelState, now: int) -> Iterable[int]:
        """Ends of cohorts that have passed and were not looked at."""
        calendar, model = state.calendar, state.record
        latest = calendar.cohort(now)
        boundary = model.closed
        while boundary < latest:
            opened = self.store.open_cohorts(model.number, latest)
            if not opened:
                boundary = latest
                # Nothing waits; rules look at silence by themselves.
            elif boundary < 0 or opened[0].cohort >= boundary:
                boundary = calendar.after(opened[0].cohort)
            else:
                boundary = calendar.after(boundary)
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
            if not mature and state.settings.horizon is None:
                if not estimated:  # which takes a while, so only if it is needed
                    state.delay, estimated = self._delay(state, boundary), True
                mature = is_mature(
                    state.settings, n=n, n_labelled=labelled, age=age, delay=state.delay
                )
            if mature:
                unchanged = (n, labelled) == (one.n, one.labelled)
                self._freeze(state, one, boundary, unchanged=unchanged)
        self._judge_cohorts(state, boundary)

    def _delay(self, state: ModelState, boundary: int) -> float | None:
        """Time within which 95 % of labels come, in seconds."""
        length = round(state.calendar.length.total_seconds() * 1e6)
        since = boundary - _DELAY_COHORTS * length
        counts = self.store.cohorts(state.record.number, since=since)
        every = 1 + sum(one.labelled for one in counts) // _DELAYS
        made, labels, came = self.store.delays(state.record.number, since, boundary, every)
        return label_delay((boundary - made) / 1e6, (came - made) / 1e6, labels == 1)

    def _freeze(
        self, state: ModelState, count: CohortCount, boundary: int, *, unchanged: bool
    ) -> None:
        number, cohort = state.record.number, count.cohort
        if state.settings.missing_label == "negative":
            self._stage(state, self.store.fill_missing(number, cohort, boundary))
            unchanged = False
        rows = self.store.rows(number, [cohort], as_of=boundary)
        readings = self._read(state, rows)
        contents = [(one.record.number, cohort, _text(reading)) for one, reading in readings]
        self.store.freeze(contents, number, cohort, boundary)
        if unchanged and not self.store.corrected_since(boundary):
            self.store.set_readings(contents, number, cohort, count.changes)
            for stream, reading in readings:
                self._remember(stream, cohort, reading)
        for stream, reading in readings:
            stream.latest, stream.latest_cohort = reading, cohort
            self._make_block(state, stream, cohort, reading, boundary)

    def add_summary(
        self, model: str, cohort: int, key: tuple[str, str], reading: Reading
    ) -> Outcome:
        """Add a cohort that was computed elsewhere, inside a transaction."""
        state = self._model(model, None)
        if isinstance(state, Rejected):
            return state
        number, now = state.record.number, self.now()
        if state.calendar.cohort(cohort) != cohort:
            return Rejected(
                f"{iso(cohort)} is not the beginning of a {state.record.period} in "
                f"{state.record.time_zone}"
            )
        if state.calendar.after(cohort) > now:
            return Rejected("the cohort has not ended")
        stream = state.streams.get(key)
        if stream is None:
            stream = self._add_stream(state, self.store.add_stream(number, *key))
            state.of_segments.clear()
        before = dict(self.store.readings(stream.record.number, frozen=True, since=cohort)).get(
            cohort
        )
        if before is not None:
            same = before == json.loads(_text(reading))
            return "duplicate" if same else Rejected("the reading of this cohort is frozen")
        if any(one.cohort == cohort and one.n for one in self.store.cohorts(number, since=cohort)):
            return Rejected("rows of this cohort were received; a cohort has rows or a summary")
        content = [(stream.record.number, cohort, _text(reading))]
        self.store.freeze(content, number, cohort, now)
        self.store.set_readings(content, number, cohort, 0)
        stream.latest, stream.latest_cohort = reading, cohort
        self._remember(stream, cohort, reading)
        if min(reading.n_pos, reading.n_neg) >= FEWEST and reading.auc is not None:
            self._add_block(
                state, stream, (cohort,), reading.auc, reading.n_pos, reading.n_neg, now
            )
        return "accepted"

    def _make_block(
        self,
        state: ModelState,
        stream: StreamState,
        cohort: int,
        reading: Reading,
        boundary: int,
    ) -> None:
        """The cohort is a block, or is joined with small ones before it, or waits for the next."""
        number = stream.record.number
        small = self.store.small_cohorts(number)
        n_pos, n_neg, auc = reading.n_pos, reading.n_neg, reading.auc
        if small:
            kept = dict(self.store.readings(number, frozen=True, since=small[0]))
            n_pos += sum(kept[one]["n_pos"] for one in small)
            n_neg += sum(kept[one]["n_neg"] for one in small)
        if min(n_pos, n_neg) < FEWEST:
            self.store.add_small(number, cohort)
            return
        if small:
            both = self.store.rows(state.record.number, [*small, cohort], as_of=boundary)
            joined = read_cohort(self._rows_of(stream, both))
            n_pos, n_neg, auc = joined.n_pos, joined.n_neg, joined.auc
        if auc is None:  # rows of a small cohort are gone
            self.store.add_small(number, cohort)
            return
        cohorts = (*small, cohort)
        self._add_block(state, stream, cohorts, auc, n_pos, n_neg, boundary)

    def _add_block(
        self,
        state: ModelState,
        stream: StreamState,
        cohorts: tuple[int, ...],
        auc: float,
        n_pos: int,
        n_neg: int,
        boundary: int,
    ) -> None:
        rule = stream.rule
        block = Block(
            number=len(rule.reference) + len(rule.blocks) + rule.ignored,
            since=min(cohorts),
            until=max(state.calendar.after(one) for one in cohorts),
            cohorts=cohorts,
            auc=auc,
            n_pos=n_pos,
            n_neg=n_neg,
            judged=boundary,
            run_length=self.run_length(state),
        )
        self.store.add_block(stream.record.number, block)
        learning = rule.learning
        alarm = rule.add(block)
        if learning and not rule.learning:
            self._keep_reference(state, stream)
        if alarm is not None:
            self._change_fires(state, stream, alarm, boundary)
        elif rule.recovered():
            self._end(state, stream, CHANGE, boundary, "recovered")

    def run_length(self, state: ModelState) -> float:
        """Average number of blocks to a false alarm of one stream, by the budget of all."""
        streams = sum(len(one.streams) for one in self.models.values())
        budget = self.settings.alerts.false_alarms_per_month
        return min(_MOST_RUN_LENGTH, max(2.0, state.calendar.per_month * streams / budget))

    def _keep_reference(self, state: ModelState, stream: StreamState) -> None:
        cohorts = [cohort for block in stream.rule.reference for cohort in block.cohorts]
        rows = self._rows_of(stream, self.store.rows(state.record.number, cohorts))
        if len(rows):
            step = max(1, len(rows) // _REFERENCE_SCORES)
            self.store.set_reference(stream.record.number, rows.score[::step])

    def _read(self, state: ModelState, rows: Rows) -> list[tuple[StreamState, Reading]]:
        """Readings of a cohort, of the whole model and of the segments that occur in it."""
        streams = {state.whole.record.number: state.whole}
        for segments in np.unique(rows.segments).tolist():
            streams |= {one.record.number: one for one in self._streams_of(state, segments)}
        return [
            (one, read_cohort(self._rows_of(one, rows), self.store.reference(number)))
            for number, one in streams.items()
        ]

    def _rows_of(self, stream: StreamState, rows: Rows) -> Rows:
        if stream.whole:
            return rows
        key = (stream.record.segment, stream.record.value)
        numbers = [one for one, keys in self.store.segments.items() if key in keys]
        return rows.where(np.isin(rows.segments, numbers))

    def refresh(self, seconds: float) -> bool:
        """Read cohorts that have changed, inside a transaction, for some seconds; whether done."""
        end = time.monotonic() + seconds
        for state in list(self.models.values()):
            for count in self.store.cohorts(state.record.number, unread=True):
                self._refresh(state, count)
                if time.monotonic() > end:
                    return False
        return True

    def _refresh(self, state: ModelState, count: CohortCount) -> None:
        number, cohort = state.record.number, count.cohort
        rows = self.store.rows(number, [cohort])
        readings = self._read(state, rows)
        self.store.set_readings(
            [(one.record.number, cohort, _text(reading)) for one, reading in readings],
            number,
            cohort,
            count.changes,
        )
        for stream, reading in readings:
            self._remember(stream, cohort, reading)
        self.news.append({"kind": "reading", "model": state.record.name, "cohort": iso(cohort)})

    def _remember(self, stream: StreamState, cohort: int, reading: Reading) -> None:
        known = dict(stream.recent)
        known[cohort] = reading
        stream.recent = sorted(known.items())[-SPARK:]

    # Rules and alerts

    def _rules_of(self, state: ModelState, stream: StreamState) -> list[RuleSettings]:
        return [
            rule
            for rule in self.settings.rule
            if rule.model in (None, state.record.name)
            and (rule.segment or "") == stream.record.segment
        ]

    def _judge_cohorts(self, state: ModelState, boundary: int) -> None:
        """Judge condition rules on cohorts."""
        for stream in list(state.streams.values()):
            for rule in self._rules_of(state, stream):
                if not rule.condition.at_any_time:
                    value = self._cohort_value(state, stream, rule.condition.quantity, boundary)
                    self._judge(state, stream, rule, value, boundary, cohort=True)

    def _judge_now(self, state: ModelState, now: int) -> None:
        """Judge condition rules on the present."""
        for stream in list(state.streams.values()):
            for rule in self._rules_of(state, stream):
                if rule.condition.at_any_time:
                    value = self._now_value(state, stream, rule.condition.quantity, now)
                    self._judge(state, stream, rule, value, now, cohort=False)

    def _cohort_value(
        self, state: ModelState, stream: StreamState, quantity: str, boundary: int
    ) -> float | None:
        name = {"auc.low": "low", "auc.high": "high", "psi.pvalue": "psi_pvalue", "volume": "n"}
        if quantity in ("volume", "psi", "psi.pvalue", "mean_score"):
            complete = state.calendar.cohort(boundary - 1)
            rows = self.store.rows(state.record.number, [complete], as_of=boundary)
            mine = self._rows_of(stream, rows)
            reading = read_cohort(mine, self.store.reference(stream.record.number))
        elif stream.latest is None:
            return None
        else:
            reading = stream.latest
        value = getattr(reading, name.get(quantity, quantity))
        return None if value is None else float(value)

    def _now_value(
        self, state: ModelState, stream: StreamState, quantity: str, now: int
    ) -> float | None:
        if quantity.startswith("now."):
            found = stream.window.read()
            value = found["low" if quantity == "now.auc.low" else "auc"]
            return value if min(found["n_pos"], found["n_neg"]) >= FEWEST else None
        if quantity == "label_delay":
            return state.delay
        last = state.last_prediction if quantity == "silence" else state.last_label
        return None if last is None else max(0.0, (now - last) / 1e6)

    def _judge(
        self,
        state: ModelState,
        stream: StreamState,
        rule: RuleSettings,
        value: float | None,
        now: int,
        *,
        cohort: bool,
    ) -> None:
        before = stream.conditions.get(rule.name, RuleState())
        after = next_state(
            before,
            rule.condition,
            value,
            now=now,
            cohort=cohort,
            lasting=rule.lasting,
            keep_firing_for=rule.keep_firing_for,
        )
        if (after.state, after.since, after.cohorts) != (
            before.state,
            before.since,
            before.cohorts,
        ):
            self.store.set_rule_state(stream.record.number, rule.name, as_json(after))
        stream.conditions[rule.name] = after
        if after.state == "firing" and rule.name not in stream.alerts:
            shown = rule.condition.shown(after.value or 0.0)
            self._fire(
                state,
                stream,
                rule.name,
                after.since or now,
                now,
                {
                    "kind": "condition",
                    "severity": "warning",
                    "sentence": f"{stream.name}: {rule.condition.quantity} is {shown}, and the "
                    f"rule says {rule.condition}.",
                    "value": after.value,
                },
            )
        elif after.state != "firing" and rule.name in stream.alerts:
            self._end(state, stream, rule.name, now, "recovered")

    def _change_fires(
        self, state: ModelState, stream: StreamState, alarm: Alarm, boundary: int
    ) -> None:
        opened = stream.rule.alarm
        if opened is None:
            return
        number = state.record.number
        before = [cohort for block in stream.rule.reference for cohort in block.cohorts]
        after = [cohort for block in opened.blocks for cohort in block.cohorts]
        why = explain_change(
            self._rows_of(stream, self.store.rows(number, before, as_of=boundary)),
            self._rows_of(stream, self.store.rows(number, after, as_of=boundary)),
            self.store.segments,
            leave_out=stream.record.segment,
        )
        since = opened.blocks[0].since
        self._fire(
            state,
            stream,
            CHANGE,
            since,
            boundary,
            {
                "kind": "change",
                "severity": "alarm",
                "sentence": _change_sentence(state, stream, opened, why),
                "alarm": {
                    "mean": opened.mean,
                    "reference_mean": alarm.reference_block_mean,
                    "difference": opened.mean - alarm.reference_block_mean,
                    "bound": alarm.bound,
                    "n_blocks": len(opened.blocks),
                    "statistic": alarm.statistic,
                    "threshold": alarm.threshold,
                    "average_run_length": alarm.average_run_length,
                    "condition": alarm.condition,
                    "n_pos": sum(block.n_pos for block in opened.blocks),
                    "n_neg": sum(block.n_neg for block in opened.blocks),
                },
                "why": why,
            },
        )

    def _fire(
        self,
        state: ModelState,
        stream: StreamState,
        rule: str,
        since: int,
        now: int,
        content: dict[str, Any],
    ) -> None:
        key = f"{state.record.name}/{stream.record.segment}/{stream.record.value}/{rule}/{now}"
        full = {"model": state.record.name, "stream": stream.name, **content}
        alert = self.store.add_alert(stream.record.number, rule, key, since, now, full)
        stream.alerts[rule] = alert
        if not self.muted(state.record.name, stream.record.number, now):
            self._deliver(alert, "firing", now)
        self.news.append({"kind": "alert", "model": state.record.name, "alert": alert.number})
        log.warning("alert fires", extra={"alert": alert.number, "sentence": full["sentence"]})

    def _end(self, state: ModelState, stream: StreamState, rule: str, now: int, how: str) -> None:
        alert = stream.alerts.pop(rule, None)
        if rule == CHANGE:
            stream.rule.close()
        if alert is None:
            return
        content = {**alert.content, "ended": how}
        self.store.end_alert(alert.number, now, content)
        if alert.number in self._notified():
            self._deliver(alert, "resolved", now, how)
        self.news.append({"kind": "alert", "model": state.record.name, "alert": alert.number})
        log.info("alert ended", extra={"alert": alert.number, "how": how})

    def _notified(self) -> set[int]:
        return {one.alert for one in self.store.deliveries(limit=10_000) if one.alert is not None}

    def _deliver(self, alert: Alert, kind: str, now: int, how: str = "") -> None:
        if self._silent:
            return
        content = notification_content(alert, kind, now, self.settings.alerts.page, how)
        for channel in self.settings.alerts.channel:
            self.store.add_delivery(alert.number, channel.name, kind, content, now)

    def _notify_after_mutes(self, now: int) -> None:
        """Deliver alerts that fired while muted, and still do."""
        ended = [act for act in self.acts if act.kind == "mute" and _ended(act, now)]
        if not ended or not self.settings.alerts.channel:
            return
        notified = self._notified()
        for state in self.models.values():
            for stream in state.streams.values():
                for alert in stream.alerts.values():
                    if alert.number not in notified and not self.muted(
                        state.record.name, stream.record.number, now
                    ):
                        self._deliver(alert, "firing", now)

    # Acts of people

    def muted(self, model: str, stream: int, now: int) -> bool:
        """Whether alerts of a stream are not delivered now."""
        muted = False
        for act in self.acts:
            if (
                act.kind in ("mute", "unmute")
                and act.model == model
                and act.stream in (None, stream)
            ):
                muted = act.kind == "mute" and not _ended(act, now)
        return muted

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
        act = self.store.add_act(
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
        self.acts.append(act)
        for one in list(state.streams.values()):
            for rule, fired in list(one.alerts.items()):
                if kind == "close" and fired.number == alert:
                    self._end(state, one, rule, now, "closed")
            if kind == "rebase" and stream in (None, one.record.number):
                self._end(state, one, CHANGE, now, "re-based")
                one.rule = self._rebuilt_rule(state, one)
                if not one.rule.learning:
                    self._keep_reference(state, one)
        self.news.append({"kind": "act", "model": model})
        return act

    def forget_model(self, name: str) -> None:
        """Remove everything about a model, inside a transaction."""
        state = self.models.pop(name)
        self.store.forget_model(state.record.number)
        self.acts = self.store.acts()
        self.news.append({"kind": "forgotten", "model": name})

    def forget_id(self, name: str, identifier: Identifier) -> bool:
        """Remove one id of a model, inside a transaction; readings that were frozen stay."""
        state = self.models[name]
        found = self.store.forget_id(state.record.number, identifier)
        if found is None:
            return False
        if found.before is not None:
            self._stage(state, [found])
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

    def _load(self) -> None:
        """Build everything in memory from the store."""
        self.models = {}
        for record in self.store.models():
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
            state = self._new_model(record, chosen)
            state.last_prediction, state.last_label = self.store.last_times(record.number)
        of_number = {state.record.number: state for state in self.models.values()}
        of_stream = {}
        for stream in self.store.streams():
            state = of_number[stream.model]
            of_stream[stream.number] = self._add_stream(state, stream)
        conditions = self.store.rule_states()
        for (stream_number, rule), content in conditions.items():
            of_stream[stream_number].conditions[rule] = RuleState(**content)
        for alert in self.store.alerts(firing=True, limit=100_000):
            of_stream[alert.stream].alerts[alert.rule] = alert
        for state in self.models.values():
            for one in state.streams.values():
                self._load_stream(state, one)
        for state in self.models.values():
            self._load_windows(state, self._last)

    def _load_stream(self, state: ModelState, stream: StreamState) -> None:
        stream.rule = self._rebuilt_rule(state, stream)
        if CHANGE not in stream.alerts:
            stream.rule.close()
        frozen = self.store.readings(stream.record.number, frozen=True)
        if frozen:
            at = self.store.frozen_at(stream.record.number)
            cohort, content = max(frozen, key=lambda one: (at[one[0]], one[0]))
            stream.latest, stream.latest_cohort = Reading.of(content), cohort
        stream.recent = [
            (cohort, Reading.of(content))
            for cohort, content in self.store.readings(stream.record.number)[-SPARK:]
        ]

    def _rebuilt_rule(self, state: ModelState, stream: StreamState) -> ChangeRule:
        """The change rule from its blocks, with the alarms that were closed since."""
        since = None
        for act in self.acts:
            if (
                act.kind == "rebase"
                and act.model == state.record.name
                and act.stream in (None, stream.record.number)
            ):
                since = act.at if act.until is None else act.until
        rule = ChangeRule(state.settings.reference, since)
        ends = sorted(
            alert.ended
            for alert in self.store.alerts(model=state.record.number, limit=100_000)
            if alert.stream == stream.record.number
            and alert.rule == CHANGE
            and alert.ended is not None
        )
        for _, block in self.store.blocks(stream.record.number):
            while ends and ends[0] < block.judged:
                rule.close()
                ends.pop(0)
            rule.add(block)
            if rule.recovered():
                rule.close()
        if ends:
            rule.close()
        return rule

    def _load_windows(self, state: ModelState, now: int) -> None:
        length = round(state.settings.window.total_seconds() * 1e6)
        since = state.calendar.cohort(now - length)
        changes = [
            Change(time, score, segments, None, bool(label))
            for time, score, segments, label in self.store.labelled_since(
                state.record.number, since
            )
        ]
        for stream in state.streams.values():
            stream.window.advance(now)
        if changes:
            self._staged.append((state, changes))
            self.committed()

    def _new_model(self, record: Model, chosen: ModelSettings) -> ModelState:
        state = ModelState(
            record=record,
            settings=chosen,
            calendar=Calendar(record.period, record.time_zone),
        )
        self.models[record.name] = state
        return state

    def _add_stream(self, state: ModelState, record: Stream) -> StreamState:
        name = state.record.name
        if record.segment:
            name += f", {record.segment} {record.value}"
        stream = StreamState(
            record=record,
            name=name,
            window=Window(state.settings.window),
            rule=ChangeRule(state.settings.reference),
        )
        state.streams[record.segment, record.value] = stream
        return stream


def notification_content(
    alert: Alert, kind: str, now: int, page: str | None, how: str = ""
) -> dict[str, Any]:
    """What a channel is told of an alert."""
    content = alert.content
    facts = [("since", iso(alert.since)), ("rule", alert.rule)]
    found = content.get("alarm")
    if found:
        facts += [
            ("AUC", f"{found['reference_mean']:.3f} to {found['mean']:.3f}"),
            ("evidence", f"{found['statistic']:,.0f} of {found['threshold']:,.0f}"),
        ]
    title = f"{content['stream']}: " + (
        f"{alert.rule} {how or 'ended'}" if kind == "resolved" else f"{alert.rule} fires"
    )
    return {
        "key": alert.key,
        "kind": kind,
        "severity": content["severity"],
        "model": content["model"],
        "stream": content["stream"],
        "title": title,
        "text": content["sentence"],
        "facts": facts,
        "since": iso(alert.since),
        "at": iso(now),
        "link": None if page is None else f"{page}/alerts/{alert.number}",
        "details": content,
    }


def _change_sentence(
    state: ModelState, stream: StreamState, opened: OpenAlarm, why: dict[str, Any]
) -> str:
    period, count = state.record.period, len(opened.blocks)
    since = state.calendar.name(opened.blocks[0].since)
    return (
        f"{stream.name} ranks worse since {since}: its AUC fell from "
        f"{opened.alarm.reference_block_mean:.3f} to {opened.mean:.3f}, the mean of {count} "
        f"{period}{'s' * (count != 1)}. {why['sentence']}"
    ).strip()


def _ended(act: Act, now: int) -> bool:
    return act.until is not None and act.until <= now


def _text(reading: Reading) -> str:
    return json.dumps(reading.to_dict())


def _merged(rows: Sequence[Any], outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes of all rows: of those that were refused before, and of the others in their order."""
    rest = iter(outcomes)
    return [row if isinstance(row, Rejected) else next(rest) for row in rows]
