"""A choice among models as a table: all of them, best first, and who may be the best."""

from __future__ import annotations

from typing import Any

from roclab.formatting import one_line
from roclab.report.evaluation import missing_notes, skipped_notes
from roclab.report.sheet import UNDEFINED, Page, Sheet, decimals_for, is_nan, number, percent

__all__ = ["page", "records", "warnings"]

Data = dict[str, Any]


def page(data: Data) -> Page:
    """The table with the outcome below it."""
    models: list[Data] = data["models"]
    digits = decimals_for(4 * model["standard_error"] for model in models)
    sheet = Sheet(
        header=("model", data["title"], "standard error", "wins", "p", "contender"),
        names=1,
        rows=tuple(
            (
                one_line(model["model"]),
                number(model["value"], digits),
                number(model["standard_error"], digits),
                UNDEFINED if is_nan(model["win_share"]) else f"{100 * model['win_share']:.1f} %",
                _pvalue(model["pvalue"]),
                "yes" if model["contender"] else "no",
            )
            for model in models
        ),
    )
    notes = [
        data["sentence"],
        f"Contenders contain the best model at {percent(data['confidence_level'])}; p is for the "
        f"hypothesis that no model is better. Wins are shares of {data['n_resamples']:,} bootstrap "
        "replicates, not probabilities.",
        f"{data['n_pos']:,} positive, {data['n_neg']:,} negative examples.",
        *missing_notes(data["missing"]),
        *skipped_notes(data["missing"]),
    ]
    return Page(sheets=(sheet,), notes=tuple(notes))


def records(data: Data) -> list[Data]:
    """One line for each model."""
    return [{"measure": data["measure"]} | model for model in data["models"]]


def warnings(data: Data) -> list[str]:
    """What should be said beside the numbers, for formats that hold numbers only."""
    return missing_notes(data["missing"])


def _pvalue(pvalue: float) -> str:
    if is_nan(pvalue):
        return UNDEFINED
    return "< 0.001" if pvalue < 0.001 else f"{pvalue:.3f}"
