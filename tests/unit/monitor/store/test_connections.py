"""Connections of readers are used again, and the log does not grow for ever."""

import os
import sys
import threading

import pytest

from roclab.monitor.schema import Prediction
from roclab.monitor.store.sqlite import SQLiteStore

KB = 1024


@pytest.fixture
def store(tmp_path):
    made = SQLiteStore(tmp_path, synchronous="normal")
    yield made
    made.close()


def written(store, start, count, model=None):
    if model is None:
        [model] = store.models()
    rows = [
        Prediction(f"{number}-{'x' * 90}", 0.5, number, None, (), None, None)
        for number in range(start, start + count)
    ]
    with store.transaction():
        store.append(model, rows, [0] * count, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="open files are counted in /proc")
def test_threads_that_come_and_go_leave_no_connection_open(store):
    def opened():
        return len(os.listdir("/proc/self/fd"))

    store.models()
    before = opened()
    for _ in range(30):
        thread = threading.Thread(target=store.models)
        thread.start()
        thread.join()
    assert opened() <= before  # garbage of other tests may go meanwhile


def test_more_readers_at_once_than_are_kept(store):
    barrier, found = threading.Barrier(40), []

    def read():
        with store._reader() as reader:
            barrier.wait(20)
            found.append(reader)

    threads = [threading.Thread(target=read) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in found}) == 40
    assert len(store._readers) == 16


def test_a_reader_sees_one_moment_while_rows_are_written(store):
    with store.transaction():
        model = store.add_model("credit", "day", "UTC", 0)
    written(store, 0, 100, model)
    parts = store.events(model.number, part=10)
    found = [len(next(parts))]
    written(store, 100, 100)
    found += map(len, parts)
    assert sum(found) == 100
    assert sum(len(part) for part in store.events(model.number)) == 200


def test_the_log_shrinks_once_it_was_moved_into_the_file(store):
    """Otherwise it would be moved after every transaction from then on."""
    with store.transaction():
        model = store.add_model("credit", "day", "UTC", 0)
    start = 0
    while store.wal_bytes < 17 * KB * KB:
        written(store, start, 10_000, model)
        start += 10_000
    store.checkpoint()
    written(store, start, 1)
    assert store.wal_bytes <= 16 * KB * KB


def test_the_log_is_moved_when_a_long_reader_has_ended(store):
    with store.transaction():
        model = store.add_model("credit", "day", "UTC", 0)
    written(store, 0, 100, model)
    parts = store.events(model.number, part=10)
    next(parts)
    written(store, 100, 1000)
    assert not store.empty_log()  # the reader still needs it, and nobody waits
    assert store.wal_bytes > 0
    assert sum(map(len, parts)) == 90
    assert store.empty_log()
    assert store.wal_bytes == 0
