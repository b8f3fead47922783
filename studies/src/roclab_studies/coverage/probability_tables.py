"""Tables of the study of calibration and net benefit, as documents quote them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from roclab_studies.coverage.probabilities import BENEFIT, CALIBRATION, SIZES, Answer
from roclab_studies.markdown import table_head, table_row

HOLDS = 0.93  # coverage below this is printed in bold


def coverage_table(answers: Sequence[Answer], quantities: Sequence[str]) -> str:
    """Each interval over all populations: mean coverage for each size, and the worst cell."""
    sizes = [f"{n:,} examples" for n in SIZES]
    lines = table_head(["interval", *sizes, "worst", "where"], left=(0, len(SIZES) + 2))
    for quantity in quantities:
        rows = [row for row in answers if row.quantity == quantity]
        means = [np.mean([row.coverage for row in rows if row.n == n]) for n in SIZES]
        worst = min(rows, key=lambda row: row.coverage)
        share = f"{worst.coverage:.3f} ± {worst.standard_error:.3f}"
        lines.append(
            table_row(
                quantity,
                *(f"{mean:.3f}" for mean in means),
                f"**{share}**" if worst.coverage < HOLDS else share,
                f"{worst.population}, {worst.n:,}",
            )
        )
    return "\n".join(lines)


CALIBRATION_BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "calibration-coverage": lambda answers: coverage_table(answers, CALIBRATION),
}
BENEFIT_BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "benefit-coverage": lambda answers: coverage_table(answers, BENEFIT),
}
