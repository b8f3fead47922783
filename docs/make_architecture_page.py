"""Write explanation/architecture.md and its picture, from the contract of layers in pyproject.toml.

Run it with ``python docs/make_architecture_page.py`` after a change of layers, of a room's first
line, or of the modules that a journey passes; a test fails while the page is out of date.
"""

from __future__ import annotations

import ast
import importlib.util
import tomllib
from html import escape
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
PICTURE = ROOT / "docs" / "pictures" / "architecture.svg"
MARK = (
    "<!-- Written by docs/make_architecture_page.py. Change pyproject.toml or the docstrings. -->"
)

# What each journey carries, and the types that it becomes.
CARRIES = {
    "AUC with its interval from a file": "`ScoreTable` → `Ranking` → `Evaluation` → `Document`",
    "compare models": "`ScoreTable` → `Ranking`s → `JointEstimate` → `Comparison` → `Document`",
    "pick from models": "`ScoreTable` → `Ranking`s → `ModelSelection` → `Document`",
    "plan a study": "`StudyDesign` → `AUCPlan` → `Document`",
    "repair a classifier": "`ScoreTable` → `Ranking`s → `CheckedRepair` → `Document`",
    "watch a stream": "event → window → `StreamStep` or `Alarm` → line",
    "a table larger than memory": "batches of checked rows → `RangeSummary`s → `Evaluation` → "
    "`Document`",
}

TEXT = """\
# Architecture

Two ideas carry the library. A `Ranking` is a sample of scored, labelled examples, checked and
sorted once; every curve, measure and interval is a function of it. A `RangeSummary` is what one
range of scores contributes; neighbouring ranges join, so the same algebra serves arrays, threads,
sliding windows and clusters ([the summary algebra](summary_algebra.md)).

## Rooms

Imports point down, data rises: a room imports only rooms below it, and rooms beside each other do
not import each other. import-linter checks this; the picture is drawn from its contract in
`pyproject.toml`.

![The rooms of roclab by layer](../pictures/architecture.svg)

{rooms}

Results carry no drawing or printing code: `report` knows how each of them looks, and `result`
calls it when a result is printed. That is the only call upwards.

## Journeys

What is carried changes its type once at each room, and never back. The number counts the modules
whose functions a command runs (`python tests/architecture/import_graph.py journeys` lists them).
Each journey checks an array once and sorts a column of scores once, which tests count.

{journeys}

## To find something

| you look for | it is in |
|---|---|
| the formula of a measure | `measures`, in the module of its family |
| a measure at a threshold | `measures/at_threshold.py`, `measures/cost.py` |
| DeLong's variance of one model | `core/include/roclab`: `pair_counts.hpp`, `range_summary.hpp` |
| the covariance of several models, the bootstrap | `inference/estimation` |
| a method of the AUC's interval | `inference/intervals/closed_form.py`, `checks/choices.py` |
| a test between models | `inference/comparison` |
| the choice of a threshold, calibration | `decisions` |
| rates and costs at a threshold, with intervals | `inference/intervals/operating_point.py` |
| which label of a file is positive, and why a value was refused | `readers/values.py` |
| why an array was refused (labels, scores, weights) | `checks/labels_and_scores.py` |
| why an option was refused | `checks/options.py` |
| the words of an error | where it is raised: `found`, `needed` and `fix` |
| the tree of a sliding window | `core/include/roclab/counted_tree.hpp` |
| the table and words that a result prints | `report/documents`, in the file of its room |
| how numbers and thresholds are rounded | `formatting.py` |
| an option of the command | `cli`, one file per command |
| what a cluster does with each partition | `scale/tasks.py`; Spark's pass: `scale/spark/table.py` |
"""


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def layers() -> list[list[str]]:
    """The rooms of each layer, from the top, as the contract lists them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = [one for one in contracts if one["containers"] == ["roclab"]]
    return [layer.split(" | ") for layer in contract["layers"]]


def sentence(room: str) -> str:
    """The first line of a room's docstring."""
    source = ROOT / "src" / "roclab"
    file = source / room / "__init__.py"
    file = file if file.exists() else source / f"{room}.py"
    text = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return text.split("\n\n")[0].replace("\n", " ").replace("``", "`")


def picture() -> str:
    """The layers as an SVG picture, with the colours of the reader's light or dark theme."""
    width, height, gap = 720, 34, 6
    rows = layers()
    parts = []
    for place, rooms in enumerate(rows):
        y = place * (height + gap)
        each = (width - gap * (len(rooms) - 1)) / len(rooms)
        for column, room in enumerate(rooms):
            x = column * (each + gap)
            parts.append(
                f'<rect x="{x:g}" y="{y}" width="{each:g}" height="{height}" rx="5"/>'
                f'<text x="{x + each / 2:g}" y="{y + height / 2 + 5:g}">{escape(room)}</text>'
            )
    total = len(rows) * (height + gap) - gap
    style = (
        "rect{fill:#eef3f8;stroke:#9bb3c9}"
        "text{font:15px sans-serif;text-anchor:middle;fill:#1c2b3a}"
        "@media(prefers-color-scheme:dark){rect{fill:#233240;stroke:#4d6a84}text{fill:#e6edf3}}"
    )
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {total + 2}" '
        'role="img" aria-label="Rooms of roclab by layer">\n'
        f"<style>{style}</style>\n{body}\n</svg>\n"
    )


def page() -> str:
    """The page as it should be."""
    graph = _load(ROOT / "tests" / "architecture" / "import_graph.py")
    rooms = ["| room | what it is for |", "|---|---|"]
    rooms += [f"| `{room}` | {sentence(room)} |" for layer in layers() for room in layer]
    journeys = ["| journey | carries | modules |", "|---|---|---|"]
    for journey, arguments in graph.JOURNEYS.items():
        journeys.append(f"| {journey} | {CARRIES[journey]} | {len(graph.passed(arguments))} |")
    text = TEXT.replace("{rooms}", "\n".join(rooms)).replace("{journeys}", "\n".join(journeys))
    return f"{MARK}\n\n{text}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    PICTURE.write_text(picture(), "utf-8")
