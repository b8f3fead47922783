"""The process: the application behind uvicorn, its logs, and its first token."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from socket import AF_INET, AF_INET6, create_server, socket
from types import FrameType

import uvicorn

from roclab.errors import InputError
from roclab.monitor.api.access import needs_token
from roclab.monitor.api.app import application
from roclab.monitor.api.connection import Connection
from roclab.monitor.api.context import Context
from roclab.monitor.demo import Demo
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings

Say = Callable[[str], None]

_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
_HEADER_BYTES = 16 * 1024
_GRACE = 5  # seconds that requests under way have at the end


def run(
    settings: Settings,
    *,
    demo: bool = False,
    say: Say = print,
    say_once: Say = print,
) -> None:
    """Serve until the process is asked to end.

    Parameters
    ----------
    settings : Settings
        All settings.
    demo : bool
        Whether to show a living fleet, in a directory of its own that is removed at the end.
    say : callable
        Tells people where the page is.
    say_once : callable
        Tells them the first token, which is never shown again.
    """
    if not demo:
        _serve(settings, say, say_once, None)
        return
    with tempfile.TemporaryDirectory(prefix="roclab-demo-") as directory:
        _serve(replace(settings, data=Path(directory)), say, say_once, Demo())


def _serve(settings: Settings, say: Say, say_once: Say, demo: Demo | None) -> None:
    _log_as_json()
    if demo is not None:
        settings = demo.settings(settings)
    with _listening(settings) as address:  # before work that would be for nothing
        service = Service(settings, environment=dict(os.environ))
        try:
            if demo is not None:
                demo.fill(service.installation)
            _Server(settings, service, say, say_once, demo).run([address])
        except InputError:
            service.stop()
            raise


def _listening(settings: Settings) -> socket:
    host, port = settings.server.host, settings.server.port
    try:
        return create_server((host, port), family=AF_INET6 if ":" in host else AF_INET)
    except OSError as error:
        raise InputError(
            found="The address {host}, port {port}, cannot be listened at: {reason}",
            fix="Choose another by --port, or --host.",
            host=host,
            port=port,
            reason=(error.strerror or str(error)).partition(" (")[0],
        ) from None


class _Server(uvicorn.Server):
    """Says where it is once it listens, and ends streams of news when it is asked to end."""

    def __init__(
        self,
        settings: Settings,
        service: Service,
        say: Say,
        say_once: Say,
        demo: Demo | None,
    ) -> None:
        app = application(settings, service)
        super().__init__(
            uvicorn.Config(
                app,
                host=settings.server.host,
                port=settings.server.port,
                http=Connection,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                timeout_keep_alive=round(Connection.SECONDS),
                timeout_graceful_shutdown=_GRACE,
                h11_max_incomplete_event_size=_HEADER_BYTES,
                server_header=False,
                proxy_headers=False,
            )
        )
        self._context: Context = app.state.context
        self._service, self._say, self._say_once, self._demo = service, say, say_once, demo

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End when asked to. That is no failure, so SIGTERM is not raised again at the end."""
        if sig == signal.SIGTERM:
            self.should_exit = True
        else:
            super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if not self.started:
            return
        server = self._service.settings.server
        port = self.servers[0].sockets[0].getsockname()[1]
        shown = f"[{server.host}]" if ":" in server.host else server.host
        self._say(f"the monitor is at http://{shown}:{port}")
        if needs_token(server) and not self._service.tokens():
            # In a thread: it waits for the writing thread, and this one must go on.
            threading.Thread(target=self._first_token, daemon=True).start()
        if self._demo is not None:
            self._say("this is a demonstration; it ends, and is forgotten, with Ctrl-C")
            self._demo.start(self._service)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """End streams of news, which would go on for ever, and then everything."""
        self._context.stopping.set()
        await super().shutdown(sockets)

    def _first_token(self) -> None:
        secret = self._service.create_token("first", "admin")
        self._say_once(f"the first token, shown this once: {secret}")


class _JSONLines(logging.Formatter):
    """One JSON object a line, in ASCII: what users have named can neither end a line nor hide."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        content: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        content |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
        if record.exc_info:
            content["trace"] = self.formatException(record.exc_info)
        return json.dumps(content, default=str)


def _log_as_json() -> None:
    """Write all logs, warnings and failures of threads to standard error, as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JSONLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.captureWarnings(True)
    log = logging.getLogger("roclab.monitor")
    log.setLevel(logging.INFO)
    # Its warnings are about single requests, which anybody may send in any number.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)

    def failed(found: threading.ExceptHookArgs) -> None:
        name = "" if found.thread is None else found.thread.name
        kind, error, trace = found.exc_type, found.exc_value, found.exc_traceback
        log.error(
            "a thread failed",
            extra={"thread_name": name},
            exc_info=(kind, error or kind(), trace),
        )

    threading.excepthook = failed
