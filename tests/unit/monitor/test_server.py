"""The process: its logs are one JSON object a line, and its settings those that are documented."""

import io
import json
import logging
import subprocess
import sys
import threading
import warnings

import pytest

from roclab.monitor import server
from roclab.monitor.api.connection import Connection
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings

EVIL = 'x"}\n{"level": "fake"}\r\x1b[2J\x00\u2028\u202eé'


@pytest.fixture
def log(monkeypatch):
    """What is written, as lines; the state of logging is put back."""
    root = logging.getLogger()
    named = [logging.getLogger(name) for name in ("roclab.monitor", "uvicorn.error", "")]
    levels, handlers, hook = [one.level for one in named], root.handlers, threading.excepthook
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    server._log_as_json()
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    logging.captureWarnings(False)
    root.handlers, threading.excepthook = handlers, hook
    for one, level in zip(named, levels, strict=True):
        one.setLevel(level)


def test_a_record_is_an_object_on_a_line(log):
    logging.getLogger("roclab.monitor").info("alert %s fires", EVIL, extra={"sentence": EVIL})
    (found,) = log()
    assert found["message"] == f"alert {EVIL} fires"
    assert found["sentence"] == EVIL
    assert found["level"] == "info"
    assert found["time"].endswith("+00:00")


def test_lines_are_ascii():
    record = logging.makeLogRecord({"msg": EVIL, "model": EVIL, "levelname": "INFO"})
    line = server._JSONLines().format(record)
    assert line.isascii()
    assert line.isprintable()


def test_a_failure_has_its_trace(log):
    try:
        raise ZeroDivisionError(EVIL)
    except ZeroDivisionError:
        logging.getLogger("roclab.monitor").exception("a request failed")
    (found,) = log()
    assert found["level"] == "error"
    assert "ZeroDivisionError" in found["trace"]


def test_what_others_log_and_warn_of_has_the_same_form(log):
    logging.getLogger("asyncio").error("a task\nfailed")
    logging.getLogger("asyncio").info("unimportant")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("a\nwarning", stacklevel=1)
    assert [one["level"] for one in log()] == ["error", "warning"]


def test_a_thread_that_fails_is_logged(log):
    thread = threading.Thread(target=lambda: 1 / 0, name="roclab-writer")
    thread.start()
    thread.join()
    (found,) = log()
    assert (found["message"], found["thread_name"]) == ("a thread failed", "roclab-writer")
    assert "ZeroDivisionError" in found["trace"]


def test_bad_requests_do_not_fill_the_log(log):
    logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    logging.getLogger("uvicorn.error").error("Exception in ASGI application")
    assert [one["level"] for one in log()] == ["error"]


def test_settings_of_uvicorn(tmp_path):
    settings = Settings(data=tmp_path)
    service = Service(settings)
    try:
        config = server._Server(settings, service, print, print, None).config
    finally:
        service.stop()
    assert config.http is Connection
    assert config.ws == "none"
    assert config.h11_max_incomplete_event_size == 16 * 1024
    assert config.timeout_keep_alive == Connection.SECONDS
    assert not config.proxy_headers  # or anybody could name the address he comes from
    assert not config.server_header
    assert not config.access_log  # addresses name models


def test_two_interrupts_while_it_starts_end_it_without_a_word(tmp_path):
    code = f"""
import signal
from dataclasses import replace
from pathlib import Path
from roclab.monitor.server import run
from roclab.monitor.settings import Settings

def say(_):
    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)

settings = Settings(data=Path({str(tmp_path)!r}))
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    run(replace(settings, server=replace(settings.server, port=0)), say=say)
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("interrupted\n", "")
    assert not (tmp_path / "monitor.sqlite-wal").exists()  # the store was closed
