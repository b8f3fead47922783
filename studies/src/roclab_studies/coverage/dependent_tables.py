"""The tables of the study of rows that belong together, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from roclab_studies.coverage.dependent_rows import METHODS, Answer
from roclab_studies.markdown import table_head, table_row

HOLDS = 0.93
_SPREADS = {"strata": "spread of distances"}
_NAIVE = {"strata": "pooled"}


def design_table(answers: Sequence[Answer], design: str) -> str:
    """Coverage and mean width of every method in every cell of a design."""
    rows = [row for row in answers if row.design == design]
    groups = "strata" if design == "strata" else "clusters"
    titles = [f"{groups} of rows", _SPREADS.get(design, "correlation"), "AUC"]
    titles += [_title(method, design) for method in METHODS[design]]
    lines = table_head(titles)
    cells = dict.fromkeys((row.groups, row.rows, row.spread, row.auc) for row in rows)
    for cell in cells:
        found = {
            row.method: row for row in rows if (row.groups, row.rows, row.spread, row.auc) == cell
        }
        size, of_rows, spread, auc = cell
        numbers = [_coverage(found[method]) for method in METHODS[design]]
        lines.append(table_row(f"{size} of {of_rows}", f"{spread:g}", f"{auc:g}", *numbers))
    return "\n".join(lines)


def _title(method: str, design: str) -> str:
    plain = method.removeprefix("naive ")
    return f"`{plain}`" if plain == method else f"{_NAIVE.get(design, 'rows')}, `{plain}`"


def _coverage(row: Answer) -> str:
    if row.undefined == row.runs:
        return "undefined"
    share = f"{row.coverage:.3f}"
    width = f"{row.mean_width:.3f}" if row.mean_width < 0.1 else f"{row.mean_width:.2f}"
    missing = f", {100 * row.undefined / row.runs:.1f} % undefined" if row.undefined else ""
    return f"{f'**{share}**' if row.coverage < HOLDS else share} ({width}{missing})"


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "coverage-clusters": lambda answers: design_table(answers, "one class"),
    "coverage-mixed": lambda answers: design_table(answers, "mixed"),
    "coverage-difference": lambda answers: design_table(answers, "difference"),
    "coverage-strata": lambda answers: design_table(answers, "strata"),
}
