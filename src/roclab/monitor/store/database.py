"""The database: one connection writes, in one thread; others read."""

from __future__ import annotations

import io
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from roclab.errors import RoclabError
from roclab.monitor.store.migrations import backup, migrate

FILE = "monitor.sqlite"
_CACHE_KB = 64 * 1024


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
        self._readers = threading.local()
        self._all_readers: list[sqlite3.Connection] = []
        self._writing = 0  # thread of the transaction
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
        """Load what is kept in memory: after opening, and after a transaction that failed."""

    @property
    def n_changes(self) -> int:
        """Number of rows that were written since the database was opened."""
        return self._connection.total_changes

    def checkpoint(self) -> None:
        """Move what was written from the log into the file, as far as readers allow."""
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    @property
    def wal_bytes(self) -> int:
        """Size of the log that has not been moved into the file."""
        with suppress(OSError):
            return os.stat(f"{self.path}-wal").st_size
        return 0

    def backup(self, path: Path) -> None:
        """Copy the database while it is in use."""
        backup(self._reader(), path)

    def check(self) -> list[str]:
        """What is damaged; nothing if the database is whole."""
        found = [row[0] for row in self._read("PRAGMA integrity_check(10)")]
        return [] if found == ["ok"] else found

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

    def _read(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        try:
            return self._reader().execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from error


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
