"""Numbers of the monitor's page: those of the API, and of the library over the exported rows."""

import csv
import io
import re
import urllib.parse

import pytest

pytest.importorskip("fastapi", reason="the extra monitor is not installed")

import numpy as np

import roclab as rl
from roclab.cli import main
from roclab.streaming.calendar import microseconds
from tests.browser.monitored import Visitor, filled, until
from tests.unit.monitor.fleet import DAY, START

MINUS = "\N{MINUS SIGN}"
SERIES = "/v1/models/fraud/series"
COLUMNS = (
    *("n", "n_labelled", "n_pos", "coverage", "auc", "low", "high", "frozen_auc", "provisional"),
    *("bound_low", "bound_high", "expected_auc", "positive_rate", "mean_score"),
    *("expected_positives", "psi", "psi_critical"),
)


@pytest.fixture(scope="module")
def visitor(browser, monitor):
    with Visitor(browser, monitor, accept_downloads=True) as someone:
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


@pytest.fixture(scope="module")
def page(visitor):
    """The page of a model, opened once; tests leave it as they find it."""
    return visitor.open("/models/fraud")


@pytest.fixture(scope="module")
def exported(monitor, tmp_path_factory):
    """Labels, scores and times of the model, as a user exports them while the service runs."""
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path_factory.mktemp("export") / "rows.parquet"
    options = ["--data", str(monitor.settings.data), "--model", "fraud", "-o", str(path), "-q"]
    assert main(["monitor", "export", *options]) == 0
    table = parquet.read_table(path).to_pydict()
    known = [place for place, label in enumerate(table["label"]) if label is not None]
    times = [microseconds(table["time"][place]) for place in known]
    return (
        np.array([table["label"][place] for place in known], np.uint8),
        np.array([table["score"][place] for place in known]),
        np.array(times),
    )


def downloaded(page, name):
    """The file behind a chart, as rows of texts."""
    details = page.locator(f"#{name}")
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    with page.expect_download() as found:
        details.get_by_role("button", name="Download CSV").click()
    text = found.value.path().read_bytes().decode()
    assert text.endswith("\r\n")
    return list(csv.reader(io.StringIO(text)))


def as_number(text):
    return None if text == "" else float(text)


def facts(page):
    return dict(
        zip(
            page.locator(".fact dt").all_inner_texts(),
            page.locator(".fact dd").all_inner_texts(),
            strict=True,
        )
    )


def test_auc_now_is_that_of_the_library_over_the_exported_rows(page, monitor, exported):
    said = facts(page)["AUC now, last 7 days"]
    labels, scores, times = exported
    recent = times > monitor.now - 7 * DAY
    expected = rl.auc_interval(labels[recent], scores[recent])
    figures = f"{expected.value:.3f}\n[{expected.low:.3f}, {expected.high:.3f}]"
    positive = int(np.count_nonzero(labels[recent]))
    counts = f"{positive:,} positive, {len(labels[recent]) - positive:,} negative"
    assert said == f"{figures}\n{counts}"
    now = monitor.get("/v1/models/fraud")["now"]
    assert said.startswith(f"{now['auc']:.3f}\n[{now['low']:.3f}, {now['high']:.3f}]")


def test_other_facts_are_those_of_the_api(page, monitor):
    whole = monitor.get(SERIES)["whole"]
    mean = np.mean([one for one in whole["frozen_auc"] if one is not None][-7:])
    found = facts(page)
    sign = "+" if mean >= whole["reference"] else MINUS
    difference = f"{sign}{abs(mean - whole['reference']):.3f}"
    assert found["Against the reference"].splitlines() == [
        difference,
        f"{mean:.3f}, last 7 mature days",
        f"{whole['reference']:.3f} in the reference",
    ]
    assert found["Labels known"].startswith("100 %\nof 2024-11-12")
    assert found["Predictions"].startswith(f"{whole['n'][-1]}\nof 2024-11-12")


def test_each_cohort_is_that_of_the_library_over_the_exported_rows(page, exported):
    header, *rows = downloaded(page, "auc-numbers")
    assert header == ["cohort", "state", *COLUMNS]
    assert len(rows) == 40
    for day, row in enumerate(rows):
        labels, scores, times = exported
        mine = times // DAY == START // DAY + day
        expected = rl.auc_interval(labels[mine], scores[mine])
        found = dict(zip(header, row, strict=True))
        assert float(found["auc"]) == expected.value
        assert float(found["low"]) == pytest.approx(expected.low, rel=1e-12)
        assert float(found["high"]) == pytest.approx(expected.high, rel=1e-12)


