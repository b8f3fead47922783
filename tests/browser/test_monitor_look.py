"""How the monitor's page looks: axe, widths, colours, names and tables of pictures."""

import io
import time

import numpy as np
import pytest
from matplotlib.image import imread

pytest.importorskip("fastapi", reason="the extra monitor is not installed")

from tests.browser.monitored import DEADLINE, Visitor, has_text, until

PAGES = (
    *("/", "/status", "/alerts", "/alerts/1", "/alerts/2", "/models/fraud?last=30d"),
    *("/models/churn", "/models/learner", "/models/silent", "/models/challenger/comparison"),
)
# Where the page has no margins left to spare, and where it has too many.
WIDTHS = (390, 768, 900, 1200, 2560)


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip("axe_playwright_python.sync_playwright").Axe()


@pytest.fixture(scope="module", params=["light", "dark"])
def visitor(request, browser, monitor):
    with Visitor(browser, monitor, color_scheme=request.param) as someone:
        yield someone


@pytest.fixture
def opened(visitor):
    """A function that opens an address, for one test."""
    pages = []

    def open_page(path="/"):
        pages.append(visitor.open(path))
        return pages[-1]

    yield open_page
    for one in pages:
        one.close()


def drawn(page, unfolded=".folded"):
    """Wait until all pictures are drawn, the folded ones unfolded."""
    page.evaluate(
        "(all) => { for (const one of document.querySelectorAll(all)) one.open = true; }", unfolded
    )
    until(page, "[...document.querySelectorAll('.picture')].every((one) => one.firstChild)")
    until(
        page, "[...document.querySelectorAll('.chart')].every((one) => one.querySelector('canvas'))"
    )


def check(axe, page):
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_violations(opened, axe, path):
    page = opened(path)
    drawn(page)
    check(axe, page)


def test_states_have_no_violations(opened, axe):
    page = opened("/models/fraud")
    page.get_by_role("button", name="Mute").click()
    page.locator("#reason").fill(" ")
    page.get_by_role("button", name="Record it").click()
    has_text(page, "dialog [role=alert]", "A reason is needed.")
    check(axe, page)
    page.keyboard.press("Escape")
    page.evaluate("document.body.classList.add('stale')")
    page.evaluate("document.getElementById('connection').textContent = 'Not connected since then.'")
    check(axe, page)
    page.evaluate("document.body.classList.remove('stale')")
    page.locator("#changed-numbers summary").click()
    page.locator("#changed-numbers td").first.wait_for()
    check(axe, page)
    page = opened("/")
    page.locator("#filter").fill("nothing of this name")
    has_text(page, "main", "No model matches.")
    check(axe, page)


def test_an_empty_page_and_a_form_have_no_violations(make_monitor, visit, axe):
    with visit(make_monitor(empty=True), expected=["404", "401"]) as someone:
        check(axe, someone.open("/"))
        check(axe, someone.open("/status"))
        page = someone.open("/models/nothing")
        check(axe, page)
        page.route("**/v1/models", lambda one: one.fulfill(status=401, json={"error": "No."}))
        page.get_by_role("link", name="All models").click()
        has_text(page, "h1", "A token is needed")
        check(axe, page)


