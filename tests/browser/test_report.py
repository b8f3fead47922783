"""The HTML report in a browser: no errors, no requests, and the numbers of the library."""

import io
import math
import re

import numpy as np
import pytest
from matplotlib.image import imread

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
def table():
    return rl.read_scores("examples/scores.csv", y_true="malignant", by="size")


def part(page, name):
    return page.locator(f'[data-part="{name}"]')


def rate(page, name):
    return page.locator(f'.rates [data-rate="{name}"]')


def slide(page, name, value, finished=True):
    page.locator(f'[data-slider="{name}"]').evaluate(
        "(slider, [value, finished]) => { slider.value = value;"
        "slider.dispatchEvent(new Event('input'));"
        "if (finished) slider.dispatchEvent(new Event('change')); }",
        [value, finished],
    )


def type_into(page, name, text):
    part(page, name).fill(text)
    part(page, name).press("Enter")


def choose(page, model):
    part(page, "model").select_option(label=model)


def shown(page):
    """What the page says about the decision."""
    return page.evaluate(
        "() => ({threshold: document.querySelector('[data-part=threshold]').value,"
        "counts: ['tp', 'fp', 'fn', 'tn'].map((name) =>"
        "  document.querySelector(`span[data-part=${name}]`).textContent),"
        "rates: Object.fromEntries([...document.querySelectorAll('.rates [data-rate]')].map("
        "  (cell) => [cell.dataset.rate, cell.textContent])),"
        "cost: document.querySelector('[data-part=cost]').textContent,"
        "groups: [...document.querySelectorAll('tr[data-group]')].map((row) =>"
        "  [...row.querySelectorAll('[data-rate]')].map((cell) => cell.textContent))})"
    )


def in_percent(one):
    return [100 * number for number in (one.value, one.low, one.high)]


def agrees(text, expected):
    """Whether the numbers of a text are these, rounded to the digits that it shows."""
    numbers = re.findall(r"-?[0-9][0-9.]*", re.sub(r",(?=[0-9])", "", text))
    halves = [0.5001 * 10.0 ** -len(one.partition(".")[2]) for one in numbers]
    return len(numbers) == len(expected) and all(
        abs(float(number) - other) <= half
        for number, other, half in zip(numbers, expected, halves, strict=True)
    )


def random_states(table, count):
    rng = np.random.default_rng(11)
    for _ in range(count):
        state = {"model": str(rng.choice(table.names))}
        if rng.random() < 0.6:
            state["miss"] = float(f"{10 ** rng.uniform(-1, 2):.3g}")
        if rng.random() < 0.4:
            state["alarm"] = float(f"{10 ** rng.uniform(-1, 2):.3g}")
        if rng.random() < 0.5:
            state["prevalence"] = float(f"{rng.uniform(0.005, 0.95):.3g}")
        if rng.random() < 0.4:
            state["capacity"] = float(f"{rng.uniform(0.01, 1):.3g}")
        if rng.random() < 0.3:
            scores = table[state["model"]].scores
            state["threshold"] = float(rng.choice(scores))
        yield state


