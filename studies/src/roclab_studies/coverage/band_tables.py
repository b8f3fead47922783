"""Tables of the study of bands, as documents quote them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from roclab_studies.coverage.bands import (
    FAMILIES,
    METHODS,
    NAIVE,
    PAPER,
    PAPER_SIZES,
    POINTWISE,
    RATES,
    SIMULTANEOUS,
    Answer,
)
from roclab_studies.markdown import table_head, table_row

HOLDS = 0.93  # coverage below this is printed in bold
_JUDGED = ("bootstrap", "ks", "binormal", "envelope", *POINTWISE)
_CLAIMS = {
    **dict.fromkeys(SIMULTANEOUS, "the curve"),
    **dict.fromkeys(POINTWISE, "each point"),
    **dict.fromkeys(NAIVE, "nothing"),
    "envelope": "the curve",
}


def summary(answers: Sequence[Answer]) -> str:
    """Each method over all cells."""
    lines = table_head(
        ["method", "claims 95 % for", "holds the curve, mean", "worst", "where", "mean width"],
        left=(0, 1, 4),
    )
    for method in _JUDGED:
        rows = _of(answers, method)
        worst = min(rows, key=lambda row: row.coverage)
        lines.append(
            table_row(
                f"`{method}`",
                _CLAIMS[method],
                f"{np.mean([row.coverage for row in rows]):.3f}",
                _coverage(worst),
                _where(worst),
                f"{np.nanmean([row.mean_width for row in rows]):.2f}",
            )
        )
    return "\n".join(lines)


def points(answers: Sequence[Answer]) -> str:
    """Pointwise methods, judged at some points: mean over cells, and worst."""
    lines = table_head(
        ["method", *(f"FPR {rate:g}: mean" for rate in RATES), "worst", "where"], left=(0, 6)
    )
    for method in POINTWISE:
        rows = _of(answers, method)
        means = np.mean([row.at_points for row in rows], axis=0)
        worst = min(rows, key=lambda row: min(row.at_points))
        at = int(np.argmin(worst.at_points))
        lines.append(
            table_row(
                f"`{method}`",
                *(_share(mean) for mean in means),
                _share(worst.at_points[at]),
                f"FPR {RATES[at]:g}, {_where(worst)}",
            )
        )
    return "\n".join(lines)


def granular(answers: Sequence[Answer]) -> str:
    """On the simulation of Dong and others: the granular curves beside the bands."""
    methods = ("granular", "bootstrap", "ks", "binormal", "pointwise wilson")
    by_size = {(row.method, row.n_pos): row for row in answers if row.family == PAPER}
    titles = [f"`{method}`" for method in methods]
    lines = table_head(["examples", "`granular`, FPR 0.05 to 0.95", *titles])
    for size in PAPER_SIZES:
        found = [by_size[method, size] for method in methods]
        cells = (f"{_share(row.coverage)} ({row.mean_width:.3f})" for row in found)
        inside = _share(found[0].inside / found[0].runs)
        lines.append(table_row(f"{size:,}+{size:,}", inside, *cells))
    return "\n".join(lines)


def cells(answers: Sequence[Answer]) -> str:
    """Every cell: coverage of the curve and mean width."""
    by_cell: dict[tuple[str, int, int, float], dict[str, Answer]] = {}
    for row in answers:
        if row.family != PAPER:
            cell = (row.family, row.n_pos, row.n_neg, row.auc)
            by_cell.setdefault(cell, {})[row.method] = row
    methods = [method for method in METHODS if method != "granular"]
    lines = table_head(
        ["classes", "examples", "AUC", *(f"`{one}`" for one in methods)], left=(0, 1)
    )
    for (family, n_pos, n_neg, auc), found in by_cell.items():
        shown = (f"{_share(found[one].coverage)} ({found[one].mean_width:.2f})" for one in methods)
        lines.append(table_row(FAMILIES[family], f"{n_pos}+{n_neg}", f"{auc:g}", *shown))
    return "\n".join(lines)


def _of(answers: Sequence[Answer], method: str) -> list[Answer]:
    return [row for row in answers if row.method == method and row.family != PAPER]


def _where(row: Answer) -> str:
    return f"{row.n_pos}+{row.n_neg}, AUC {row.auc:g}, {FAMILIES[row.family]}"


def _coverage(row: Answer) -> str:
    share = f"{row.coverage:.3f} ± {row.standard_error:.3f}"
    return f"**{share}**" if row.coverage < HOLDS else share


def _share(share: float) -> str:
    return f"**{share:.3f}**" if share < HOLDS else f"{share:.3f}"


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "band-summary": summary,
    "band-points": points,
    "band-granular": granular,
    "band-cells": cells,
}
