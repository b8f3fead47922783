"""The monitor's page while things happen: first events, alerts, lost connections, other tabs."""

import contextlib
import io
import re

import pytest

pytest.importorskip("fastapi", reason="the extra monitor is not installed")

from tests.browser.monitored import DAYS, NOW, eventually, filled, has_text, rows_at, until
from tests.unit.monitor.fleet import DAY, HOUR, START, maker

REFUSED = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE")


def marked(page):
    """Mark a page, to notice later that it was not loaded again."""
    page.evaluate("window.marked = true")


def is_marked(page):
    return page.evaluate("window.marked === true")


class TestFirstVisit:
    def test_the_lines_that_the_page_shows_work_and_it_changes_by_itself(self, make_monitor, visit):
        monitor = make_monitor(empty=True, now=None)
        with visit(monitor) as someone:
            page = someone.open("/")
            marked(page)
            assert "Waiting for the first event" in page.inner_text("main")
            assert not page.locator("#filter").is_visible()
            python, shell, *_ = page.locator("pre").all_inner_texts()
            assert "Stop this service meanwhile" in page.inner_text("main")
            assert monitor.address in python
            with contextlib.redirect_stdout(io.StringIO()):
                exec(python, {})
            page.get_by_role("link", name="credit").wait_for()
            assert is_marked(page)
            assert "Waiting" not in page.inner_text("main")
            # The line for curl says the same to the same address.
            body = re.search(r"-d '(.*)'$", shell)[1]
            assert f"{monitor.address}/v1/predictions -d" in shell
            assert monitor.service.installation.models["credit"].record.last_prediction
            assert '"model": "credit"' in body

    def test_copying(self, make_monitor, visit):
        with visit(
            make_monitor(empty=True), permissions=["clipboard-read", "clipboard-write"]
        ) as v:
            page = v.open("/")
            page.get_by_role("button", name="Copy three lines of Python").click()
            has_text(page, "button", "Copied")
            copied = page.evaluate("navigator.clipboard.readText()")
            assert copied == page.locator("pre").first.inner_text()

    def test_nothing_on_the_other_pages(self, make_monitor, visit):
        with visit(make_monitor(empty=True)) as someone:
            page = someone.open("/status")
            assert "No models yet" in page.inner_text("h1")
            page.get_by_role("link", name="Alerts").click()
            has_text(page, "main", "Nothing fires.")
            assert "No alert has ended yet." in page.inner_text("main")

    def test_what_does_not_exist(self, make_monitor, visit):
        with visit(make_monitor(empty=True), expected=["404"]) as someone:
            page = someone.open("/models/nothing")
            assert page.inner_text("h1") == "Not found"
            assert "nothing" in page.inner_text("main p")
            page.get_by_role("link", name="All models").click()
            has_text(page, "main", "Waiting")
            assert someone.open("/alerts/77").inner_text("h1") == "Not found"


def test_drill_down_and_back_without_loading(monitor, visit):
    with visit(monitor) as someone:
        page = someone.open("/")
        marked(page)
        page.get_by_role("link", name="fraud", exact=True).click()
        has_text(page, "h1", "fraud")
        filled(page)
        assert page.title() == "▲ fraud · roclab monitor"
        page.get_by_role("link", name="The alert as it was").click()
        has_text(page, "h1", "fraud: change")
        page.locator("#then canvas").first.wait_for()
        page.get_by_role("link", name="fraud now").click()
        has_text(page, "h1", "fraud")
        page.go_back()
        has_text(page, "h1", "fraud: change")
        page.go_back()
        page.go_back()
        has_text(page, "h1", "Models")
        assert is_marked(page)


def test_the_first_look_answers_all_five_questions(monitor, visit):
    with visit(monitor) as someone:
        page = someone.open("/")
        has_text(page, ".models", "What to do")
        # Which model, since when, for whom: in the sentence. Why, and what to do: in its row.
        sentence = page.inner_text("p.sentence")
        assert sentence.startswith("fraud ranks worse since 2024-11-03, for region north.")
        row = page.locator(".models tbody tr").first.inner_text()
        assert "It is the ranking" in row
        assert "What to do: See what changed for region north around 2024-11-03" in row
        page.get_by_role("link", name="fraud", exact=True).click()
        filled(page)
        questions = page.locator(".answers dt").all_inner_texts()
        assert questions == ["Since", "For whom", "Why", "What to do"]
        answers = page.locator(".answers dd").all_inner_texts()
        assert answers[0].startswith("2024-11-03, 10 days ago; noticed 2024-11-")
        assert answers[1].startswith("region north, whose AUC fell from 0.8")
        assert answers[2].startswith("The ranking, not the mix")
        assert "Version 2.1 was deployed on 2024-11-02." in answers[3]
        assert "re-base" in answers[3]
        # All of them are on the first screen, and so is the beginning of the chart.
        assert page.locator(".answers").bounding_box()["y"] < 300
        assert page.locator("#over-time").bounding_box()["y"] < 700


