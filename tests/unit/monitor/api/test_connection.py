"""Connections that send slowly, read slowly, or are many, with deadlines to wait for."""

import asyncio
import json
import logging
import socket
import threading
import time

import pytest
import uvicorn

from roclab.monitor.api.connection import Connection
from roclab.monitor.api.errors import HEADERS

HOST = "127.0.0.1"
SECONDS = 0.4
DEADLINE = 10.0
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
LARGE = b"x" * 40_000_000


class Soon(Connection):
    SECONDS = SECONDS
    MOST = 20


async def application(scope, receive, send):
    """Answers at once, or after the body, or slowly, or much."""
    if scope["type"] != "http":
        return
    path = scope["path"]
    if path == "/body":
        while (await receive()).get("more_body"):
            pass
    if path == "/slow":
        await asyncio.sleep(3 * SECONDS)
    body = LARGE if path == "/large" else b"good"
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(scope="module")
def server():
    config = uvicorn.Config(
        application, host=HOST, port=0, http=Soon, lifespan="off", log_config=None
    )
    made = uvicorn.Server(config)
    thread = threading.Thread(target=made.run)
    thread.start()
    end = time.monotonic() + DEADLINE
    while not made.started and time.monotonic() < end:
        time.sleep(0.01)
    made.port = made.servers[0].sockets[0].getsockname()[1]
    yield made
    made.should_exit = True
    thread.join()


@pytest.fixture
def connect(server):
    opened = []

    def make():
        opened.append(socket.create_connection((HOST, server.port), timeout=DEADLINE))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def read(line):
    """All that comes until the connection is closed."""
    found = bytearray()
    try:
        while part := line.recv(65_536):
            found += part
    except ConnectionResetError:
        pass
    return bytes(found)


def read_answer(line):
    """One answer of the application above."""
    found = b""
    while not found.endswith(b"good") and (part := line.recv(65_536)):
        found += part
    return found


def answered(server):
    with socket.create_connection((HOST, server.port), timeout=DEADLINE) as line:
        line.sendall(HEAD + b"Connection: close\r\n\r\n")
        return read(line).endswith(b"good")


class TestSlowHeaders:
    def test_none(self, server, connect):
        assert read(connect()) == b""
        assert answered(server)

    def test_byte_by_byte(self, connect):
        """Each byte is early enough, and all together are not."""
        line = connect()
        line.settimeout(0.02)
        sent = 0
        try:
            for byte in (HEAD + b"X: y\r\n" * 1000)[:1000]:
                line.sendall(bytes([byte]))
                sent += 1
                try:
                    if line.recv(1) == b"":
                        break
                except TimeoutError:
                    pass
        except OSError:
            pass
        assert 1 < sent < 500

    def test_after_an_answer(self, connect):
        line = connect()
        line.sendall(HEAD + b"\r\n")
        assert read_answer(line).endswith(b"good")
        line.sendall(HEAD)
        assert read(line) == b""

    def test_a_connection_is_kept_between_requests(self, connect, monkeypatch):
        monkeypatch.setattr(Soon, "SECONDS", 2.0)
        line = connect()
        for _ in range(4):
            line.sendall(HEAD + b"\r\n")
            assert read_answer(line).endswith(b"good")
            time.sleep(0.7)

    def test_an_answer_may_take_longer(self, connect):
        line = connect()
        line.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert read(line).endswith(b"good")


def test_the_rest_of_a_body_that_was_not_wanted_has_a_deadline(connect):
    line = connect()
    line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
    assert read_answer(line).endswith(b"good")
    end = time.monotonic() + DEADLINE
    closed = False
    while not closed and time.monotonic() < end:
        try:
            line.sendall(b"x")
            time.sleep(0.02)
        except OSError:
            closed = True
    assert closed


