"""A repair as tables: what was found and kept, or what it does to each example."""

from __future__ import annotations

import math
from typing import Any

from roclab.report.sheet import Page, Sheet, ends, number, percent

__all__ = ["columns", "page", "records", "warnings"]

Data = dict[str, Any]

_SHOWN_EXAMPLES = 20
_DECISION = (
    "low",
    "high",
    "area",
    "n_pos",
    "n_neg",
    "checked_pos",
    "checked_neg",
    "pvalue",
    "kept",
    "reason",
)
_EXAMPLE = ("row", "y_true", "score", "repaired")


def page(data: Data) -> Page:
    """The tables, with what they come to below them."""
    if "affected" in data:
        return _explanation(data)
    rows = data["decisions"]
    sheet = Sheet(
        header=("scores", "repaired", "why", "n+", "n-", "area"),
        names=3,
        whole=2,
        rows=tuple(
            (
                _interval(row["low"], row["high"]),
                "yes" if row["kept"] else "no",
                row["reason"],
                f"{row['n_pos']:,.6g}",
                f"{row['n_neg']:,.6g}",
                f"{row['area']:.4f}",
            )
            for row in rows
        ),
    )
    return Page(sheets=(sheet,) if rows else (), notes=tuple(_outcome(data)))


def columns(data: Data) -> tuple[str, ...]:
    """What `records` have, also where there are none."""
    return _EXAMPLE if "affected" in data else _DECISION


def records(data: Data) -> list[Data]:
    """One line for each concavity, or for each affected example."""
    if "affected" in data:
        return list(data["affected"])
    return [{name: row[name] for name in _DECISION} for row in data["decisions"]]


def warnings(data: Data) -> list[str]:
    """What should be said beside the numbers, for formats that hold numbers only."""
    return _outcome(data)


def _outcome(data: Data) -> list[str]:
    rows = data["decisions"]
    kept = sum(row["kept"] for row in rows)
    if not rows:
        return ["No concavity was found, so there is nothing to repair."]
    nouns = "concavity is" if len(rows) == 1 else "concavities are"
    found = [f"{kept:,} of {len(rows):,} {nouns} repaired."]
    gain = data["gain"]
    if gain is None:
        found.append("All scores stay as they are.")
    else:
        level = percent(gain["confidence_level"])
        found.append(
            f"AUC of the checked examples: {gain['value_b']:.3f} before, {gain['value_a']:.3f} "
            f"after, difference {number(gain['difference'], 3, sign='+')} "
            f"{ends(gain['low'], gain['high'], 3)} ({level})."
        )
        found.append("They also decided what is repaired, so expect less of other data.")
    return found


def _explanation(data: Data) -> Page:
    sections = Sheet(
        header=("scores", "done", "n+", "n-", "AUC inside", "after"),
        names=2,
        rows=tuple(
            (
                _interval(row["low"], row["high"]),
                "mirrored" if row["method"] == "mirror" else "flattened",
                f"{row['n_pos']:,}",
                f"{row['n_neg']:,}",
                number(row["auc"], 3),
                number(row["repaired_auc"], 3),
            )
            for row in data["sections"]
        ),
    )
    shown = data["affected"][:_SHOWN_EXAMPLES]
    examples = Sheet(
        header=("row", "label", "score", "repaired"),
        names=0,
        rows=tuple(
            (
                f"{row['row']:,}",
                "+" if row["y_true"] else "-",
                f"{row['score']:.6g}",
                f"{row['repaired']:.6g}",
            )
            for row in shown
        ),
    )
    count = len(data["affected"])
    notes = [
        f"{count:,} of {data['n']:,} examples are in a repaired section. AUC "
        f"{number(data['auc'], 3)} before, {number(data['repaired_auc'], 3)} after."
    ]
    if count > len(shown):
        notes.append(f"The first {len(shown)} are shown.")
    sheets = (sections, examples) if data["sections"] else ()
    return Page(sheets=sheets, notes=tuple(notes))


def _interval(low: float, high: float) -> str:
    if math.isinf(high):
        return "all" if math.isinf(low) else f"from {low:.6g}"
    return f"below {high:.6g}" if math.isinf(low) else f"{low:.6g} to {high:.6g}"
