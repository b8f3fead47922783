"""The tables of the noise study, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from roclab_studies.markdown import table_head, table_row
from roclab_studies.scored_auc.noise import MEASURES, Answer
from roclab_studies.scored_auc.published import FIRST, FIRST_RUNS

READING_NAMES = {"half": "U(-½, ½)", "both": "U(-1, 1)", "up": "U(0, 1)"}
Z = 1.959964


def shares(answers: Sequence[Answer]) -> str:
    """Ours beside those of the first program."""
    titles = ["noise", "k", "AUC", "scored AUC", "Brier score", "accuracy", "largest z"]
    lines = table_head(titles)
    for row in _of_first(answers):
        first = FIRST[row.reading, row.k]
        cells = [
            f"{getattr(row, name) / row.runs:.4f} ({other:.4f})"
            for name, other in zip(MEASURES, first, strict=True)
        ]
        largest = max(deviations(row), key=abs)
        lines.append(table_row(READING_NAMES[row.reading], f"{row.k:g}", *cells, f"{largest:+.1f}"))
    return "\n".join(lines)


def deviations(row: Answer) -> list[float]:
    """How far each share is from that of the first program, in standard errors."""
    return [
        (getattr(row, name) / row.runs - other)
        / math.sqrt(other * (1 - other) * (1 / row.runs + 1 / FIRST_RUNS))
        for name, other in zip(MEASURES, FIRST[row.reading, row.k], strict=True)
    ]


def paired(answers: Sequence[Answer]) -> str:
    """How much less often the scored AUC changes its mind than the others, in the same runs."""
    titles = ["noise", "k", "less than AUC", "than Brier score", "than accuracy"]
    titles += ["reversed only: less than AUC", "than Brier score", "than accuracy"]
    lines = table_head(titles)
    for row in _of_first(answers):
        cells = [shown(*difference(row, name)) for name in ("auc", "brier", "accuracy")]
        turned = [
            f"{100 * (getattr(row, f'{name}_reversed') - row.scored_reversed) / row.runs:+.2f}"
            for name in ("auc", "brier", "accuracy")
        ]
        lines.append(table_row(READING_NAMES[row.reading], f"{row.k:g}", *cells, *turned))
    return "\n".join(lines)


def difference(row: Answer, name: str) -> tuple[float, float]:
    """Share of changes of this measure less that of the scored AUC, and half its 95 % interval."""
    only, without = getattr(row, f"{name}_only"), getattr(row, f"not_{name}")
    mean = (only - without) / row.runs
    return mean, Z * math.sqrt(((only + without) / row.runs - mean**2) / row.runs)


def shown(mean: float, half: float) -> str:
    """In points; bold if 0 is outside the interval."""
    text = f"{100 * mean:+.2f} ± {100 * half:.2f}"
    return f"**{text}**" if abs(mean) > half else text


def _of_first(answers: Sequence[Answer]) -> list[Answer]:
    return [row for row in answers if (row.reading, row.k) in FIRST]


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "scored-noise": shares,
    "scored-noise-paired": paired,
}
