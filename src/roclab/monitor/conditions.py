"""Condition rules on streams: what they look at now and in cohorts, and their alerts."""

from __future__ import annotations

from roclab.monitor.alerts import Alerts
from roclab.monitor.cohorts import FEWEST, read_cohort
from roclab.monitor.readings import rows_of
from roclab.monitor.rules import RuleState, as_json, next_state
from roclab.monitor.settings import RuleSettings
from roclab.monitor.state import ModelState, StreamState
from roclab.monitor.store.sqlite import SQLiteStore

_FIELDS = {"auc.low": "low", "auc.high": "high", "psi.pvalue": "psi_pvalue", "volume": "n"}
_COMPLETE = ("volume", "psi", "psi.pvalue", "mean_score")  # need no labels, so no maturity


class Conditions:
    """The condition rules of an installation; written inside transactions.

    Parameters
    ----------
    rules : tuple of RuleSettings
        The rules.
    store : SQLiteStore
        The store.
    alerts : Alerts
        Where alerts begin and end.
    """

    def __init__(self, rules: tuple[RuleSettings, ...], store: SQLiteStore, alerts: Alerts) -> None:
        self._rules, self._store, self._alerts = rules, store, alerts

    def look_at_cohorts(self, state: ModelState) -> bool:
        """Whether a rule looks at cohorts of a model, also at those without rows."""
        return any(not rule.condition.at_any_time for _, rule in self.of(state))

    def judge_cohorts(self, state: ModelState, boundary: int) -> None:
        """Judge the rules that look at cohorts, at the end of one."""
        for stream, rule in self.of(state):
            if rule.condition.at_any_time:
                continue
            value = self._cohort_value(state, stream, rule.condition.quantity, boundary)
            self._judge(state, stream, rule, value, boundary, cohort=True)

    def judge_now(self, state: ModelState, now: int) -> None:
        """Judge the rules that look at the present."""
        for stream, rule in self.of(state):
            if not rule.condition.at_any_time:
                continue
            value = _now_value(state, stream, rule.condition.quantity, now)
            self._judge(state, stream, rule, value, now, cohort=False)

    def of(self, state: ModelState) -> list[tuple[StreamState, RuleSettings]]:
        """The rules of a model, each with a stream that it looks at."""
        return [
            (stream, rule)
            for rule in self._rules
            if rule.model in (None, state.record.name)
            for stream in list(state.streams.values())
            if (rule.segment or "") == stream.record.segment
        ]

    def _cohort_value(
        self, state: ModelState, stream: StreamState, quantity: str, boundary: int
    ) -> float | None:
        complete = state.calendar.cohort(boundary - 1)
        # A model that gets summaries has no rows to look at.
        summarised = stream.latest is not None and stream.latest.source == "summary"
        without_rows = summarised and not self._store.has_rows(state.record.number, complete)
        if quantity in _COMPLETE and not without_rows:
            first = self._store.first_cohort(state.record.number)
            if first is None or complete <= first:
                return None  # the model began then or later, so that the cohort has a part of it
            rows = self._store.rows(state.record.number, [complete], as_of=boundary)
            mine = rows_of(self._store, stream, rows)
            reading = read_cohort(mine, self._store.reference_scores(stream.record.number))
        elif stream.latest is None:
            return None
        else:
            reading = stream.latest
        value = getattr(reading, _FIELDS.get(quantity, quantity))
        return None if value is None else float(value)

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
        # The value alone is no reason to write: it changes all the time.
        if after.without_value() != before.without_value():
            self._store.set_rule_state(stream.record.number, rule.name, as_json(after))
        stream.conditions[rule.name] = after
        if after.state == "firing" and rule.name not in stream.alerts:
            shown = rule.condition.shown(after.value or 0.0)
            self._alerts.fire(
                state,
                stream,
                rule.name,
                since=after.since or now,
                now=now,
                content={
                    "kind": "condition",
                    "severity": "warning",
                    "sentence": f"{stream.name}: {rule.condition.quantity} is {shown}, and the "
                    f"rule says {rule.condition}.",
                    "value": after.value,
                },
            )
        elif after.state != "firing" and rule.name in stream.alerts:
            self._alerts.end(state, stream, rule.name, now, "recovered")


def _now_value(state: ModelState, stream: StreamState, quantity: str, now: int) -> float | None:
    if quantity.startswith("now."):
        found = stream.window.read()
        value: float | None = found["low" if quantity == "now.auc.low" else "auc"]
        return value if min(found["n_pos"], found["n_neg"]) >= FEWEST else None
    if quantity == "label_delay":
        return state.delay
    record = state.record
    last = record.last_prediction if quantity == "silence" else record.last_label
    return None if last is None else max(0.0, (now - last) / 1e6)
