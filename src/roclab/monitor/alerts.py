"""Alerts: how they begin and end, who is told, and what people do about them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from roclab.monitor.settings import AlertSettings
from roclab.monitor.state import ModelState, StreamState
from roclab.monitor.store.records import Act, Alert
from roclab.monitor.store.sqlite import SQLiteStore
from roclab.streaming.calendar import iso

log = logging.getLogger("roclab.monitor")


class Alerts:
    """Alerts of an installation, and the acts of people; written inside transactions.

    Parameters
    ----------
    settings : AlertSettings
        Where alerts are delivered.
    store : SQLiteStore
        The store.
    clock : callable
        The time in microseconds since 1970: alerts may fire later than the time they are about.
    """

    def __init__(
        self, settings: AlertSettings, store: SQLiteStore, clock: Callable[[], int]
    ) -> None:
        self._settings, self._store, self._clock = settings, store, clock
        self._silent = False
        self.acts: list[Act] = store.acts()
        self.news: list[dict[str, Any]] = []

    def load(self) -> None:
        """Read the acts from the store, and forget news of a transaction that failed."""
        self.acts, self.news = self._store.acts(), []

    @contextmanager
    def silently(self) -> Iterator[None]:
        """Alerts are recorded and not delivered: they are history."""
        self._silent = True
        try:
            yield
        finally:
            self._silent = False

    def fire(
        self,
        state: ModelState,
        stream: StreamState,
        rule: str,
        *,
        since: int,
        now: int,
        content: dict[str, Any],
    ) -> None:
        """Begin an alert."""
        record = stream.record
        # Several alerts of a stream may fire at one boundary, about different times.
        parts = state.record.name, record.segment, record.value, rule, str(since), str(now)
        key = "/".join(quote(part, safe="") for part in parts)
        full = {"model": state.record.name, "stream": stream.name, **content}
        muted = self.muted(state.record.name, stream.record.number)
        if muted and not self._silent:
            full["fired_while_muted"] = True
        alert = self._store.add_alert(stream.record.number, rule, key, since, now, full)
        stream.alerts[rule] = alert
        if not muted:
            self._deliver(alert, "firing", now)
        self.news.append({"kind": "alert", "model": state.record.name, "alert": alert.number})
        if not self._silent:
            log.warning("alert fires", extra={"alert": alert.number, "sentence": full["sentence"]})

    def end(self, state: ModelState, stream: StreamState, rule: str, now: int, how: str) -> None:
        """End the alert of a rule, if there is one."""
        alert = stream.alerts.pop(rule, None)
        if alert is None:
            return
        self._store.end_alert(alert.number, now, {**alert.content, "ended_how": how})
        if self._notified(alert):
            self._deliver(alert, "resolved", now, how)
        self.news.append({"kind": "alert", "model": state.record.name, "alert": alert.number})
        if not self._silent:
            log.info("alert ended", extra={"alert": alert.number, "how": how})

    def notify_after_mutes(self, models: Mapping[str, ModelState], now: int) -> None:
        """Deliver alerts that fired while muted, and still do."""
        for state in models.values():
            for stream in state.streams.values():
                for alert in stream.alerts.values():
                    if (
                        alert.content.get("fired_while_muted")
                        and not self.muted(state.record.name, stream.record.number)
                        and not self._notified(alert)
                    ):
                        self._deliver(alert, "firing", now)

    def _notified(self, alert: Alert) -> bool:
        return bool(self._store.deliveries(alert=alert.number, limit=1))

    def _deliver(self, alert: Alert, kind: str, now: int, how: str = "") -> None:
        if self._silent:
            return
        content = notification_content(alert, kind, now, self._settings.page, how)
        for channel in self._settings.channel:
            self._store.add_delivery(alert.number, channel.name, kind, content, self._clock())

    def muted(self, model: str, stream: int) -> bool:
        """Whether alerts of a stream are not delivered now."""
        muted, now = False, self._clock()
        for act in self.acts:
            if act.model == model and act.stream in (None, stream):
                if act.kind == "unmute":
                    muted = False
                elif act.kind == "mute" and (act.until is None or act.until > now):
                    muted = True
        return muted

    def rebased(self, model: str, stream: int) -> int | None:
        """Time from which on the blocks of a stream count; None if nobody re-based it."""
        since = None
        for act in self.acts:
            if act.kind == "rebase" and act.model == model and act.stream in (None, stream):
                since = act.at if act.until is None else act.until
        return since

    def record(self, act: Act) -> Act:
        """Record what a person did."""
        kept = self._store.add_act(act)
        self.acts.append(kept)
        self.news.append({"kind": "act", "model": act.model})
        return kept


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