class TestEvents:
    def test_an_event_changes_numbers_and_nothing_else(self, make_monitor, visit):
        monitor = make_monitor()
        with visit(monitor) as someone:
            page = someone.open("/models/credit")
            page.wait_for_selector("#shapes svg")
            before = page.locator(".figure").first.inner_text()
            page.evaluate("scrollTo(0, 400)")
            page.locator("#auc-numbers summary").click()
            page.locator("#auc-numbers tbody tr").first.wait_for()
            page.locator("#zoom").focus()
            # Elements that do not change are the same ones afterwards.
            page.evaluate(
                "window.kept = ['h1', '#zoom', '.chart canvas', '#notice', '#auc-numbers']"
                ".map((one) => document.querySelector(one))"
            )
            monitor.send("credit", *rows_at(NOW - HOUR, 200))
            until(page, "(one) => document.querySelector('.figure').textContent !== one", before)
            until(page, "document.querySelectorAll('#auc-numbers tbody tr').length === 41")
            assert page.evaluate("kept.every((one) => one.isConnected)")
            assert page.evaluate("document.activeElement.id") == "zoom"
            assert page.evaluate("scrollY") == 400
            # What was joined of parts is what the whole answer says.
            whole = monitor.get("/v1/models/credit/series")["whole"]
            last = page.locator("#auc-numbers tbody tr").last.locator("td").all_inner_texts()
            assert last[:3] == ["2024-11-13", "open", "200"]
            auc = page.locator("#auc-numbers th").all_inner_texts().index("auc")
            assert float(last[auc]) == pytest.approx(whole["auc"][-1], abs=1e-6)

    def test_only_what_changed_is_asked_for(self, make_monitor, visit):
        monitor = make_monitor()
        with visit(monitor) as someone:
            page = someone.open("/models/credit")
            monitor.send("credit", *rows_at(NOW - HOUR, 20))
            eventually(lambda: page.evaluate("1") and "since=2024-11-13" in someone.requests[-1])
            first, *others = (one for one in someone.requests if "credit/series" in one)
            assert "since" not in first
            assert [one for one in others if "since=2024-11-1" not in one] == []

    def test_a_new_model_appears_while_another_is_filtered(self, make_monitor, visit):
        monitor = make_monitor()
        with visit(monitor) as someone:
            page = someone.open("/")
            page.locator("#filter").fill("new")
            has_text(page, "main", "No model matches.")
            monitor.send("new one", *rows_at(NOW - HOUR))
            page.get_by_role("link", name="new one").wait_for()
            assert page.locator("tbody tr:visible").count() == 1
            assert page.evaluate("document.activeElement.id") == "filter"

    def test_a_model_that_is_forgotten_disappears(self, make_monitor, visit):
        monitor = make_monitor()
        with visit(monitor, expected=["404"]) as someone:
            overview, page = someone.open("/"), someone.open("/models/silent")
            monitor.ask("DELETE", "/v1/models/silent")
            has_text(page, "h1", "Not found")
            until(overview, "document.querySelectorAll('tbody tr').length === 5")


def firing(monitor):
    """Streams with an alert."""
    return [one["stream"] for one in monitor.get("/v1/alerts?firing=true")["alerts"]]


def test_an_alert_fires_and_recovers(make_monitor, visit):
    monitor = make_monitor()
    good, bad = maker(1, count=90), maker(11, count=200, broken_from=0)
    for day in range(DAYS):
        good(day)  # days that the fleet has had
    with visit(monitor) as someone:
        pages = [someone.open(path) for path in ("/", "/models/credit", "/alerts", "/status")]
        for page in pages:
            marked(page)
        overview, model, alerts, status = pages
        assert "credit" not in overview.inner_text("p.sentence")
        assert "1 of 6 models is firing" in status.inner_text("h1")
        days = iter(range(DAYS, DAYS + 40))
        broken = []
        while "credit" not in firing(monitor):
            broken.append(next(days))
            monitor.pass_days("credit", broken[-1:], bad)
        someone.set_clock()
        has_text(overview, "p.sentence", "2 of 6 models need attention: credit and fraud")
        has_text(model, ".title", "firing")
        has_text(model, ".answers", "The ranking")
        assert model.title().startswith("▲")
        has_text(alerts, "#firing", "credit: change")
        has_text(status, "h1", "2 of 6 models are firing")
        while any(one.startswith("credit") for one in firing(monitor)):
            monitor.pass_days("credit", [next(days)], good)
        someone.set_clock()
        has_text(alerts, "#history", "recovered")
        has_text(overview, ".models tr:not(.trouble)", "credit")
        has_text(model, ".title", "ok")
        has_text(model, "#model-alerts", "ended")
        has_text(status, "h1", "is firing")
        assert all(is_marked(page) for page in pages)
        assert broken
        assert next(days) < DAYS + 40


