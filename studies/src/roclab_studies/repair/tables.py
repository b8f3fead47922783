"""The tables of the two studies of repair, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from roclab_studies.markdown import table_head, table_row
from roclab_studies.repair import data as repair_data
from roclab_studies.repair import rules
from roclab_studies.repair.learners import LEARNERS
from roclab_studies.two_classes import LARGE, SETS

LEVEL = 0.05


def rules_table(answers: Sequence[rules.Answer], wanted: Sequence[str]) -> str:
    """How often each rule repairs something, and what other data gain by it."""
    lines = table_head(
        ["population", "examples", "in the stretch", *(f"{rule}" for rule in rules.RULES)]
    )
    for population in wanted:
        for n in rules.SIZES:
            rows = {
                row.method: row for row in answers if (row.population, row.n) == (population, n)
            }
            inside = f"{next(iter(rows.values())).inside:.0f}"
            cells = [_rule(rows[rule]) for rule in rules.RULES]
            lines.append(table_row(population, f"{n}", inside, *cells))
    return "\n".join(lines)


def _rule(row: rules.Answer) -> str:
    return f"{100 * row.share:.1f} ({100 * row.gain:+.2f})"


def data_summary(answers: Sequence[repair_data.Answer], names: Sequence[str]) -> str:
    """One line for each learner and rule, over these data sets."""
    titles = ["learner", "rule", "kept", "sets better", "worse", "significantly better", "worse"]
    titles += ["gain where kept", "over all tests", "without the monks"]
    lines = table_head(titles, left=(0, 1))
    for learner in LEARNERS:
        for rule in repair_data.RULES:
            rows = [
                row
                for row in answers
                if (row.learner, row.method) == (learner, rule) and row.data in names
            ]
            kept = [row for row in rows if row.kept]
            gains = np.array([row.repaired - row.auc for row in kept])
            counts = np.array([row.kept for row in kept])
            sure = np.array([row.pvalue < LEVEL for row in kept], dtype=bool)
            others = [row.gain for row in rows if not row.data.startswith("monk")]
            lines.append(
                table_row(
                    learner,
                    rule,
                    f"{counts.sum():,} of {sum(row.tests for row in rows):,}",
                    f"{(gains > 0).sum()}",
                    f"{(gains < 0).sum()}",
                    f"{((gains > 0) & sure).sum()}",
                    f"{((gains < 0) & sure).sum()}",
                    f"{100 * (gains * counts).sum() / counts.sum():+.2f}" if len(kept) else "-",
                    f"{100 * np.mean([row.gain for row in rows]):+.2f}",
                    f"{100 * np.mean(others):+.2f}",
                )
            )
    return "\n".join(lines)


def data_table(answers: Sequence[repair_data.Answer], learner: str) -> str:
    """Every data set: repairs kept, and the mean gain of the AUC where they were."""
    lines = table_head(["data", *repair_data.RULES])
    for data in (*SETS, *LARGE):
        rows = {row.method: row for row in answers if (row.learner, row.data) == (learner, data)}
        lines.append(table_row(data, *(_cell(rows[rule]) for rule in repair_data.RULES)))
    return "\n".join(lines)


def _cell(row: repair_data.Answer) -> str:
    if not row.kept:
        return f"0 of {row.tests}"
    gain = f"{100 * (row.repaired - row.auc):+.2f}"
    shown = f"**{gain}**" if row.pvalue < LEVEL else gain
    return f"{row.kept} of {row.tests}: {shown}"


RULES_BLOCKS: dict[str, Callable[[Sequence[rules.Answer]], str]] = {
    "repair-inverted": lambda answers: rules_table(
        answers, [name for name, auc in rules.PLANTED.items() if auc < 0.5]
    ),
    "repair-not-inverted": lambda answers: rules_table(
        answers, ["no skill", "binormal", "flat band"]
    ),
}
DATA_BLOCKS: dict[str, Callable[[Sequence[repair_data.Answer]], str]] = {
    "repair-data": lambda answers: data_summary(answers, tuple(SETS)),
    "repair-large-data": lambda answers: data_summary(answers, tuple(LARGE)),
    "repair-discretised": lambda answers: data_table(answers, "discretised naive Bayes"),
    "repair-gaussian": lambda answers: data_table(answers, "Gaussian naive Bayes"),
    "repair-tree": lambda answers: data_table(answers, "decision tree"),
}