def test_numbers_of_200_states_are_those_of_the_library(page, table):
    parts = table.split("size")
    for state in random_states(table, 200):
        address = "&".join(f"{key}={value!r}".replace("'", "") for key, value in state.items())
        page.evaluate("(address) => { location.hash = address; }", address)
        page.wait_for_function(
            "(name) => document.querySelector('[data-part=model]').selectedOptions[0].text"
            " === name",
            arg=state["model"],
        )
        page.wait_for_timeout(5)
        now = shown(page)
        ranking = table[state["model"]]
        options = {
            "false_negative_cost": state.get("miss"),
            "false_positive_cost": state.get("alarm"),
            "prevalence": state.get("prevalence"),
        }
        if "threshold" in state:
            threshold = state["threshold"]
        else:
            choice = rl.choose_threshold(
                ranking, **options, capacity=state.get("capacity"), n_resamples=2, rng=0
            )
            threshold = choice.threshold
            assert now["threshold"] in (
                "above all scores" if math.isinf(threshold) else choice.shown(threshold),
                choice.shown(threshold),
            )
        point = rl.operating_points(ranking).at(threshold=threshold)
        counts = [float(one.strip("()").replace(",", "")) for one in now["counts"]]
        assert counts == [point.tp, point.fp, point.fn, point.tn]
        costs = {key: 1 if options[key] is None else options[key] for key in list(options)[:2]}
        rates = rl.operating_point_interval(
            ranking, threshold=threshold, prevalence=state.get("prevalence"), **costs
        ).rates
        for ours, theirs in {"tpr": "sensitivity", "ppv": "ppv", "npv": "npv"}.items():
            expected = rates[theirs]
            if math.isnan(expected.value):
                assert now["rates"][ours] == "undefined"
            else:
                assert agrees(now["rates"][ours], in_percent(expected)), (state, ours)
        cost = rates["expected_cost"]
        assert agrees(now["cost"], [1000 * one for one in (cost.value, cost.low, cost.high)]), state
        of_groups = [
            rl.operating_point_interval(one[state["model"]], threshold=threshold)
            for one in parts.values()
        ]
        wanted = [in_percent(one.rates["sensitivity"]) for one in of_groups]
        for row in now["groups"]:
            assert any(agrees(row[1], one) for one in wanted), (row, wanted)


def test_the_page_opens_on_what_the_headline_says(page):
    lead = page.locator("p.lead").inner_text()
    threshold = re.search(r"what scores ([0-9.]+) or more", lead)[1]
    assert part(page, "threshold").input_value().startswith(threshold)
    assert lead.startswith(part(page, "model").evaluate("one => one.selectedOptions[0].text"))
    facts = page.locator("dl.facts dd:not(.note)").all_inner_texts()
    assert rate(page, "tpr").inner_text().startswith(facts[1])
    assert rate(page, "fpr").inner_text().startswith(facts[2])


def test_typed_values(page, table):
    choose(page, "decision_tree")
    type_into(page, "miss", "5")
    type_into(page, "alarm", "0,5")
    type_into(page, "prevalence", "10 %")
    type_into(page, "capacity", "20")
    choice = rl.choose_threshold(
        table["decision_tree"],
        false_negative_cost=5,
        false_positive_cost=0.5,
        prevalence=0.1,
        capacity=0.2,
        n_resamples=2,
        rng=0,
    )
    assert part(page, "threshold").input_value() == choice.shown(choice.threshold)
    type_into(page, "threshold", "0.9")
    point = rl.operating_points(table["decision_tree"]).at(threshold=0.9)
    assert part(page, "tp").inner_text() == f"({point.tp})"
    assert "set by hand" in part(page, "said").inner_text()
    page.get_by_role("button", name="Use the best").click()
    assert part(page, "threshold").input_value() == choice.shown(choice.threshold)
    assert part(page, "miss").input_value() == "5"
    page.get_by_role("button", name="Back to the recommendation").click()
    assert part(page, "miss").input_value() == ""
    assert page.evaluate("location.hash") == ""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("miss", "-1"),
        ("miss", "much"),
        ("prevalence", "0"),
        ("prevalence", "100"),
        ("capacity", "101"),
        ("threshold", "high"),
        ("threshold", ""),
        ("threshold", "50 %"),
        ("miss", "%"),
    ],
)
def test_what_cannot_be_is_marked_and_changes_nothing(page, name, text):
    before = shown(page)["counts"]
    part(page, name).fill(text)
    part(page, name).press("Enter")
    assert part(page, name).get_attribute("aria-invalid") == "true"
    assert shown(page)["counts"] == before


def test_costs_may_not_both_be_0(page):
    type_into(page, "miss", "0")
    part(page, "alarm").fill("0")
    assert part(page, "alarm").get_attribute("aria-invalid") == "true"
    type_into(page, "miss", "5")
    type_into(page, "alarm", "0")
    slide(page, "ratio", 1)
    assert part(page, "alarm").input_value() == "1"
    assert "NaN" not in page.locator("main").inner_text()


