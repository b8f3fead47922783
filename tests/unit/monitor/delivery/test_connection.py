"""One deadline, and a bound on what is read."""

import socket

import pytest

from roclab.monitor.delivery import connection
from roclab.monitor.delivery.connection import (
    MOST_READ,
    Deadline,
    DeadlineReader,
    DeadlineSocket,
    connect,
    system_addresses,
)


@pytest.fixture
def pair():
    ends = socket.socketpair()
    yield ends
    for end in ends:
        end.close()


def test_a_deadline_that_has_passed_leaves_no_time():
    assert 0 < Deadline(60).left() <= 60
    with pytest.raises(TimeoutError):
        Deadline(0).left()


def test_a_reader_ends_at_its_bound(pair):
    sender, receiver = pair
    sender.sendall(b"x" * 3000)
    reader = DeadlineReader(receiver, Deadline(5), most=1000)
    assert reader.read() == b"x" * 1000


def test_the_bound_is_64_kib():
    assert MOST_READ == 65_536


def test_a_reader_that_waits_ends_at_the_deadline(pair):
    sender, receiver = pair
    sender.sendall(b"abc")
    reader = DeadlineReader(receiver, Deadline(0.05))
    assert reader.read(3) == b"abc"
    with pytest.raises(TimeoutError):
        reader.read(1)


def test_a_sender_whose_peer_reads_nothing_ends_at_the_deadline(pair):
    with pytest.raises(TimeoutError):
        DeadlineSocket(pair[0], Deadline(0.05)).sendall(b"x" * 50_000_000)


class TestConnect:
    def test_an_address_that_is_silent_leaves_time_for_the_next(self, monkeypatch):
        tried = []

        def create(address, timeout):
            tried.append((address, timeout))
            if address[0] == "2606:4700::1":
                raise TimeoutError
            return "connected"

        monkeypatch.setattr(connection.socket, "create_connection", create)
        assert connect(["2606:4700::1", "1.1.1.1"], 443, Deadline(10)) == "connected"
        assert [address for address, _ in tried] == [("2606:4700::1", 443), ("1.1.1.1", 443)]
        assert tried[0][1] <= 5

    def test_at_most_four_addresses_are_tried_and_the_last_failure_counts(self, monkeypatch):
        tried = []

        def create(address, _):
            tried.append(address[0])
            raise ConnectionRefusedError if len(tried) == 4 else TimeoutError

        monkeypatch.setattr(connection.socket, "create_connection", create)
        with pytest.raises(ConnectionRefusedError):
            connect([f"1.1.1.{number}" for number in range(9)], 443, Deadline(10))
        assert tried == [f"1.1.1.{number}" for number in range(4)]


def test_addresses_of_the_system_are_distinct():
    assert list(system_addresses("127.0.0.1", 80)) == ["127.0.0.1"]
