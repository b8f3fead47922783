"""The tables of the coverage of rates at a threshold, and of AUCs of several classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from roclab_studies.coverage import multiclass, rates
from roclab_studies.markdown import table_head, table_row

_RATE_TITLES = {
    "sensitivity": "sensitivity",
    "lr_pos": "LR+ and PPV",
    "lr_neg": "LR- and NPV",
    "youden": "Youden's J",
    "accuracy": "accuracy",
    "f1": "F1",
}


def rate_coverage(answers: Sequence[rates.Answer]) -> str:
    """Mean and least coverage of each rate."""
    lines = table_head(["examples", "method", *_RATE_TITLES.values()], left=(0, 1))
    for cell in dict.fromkeys((row.n_pos, row.n_neg, row.method) for row in answers):
        found = {
            row.rate: f"{row.mean:.3f}, {row.least:.3f}"
            for row in answers
            if (row.n_pos, row.n_neg, row.method) == cell
        }
        numbers = (found[rate] for rate in _RATE_TITLES)
        lines.append(table_row(f"{cell[0]}+{cell[1]}", f"`{cell[2]}`", *numbers))
    return "\n".join(lines)


def multiclass_coverage(answers: Sequence[multiclass.Answer]) -> str:
    """Coverage and width of each average."""
    titles = ["scores", "classes", "average", "true value", "coverage", "mean width"]
    lines = table_head(titles, left=(0, 1, 2))
    for row in answers:
        title, sizes = multiclass.FAMILIES[row.family][0], row.sizes.replace(" ", ", ")
        numbers = (row.truth, row.covered / row.runs, row.mean_width)
        shown = (f"{one:.3f}" for one in numbers)
        lines.append(table_row(title, sizes, f"`{row.method}`", *shown))
    return "\n".join(lines)


RATE_BLOCKS: dict[str, Callable[[Sequence[rates.Answer]], str]] = {"rate-coverage": rate_coverage}
MULTICLASS_BLOCKS: dict[str, Callable[[Sequence[multiclass.Answer]], str]] = {
    "multiclass-coverage": multiclass_coverage
}
