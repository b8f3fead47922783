"""Receivers on 127.0.0.1 that do what tests say: HTTP, raw sockets and SMTP."""

import base64
import shutil
import socket
import ssl
import subprocess
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer

import pytest

from roclab.monitor.delivery import Notification

# It stands in URLs, keys and passwords, and must be in nothing that people or logs see.
CANARY = "s3cr3tCANARY"

# What clients may call a model, a segment or its value.
HOSTILE_NAMES = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<!channel> <@U123> <!here|x> <https://evil.example|click>",
    "[click](https://evil.example) ![x](https://evil.example/x.png)",
    "*bold* _italic_ ~gone~ `code` > quote :boom:",
    "<at>everyone</at> {{DATE(2026-01-01)}} ${x} {0} %s %(x)s",
    "credit\r\nBcc: victim@example.org\r\n\r\nbody",
    "credit\n.\nMAIL FROM:<x>",
    "credit\u2028next\u2029\x85\x0b\x0cend",
    "\x1b[31mred\x1b]0;title\x07\x9b2J",
    "photo\u202egnp.exe\u2066\u200f\ufeff",
    "nul\x00 del\x7f",
    "lone\ud800surrogate\udfff",
    "=?utf-8?q?Bcc=3A?= ?=",
    "'; DROP TABLE alert; --",
    "../../etc/passwd",
    "\U0001f4a9" * 600,
    "a" * 5000,
    "&" * 3000,
    " ",
]


def notification(**changes):
    """An alarm of a model."""
    values = {
        "key": "credit/region/north/change/1700000000000000",
        "kind": "firing",
        "severity": "alarm",
        "model": "credit",
        "stream": "credit, region north",
        "title": "credit, region north: change fires",
        "text": "credit, region north ranks worse since 2026-03-01: its AUC fell from 0.801 to "
        "0.702, the mean of 7 days.",
        "facts": (("since", "2026-03-01T00:00:00Z"), ("AUC", "0.801 to 0.702")),
        "since": "2026-03-01T00:00:00Z",
        "at": "2026-03-08T00:00:05Z",
        "link": "https://monitor.example.org/alerts/7",
        "details": {"kind": "change", "n": 7},
    }
    return Notification(**{**values, **changes})


@dataclass
class Received:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """What a receiver of HTTP heard, and what it answers: status, headers, body; the last again."""

    port: int = 0
    received: list[Received] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str], bytes]] = field(
        default_factory=lambda: [(200, {}, b"ok")]
    )

    def url(self, path="/hook", scheme="http", host="127.0.0.1"):
        return f"{scheme}://{host}:{self.port}{path}"


class _QuietHTTP(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Clients that leave are what tests are about."""


@contextmanager
def http_receiver(*answers, tls=None):
    """A receiver of HTTP, with TLS if a context is given."""
    known = Receiver()
    if answers:
        known.answers = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def setup(self):
            if tls is not None:
                self.request.settimeout(5)
                self.request = tls.wrap_socket(self.request, server_side=True)
            super().setup()

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            known.received.append(Received(self.path, dict(self.headers.items()), body))
            status, headers, content = (
                known.answers.pop(0) if len(known.answers) > 1 else known.answers[0]
            )
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST

        def finish(self):
            super().finish()
            if tls is not None:
                self.request.close()

        def log_message(self, *_):
            """Nothing."""

    with _QuietHTTP(("127.0.0.1", 0), Handler) as server:
        known.port = server.server_address[1]
        with _running(server):
            yield known


class _Quiet(ThreadingTCPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Clients that leave are what tests are about."""


@contextmanager
def raw_receiver(talk):
    """A server that calls `talk(socket)` for each connection; yields its port."""

    class Handler(BaseRequestHandler):
        def handle(self):
            self.request.settimeout(5)
            with suppress(OSError):
                talk(self.request)

    with _Quiet(("127.0.0.1", 0), Handler) as server, _running(server):
        yield server.server_address[1]


@contextmanager
def _running(server):
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join(5)


def closed_port():
    """A port that nothing listens at."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@dataclass
class Mailbox:
    """What a mail server heard."""

    port: int = 0
    commands: list[str] = field(default_factory=list)
    messages: list[bytes] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)  # of each message


@contextmanager
def mail_server(replies=None, *, starttls=None, implicit=None, login=False):
    """A mail server; `replies` by the first word of a command take the place of the usual ones.

    A list of replies is used up one by one.
    """
    replies, box = replies or {}, Mailbox()

    def talk(sock):
        encrypted = implicit is not None
        if implicit is not None:
            sock = implicit.wrap_socket(sock, server_side=True)
        reader = sock.makefile("rb")

        def say(text):
            sock.sendall(text.encode() + b"\r\n")

        say(replies.get("CONNECT", "220 mail.test ESMTP"))
        while line := reader.readline():
            command = line.decode().rstrip("\r\n")
            box.commands.append(command)
            word = command.split(" ")[0].upper()
            if word in replies:
                reply = replies[word]
                say(reply if isinstance(reply, str) else reply.pop(0))
                continue
            if word == "EHLO":
                offers = ["mail.test"]
                offers += ["STARTTLS"] if starttls is not None and not encrypted else []
                offers += ["AUTH PLAIN"] if login else []
                say("\r\n".join(f"250-{one}" for one in offers) + "\r\n250 8BITMIME")
            elif word == "STARTTLS":
                say("220 go ahead")
                reader.close()
                sock = starttls.wrap_socket(sock, server_side=True)
                reader, encrypted = sock.makefile("rb"), True
            elif word == "AUTH":
                _, user, password = base64.b64decode(command.split(" ")[2]).decode().split("\0")
                box.logins.append((user, password))
                say("235 welcome")
            elif word == "DATA":
                say("354 go on")
                content = b""
                while (line := reader.readline()) not in (b".\r\n", b""):
                    content += line.removeprefix(b".")
                box.messages.append(content)
                box.encrypted.append(encrypted)
                say("250 queued")
            elif word == "QUIT":
                say("221 bye")
                break
            else:
                say("250 ok")
        reader.close()
        sock.close()

    with raw_receiver(talk) as port:
        box.port = port
        yield box


@dataclass(frozen=True)
class Certificate:
    """A self-signed certificate for localhost and hooks.example.com."""

    certificate: Path
    key: Path

    def server(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context

    def client(self):
        """A context that trusts this certificate and checks names."""
        return ssl.create_default_context(cafile=self.certificate)


def make_certificate(directory):
    """Make a certificate with the program openssl, or skip."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("needs the program openssl to make a certificate")
    made = Certificate(directory / "certificate.pem", directory / "key.pem")
    names = "subjectAltName=DNS:localhost,DNS:hooks.example.com,IP:127.0.0.1"
    options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    files = ["-keyout", str(made.key), "-out", str(made.certificate)]
    done = subprocess.run(
        [program, *options.split(), "-subj", "/CN=localhost", "-addext", names, *files],
        capture_output=True,
        check=False,
        timeout=60,
    )
    if done.returncode:
        pytest.skip("this openssl cannot make a certificate")
    return made
