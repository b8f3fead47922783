"""The table of selections by the bootstrap and by the normal limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from roclab_studies.markdown import table_head, table_row
from roclab_studies.selection.normal_limit import POPULATIONS, Answer

MOST = 0.5  # the bound beyond which the library resamples rows


def agreement(answers: Sequence[Answer]) -> str:
    """Largest differences over the samples of each population."""
    titles = ["population", "n+", "n-", "bound", "largest difference of win shares"]
    lines = table_head([*titles, "of p-values", "same contenders"])
    for name, (_, n_pos, n_neg, _) in POPULATIONS.items():
        rows = [row for row in answers if row.population == name]
        bound = max(row.bound for row in rows)
        lines.append(
            table_row(
                f"*{name}*" if bound > MOST else name,
                f"{n_pos:,}",
                f"{n_neg:,}",
                f"{bound:.2g}",
                f"{max(row.win_shares for row in rows):.3f}",
                f"{max(row.pvalues for row in rows):.3f}",
                f"{sum(row.same for row in rows)} of {len(rows)}",
            )
        )
    return "\n".join(lines)


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {"normal-limit": agreement}
