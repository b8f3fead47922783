"""The table of the study of trees, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from roclab_studies.auc_split_tree.criteria import Answer
from roclab_studies.markdown import table_head, table_row


def trees(answers: Sequence[Answer]) -> str:
    """A line for each table and limit."""
    titles = ["data", "limits", "AUC split", "Gini", "entropy", "over Gini", "over entropy"]
    lines = table_head([*titles, "with categories", "leaves"], left=(0, 1))
    for row in answers:
        lines.append(
            table_row(
                f"{row.data} ({row.positives} of {row.rows:,})",
                row.limits,
                *(f"{auc:.3f}" for auc in (row.auc_split, row.gini, row.entropy)),
                _difference(row.over_gini, row.over_gini_error),
                _difference(row.over_entropy, row.over_entropy_error),
                f"{row.with_categories:.3f}",
                f"{row.leaves:.0f}, {row.gini_leaves:.0f}, {row.entropy_leaves:.0f}",
            )
        )
    return "\n".join(lines)


def _difference(mean: float, error: float) -> str:
    shown = f"{mean:+.3f} ± {error:.3f}"
    return f"**{shown}**" if abs(mean) > 2 * error else shown


BLOCKS = {"auc-trees": trees}