def test_thousands_and_decimal_commas(page):
    type_into(page, "miss", "1,000")
    assert part(page, "miss").input_value() == "1000"
    type_into(page, "miss", "2,5")
    assert part(page, "miss").input_value() == "2.5"


def test_the_address_follows_a_value_that_is_typed_again(page):
    type_into(page, "miss", "3")
    type_into(page, "threshold", "0.9")
    assert "threshold" in page.evaluate("location.hash")
    type_into(page, "miss", "3")
    assert page.evaluate("location.hash") == "#miss=3"


def test_groups_have_the_prevalence_of_the_panel(page):
    overall = rl.read_scores("examples/scores.csv", y_true="malignant", by="size")
    shifted = 0.05 / 0.95 / (overall.y_true.mean() / (1 - overall.y_true.mean()))
    type_into(page, "prevalence", "5")
    rows = page.locator("tr[data-group]")
    for place in range(rows.count()):
        name = rows.nth(place).locator("th").evaluate("one => one.firstChild.textContent")
        part_of = overall.split("size")[name]
        odds = part_of.y_true.mean() / (1 - part_of.y_true.mean()) * shifted
        threshold = float(part(page, "threshold").input_value())
        expected = rl.operating_point_interval(
            part_of["logistic_regression"], threshold=threshold, prevalence=odds / (1 + odds)
        ).rates["ppv"]
        assert agrees(rows.nth(place).locator("td").all_inner_texts()[3], in_percent(expected))


def test_sliders_move_points_and_numbers(page, table):
    choose(page, "decision_tree")
    points = rl.operating_points(table["decision_tree"])
    last = len(points) - 1
    plot = page.locator('[data-moves="roc"] .roclab-plot')
    left, right, bottom, top = map(float, plot.get_attribute("data-area").split())
    for place in (0, 1, last // 2, last):
        slide(page, "threshold", last - place)
        point = points[place]
        assert part(page, "tp").inner_text() == f"({point.tp})"
        here = plot.locator("circle.here")
        x, y = (float(here.get_attribute(name)) for name in ("cx", "cy"))
        assert (x - left) / (right - left) == pytest.approx(point.fpr, abs=1e-6)
        assert (y - bottom) / (top - bottom) == pytest.approx(point.tpr, abs=1e-6)
    slide(page, "ratio", 1)
    assert part(page, "miss").input_value() == "10"
    slide(page, "prevalence", math.log(0.05 / 0.95))
    assert part(page, "prevalence").input_value() == "5"
    # Precision where 5 % are positive, on the curve that was drawn anew.
    choice = rl.choose_threshold(
        table["decision_tree"],
        false_negative_cost=10,
        false_positive_cost=1,
        prevalence=0.05,
        n_resamples=2,
        rng=0,
    )
    plot = page.locator('[data-moves="pr"] .roclab-plot')
    left, right, bottom, top = map(float, plot.get_attribute("data-area").split())
    low_x, high_x, low_y, high_y, _ = map(float, plot.get_attribute("data-axes").split())
    here = plot.locator("circle.here")
    x, y = (float(here.get_attribute(name)) for name in ("cx", "cy"))
    recall = low_x + (x - left) / (right - left) * (high_x - low_x)
    precision = low_y + (y - bottom) / (top - bottom) * (high_y - low_y)
    assert recall == pytest.approx(choice.tpr, abs=1e-6)
    assert precision == pytest.approx(0.05 * choice.tpr / choice.called_positive, abs=1e-6)
    slide(page, "capacity", 5)
    assert "more than the capacity" not in part(page, "said").inner_text()


def test_too_much_for_the_capacity_is_said(page):
    type_into(page, "capacity", "5")
    slide(page, "threshold", 0)
    assert "more than the capacity allows" in part(page, "said").inner_text()


def test_a_link_shows_the_same_decision_and_back_takes_it_back(page, browser):
    first = shown(page)
    type_into(page, "miss", "20")
    second = shown(page)
    choose(page, "naive_bayes")
    slide(page, "threshold", 100)
    third = shown(page)
    address = page.evaluate("location.href")
    assert second["counts"] != first["counts"]
    other = browser.new_context().new_page()
    other.goto(address)
    assert shown(other) == third
    other.context.close()
    page.go_back()
    page.go_back()
    assert shown(page) == second
    page.go_back()
    assert shown(page) == first
    page.go_forward()
    assert shown(page) == second


@pytest.mark.parametrize(
    "fragment",
    ["#models", "#miss=-5&prevalence=7", "#model=none", "#threshold=x&capacity=nan", "#%00=&==&&"],
)
def test_a_wrong_address_shows_the_recommendation(page, browser, report, fragment):
    context = browser.new_context()
    other = context.new_page()
    problems = []
    other.on("pageerror", lambda error: problems.append(str(error)))
    other.goto(report.as_uri() + fragment)
    assert shown(other)["counts"] == shown(page)["counts"]
    assert problems == []
    context.close()


def test_the_keyboard_is_enough(page):
    part(page, "model").focus()
    seen = []
    for _ in range(9):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                "document.activeElement.dataset.part || document.activeElement.dataset.slider"
            )
        )
    assert seen[:4] == ["threshold", "threshold", "miss", "alarm"]
    assert {"ratio", "prevalence", "capacity"} <= set(seen)
    before = shown(page)["counts"]
    page.locator('[data-slider="threshold"]').focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert shown(page)["counts"] != before


