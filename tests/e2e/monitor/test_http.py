"""The service as a process: tokens, logs, and clients that are slow, many, large or broken."""

import http.client
import json
import re
import resource
import socket
import time
from contextlib import ExitStack, closing

import pytest

from tests.e2e.monitor.process import DEADLINE, Monitor, eventually, run

HOST = "127.0.0.1"
ROW = {"model": "credit", "id": "a", "score": 0.5}
HEAD = b"POST /v1/predictions?model=credit HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.fixture(scope="module")
def monitor(tmp_path_factory):
    directory = tmp_path_factory.mktemp("monitor")
    config = directory / "monitor.toml"
    config.write_text("[limits]\nbody = 100_000\n")
    made = Monitor(directory / "data", config)
    try:
        yield made.start()
    finally:
        made.stop()


@pytest.fixture
def guarded(tmp_path):
    config = tmp_path / "monitor.toml"
    config.write_text("[server]\nrequire_tokens = true\n")
    made = Monitor(tmp_path / "data", config)
    try:
        yield made
    finally:
        made.stop()


def connect(monitor):
    return socket.create_connection((HOST, monitor.port), timeout=DEADLINE)


def read(line):
    """All that comes until the connection is closed."""
    found = bytearray()
    try:
        while part := line.recv(65_536):
            found += part
    except ConnectionResetError:
        pass
    return bytes(found)


def sent(monitor, content):
    """Status and body of the answer to bytes; the connection is closed after them."""
    with connect(monitor) as line:
        line.sendall(content)
        head, _, body = read(line).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def ask(monitor, method, path, token=None, content=None):
    with closing(http.client.HTTPConnection(HOST, monitor.port, timeout=DEADLINE)) as line:
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        line.request(method, path, None if content is None else json.dumps(content), headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read())


@pytest.fixture
def still_answers(monitor):
    """After the test, and whatever it has left open, everybody else is answered."""
    yield
    assert monitor.get("/healthz") == {"status": "ok"}
    assert monitor.get("/readyz")["status"] == "ok"
    name = f"after-{time.monotonic_ns()}"
    status, _, found = monitor.ask("POST", "/v1/predictions", ROW | {"id": name})
    assert (status, found["accepted"]) == (200, 1)


