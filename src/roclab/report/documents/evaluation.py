"""Documents of evaluations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from roclab.formatting import listed, one_line
from roclab.inference import Evaluation
from roclab.report.document import Column, Document, Note, Table, document
from roclab.report.documents.rows import (
    N_NEG,
    N_POS,
    cluster_notes,
    estimate_columns,
    missing_notes,
)
from roclab.report.formats import count, decimals_for, number, percent

# How the methods of intervals are cited.
_INTERVALS = {
    "shrunken_wilson": "Wilson-type with shrunken variance",
    "delong": "DeLong",
    "logit": "DeLong on the logit scale",
    "score": "inverted score test",
    "newcombe": "Newcombe's method 5",
    "bootstrap": "bootstrap percentiles",
    "bca": "BCa bootstrap",
    "bootstrap_t": "bootstrap-t on the logit scale",
    "between": "variation between strata",
}


@document.register
def _(result: Evaluation) -> Document:
    rows = [row.to_dict() for row in result.rows]
    digits = decimals_for(row["high"] - row["low"] for row in rows)
    level = f"{percent(rows[0]['confidence_level'])} interval" if rows else "interval"
    group = [Column(one_line(result.by), ("group",), one_line, kind="name")]
    hidden = "group" if result.by is None else None
    table = Table(
        name="rows",
        records=tuple({k: v for k, v in row.items() if k != hidden} for row in rows),
        columns=(
            *(group if result.by is not None else ()),
            *estimate_columns(_title(result), level, digits),
            N_POS,
            N_NEG,
            *(_column(measure, digits) for measure in result.measures),
        ),
    )
    notes = [
        *_methods(rows),
        *_design(result, rows),
        *_undefined(result, rows),
        *_below_one_half(result, rows),
        *_bounds(rows),
        *missing_notes(result.missing),
    ]
    return Document(data=result.to_dict(), parts=(table, *notes))


def _column(measure: str, digits: int) -> Column:
    if measure == "bounds.n_missing":
        return Column("unlabelled", (measure,), count, "Rows without a label.")
    return Column(measure, (measure,), number(digits))


def _bounds(rows: Sequence[dict[str, Any]]) -> list[Note]:
    text = (
        "Whatever the missing labels are, the AUC of all rows lies between bounds.low and "
        "bounds.high; sampling error comes in addition."
    )
    return [Note(text)] * any("bounds.low" in row for row in rows)


def _title(result: Evaluation) -> str:
    if result.fold is not None:
        return "mean AUC"
    return "AUC" if result.stratum is None else "stratified AUC"


def _methods(rows: Sequence[dict[str, Any]]) -> list[Note]:
    kinds = dict.fromkeys((row["confidence_level"], row["method"]) for row in rows)
    return [
        Note(
            f"{percent(level)} confidence intervals: {_INTERVALS.get(method, method)}; "
            "n+, n-: positive, negative examples."
        )
        for level, method in kinds
    ]


def _design(result: Evaluation, rows: Sequence[dict[str, Any]]) -> list[Note]:
    """How rows depend on each other."""
    clusters = [] if result.cluster is None else cluster_notes(result.cluster)
    if result.fold is not None:
        text = (
            f"Mean over the folds in {one_line(result.fold)}: only examples of the same fold are "
            "compared; pooled_auc compares all."
        )
        return [Note(text), *clusters]
    if result.stratum is None or not rows:
        return clusters
    stratum = one_line(result.stratum)
    weighting = "by their number of pairs" if rows[0]["weighting"] == "pairs" else "equally"
    text = f"Only examples with the same {stratum} are compared; strata are weighted {weighting}."
    found = [Note(text)]
    of_groups = {row["group"]: row for row in rows}.values()  # models share the rows of a group
    left_out = sum(row["n_strata_left_out"] for row in of_groups)
    if left_out:
        dropped = sum(row["n_rows_left_out"] for row in of_groups)
        used = sum(row["n_strata"] for row in of_groups)
        text = (
            f"{left_out:,} of {left_out + used:,} values of {stratum} left out for lack of a "
            f"class, with {dropped:,} row{'s' * (dropped != 1)}."
        )
        found.append(Note(text))
    return found


def _undefined(result: Evaluation, rows: Sequence[dict[str, Any]]) -> list[Note]:
    found = []
    if any(math.isnan(row["value"]) for row in rows):
        where = "" if result.fold is None else " in a fold"
        found.append(Note(f"Undefined AUC: a class has no examples{where}."))
    if any(math.isnan(row["low"]) and not math.isnan(row["value"]) for row in rows):
        text = "Undefined interval: too few examples or clusters, or an AUC of 0 or 1."
        found.append(Note(text))
    return found


def _below_one_half(result: Evaluation, rows: Sequence[dict[str, Any]]) -> list[Note]:
    names = [
        one_line(row["model"]) + (f" ({one_line(row['group'])})" if result.by is not None else "")
        for row in rows
        if row["high"] < 0.5
    ]
    text = f"Whole interval below 0.5: {listed(names)}. Are the scores reversed?"
    return [Note(text, severity="warning")] * bool(names)
