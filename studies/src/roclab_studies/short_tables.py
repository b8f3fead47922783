"""Tables of the short pages in the library's documentation: the answer in a few lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roclab_studies.auctron import data as auctron_data
from roclab_studies.auctron.tables import ITS_OWN, by_cell, lead, over_sets
from roclab_studies.comparison import error_rates
from roclab_studies.coverage import dependent_rows
from roclab_studies.markdown import table_head, table_row
from roclab_studies.planning import power as planned_power
from roclab_studies.repair import rules as repair_rules
from roclab_studies.selection import contenders

_TESTS = {
    "paired": ("two models, same rows", "auto", "delong"),
    "independent": ("two samples", "auto", "delong"),
    "value": ("one AUC against a value", "auto", "delong"),
    "noninferior": ("non-inferiority, margin 0.1", "auto", "delong"),
    "equivalent": ("equivalence, margin 0.1", "auto", "delong"),
    "all_models": ("five models, Holm", "holm", "delong holm"),
}
_POPULATIONS = {
    "inverted 0.25": "inverted section, AUC 0.25 in it",
    "inverted 0.35": "inverted section, AUC 0.35",
    "inverted 0.40": "inverted section, AUC 0.40",
    "flat band": "flat section",
    "no skill": "no skill",
    "binormal": "binormal",
}
_RIVALS = {
    "MSEtron": ("MSEtron", "MSEtron, descent"),
    "logistic regression": ("logistic regression", "logistic regression, no penalty"),
    "linear SVM": ("linear SVM", None),
    "gradient boosting": ("gradient boosting", None),
    "AUCsplit tree": ("AUCsplit", "AUCsplit, no limits"),
}
_DESIGNS = {"one class": "of one class", "mixed": "of both classes"}
_PLANS = {
    "value": "against a value",
    "paired": "two models, same rows",
    "unpaired": "two models, rows of their own",
}
_PATTERNS = {
    "equal": "all equal",
    "half worse": "half of the models worse",
    "spread": "spread evenly",
    "one better": "one model better",
}


def error_rates_by_test(answers: Sequence[error_rates.Answer]) -> str:
    """Mean and highest error rate by default and with DeLong's test."""
    titles = ["test", "default: mean", "highest", "DeLong: mean", "highest"]
    lines = table_head(titles)
    for test, (title, *methods) in _TESTS.items():
        cells = []
        for method in methods:
            rates = [
                row.rate for row in answers if (row.test, row.method) == (test, method) and row.true
            ]
            cells += [f"{np.mean(rates):.3f}", f"{max(rates):.3f}"]
        lines.append(table_row(title, *cells))
    return "\n".join(lines)


def repaired_models(answers: Sequence[repair_rules.Answer]) -> str:
    """Share of models repaired by two rules, at each size."""
    share = {(row.population, row.method, row.n): row.share for row in answers}
    titles = ["model", '`"significant"`, the default', "the paper's rule: rises in one fold"]
    lines = table_head(titles)
    for population, title in _POPULATIONS.items():
        cells = [
            ", ".join(f"{100 * share[population, rule, n]:.0f}" for n in repair_rules.SIZES)
            for rule in ("significant", "rises in 1 fold")
        ]
        lines.append(table_row(title, *cells))
    return "\n".join(lines)


def mean_leads(answers: Sequence[auctron_data.Answer]) -> str:
    """AUCtron minus other learners, mean over the paper's six sets."""
    cells = by_cell(answers)
    lines = table_head(["against", "settings chosen", "as in the paper"])
    for title, (chosen, published) in _RIVALS.items():
        shown = []
        for first, other in (("AUCtron", chosen), ("AUCtron, descent", published)):
            if other is None:
                shown.append("")
                continue
            leads = [lead(cells[first, data], cells[other, data]) for data in ITS_OWN]
            mean, low, high = (100 * value for value in over_sets(leads))
            shown.append(f"{mean:+.1f} ({low:+.1f} to {high:+.1f})".replace("-0.0 ", "+0.0 "))
        lines.append(table_row(title, *shown))
    return "\n".join(lines)


def clusters_by_design(answers: Sequence[dependent_rows.Answer]) -> str:
    """Lowest and highest coverage with clusters that share an effect."""
    titles = ["rows of a cluster", "rows taken as independent"]
    titles += ['`"delong"` with the right variance', '`"auto"`, the default']
    lines = table_head(titles)
    for design, title in _DESIGNS.items():
        found = []
        for method in ("naive auto", "delong", "auto"):
            covered = [
                row.coverage
                for row in answers
                if (row.design, row.method) == (design, method) and row.spread > 0
            ]
            found.append(f"{min(covered):.2f} to {max(covered):.2f}")
        lines.append(table_row(title, *found))
    return "\n".join(lines)


def found_powers(answers: Sequence[planned_power.Answer]) -> str:
    """Lowest and highest power of studies that were planned for 0.8."""
    methods = planned_power.METHODS
    lines = table_head(["test", *(f'`method="{method}"`' for method in methods)])
    for test, title in _PLANS.items():
        found = [
            [row.power for row in answers if (row.test, row.method) == (test, method)]
            for method in methods
        ]
        lines.append(table_row(title, *(f"{min(one):.2f} to {max(one):.2f}" for one in found)))
    return "\n".join(lines)


def optimism_by_pattern(answers: Sequence[contenders.Answer]) -> str:
    """Estimated over true optimism, each summed over models and sizes."""
    lines = table_head(["true AUCs", "estimated over true optimism, summed over models and sizes"])
    for pattern, title in _PATTERNS.items():
        rows = [row for row in answers if (row.by, row.pattern) == ("auc", pattern)]
        true, estimated = (
            sum(getattr(row, name) for row in rows) for name in ("optimism", "estimated")
        )
        lines.append(table_row(title, f"{estimated / true:.2f}"))
    return "\n".join(lines)
