"""Draw report_desktop.png and report_phone.png: the report of the example scores in Chromium.

It needs `make .venv/.done/group-browser` and Chromium.
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from roclab.cli import main

HERE = Path(__file__).parent
SCORES = HERE.parents[1] / "examples" / "scores.csv"


def picture(browser: Browser, page: str, name: str, width: int, height: int, scheme: str) -> None:
    """A screenshot of the page, on the phone of its decision panel."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    opened = context.new_page()
    opened.goto(page)
    if width < 500:
        opened.evaluate("document.querySelector('.decision').parentElement.scrollIntoView()")
    opened.screenshot(path=HERE / f"report_{name}.png")
    context.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder) / "report.html"
        main(["report", str(SCORES), "--label", "malignant", "--by", "size", "-o", str(report)])
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        picture(browser, report.as_uri(), "desktop", 1120, 1480, "light")
        picture(browser, report.as_uri(), "phone", 390, 1180, "dark")
        browser.close()