def test_the_file_of_the_main_chart_is_the_api(page, monitor):
    _, *rows = downloaded(page, "auc-numbers")
    whole = monitor.get(SERIES)["whole"]
    for place, name in enumerate(COLUMNS):
        assert [as_number(row[2 + place]) for row in rows] == whole[name], name
    assert [row[1] == "mature" for row in rows] == whole["mature"]


def test_the_file_of_the_segments_is_the_api(page, monitor):
    header, *rows = downloaded(page, "segments-numbers")
    assert header == ["segment", "cohort", "state", "n", "coverage", "auc", "low", "high"]
    expected = [
        [one[name][i] for name in header[3:]]
        for one in monitor.get(SERIES)["segments"]
        for i in range(len(one["cohort"]))
    ]
    assert [[as_number(one) for one in row[3:]] for row in rows] == expected


def test_the_file_of_the_labels_is_the_api(page, monitor):
    _, *rows = downloaded(page, "labels-numbers")
    classes = monitor.get("/v1/models/fraud/arrival")["classes"]
    expected = [
        [name, second, share]
        for name, one in classes.items()
        for second, share in zip(one["seconds"], one["share"], strict=True)
    ]
    assert [[row[0], float(row[1]), float(row[2])] for row in rows] == expected


def test_the_files_of_the_scores_are_the_api(page, monitor):
    shapes = monitor.get("/v1/models/fraud/distributions")
    _, *rows = downloaded(page, "histogram-numbers")
    edges, histogram = shapes["histogram"]["edges"], shapes["histogram"]
    expected = list(
        zip(edges[:-1], edges[1:], histogram["now"], histogram["reference"], strict=True)
    )
    assert [tuple(map(float, row)) for row in rows] == expected
    _, *rows = downloaded(page, "roc-numbers")
    expected = [
        (name, *pair)
        for name in ("now", "reference")
        for pair in zip(shapes[name]["roc"]["fpr"], shapes[name]["roc"]["tpr"], strict=True)
    ]
    assert [(row[0], float(row[1]), float(row[2])) for row in rows] == expected
    page.locator("#calibration > summary").click()
    _, *rows = downloaded(page, "calibration-numbers")
    columns = ("mean_probability", "observed_rate", "low", "high", "count")
    expected = [
        [shapes[name]["calibration"][column][i] for column in columns]
        for name in ("now", "reference")
        for i in range(len(shapes[name]["calibration"]["count"]))
    ]
    assert [[as_number(one) for one in row[1:]] for row in rows] == expected


def test_the_file_of_the_change_is_the_alert(page, monitor):
    _, *rows = downloaded(page, "changed-numbers")
    (alert,) = (one for one in monitor.get("/v1/alerts")["alerts"] if one["stream"] == "fraud")
    (by,) = alert["why"]["by"]
    parts = [by["difference"], by["ranking"], by["mix"], *(one["share"] for one in by["segments"])]
    assert [float(row[2]) for row in rows] == parts


def test_the_table_behind_a_chart_has_the_same_numbers(page, monitor):
    if page.locator("#auc-numbers").get_attribute("open") is None:
        page.locator("#auc-numbers summary").click()
    cells = page.locator("#auc-numbers tbody tr").last.locator("td").all_inner_texts()
    whole = monitor.get(SERIES)["whole"]
    assert cells[0] == "2024-11-12"
    assert float(cells[2 + COLUMNS.index("auc")]) == pytest.approx(whole["auc"][-1], abs=1e-6)


def test_the_overview_has_the_numbers_of_the_api(opened, monitor):
    page = opened("/")
    until(page, "document.querySelectorAll('.models .figure').length === 6")
    models = {one["model"]: one for one in monitor.get("/v1/models")["models"]}
    names = page.locator(".models td.name a").all_inner_texts()
    assert names == [one["model"] for one in monitor.get("/v1/models")["models"]]
    for row in page.locator(".models tbody tr").all():
        cells = row.locator("td").all_inner_texts()
        one = models[cells[1].splitlines()[0]]
        assert one["status"] in cells[0]
        assert one["sentence"].replace("-0.", f"{MINUS}0.") in cells[1]
        now = one["now"]
        expected = (
            "–\ntoo few labels"  # noqa: RUF001
            if now["auc"] is None
            else f"{now['auc']:.3f}\n[{now['low']:.3f}, {now['high']:.3f}]"
        )
        assert cells[2] == expected


