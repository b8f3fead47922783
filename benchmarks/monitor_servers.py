"""Servers that are measured: the monitor as it is started, with a clock, and an empty endpoint."""

from __future__ import annotations

import asyncio
import http.client
import mmap
import os
import queue
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, Response

from benchmarks.monitor_load import HOST
from roclab.monitor.api.app import application
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings

START_SECONDS = 300.0
STOP_SECONDS = 60.0
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
_TIME = struct.Struct("<q")


class Server:
    """A process that serves, until it is told to end.

    Parameters
    ----------
    command : sequence of str
        What to start, after the Python that runs this.
    log : Path
        Where its output goes.
    """

    def __init__(self, command: Sequence[str], log: Path) -> None:
        self._log = log
        begin = time.perf_counter()
        with open(log, "wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, *command],
                stdout=output,
                stderr=output,
                cwd=Path(__file__).parents[1],
            )
        try:
            self.port = self._wait(self._port)
            self._wait(self._is_ready)
        except BaseException:
            self.kill()
            raise
        self.start_seconds = time.perf_counter() - begin

    @classmethod
    def monitor(cls, data: Path, *options: str) -> Server:
        """``roclab monitor serve`` on a directory."""
        command = ["-m", "roclab", "monitor", "serve", "--data", str(data), "--port", "0"]
        return cls([*command, *options], data.with_suffix(".log"))

    @classmethod
    def of_this_module(cls, kind: str, data: Path) -> Server:
        """``clocked`` or ``empty``, on a directory."""
        return cls(["-m", "benchmarks.monitor_servers", kind, str(data)], data.with_suffix(".log"))

    def _wait(self, found: Callable[[], Any]) -> Any:
        end = time.perf_counter() + START_SECONDS
        while time.perf_counter() < end:
            if self._process.poll() is not None:
                break
            value = found()
            if value:
                return value
            time.sleep(0.005)
        raise RuntimeError(f"{self._process.args} does not serve: {self._log.read_text()[-2000:]}")

    def _port(self) -> int | None:
        found = _ADDRESS.search(self._log.read_text())
        return int(found[1]) if found else None

    def _is_ready(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=START_SECONDS)
        with closing(connection), suppress(OSError):
            connection.request("GET", "/readyz")
            with connection.getresponse() as answer:
                return answer.status == 200
        return False

    @property
    def pid(self) -> int:
        """Its id."""
        return self._process.pid

    def rss(self) -> int:
        """Memory that it has now, in bytes."""
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self.pid}/status").read_text())
        return 1024 * int(found[1]) if found else 0

    def cpu_seconds(self) -> float:
        """Processor time that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It does nothing meanwhile, so that what it left for later costs nobody else."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.pid, signal.SIGCONT)

    def stop(self) -> None:
        """Ask it to end."""
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it without warning."""
        self._process.kill()
        self._process.wait(STOP_SECONDS)


class SharedClock:
    """A time that one process sets and another reads.

    Parameters
    ----------
    file : Path
        Where it is kept.
    """

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.write_bytes(bytes(mmap.PAGESIZE))
        with open(file, "r+b") as opened:
            self._shared = mmap.mmap(opened.fileno(), mmap.PAGESIZE)

    def set(self, at: int) -> None:
        """Set the time, in microseconds since 1970."""
        _TIME.pack_into(self._shared, 0, at)

    def __call__(self) -> int:
        """The time that was set last."""
        return int(_TIME.unpack_from(self._shared, 0)[0])


def clock_file(data: Path) -> Path:
    """Where the clock of a directory is kept."""
    return data.with_suffix(".clock")


class GroupCommit:
    """Commits a tiny transaction for all requests that wait, with one wake-up for all of them."""

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._file = data / "empty.sqlite"
        self._waiting: queue.SimpleQueue[asyncio.Future[None]] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def commit(self) -> asyncio.Future[None]:
        """A future that is done when the next transaction is durable."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.put(future)
        return future

    def _run(self) -> None:
        connection = sqlite3.connect(self._file, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS number (n INTEGER)")
        while True:
            group = [self._waiting.get()]
            with suppress(queue.Empty):
                while True:
                    group.append(self._waiting.get_nowait())
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO number VALUES (?)", (len(group),))
            connection.execute("COMMIT")
            group[0].get_loop().call_soon_threadsafe(_all_done, group)


def _all_done(group: list[asyncio.Future[None]]) -> None:
    for future in group:
        if not future.done():
            future.set_result(None)


def empty_app(data: Path) -> FastAPI:
    """An endpoint that does nothing but wait until a transaction is durable."""
    app = FastAPI(openapi_url=None)
    group = GroupCommit(data)

    @app.post("/v1/predictions")
    @app.post("/v1/labels")
    async def empty(request: Request) -> Response:
        await request.body()
        await group.commit()
        return Response(b"{}", media_type="application/json")

    @app.get("/readyz")
    def readyz() -> Response:
        return Response(b"{}", media_type="application/json")

    return app


def _run(app: FastAPI) -> None:
    """Serve as the monitor does."""
    listening = socket.create_server((HOST, 0), backlog=2048)
    print(f"at http://{HOST}:{listening.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, proxy_headers=False
    )
    uvicorn.Server(config).run([listening])


def main(kind: str, directory: str) -> None:
    """Serve ``clocked``, the monitor with a clock that is set from outside, or ``empty``."""
    data = Path(directory)
    if kind == "empty":
        _run(empty_app(data))
        return
    settings = Settings(data=data)
    service = Service(settings, clock=SharedClock(clock_file(data)))
    _run(application(settings, service))


if __name__ == "__main__":
    main(*sys.argv[1:])