class TestSlowReaders:
    def test_an_answer_that_is_not_read_is_given_up(self, server, connect):
        line = connect()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        end = time.monotonic() + DEADLINE
        while not server.server_state.connections and time.monotonic() < end:
            time.sleep(0.01)
        while server.server_state.connections and time.monotonic() < end:
            time.sleep(0.05)
        assert not server.server_state.connections

    def test_a_slow_one_that_reads_on_gets_it_all(self, connect):
        """Reading takes several times as long as a client may be silent."""
        line = connect()
        line.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        found = 0
        while part := line.recv(500_000):
            found += len(part)
            time.sleep(SECONDS / 20)
        assert found > len(LARGE)


class TestMany:
    def test_idle_ones_make_room(self, server, connect):
        lines = [connect() for _ in range(100)]
        assert answered(server)
        assert len(server.server_state.connections) <= Soon.MOST
        assert read(lines[0]) == b""

    def test_the_oldest_goes_first(self, connect, monkeypatch):
        monkeypatch.setattr(Soon, "SECONDS", 60.0)
        oldest = connect()
        time.sleep(0.05)
        others = [connect() for _ in range(Soon.MOST)]
        assert read(oldest) == b""
        others[0].sendall(HEAD + b"\r\n")
        assert read_answer(others[0]).endswith(b"good")

    def test_those_that_are_answered_stay(self, server, connect):
        busy = connect()
        busy.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        time.sleep(0.05)
        for _ in range(3 * Soon.MOST):
            connect()
        assert read(busy).endswith(b"good")
        assert answered(server)


class TestNotHTTP:
    @pytest.mark.parametrize(
        "sent",
        [
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
            b"GET /\r\n\r\n",
            b"\x00" * 100,
            b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\n X: y\r\nbad line\r\n\r\n",
            b"GET / HTTP/1.1\r\n\r\n",  # no host
            b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1_0\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 20_000,
            b"GET /" + b"a" * 20_000,
            b"GET / HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n",
            b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        ],
        ids=range(16),
    )
    def test_the_answer_has_the_shape_of_all_errors(self, server, connect, sent):
        line = connect()
        line.sendall(sent)
        head, _, body = read(line).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 ")
        assert list(json.loads(body)) == ["error"]
        for name, value in HEADERS.items():
            assert f"{name}: {value}".lower() in head.decode().lower()
        assert answered(server)

    def test_after_an_answer_the_connection_ends(self, server, connect, caplog):
        """The second answer to one request would be the answer to the next one."""
        line = connect()
        with caplog.at_level(logging.ERROR):
            line.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            found = read_answer(line)
            line.sendall(b"no chunk\r\n")
            found += read(line)
        assert found.count(b"HTTP/1.1") == 1
        assert answered(server)
        assert not caplog.records

    def test_in_the_middle_of_a_body(self, server, connect):
        line = connect()
        line.sendall(b"POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno\r\n")
        assert read(line).startswith(b"HTTP/1.1 400 ")
        assert answered(server)

    def test_upgrades_are_no_reason_to_log(self, server, connect, caplog):
        line = connect()
        with caplog.at_level(logging.ERROR):
            line.sendall(
                HEAD + b"Connection: Upgrade, close\r\nUpgrade: websocket\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            assert read(line).endswith(b"good")
        assert answered(server)
        assert not caplog.records


def test_requests_in_a_row_are_answered_in_their_order(connect):
    line = connect()
    line.sendall((HEAD + b"\r\n") * 49 + HEAD + b"Connection: close\r\n\r\n")
    assert read(line).count(b"HTTP/1.1 200 OK") == 50


def test_requests_in_a_row_and_then_garbage(server, connect):
    line = connect()
    line.sendall((HEAD + b"\r\n") * 5 + b"garbage\r\n\r\n")
    found = read(line)
    assert found.count(b"HTTP/1.1 200 OK") == 5
    assert found.count(b"HTTP/1.1 400 ") == 1
    assert answered(server)


def test_half_closed(server, connect):
    line = connect()
    line.sendall(HEAD)
    line.shutdown(socket.SHUT_WR)
    assert read(line) == b""
    assert answered(server)


def test_reset(server, connect):
    for _ in range(20):
        line = connect()
        line.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        line.close()
    assert answered(server)