class TestConnection:
    def test_lost_and_resumed(self, make_monitor, visit):
        monitor = make_monitor()
        with visit(monitor, expected=REFUSED) as someone:
            page = someone.open("/models/credit")
            marked(page)
            before = page.locator(".figure").first.inner_text()
            assert page.inner_text("#connection") == ""
            monitor.stop()
            has_text(page, "#connection", "Not connected since 2024-11-13 06:00")
            assert page.evaluate("document.body.classList.contains('stale')")
            # What was known stays on the page.
            assert page.locator(".figure").first.inner_text() == before
            assert page.locator(".chart canvas").first.is_visible()
            monitor.now = NOW + HOUR
            monitor.start()
            monitor.send("credit", *rows_at(NOW, 200))
            until(page, "document.querySelector('#connection').textContent === ''")
            until(page, "(one) => document.querySelector('.figure').textContent !== one", before)
            assert not page.evaluate("document.body.classList.contains('stale')")
            assert is_marked(page)

    def test_a_page_that_was_left_while_the_service_was_away(self, make_monitor, visit):
        monitor = make_monitor()
        with visit(monitor, expected=REFUSED) as someone:
            page = someone.open("/")
            monitor.stop()
            has_text(page, "#connection", "Not connected")
            page.get_by_role("link", name="fraud", exact=True).click()
            monitor.start()
            has_text(page, "h1", "fraud")
            filled(page)
            until(page, "document.querySelector('#connection').textContent === ''")

    def test_news_are_resumed_where_they_ended(self, make_monitor, visit):
        monitor = make_monitor()
        with visit(monitor, expected=REFUSED) as someone:
            asked = []
            page = someone.open("/")
            page.on(
                "request",
                lambda one: (
                    asked.append(one.all_headers().get("last-event-id", ""))
                    if one.url.endswith("/v1/events")
                    else None
                ),
            )
            monitor.send("credit", *rows_at(NOW - HOUR))
            until(page, "(one) => document.body.innerText.includes(one)", "latest 60 minutes ago")
            hide(page)
            until(page, "window.left")
            show(page)
            eventually(lambda: page.evaluate("1") and asked)
            assert re.fullmatch(r"[0-9a-f]{8}-\d+", asked[-1])

    def test_errors_of_the_service_leave_the_page_as_it_is(self, make_monitor, visit):
        monitor = make_monitor()
        with visit(monitor, expected=["503"]) as someone:
            page = someone.open("/models/credit")
            page.route(
                "**/v1/models/credit",
                lambda route: route.fulfill(status=503, json={"error": "The service is busy."}),
            )
            monitor.send("credit", *rows_at(NOW - HOUR))
            has_text(page, "#connection", "Not connected")
            assert page.inner_text("h1") == "credit"
            page.unroute("**/v1/models/credit")
            until(page, "document.querySelector('#connection').textContent === ''")


def hide(page):
    """Let a page think that another tab is in front of it, for longer than it waits."""
    page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
        "const later = window.setTimeout;"
        "window.setTimeout = (work, pause) => later(() => { work(); window.left = true; }, 0);"
        "document.dispatchEvent(new Event('visibilitychange'));"
        "window.setTimeout = later; }"
    )


def show(page):
    page.evaluate(
        "() => { delete document.hidden; document.dispatchEvent(new Event('visibilitychange')); }"
    )


def test_tabs_that_nobody_sees_keep_no_connection(make_monitor, visit):
    """A browser has six connections to a server: eight tabs must not wait for each other."""
    monitor = make_monitor()
    with visit(monitor) as someone:
        pages = []
        for _ in range(8):
            pages.append(someone.open("/status"))
            hide(pages[-1])
            until(pages[-1], "window.left")
        show(pages[0])
        assert "1 of 6 models is firing" in pages[0].inner_text("h1")
        monitor.ask("DELETE", "/v1/models/silent")
        has_text(pages[0], "h1", "1 of 5 models")
        assert "1 of 6 models" in pages[1].inner_text("h1")
        show(pages[1])
        has_text(pages[1], "h1", "1 of 5 models")


def test_days_pass_while_nobody_sends(make_monitor, visit):
    """A model that falls silent says so without any event."""
    monitor = make_monitor()
    with visit(monitor) as someone:
        page = someone.open("/models/credit")
        assert "ok" in page.inner_text(".title")
        monitor.now = START + (DAYS + 3) * DAY
        someone.set_clock()
        monitor.send("learner", *rows_at(monitor.now - HOUR))
        hide(page)
        show(page)
        has_text(page, ".title", "no data")
        has_text(page, ".answers", "See whether predictions are still made and sent")
