"""The monitor's page without a mouse."""

import pytest

pytest.importorskip("fastapi", reason="the extra monitor is not installed")

from tests.browser.monitored import filled, has_text, until


class TestKeyboard:
    """Everything without a mouse."""

    @pytest.fixture
    def page(self, monitor, visit):
        with visit(monitor) as someone:
            yield someone.open("/")

    def focused(self, page):
        return page.evaluate(
            "document.activeElement.id || document.activeElement.textContent.trim().slice(0, 40)"
        )

    def test_tab_order_and_skip_link(self, page):
        until(page, "document.querySelectorAll('.models .figure').length === 6")
        order = []
        for _ in range(7):
            page.keyboard.press("Tab")
            order.append(self.focused(page))
        assert order[:5] == ["Skip to content", "roclab monitor", "Models", "Alerts", "Status"]
        assert order[5] == "filter"
        assert order[6].startswith("model-")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        page.evaluate("document.activeElement.blur()")
        page.reload()
        filled(page)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert self.focused(page) == "filter"

    def test_a_slash_filters_and_a_link_opens(self, page):
        page.keyboard.press("/")
        assert self.focused(page) == "filter"
        page.keyboard.type("fra")
        until(page, "document.querySelectorAll('tbody tr:not([hidden])').length === 1")
        page.keyboard.type("/")
        assert page.locator("#filter").input_value() == "fra/"
        page.keyboard.press("Backspace")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        has_text(page, "h1", "fraud")
        assert self.focused(page) == "main"

    def test_arrows_in_the_chart(self, page):
        page.goto(page.url + "models/fraud")
        filled(page)
        page.locator(".chart").focus()
        page.keyboard.press("ArrowLeft")
        has_text(page, ".readout", "2024-11-12: AUC")
        page.keyboard.press("ArrowLeft")
        has_text(page, ".readout", "2024-11-11: AUC")
        page.keyboard.press("Home")
        has_text(page, ".readout", "2024-10-04: AUC")
        page.keyboard.press("ArrowRight")
        has_text(page, ".readout", "2024-10-05: AUC")
        for _ in range(9):
            page.keyboard.press("Shift+ArrowRight")
        has_text(page, ".readout", "2024-10-14: AUC")
        page.keyboard.press("Enter")
        page.wait_for_url("**from=2024-10-05T00:00Z&to=2024-10-15T00:00Z")
        assert page.evaluate("document.activeElement.className") == "chart"

    def test_a_dialog(self, page):
        page.goto(page.url + "models/fraud")
        filled(page)
        page.locator("#act-note").focus()
        page.keyboard.press("Enter")
        assert self.focused(page) == "reason"
        page.keyboard.press("Shift+Tab")  # what is behind the dialog cannot be reached
        assert page.evaluate("!document.activeElement.closest('main')")
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        assert self.focused(page) == "act-note"

    def test_tables_and_zoom(self, page):
        page.goto(page.url + "models/fraud")
        filled(page)
        page.locator("#auc-numbers summary").focus()
        page.keyboard.press("Enter")
        page.locator("#auc-numbers tbody tr").first.wait_for()
        page.keyboard.press("Tab")
        assert self.focused(page) == "Download CSV"
        page.locator("#zoom").focus()
        page.keyboard.press("Space")
        assert page.locator("#zoom").get_attribute("aria-pressed") == "true"


def test_a_key_before_the_chart_is_drawn_counts(monitor, visit):
    with visit(monitor) as someone:
        someone.context.add_init_script(
            "new MutationObserver((_, observer) => { const one = document.querySelector('.chart');"
            "if (!one) return;"
            "observer.disconnect();"
            "window.undrawn = !one.querySelector('canvas');"
            "one.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' })); })"
            ".observe(document, { childList: true, subtree: true })"
        )
        page = someone.open("/models/fraud")
        has_text(page, ".readout", "2024-11-12: AUC")
        assert page.evaluate("window.undrawn")
