"""The table of the study of planned power, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from roclab_studies.coverage.panel_populations import FAMILIES
from roclab_studies.markdown import table_head, table_row
from roclab_studies.planning.pilots import Answer as PilotAnswer
from roclab_studies.planning.power import METHODS, Answer
from roclab_studies.planning.two_curves import Answer as CurvesAnswer

_TITLES = {
    "value": "against a value",
    "paired": "same rows, correlation 0.5",
    "unpaired": "rows of their own",
}


def planned(answers: Sequence[Answer]) -> str:
    """Sizes by each method, with the power that studies of such sizes had."""
    titles = ["test", "AUC", "against"]
    for method in METHODS:
        titles += [f"`{method}` n+, n-", "power found"]
    lines = table_head(titles)
    cells = dict.fromkeys((row.test, row.auc, row.against, row.ratio) for row in answers)
    for cell in cells:
        test, auc, against, _ = cell
        numbers = []
        for method in METHODS:
            (row,) = (
                one
                for one in answers
                if (one.test, one.auc, one.against, one.ratio, one.method) == (*cell, method)
            )
            numbers += [f"{math.ceil(row.n_pos)}, {math.ceil(row.n_neg)}"]
            numbers += [f"{row.power:.3f} ± {row.standard_error:.3f}"]
        lines.append(table_row(_TITLES[test], f"{auc:g}", f"{against:g}", *numbers))
    return "\n".join(lines)


def from_pilots(answers: Sequence[PilotAnswer]) -> str:
    """Sizes and power by the formula for normal scores, and from pilot studies."""
    titles = ["population", "`delong` n+ = n-", "power found", "`pilot` n+ = n-", "power found"]
    lines = table_head(titles)
    for family in dict.fromkeys(row.family for row in answers):
        numbers = []
        for row in (one for one in answers if one.family == family):
            numbers += [f"{math.ceil(row.n_pos)}", f"{row.power:.3f} ± {row.standard_error:.3f}"]
        lines.append(table_row(FAMILIES[family].title, *numbers))
    return "\n".join(lines)


def two_curves(answers: Sequence[CurvesAnswer]) -> str:
    """Power predicted from a pilot of two curves, and the share of samples that reject."""
    titles = ["pair", "roclab", "pROC's formula, first curve first", "the other first", "rejected"]
    lines = table_head(titles)
    for row in answers:
        numbers = (row.predicted, row.proc_first, row.proc_second, row.rejected / row.runs)
        lines.append(table_row(f"{row.first}, {row.second}", *(f"{one:.3f}" for one in numbers)))
    return "\n".join(lines)


BLOCKS: dict[str, Callable[[Sequence[Answer]], str]] = {"planned-power": planned}
PILOT_BLOCKS: dict[str, Callable[[Sequence[PilotAnswer]], str]] = {"planned-pilots": from_pilots}
CURVES_BLOCKS: dict[str, Callable[[Sequence[CurvesAnswer]], str]] = {"planned-curves": two_curves}
