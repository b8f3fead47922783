"""What people do on the monitor's page: acts, tests of channels, links to share, and tokens."""

import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

import pytest

pytest.importorskip("fastapi", reason="the extra monitor is not installed")

from roclab.monitor.alerts import notification_content
from roclab.monitor.delivery.settings import ChannelSettings
from tests.browser.monitored import (
    NOW,
    SETTINGS,
    eventually,
    filled,
    has_text,
    rows_at,
    until,
    with_tokens,
)
from tests.unit.monitor.fleet import HOUR

REFUSED = ("401 (Unauthorized)",)


@pytest.fixture
def monitor(make_monitor):
    """A monitor to be changed."""
    return make_monitor()


def acts(monitor, model="fraud"):
    return monitor.get(f"/v1/models/{model}")["acts"]


def answer(page, button, reason):
    """Open a dialog, give a reason and record it."""
    page.get_by_role("button", name=button).click()
    dialog = page.get_by_role("dialog")
    dialog.locator("#reason").fill(reason)
    dialog.get_by_role("button", name="Record it").click()
    dialog.wait_for(state="detached")


class TestActs:
    def test_mute_and_unmute(self, monitor, visit):
        with visit(monitor) as someone:
            page = someone.open("/models/fraud")
            page.get_by_role("button", name="Mute").click()
            dialog = page.get_by_role("dialog", name="Mute fraud")
            assert page.evaluate("document.activeElement.id") == "reason"
            # A reason is required, also one that is more than blanks.
            dialog.get_by_role("button", name="Record it").click()
            assert dialog.is_visible()
            dialog.locator("#reason").fill("   ")
            dialog.get_by_role("button", name="Record it").click()
            has_text(page, "dialog [role=alert]", "A reason is needed.")
            assert acts(monitor) == []
            dialog.locator("#reason").fill("The feature store is being repaired.")
            dialog.locator("#until").select_option("1 day")
            assert "until 2024-11-14 06:00" in dialog.inner_text()
            dialog.get_by_role("button", name="Record it").click()
            has_text(page, ".title", "muted until 2024-11-14 06:00 UTC")
            (act,) = acts(monitor)
            assert act["kind"] == "mute"
            assert act["author"] == "this machine"
            assert act["until"] == "2024-11-14T06:00:00Z"
            assert act["reason"] == "The feature store is being repaired."
            has_text(page, "#acts", "this machine muted until 2024-11-14 06:00 UTC")
            has_text(someone.open("/"), ".trouble", "muted: delivered to nobody for now")
            page.get_by_role("link", name="Alerts").click()
            has_text(page, "#muted", "fraud: change")
            assert "Nothing fires." in page.inner_text("#firing")
            page.go_back()
            answer(page, "Unmute", "It is repaired.")
            page.get_by_role("button", name="Mute…", exact=True).wait_for()
            assert [one["kind"] for one in acts(monitor)] == ["unmute", "mute"]

    def test_cancel_and_escape_record_nothing(self, monitor, visit):
        with visit(monitor) as someone:
            page = someone.open("/models/fraud")
            for leave in (
                lambda: page.get_by_role("button", name="Cancel").click(),
                lambda: page.keyboard.press("Escape"),
            ):
                page.get_by_role("button", name="Re-base").click()
                page.locator("#reason").fill("never")
                leave()
                page.get_by_role("dialog").wait_for(state="detached")
                assert page.evaluate("document.activeElement.id") == "act-rebase"
            assert acts(monitor) == []

    def test_close(self, monitor, visit):
        with visit(monitor) as someone:
            page = someone.open("/alerts/2")
            answer(page, "Close the alert", "We know.")
            has_text(page, ".title", "ended")
            has_text(page, "#acts", "We know.")
            assert "closed" in page.inner_text("main")
            assert not page.get_by_role("button", name="Close the alert").is_visible()
            page.get_by_role("link", name="Alerts", exact=True).click()
            has_text(page, "#history", "closed")

    def test_note(self, monitor, visit):
        with visit(monitor) as someone:
            page = someone.open("/alerts/1")
            words = "<b>Two</b> lines,\nas they were written"
            answer(page, "Note", words)
            has_text(page, "#acts p", "Two")
            assert page.locator("#acts p").inner_text() == words
            page.get_by_role("link", name="fraud now").click()
            has_text(page, "#acts", "this machine noted")

    def test_re_base(self, monitor, visit):
        with visit(monitor) as someone:
            page = someone.open("/models/fraud")
            answer(page, "Re-base", "The new population is here to stay.")
            has_text(page, ".title", "learning")
            has_text(page, "#notice", "Nothing yet.")
            has_text(page, ".facts", "The reference is still being learned.")

    def test_what_the_service_refuses_is_said_in_the_dialog(self, monitor, visit):
        with visit(monitor, expected=["404"]) as someone:
            page = someone.open("/models/silent")
            page.get_by_role("button", name="Note").click()
            page.locator("#reason").fill("gone")
            monitor.ask("DELETE", "/v1/models/silent")
            page.get_by_role("button", name="Record it").click()
            has_text(page, "dialog [role=alert]", "There is no model")


