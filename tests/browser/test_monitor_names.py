"""Names on the monitor's page: text, whatever they look like."""

import csv
import io
import urllib.parse

import pytest

pytest.importorskip("fastapi", reason="the extra monitor is not installed")

from tests.browser.monitored import NOW, Monitored, filled, rows_at, until
from tests.unit.monitor.fleet import HOUR

ATTACKS = (
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>'&amp;",
    "👩‍🔬 naïve {{7*7}} ${x}",
    "x" * 200,
    "نموذج الاحتيال",
    '=HYPERLINK("attacker.example")',
    "a?b#c&d=e%2F; .. 100 %",
)


@pytest.fixture(scope="class")
def attacked(tmp_path_factory):
    with Monitored(tmp_path_factory.mktemp("attacked")) as running:
        for seed, name in enumerate(ATTACKS):
            rows, labels = rows_at(NOW - HOUR, 40, seed)
            rows = [row._replace(segments=((name[:100], name),), version=name[:50]) for row in rows]
            running.send(name, rows, labels)
        with_deployment = {"model": ATTACKS[0], "version": ATTACKS[1], "note": ATTACKS[0]}
        running.ask("POST", "/v1/deployments", with_deployment)
        yield running


class TestNames:
    def test_on_the_overview_and_the_status_page(self, attacked, visit):
        with visit(attacked, width=390) as someone:
            for path in ("/", "/status"):
                page = someone.open(path)
                page.on("dialog", lambda one: someone.problems.append(one.message))
                links = page.locator("main a")
                until(page, "(n) => document.querySelectorAll('main a').length === n", len(ATTACKS))
                assert {*links.all_text_contents()} == {*ATTACKS}
                assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
                assert page.locator("main img, main script").count() == 0

    @pytest.mark.parametrize("name", ATTACKS, ids=ascii)
    def test_on_the_page_of_a_model(self, attacked, visit, name):
        with visit(attacked, width=390, accept_downloads=True) as someone:
            page = someone.open("/")
            page.on("dialog", lambda one: someone.problems.append(one.message))
            page.get_by_role("link", name=name, exact=True).click()
            until(page, "(name) => document.querySelector('h1')?.textContent === name", name)
            filled(page)
            assert page.title().startswith(name)
            assert urllib.parse.unquote(page.url.rpartition("/")[2]) == name
            page.locator(".multiples svg, .multiples .note").first.wait_for()
            assert page.locator(".multiples strong").inner_text() == f"{name[:100]} {name}"
            assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
            assert page.locator("main img, main script").count() == 0
            page.get_by_role("button", name="Note").click()
            assert name in page.get_by_role("dialog").inner_text()
            page.keyboard.press("Escape")
            page.reload()
            until(page, "(name) => document.querySelector('h1')?.textContent === name", name)

    def test_in_files(self, attacked, visit):
        name = ATTACKS[5]
        with visit(attacked, accept_downloads=True) as someone:
            page = someone.open(f"/models/{urllib.parse.quote(name, safe='')}")
            page.locator("#segments-numbers summary").click()
            with page.expect_download() as found:
                page.locator("#segments-numbers button").click()
            _, row = csv.reader(io.StringIO(found.value.path().read_text("utf-8")))
            # A spreadsheet must not take it for a formula.
            assert row[0] == f"'{name} {name}"
