"""A real browser, where there is one, and monitors that it visits."""

import os
import shutil
from functools import partial

import pytest

CHROMIUM = os.environ.get("ROCLAB_CHROMIUM") or shutil.which("chromium")
# The page asks for nothing; neither should the browser itself.
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium; name one in ROCLAB_CHROMIUM")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield running
        running.close()


@pytest.fixture(scope="session")
def fleet(tmp_path_factory):
    """The store of a made-up fleet; to be copied by whoever changes it."""
    pytest.importorskip("fastapi", reason="the extra monitor is not installed")
    from tests.browser.monitored import make_fleet

    directory = tmp_path_factory.mktemp("fleet") / "data"
    directory.mkdir()
    make_fleet(directory)
    return directory


@pytest.fixture(scope="module")
def monitor(fleet, tmp_path_factory):
    """A monitor of the fleet, for tests that change nothing."""
    from tests.browser.monitored import Monitored

    directory = tmp_path_factory.mktemp("monitor") / "data"
    shutil.copytree(fleet, directory)
    with Monitored(directory) as running:
        yield running


@pytest.fixture
def make_monitor(fleet, tmp_path):
    """A function that starts a monitor of a copy of the fleet, or of nothing."""
    from tests.browser.monitored import Monitored

    opened = []

    def make(*, empty=False, **options):
        directory = tmp_path / f"data-{len(opened)}"
        directory.mkdir() if empty else shutil.copytree(fleet, directory)
        opened.append(Monitored(directory, **options))
        opened[-1].start()
        return opened[-1]

    yield make
    for one in opened:
        one.stop()


@pytest.fixture
def visit(browser):
    """A function that gives a monitor to a visitor."""
    from tests.browser.monitored import Visitor

    return partial(Visitor, browser)
