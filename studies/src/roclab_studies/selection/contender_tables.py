"""Tables of the study of contenders and optimism."""

from __future__ import annotations

from collections.abc import Sequence

from roclab_studies.markdown import table_head, table_row
from roclab_studies.selection.contenders import Answer


def coverage(answers: Sequence[Answer]) -> str:
    """How often the best model was among the contenders, and how many there were."""
    titles = ["chosen by", "true AUCs", "models", "n+", "n-", "covered", "contenders", "won"]
    rows = [
        table_row(
            f"`{one.by}`",
            one.pattern,
            f"{one.models}",
            f"{one.n_pos}",
            f"{one.n_neg}",
            f"{100 * one.covered:.1f} %",
            f"{one.contenders:.1f}",
            f"{100 * one.best_chosen:.0f} %" if one.pattern != "equal" else "-",
        )
        for one in answers
    ]
    return "\n".join([*table_head(titles, left=(0, 1)), *rows])


def optimism(answers: Sequence[Answer]) -> str:
    """What winning added to the value, in truth and as estimated."""
    titles = ["true AUCs", "models", "n+", "n-", "true optimism", "estimated"]
    rows = [
        table_row(
            one.pattern,
            f"{one.models}",
            f"{one.n_pos}",
            f"{one.n_neg}",
            f"{one.optimism:.4f} ± {one.optimism_error:.4f}",
            f"{one.estimated:.4f}",
        )
        for one in answers
        if one.by == "auc"
    ]
    return "\n".join([*table_head(titles), *rows])


BLOCKS = {"selection-coverage": coverage, "selection-optimism": optimism}
