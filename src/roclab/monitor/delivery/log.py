"""The log: one line of JSON for each notification."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass

from roclab.monitor.delivery.message import Notification
from roclab.monitor.delivery.webhook import payload

LOGGER = logging.getLogger("roclab.monitor.alerts")


@dataclass(frozen=True, kw_only=True)
class LogChannel:
    """Writes notifications to the logger ``roclab.monitor.alerts``."""

    name: str

    def send(self, notification: Notification, *, attempt_id: str) -> None:
        """Write one notification: an alarm as error, a warning as warning, others as info."""
        level = logging.INFO
        if notification.kind == "firing":
            level = logging.ERROR if notification.severity == "alarm" else logging.WARNING
        # ASCII only: no character of a name can end the line or steer a terminal.
        line = json.dumps({"delivery": attempt_id, **payload(notification)}, allow_nan=False)
        LOGGER.log(level, "%s", line)
