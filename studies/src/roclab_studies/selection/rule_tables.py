"""The tables of the study of rules for choosing a model, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from roclab.inference.comparison.multiplicity import adjusted_pvalues
from roclab_studies.markdown import table_head, table_row
from roclab_studies.paired_tests import better_and_worse, sign_pvalue, wilcoxon_pvalue
from roclab_studies.selection.rules import DATA, RULES, SIZES, TIE_BROKEN, Answer
from roclab_studies.subset_learners import LEARNERS

LEVEL = 0.05
# All rules but the one that others are compared with, and the yardsticks.
OTHERS = (*tuple(RULES)[1:], TIE_BROKEN)
# Sets with at most a tenth of positives.
RARE = ("sick", "caravan", "hypothyroid", "abalone", "vowel", "satimage")
YARDSTICKS = {"random": "a random model", "best": "the best on test"}

Floats = npt.NDArray[np.float64]


def gain(row: Answer, name: str) -> float:
    """Test AUC above that of the choice by AUC, of a rule or a yardstick."""
    value: float = getattr(row, name)
    return value - row.auc if name in YARDSTICKS else value


def gains_by_set(
    answers: Sequence[Answer],
    name: str,
    size: int,
    learners: Collection[str] = tuple(LEARNERS),
    sets: Collection[str] = tuple(DATA),
) -> dict[str, float]:
    """For each set that has so many validation rows: the mean gain over learners."""
    found: dict[str, list[float]] = {}
    for row in answers:
        if row.size == size and row.learner in learners and row.data in sets:
            found.setdefault(row.data, []).append(gain(row, name))
    return {data: float(np.mean(values)) for data, values in found.items()}


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean, and half the width of the 95 % interval by Student's distribution."""
    half = t.ppf(1 - LEVEL / 2, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values))
    return float(np.mean(values)), float(half)


def size_table(
    answers: Sequence[Answer],
    learners: Collection[str] = tuple(LEARNERS),
    sets: Collection[str] = tuple(DATA),
) -> str:
    """Mean gain over the sets, by validation size; bold where the interval leaves out 0."""
    lines = table_head(["validation rows", "sets", *OTHERS, *YARDSTICKS.values()])
    for size in SIZES:
        cells = []
        for name in (*OTHERS, *YARDSTICKS):
            values = list(gains_by_set(answers, name, size, learners, sets).values())
            mean, half = interval(values)
            text = f"{100 * mean:+.2f} ± {100 * half:.2f}"
            cells.append(f"**{text}**" if name in OTHERS and abs(mean) > half else text)
        lines.append(table_row(f"{size}", f"{len(values)}", *cells))
    return "\n".join(lines)


def recovered_table(answers: Sequence[Answer]) -> str:
    """How much of the way from a random model to the best each rule goes, over all sets."""
    rules = (*RULES, TIE_BROKEN)
    lines = table_head(["validation rows", *rules])
    for size in SIZES:
        means = {
            name: np.mean(list(gains_by_set(answers, name, size).values()))
            for name in (*OTHERS, *YARDSTICKS)
        }
        way = means["best"] - means["random"]
        shares = [(means.get(rule, 0.0) - means["random"]) / way for rule in rules]
        lines.append(table_row(f"{size}", *(f"{100 * share:.0f} %" for share in shares)))
    return "\n".join(lines)


def test_table(answers: Sequence[Answer]) -> str:
    """Sets better and worse than by AUC, with exact tests, Holm over all of them."""
    keys = [(size, rule) for size in SIZES for rule in OTHERS]
    gains = {key: list(gains_by_set(answers, key[1], key[0]).values()) for key in keys}
    tests = [wilcoxon_pvalue(gains[key]) for key in keys]
    adjusted = adjusted_pvalues(tests, "holm")
    lines = table_head(
        ["validation rows", "rule", "sets better", "worse", "sign test", "Wilcoxon", "Holm"],
        left=(1,),
    )
    for key, pvalue, corrected in zip(keys, tests, adjusted, strict=True):
        better, worse = better_and_worse(gains[key])
        numbers = (sign_pvalue(gains[key]), pvalue, corrected)
        cells = [f"{better}", f"{worse}", *map(_pvalue, numbers)]
        lines.append(table_row(f"{key[0]}", key[1], *cells))
    return "\n".join(lines)


def set_table(answers: Sequence[Answer], rules: Sequence[str], sizes: Sequence[int]) -> str:
    """Every set: gain of some rules at some sizes, the mean of the learners, in points."""
    titles = [f"{rule} at {size}" for rule in rules for size in sizes]
    lines = table_head(["data", *titles])
    for data in DATA:
        cells = []
        for rule in rules:
            for size in sizes:
                found = gains_by_set(answers, rule, size, sets=(data,))
                cells.append(f"{100 * found[data]:+.2f}" if found else "too few rows")
        lines.append(table_row(data, *cells))
    return "\n".join(lines)


def _pvalue(value: float) -> str:
    return f"{value:.3f}" if value >= 0.0005 else "< 0.001"


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "rules-all": size_table,
    "rules-recovered": recovered_table,
    "rules-tests": test_table,
    "rules-tree": lambda answers: size_table(answers, ("tree",)),
    "rules-bayes": lambda answers: size_table(answers, ("naive Bayes",)),
    "rules-logistic": lambda answers: size_table(answers, ("logistic regression",)),
    "rules-rare": lambda answers: size_table(answers, sets=RARE),
    "rules-common": lambda answers: size_table(answers, sets=set(DATA) - set(RARE)),
    "rules-sets": lambda answers: set_table(
        answers, ("scored_auc", "rho_auc", "brier_score"), (20, 50, 200)
    ),
}
