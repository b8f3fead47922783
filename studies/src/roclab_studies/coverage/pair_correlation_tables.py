"""The table of forms of the default interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from roclab_studies.coverage.pair_correlation import Answer
from roclab_studies.markdown import table_head, table_row

_TITLES = {
    "0.2 (1 + r^2)": r"$0.2\, (1 + r^2)$, the default before",
    "0.25 (1 + r^2)": r"$0.25\, (1 + r^2)$",
    "0.25 + 0.15 |r|": r"$0.25 + 0.15 \lvert r \rvert$",
    "0.25 + 0.2 |r|": r"$0.25 + 0.2 \lvert r \rvert$, the default",
    "0.3 + 0.1 |r|, 15": r"$0.3 + 0.1 \lvert r \rvert$, and 15 in place of 30",
}


def forms(answers: Sequence[Answer]) -> str:
    """Lowest coverage, cells that are short, and width at 95 %."""
    rows = {(row.populations, row.form): row for row in answers if row.level == 0.95}
    lines = table_head(
        [
            r"correlation $\varrho$, with $r = (P - N) / (P + N)$",
            *("panel: lowest", "width"),
            *("other: lowest", f"below 0.90, of {rows['other', '0.2 (1 + r^2)'].cells}"),
            *("new: lowest", f"below 0.90, of {rows['new', '0.2 (1 + r^2)'].cells}"),
        ]
    )
    for form, title in _TITLES.items():
        panel, other, new = (rows[name, form] for name in ("panel", "other", "new"))
        width = "1" if panel.width == 1 else f"{panel.width:.3f}"
        cells = [f"{panel.lowest:.3f}", width]
        for row in (other, new):
            cells += [f"{row.lowest:.3f}", str(row.short)]
        lines.append(table_row(title, *cells))
    return "\n".join(lines)


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {"pair-correlation": forms}
