"""The store on SQLite: one connection writes, in one thread; others read."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from roclab.errors import RoclabError
from roclab.monitor.schema import Identifier, Label, Prediction, Rejected
from roclab.monitor.store.migrations import backup, migrate
from roclab.monitor.store.records import (
    Act,
    Alert,
    Block,
    Change,
    CohortCount,
    Delivery,
    Model,
    Rows,
    Scope,
    Stream,
    Token,
)

FILE = "monitor.sqlite"
_CACHE_KB = 64 * 1024
_COLUMNS = "number, cohort, time, score, segments, label, label_received, implicit"

Outcome = str | Rejected


class StoreError(RoclabError):
    """The store cannot be opened, read or written."""


class _PendingLabels:
    """Labels of a batch that are written together."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin anew."""
        self.ids: set[Identifier] = set()
        self.early: list[tuple[Any, ...]] = []
        self.corrections: list[tuple[Any, ...]] = []
        self.labels: list[tuple[Any, ...]] = []
        self.counts: list[tuple[int, int, bool]] = []


class SQLiteStore:
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

    def __init__(self, directory: Path, *, synchronous: str = "full", shared: bool = False) -> None:
        self.path = directory / FILE
        if shared and not self.path.exists():
            raise StoreError(
                found="There is no database in {path}",
                fix="Name the directory by --data; roclab monitor serve makes one.",
                path=directory,
            )
        self._lock = io.BytesIO() if shared else _lock(directory)
        self._readers = threading.local()
        self._all_readers: list[sqlite3.Connection] = []
        self._writing = 0  # thread of the transaction
        self._segments: dict[str, int] = {}
        self._versions: dict[tuple[int, str], int] = {}
        self.segments: dict[int, tuple[tuple[str, str], ...]] = {}
        try:
            self._connection = _opened(self.path)
            self._connection.execute(f"PRAGMA synchronous = {synchronous.upper()}")
            migrate(self._connection, self.path)
            self._load_names()
        except sqlite3.Error as error:
            self._lock.close()
            raise _unusable(self.path, error) from error
        except BaseException:
            self._lock.close()
            raise

    def close(self) -> None:
        """Write everything into the one file, and let others use it."""
        for reader in self._all_readers:
            reader.close()
        if not isinstance(self._lock, io.BytesIO):
            with suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()
        self._lock.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing of what is written inside."""
        self._writing = threading.get_ident()
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._connection.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
                self._load_names()
            if isinstance(error, sqlite3.Error):
                raise _unusable(self.path, error) from error
            raise
        finally:
            self._writing = 0

    def _load_names(self) -> None:
        """Load the numbers of segments and versions."""
        found = self._connection.execute("SELECT number, content FROM segments").fetchall()
        self._segments = {content: number for number, content in found}
        self.segments = {number: _pairs(content) for number, content in found}
        self._versions = {
            (model, name): number
            for number, model, name in self._connection.execute(
                "SELECT number, model, name FROM version"
            )
        }

    def checkpoint(self) -> None:
        """Move what was written from the log into the file, as far as readers allow."""
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    @property
    def wal_bytes(self) -> int:
        """Size of the log that has not been moved into the file."""
        with suppress(OSError):
            return os.stat(f"{self.path}-wal").st_size
        return 0

    # Models and streams

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

    # Events

    def append(
        self, model: Model, rows: Sequence[Prediction], cohorts: Sequence[int], now: int | None
    ) -> tuple[list[Outcome], list[Change]]:
        """Add predictions, and the labels that come with them.

        Parameters
        ----------
        model : Model
            Their model.
        rows : sequence of Prediction
            The predictions.
        cohorts : sequence of int
            The cohort of each.
        now : int or None
            When they were received; None: at their own times, for history.

        Returns
        -------
        outcomes : list
            ``"accepted"``, ``"duplicate"``, ``"corrected"`` or `Rejected` for each row.
        changes : list of Change
            Labels that became known.
        """
        values = [
            (
                *(model.number, one.id, cohort, one.time, one.score),
                None if one.version is None else self._version(model.number, one.version, one.time),
                self._segment_number(one.segments) if one.segments else None,
                one.time if now is None else now,
                one.label,
                one.label_time,
                None if one.label is None else one.label_time if now is None else now,
            )
            for one, cohort in zip(rows, cohorts, strict=True)
        ]
        before = self._connection.total_changes
        self._connection.execute("SAVEPOINT fast")
        self._connection.executemany(_INSERT, values)
        if self._connection.total_changes - before == len(rows):  # the usual case: all are new
            self._connection.execute("RELEASE fast")
            changes = [
                Change(row[3], row[4], row[6] or 0, None, bool(row[8]))
                for row in values
                if row[8] is not None
            ]
            self._count(
                model.number,
                (
                    (cohort, 1, row[8] is not None)
                    for cohort, row in zip(cohorts, values, strict=True)
                ),
            )
            return ["accepted"] * len(rows), changes
        self._connection.execute("ROLLBACK TO fast")
        self._connection.execute("RELEASE fast")
        outcomes: list[Outcome] = []
        changes = []
        for one, row in zip(rows, values, strict=True):
            outcomes.append(self._append_one(model.number, one, row, changes))
        return outcomes, changes

    def _append_one(
        self,
        model: int,
        one: Prediction,
        row: tuple[Any, ...],
        changes: list[Change],
    ) -> Outcome:
        found = self._find(model, one.id)
        segments = row[6] or 0
        if found is None:
            self._connection.execute(_INSERT, row)
            self._count(model, [(row[2], 1, one.label is not None)])
            if one.label is not None:
                changes.append(Change(one.time, one.score, segments, None, one.label))
            return "accepted"
        number, _, _, score, known_segments, label, _, _ = found
        if score is None:  # its label came first
            self._connection.execute(
                "UPDATE event SET cohort = ?, time = ?, score = ?, version = ?, segments = ?, "
                "received = ? WHERE number = ?",
                (*row[2:8], number),
            )
            self._count(model, [(row[2], 1, True)])
            changes.append(Change(one.time, one.score, segments, None, bool(label)))
        elif score != one.score or known_segments != row[6]:
            what = "score" if score != one.score else "segments"
            return Rejected(f"another prediction with other {what} has this id; ids are used once")
        outcome: Outcome = "duplicate" if score is not None else "accepted"
        if one.label is not None:
            received = row[10]
            pending = _PendingLabels()
            label_row = Label(one.id, one.label, one.label_time or 0)
            labelled = self._label_one(model, label_row, received, changes, pending)
            self._flush(model, pending)
            outcome = labelled if outcome == "duplicate" else outcome
        return outcome

    def add_labels(
        self, model: Model, rows: Sequence[Label], now: int | None
    ) -> tuple[list[Outcome], list[Change]]:
        """Add labels; parameters and results as those of `append`."""
        changes: list[Change] = []
        pending = _PendingLabels()
        outcomes: list[Outcome] = []
        for one in rows:
            if one.id in pending.ids:  # twice in one batch: the second must see the first
                self._flush(model.number, pending)
            received = one.time if now is None else now
            outcomes.append(self._label_one(model.number, one, received, changes, pending))
        self._flush(model.number, pending)
        return outcomes, changes

    def _label_one(
        self,
        model: int,
        one: Label,
        received: int,
        changes: list[Change],
        pending: _PendingLabels,
    ) -> Outcome:
        found = self._find(model, one.id)
        pending.ids.add(one.id)
        if found is None:
            pending.early.append((model, one.id, one.label, one.time, received))
            return "accepted"
        number, cohort, time, score, segments, label, label_received, implicit = found
        if label is not None and label == one.label and not implicit:
            return "duplicate"
        if label is not None:
            pending.corrections.append((number, label, label_received, received))
        pending.labels.append((one.label, one.time, received, number))
        if score is not None and (label is None or label != one.label):
            pending.counts.append((cohort, 0, label is None))
            before = None if label is None else bool(label)
            changes.append(Change(time, score, segments or 0, before, one.label))
        return "accepted" if label is None or implicit else "corrected"

    def _flush(self, model: int, pending: _PendingLabels) -> None:
        """Write labels that were collected."""
        many = self._connection.executemany
        if pending.early:
            many(
                "INSERT INTO event (model, id, label, label_time, label_received) "
                "VALUES (?, ?, ?, ?, ?)",
                pending.early,
            )
        if pending.corrections:
            many(
                "INSERT INTO correction (event, label, received, until) VALUES (?, ?, ?, ?)",
                pending.corrections,
            )
        if pending.labels:
            many(
                "UPDATE event SET label = ?, label_time = ?, label_received = ?, implicit = NULL "
                "WHERE number = ?",
                pending.labels,
            )
        self._count(model, pending.counts)
        pending.clear()

    def fill_missing(self, model: int, cohort: int, at: int) -> list[Change]:
        """Make missing labels of a cohort negative, as known since a time."""
        missing = self._connection.execute(
            "SELECT time, score, segments FROM event "
            "WHERE model = ? AND cohort = ? AND label IS NULL AND received < ?",
            (model, cohort, at),
        ).fetchall()
        self._connection.execute(
            "UPDATE event SET label = 0, label_time = ?, label_received = ?, implicit = 1 "
            "WHERE model = ? AND cohort = ? AND label IS NULL AND received < ?",
            (at, at - 1, model, cohort, at),
        )
        if missing:
            self._connection.execute(_COUNT, (model, cohort, 0, len(missing), len(missing)))
        return [Change(time, score, segs or 0, None, False) for time, score, segs in missing]

    def rows(self, model: int, cohorts: Iterable[int], *, as_of: int | None = None) -> Rows:
        """Rows of cohorts, in the order of time, as they were known before a time."""
        chosen = list(cohorts)
        found = self._read(
            "SELECT number, time, score, ifnull(segments, 0), ifnull(label, -1), "
            "ifnull(label_received, 0), received FROM event WHERE model = ? AND cohort IN "
            f"({', '.join('?' * len(chosen))}) ORDER BY time, number",
            (model, *chosen),
        )
        columns = list(zip(*found, strict=True)) or [()] * 7
        number, time, segments, received = (
            np.array(columns[place], np.int64) for place in (0, 1, 3, 6)
        )
        label, label_received = np.array(columns[4], np.int8), np.array(columns[5], np.int64)
        rows = Rows(
            number=number,
            time=time,
            score=np.array(columns[2], np.float64),
            segments=segments,
            label=label,
            label_received=label_received,
        )
        if as_of is not None:
            label[label_received >= as_of] = -1
            self._as_known(rows, as_of)
            rows = rows.where(received < as_of)
        return rows

    def _as_known(self, rows: Rows, as_of: int) -> None:
        """Set the labels that were known before a time, and have been corrected since."""
        place = {number: row for row, number in enumerate(rows.number.tolist())}
        if not place:
            return
        for event, label, received, until in self._read(
            "SELECT event, label, received, until FROM correction WHERE until >= ?", (as_of,)
        ):
            if event in place and received < as_of <= until:
                rows.label[place[event]] = label
                rows.label_received[place[event]] = received

    def corrected_since(self, time: int) -> bool:
        """Whether a label was corrected at a time or after it."""
        return bool(self._read("SELECT 1 FROM correction WHERE until >= ? LIMIT 1", (time,)))

    def labelled_since(self, model: int, cohort: int) -> Iterator[tuple[Any, ...]]:
        """Time, score, segments and label of labelled rows from a cohort on, in parts."""
        cursor = self._reader().execute(
            "SELECT time, score, ifnull(segments, 0), label FROM event "
            "WHERE model = ? AND cohort >= ? AND label IS NOT NULL",
            (model, cohort),
        )
        while part := cursor.fetchmany(50_000):
            yield from part

    def delays(self, model: int, since: int, as_of: int, every: int) -> tuple[Any, Any, Any]:
        """Prediction time, label and arrival of labels known before a time, every so many rows."""
        found = self._read(
            "SELECT time, label, label_received FROM event WHERE model = ? AND cohort >= ? AND "
            "label_received < ? AND implicit IS NULL AND number % ? = 0",
            (model, since, as_of, every),
        )
        columns = list(zip(*found, strict=True)) or [()] * 3
        return tuple(np.array(one, np.int64) for one in columns)  # type: ignore[return-value]

    def known_counts(self, model: int, cohort: int, as_of: int) -> tuple[int, int]:
        """Number of predictions of a cohort and of their labels, as known before a time."""
        [(n, labelled)] = self._read(
            "SELECT count(*), ifnull(sum(label_received < ?), 0) FROM event "
            "WHERE model = ? AND cohort = ? AND received < ?",
            (as_of, model, cohort, as_of),
        )
        return n, labelled

    def cohorts(
        self, model: int, *, since: int = -(2**62), unread: bool = False
    ) -> list[CohortCount]:
        """Counts of the cohorts of a model, in their order."""
        only = " AND changes != read" if unread else ""
        return [
            CohortCount(*row)
            for row in self._read(
                "SELECT cohort, n, labelled, changes, read, frozen FROM cohort "
                f"WHERE model = ? AND cohort >= ?{only} ORDER BY cohort",
                (model, since),
            )
        ]

    def open_cohorts(self, model: int, before: int) -> list[CohortCount]:
        """Cohorts that are not frozen, and begin before a time."""
        return [
            CohortCount(*row)
            for row in self._read(
                "SELECT cohort, n, labelled, changes, read, frozen FROM cohort "
                "WHERE model = ? AND frozen IS NULL AND cohort < ? ORDER BY cohort",
                (model, before),
            )
        ]

    def last_times(self, model: int) -> tuple[int | None, int | None]:
        """When the latest prediction was made, and when the latest label came."""
        [(cohort,)] = self._read("SELECT max(cohort) FROM cohort WHERE model = ?", (model,))
        if cohort is None:
            return None, None
        [(time,)] = self._read(
            "SELECT max(time) FROM event WHERE model = ? AND cohort = ?", (model, cohort)
        )
        return time, None

    def n_events(self) -> int:
        """Number of predictions in the store."""
        return int(self._read("SELECT ifnull(sum(n), 0) FROM cohort")[0][0])

    # Readings

    def set_readings(
        self, readings: Iterable[tuple[int, int, str]], model: int, cohort: int, read: int
    ) -> None:
        """Replace the readings of a cohort as known now: stream, cohort and content of each."""
        self._connection.executemany("INSERT OR REPLACE INTO reading VALUES (?, ?, ?)", readings)
        self._connection.execute(
            "UPDATE cohort SET read = ? WHERE model = ? AND cohort = ?", (read, model, cohort)
        )

    def freeze(
        self, readings: Iterable[tuple[int, int, str]], model: int, cohort: int, at: int
    ) -> None:
        """Write the readings of a mature cohort, once."""
        self._connection.executemany(
            "INSERT INTO frozen (stream, cohort, at, content) VALUES (?, ?, ?, ?)",
            [(stream, of, at, content) for stream, of, content in readings],
        )
        self._connection.execute(
            "INSERT INTO cohort VALUES (?, ?, 0, 0, 0, 0, ?) "
            "ON CONFLICT (model, cohort) DO UPDATE SET frozen = excluded.frozen",
            (model, cohort, at),
        )

    def readings(
        self, stream: int, *, frozen: bool = False, since: int = -(2**62), until: int = 2**62
    ) -> list[tuple[int, Any]]:
        """Cohorts of a stream with their readings, in their order."""
        table = "frozen" if frozen else "reading"
        return [
            (cohort, json.loads(content))
            for cohort, content in self._read(
                f"SELECT cohort, content FROM {table} WHERE stream = ? AND cohort >= ? "
                "AND cohort < ? ORDER BY cohort",
                (stream, since, until),
            )
        ]

    def frozen_at(self, stream: int) -> dict[int, int]:
        """When each cohort of a stream was frozen."""
        return dict(self._read("SELECT cohort, at FROM frozen WHERE stream = ?", (stream,)))

    def set_reference(self, stream: int, scores: Any) -> None:
        """Keep scores of the reference of a stream, which outlive its rows."""
        self._connection.execute(
            "INSERT OR REPLACE INTO reference VALUES (?, ?)",
            (stream, np.asarray(scores, "<f8").tobytes()),
        )

    def reference(self, stream: int) -> Any:
        """Scores of the reference of a stream; None without one."""
        found = self._read("SELECT scores FROM reference WHERE stream = ?", (stream,))
        return np.frombuffer(found[0][0], "<f8").astype(np.float64) if found else None

    def add_small(self, stream: int, cohort: int) -> None:
        """Remember a cohort that is too small to be a block."""
        self._connection.execute(
            "INSERT OR IGNORE INTO small_cohort VALUES (?, ?)", (stream, cohort)
        )

    def small_cohorts(self, stream: int) -> list[int]:
        """Cohorts that wait to be joined with the next."""
        return [
            row[0]
            for row in self._read(
                "SELECT cohort FROM small_cohort WHERE stream = ? ORDER BY cohort", (stream,)
            )
        ]

    def add_block(self, stream: int, block: Block) -> None:
        """Add a block; the small cohorts that it joins wait no longer."""
        self._connection.execute(
            "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(stream, block.number, block.since, block.until, json.dumps(block.cohorts)),
                *(block.auc, block.n_pos, block.n_neg, block.judged, block.run_length),
            ),
        )
        self._connection.execute("DELETE FROM small_cohort WHERE stream = ?", (stream,))

    def blocks(self, stream: int | None = None) -> list[tuple[int, Block]]:
        """Blocks with their streams, in their order."""
        only, values = ("", ()) if stream is None else ("WHERE stream = ?", (stream,))
        found = self._read(f"SELECT * FROM block {only} ORDER BY stream, number", values)
        return [
            (
                of,
                Block(
                    number=number,
                    since=since,
                    until=until,
                    cohorts=tuple(json.loads(cohorts)),
                    auc=auc,
                    n_pos=n_pos,
                    n_neg=n_neg,
                    judged=judged,
                    run_length=run_length,
                ),
            )
            for of, number, since, until, cohorts, auc, n_pos, n_neg, judged, run_length in found
        ]

    # Alerts, rules and acts

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
                content=json.loads(row[8]),
            )
            for row in self._read(
                "SELECT alert.* FROM alert JOIN stream ON stream.number = alert.stream WHERE "
                f"{' AND '.join(conditions)} ORDER BY alert.number DESC LIMIT ?",
                (*values, limit),
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
            (stream, rule): json.loads(content)
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

    # Deliveries

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

    def deliveries(
        self, *, due: int | None = None, alert: int | None = None, limit: int = 100
    ) -> list[Delivery]:
        """Notifications: those that are due, or those of an alert, or the newest."""
        names = ("number", "alert", "channel", "kind", "content", "state", "attempts", "next_at")
        if due is not None:
            where, values = "WHERE state = 'waiting' AND next_at <= ? ORDER BY number", [due]
        elif alert is not None:
            where, values = "WHERE alert = ? ORDER BY number", [alert]
        else:
            where, values = "ORDER BY number DESC", []
        return [
            Delivery(
                **{
                    **dict(zip((*names, "created", "error"), row, strict=True)),
                    "content": json.loads(row[4]),
                }
            )
            for row in self._read(f"SELECT * FROM delivery {where} LIMIT ?", (*values, limit))
        ]

    # Tokens and deployments

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

    # Upkeep

    def set_state(self, name: str, value: int) -> None:
        """Keep a number."""
        self._connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))

    def state(self, name: str) -> int | None:
        """A number that was kept."""
        found = self._read("SELECT value FROM state WHERE name = ?", (name,))
        return found[0][0] if found else None

    def remove_rows(self, model: int, before: int, limit: int) -> int:
        """Remove rows of frozen cohorts that begin before a time; return how many."""
        found = self._connection.execute(
            "DELETE FROM event WHERE number IN (SELECT event.number FROM event JOIN cohort ON "
            "cohort.model = event.model AND cohort.cohort = event.cohort WHERE event.model = ? AND "
            "event.cohort < ? AND cohort.frozen IS NOT NULL LIMIT ?)",
            (model, before, limit),
        )
        return found.rowcount

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
                f"DELETE FROM {table} WHERE stream IN {streams}"
                for table in (
                    *("reading", "frozen", "block", "small_cohort", "reference", "alert"),
                    *("rule_state", "snapshot"),
                )
            ),
            *(
                f"DELETE FROM {table} WHERE model = :m"
                for table in ("event", "cohort", "version", "deployment", "stream")
            ),
            "DELETE FROM model WHERE number = :m",
        ):
            self._connection.execute(statement, {"m": model})
        self._versions = {key: one for key, one in self._versions.items() if key[0] != model}

    def forget_id(self, model: int, identifier: Identifier) -> Change | None:
        """Remove one id; return what it was, None if there is no such id."""
        found = self._find(model, identifier)
        if found is None:
            return None
        number, cohort, time, score, segments, label, _, _ = found
        self._connection.execute("DELETE FROM correction WHERE event = ?", (number,))
        self._connection.execute("DELETE FROM event WHERE number = ?", (number,))
        if score is None:
            return Change(0, 0.0, 0, None, None)
        self._connection.execute(_COUNT, (model, cohort, -1, -(label is not None), 1))
        return Change(time, score, segments or 0, None if label is None else bool(label), None)

    def backup(self, path: Path) -> None:
        """Copy the database while it is in use."""
        backup(self._reader(), path)

    def check(self) -> list[str]:
        """What is damaged; nothing if the database is whole."""
        found = [row[0] for row in self._read("PRAGMA integrity_check(10)")]
        return [] if found == ["ok"] else found

    def events(self, model: int, part: int = 50_000) -> Iterator[list[tuple[Any, ...]]]:
        """All rows of a model in parts: id, cohort, time, score, version, segments and label."""
        cursor = self._reader().execute(
            "SELECT event.id, event.cohort, event.time, event.score, version.name, "
            "ifnull(event.segments, 0), event.received, event.label, event.label_time, "
            "event.label_received, ifnull(event.implicit, 0) FROM event "
            "LEFT JOIN version ON version.number = event.version WHERE event.model = ? "
            "ORDER BY event.number",
            (model,),
        )
        while rows := cursor.fetchmany(part):
            yield rows

    def _find(self, model: int, identifier: Identifier) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = self._connection.execute(
            f"SELECT {_COLUMNS} FROM event WHERE model = ? AND id = ?",
            (model, identifier),
        ).fetchone()
        return found

    def _count(self, model: int, changes: Iterable[tuple[int, int, bool]]) -> None:
        """Add to the counts of cohorts: predictions and labels."""
        sums: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
        for cohort, added, labelled in changes:
            one = sums[cohort]
            one[0] += added
            one[1] += labelled
            one[2] += 1
        self._connection.executemany(
            _COUNT, [(model, cohort, *one) for cohort, one in sums.items()]
        )

    def _segment_number(self, segments: tuple[tuple[str, str], ...]) -> int:
        content = json.dumps(segments)
        number = self._segments.get(content)
        if number is None:
            row = self._connection.execute("INSERT INTO segments (content) VALUES (?)", (content,))
            number = row.lastrowid or 0
            self._segments[content] = number
            self.segments[number] = segments
        return number

    def _version(self, model: int, name: str, time: int) -> int:
        number = self._versions.get((model, name))
        if number is None:
            row = self._connection.execute(
                "INSERT INTO version (model, name, first) VALUES (?, ?, ?)", (model, name, time)
            )
            number = self._versions[model, name] = row.lastrowid or 0
        return number

    def _reader(self) -> sqlite3.Connection:
        """The connection of this thread: the writing one inside a transaction, or its own."""
        if self._writing == threading.get_ident():
            return self._connection
        connection: sqlite3.Connection | None = getattr(self._readers, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False
            )
            connection.execute("PRAGMA query_only = ON")
            self._readers.connection = connection
            self._all_readers.append(connection)
        return connection

    def _read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        try:
            return self._reader().execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error


_INSERT = (
    "INSERT OR IGNORE INTO event (model, id, cohort, time, score, version, segments, received, "
    "label, label_time, label_received) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_COUNT = (
    "INSERT INTO cohort VALUES (?, ?, ?, ?, ?, 0, NULL) ON CONFLICT (model, cohort) DO UPDATE SET "
    "n = n + excluded.n, labelled = labelled + excluded.labelled, "
    "changes = changes + excluded.changes"
)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
    connection.execute("PRAGMA busy_timeout = 5000")
    connection.execute("PRAGMA secure_delete = ON")
    return connection


def _lock(directory: Path) -> IO[bytes]:
    """Take the directory, so that no second process writes."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        file = open(directory / "monitor.lock", "a+b")  # noqa: SIM115, held while the store is open
    except OSError as error:
        raise StoreError(
            found="The directory {path} cannot be written: {reason}",
            fix="Choose another by --data, or make it writable.",
            path=directory,
            reason=error.strerror or error,
        ) from None
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreError(
            found="Another process uses the directory {path}",
            needed="one process at a time may write it",
            fix="Stop the other one, or choose another directory by --data.",
            path=directory,
        ) from None
    return file


def _unusable(path: Path, error: sqlite3.Error) -> StoreError:
    reason = str(error)
    fix = "See the log of the machine."
    if "full" in reason:
        fix = "Free space on the disk; nothing that was acknowledged is lost."
    elif "malformed" in reason or "not a database" in reason:
        fix = "Restore a backup; roclab monitor check says what is damaged."
    elif "readonly" in reason or "read-only" in reason or "unable to open" in reason:
        fix = "Make the directory writable."
    return StoreError(
        found="The database {path} cannot be used: {reason}", fix=fix, path=path, reason=reason
    )


def _pairs(content: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in json.loads(content))
