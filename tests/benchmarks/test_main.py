"""A quick run of all benchmarks: right columns, peers in every case, pages that quote them."""

import json

import pytest

from benchmarks import harness, measures, memory, selection, window_memory, windows
from benchmarks.__main__ import SUBJECTS, main
from benchmarks.pages import quoted
from benchmarks.tables import Table

pytestmark = pytest.mark.slow

# A window takes one event after another: nothing there for a second thread.
OF_WINDOWS = {
    windows.OVER_A_SCAN,
    windows.OTHER_READINGS,
    windows.ON_READ,
    window_memory.TITLE,
}


COLUMNS = {harness.COLUMNS, harness.COST_COLUMNS, memory.COLUMNS, window_memory.COLUMNS}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Where a quick run of all subjects has written its results."""
    directory = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(harness, "CASE_SECONDS", 1.0)
        patch.setattr(selection, "MODELS", 4)
        patch.setattr(memory, "SHARES", (0.05,))  # a process for each share and contender
        patch.setattr(window_memory, "CALLS", {"roclab WindowAUC": None})
        main(["--quick"], results=directory)
    return directory


@pytest.fixture
def tables(results):
    return json.loads((results / "latest.local.json").read_text())["tables"]


def test_only_a_full_run_writes_the_committed_results(results):
    assert {path.name for path in results.iterdir()} == {"latest.local.md", "latest.local.json"}


def test_header_says_what_the_figures_depend_on(results):
    machine = json.loads((results / "latest.local.json").read_text())["machine"]
    markdown = (results / "latest.local.md").read_text()
    assert {"date", "processor", "cores", "python", "roclab", "scikit-learn"} <= machine.keys()
    assert all(f"- {name}: {value}" in markdown for name, value in machine.items())


def test_markdown_and_json_have_the_same_rows_under_the_right_columns(results, tables):
    markdown = (results / "latest.local.md").read_text()
    assert len(tables) >= len(SUBJECTS)
    for table in tables:
        columns = tuple(table["columns"])
        assert columns in COLUMNS
        assert f"## {table['title']}\n\n| {' | '.join(columns)} |\n" in markdown
        for row in table["rows"]:
            assert row.keys() == set(columns)
            assert f"| {row['case']} | {row['contender']} | {row['threads']} |" in markdown


def test_every_case_has_a_peer_of_ratio_one_and_roclab_with_one_and_two_threads(tables):
    for table in tables:
        for case in {row["case"] for row in table["rows"]}:
            rows = [row for row in table["rows"] if row["case"] == case]
            threads = {1} if table["title"] in OF_WINDOWS else {1, 2}
            assert {row["threads"] for row in rows if "roclab" in row["contender"]} == threads
            for ratio in ("wall ratio", "CPU ratio", "times auc", "CPU times auc"):
                assert rows[0].get(ratio, 1) == 1


def test_the_cost_of_measures_is_in_units_of_the_auc_with_as_many_threads(tables):
    costs = [
        table
        for table in tables
        if "times auc" in table["columns"] and table["title"] not in OF_WINDOWS
    ]
    assert len(costs) == len(measures.MEASURES)
    for table in costs:
        wanted = {row["wanted"] for row in table["rows"][1::2]}
        assert wanted <= {measure.wanted for measure in measures.MEASURES}
        for auc, other in zip(table["rows"][::2], table["rows"][1::2], strict=True):
            assert (auc["contender"], auc["case"]) == ("roclab auc", other["case"])
            assert auc["threads"] == other["threads"]
            assert other["times auc"] == pytest.approx(other["wall ms"] / auc["wall ms"])
            assert other["lowest"] <= other["times auc"] <= other["highest"]


def test_pages_quote_every_case_once(tables):
    about = {"cores": 2, "processor": "p", "date": "d", "scikit-learn": 1, "scipy": 1, "numpy": 1}
    text = quoted(tables, about)
    for table in tables:
        quoted_once = table["title"] not in {memory.TITLE, *OF_WINDOWS}
        if "two threads over one" not in table["title"]:
            for case in {row["case"] for row in table["rows"]}:
                assert text.count(f"| {table['title']} | {case} |") == quoted_once
    # Without such tables there is no head for them.
    assert "times the AUC" in text
    assert "times the AUC" not in quoted(tables[:1], about)


def test_unknown_subject_is_refused(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["acu"])
    assert stop.value.code == 2
    assert "no subject acu; there are auc" in capsys.readouterr().err


def test_an_interrupted_run_keeps_what_it_has_measured(tmp_path, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    table = Table(title="AUC", columns=("case",), rows=[{"case": "first"}])
    monkeypatch.setattr("benchmarks.auc.tables", lambda _: [table])
    monkeypatch.setattr("benchmarks.delong.tables", interrupted)
    with pytest.raises(KeyboardInterrupt):
        main([], results=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"latest.local.md", "latest.local.json"}
    (kept,) = json.loads((tmp_path / "latest.local.json").read_text())["tables"]
    assert kept["rows"] == [{"case": "first"}]
