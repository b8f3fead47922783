"""A real browser, where there is one."""

import os
import shutil

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
