"""Documents of the rates at thresholds, with their confidence intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from roclab.inference import OperatingPointInterval, OperatingPointIntervals
from roclab.report.document import Column, Document, Note, Table, document
from roclab.report.documents.rows import size_note
from roclab.report.figure import Figure, Points, Polygon
from roclab.report.formats import interval, number, percent, plain, threshold, value_and_interval

RATE_TITLES = {
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "ppv": "PPV",
    "npv": "NPV",
    "lr_pos": "LR+",
    "lr_neg": "LR-",
    "accuracy": "accuracy",
    "called_positive": "called positive",
    "youden": "Youden's J",
    "f1": "F1",
    "expected_cost": "expected cost",
}


@document.register
def _(result: OperatingPointInterval) -> Document:
    rates = tuple({"rate": name, **_kept(one.to_dict())} for name, one in result.rates.items())
    level = percent(result.confidence_level)
    table = Table(
        name="rates",
        records=rates,
        columns=(
            Column("rate", ("rate",), RATE_TITLES.__getitem__, kind="text"),
            Column("value", ("rate", "value"), _value),
            Column(f"{level} interval", ("rate", "low", "high"), _ends),
        ),
        title=f"Threshold {threshold(result.threshold, result.score_below)}",
    )
    both = " and ".join(
        f"{one.measure} {interval(3)(one.low, one.high)}"
        for one in (result.sensitivity, result.specificity)
    )
    notes = [Note(f"Jointly at {level}: {both}."), *_notes(result)]
    return Document(data=result.to_dict(), parts=(table, _figure([result]), *notes))


@document.register
def _(result: OperatingPointIntervals) -> Document:
    records = []
    for point in result.points:
        record: dict[str, Any] = {
            "threshold": point.threshold,
            "score_below": point.score_below,
        }
        for name, one in point.rates.items():
            record |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
        records.append(record)
    columns = [Column("threshold", ("threshold", "score_below"), threshold)]
    for name in ("sensitivity", "specificity", "ppv", "npv", "lr_pos", "lr_neg"):
        keys = (name, f"{name}_low", f"{name}_high")
        columns.append(Column(RATE_TITLES[name], keys, value_and_interval(3)))
    table = Table(
        name="thresholds", records=tuple(records), columns=tuple(columns), fields=("threshold",)
    )
    first = result.points[:1]
    notes = [note for one in first for note in _notes(one)]
    text = "The level holds at each threshold, not at all of them together."
    levels = [Note(f"{percent(one.confidence_level)} intervals. {text}") for one in first]
    return Document(
        data=result.to_dict(), parts=(table, _figure(list(result.points)), *levels, *notes)
    )


def _kept(record: dict[str, Any]) -> dict[str, Any]:
    kept = ("value", "low", "high", "standard_error", "confidence_level", "method")
    return {name: record[name] for name in kept}


def _value(rate: str, value: float) -> str:
    """Costs have any scale."""
    return plain(value) if rate == "expected_cost" else number(3)(value)


def _ends(rate: str, low: float, high: float) -> str:
    if rate == "expected_cost" and not math.isnan(low + high):
        return f"[{low:.4g}, {high:.4g}]"
    return interval(3)(low, high)


def _notes(result: OperatingPointInterval) -> list[Note]:
    notes = [Note(f"Method {result.method}."), size_note(result.n_pos, result.n_neg)]
    if result.prevalence is not None:
        share = percent(result.prevalence)
        text = f"PPV, NPV, accuracy, called positive and F1 are those for {share} positives."
        notes.append(Note(text))
    if result.false_positive_cost is not None:
        costs = (result.false_positive_cost, result.false_negative_cost)
        alarm, miss = map(plain, costs)
        text = f"A false positive costs {alarm}, a false negative {miss}; cost per example."
        notes.append(Note(text))
    if result.criterion is not None:
        text = (
            f"The threshold was chosen on the same data ({result.criterion}): its rates are "
            "optimistic, and the intervals do not include the choice."
        )
        notes.append(Note(text, severity="warning"))
    return notes


def _figure(points: list[OperatingPointInterval]) -> Figure:
    """Points in the ROC square with their joint regions."""
    regions = [
        Polygon(
            x=1 - np.array([sp.high, sp.low, sp.low, sp.high]),
            y=np.array([se.low, se.low, se.high, se.high]),
            label="" if place else f"{percent(points[0].confidence_level)} joint region",
        )
        for place, (se, sp) in enumerate((one.sensitivity, one.specificity) for one in points)
    ]
    centres = Points(
        x=np.array([1 - one.specificity.value for one in points]),
        y=np.array([one.sensitivity.value for one in points]),
        filled=np.ones(len(points), np.bool_),
    )
    return Figure(series=(*regions, centres))