@pytest.mark.usefixtures("still_answers")
class TestBrokenClients:
    def test_large_bodies(self, monitor):
        close = b"Connection: close\r\n"
        length = HEAD + close + b"Content-Length: 100001\r\n\r\n"
        assert sent(monitor, length)[0] == 413
        huge = HEAD + close + b"Content-Length: 99999999999999999999\r\n\r\n"
        assert sent(monitor, huge)[0] == 413
        chunks = HEAD + close + b"Transfer-Encoding: chunked\r\n\r\n" + b"2710\r\n" + b" " * 10_000
        with connect(monitor) as line:
            line.sendall(chunks)
            for _ in range(11):
                line.sendall(b"\r\n2710\r\n" + b" " * 10_000)
            assert b" 413 " in line.recv(65_536)

    def test_slow_headers(self, monitor):
        with ExitStack() as opened:
            lines = [opened.enter_context(connect(monitor)) for _ in range(100)]
            for part in (b"GET /v1/mo", b"dels HTTP/1.1\r\nHo", b"st: x\r\nX: y"):
                for line in lines:
                    line.sendall(part)
                assert monitor.get("/healthz")

    def test_slow_bodies(self, monitor):
        with ExitStack() as opened:
            lines = [opened.enter_context(connect(monitor)) for _ in range(50)]
            for line in lines:
                line.sendall(HEAD + b"Content-Length: 1000\r\n\r\n")
            for _ in range(5):
                for line in lines:
                    line.sendall(b" ")
                assert monitor.get("/healthz")

    def test_large_slow_bodies_do_not_fill_the_memory(self, monitor):
        """Each is allowed, and all together are not."""
        with ExitStack() as opened:
            lines = [opened.enter_context(connect(monitor)) for _ in range(20)]
            for line in lines:
                line.sendall(HEAD + b"Content-Length: 100000\r\n\r\n" + b" " * 90_000)
            time.sleep(0.2)
            answers = []
            for line in lines:
                line.settimeout(0.1)
                try:
                    answers.append(line.recv(65_536))
                except TimeoutError:
                    answers.append(None)
        assert sum(one is None for one in answers) <= 4
        assert sum(one is not None and b" 429 " in one for one in answers) >= 16

    def test_many_idle_connections(self, monitor):
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        with ExitStack() as opened:
            for _ in range(min(1000, soft - 200)):
                opened.enter_context(connect(monitor))
            assert monitor.get("/healthz")
            assert monitor.ask("POST", "/v1/predictions", ROW)[0] == 200

    def test_half_closed(self, monitor):
        body = json.dumps(ROW | {"id": "half"}).encode()
        whole = HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body
        for content in (b"", HEAD, whole[:-5]):
            with connect(monitor) as line:
                line.sendall(content)
                line.shutdown(socket.SHUT_WR)
                assert read(line) == b""
        with connect(monitor) as line:
            line.sendall(whole)
            line.shutdown(socket.SHUT_WR)
            read(line)

        def stored():
            return monitor.ask("POST", "/v1/predictions", ROW | {"id": "half"})[2]["duplicate"]

        assert eventually(stored)

    def test_clients_that_vanish(self, monitor):
        body = json.dumps([ROW | {"id": f"v{one}"} for one in range(100)]).encode()
        whole = HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body
        for cut in range(0, len(whole), 271):
            with connect(monitor) as line:
                line.sendall(whole[:cut])
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")

    def test_requests_in_a_row(self, monitor):
        """All are answered, in their order, also if all come at once."""
        rows = [json.dumps(ROW | {"id": f"p{one}"}).encode() for one in range(50)]
        whole = b"".join(HEAD + b"Content-Length: %d\r\n\r\n" % len(row) + row for row in rows)
        with connect(monitor) as line:
            line.sendall(
                whole + b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            )
            found = read(line)
        assert found.count(b'"accepted":1') == 50
        assert found.count(b"HTTP/1.1 200 OK") == 51

    def test_a_body_that_says_more_than_it_is(self, monitor):
        """What follows is the next request, not a part of this one."""
        smuggled = b"GET /v1/tokens HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        with connect(monitor) as line:
            line.sendall(
                HEAD
                + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX"
                + smuggled
            )
            assert read(line).count(b"HTTP/1.1 200") == 0

    @pytest.mark.parametrize(
        "content",
        [
            b"\x16\x03\x01\x00\xa5",
            b"\x00\xff" * 500,
            b"GET\r\n\r\n",
            b"\r\n" * 10_000,
            b"A" * 100_000,
        ],
        ids=range(5),
    )
    def test_what_is_not_http(self, monitor, content):
        with connect(monitor) as line:
            line.sendall(content)
            found = read(line)
        head, _, body = found.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 ")
        assert list(json.loads(body)) == ["error"]
        assert b"content-security-policy" in head.lower()


