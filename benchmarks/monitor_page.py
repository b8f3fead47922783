"""The monitor's page while events come: long tasks of its main thread, in Chromium's trace.

It shows an overview of many models, and a model with ten segments over a long time, while 1,000
events a second arrive and someone scrolls and moves over the charts. Tasks are measured by the
clock, and by processor time: a task that waits for a processor is long by the clock, and only a
machine with nothing else to do measures that.

It needs ``make .venv/.done/group-browser`` and Chromium.
"""

from __future__ import annotations

import json
import shutil
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.monitor_events import QUICK, Size
from benchmarks.monitor_load import HOST, Sender
from benchmarks.monitor_reads import build_history
from benchmarks.monitor_servers import Server
from benchmarks.monitor_store import FIGURES, figure
from benchmarks.tables import Row, Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RECENT_DAYS = 70  # more than the overview shows
SEGMENTS = 10
PER_SECOND, BATCHES = 1000, 4
LONG = 50.0  # milliseconds
CATEGORIES = ["toplevel", "devtools.timeline"]
Tasks = list[tuple[float, float]]


def page(folder: Path, _: Sender, size: Size) -> Table:
    """Long tasks of the overview of many models, and of the page of one over a long time."""
    title = f"The page in Chromium, while {PER_SECOND:,} events a second come"
    chromium = shutil.which("chromium")
    if find_spec("playwright") is None or chromium is None:
        note = "Not measured: it needs make .venv/.done/group-browser, and Chromium."
        return Table(title=title, columns=FIGURES, rows=[], notes=[note])
    from playwright.sync_api import sync_playwright

    many, long = folder / "page-many", folder / "page-long"
    build_history(many, size.overview_models, 0, min(RECENT_DAYS, size.overview_days))
    build_history(long, 1, SEGMENTS, size.overview_days)
    seconds = 3.0 if size is QUICK else 30.0
    rows: list[Row] = []
    with sync_playwright() as player:
        browser = player.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for name, data, of_model in (
            (f"overview of {size.overview_models} models", many, False),
            (f"a model with {SEGMENTS} segments over {size.overview_days} days", long, True),
        ):
            rows += _measured(browser, data, name, of_model, seconds)
        browser.close()
    return Table(
        title=title,
        columns=FIGURES,
        rows=rows,
        notes=[
            f"{seconds:g} s of each page, without a graphics processor. Tasks of the main thread, "
            "by processor time unless it says otherwise."
        ],
    )


def _measured(browser: Browser, data: Path, name: str, of_model: bool, seconds: float) -> list[Row]:
    server = Server.monitor(data)
    try:
        address = f"http://{HOST}:{server.port}"
        names = [one["model"] for one in _get(f"{address}/v1/models")["models"]]
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        weight = _weighed(page)
        with _traced(browser, page, address) as opening:
            path = f"/models/{urllib.parse.quote(names[0], safe='')}" if of_model else "/"
            page.goto(address + path)
            page.wait_for_selector("main:not([aria-busy]) h1")
            page.wait_for_timeout(2000)
        files, answers = (weight[one] / 1024 for one in ("files", "answers"))
        sent = [0]
        begin = time.monotonic()
        with _traced(browser, page, address) as living, _sending(address, names, sent):
            rng = np.random.default_rng(0)
            while time.monotonic() < begin + seconds:
                # Someone uses it: scrolls, and moves over the chart.
                page.mouse.wheel(0, 300)
                page.mouse.move(300 + 400 * rng.random(), 300 + 200 * rng.random())
                page.wait_for_timeout(150)
            rate = sent[0] / (time.monotonic() - begin)
        page.close()
    finally:
        server.stop()
    return [
        figure(f"{name}: files of the page", files, "KB", "< 200"),
        figure(f"{name}: first answers", answers, "KB"),
        figure(f"{name}: events that came", rate, "a second", f"{PER_SECOND:,}"),
        *_figures(f"{name}, opening", opening),
        *_figures(f"{name}, while events come", living),
    ]


def _figures(case: str, tasks: Tasks) -> list[Row]:
    clock, work = (max(one) for one in zip(*tasks, strict=True))
    return [
        figure(f"{case}: longest task", work, "ms", f"<= {LONG:g}"),
        figure(f"{case}: longest task by the clock", clock, "ms"),
    ]


def _weighed(page: Page) -> dict[str, float]:
    """Bytes that a page receives, counted as they come: its own files, and answers."""
    counted = {"files": 0.0, "answers": 0.0}
    addresses: dict[str, str] = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def begun(event: dict[str, Any]) -> None:
        addresses[event["requestId"]] = event["response"]["url"]

    def came(event: dict[str, Any]) -> None:
        kind = "answers" if "/v1/" in addresses.get(event["requestId"], "") else "files"
        counted[kind] += event["encodedDataLength"]

    session.on("Network.responseReceived", begun)
    session.on("Network.loadingFinished", came)
    return counted


@contextmanager
def _traced(browser: Browser, page: Page, address: str) -> Iterator[Tasks]:
    """Tasks of the page's main thread meanwhile, by the clock and by processor time, in ms."""
    tasks: Tasks = []
    browser.start_tracing(page=page, categories=CATEGORIES)
    try:
        yield tasks
    finally:
        events = json.loads(browser.stop_tracing())["traceEvents"]
        # Chromium has pages of its own, in other processes: that of this page runs its scripts.
        mains = {
            (one["pid"], one["tid"])
            for one in events
            if one["name"] == "FunctionCall"
            and one["args"].get("data", {}).get("url", "").startswith(address)
        }
        # A task can contain another one; only the outer one delays what comes after it.
        runs = [
            one
            for one in events
            if one["name"] in ("RunTask", "ThreadControllerImpl::RunTask")
            and (one["pid"], one["tid"]) in mains
            and "dur" in one
        ]
        end = 0
        for one in sorted(runs, key=lambda one: (one["ts"], -one["dur"])):
            if one["ts"] >= end:
                end = one["ts"] + one["dur"]
                tasks.append((one["dur"] / 1000, one.get("tdur", one["dur"]) / 1000))


def _get(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return json.loads(answer.read())


@contextmanager
def _sending(address: str, names: list[str], sent: list[int]) -> Iterator[None]:
    """Send events of all models meanwhile, at a pace."""
    stopping = threading.Event()
    problems: list[Exception] = []

    def send() -> None:
        try:
            send_all()
        except Exception as error:
            problems.append(error)

    def send_all() -> None:
        rng = np.random.default_rng(0)
        number, begin = 0, time.monotonic()
        while not stopping.is_set():
            rows = []
            for _ in range(PER_SECOND // BATCHES):
                number += 1
                positive = bool(rng.random() < 0.3)
                rows.append(
                    {
                        "model": names[number % len(names)],
                        "id": f"live-{number}",
                        "score": float(1 / (1 + np.exp(-rng.normal() - 1.5 * positive))),
                        "label": int(positive),
                        "segments": {"region": f"region {number % SEGMENTS}"},
                    }
                )
            body = json.dumps(rows).encode()
            request = urllib.request.Request(
                f"{address}/v1/predictions", body, {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=60) as answer:
                sent[0] += json.loads(answer.read())["accepted"]
            stopping.wait(max(0.0, begin + number / PER_SECOND - time.monotonic()))

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()
    if problems:
        raise problems[0]
