"""What a database holds, read by plain SQL, without the monitor's own store."""

import json
import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass


@dataclass
class Row:
    """An id of a model: its prediction if that has come, and its labels since they were known."""

    number: int
    id: str
    time: int | None
    score: float | None
    version: str | None
    segments: tuple
    received: int | None
    cohort: int | None
    labels: list  # (time since which it was known, label), in their order
    implicit: bool

    def label(self, at):
        """The label that was known before a time; None if there was none."""
        known = [label for since, label in self.labels if since < at]
        return known[-1] if known else None


@dataclass
class Model:
    """A model with its rows, and tables as they are."""

    number: int
    name: str
    closed: int
    rows: list
    streams: dict  # by segment and value, its number
    cohorts: dict  # n, labelled, changes, read, frozen
    now: dict  # by stream number and cohort, a reading
    frozen: dict  # by stream number and cohort, (at, reading)
    blocks: dict  # by stream number, blocks in their order
    alerts: list

    def of_cohort(self, key):
        """Rows of a stream by cohort."""
        found = defaultdict(list)
        for row in self.rows:
            if row.score is not None and (key == ("", "") or key in row.segments):
                found[row.cohort].append(row)
        return found


class Written:
    """The database of a directory, read once."""

    def __init__(self, directory):
        path = directory / "monitor.sqlite"
        with closing(sqlite3.connect(path)) as connection:
            connection.row_factory = sqlite3.Row
            self.integrity = connection.execute("PRAGMA integrity_check").fetchone()[0]
            self.time = connection.execute("SELECT value FROM state WHERE name = 'time'").fetchone()
            self.time = None if self.time is None else self.time[0]
            self._read_names(connection)
            self.models = {
                row["name"]: self._model(connection, row)
                for row in connection.execute("SELECT * FROM model")
            }
            self.rule_states = {
                (row["stream"], row["rule"]): json.loads(row["content"])
                for row in connection.execute("SELECT * FROM rule_state")
            }

    def _read_names(self, connection):
        self._segments = {
            row["number"]: tuple(map(tuple, json.loads(row["content"])))
            for row in connection.execute("SELECT * FROM segments")
        }
        self._versions = {
            row["number"]: row["name"] for row in connection.execute("SELECT * FROM version")
        }
        self._corrections = defaultdict(list)
        for row in connection.execute("SELECT * FROM correction ORDER BY rowid"):
            self._corrections[row["event"]].append(tuple(row))

    def _model(self, connection, record):
        number = record["number"]

        def all_of(table, where="model = ?"):
            return connection.execute(f"SELECT * FROM {table} WHERE {where}", (number,))

        of_stream = "stream IN (SELECT number FROM stream WHERE model = ?)"
        blocks = defaultdict(list)
        for row in all_of("block", f"{of_stream} ORDER BY number"):
            blocks[row["stream"]].append({**row, "cohorts": json.loads(row["cohorts"])})
        return Model(
            number=number,
            name=record["name"],
            closed=record["closed"],
            rows=[self._row(row) for row in all_of("event", "model = ? ORDER BY number")],
            streams={(row["segment"], row["value"]): row["number"] for row in all_of("stream")},
            cohorts={row["cohort"]: dict(row) for row in all_of("cohort")},
            now={
                (row["stream"], row["cohort"]): json.loads(row["content"])
                for row in all_of("reading", of_stream)
            },
            frozen={
                (row["stream"], row["cohort"]): (row["at"], json.loads(row["content"]))
                for row in all_of("frozen", of_stream)
            },
            blocks=dict(blocks),
            alerts=[
                {**row, "content": json.loads(row["content"])}
                for row in all_of("alert", f"{of_stream} ORDER BY number")
            ],
        )

    def _row(self, row):
        # Each correction has the label before it, and since when that was known.
        before = [(since, bool(label)) for _, label, since, _ in self._corrections[row["number"]]]
        now = [] if row["label"] is None else [(row["label_received"], bool(row["label"]))]
        return Row(
            number=row["number"],
            id=row["id"],
            time=row["time"],
            score=row["score"],
            version=self._versions.get(row["version"]),
            segments=self._segments.get(row["segments"], ()),
            received=row["received"],
            cohort=row["cohort"],
            labels=sorted(before + now, key=lambda one: one[0]),
            implicit=bool(row["implicit"]),
        )
