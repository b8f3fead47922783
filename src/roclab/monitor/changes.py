"""Change rules of all streams: blocks of mature cohorts, and the alarms that they raise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from roclab.monitor.alerts import Alerts
from roclab.monitor.cohorts import FEWEST, Reading, read_cohort
from roclab.monitor.explanation import explain_change
from roclab.monitor.readings import rows_of
from roclab.monitor.rules import CHANGE
from roclab.monitor.settings import AlertSettings
from roclab.monitor.state import ModelState, StreamState
from roclab.monitor.store.records import Block, Rows
from roclab.monitor.store.sqlite import SQLiteStore
from roclab.monitor.streams import ChangeRule, OpenAlarm
from roclab.streaming.drift.alarm import Alarm

WORSE = "replaced by a worse one"
_REFERENCE_SCORES = 5_000
_MOST_RUN_LENGTH = 1e12


class Changes:
    """The change rules of an installation; written inside transactions.

    Parameters
    ----------
    settings : AlertSettings
        Budget of false alarms.
    store : SQLiteStore
        The store.
    alerts : Alerts
        Where alerts begin and end.
    models : mapping of str to ModelState
        The models, whose streams share the budget.
    """

    def __init__(
        self,
        settings: AlertSettings,
        store: SQLiteStore,
        alerts: Alerts,
        models: Mapping[str, ModelState],
    ) -> None:
        self._settings, self._store, self._alerts, self._models = settings, store, alerts, models

    def run_length(self, state: ModelState) -> float:
        """Average number of blocks to a false alarm of one stream, by the budget of all."""
        streams = sum(len(one.streams) for one in self._models.values())
        budget = self._settings.false_alarms_per_month
        return min(_MOST_RUN_LENGTH, max(2.0, state.calendar.per_month * streams / budget))

    def add_cohort(
        self,
        state: ModelState,
        stream: StreamState,
        cohort: int,
        reading: Reading,
        boundary: int,
    ) -> None:
        """A mature cohort is a block, or is joined with small ones before, or waits."""
        number = stream.record.number
        small = self._store.small_cohorts(number)
        n_pos, n_neg, auc = reading.n_pos, reading.n_neg, reading.auc
        if small:
            kept = dict(self._store.readings(number, frozen=True, since=small[0]))
            n_pos += sum(kept[one]["n_pos"] for one in small)
            n_neg += sum(kept[one]["n_neg"] for one in small)
        if min(n_pos, n_neg) < FEWEST:
            self._store.add_small(number, cohort)
            return
        if small:
            both = self._store.rows(state.record.number, [*small, cohort], as_of=boundary)
            joined = read_cohort(rows_of(self._store, stream, both))
            n_pos, n_neg, auc = joined.n_pos, joined.n_neg, joined.auc
        if auc is None:  # rows of a small cohort are gone
            self._store.add_small(number, cohort)
            return
        self.add_block(state, stream, (*small, cohort), auc, n_pos, n_neg, boundary)

    def add_block(
        self,
        state: ModelState,
        stream: StreamState,
        cohorts: tuple[int, ...],
        auc: float,
        n_pos: int,
        n_neg: int,
        boundary: int,
    ) -> None:
        """Add a block to the rule of a stream; an alarm begins, gets worse or ends."""
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
        self._store.add_block(stream.record.number, block)
        learning = rule.learning
        alarm = rule.add(block)
        if learning and not rule.learning:
            self._keep_reference(state, stream, boundary)
        if alarm is not None:
            self._alerts.end(state, stream, CHANGE, boundary, WORSE)
            self._fires(state, stream, alarm, boundary)
        elif rule.recovered():
            self.end(state, stream, boundary, "recovered")

    def end(self, state: ModelState, stream: StreamState, now: int, how: str) -> None:
        """End the alarm of a stream."""
        stream.rule.close()
        self._alerts.end(state, stream, CHANGE, now, how)

    def rebase(self, state: ModelState, stream: StreamState, now: int) -> None:
        """Begin to learn from the blocks that the latest act names."""
        self.end(state, stream, now, "re-based")
        stream.rule = self.rebuilt(state, stream)
        if not stream.rule.learning:
            self._keep_reference(state, stream, now)

    def rebuilt(self, state: ModelState, stream: StreamState) -> ChangeRule:
        """The rule of a stream from its blocks, with the alarms that were closed since."""
        number = stream.record.number
        rebased = self._alerts.rebased(state.record.name, number)
        rule = ChangeRule(state.settings.reference_period, rebased)
        ends = self._store.ends_of_alerts(number, CHANGE)
        for _, block in self._store.blocks(number):
            while ends and ends[0] < block.judged:
                rule.close()
                ends.pop(0)
            was_open = rule.alarm is not None
            raised = rule.add(block) is not None
            if not raised and rule.recovered():
                rule.close()
            ended = was_open and (raised or rule.alarm is None)
            if ended and ends and ends[0] == block.judged:  # another may begin at the same time
                ends.pop(0)
        if CHANGE not in stream.alerts:
            rule.close()
        return rule

    def _keep_reference(self, state: ModelState, stream: StreamState, as_of: int) -> None:
        rows = self._rows(state, stream, stream.rule.reference, as_of)
        if len(rows):
            step = max(1, len(rows) // _REFERENCE_SCORES)
            self._store.set_reference(stream.record.number, rows.score[::step], rows.label[::step])

    def _fires(self, state: ModelState, stream: StreamState, alarm: Alarm, boundary: int) -> None:
        opened = stream.rule.alarm
        if opened is None:
            return
        why = explain_change(
            self._rows(state, stream, stream.rule.reference, boundary),
            self._rows(state, stream, opened.blocks, boundary),
            self._store.segments,
            leave_out=stream.record.segment,
        )
        self._alerts.fire(
            state,
            stream,
            CHANGE,
            since=opened.blocks[0].since,
            now=boundary,
            content={
                "kind": "change",
                "severity": "alarm",
                "sentence": _sentence(state, stream, opened, why),
                "alarm": {
                    "mean": opened.mean,
                    "reference_mean": opened.reference_mean,
                    "difference": opened.mean - opened.reference_mean,
                    "before": opened.before,
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

    def _rows(
        self, state: ModelState, stream: StreamState, blocks: Iterable[Block], as_of: int
    ) -> Rows:
        cohorts = [cohort for block in blocks for cohort in block.cohorts]
        rows = self._store.rows(state.record.number, cohorts, as_of=as_of)
        return rows_of(self._store, stream, rows)


def _sentence(
    state: ModelState, stream: StreamState, opened: OpenAlarm, why: dict[str, Any]
) -> str:
    count = len(opened.blocks)
    joined = any(len(block.cohorts) > 1 for block in opened.blocks)
    block = "block" if joined else state.record.period
    since = state.calendar.name(opened.blocks[0].since)
    still = "" if opened.before is None else " still"
    was = "" if opened.before is None else f" It was {opened.before:.3f} at the alarm before."
    return (
        f"{stream.name} ranks worse{still} since {since}: its AUC fell from "
        f"{opened.reference_mean:.3f} to {opened.mean:.3f}, the mean of {count} "
        f"{block}{'s' * (count != 1)}.{was} {why['sentence']}"
    ).strip()
