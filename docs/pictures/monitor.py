"""Draw monitor_overview.png, _model.png, _why.png, _import.png and _phone.png.

The page in Chromium: models of the demonstration, and examples/history.csv as it is imported, at
hours that are fixed, so that the same pictures come out. It needs `make .venv/.done/group-browser`
and Chromium.
"""

import contextlib
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from socket import create_server

import uvicorn
from playwright.sync_api import Browser, FloatRect, sync_playwright

from roclab.monitor.api.app import application
from roclab.monitor.demo import Demo
from roclab.monitor.history import read_history
from roclab.monitor.installation import Installation
from roclab.monitor.replay import replay
from roclab.monitor.service import Service
from roclab.monitor.settings import Settings
from roclab.streaming.calendar import microseconds

HERE = Path(__file__).parent
HISTORY = HERE.parents[1] / "examples" / "history.csv"
DEMO_TIME = datetime(2026, 6, 18, 15, 30, tzinfo=UTC)
AFTER_HISTORY = datetime(2026, 5, 10, 8, tzinfo=UTC)


def fill_with_history(installation: Installation) -> None:
    """Do what `roclab monitor import` does in the tutorial."""
    history = read_history(
        HISTORY,
        label="paid_late",
        score="risk",
        time="decided_at",
        label_time="known_on",
        segments=["region"],
        now=installation.now(),
        limits=installation.settings.limits,
    )
    replay(installation, "credit", history)


@contextlib.contextmanager
def served(
    settings: Settings, now: datetime, fill: Callable[[Installation], None]
) -> Iterator[str]:
    """A monitor whose clock stands still; its address."""
    service = Service(settings, clock=lambda: microseconds(now), environment={})
    fill(service.installation)
    app = application(settings, service)
    with create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, ws="none", log_config=None))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        while not server.started:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        app.state.context.stopping.set()
        server.should_exit = True
        thread.join()


def picture(
    browser: Browser,
    page: str,
    now: datetime,
    name: str,
    size: tuple[int, int],
    sections: Sequence[str] = (),
) -> None:
    """A screenshot of the beginning of a page, or of sections that follow each other."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="light",
        reduced_motion="reduce",
    )
    context.clock.set_fixed_time(now)
    opened = context.new_page()
    opened.goto(page)
    opened.wait_for_selector("main:not([aria-busy]) h1")
    opened.wait_for_timeout(1000)
    clip: FloatRect | None = None
    if sections:
        boxes = [opened.locator(f"#{one}").bounding_box() for one in sections]
        top = min(one["y"] for one in boxes if one) - 24
        bottom = max(one["y"] + one["height"] for one in boxes if one) + 24
        clip = {"x": 0, "y": top, "width": size[0], "height": bottom - top}
    opened.screenshot(path=HERE / f"monitor_{name}.png", full_page=bool(sections), clip=clip)
    context.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        made_up, imported = (Path(folder) / name for name in ("made-up", "imported"))
        made_up.mkdir()
        imported.mkdir()
        demo = Demo()
        with served(demo.settings(Settings(data=made_up)), DEMO_TIME, demo.fill) as address:
            fraud = f"{address}/models/fraud"
            picture(browser, f"{address}/", DEMO_TIME, "overview", (1200, 690))
            picture(browser, fraud, DEMO_TIME, "model", (1200, 1080))
            picture(browser, fraud, DEMO_TIME, "why", (1200, 900), ["changed", "segments"])
            picture(browser, fraud, DEMO_TIME, "phone", (390, 844))
        with served(Settings(data=imported), AFTER_HISTORY, fill_with_history) as address:
            picture(browser, f"{address}/models/credit", AFTER_HISTORY, "import", (1200, 960))
        browser.close()
