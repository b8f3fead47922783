"""The tables of the store, and how older ones become those of today."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from roclab.errors import InputError

APPLICATION = 0x524F434D  # "ROCM", in the header of the file

# Each step leads from one version to the next, and is never changed once it was released.
_STEPS = (
    """
    CREATE TABLE model (
        number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, period TEXT NOT NULL,
        time_zone TEXT NOT NULL, created INTEGER NOT NULL, closed INTEGER NOT NULL,
        last_prediction INTEGER, last_label INTEGER
    );
    CREATE TABLE stream (
        number INTEGER PRIMARY KEY, model INTEGER NOT NULL, segment TEXT NOT NULL,
        value TEXT NOT NULL, UNIQUE (model, segment, value)
    );
    CREATE TABLE segments (number INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE);
    CREATE TABLE version (
        number INTEGER PRIMARY KEY, model INTEGER NOT NULL, name TEXT NOT NULL,
        first INTEGER NOT NULL, UNIQUE (model, name)
    );
    CREATE TABLE event (
        number INTEGER PRIMARY KEY, model INTEGER NOT NULL, id NOT NULL, cohort INTEGER,
        time INTEGER, score REAL, version INTEGER, segments INTEGER, received INTEGER,
        label INTEGER, label_time INTEGER, label_received INTEGER, implicit INTEGER
    );
    CREATE UNIQUE INDEX event_by_id ON event (model, id);
    CREATE INDEX event_by_cohort ON event (model, cohort) WHERE cohort IS NOT NULL;
    CREATE INDEX early_label ON event (model, label_received) WHERE cohort IS NULL;
    CREATE TABLE correction (
        event INTEGER NOT NULL, label INTEGER NOT NULL, received INTEGER NOT NULL,
        until INTEGER NOT NULL
    );
    CREATE INDEX correction_by_event ON correction (event);
    CREATE TABLE cohort (
        model INTEGER NOT NULL, cohort INTEGER NOT NULL, n INTEGER NOT NULL,
        labelled INTEGER NOT NULL, changes INTEGER NOT NULL, read INTEGER NOT NULL,
        frozen INTEGER, PRIMARY KEY (model, cohort)
    ) WITHOUT ROWID;
    CREATE INDEX open_cohort ON cohort (model, cohort) WHERE frozen IS NULL;
    CREATE TABLE reading (
        stream INTEGER NOT NULL, cohort INTEGER NOT NULL, content TEXT NOT NULL,
        PRIMARY KEY (stream, cohort)
    ) WITHOUT ROWID;
    CREATE TABLE frozen (
        stream INTEGER NOT NULL, cohort INTEGER NOT NULL, at INTEGER NOT NULL,
        content TEXT NOT NULL, PRIMARY KEY (stream, cohort)
    ) WITHOUT ROWID;
    CREATE TABLE block (
        stream INTEGER NOT NULL, number INTEGER NOT NULL, since INTEGER NOT NULL,
        until INTEGER NOT NULL, cohorts TEXT NOT NULL, auc REAL NOT NULL, n_pos INTEGER NOT NULL,
        n_neg INTEGER NOT NULL, judged INTEGER NOT NULL, run_length REAL NOT NULL,
        PRIMARY KEY (stream, number)
    ) WITHOUT ROWID;
    CREATE TABLE reference (
        stream INTEGER PRIMARY KEY, scores BLOB NOT NULL, labels BLOB NOT NULL
    );
    CREATE TABLE small_cohort (
        stream INTEGER NOT NULL, cohort INTEGER NOT NULL, PRIMARY KEY (stream, cohort)
    ) WITHOUT ROWID;
    CREATE TABLE alert (
        number INTEGER PRIMARY KEY, stream INTEGER NOT NULL, rule TEXT NOT NULL,
        key TEXT NOT NULL UNIQUE, state TEXT NOT NULL, since INTEGER NOT NULL,
        fired INTEGER NOT NULL, ended INTEGER, content TEXT NOT NULL
    );
    CREATE INDEX firing_alert ON alert (stream, rule) WHERE state = 'firing';
    CREATE TABLE rule_state (
        stream INTEGER NOT NULL, rule TEXT NOT NULL, content TEXT NOT NULL,
        PRIMARY KEY (stream, rule)
    ) WITHOUT ROWID;
    CREATE TABLE act (
        number INTEGER PRIMARY KEY, at INTEGER NOT NULL, author TEXT NOT NULL, kind TEXT NOT NULL,
        model TEXT NOT NULL, stream INTEGER, alert INTEGER, until INTEGER, reason TEXT NOT NULL
    );
    CREATE TABLE delivery (
        number INTEGER PRIMARY KEY, alert INTEGER, channel TEXT NOT NULL, kind TEXT NOT NULL,
        content TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
        next_at INTEGER NOT NULL, created INTEGER NOT NULL, error TEXT
    );
    CREATE INDEX waiting_delivery ON delivery (next_at) WHERE state = 'waiting';
    CREATE INDEX delivery_by_alert ON delivery (alert);
    CREATE TABLE token (
        name TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE, scope TEXT NOT NULL,
        created INTEGER NOT NULL, expires INTEGER, revoked INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE deployment (
        number INTEGER PRIMARY KEY, model INTEGER NOT NULL, version TEXT NOT NULL,
        time INTEGER NOT NULL, note TEXT NOT NULL, UNIQUE (model, version, time)
    );
    CREATE TABLE comparison (
        challenger INTEGER NOT NULL, champion INTEGER NOT NULL, cohort INTEGER NOT NULL,
        content TEXT NOT NULL, PRIMARY KEY (challenger, champion, cohort)
    ) WITHOUT ROWID;
    CREATE TABLE comparison_state (
        challenger INTEGER NOT NULL, champion INTEGER NOT NULL, content BLOB NOT NULL,
        PRIMARY KEY (challenger, champion)
    ) WITHOUT ROWID;
    CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    """,
)
VERSION = len(_STEPS)


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """Version of the tables of a database, 0 if it is empty.

    What another program or a newer release wrote is refused, and tables that cannot have their
    version.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if application != APPLICATION and not empty:
        raise InputError(
            found="{path} is a database of another program",
            fix="Choose another directory.",
            path=path,
        )
    if version > VERSION:
        raise InputError(
            found="{path} was written by a newer release of roclab, with version {version} of its "
            "tables",
            needed="this release knows versions up to {known}",
            fix="Install the newer release; nothing was changed.",
            path=path,
            version=version,
            known=VERSION,
        )
    if version < 0 or empty != (version == 0):
        raise InputError(
            found="{path} is damaged: it has {tables}, and says that their version is {version}",
            needed="versions start with 1, and an empty file has none",
            fix="Restore a backup; nothing was changed.",
            path=path,
            version=version,
            tables="no tables" if empty else "tables",
        )
    if missing := missing_parts(connection):
        raise InputError(
            found="{path} is damaged: {parts}",
            fix="Restore a backup; nothing was changed.",
            path=path,
            parts="; ".join(missing),
        )
    return version


def missing_parts(connection: sqlite3.Connection) -> list[str]:
    """Tables and columns that a database of its version has, and this one has not."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    with closing(sqlite3.connect(":memory:")) as whole:
        whole.executescript(";".join(_STEPS[: max(version, 0)]))
        wanted = _columns(whole)
    found = _columns(connection)
    missing = [f"the table {table} is missing" for table in wanted if table not in found]
    for table in wanted.keys() & found.keys():
        lost = wanted[table] - found[table]
        missing += [f"the column {one} of the table {table} is missing" for one in sorted(lost)]
    return sorted(missing)


def _columns(connection: sqlite3.Connection) -> dict[str, set[str]]:
    """Columns of each table."""
    found: dict[str, set[str]] = {}
    for table, column in connection.execute(
        "SELECT one.name, part.name FROM sqlite_schema AS one, pragma_table_info(one.name) AS part "
        "WHERE one.type = 'table'"
    ):
        found.setdefault(table, set()).add(column)
    return found


def migrate(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Bring a database to the version of this release, after a backup: all steps, or none."""
    if version == VERSION:
        return
    if version:
        backup(connection, path.with_name(f"{path.stem}-version-{version}.sqlite"))
    connection.executescript(
        f"BEGIN IMMEDIATE;{';'.join(_STEPS[version:])};PRAGMA application_id = {APPLICATION};"
        f"PRAGMA user_version = {VERSION};COMMIT;"
    )


def backup(connection: sqlite3.Connection, path: Path) -> None:
    """Copy the database while it is in use; the copy appears when it is whole and on the disk."""
    unfinished = path.with_name(path.name + ".part")
    unfinished.unlink(missing_ok=True)
    copy = sqlite3.connect(unfinished)
    try:
        # In one step: between two, each row that is written would let it begin again.
        connection.backup(copy)
    finally:
        copy.close()
    unfinished.replace(path)
    if os.name != "nt":
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
