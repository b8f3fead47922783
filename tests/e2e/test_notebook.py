"""Results in a real notebook: a table with notes for people, a data frame for programs."""

from html.parser import HTMLParser

import nbformat
import pytest
from nbclient import NotebookClient

SETUP = """
import numpy as np
import roclab as rl
y = np.array([0, 1, 0, 1, 0, 1, 1, 0] * 5)
a = np.array([0.1, 0.4, 0.4, 0.8, 0.3, 0.2, 0.9, 0.5] * 5) + np.arange(40) / 500
hostile = "<img src=x onerror=alert(1)>&\\"'"
table = rl.ScoreTable(y, {"a": a, hostile: np.round(a[::-1], 1)}, groups={"g": np.arange(40) % 2})
"""
RESULTS = [
    "rl.auc_interval(y, a)",
    "rl.evaluate(table)",
    "rl.evaluate(table, by='g')",
    "rl.compare(table)",
    "rl.compare(table, by='g')",
    "rl.compare_auc(y, a, table[hostile].scores[0] + a[::-1])",
    "rl.select_model(table, rng=0, n_resamples=50)",
    "rl.choose_threshold(y, a, false_negative_cost=10, rng=0, n_resamples=50)",
    "rl.operating_points(y, a)",
    "rl.roc_curve(y, a)",
    "rl.calibration_curve(y, np.clip(a, 0, 1))",
    "rl.plan_auc_study(0.8, n_pos=30, n_neg=40)",
]
FRAMES = """
made = [{}]
assert all(type(one.to_pandas()).__module__.startswith("pandas") for one in made)
assert all(type(one.to_polars()).__module__.startswith("polars") for one in made)
[len(one.to_pandas()) == len(one.to_polars()) for one in made]
"""


class Parts(HTMLParser):
    """Tags, and the texts of cells and notes."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts = [], {"td": [], "p": []}

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.tags[-1][0] in self.texts:
            self.texts[self.tags[-1][0]].append(data)


@pytest.fixture(scope="module")
def cells():
    """A notebook, run: the setup, a cell for each result, and data frames of all of them."""
    sources = [SETUP, *RESULTS, FRAMES.format(", ".join(RESULTS))]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in sources])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return notebook.cells


@pytest.mark.parametrize("place", range(1, len(RESULTS) + 1), ids=lambda n: RESULTS[n - 1])
def test_a_result_is_a_table_with_notes(cells, place):
    (output,) = cells[place].outputs
    assert output.output_type == "execute_result"
    assert "\n" not in output.data["text/plain"]
    parts = Parts()
    parts.feed(output.data["text/html"])
    tags = [tag for tag, _ in parts.tags]
    assert "table" in tags
    assert parts.texts["td"]
    assert parts.texts["p"]
    assert not {"img", "script"} & set(tags)
    assert not any(name.startswith("on") for _, found in parts.tags for name in found)


def test_names_are_shown_as_they_are(cells):
    parts = Parts()
    parts.feed(cells[1 + RESULTS.index("rl.evaluate(table)")].outputs[0].data["text/html"])
    assert "<img src=x onerror=alert(1)>&\"'" in parts.texts["td"]


def test_every_result_is_a_data_frame_of_pandas_and_of_polars(cells):
    assert cells[-1].outputs[0].data["text/plain"] == str([True] * len(RESULTS))