def test_headers_of_the_server_say_nothing_about_it(monitor):
    with connect(monitor) as line:
        line.sendall(b"GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        head = read(line).partition(b"\r\n\r\n")[0].lower()
    assert b"\r\nserver:" not in head
    assert b"uvicorn" not in head
    assert b"x-content-type-options: nosniff" in head


def test_other_names_of_this_machine_are_refused(monitor):
    request = b"GET /v1/models HTTP/1.1\r\nHost: attacker.example\r\nConnection: close\r\n\r\n"
    assert sent(monitor, request)[0] == 403


def logged(monitor):
    """The lines of the log, without what people are told."""
    return [line for line in monitor.lines if not line.startswith("note: ")]


def test_every_line_of_the_log_is_an_object(monitor):
    """After all tests above, and names that would break lines."""
    evil = 'x","level":"info"}\n{"level":"fake'
    monitor.ask("POST", "/v1/predictions", [ROW | {"model": evil}, ROW | {"id": evil}])
    sent(
        monitor,
        b"GET /v1/models/%0a%1b[2J HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    )
    for line in logged(monitor):
        found = json.loads(line)
        assert {"time", "level", "message"} <= set(found)
        assert found["level"] != "fake"
        assert line.isascii()
    assert not [line for line in logged(monitor) if "Traceback" in line]


def open_news(monitor, token=None, last=None, until=rb": connected"):
    """A stream of news, read until something comes."""
    line = connect(monitor)
    head = "GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    head += "" if token is None else f"Authorization: Bearer {token}\r\n"
    head += "" if last is None else f"Last-Event-ID: {last}\r\n"
    line.sendall(f"{head}\r\n".encode())
    read_until(line, until)
    return line


def read_until(line, pattern):
    """Read until something comes; return what came."""
    found = b""
    while not re.search(pattern, found):
        part = line.recv(65_536)
        assert part, found
        found += part
    return found.decode()


def first_token(monitor):
    found = eventually(lambda: [line for line in monitor.lines if "the first token" in line])
    assert len(found) == 1
    return re.search(r"rlm_[\w-]{43}", found[0])[0]


def test_the_first_token_is_printed(guarded):
    guarded.start()
    first = first_token(guarded)
    assert ask(guarded, "GET", "/v1/models")[0] == 401
    assert ask(guarded, "GET", "/v1/models", first) == (200, {"models": []})


@pytest.mark.slow
def test_the_first_token_is_printed_once(guarded):
    guarded.start()
    first = first_token(guarded)
    assert guarded.terminate() == 0
    guarded.lines.clear()
    guarded.start()
    assert ask(guarded, "GET", "/v1/tokens", first)[0] == 200
    assert guarded.terminate() == 0
    assert not [line for line in guarded.lines if "rlm_" in line or "token" in line]


@pytest.mark.slow
def test_tokens_are_created_and_revoked_by_the_command(guarded):
    guarded.start()

    def token(*arguments):
        return run("monitor", "token", *arguments, "--data", guarded.directory)

    secrets = {}
    for name, scope in (("loader", "write"), ("page", "read")):
        secrets[name] = token("create", name, "--scope", scope).stdout.strip()
        assert re.fullmatch(r"rlm_[\w-]{43}", secrets[name])

    def status(path, name, content=None):
        method = "GET" if content is None else "POST"
        return ask(guarded, method, path, secrets[name], content)[0]

    eventually(lambda: status("/v1/predictions", "loader", ROW) == 200)
    assert status("/v1/models", "loader") == 403
    eventually(lambda: status("/v1/models", "page") == 200)
    listed = token("list").stdout
    assert "loader: write" in listed
    assert not [one for one in secrets.values() if one in listed]
    with open_news(guarded, secrets["page"]) as line:
        assert token("revoke", "page").returncode == 0
        assert read(line).endswith(b"0\r\n\r\n")  # the stream ends with its token
    eventually(lambda: status("/v1/models", "page") == 401)
    refused = token("create", "a\x1b[31m\nb")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "\x1b" not in refused.stderr
    assert not [line for line in guarded.lines if any(one in line for one in secrets.values())]


@pytest.mark.slow
def test_a_page_resumes_after_a_restart(tmp_path):
    monitor = Monitor(tmp_path / "data").start()
    try:
        with open_news(monitor) as line:
            monitor.ask("POST", "/v1/predictions", ROW)
            text = read_until(line, rb"event: reading\n.*\n.*\n\n")
            assert '"model":"credit"' in text.replace(" ", "")
            last = re.search(r"id: (\S+)", text)[1]
            # A stream that is open does not hold the end up.
            assert monitor.terminate() == 0
            assert read(line).endswith(b"0\r\n\r\n")
        monitor.start()
        with open_news(monitor, last=last, until=rb"event: resync") as line:
            monitor.ask("POST", "/v1/predictions", ROW | {"id": "later"})
            assert "event: reading" in read_until(line, rb"event: reading")
    finally:
        monitor.stop()


@pytest.mark.slow
def test_slow_clients_are_closed_in_the_end(monitor):
    """With the deadlines of the service itself."""
    with ExitStack() as opened:
        silent = opened.enter_context(connect(monitor))
        headers = opened.enter_context(connect(monitor))
        headers.sendall(b"GET / HTTP/1.1\r\n")
        body = opened.enter_context(connect(monitor))
        body.sendall(HEAD + b"Content-Length: 1000\r\n\r\n")
        end = time.monotonic() + 40
        closed, answered = set(), b""
        while len(closed) < 3 and time.monotonic() < end:
            for name, line in (("silent", silent), ("headers", headers), ("body", body)):
                if name in closed:
                    continue
                try:
                    if name == "headers":
                        line.sendall(b"X: y\r\n")
                    if name == "body":
                        line.sendall(b" ")
                    line.settimeout(0.1)
                    part = line.recv(65_536)
                    answered += part if name == "body" else b""
                    if part == b"":
                        closed.add(name)
                except TimeoutError:
                    pass
                except OSError:
                    closed.add(name)
        assert closed == {"silent", "headers", "body"}
        assert b" 408 " in answered
    assert monitor.get("/healthz") == {"status": "ok"}
