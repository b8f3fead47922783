"""The process: the application behind uvicorn, its logs, and its first token."""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from socket import socket

import uvicorn

from roclab.errors import InputError
from roclab.monitor.api.access import is_loopback
from roclab.monitor.api.app import application
from roclab.monitor.demo import Demo
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings

_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
_SLOW_HEADERS = 10  # seconds that a connection may be idle


def run(settings: Settings, *, demo: bool = False, say: Callable[[str], None] = print) -> None:
    """Serve until the process is asked to end.

    Parameters
    ----------
    settings : Settings
        All settings.
    demo : bool
        Whether to show a living fleet, in a directory of its own that is removed at the end.
    say : callable
        Tells people where the page is, and the first token.
    """
    if not demo:
        _serve(settings, say, None)
        return
    with tempfile.TemporaryDirectory(prefix="roclab-demo-") as directory:
        _serve(replace(settings, data=Path(directory)), say, Demo())


def _serve(settings: Settings, say: Callable[[str], None], demo: Demo | None) -> None:
    _log_as_json()
    if demo is not None:
        settings = demo.settings(settings)
    service = Service(settings, environment=dict(os.environ))
    try:
        if demo is not None:
            demo.fill(service.installation)
        config = uvicorn.Config(
            application(settings, service),
            host=settings.server.host,
            port=settings.server.port,
            log_config=None,
            access_log=False,
            timeout_keep_alive=_SLOW_HEADERS,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=5,
        )
        server = _Server(config, service, say, demo)
        server.run()
    except SystemExit:
        service.stop()
        raise InputError(
            found="The address {host}, port {port}, cannot be listened at",
            fix="Another program may use it: choose another by --port.",
            host=settings.server.host,
            port=settings.server.port,
        ) from None


class _Server(uvicorn.Server):
    """Says where it is once it listens."""

    def __init__(
        self,
        config: uvicorn.Config,
        service: Service,
        say: Callable[[str], None],
        demo: Demo | None,
    ) -> None:
        super().__init__(config)
        self._service, self._say, self._demo = service, say, demo

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if not self.started:
            return
        host = self._service.settings.server.host
        port = self.servers[0].sockets[0].getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        self._say(f"the monitor is at http://{shown}:{port}")
        if not is_loopback(host) and not self._service.tokens():
            # In a thread: it waits for the writing thread, and this one must go on.
            threading.Thread(target=self._first_token, daemon=True).start()
        if self._demo is not None:
            self._say("this is a demonstration; it ends, and is forgotten, with Ctrl-C")
            self._demo.start(self._service)

    def _first_token(self) -> None:
        secret = self._service.create_token("first", "admin")
        self._say(f"the first token, shown this once: {secret}")


class _JSONLines(logging.Formatter):
    """One JSON object a line."""

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
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JSONLines())
    for name in ("roclab.monitor", "uvicorn.error"):
        log = logging.getLogger(name)
        log.handlers, log.propagate = [handler], False
        log.setLevel(logging.INFO if name == "roclab.monitor" else logging.WARNING)
