"""The tables of the coverage study, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from roclab_studies.coverage.intervals import (
    AUCS,
    LARGE,
    LEVEL,
    METHODS,
    OTHER_CLAIMS,
    SIZES,
    Answer,
)
from roclab_studies.markdown import table_head, table_row
from roclab_studies.populations import FAMILIES

HOLDS = 0.93
CLOSE = 1.1  # widths within this ratio are called close
Cell = tuple[str, int, int, float]

_CLAIMS = {
    "two-sided": "two-sided",
    "greater": "lower bound alone",
    "less": "upper bound alone",
}


def main_claim(answers: Iterable[Answer]) -> dict[str, dict[Cell, Answer]]:
    """Two-sided intervals of 95 %, by method and cell."""
    found: dict[str, dict[Cell, Answer]] = {method: {} for method in METHODS}
    for answer in answers:
        if (answer.level, answer.alternative) == (LEVEL, "two-sided"):
            found[answer.method][cell_of(answer)] = answer
    return found


def cell_of(answer: Answer) -> Cell:
    """What a sample was drawn from."""
    return answer.family, answer.n_pos, answer.n_neg, answer.auc


def summary(answers: Sequence[Answer]) -> str:
    """One line for each method."""
    titles = ["method", "mean coverage", "worst coverage", "where", f"cells below {HOLDS}"]
    titles += ["mean width", "no width", "undefined"]
    lines = table_head(titles, left=(0, 3))
    for method, cells in main_claim(answers).items():
        rows = list(cells.values())
        worst = min(rows, key=lambda row: row.coverage)
        below = sum(row.coverage < HOLDS for row in rows)
        lines.append(
            table_row(
                f"`{method}`",
                f"{np.mean([row.coverage for row in rows]):.3f}",
                f"{worst.coverage:.3f} ± {worst.standard_error:.3f}",
                where(worst),
                f"{below} of {len(rows)}",
                f"{_mean_width(rows):.3f}",
                _percent(sum(row.no_width / row.runs for row in rows) / len(rows)),
                _percent(sum(row.undefined / row.runs for row in rows) / len(rows)),
            )
        )
    return "\n".join(lines)


def auto_against_the_rest(answers: Sequence[Answer]) -> str:
    """How much wider the default is than the narrowest method that keeps its level."""
    by_method = main_claim(answers)
    everywhere = {
        method: _mean_width(cells.values())
        for method, cells in by_method.items()
        if all(row.coverage >= HOLDS for row in cells.values())
    }
    names = ", ".join(f"`{method}` ({width:.3f})" for method, width in everywhere.items())
    own = _mean_width(by_method["auto"].values())
    ratio = f"{own / min(everywhere.values()):.2f}" if everywhere else "not defined"
    ratios = {
        cell: (row.mean_width / width, method)
        for cell, row in by_method["auto"].items()
        for width, method in [_narrowest(by_method, cell)]
    }
    wider = {cell: found for cell, found in ratios.items() if found[0] > CLOSE}
    lines = [
        f"- Methods that cover {HOLDS} or more in every cell, with their mean widths: "
        f"{names or 'none'}. Ratio of the width of `auto` ({own:.3f}) to the narrowest: {ratio}.",
        f"- Cell by cell, against the narrowest of the methods that cover {HOLDS} or more in that "
        f"cell: the ratio is {np.mean([one for one, _ in ratios.values()]):.2f} on average, and "
        f"above {CLOSE} in {len(wider)} of {len(ratios)} cells" + (":" if wider else "."),
    ]
    if wider:
        head = ["cell", "`auto` covers", "its width", "narrowest that holds", "covers", "width"]
        lines += ["", *table_head([*head, "ratio"], left=(0, 3))]
    for cell, (ratio_here, method) in sorted(wider.items(), key=lambda item: -item[1][0]):
        own_row, other = by_method["auto"][cell], by_method[method][cell]
        lines.append(
            table_row(
                where(own_row),
                f"{own_row.coverage:.3f}",
                f"{own_row.mean_width:.3f}",
                f"`{method}`",
                f"{other.coverage:.3f}",
                f"{other.mean_width:.3f}",
                f"{ratio_here:.2f}",
            )
        )
    return "\n".join(lines)


def other_claims(answers: Sequence[Answer]) -> str:
    """The default interval at other levels, and as a bound on one side."""
    lines = table_head(
        ["claim of `auto`", "level", "mean coverage", "worst coverage", "where"], left=(0, 4)
    )
    small = [row for row in answers if row.method == "auto" and (row.n_pos, row.n_neg) != LARGE]
    for level, alternative in ((LEVEL, "two-sided"), *OTHER_CLAIMS):
        rows = [row for row in small if (row.level, row.alternative) == (level, alternative)]
        worst = min(rows, key=lambda row: row.coverage)
        lines.append(
            table_row(
                _CLAIMS[alternative],
                f"{level:g}",
                f"{np.mean([row.coverage for row in rows]):.3f}",
                f"{worst.coverage:.3f} ± {worst.standard_error:.3f}",
                where(worst),
            )
        )
    return "\n".join(lines)


def family_table(answers: Sequence[Answer], family: str) -> str:
    """Coverage and mean width of every method in every cell of a family."""
    by_method = main_claim(answers)
    lines = table_head(["examples", "AUC", *(f"`{method}`" for method in METHODS)])
    for n_pos, n_neg in (*SIZES, LARGE):
        for auc in AUCS:
            found = [by_method[method][family, n_pos, n_neg, auc] for method in METHODS]
            lines.append(table_row(f"{n_pos}+{n_neg}", f"{auc:g}", *map(_coverage, found)))
    return "\n".join(lines)


def where(row: Answer) -> str:
    """A cell in words."""
    return f"{row.n_pos}+{row.n_neg}, AUC {row.auc:g}, {FAMILIES[row.family]}"


def _narrowest(by_method: dict[str, dict[Cell, Answer]], cell: Cell) -> tuple[float, str]:
    """Width and name of the narrowest method that holds in a cell; the default if none does."""
    holding = [
        (cells[cell].mean_width, method)
        for method, cells in by_method.items()
        if cells[cell].coverage >= HOLDS
    ]
    return min(holding, default=(by_method["auto"][cell].mean_width, "auto"))


def _mean_width(rows: Iterable[Answer]) -> float:
    return float(np.mean([row.mean_width for row in rows]))


def _coverage(row: Answer) -> str:
    share = f"{row.coverage:.3f}"
    width = f"{row.mean_width:.3f}" if row.mean_width < 0.1 else f"{row.mean_width:.2f}"
    return f"{f'**{share}**' if row.coverage < HOLDS else share} ({width})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share else "0"


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "coverage-summary": summary,
    "coverage-auto": auto_against_the_rest,
    "coverage-claims": other_claims,
    "coverage-equal": lambda answers: family_table(answers, "equal"),
    "coverage-wide": lambda answers: family_table(answers, "wide"),
    "coverage-ordinal": lambda answers: family_table(answers, "ordinal"),
}
