"""Senders: processes of their own that send what was encoded before their clock starts."""

from __future__ import annotations

import http.client
import multiprocessing
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

HOST = "127.0.0.1"
TIMEOUT = 120.0  # seconds to wait for an answer
_SPAWN = multiprocessing.get_context("spawn")

Body = tuple[str, bytes]  # path and content


class RefusedError(Exception):
    """The server did not accept what was sent."""


@dataclass(frozen=True, kw_only=True)
class Sent:
    """What a sender did: seconds by the clock and of its processor, and each answer's delay."""

    seconds: float
    cpu_seconds: float
    delays: list[float]


def send_batches(port: int, bodies: Sequence[Body], connections: int) -> Sent:
    """Send bodies as fast as they are answered, each connection by a thread."""
    rest = iter(bodies)
    return _in_threads(port, connections, lambda: next(rest, None))


def send_paced(
    port: int, bodies: Sequence[Body], connections: int, every: float, stop: Callable[[], bool]
) -> Sent:
    """Send a body at each multiple of `every` seconds, or later if answers do not come."""
    start = time.perf_counter()
    rest = iter(enumerate(bodies))

    def next_body() -> Body | None:
        place, body = next(rest, (0, None))
        while body is not None and not stop():
            early = start + place * every - time.perf_counter()
            if early <= 0:
                return body
            time.sleep(min(early, 0.05))
        return None

    return _in_threads(port, connections, next_body)


def _in_threads(port: int, connections: int, next_body: Callable[[], Body | None]) -> Sent:
    delays: list[float] = []
    problems: list[BaseException] = []
    turn = threading.Lock()

    def work() -> None:
        try:
            connection = http.client.HTTPConnection(HOST, port, timeout=TIMEOUT)
            while not problems:
                with turn:
                    body = next_body()
                if body is None:
                    break
                begin = time.perf_counter()
                post(connection, *body)
                delays.append(time.perf_counter() - begin)
            connection.close()
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work) for _ in range(connections)]
    wall, cpu = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if problems:
        raise problems[0]
    return Sent(seconds=wall, cpu_seconds=cpu, delays=delays)


def post(connection: http.client.HTTPConnection, path: str, body: bytes) -> bytes:
    """Send one body; all its rows must be accepted."""
    connection.request("POST", path, body, {"Content-Type": "application/x-ndjson"})
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200 or b'"duplicate":0,"corrected":0,"rejected":0' not in content:
        raise RefusedError(f"POST {path}: {answer.status} {content[:500]!r}")
    return content


def send_singles(port: int, bodies: Sequence[Body], connections: int) -> Sent:
    """Send each body in a request of its own, over connections that stay open, by one thread."""
    requests = [
        b"POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (path.encode(), port, len(body), body)
        for path, body in bodies
    ]
    rest = iter(requests)
    delays: list[float] = []
    with selectors.DefaultSelector() as selector:
        for _ in range(connections):
            one = socket.create_connection((HOST, port), timeout=TIMEOUT)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(one, selectors.EVENT_READ, [0.0, b""])
        open_ = list(selector.get_map().values())
        wall, cpu = time.perf_counter(), time.process_time()
        for key in open_:
            _send_next(selector, key.fileobj, rest)
        while selector.get_map():
            ready = selector.select(TIMEOUT)
            if not ready:
                raise RefusedError(f"no answer within {TIMEOUT:.0f} s")
            for key, _ in ready:
                began, before = key.data
                answer = before + key.fileobj.recv(65_536)  # type: ignore[union-attr]
                if not _is_whole(answer):
                    key.data[1] = answer
                    continue
                if not answer.startswith(b"HTTP/1.1 200"):
                    raise RefusedError(f"{answer[:500]!r}")
                delays.append(time.perf_counter() - began)
                _send_next(selector, key.fileobj, rest)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Sent(seconds=wall, cpu_seconds=cpu, delays=delays)


def _send_next(selector: selectors.BaseSelector, one: Any, rest: Iterator[bytes]) -> None:
    request = next(rest, None)
    if request is None:
        selector.unregister(one)
        one.close()
        return
    selector.modify(one, selectors.EVENT_READ, [time.perf_counter(), b""])
    one.sendall(request)


def _is_whole(answer: bytes) -> bool:
    head, end, content = answer.partition(b"\r\n\r\n")
    if not end:
        if not answer:
            raise RefusedError("the connection was closed")
        return False
    length = next(
        int(line[15:])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length:")
    )
    return len(content) >= length


class Sender:
    """A process that prepares and sends on command, so that neither costs the measuring one."""

    def __init__(self) -> None:
        self._pipe, other = _SPAWN.Pipe()
        self._stop = _SPAWN.Event()
        self._process = _SPAWN.Process(target=_serve, args=(other, self._stop), daemon=True)
        self._process.start()
        other.close()

    def prepare(self, make: Callable[..., list[Body]], *arguments: Any) -> None:
        """Call a function of a module that makes bodies, and wait until it has."""
        self._ask("prepare", make, arguments)

    def batches(self, port: int, connections: int) -> Sent:
        """Send what was prepared."""
        return self._ask("batches", port, connections)  # type: ignore[no-any-return]

    def singles(self, port: int, connections: int) -> Sent:
        """Send what was prepared, each in a request of its own."""
        return self._ask("singles", port, connections)  # type: ignore[no-any-return]

    @contextmanager
    def pacing(self, port: int, connections: int, every: float) -> Iterator[list[Sent]]:
        """Send what was prepared at a pace, while the block runs; the list then has what was."""
        self._stop.clear()
        self._pipe.send(("paced", (port, connections, every)))
        sent: list[Sent] = []
        try:
            yield sent
        finally:
            self._stop.set()
            sent.append(self._answer())

    def close(self) -> None:
        """End the process."""
        self._stop.set()
        self._pipe.close()
        self._process.join(TIMEOUT)

    def _ask(self, what: str, *arguments: Any) -> Any:
        self._pipe.send((what, arguments))
        return self._answer()

    def _answer(self) -> Any:
        found = self._pipe.recv()
        if isinstance(found, Exception):
            raise found
        return found


def _serve(pipe: Connection, stop: Any) -> None:
    bodies: list[Body] = []
    while True:
        try:
            what, arguments = pipe.recv()
        except EOFError:
            return
        try:
            if what == "prepare":
                make, given = arguments
                bodies = make(*given)
                found: Any = len(bodies)
            elif what == "paced":
                port, connections, every = arguments
                found = send_paced(port, bodies, connections, every, stop.is_set)
            else:
                found = {"batches": send_batches, "singles": send_singles}[what](
                    arguments[0], bodies, arguments[1]
                )
        except Exception as problem:
            found = problem
        pipe.send(found)
