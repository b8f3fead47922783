"""An evaluation as a table: one row for each model, or for each group and model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roclab.formatting import listed, one_line
from roclab.report.sheet import Page, Sheet, decimals_for, ends, is_nan, number, percent

__all__ = ["cluster_notes", "missing_notes", "page", "records", "skipped_notes", "warnings"]

Data = dict[str, Any]


def page(data: Data) -> Page:
    """The table with its notes."""
    rows: list[Data] = data["rows"]
    title = f"{percent(rows[0]['confidence_level'])} interval" if rows else "interval"
    groups = () if data["by"] is None else (one_line(data["by"]),)
    digits = decimals_for(row["high"] - row["low"] for row in rows)
    further = data["measures"]
    sheet = Sheet(
        header=(*groups, "model", _title(data), title, "n+", "n-", *further),
        names=len(groups) + 1,
        rows=tuple(
            (*_cells(row, bool(groups), digits), *(number(row[name], digits) for name in further))
            for row in rows
        ),
    )
    notes = _method_notes(rows) + _design_notes(data)
    notes += _undefined_notes(data) + _reversed_notes(data)
    notes += missing_notes(data["missing"]) + skipped_notes(data["missing"])
    return Page(sheets=(sheet,), notes=tuple(notes))


def records(data: Data) -> list[Data]:
    """The rows as they are; the group is there if there are groups."""
    hidden = "group" if data["by"] is None else None
    return [{k: v for k, v in row.items() if k != hidden} for row in data["rows"]]


def warnings(data: Data) -> list[str]:
    """What should be said beside the numbers, for formats that hold numbers only."""
    return missing_notes(data["missing"]) + _reversed_notes(data)


def missing_notes(missing: Data) -> list[str]:
    """Rows that were left out."""
    if not missing["rows_dropped"]:
        return []
    counts = sorted(missing["by_column"].items(), key=lambda item: -item[1])
    columns = listed(f"{one_line(name)} {count:,}" for name, count in counts)
    return [
        f"{missing['rows_dropped']:,} of {missing['rows_read']:,} rows left out; values missing: "
        f"{columns}.",
    ]


def skipped_notes(missing: Data) -> list[str]:
    """Columns that were not taken for scores."""
    skipped = [one_line(name) for name in missing["columns_skipped"]]
    return [f"Not numeric, so not taken for scores: {listed(skipped)}."] if skipped else []


def _cells(row: Data, grouped: bool, digits: int) -> tuple[str, ...]:
    undefined = is_nan(row["value"])
    return (
        *((one_line(row["group"]),) if grouped else ()),
        one_line(row["model"]),
        number(row["value"], digits),
        "" if undefined else ends(row["low"], row["high"], digits),
        f"{row['n_pos']:,}",
        f"{row['n_neg']:,}",
    )


def _method_notes(rows: Sequence[Data]) -> list[str]:
    kinds = dict.fromkeys((row["confidence_level"], row["method"]) for row in rows)
    return [
        f"{percent(level)} confidence intervals, method {method}; "
        "n+, n-: positive, negative examples."
        for level, method in kinds
    ]


def _title(data: Data) -> str:
    if data["fold"] is not None:
        return "mean AUC"
    return "AUC" if data["stratum"] is None else "stratified AUC"


def cluster_notes(data: Data) -> list[str]:
    """Which rows are not independent."""
    if data["cluster"] is None:
        return []
    return [f"Rows with the same {one_line(data['cluster'])} are taken for one cluster."]


def _design_notes(data: Data) -> list[str]:
    """What rows have to do with each other."""
    if data["cluster"] is not None:
        return cluster_notes(data)
    if data["fold"] is not None:
        name = one_line(data["fold"])
        return [
            f"Mean over the values of {name}, each a fold: only examples of the same fold are "
            "compared; in pooled_auc all are."
        ]
    if data["stratum"] is None or not data["rows"]:
        return []
    name = one_line(data["stratum"])
    found = [
        f"Only examples with the same {name} are compared; a stratum counts "
        + ("by its pairs." if data["rows"][0]["weighting"] == "pairs" else "as much as any other.")
    ]
    # All models of a group have the same rows.
    of_groups = {row["group"]: row for row in data["rows"]}.values()
    left_out = sum(row["n_strata_left_out"] for row in of_groups)
    if left_out:
        rows = sum(row["n_rows_left_out"] for row in of_groups)
        used = sum(row["n_strata"] for row in of_groups)
        found.append(
            f"Without one of the classes, so left out: {left_out:,} of {left_out + used:,} values "
            f"of {name}, with {rows:,} row{'s' * (rows != 1)}."
        )
    return found


def _undefined_notes(data: Data) -> list[str]:
    found, rows = [], data["rows"]
    if any(is_nan(row["value"]) for row in rows):
        where = "" if data["fold"] is None else " in a fold"
        found.append(f"Undefined AUC: a class has no examples{where}.")
    if any(is_nan(row["low"]) and not is_nan(row["value"]) for row in rows):
        found.append(
            "Undefined interval: too few examples or clusters, or an AUC of 0 or 1, for this "
            "method."
        )
    return found


def _reversed_notes(data: Data) -> list[str]:
    names = [
        one_line(row["model"]) + (f" ({one_line(row['group'])})" if data["by"] is not None else "")
        for row in data["rows"]
        if row["high"] < 0.5
    ]
    if not names:
        return []
    return [f"Whole interval below one half: {listed(names)}. Are the scores reversed?"]
