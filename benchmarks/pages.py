"""The figures that documents quote, written between their marks from the results of a full run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import window_pages

ROOT = Path(__file__).parents[1]
README_CASES = (
    "1e4 float64, 5% positive",
    "1e6 float64, 5% positive",
    "1e7 float64 tied, 5% positive",
)
RESULTS = ROOT / "benchmarks" / "results" / "latest.json"
EXPLANATION = ROOT / "docs" / "explanation"


def quoted(tables: list[dict[str, Any]], about: dict[str, Any]) -> str:
    """The figures of all tables with one and two threads.

    How many times faster than the first peer of a case roclab is, and how many times as long as
    the AUC other measures take.
    """
    tables = [table for table in tables if {1, 2} <= {row["threads"] for row in table["rows"]}]
    lines = _figures(
        ["| what | case | one thread | two threads |", "|---|---|--:|--:|"],
        [table for table in tables if "two threads over one" not in table["title"]],
        "wall ratio",
        lambda row: row["contender"].startswith("roclab"),
    )
    lines += _figures(
        ["", "| times the AUC | case | one thread | two threads |", "|---|---|--:|--:|"],
        tables,
        "times auc",
        lambda row: row["contender"] != "roclab auc",
    )
    lines += [
        "",
        f"Medians of one run on {about['cores']} cores ({about['processor']}), {about['date']}, "
        f"scikit-learn {about['scikit-learn']}, scipy {about['scipy']}, numpy {about['numpy']}; "
        "all figures are in `benchmarks/results/latest.md`.",
    ]
    return "\n".join(lines)


def with_figures(text: str, mark: str, figures: str) -> str:
    """The text with these figures between the two marks of that name."""
    begin, end = f"<!-- {mark}:begin -->", f"<!-- {mark}:end -->"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return f"{before}{begin}\n{figures}\n{end}{after}"


def _figures(
    head: list[str],
    tables: list[dict[str, Any]],
    column: str,
    wanted: Callable[[dict[str, Any]], bool],
) -> list[str]:
    """A line for each case of the tables that have the column, under the head; else nothing."""
    lines = []
    for table in tables:
        if column not in table["columns"]:
            continue
        ratios: dict[str, dict[int, float]] = {}
        for row in filter(wanted, table["rows"]):
            ratios.setdefault(row["case"], {})[row["threads"]] = row[column]
        for case, by_threads in ratios.items():
            figures = " | ".join(f"{by_threads[threads]:.3g}x" for threads in (1, 2))
            lines.append(f"| {table['title']} | {case} | {figures} |")
    return head + lines if lines else []


# What each page quotes, between marks of these names.
def _few(table: dict[str, Any]) -> dict[str, Any]:
    """Three cases of the AUC, for readers in a hurry."""
    return {**table, "rows": [row for row in table["rows"] if row["case"] in README_CASES]}


BLOCKS: dict[Path, dict[str, Callable[[dict[str, Any]], str]]] = {
    ROOT / "README.md": {
        "benchmark": lambda results: quoted([_few(results["tables"][0])], results["machine"])
    },
    EXPLANATION / "speed.md": {
        "benchmark": lambda results: quoted(results["tables"], results["machine"])
    },
    EXPLANATION / "windows.md": {
        "benchmark-speed": window_pages.speed,
        "benchmark-memory": window_pages.memory,
        "benchmark-hull": window_pages.hull,
    },
    EXPLANATION / "approximate_window.md": {"benchmark-windows": window_pages.approximation},
}
PAGES = tuple(BLOCKS)


def updated(page: Path, results: dict[str, Any]) -> str:
    """The text of a page with its figures as the results have them."""
    text = page.read_text(encoding="utf-8")
    for mark, figures in BLOCKS[page].items():
        text = with_figures(text, mark, figures(results))
    return text


def write_pages() -> None:
    """Bring every page up to date."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    for page in PAGES:
        page.write_text(updated(page, results), encoding="utf-8")
