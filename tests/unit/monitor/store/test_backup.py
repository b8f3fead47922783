"""A backup that is made while rows are written is one moment of the database."""

import sqlite3
import threading
from contextlib import closing

import pytest

from roclab.monitor.schema import Label, Prediction
from roclab.monitor.store.database import FILE, damage_of
from roclab.monitor.store.sqlite import SQLiteStore


@pytest.fixture
def store(tmp_path):
    made = SQLiteStore(tmp_path / "data", synchronous="normal")
    with made.transaction():
        made.add_model("credit", "day", "UTC", 0)
    yield made
    made.close()


def rows(start, count):
    return [
        Prediction(f"{number:x}-{'padding' * 5}", number, number, None, (), None, None)
        for number in range(start, start + count)
    ]


def test_it_is_made_while_rows_are_written_and_holds_whole_transactions(store, tmp_path):
    """Each transaction writes ten predictions and their labels. The database has many pages."""
    [model] = store.models()
    with store.transaction():
        store.append(model, rows(0, 60_000), [0] * 60_000, 1)
        store.add_labels(model, [Label(one.id, True, 1) for one in rows(0, 60_000)], 1)
    ends, written, failed = threading.Event(), [60_000], []

    def write():
        try:
            while not ends.is_set():
                some = rows(written[0], 10)
                with store.transaction():
                    store.append(model, some, [0] * 10, 1)
                    store.add_labels(model, [Label(one.id, True, 1) for one in some], 1)
                written[0] += 10
        except BaseException as error:
            failed.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(3):
            before = written[0]
            store.backup(tmp_path / f"{number}.sqlite")
            with closing(sqlite3.connect(tmp_path / f"{number}.sqlite")) as copy:
                assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                [(n, labelled)] = copy.execute("SELECT count(*), count(label) FROM event")
                [(counted,)] = copy.execute("SELECT n FROM cohort")
            assert n == labelled == counted
            assert n % 10 == 0
            assert before <= n <= written[0] + 10
    finally:
        ends.set()
        writer.join()
    assert not failed
    assert not list(tmp_path.glob("*.part"))


def test_what_was_interrupted_is_made_again(store, tmp_path):
    (tmp_path / "copy.sqlite.part").write_bytes(b"half of a database")
    store.backup(tmp_path / "copy.sqlite")
    restored = tmp_path / "restored"
    restored.mkdir()
    (tmp_path / "copy.sqlite").rename(restored / FILE)
    assert damage_of(restored) == []
    assert not (tmp_path / "copy.sqlite.part").exists()


def test_a_backup_that_fails_leaves_the_one_before(store, tmp_path):
    store.backup(tmp_path / "copy.sqlite")
    before = (tmp_path / "copy.sqlite").read_bytes()
    (tmp_path / "copy.sqlite.part").mkdir()  # cannot be removed as a file
    with pytest.raises(OSError, match=r"Is a directory|not permitted"):
        store.backup(tmp_path / "copy.sqlite")
    assert (tmp_path / "copy.sqlite").read_bytes() == before
