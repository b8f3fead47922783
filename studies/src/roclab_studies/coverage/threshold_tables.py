"""The table of the study of thresholds, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from roclab_studies.coverage.thresholds import COSTS, METHODS, SIZES, Answer
from roclab_studies.markdown import table_head, table_row


def coverage(answers: Sequence[Answer]) -> str:
    """Mean and worst coverage over the populations, width, and optimism."""
    titles = ["examples", "cost of a miss"]
    for method in METHODS:
        titles += [f"{method}: mean", "worst", "width"]
    titles += ["true excess cost", "estimated optimism"]
    lines = table_head(titles)
    for n_pos, n_neg in SIZES:
        for cost in COSTS:
            cells: list[str] = []
            for method in METHODS:
                rows = [
                    row
                    for row in answers
                    if (row.n_pos, row.n_neg, row.cost_of_misses, row.method)
                    == (n_pos, n_neg, cost, method)
                ]
                shares = [row.coverage for row in rows]
                cells += [f"{np.mean(shares):.3f}", f"{min(shares):.3f}"]
                cells += [f"{np.mean([row.width for row in rows]):.2f}"]
                if method == "smoothed":
                    means = [np.mean([row.excess for row in rows])]
                    means += [np.mean([row.optimism for row in rows])]
            lines.append(
                table_row(f"{n_pos}+{n_neg}", f"{cost:g}", *cells, *(f"{m:.3f}" for m in means))
            )
    return "\n".join(lines)


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {"threshold-coverage": coverage}