def test_a_shared_link_has_no_violations(make_monitor, visit, axe):
    with visit(make_monitor(), width=390) as someone:
        page = someone.open("/")
        page.get_by_role("button", name="Share this page").click()
        page.locator("#share-link").wait_for()
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
        check(axe, page)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_is_wider_than_its_window(monitor, visit, path):
    with visit(monitor) as someone:
        page = someone.open(path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            drawn(page)
            until(page, "(width) => document.scrollingElement.scrollWidth <= width", width)
            # Nothing is squeezed: each model has room for its sentence.
            assert page.evaluate(
                "[...document.querySelectorAll('td.name')].every((one) => one.clientWidth > 200)"
            )
            # The column is no wider than the design says, and charts use all of it.
            box = page.locator("main").bounding_box()
            assert box["width"] <= 1120
            until(
                page,
                "(room) => [...document.querySelectorAll('.chart .u-wrap')]"
                ".every((one) => one.clientWidth >= room - 1)",
                box["width"],
            )


def test_the_ground_is_that_of_the_scheme(opened, visitor):
    page = opened("/")
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == ("rgb(20, 21, 24)" if dark else "rgb(252, 252, 251)")
    assert visitor


def colors(page):
    """Colours of the canvas of the main chart, by how often they are used."""
    return page.evaluate(
        # From a copy, since Chromium warns of those who read a canvas twice.
        "() => { const one = document.querySelector('.chart canvas');"
        "const copy = new OffscreenCanvas(one.width, one.height).getContext('2d');"
        "copy.drawImage(one, 0, 0);"
        "const { data } = copy.getImageData(0, 0, one.width, one.height);"
        "const found = {};"
        "for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) {"
        "  const key = `${data[i]},${data[i + 1]},${data[i + 2]}`;"
        "  found[key] = (found[key] ?? 0) + 1; }"
        "return Object.entries(found).sort((a, b) => b[1] - a[1]).map(([key]) => key); }"
    )


def test_a_scheme_that_changes_redraws_the_chart(monitor, visit):
    with visit(monitor, color_scheme="light") as someone:
        page = someone.open("/models/fraud")
        assert "11,99,165" in colors(page)[:6]  # data, light
        page.emulate_media(color_scheme="dark")
        until(page, "matchMedia('(prefers-color-scheme: dark)').matches")
        end = time.monotonic() + DEADLINE
        while "108,180,240" not in colors(page)[:6]:  # data, dark
            assert time.monotonic() < end, colors(page)[:6]
            page.wait_for_timeout(25)


def test_forced_colors(monitor, visit):
    with visit(monitor, forced_colors="active", color_scheme="dark") as someone:
        page = someone.open("/models/fraud")
        drawn(page)
        probe = "(name) => getComputedStyle(document.querySelector(name)).color"
        text = page.evaluate(probe, "h1")
        link = page.evaluate(probe, "main a")
        # Charts have the reader's colours, not ours.
        drawn_with = colors(page)[:8]
        assert link.removeprefix("rgb(").rstrip(")").replace(" ", "") in drawn_with
        assert "108,180,240" not in drawn_with
        stroke = page.evaluate(
            "getComputedStyle(document.querySelector('.multiples .curve')).stroke"
        )
        assert stroke in (link, text)


def test_nothing_moves_for_those_who_prefer_it(make_monitor, visit):
    with visit(make_monitor(empty=True)) as someone:
        page = someone.open("/")
        assert page.evaluate("document.getAnimations().length") == 0


def test_every_picture_has_a_name_and_a_table(opened):
    page = opened("/models/fraud")
    drawn(page, "details")
    unnamed = page.evaluate(
        "[...document.querySelectorAll('svg, .chart')]"
        ".filter((one) => !one.ariaLabel && !one.getAttribute('aria-label')).length"
    )
    assert unnamed == 0
    for part in ("over-time", "changed", "segments", "labels", "shapes", "calibration"):
        rows = page.locator(f"#{part} .numbers tbody tr")
        rows.first.wait_for()
        assert rows.count() > 2, part


@pytest.mark.parametrize(
    ("model", "last"),
    # Until now; after a long silence, a quarter more than there is.
    [("fraud", "2024-11-13"), ("challenger", "2024-10-18")],
)
def test_charts_go_on_after_the_last_cohort(opened, model, last):
    page = opened(f"/models/{model}")
    page.locator(".multiples svg").first.wait_for()
    ticks = page.locator(".multiples svg").first.locator(".tick").all_text_contents()
    assert ticks[2:] == ["2024-10-04", last]


def test_a_shadow_shows_where_a_table_goes_on(opened):
    page = opened("/models/fraud?last=30d")
    page.set_viewport_size({"width": 390, "height": 900})
    page.locator("#auc-numbers summary").click()
    page.locator("#auc-numbers tbody tr").first.wait_for()
    table = page.locator("#auc-numbers .scroll")

    def shadows():
        """Whether the left and the right edge, above the first row, differ from the ground."""
        row = imread(io.BytesIO(table.screenshot()))[2, :, :3]
        ground = np.median(row, axis=0)
        return [bool(np.abs(row[at] - ground).max() > 0.05) for at in (1, -2)]

    assert shadows() == [False, True]
    table.evaluate("(one) => { one.scrollLeft = one.scrollWidth; }")
    assert shadows() == [True, False]
