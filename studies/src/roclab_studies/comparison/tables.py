"""The tables of the study of error rates, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from roclab_studies.comparison.error_rates import ERROR, METHODS, SIZES, Answer
from roclab_studies.comparison.other_populations import FIVE_KINDS, KINDS, OTHERS
from roclab_studies.markdown import table_head, table_row
from roclab_studies.populations import FAMILIES

# Rates between half the level and one and a half of it are called near (Bradley 1978).
NEAR = (0.5 * ERROR, 1.5 * ERROR)
TITLES = {
    "paired": "two models, same rows",
    "independent": "two samples",
    "value": "against a value",
    "noninferior": "not inferior",
    "equivalent": "equivalent",
    "all_models": "five models",
    "paired_other": "two models, same rows",
    "independent_other": "two samples",
    "value_other": "against a value",
    "kinds_other": "two models of different kinds",
    "all_models_other": "five models",
}


def summary(answers: Sequence[Answer], *, other: bool = False) -> str:
    """One line for each method of each test, of the usual populations or of other ones."""
    titles = ["test", "method", "cells", "mean", "lowest", "highest", "where the highest is"]
    titles += [f"below {NEAR[0]:g}", f"above {NEAR[1]:g}"] + ["power"] * (not other)
    lines = table_head(titles, left=(0, 1, 6))
    for test, methods in METHODS.items():
        for method in methods if test.endswith("_other") == other else ():
            rows = [row for row in answers if (row.test, row.method) == (test, method)]
            true = [row for row in rows if row.true]
            rates = [row.rate for row in true]
            highest = max(true, key=lambda row: row.rate)
            lines.append(
                table_row(
                    TITLES[test],
                    f"`{method}`",
                    str(len(true)),
                    f"{np.mean(rates):.3f}",
                    f"{min(rates):.3f}",
                    f"{highest.rate:.3f} ± {highest.standard_error:.3f}",
                    where(highest),
                    str(sum(rate < NEAR[0] for rate in rates)),
                    str(sum(rate > NEAR[1] for rate in rates)),
                    *([] if other else [_mean([row.rate for row in rows if not row.true])]),
                )
            )
    return "\n".join(lines)


def table_of(answers: Sequence[Answer], test: str) -> str:
    """Errors and power by sample size and AUC; a dash where a method does not apply."""
    methods = METHODS[test]
    titles = ["examples", "AUC" if test != "value" else "value"]
    titles += [f"`{method}` errs" for method in methods]
    titles += [f"`{method}` power" for method in methods]
    lines = table_head(titles)
    rows = [row for row in answers if row.test == test]
    for n_pos, n_neg in SIZES:
        for auc in sorted({row.auc for row in rows}):
            cell = [row for row in rows if (row.n_pos, row.n_neg, row.auc) == (n_pos, n_neg, auc)]
            by_method = [[row for row in cell if row.method == method] for method in methods]
            lines.append(
                table_row(
                    f"{n_pos}+{n_neg}",
                    f"{auc:g}",
                    *(_range([row.rate for row in found if row.true]) for found in by_method),
                    *(_mean([row.rate for row in found if not row.true]) for found in by_method),
                )
            )
    return "\n".join(lines)


def where(row: Answer) -> str:
    """A cell in words."""
    names = (
        FAMILIES | OTHERS | KINDS | {FIVE_KINDS: "five kinds", "mixed": "one model twice as wide"}
    )
    family = names[row.family]
    noise = f", correlation {row.correlation:g}" if row.test == "paired" else ""
    return f"{row.n_pos}+{row.n_neg}, AUC {row.auc:g}, {family}{noise}"


def _range(rates: Sequence[float]) -> str:
    """The mean, and the lowest and highest; in bold if one of these is not near the level."""
    if not rates:
        return "-"
    low, high = min(rates), max(rates)
    text = f"{np.mean(rates):.3f} ({low:.3f}-{high:.3f})"
    return text if NEAR[0] <= low and high <= NEAR[1] else f"**{text}**"


def _mean(rates: Sequence[float]) -> str:
    return f"{np.mean(rates):.2f}" if rates else "-"


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {
    "rates-summary": summary,
    "rates-other": lambda answers: summary(answers, other=True),
    "rates-paired": lambda answers: table_of(answers, "paired"),
    "rates-independent": lambda answers: table_of(answers, "independent"),
    "rates-value": lambda answers: table_of(answers, "value"),
    "rates-noninferior": lambda answers: table_of(answers, "noninferior"),
    "rates-equivalent": lambda answers: table_of(answers, "equivalent"),
    "rates-all-models": lambda answers: table_of(answers, "all_models"),
}
