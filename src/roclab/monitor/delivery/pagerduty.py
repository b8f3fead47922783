"""PagerDuty: events that open and close an incident (Events API v2)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from roclab.monitor.delivery.endpoint import Endpoint
from roclab.monitor.delivery.http import HttpClient, json_body
from roclab.monitor.delivery.message import Notification, cut

EVENTS_URL = "https://events.pagerduty.com/v2/enqueue"

_SUMMARY, _KEY, _SOURCE = 1024, 255, 255
_SEVERITY = {"alarm": "critical", "warning": "warning"}
_ADVICE: dict[int | str, str] = {
    400: "Check the routing key: it is the integration key (Events API v2) of a service."
}


@dataclass(frozen=True, kw_only=True)
class PagerDutyChannel:
    """Opens an incident when an alert fires and resolves it when the alert has ended.

    A test opens an incident and resolves it at once.
    """

    name: str
    endpoint: Endpoint
    client: HttpClient
    routing_key: str = field(repr=False)

    def send(self, notification: Notification, *, attempt_id: str) -> None:
        """Deliver one notification."""
        for event in events(notification):
            body = json_body({"routing_key": self.routing_key, **event})
            self.client.post(self.endpoint, body, attempt_id=attempt_id, advice=_ADVICE)


def events(notification: Notification) -> list[dict[str, Any]]:
    """The events of a notification, without the routing key."""
    safe = notification.cleaned()
    key = dedup_key(notification.key)
    resolve = {"event_action": "resolve", "dedup_key": key}
    if safe.kind == "resolved":
        return [resolve]
    trigger: dict[str, Any] = {
        "event_action": "trigger",
        "dedup_key": key,
        "client": "roclab monitor",
        "payload": {
            "summary": cut(f"{safe.title}: {safe.text}".replace("\n", " "), _SUMMARY),
            "source": cut(safe.stream, _SOURCE) or "roclab",
            "severity": "info" if safe.kind == "test" else _SEVERITY[safe.severity],
            "timestamp": safe.at,
            "component": safe.model,
            "class": "model ranking",
            "custom_details": {
                "text": safe.text,
                "since": safe.since,
                **dict(safe.facts),
                "details": safe.details,
            },
        },
    }
    if safe.link:
        trigger["client_url"] = safe.link
        trigger["links"] = [{"href": safe.link, "text": "Open the page"}]
    return [trigger, resolve] if safe.kind == "test" else [trigger]


def dedup_key(key: str) -> str:
    """The key of an incident: that of the alert, or its hash where PagerDuty would cut it."""
    if 0 < len(key) <= _KEY and key.isascii() and key.isprintable():
        return key
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
