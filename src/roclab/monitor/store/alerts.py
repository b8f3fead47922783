"""The tables of alerts: rules, what people did, and notifications on their way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from roclab.monitor.store.database import Database, with_names
from roclab.monitor.store.records import Act, Alert, Delivery

_CONTENT = with_names("sentence")


class AlertTables(Database):
    """Alerts, states of rules, acts and deliveries."""

    def add_alert(
        self, stream: int, rule: str, key: str, since: int, fired: int, content: dict[str, Any]
    ) -> Alert:
        """Add an alert that fires."""
        row = self._connection.execute(
            "INSERT INTO alert (stream, rule, key, state, since, fired, content) "
            "VALUES (?, ?, ?, 'firing', ?, ?, ?)",
            (stream, rule, key, since, fired, json.dumps(content)),
        )
        return Alert(
            number=row.lastrowid or 0,
            stream=stream,
            rule=rule,
            key=key,
            state="firing",
            since=since,
            fired=fired,
            ended=None,
            content=content,
        )

    def end_alert(self, number: int, at: int, content: dict[str, Any]) -> None:
        """Record that an alert has ended."""
        self._connection.execute(
            "UPDATE alert SET state = 'ended', ended = ?, content = ? WHERE number = ?",
            (at, json.dumps(content), number),
        )

    def alerts(
        self,
        *,
        firing: bool = False,
        model: int | None = None,
        number: int | None = None,
        limit: int = 1000,
    ) -> list[Alert]:
        """Alerts, the newest first."""
        conditions, values = ["1"], []
        if firing:
            conditions.append("alert.state = 'firing'")
        for condition, value in (("stream.model = ?", model), ("alert.number = ?", number)):
            if value is not None:
                conditions.append(condition)
                values.append(value)
        return [
            Alert(
                number=row[0],
                stream=row[1],
                rule=row[2],
                key=row[3],
                state=row[4],
                since=row[5],
                fired=row[6],
                ended=row[7],
                content=self._parsed(row[8], _CONTENT),
            )
            for row in self._read(
                "SELECT alert.* FROM alert JOIN stream ON stream.number = alert.stream WHERE "
                f"{' AND '.join(conditions)} ORDER BY alert.number DESC LIMIT ?",
                (*values, limit),
            )
        ]

    def ends_of_alerts(self, stream: int, rule: str) -> list[int]:
        """When the alerts of a rule on a stream ended, in their order."""
        return [
            row[0]
            for row in self._read(
                "SELECT ended FROM alert WHERE stream = ? AND rule = ? AND ended IS NOT NULL "
                "ORDER BY ended",
                (stream, rule),
            )
        ]

    def set_rule_state(self, stream: int, rule: str, content: dict[str, Any]) -> None:
        """Replace the state of a rule on a stream."""
        self._connection.execute(
            "INSERT OR REPLACE INTO rule_state VALUES (?, ?, ?)",
            (stream, rule, json.dumps(content)),
        )

    def rule_states(self) -> dict[tuple[int, str], dict[str, Any]]:
        """States of all rules on all streams."""
        return {
            (stream, rule): self._parsed(content, dict)
            for stream, rule, content in self._read("SELECT * FROM rule_state")
        }

    def add_act(self, act: Act) -> Act:
        """Record what a person did; its number is given here."""
        row = self._connection.execute(
            "INSERT INTO act (at, author, kind, model, stream, alert, until, reason) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(act.at, act.author, act.kind, act.model, act.stream, act.alert),
                *(act.until, act.reason),
            ),
        )
        return Act(**{**vars(act), "number": row.lastrowid or 0})

    def acts(self) -> list[Act]:
        """What people did, in its order."""
        names = ("number", "at", "author", "kind", "model", "stream", "alert", "until", "reason")
        return [
            Act(**dict(zip(names, row, strict=True)))
            for row in self._read("SELECT * FROM act ORDER BY number")
        ]

    def add_delivery(
        self, alert: int | None, channel: str, kind: str, content: dict[str, Any], now: int
    ) -> None:
        """Put a notification into the outbox."""
        self._connection.execute(
            "INSERT INTO delivery (alert, channel, kind, content, state, attempts, next_at, "
            "created) VALUES (?, ?, ?, ?, 'waiting', 0, ?, ?)",
            (alert, channel, kind, json.dumps(content), now, now),
        )

    def set_delivery(
        self, number: int, state: str, attempts: int, next_at: int, error: str | None
    ) -> None:
        """Record an attempt."""
        self._connection.execute(
            "UPDATE delivery SET state = ?, attempts = ?, next_at = ?, error = ? WHERE number = ?",
            (state, attempts, next_at, error, number),
        )

    def abandon_deliveries(self, channels: Sequence[str]) -> None:
        """Give up what waits for other channels than these."""
        places = ", ".join("?" * len(channels))
        self._connection.execute(
            "UPDATE delivery SET state = 'dead', error = 'The settings have no such channel any "
            f"more.' WHERE state = 'waiting' AND channel NOT IN ({places})",
            tuple(channels),
        )

    def deliveries(
        self,
        *,
        due: int | None = None,
        channel: str = "",
        alert: int | None = None,
        limit: int = 100,
    ) -> list[Delivery]:
        """Notifications: those of a channel that are due, or those of an alert, or the newest.

        One that follows another of its alert is not due before that is delivered or given up:
        the end of an alert must not arrive before its beginning.
        """
        names = ("number", "alert", "channel", "kind", "content", "state", "attempts", "next_at")
        if due is not None:
            where = (
                "WHERE state = 'waiting' AND next_at <= ? AND channel = ? AND NOT EXISTS (SELECT 1 "
                "FROM delivery AS earlier WHERE earlier.state = 'waiting' AND earlier.number < "
                "delivery.number AND earlier.alert = delivery.alert AND earlier.channel = "
                "delivery.channel) ORDER BY number"
            )
            values: list[Any] = [due, channel]
        elif alert is not None:
            where, values = "WHERE alert = ? ORDER BY number", [alert]
        else:
            where, values = "ORDER BY number DESC", []
        return [
            Delivery(
                **{
                    **dict(zip((*names, "created", "error"), row, strict=True)),
                    "content": self._parsed(row[4], dict),
                }
            )
            for row in self._read(f"SELECT * FROM delivery {where} LIMIT ?", (*values, limit))
        ]
