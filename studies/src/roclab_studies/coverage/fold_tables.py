"""Tables of the study of folds, as documents quote them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from roclab_studies.coverage.folds import METHODS, Answer
from roclab_studies.markdown import table_head, table_row

HOLDS = 0.93  # coverage below this is printed in bold


def summary(answers: Sequence[Answer]) -> str:
    """Each method over all cells."""
    lines = table_head(
        [
            "interval",
            "coverage, mean",
            "worst",
            "where",
            "holds the final model's",
            "mean width",
            "mean bias",
        ],
        left=(0, 3),
    )
    for method in METHODS:
        rows = [row for row in answers if row.method == method]
        worst = min(rows, key=lambda row: row.coverage)
        share = f"{worst.coverage:.3f} ± {worst.standard_error:.3f}"
        lines.append(
            table_row(
                method,
                f"{np.mean([row.coverage for row in rows]):.3f}",
                f"**{share}**" if worst.coverage < HOLDS else share,
                _where(worst),
                f"{np.mean([row.covered_final / row.runs for row in rows]):.3f}",
                f"{np.mean([row.mean_width for row in rows]):.3f}",
                f"{np.mean([row.bias for row in rows]):+.4f}",
            )
        )
    return "\n".join(lines)


def cells(answers: Sequence[Answer]) -> str:
    """Every cell: coverage and mean width."""
    by_cell: dict[tuple[int, int, int, int, float], dict[str, Answer]] = {}
    for row in answers:
        cell = (row.n_pos, row.n_neg, row.folds, row.dimensions, row.auc)
        by_cell.setdefault(cell, {})[row.method] = row
    lines = table_head(["examples", "folds", "dimensions", "best AUC", *METHODS])
    for (n_pos, n_neg, folds, dimensions, auc), found in by_cell.items():
        shown = (_cell(found[one]) if one in found else "" for one in METHODS)
        lines.append(table_row(f"{n_pos}+{n_neg}", str(folds), str(dimensions), f"{auc:g}", *shown))
    return "\n".join(lines)


def _where(row: Answer) -> str:
    return f"{row.n_pos}+{row.n_neg}, {row.folds} folds, {row.dimensions} dimensions, {row.auc:g}"


def _cell(row: Answer) -> str:
    share = f"**{row.coverage:.3f}**" if row.coverage < HOLDS else f"{row.coverage:.3f}"
    return f"{share} ({row.mean_width:.2f})"


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "fold-summary": summary,
    "fold-cells": cells,
}
