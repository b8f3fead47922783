"""Webhooks: JSON of our own, signed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from roclab.monitor.delivery.body import delivery_headers, json_body
from roclab.monitor.delivery.http import Endpoint, HttpClient
from roclab.monitor.delivery.message import Notification
from roclab.monitor.delivery.signature import sign


@dataclass(frozen=True, kw_only=True)
class WebhookChannel:
    """Posts a notification as JSON, with a signature if there is a secret."""

    name: str
    endpoint: Endpoint
    client: HttpClient
    secret: str | None = field(default=None, repr=False)
    clock: Callable[[], float] = time.time

    def send(self, notification: Notification, *, attempt_id: str) -> None:
        """Deliver one notification."""
        body = json_body(payload(notification))
        timestamp = str(int(self.clock()))
        headers = {**delivery_headers(attempt_id), "X-Roclab-Timestamp": timestamp}
        if self.secret is not None:
            headers["X-Roclab-Signature"] = sign(self.secret, timestamp, body)
        self.client.post(self.endpoint, body, headers)


def payload(notification: Notification) -> dict[str, Any]:
    """The JSON of a notification."""
    safe = notification.cleaned()
    return {
        "version": 1,
        "key": safe.key,
        "kind": safe.kind,
        "severity": safe.severity,
        "model": safe.model,
        "stream": safe.stream,
        "title": safe.title,
        "text": safe.text,
        "facts": [{"label": label, "value": value} for label, value in safe.facts],
        "since": safe.since,
        "at": safe.at,
        "link": safe.link,
        "details": safe.details,
    }