class Hook(BaseHTTPRequestHandler):
    """A receiver of webhooks, which refuses the first."""

    received = 0

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        type(self).received += 1
        self.send_response(500 if self.received == 1 else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def hook():
    Hook.received = 0
    server = HTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hook"
    server.shutdown()
    thread.join()
    server.server_close()


def test_channels_are_tested_and_deliveries_are_shown(make_monitor, visit, hook):
    channel = ChannelSettings(name="on call", type="webhook", url=hook)
    monitor = make_monitor(
        settings=replace(SETTINGS, alerts=replace(SETTINGS.alerts, channel=(channel,)))
    )
    with visit(monitor, expected=["502"]) as someone:
        page = someone.open("/alerts")
        button = page.get_by_role("button", name="Test on call")
        button.click()
        has_text(page, "#channels [role=status]", "500")
        button.click()
        has_text(page, "#channels [role=status]", "A test was delivered.")
        page.goto(f"{monitor.address}/alerts/1")
        filled(page)
        assert "It was delivered nowhere" in page.inner_text("#deliveries")

        def deliver(at):
            (alert,) = at.store.alerts(number=1)
            content = notification_content(alert, "firing", at.now(), None)
            at.store.add_delivery(1, "on call", "firing", content, at.now())

        monitor.service.call(deliver).result()
        eventually(lambda: monitor.get("/v1/alerts/1")["deliveries"][0]["state"] == "delivered")
        page.reload()
        has_text(page, "#deliveries", "2024-11-13 06:00")
        row = page.locator("#deliveries tbody td").all_inner_texts()
        assert row == ["on call", "firing", "delivered", "1", "2024-11-13 06:00", ""]


class TestShare:
    def share(self, page):
        page.get_by_role("button", name="Share this page").click()
        return page.get_by_label("Link that can only read").input_value()

    def test_a_link_reads_and_nothing_else_until_it_is_revoked(self, monitor, visit):
        with visit(monitor) as owner, visit(monitor, expected=REFUSED) as guest:
            mine = owner.open("/models/fraud?last=30d")
            link = self.share(mine)
            assert link.startswith(f"{monitor.address}/models/fraud?last=30d#share=")
            parts = urlsplit(link)
            theirs = guest.open(f"{parts.path}?{parts.query}#{parts.fragment}")
            # The secret leaves the address at once, and is sent in no address.
            assert theirs.url == f"{monitor.address}/models/fraud?last=30d"
            secret = parts.fragment.partition("=")[2]
            assert not any(secret in one for one in guest.requests)
            assert theirs.inner_text("h1") == "fraud"
            assert theirs.locator(".chart canvas").first.is_visible()
            for name in ("Mute", "Close the alert", "Re-base", "Note", "Share this page"):
                assert theirs.get_by_role("button", name=name).count() == 0
            assert "you can read, and change nothing" in theirs.inner_text("footer")
            theirs.get_by_role("link", name="Alerts", exact=True).click()
            has_text(theirs, "#firing", "fraud: change")
            theirs.reload()
            filled(theirs)
            assert "change nothing" in theirs.inner_text("footer")
            # It is revoked while it is open.
            mine.get_by_role("button", name="Revoke").click()
            has_text(mine, "footer", "The link was revoked.")
            has_text(theirs, "h1", "This link is no longer valid")
            assert "fraud" not in theirs.inner_text("main")
            theirs.reload()
            has_text(theirs, "h1", "This link is no longer valid")
            assert mine.inner_text("h1") == "fraud"

    def test_the_token_has_the_scope_read(self, monitor, visit):
        with visit(monitor) as owner:
            secret = self.share(owner.open("/")).partition("#share=")[2]
            assert monitor.get("/v1/models", token=secret)["models"]
            with pytest.raises(AssertionError, match="this needs admin"):
                monitor.ask(
                    "POST",
                    "/v1/models/fraud/acts",
                    {"kind": "note", "reason": "no"},
                    token=secret,
                )


class TestTokens:
    @pytest.fixture
    def guarded(self, make_monitor):
        return make_monitor(settings=with_tokens(SETTINGS))

    def test_the_form_and_a_wrong_token(self, guarded, visit):
        secret = guarded.service.create_token("me", "read")
        with visit(guarded, expected=REFUSED) as someone:
            page = someone.open("/models/fraud")
            assert page.inner_text("h1") == "A token is needed"
            assert page.evaluate("document.activeElement.id") == "token"
            page.locator("#token").fill("wrong")
            page.get_by_role("button", name="Open").click()
            has_text(page, "[role=alert]", "The token is not valid.")
            # What is typed stays, though the page goes on trying.
            page.locator("#token").fill(secret)
            page.wait_for_timeout(1500)
            assert page.locator("#token").input_value() == secret
            page.keyboard.press("Enter")
            has_text(page, "h1", "fraud")
            filled(page)
            assert page.url.endswith("/models/fraud")
            # It lasts as long as the tab, and its news come.
            page.reload()
            has_text(page, "h1", "fraud")
            before = page.locator(".figure").first.inner_text()
            guarded.send("fraud", *rows_at(NOW - HOUR, 300))
            until(page, "(one) => document.querySelector('.figure').textContent !== one", before)

    def test_a_token_that_may_not_read(self, guarded, visit):
        secret = guarded.service.create_token("client", "write")
        with visit(guarded, expected=["401", "403"]) as someone:
            page = someone.open("/")
            page.locator("#token").fill(secret)
            page.get_by_role("button", name="Open").click()
            has_text(page, "[role=alert]", "has the scope write, and this needs read")

    def test_a_token_that_is_revoked_while_the_page_is_open(self, guarded, visit):
        secret = guarded.service.create_token("me", "read")
        with visit(guarded, expected=REFUSED) as someone:
            page = someone.open("/")
            page.locator("#token").fill(secret)
            page.get_by_role("button", name="Open").click()
            has_text(page, ".models", "fraud")
            guarded.service.revoke_token("me")
            has_text(page, "h1", "A token is needed")

    def test_no_token_is_in_the_lines_of_an_empty_page(self, make_monitor, visit):
        monitor = make_monitor(empty=True, settings=with_tokens(SETTINGS))
        secret = monitor.service.create_token("me", "admin")
        with visit(monitor, expected=REFUSED) as someone:
            page = someone.open("/")
            page.locator("#token").fill(secret)
            page.keyboard.press("Enter")
            has_text(page, "main", "Waiting for the first event")
            lines = page.inner_text("main")
            assert 'token="…"' in lines
            assert "Authorization: Bearer …" in lines
            assert secret not in lines