def test_the_difference_of_models_is_the_api(opened, monitor):
    page = opened("/models/challenger/comparison")
    _, *rows = downloaded(page, "comparison-numbers")
    cohorts = monitor.get("/v1/models/challenger/comparison")["cohorts"]
    expected = [one["difference"] and -one["difference"] for one in cohorts]
    assert [as_number(row[1]) for row in rows] == expected
    assert float(page.locator(".figure").first.inner_text().replace(MINUS, "-")) == pytest.approx(
        expected[-1], abs=5e-4
    )


class TestRange:
    """One range of time for all charts, which is a part of the address."""

    def days(self, page):
        """Cohorts in the table behind the main chart."""
        details = page.locator("#auc-numbers")
        if details.get_attribute("open") is None:
            details.locator("summary").click()
        details.locator("tbody tr").first.wait_for()
        return details.locator("tbody tr td:first-child").all_inner_texts()

    def has(self, page, count):
        until(page, "(n) => document.querySelectorAll('#auc-numbers tbody tr').length === n", count)

    def test_presets_and_back(self, opened):
        page = opened("/models/fraud")
        assert len(self.days(page)) == 40
        page.get_by_role("button", name="30 days").click()
        page.wait_for_url("**/models/fraud?last=30d")
        self.has(page, 29)  # today has no predictions yet
        assert page.get_by_role("button", name="30 days").get_attribute("aria-pressed") == "true"
        page.go_back()
        page.wait_for_url("**/models/fraud")
        self.has(page, 40)
        assert page.get_by_role("button", name="All").get_attribute("aria-pressed") == "true"
        page.go_forward()
        self.has(page, 29)

    def test_dragging(self, opened):
        page = opened("/models/fraud")
        assert len(self.days(page)) == 40
        plot = page.locator(".chart .u-over").first
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.26, box["y"] + 50)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.74, box["y"] + 60, steps=4)
        page.mouse.up()
        page.wait_for_url("**from=*&to=*")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).query)
        # About a quarter of forty days at each end, and whole days.
        assert query == {"from": ["2024-10-14T00:00Z"], "to": ["2024-11-03T00:00Z"]}
        self.has(page, 20)
        days = self.days(page)
        assert (days[0], days[-1]) == ("2024-10-14", "2024-11-02")
        # The address alone shows the same, and so do the segments.
        again = opened(urllib.parse.urlsplit(page.url)._replace(scheme="", netloc="").geturl())
        assert self.days(again) == days
        _, *rows = downloaded(again, "segments-numbers")
        assert {row[1] for row in rows} == {*days}
        page.go_back()
        page.wait_for_url("**/models/fraud")
        self.has(page, 40)

    def test_the_scroll_position_stays(self, opened):
        page = opened("/models/fraud")
        page.evaluate("scrollTo(0, 300)")
        page.get_by_role("button", name="90 days").click()
        page.wait_for_url("**last=90d")
        until(page, "document.querySelector('#range-90')?.ariaPressed === 'true'")
        assert page.evaluate("scrollY") == 300

    def test_back_from_another_page_finds_the_place_again(self, opened):
        page = opened("/models/fraud")
        page.wait_for_selector("#shapes svg")
        page.evaluate("scrollTo(0, 1500)")
        page.locator("#model-alerts a").first.click()
        page.wait_for_url("**/alerts/*")
        filled(page)
        page.go_back()
        filled(page)
        until(page, "scrollY > 1000")

    @pytest.mark.parametrize("query", ["?from=x&to=y", "?last=-3d", "?from=2024-11-01Z", "?last=x"])
    def test_a_range_that_is_none_is_everything(self, opened, query):
        page = opened(f"/models/fraud{query}")
        assert len(self.days(page)) == 40


def test_zones_are_named(opened):
    page = opened("/alerts")
    assert re.search(r"2024-11-03 00:00\s*UTC", page.locator("#firing").inner_text())


def test_times_in_the_zone_of_the_reader(visit, monitor):
    with visit(monitor, timezone_id="Asia/Kolkata") as someone:
        page = someone.open("/alerts")
        page.get_by_label("Times in").select_option("mine")
        until(
            page,
            "/2024-11-03 05:30\\s*Asia\\/(Kolkata|Calcutta)/"
            ".test(document.querySelector('#firing')?.innerText)",
        )
        page.goto(f"{monitor.address}/models/fraud")
        filled(page)
        assert re.search(
            "days in UTC, axis in Asia/(Kolkata|Calcutta)",
            page.locator(".legend").first.inner_text(),
        )
        # A day is that of its cohort, whatever the reader's zone is.
        assert "2024-11-03" in page.locator(".answers").inner_text()
