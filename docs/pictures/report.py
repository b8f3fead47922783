"""Draw report_desktop.png, report_decision.png and report_phone.png: a report in Chromium.

It needs `make .venv/.done/group-browser` and Chromium.
"""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from roclab.cli import main

HERE = Path(__file__).parent
SCORES = HERE.parents[1] / "examples" / "scores.csv"
DECISION = "#model=random_forest&miss=20&alarm=1&prevalence=0.1"


def picture(
    browser: Browser, page: str, name: str, size: tuple[int, int], scheme: str, section: str = ""
) -> None:
    """A screenshot of the page, or of what is below the head of one of its sections."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    opened = context.new_page()
    opened.goto(page)
    if section:
        opened.evaluate("(name) => document.getElementById(name).scrollIntoView()", section)
    opened.screenshot(path=HERE / f"report_{name}.png")
    context.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder) / "report.html"
        main(["report", str(SCORES), "--label", "malignant", "--by", "size", "-o", str(report)])
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        address = report.as_uri()
        picture(browser, address, "desktop", (1200, 1260), "light")
        picture(browser, address + DECISION, "decision", (1200, 1020), "light", "curves")
        picture(browser, address, "phone", (390, 844), "dark")
        browser.close()
