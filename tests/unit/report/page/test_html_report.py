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
        if tag not in ("meta", "input", "line", "path", "rect", "circle"):
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
    titles = ["Models", "Curves", "Decisions", "Comparison", "Groups of region", "What changed"]
    assert [title for title in found.sections if title in titles] == titles
    models = " ".join(found.sections["Models"])
    for row in rl.evaluate(data).rows:
        assert row.model in models
        assert f"{row.interval.value:.3f}" in models
    best = max(rl.evaluate(data).rows, key=lambda row: row.interval.value)
    assert f"{best.model} ranks best" in " ".join(found.sections[""])


def test_nothing_is_fetched_and_no_row_is_inside():
    data = table(n=5000)
    page = html_report(data)
    found = read(page)
    assert not [
        tag for tag, attributes in found.tags if "src" in attributes or "href" in attributes
    ]
    assert "http" not in re.sub(r'http-equiv="[^"]*"', "", page)
    counts = json.loads(re.search(r'id="decision-data">(.*?)</script>', page, re.S)[1])
    assert all(len(model["threshold"]) <= 1000 for model in counts)


def test_names_are_escaped():
    page = html_report(table(names=(HOSTILE, "b")), by="region", title=HOSTILE)
    found = read(page)
    assert "img" not in [tag for tag, _ in found.tags]
    assert page.count("<script") == page.count("</script>") == 3


def test_size_does_not_grow_with_rows():
    few, many = (len(html_report(table(n=n, names=tuple("abcdefghij")))) for n in (2000, 60_000))
    assert many < 1.6 * few < 3e6


def test_many_models_have_tables_only():
    found = read(html_report(table(n=60, names=tuple(map(str, range(13))))))
    assert "Curves" not in found.sections
    assert "Decisions" not in found.sections
    assert "Comparison" in found.sections


def test_hundreds_of_models_are_not_compared():
    found = read(html_report(table(n=60, names=tuple(map(str, range(101))))))
    assert "Comparison" not in found.sections
    assert "More than 100 models are not compared" in " ".join(found.sections[""])


@pytest.mark.parametrize("labels", [[0, 0, 0], [1, 1, 1]])
def test_one_class_says_so(labels):
    found = read(html_report(rl.ScoreTable(labels, {"a": [1, 2, 3]})))
    assert "nothing can be said about ranking" in " ".join(found.sections[""])
    assert "undefined" in " ".join(found.sections["Models"])


def test_one_example_of_each_class_is_a_warning():
    found = read(html_report(rl.ScoreTable([0, 1], {"a": [1, 2]})))
    assert "The smaller class has 1 examples" in " ".join(found.sections[""])


def test_a_reference_without_these_models():
    found = read(html_report(table(), reference=table(names=("other",))))
    assert "no model of this table" in " ".join(found.sections["What changed"])


def test_progress_counts_the_sections():
    told = []
    page = html_report(table(n=60), by="region", progress=lambda *numbers: told.append(numbers))
    count = page.count("<section>")
    assert told == [(done, count) for done in range(1, count + 1)]
