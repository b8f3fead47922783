"""The tables of intervals of differences and of tests across groups, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roclab.measures import find_measure
from roclab_studies.comparison import group_tests
from roclab_studies.comparison.measure_differences import CHOSEN_ON, HELD_OUT, Answer
from roclab_studies.coverage.panel_populations import FAMILIES
from roclab_studies.markdown import table_head, table_row


def coverage(answers: Sequence[Answer]) -> str:
    """One line for each measure and size, over the populations of each kind."""
    titles = [
        "measure",
        "method",
        "n+, n-",
        "chosen on: mean",
        "lowest",
        "held out: mean",
        "lowest",
    ]
    lines = table_head([*titles, "where"], left=(0, 1, 7))
    cells = dict.fromkeys((row.measure, row.n_pos, row.n_neg) for row in answers)
    for cell in cells:
        rows = [row for row in answers if (row.measure, row.n_pos, row.n_neg) == cell]
        held_out = [row for row in rows if row.family in HELD_OUT]
        worst = min(held_out, key=lambda row: row.coverage, default=None)
        where = ""
        if worst is not None:
            title = FAMILIES[worst.family].title
            where = f"{title}, AUC {worst.auc_a:g} and {worst.auc_b:g}"
        measure = cell[0]
        lines.append(
            table_row(
                f"`{measure}`",
                f"`{find_measure(measure)[0].closed_form or 'half_sampling'}`",
                f"{cell[1]}, {cell[2]}",
                *_mean_and_lowest([row for row in rows if row.family in CHOSEN_ON]),
                *_mean_and_lowest(held_out),
                where,
            )
        )
    return "\n".join(lines)


def _mean_and_lowest(rows: Sequence[Answer]) -> tuple[str, str]:
    if not rows:
        return "", ""
    worst = min(rows, key=lambda row: row.coverage)
    mean = np.mean([row.coverage for row in rows])
    return f"{mean:.3f}", f"{worst.coverage:.3f} ± {worst.standard_error:.3f}"


def rejections(answers: Sequence[group_tests.Answer]) -> str:
    """Rejected true null hypotheses, one line for each test and design."""
    titles = ["test", "population", "groups", *(f"AUC {auc:g}" for auc in group_tests.AUCS)]
    lines = table_head(titles, left=(0, 1, 2))
    for cell in dict.fromkeys((row.method, row.family, row.design) for row in answers):
        rows = [row for row in answers if (row.method, row.family, row.design) == cell]
        shares = [f"{row.rejected / row.runs:.3f}" for row in rows]
        lines.append(table_row(f"`{cell[0]}`", *cell[1:], *shares))
    return "\n".join(lines)


BLOCKS = {"difference-coverage": coverage}
GROUP_BLOCKS = {"group-tests": rejections}
