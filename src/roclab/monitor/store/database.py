"""The database: one connection writes, in one thread; others read."""

from __future__ import annotations

import io
import json
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar

from roclab.errors import RoclabError
from roclab.monitor.store.migrations import (
    VERSION,
    backup,
    migrate,
    missing_parts,
    version_of,
)

FILE = "monitor.sqlite"
_CACHE_KB = 64 * 1024
_PATIENCE = 5_000  # milliseconds, for other processes that write tokens
_LOG_KEPT = 16 * 2**20  # bytes of the log, once it was moved into the file
_MOST_READERS = 16  # connections that are kept for the next reader

_JSON = {  # tables with a column of JSON
    **dict.fromkeys(("alert", "comparison", "delivery", "frozen", "reading"), "content"),
    **dict.fromkeys(("rule_state", "segments"), "content"),
    "block": "cohorts",
}

Value = TypeVar("Value")

log = logging.getLogger("roclab.monitor")


class StoreError(RoclabError):
    """The store cannot be opened, read or written."""


class Database:
    """The database of a directory: opened, written by one thread, and read by all.

    Parameters
    ----------
    directory : Path
        Where the database lies; it is created if it is missing.
    synchronous : {"full", "normal"}
        Whether each transaction waits until the disk has it.
    shared : bool
        Whether another process may have it open: then for reading, and for tokens.
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
        self._readers: list[sqlite3.Connection] = []  # that nobody uses
        self._closed = False
        self._writing = 0  # thread of the transaction
        try:
            self._connection = _opened(self.path, synchronous, migrates=not shared)
            try:
                self._load_names()
            except BaseException:
                self._connection.close()
                raise
        except sqlite3.Error as error:
            self._lock.close()
            raise _unusable(self.path, error) from error
        except BaseException:
            self._lock.close()
            raise

    def close(self) -> None:
        """Write everything into the one file, and let others use it."""
        self._closed = True
        while self._readers:
            self._readers.pop().close()
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
        """Load what is kept in memory: after opening, and after a transaction that failed."""

    @property
    def n_changes(self) -> int:
        """Number of rows that were written since the database was opened."""
        return self._connection.total_changes

    def checkpoint(self) -> None:
        """Move what was written from the log into the file, as far as readers allow."""
        try:
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error

    def rewrite(self) -> None:
        """Write the file again, without what pages still hold of rows that were removed.

        Removed rows are overwritten, but a page that was split before may have a copy of one.
        """
        try:
            self._connection.execute("VACUUM")
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error

    def empty_log(self) -> bool:
        """Leave nothing in the log, of what was removed either; False while readers need it."""
        try:
            self._connection.execute("PRAGMA busy_timeout = 0")
            [(busy, _, _)] = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._connection.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error
        return not busy

    @property
    def wal_bytes(self) -> int:
        """Size of the log."""
        with suppress(OSError):
            return os.stat(f"{self.path}-wal").st_size
        return 0

    def backup(self, path: Path) -> None:
        """Copy the database while it is in use."""
        try:
            with self._reader() as reader:
                backup(reader, path)
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        """A connection to read by: the writing one inside a transaction, or one for a while."""
        if self._writing == threading.get_ident():
            yield self._connection
            return
        try:
            connection = self._readers.pop()
        except IndexError:
            connection = sqlite3.connect(
                f"{self.path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False
            )
            connection.execute("PRAGMA query_only = ON")
        try:
            yield connection
        finally:
            if self._closed or len(self._readers) >= _MOST_READERS:
                connection.close()
            else:
                self._readers.append(connection)

    def _read_parts(
        self, query: str, values: Sequence[Any], size: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Results of a query in parts, all of one moment."""
        try:
            with self._reader() as reader, closing(reader.execute(query, values)) as cursor:
                while rows := cursor.fetchmany(size):
                    yield rows
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error

    def _read(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        try:
            with self._reader() as reader:
                return reader.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error

    def _parsed(self, cell: Any, kind: Callable[[Any], Value]) -> Value:
        """What a cell holds as JSON, made into what it must be."""
        try:
            return kind(json.loads(cell))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            # In the words of the database, which reads such cells as well.
            damage = sqlite3.DatabaseError(f"malformed JSON in a cell ({error})")
            raise _unusable(self.path, damage) from None


def with_names(*names: str) -> Callable[[Any], dict[str, Any]]:
    """A reader of JSON objects that have these names, for `_parsed`."""

    def read(found: Any) -> dict[str, Any]:
        content = dict(found)
        for name in names:
            if name not in content:
                raise KeyError(name)
        return content

    return read


def damage_of(directory: Path) -> list[str]:
    """What is damaged in the database of a directory; nothing if it is whole.

    Raises
    ------
    StoreError
        The database cannot be opened or read, which says nothing about damage.
    """
    path = directory / FILE
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as reader:
            found = [row[0] for row in reader.execute("PRAGMA integrity_check(10)")]
            if found == ["ok"]:
                found = missing_parts(reader) or list(_damaged_cells(reader)) or found
    except sqlite3.Error as error:
        if not _is_damage(error):
            raise _unusable(path, error) from error
        return [str(error)]
    # The first line is the name of the table that the others are about.
    lines = [line for one in found for line in one.splitlines() if not line.startswith("***")]
    return [] if lines == ["ok"] else lines


def _damaged_cells(reader: sqlite3.Connection) -> Iterator[str]:
    """Tables with cells that hold no JSON."""
    known = {name for (name,) in reader.execute("SELECT name FROM sqlite_schema")}
    for table, column in _JSON.items():
        if table not in known:
            continue
        # Python reads more than the database does, such as NaN, and has the last word.
        cells = reader.execute(
            f"SELECT CAST({column} AS BLOB) FROM {table} "
            f"WHERE NOT ifnull(json_valid(CAST({column} AS TEXT)), 0)"
        )
        count = sum(not _is_json(cell) for (cell,) in cells)
        if count:
            yield f"malformed JSON in {count:,} cell{'s' * (count > 1)} of the table {table}"


def _is_json(cell: bytes | None) -> bool:
    try:
        json.loads(cell or b"")
    except (ValueError, RecursionError):
        return False
    return True


def _opened(path: Path, synchronous: str, *, migrates: bool) -> sqlite3.Connection:
    found = path.exists()  # before it is made
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
        version = version_of(connection, path)  # before anything is changed
        if found and not version:
            # A start that was ended at once leaves such a file too, so only readers refuse it.
            if not migrates:
                raise StoreError(
                    found="The database {path} is empty",
                    fix="Restore a backup, or remove the file: roclab monitor serve makes a new "
                    "one.",
                    path=path,
                )
            log.warning(
                "the database %s was empty, and a new one is made of it; if it had rows, restore a "
                "backup",
                path,
            )
        if not migrates and version < VERSION:
            raise StoreError(
                found="{path} was written by an older release of roclab",
                fix="Start roclab monitor serve of this release once: it brings it up to date.",
                path=path,
            )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_KEPT}")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA synchronous = {synchronous.upper()}")
        migrate(connection, path, version)
    except BaseException:
        connection.close()
        raise
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


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without what extends it
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _unusable(path: Path, error: sqlite3.Error) -> StoreError:
    reason = str(error)
    fix = "See the log of the machine."
    if path.is_dir():
        reason, fix = "it is a directory", "Name another directory by --data, or remove this one."
    elif "full" in reason:
        fix = "Free space on the disk; nothing that was acknowledged is lost."
    elif any(word in reason for word in ("malformed", "not a database", "decode to UTF-8")):
        fix = "Restore a backup; roclab monitor check says what is damaged."
    elif "readonly" in reason or "read-only" in reason or "unable to open" in reason:
        fix = "Make the directory writable."
    return StoreError(
        found="The database {path} cannot be used: {reason}", fix=fix, path=path, reason=reason
    )