def test_groups_follow_the_model_and_the_threshold(page, table):
    choose(page, "decision_tree")
    type_into(page, "threshold", "0.5")
    rows = page.locator("tr[data-group]")
    for place in range(rows.count()):
        row = rows.nth(place)
        name = row.locator("th").evaluate("one => one.firstChild.textContent")
        part_of = table.split("size")[name]["decision_tree"]
        point = rl.operating_point_interval(part_of, threshold=0.5).rates
        cells = row.locator("td").all_inner_texts()
        assert cells[0].startswith(f"{rl.auc(part_of):.3f} [")
        assert agrees(cells[1], in_percent(point["sensitivity"]))
        assert agrees(cells[3], in_percent(point["ppv"]))


def test_values_appear_under_the_pointer(page):
    plot = page.locator(".roclab-plot").filter(has=page.locator("path[data-label]")).first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.05 * box["height"])
    tip = page.locator(".tip:visible")
    assert tip.count() == 1
    assert ":" in tip.inner_text()


def test_a_drag_at_once_is_one_step_back(page):
    before = page.evaluate("history.length")
    for step in range(-10, 11):
        slide(page, "ratio", step / 10, finished=step == 10)
    assert page.evaluate("history.length") == before + 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("fragment", ["", "#model=decision_tree&prevalence=0.1&threshold=0.5"])
def test_accessible(browser, report, scheme, fragment):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(report.as_uri() + fragment)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true;")
    found = axe.run(page)
    assert found.violations_count == 0, found.generate_report()
    context.close()


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
    assert paper == ("rgb(252, 252, 251)" if scheme == "light" else "rgb(20, 21, 24)")
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
    assert part(page, "threshold").is_visible()
    assert page.locator('[data-slider="threshold"]').is_hidden()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_shadow_shows_where_a_table_goes_on(browser, report, scheme):
    context = browser.new_context(viewport={"width": 390, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.goto(report.as_uri())
    table = page.locator("#models .table").first

    def shadows():
        """Whether the left and the right edge, above the first row, differ from the ground."""
        row = imread(io.BytesIO(table.screenshot()))[3, :, :3]
        ground = row[row.shape[0] // 2]
        return [bool(np.abs(row[at] - ground).max() > 0.05) for at in (1, -2)]

    assert shadows() == [False, True]
    table.evaluate("(one) => { one.scrollLeft = 150; }")
    assert shadows() == [True, True]
    table.evaluate("(one) => { one.scrollLeft = one.scrollWidth; }")
    assert shadows() == [True, False]
    page.set_viewport_size({"width": 1440, "height": 900})
    assert shadows() == [False, False]
    context.close()
