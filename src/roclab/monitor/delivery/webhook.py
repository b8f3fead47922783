"""JSON of our own: posted and signed as a webhook, or written to the log."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from roclab.monitor.delivery.endpoint import Endpoint
from roclab.monitor.delivery.http import HttpClient, json_body
from roclab.monitor.delivery.message import Notification
from roclab.monitor.delivery.signature import sign

LOGGER = logging.getLogger("roclab.monitor.alerts")


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
        body = json_body(payload(notification, attempt_id))
        timestamp = str(int(self.clock()))
        headers = {"X-Roclab-Timestamp": timestamp}
        if self.secret is not None:
            headers["X-Roclab-Signature"] = sign(self.secret, timestamp, body)
        self.client.post(self.endpoint, body, attempt_id=attempt_id, headers=headers)


@dataclass(frozen=True, kw_only=True)
class LogChannel:
    """Writes notifications to the logger ``roclab.monitor.alerts``, one line of JSON for each."""

    name: str

    def send(self, notification: Notification, *, attempt_id: str) -> None:
        """Write one notification: an alarm as error, a warning as warning, others as info."""
        level = logging.INFO
        if notification.kind == "firing":
            level = logging.ERROR if notification.severity == "alarm" else logging.WARNING
        # ASCII only: no character of a name can end the line or steer a terminal.
        LOGGER.log(level, "%s", json.dumps(payload(notification, attempt_id), allow_nan=False))


def payload(notification: Notification, attempt_id: str) -> dict[str, Any]:
    """The JSON of a notification.

    It has the id of the delivery, which the signature covers: a body that is sent twice cannot
    pass for two deliveries.
    """
    safe = notification.cleaned()
    return {
        "version": 1,
        "delivery": attempt_id,
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
