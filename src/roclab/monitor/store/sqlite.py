"""The store on SQLite, and its tables of models, streams, tokens and deployments."""

from __future__ import annotations

from roclab.monitor.store.alerts import AlertTables
from roclab.monitor.store.events import EventTables
from roclab.monitor.store.readings import ReadingTables
from roclab.monitor.store.records import Model, Scope, Stream, Token


class SQLiteStore(EventTables, ReadingTables, AlertTables):
    """A directory with the database of one installation.

    Parameters
    ----------
    directory : Path
        Where the database lies; it is created if it is missing.
    synchronous : {"full", "normal"}
        Whether each transaction waits until the disk has it.
    shared : bool
        Whether another process may have it open: then for reading, and for tokens.

    Notes
    -----
    Methods that write are called by one thread, inside `transaction`. Methods that read may be
    called by all threads: each has its own read-only connection.
    """

    def add_model(self, name: str, period: str, time_zone: str, now: int) -> Model:
        """Add a model."""
        row = self._connection.execute(
            "INSERT INTO model (name, period, time_zone, created, closed) VALUES (?, ?, ?, ?, ?)",
            (name, period, time_zone, now, -1),
        )
        return Model(row.lastrowid or 0, name, period, time_zone, now, -1)

    def models(self) -> list[Model]:
        """All models."""
        return [Model(*row) for row in self._read("SELECT * FROM model ORDER BY number")]

    def touch(self, model: Model) -> None:
        """Keep the latest times of a model."""
        self._connection.execute(
            "UPDATE model SET last_prediction = ?, last_label = ? WHERE number = ?",
            (model.last_prediction, model.last_label, model.number),
        )

    def close_until(self, model: int, boundary: int) -> None:
        """Record that the cohorts of a model have been judged until a time."""
        self._connection.execute("UPDATE model SET closed = ? WHERE number = ?", (boundary, model))

    def add_stream(self, model: int, segment: str = "", value: str = "") -> Stream:
        """Add a stream."""
        row = self._connection.execute(
            "INSERT INTO stream (model, segment, value) VALUES (?, ?, ?)", (model, segment, value)
        )
        return Stream(row.lastrowid or 0, model, segment, value)

    def streams(self) -> list[Stream]:
        """All streams."""
        return [Stream(*row) for row in self._read("SELECT * FROM stream ORDER BY number")]

    def add_token(
        self, name: str, digest: bytes, scope: Scope, now: int, expires: int | None
    ) -> None:
        """Add a token by the hash of its secret."""
        self._connection.execute(
            "INSERT INTO token VALUES (?, ?, ?, ?, ?, NULL)", (name, digest, scope, now, expires)
        )

    def revoke_token(self, name: str, now: int) -> bool:
        """Revoke a token; False if there is none of this name that is valid."""
        found = self._connection.execute(
            "UPDATE token SET revoked = ? WHERE name = ? AND revoked IS NULL", (now, name)
        )
        return found.rowcount > 0

    def tokens(self) -> list[tuple[bytes, Token]]:
        """All tokens, with the hashes of their secrets."""
        return [
            (
                digest,
                Token(name=name, scope=scope, created=created, expires=expires, revoked=revoked),
            )
            for name, digest, scope, created, expires, revoked in self._read("SELECT * FROM token")
        ]

    def add_deployment(self, model: int, version: str, time: int, note: str) -> bool:
        """Add a deployment mark; False if it is known."""
        found = self._connection.execute(
            "INSERT OR IGNORE INTO deployment (model, version, time, note) VALUES (?, ?, ?, ?)",
            (model, version, time, note),
        )
        return found.rowcount > 0

    def deployments(self, model: int) -> list[tuple[str, int, str]]:
        """Version, time and note of the deployments of a model."""
        return self._read(
            "SELECT version, time, note FROM deployment WHERE model = ? ORDER BY time", (model,)
        )

    def set_state(self, name: str, value: int) -> None:
        """Keep a number."""
        self._connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))

    def remove_state(self, name: str) -> None:
        """Keep a number no longer."""
        self._connection.execute("DELETE FROM state WHERE name = ?", (name,))

    def state(self, name: str) -> int | None:
        """A number that was kept."""
        found = self._read("SELECT value FROM state WHERE name = ?", (name,))
        return found[0][0] if found else None

    def set_delay(self, model: int, seconds: float | None) -> None:
        """Keep the estimated delay of labels of a model."""
        name = f"label delay of model {model}"
        if seconds is None:
            self.remove_state(name)
        else:
            self.set_state(name, round(seconds * 1e6))

    def delay(self, model: int) -> float | None:
        """The estimated delay of labels of a model, in seconds."""
        found = self.state(f"label delay of model {model}")
        return None if found is None else found / 1e6

    def forget_model(self, model: int) -> None:
        """Remove everything about a model."""
        streams = "(SELECT number FROM stream WHERE model = :m)"
        events = "(SELECT number FROM event WHERE model = :m)"
        alerts = f"(SELECT number FROM alert WHERE stream IN {streams})"
        self._connection.execute(
            "DELETE FROM act WHERE model = (SELECT name FROM model WHERE number = :m)", {"m": model}
        )
        for statement in (
            f"DELETE FROM correction WHERE event IN {events}",
            f"DELETE FROM delivery WHERE alert IN {alerts}",
            *(
                f"DELETE FROM {table} WHERE challenger = :m OR champion = :m"
                for table in ("comparison", "comparison_state")
            ),
            *(
                f"DELETE FROM {table} WHERE stream IN {streams}"
                for table in (
                    *("reading", "frozen", "block", "small_cohort", "reference", "alert"),
                    "rule_state",
                )
            ),
            *(
                f"DELETE FROM {table} WHERE model = :m"
                for table in ("event", "cohort", "version", "deployment", "stream")
            ),
            "DELETE FROM model WHERE number = :m",
        ):
            self._connection.execute(statement, {"m": model})
        self.set_delay(model, None)
        self._connection.execute(
            "DELETE FROM segments WHERE number NOT IN "
            "(SELECT segments FROM event WHERE segments IS NOT NULL)"
        )
        self._load_names()
