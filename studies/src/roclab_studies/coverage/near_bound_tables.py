"""The table of coverage near the upper bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from roclab_studies.coverage.near_bound import Answer
from roclab_studies.markdown import table_head, table_row

_FAMILIES = {
    "spike": "a spike at zero",
    "five": "five levels",
    "t3": "Student's t, 3 degrees of freedom",
    "equal": "normal",
}


def near_bound(answers: Sequence[Answer]) -> str:
    """Coverage, width and warnings of each cell."""
    titles = ["measure", "scores", "AUC", "examples", "coverage", "median width", "warned"]
    lines = table_head(titles, left=(0, 1))
    for row in answers:
        lines.append(
            table_row(
                f"`{row.measure}`",
                _FAMILIES[row.family],
                f"{row.auc:g}",
                f"{row.n_pos}+{row.n_neg}",
                f"{row.covered / row.runs:.3f}",
                f"{row.median_width:.2g}",
                f"{row.warned / row.runs:.0%}".replace("%", " %"),
            )
        )
    return "\n".join(lines)


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {"near-bound": near_bound}
