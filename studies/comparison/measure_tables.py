"""The tables of intervals of differences and of tests across groups, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roclab.measures import find_measure
from studies.comparison import group_tests
from studies.comparison.measure_differences import Answer
from studies.coverage.panel_populations import FAMILIES
from studies.markdown import table_head, table_row


def coverage(answers: Sequence[Answer]) -> str:
    """One line for each measure and size, over all populations."""
    titles = ["measure", "method", "n+, n-", "cells", "mean coverage", "lowest", "where"]
    lines = table_head(titles, left=(0, 1, 6))
    cells = dict.fromkeys((row.measure, row.n_pos, row.n_neg) for row in answers)
    for cell in cells:
        rows = [row for row in answers if (row.measure, row.n_pos, row.n_neg) == cell]
        worst = min(rows, key=lambda row: row.coverage)
        measure = cell[0]
        lines.append(
            table_row(
                f"`{measure}`",
                f"`{find_measure(measure)[0].closed_form or 'half_sampling'}`",
                f"{cell[1]}, {cell[2]}",
                str(len(rows)),
                f"{np.mean([row.coverage for row in rows]):.3f}",
                f"{worst.coverage:.3f} ± {worst.standard_error:.3f}",
                f"{FAMILIES[worst.family].title}, AUC {worst.auc_a:g} and {worst.auc_b:g}",
            )
        )
    return "\n".join(lines)


def rejections(answers: Sequence[group_tests.Answer]) -> str:
    """Rejected true null hypotheses, one line for each test and design."""
    titles = ["test", "groups", *(f"AUC {auc:g}" for auc in group_tests.AUCS)]
    lines = table_head(titles, left=(0, 1))
    for test, design in dict.fromkeys((row.method, row.design) for row in answers):
        rows = [row for row in answers if (row.method, row.design) == (test, design)]
        shares = [f"{row.rejected / row.runs:.3f}" for row in rows]
        lines.append(table_row(f"`{test}`", design, *shares))
    return "\n".join(lines)


BLOCKS = {"difference-coverage": coverage}
GROUP_BLOCKS = {"group-tests": rejections}
