"""The tables of the panel, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from roclab_studies.coverage.panel import CLUSTERED, Answer
from roclab_studies.coverage.panel_populations import FAMILIES
from roclab_studies.markdown import table_head, table_row

HOLDS = 0.9  # of intervals of 95 %; those of other levels may fall short by as much
SHORT = 0.05
LEAST_POSITIVES = 10


def summary(answers: Sequence[Answer]) -> str:
    """One line for each measure and level, over all cells with at least ten positives."""
    titles = ["measure", "level", "cells", "mean coverage", "worst, chosen on", "worst, held out"]
    titles += ["where", "cells short", "short and not warned", "before: mean", "before: worst"]
    lines = table_head(titles, left=(0, 6))
    claims = dict.fromkeys((row.measure, row.level) for row in answers)
    for measure, level in claims:
        rows = [
            row
            for row in answers
            if (row.measure, row.level) == (measure, level) and row.n_pos >= LEAST_POSITIVES
        ]
        found = [row for row in rows if row.method == "default"]
        before = [row for row in rows if row.method == "before"]
        chosen = [row for row in found if chosen_on(row)]
        held_out = [row for row in found if not chosen_on(row)]
        worst = min(found, key=lambda row: row.coverage)
        short = [row for row in found if row.coverage < level - SHORT]
        silent = [row for row in short if row.warned < row.runs / 2]
        lines.append(
            table_row(
                f"`{measure}`",
                f"{level:g}",
                str(len(found)),
                f"{np.mean([row.coverage for row in found]):.3f}",
                _worst(chosen),
                _worst(held_out),
                where(worst),
                str(len(short)),
                str(len(silent)),
                f"{np.mean([row.coverage for row in before]):.3f}" if before else "",
                f"{min(row.coverage for row in before):.3f}" if before else "",
            )
        )
    return "\n".join(lines)


def shortest(answers: Sequence[Answer]) -> str:
    """All cells in which a default interval falls short."""
    lines = table_head(
        ["measure", "level", "cell", "coverage", "true value below, above", "warned"], left=(0, 2)
    )
    for row in answers:
        if row.method == "default" and row.coverage < row.level - SHORT:
            lines.append(
                table_row(
                    f"`{row.measure}`",
                    f"{row.level:g}",
                    where(row),
                    f"{row.coverage:.3f} ± {row.standard_error:.3f}",
                    f"{row.below / row.runs:.3f}, {row.above / row.runs:.3f}",
                    f"{100 * row.warned / row.runs:.0f} %",
                )
            )
    return "\n".join(lines)


def by_family(answers: Sequence[Answer]) -> str:
    """Lowest coverage of each measure in each population, with at least ten positives."""
    rows = [
        row
        for row in answers
        if row.method == "default"
        and row.n_pos >= LEAST_POSITIVES
        and row.measure != CLUSTERED
        and row.level == 0.95
    ]
    measures = list(dict.fromkeys(row.measure for row in rows))
    lines = table_head(["population", *(f"`{measure}`" for measure in measures)])
    for family, kind in FAMILIES.items():
        found = [
            min(
                (row.coverage for row in rows if (row.measure, row.family) == (measure, family)),
                default=math.nan,
            )
            for measure in measures
        ]
        title = kind.title if kind.chosen_on else f"*{kind.title}*"
        lines.append(table_row(title, *map(_share, found)))
    return "\n".join(lines)


def clusters(answers: Sequence[Answer]) -> str:
    """Every cell of clusters."""
    rows = [row for row in answers if row.measure == CLUSTERED]
    cells = dict.fromkeys((row.n_pos, row.auc) for row in rows)
    titles = [f"{count} clusters, AUC {auc:g}" for count, auc in cells]
    lines = table_head(["sizes, labels, correlation", *titles])
    for family in dict.fromkeys(row.family for row in rows):
        found = {(row.n_pos, row.auc): row.coverage for row in rows if row.family == family}
        lines.append(table_row(family, *(_share(found[cell]) for cell in cells)))
    return "\n".join(lines)


def chosen_on(row: Answer) -> bool:
    """Whether methods were chosen on the population."""
    return row.measure == CLUSTERED or FAMILIES[row.family].chosen_on


def where(row: Answer) -> str:
    """A cell in words."""
    if row.measure == CLUSTERED:
        return f"{row.n_pos} clusters, AUC {row.auc:g}, {row.family}"
    return f"{row.n_pos}+{row.n_neg}, AUC {row.auc:g}, {FAMILIES[row.family].title}"


def _worst(rows: Sequence[Answer]) -> str:
    if not rows:
        return ""
    worst = min(rows, key=lambda row: row.coverage)
    share = f"{worst.coverage:.3f} ± {worst.standard_error:.3f}"
    return f"**{share}**" if worst.coverage < worst.level - SHORT else share


def _share(share: float) -> str:
    if math.isnan(share):
        return ""
    return f"**{share:.3f}**" if share < HOLDS else f"{share:.3f}"


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "panel-summary": summary,
    "panel-short": shortest,
    "panel-families": by_family,
}
CLUSTER_BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {"panel-clusters": clusters}
