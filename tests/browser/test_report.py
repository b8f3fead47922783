"""The HTML report in a browser: no errors, no requests, and the numbers of the library."""

import math

import pytest

import roclab as rl
from roclab.cli import main
from roclab.report import html_report


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    options = ["--label", "malignant", "--by", "size", "-o", str(path)]
    assert main(["report", "examples/scores.csv", *options]) == 0
    return path


@pytest.fixture
def page(browser, report):
    """The report, opened; fails on messages of the console and on requests."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    problems, requests = [], []
    opened.on("console", lambda message: problems.append(message.text))
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("request", lambda request: requests.append(request.url))
    opened.goto(report.as_uri())
    yield opened
    assert problems == []
    assert requests == [report.as_uri()]
    context.close()


@pytest.fixture(scope="module")
def ranking():
    return rl.read_scores("examples/scores.csv", y_true="malignant")["decision_tree"]


def part(page, name):
    return page.locator(f'[data-part="{name}"]')


def text(page, name):
    return part(page, name).inner_text()


def slide(page, name, value):
    part(page, name).evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }",
        value,
    )


def choose(page, model):
    part(page, "model").select_option(label=model)


def test_the_threshold_slider_gives_operating_points(page, ranking):
    choose(page, "decision_tree")
    points = rl.operating_points(ranking)
    last = len(points) - 1
    assert part(page, "threshold").get_attribute("max") == str(last)
    for place in (0, 1, last // 2, last):
        slide(page, "threshold", last - place)
        point = points[place]
        counts = [int(text(page, name)) for name in ("tp", "fp", "fn", "tn")]
        assert counts == [point.tp, point.fp, point.fn, point.tn]
        assert text(page, "tpr").startswith(f"{point.tpr:.3f} [")
        assert text(page, "fpr").startswith(f"{point.fpr:.3f} [")


@pytest.mark.parametrize(("ratio", "capacity"), [(1, 100), (10, 100), (0.1, 100), (10, 20)])
def test_the_best_threshold_is_that_of_choose_threshold(page, ranking, ratio, capacity):
    choose(page, "decision_tree")
    slide(page, "ratio", math.log10(ratio))
    slide(page, "capacity", capacity)
    part(page, "use").click()
    choice = rl.choose_threshold(
        ranking,
        false_positive_cost=1,
        false_negative_cost=ratio,
        capacity=capacity / 100,
        n_resamples=2,
        rng=0,
    )
    best = text(page, "best").replace("above all scores", "inf")
    assert float(best) == pytest.approx(choice.threshold, rel=1e-3)
    assert float(text(page, "cost")) == pytest.approx(choice.expected_cost, abs=6e-5)
    assert int(text(page, "tp")) == choice.tp
    assert part(page, "over").is_hidden()


def test_prevalence_changes_what_is_best(page, ranking):
    choose(page, "decision_tree")
    slide(page, "prevalence", math.log(0.05 / 0.95))
    part(page, "use").click()
    choice = rl.choose_threshold(ranking, prevalence=0.05, n_resamples=2, rng=0)
    assert text(page, "prevalence-value") == "5.00 %"
    assert float(text(page, "cost")) == pytest.approx(choice.expected_cost, abs=6e-5)


def test_too_much_for_the_capacity_is_said(page):
    slide(page, "capacity", 5)
    assert part(page, "over").is_visible()


def test_the_keyboard_moves_the_sliders(page):
    before = text(page, "threshold-value")
    part(page, "threshold").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert text(page, "threshold-value") != before
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.part") == "prevalence"


def test_values_appear_under_the_pointer(page):
    plot = page.locator(".roclab-plot").filter(has=page.locator("path[data-label]")).first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.05 * box["height"])
    shown = page.locator(".tip:visible")
    assert shown.count() == 1
    assert ":" in shown.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_the_layout_holds(browser, report, width, scheme):
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    ink, paper = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
    assert ink != paper
    context.close()


HOSTILE = "</script><img src=x onerror=alert(1)>\n\"'&🙂"
TABLES = {
    "hostile names": rl.ScoreTable([0, 1, 0, 1], {HOSTILE: [1, 2, 3, 4], "b": [1, 3, 2, 4]}),
    "a long name": rl.ScoreTable([0, 1, 0, 1], {"x" * 3000: [1, 2, 3, 4], "b": [1, 3, 2, 4]}),
    "equal scores": rl.ScoreTable([0, 1, 0, 1], {"a": [1, 1, 1, 1], "b": [1, 1, 1, 1]}),
    "infinite scores": rl.ScoreTable([0, 1, 0, 1], {"a": [-math.inf, 1, 2, math.inf]}),
    "one class": rl.ScoreTable([1, 1], {"a": [1, 2]}),
    "one row": rl.ScoreTable([1], {"a": [1]}),
    "40 models": rl.ScoreTable([0, 1, 0, 1], {f"m{i}": [1, 2, 3, i] for i in range(40)}),
}


@pytest.mark.parametrize("name", TABLES)
def test_hostile_tables_give_a_quiet_page_that_fits(browser, tmp_path, name):
    path = tmp_path / "report.html"
    path.write_text(html_report(TABLES[name], title=next(iter(TABLES[name].names))), "utf-8")
    context = browser.new_context(viewport={"width": 390, "height": 900})
    page = context.new_page()
    problems = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    page.goto(path.as_uri())
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    assert problems == []
    context.close()


def test_print_is_light_and_fits(browser, report):
    context = browser.new_context(viewport={"width": 718, "height": 1000}, color_scheme="dark")
    page = context.new_page()
    page.goto(report.as_uri())
    page.emulate_media(media="print")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 718
    assert part(page, "threshold-value").is_visible()
    assert part(page, "threshold").is_hidden()
    context.close()
