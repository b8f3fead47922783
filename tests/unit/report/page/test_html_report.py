"""The HTML report: its sections, its numbers, its size, and hostile names."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import roclab as rl
from roclab.report import html_report

HOSTILE = "</script><img src=x onerror=alert(1)>\n\"'&🙂"


class Text(HTMLParser):
    """What people read, by the heading above it; fails on tags that do not match."""

    def __init__(self):
        super().__init__()
        self.open, self.sections, self.tags = [], {"": []}, []
        self.heading = ""

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "input", "wbr"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.heading = data
            self.sections[data] = []
        elif self.open and self.open[-1] not in ("script", "style"):
            self.sections[self.heading].append(data)


def read(page):
    text = Text()
    text.feed(page)
    assert text.open == []
    return text


def table(n=200, names=("ridge", "forest"), seed=0, **options):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    scores = {name: (rng.normal(size=n) + y).round(2) for name in names}
    return rl.ScoreTable(y, scores, groups={"region": rng.integers(0, 3, n)}, **options)


def test_sections_and_numbers():
    data = table()
    found = read(html_report(data, by="region", reference=table(seed=1), title="March"))
    titles = ["Models", "Curves", "Decision", "Groups of region", "What could go wrong"]
    titles += ["What changed", "Methods and reproduction"]
    assert [title for title in found.sections if title in titles] == titles
    models = " ".join(found.sections["Models"])
    for row in rl.evaluate(data).rows:
        assert row.model in models
        assert f"{row.interval.value:.3f}" in models
    best = max(rl.evaluate(data).rows, key=lambda row: row.interval.value)
    assert f"{best.model} ranks best" in opening(found)


def opening(found):
    return " ".join(found.sections[""])


def data_of(page):
    return json.loads(re.search(r'id="report-data">(.*?)</script>', page, re.S)[1])


def imbalanced(n=4000, share=0.02, seed=3):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    return rl.ScoreTable(y, {"a": rng.normal(size=n) + 1.8 * y, "b": rng.normal(size=n) + y})


class TestHeadline:
    """The first sentence, the facts and the panel tell one story."""

    def test_what_is_positive(self):
        data = rl.ScoreTable([0, 1, 0, 1], {"a": [1, 2, 3, 4]}, positive="default = 1")
        assert "Positive: default = 1, 50.0 % of 4 rows. 1 model." in opening(
            read(html_report(data))
        )

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            ({}, "If both errors cost the same, call positive what scores"),
            ({"false_negative_cost": 5}, "If a miss costs as much as 5 false alarms, call"),
            (
                {"false_negative_cost": 500, "false_positive_cost": 20},
                "If a miss costs 500 and a false alarm 20, call",
            ),
            ({"capacity": 0.1}, "To act on at most 10 % of examples, call positive what"),
            (
                {"capacity": 0.1, "false_negative_cost": 9},
                "If a miss costs as much as 9 false alarms, and at most 10 % of examples can be",
            ),
        ],
    )
    def test_options_set_what_it_says_and_where_the_panel_starts(self, options, says):
        data = table()
        page = html_report(data, **options)
        text = opening(read(page))
        assert says in text
        best = max(rl.evaluate(data).rows, key=lambda row: row.interval.value).model
        choice = rl.choose_threshold(data[best], **options, n_resamples=2, rng=0)
        assert f"{choice.shown(choice.threshold, digits=4)} or more" in text
        assert f"{100 * choice.tpr:.1f} %" in text
        start = data_of(page)["start"]
        assert start["model"] == best
        assert start["miss"] == options.get("false_negative_cost")
        assert start["alarm"] == options.get("false_positive_cost")
        assert start["capacity"] == options.get("capacity")

    def test_a_capacity_with_many_scores_starts_the_panel_at_the_threshold(self):
        rng = np.random.default_rng(4)
        y = rng.random(1500) < 0.4
        data = rl.ScoreTable(y, {"a": rng.normal(size=1500) + 2 * y})
        page = html_report(data, capacity=0.0371)
        choice = rl.choose_threshold(data["a"], capacity=0.0371, n_resamples=2, rng=0)
        assert choice.shown(choice.threshold) in data_of(page)["models"][0]["threshold"]

    def test_costs_of_0_are_said_as_they_are(self):
        text = opening(
            read(html_report(table(), false_positive_cost=0, false_negative_cost=np.int64(5)))
        )
        assert "If a miss costs 5 and a false alarm 0" in text

    def test_reversed_scores_are_not_best(self):
        y = np.arange(200) % 2
        data = rl.ScoreTable(y, {"a": np.random.default_rng(0).normal(size=200) - 2 * y})
        text = opening(read(html_report(data)))
        assert "a ranks worse than chance" in text
        assert "or more" not in text

    @pytest.mark.parametrize("options", [{"prevalence": 1e-300}, {"false_negative_cost": 1e300}])
    def test_extreme_settings_have_a_page(self, options):
        assert "ranks best" in opening(read(html_report(table(), **options)))

    def test_a_given_prevalence(self):
        page = html_report(table(), prevalence=0.25)
        assert data_of(page)["start"]["prevalence"] == 0.25
        assert "where 25 % are positive" in opening(read(page))

    def test_a_rare_class_asks_for_costs(self):
        data = imbalanced()
        page = html_report(data)
        text = opening(read(page))
        assert "No costs were given, and positives are rare" in text
        assert "nothing positive" not in text
        start = data_of(page)["start"]
        assert (start["miss"], start["alarm"]) == (50, 1)
        # Two tables to choose from: their numbers are those of choose_threshold.
        choice = rl.choose_threshold(data["a"], capacity=0.05, n_resamples=2, rng=0)
        rows = re.findall(r"<tr>(.*?)</tr>", page)
        (row,) = [one for one in rows if "act on 5 %" in one]
        assert f"{100 * choice.tpr:.1f} %" in row
        assert 'href="#miss=&amp;alarm=&amp;capacity=0.05"' in row

    def test_a_common_class_asks_for_costs_too(self):
        rng = np.random.default_rng(0)
        y = rng.random(2000) < 0.98
        page = html_report(rl.ScoreTable(y, {"a": rng.normal(size=2000) + y}))
        assert "negatives are rare" in opening(read(page))
        assert (data_of(page)["start"]["miss"], data_of(page)["start"]["alarm"]) == (1, 50)

    def test_expected_cost_with_its_interval(self):
        data = imbalanced()
        costs = {"false_negative_cost": 40, "false_positive_cost": 2}
        text = opening(read(html_report(data, **costs)))
        choice = rl.choose_threshold(data["a"], **costs, n_resamples=2, rng=0)
        cost = rl.operating_point_interval(data["a"], threshold=choice.threshold, **costs).rates[
            "expected_cost"
        ]
        for number in (cost.value, cost.low, cost.high):
            assert f"{1000 * number:,.0f}" in text

    def test_nothing_better_than_chance(self):
        rng = np.random.default_rng(0)
        data = rl.ScoreTable(rng.random(300) < 0.4, {"a": rng.random(300), "b": rng.random(300)})
        text = opening(read(html_report(data)))
        assert "No model is shown to rank better than chance" in text
        assert "or more" not in text

    def test_ties_for_the_best_are_named(self):
        rng = np.random.default_rng(0)
        y = rng.random(400) < 0.4
        scores = {f"m{i}": rng.normal(size=400) + y for i in range(6)}
        data = rl.ScoreTable(y, scores)
        best = max(rl.evaluate(data).rows, key=lambda row: row.interval.value).model
        near = [
            pair
            for pair in rl.compare(data).pairs
            if best in (pair.model_a, pair.model_b) and pair.adjusted_pvalue >= 0.05
        ]
        assert len(near) > 3
        assert f"{len(near)} of 5 others may be as good." in opening(read(html_report(data)))


class TestChecks:
    """What could go wrong."""

    def check(self, data, **options):
        return " ".join(read(html_report(data, **options)).sections["What could go wrong"])

    def test_a_range_that_ranks_the_wrong_way_round(self):
        rng = np.random.default_rng(0)
        y = rng.random(3000) < 0.5
        s = rng.normal(size=3000) + 1.5 * y
        inverted = (s > 0) & (s < 1.4)
        s[inverted] = 1.4 - s[inverted]
        found = self.check(rl.ScoreTable(y, {"a": s}))
        assert "Ranks the wrong way round" in found
        assert "No inversions" in self.check(rl.ScoreTable(y, {"a": rng.normal(size=3000) + y}))

    def test_scores_that_know_too_much(self):
        y = np.arange(200) % 2
        assert "Too good to be true?" in self.check(rl.ScoreTable(y, {"a": y + 0.001 * y}))

    def test_reversed_scores(self):
        y, s = np.arange(200) % 2, np.random.default_rng(0).normal(size=200)
        assert "Are the scores reversed, or is the other class positive?" in self.check(
            rl.ScoreTable(y, {"a": s - 2 * y})
        )

    def test_probabilities_that_are_too_extreme(self):
        rng = np.random.default_rng(0)
        p = rng.random(3000)
        y = rng.random(3000) < p
        odds = p / (1 - p)
        extreme = odds**3 / (1 + odds**3)
        assert "Scores can be read as probabilities" in self.check(rl.ScoreTable(y, {"a": p}))
        assert "too extreme (slope 0.3" in self.check(rl.ScoreTable(y, {"a": extreme}))

    def test_few_examples_and_few_scores(self):
        found = self.check(rl.ScoreTable([0, 1, 0, 1, 1], {"a": [1, 2, 1, 2, 1]}))
        assert "Too few examples" in found
        assert "only 2 different scores" in found


def test_nothing_is_fetched_and_no_row_is_inside():
    data = table(n=5000)
    page = html_report(data)
    found = read(page)
    addresses = [
        attributes.get("src") or attributes.get("href")
        for _, attributes in found.tags
        if "src" in attributes or "href" in attributes
    ]
    assert all(address.startswith("#") for address in addresses)
    links = re.sub(r'http-equiv="[^"]*"|"http://www.w3.org/2000/svg"', "", page)
    assert "http" not in links
    assert all(len(model["threshold"]) <= 1000 for model in data_of(page)["models"])


def test_names_are_escaped():
    page = html_report(table(names=(HOSTILE, "b")), by="region", title=HOSTILE)
    found = read(page)
    assert "img" not in [tag for tag, _ in found.tags]
    assert page.count("<script") == page.count("</script>") == 3


def test_size_does_not_grow_with_rows():
    few, many = (len(html_report(table(n=n, names=tuple("abcdefghij")))) for n in (2000, 60_000))
    assert many < 1.6 * few < 3e6


def test_of_many_models_the_best_are_drawn():
    data = table(n=60, names=tuple(map(str, range(20))))
    page = html_report(data)
    best = sorted(rl.evaluate(data).rows, key=lambda row: -row.interval.value)[:12]
    assert [one["name"] for one in data_of(page)["models"]] == [row.model for row in best]
    models = " ".join(read(page).sections["Models"])
    assert all(f" {name} " in models for name in data.names)


def test_hundreds_of_models_are_not_compared():
    found = read(html_report(table(n=60, names=tuple(map(str, range(101))))))
    models = " ".join(found.sections["Models"])
    assert "More than 100 models are not compared" in models
    assert "adjusted p" not in models


@pytest.mark.parametrize("labels", [[0, 0, 0], [1, 1, 1]])
def test_one_class_says_so(labels):
    found = read(html_report(rl.ScoreTable(labels, {"a": [1, 2, 3]})))
    assert "nothing can be said about ranking" in " ".join(found.sections[""])
    assert "undefined" in " ".join(found.sections["Models"])


def test_one_example_of_each_class_is_a_warning():
    found = read(html_report(rl.ScoreTable([0, 1], {"a": [1, 2]})))
    assert "Too few examples" in " ".join(found.sections["What could go wrong"])


def test_a_reference_without_these_models():
    found = read(html_report(table(), reference=table(names=("other",))))
    assert "no model of this table" in " ".join(found.sections["What changed"])


def test_progress_counts_the_sections():
    told = []
    page = html_report(table(n=60), by="region", progress=lambda *numbers: told.append(numbers))
    count = page.count("<section")
    assert told == [(done, count) for done in range(1, count + 1)]
