"""Documents of curves."""

from __future__ import annotations

import numpy as np

from roclab.curves import KernelROC, OperatingPoints, ROCCurve, ROCHull
from roclab.report.document import (
    Column,
    Document,
    Figure,
    Line,
    Note,
    Table,
    document,
    with_fields,
)
from roclab.report.formats import count, number, percent, plain

_SHOWN_POINTS = 10


@document.register
def _(result: ROCCurve) -> Document:
    area = np.sum(np.diff(result.fpr) * (result.tpr[1:] + result.tpr[:-1])) / 2
    line = Line(x=result.fpr, y=result.tpr, label=f"AUC {area:.3f}")
    return with_fields(result, Figure(series=(line,)))


@document.register
def _(result: KernelROC) -> Document:
    label = f"smoothed, AUC {result.auc:.3f}"
    line = Line(x=result.fpr, y=result.tpr, label=label, role="reference")
    return with_fields(result, Figure(series=(line,)))


@document.register
def _(result: ROCHull) -> Document:
    label = f"hull, AUC {result.auc:.3f}"
    line = Line(x=result.fpr, y=result.tpr, label=label, role="reference", markers=True)
    return with_fields(result, Figure(series=(line,)))


@document.register
def _(result: OperatingPoints) -> Document:
    data = result.to_dict()
    rows = [dict(zip(data, row, strict=True)) for row in zip(*data.values(), strict=True)]
    rates = ("sensitivity", "specificity", "PPV", "NPV", "LR+", "LR-", "accuracy", "F1")
    keys = {"LR+": "lr_pos", "LR-": "lr_neg"}
    table = Table(
        name="points",
        records=tuple(rows),
        columns=(
            Column("threshold", ("threshold",), plain),
            *(Column(name.upper(), (name,), count) for name in ("tp", "fp", "tn", "fn")),
            *(Column(title, (keys.get(title, title.lower()),), number(3)) for title in rates),
            Column("Youden's J", ("youden",), number(3)),
        ),
        shown=_SHOWN_POINTS,
    )
    notes = [Note(repr(result))]
    if result.prevalence is not None:
        share = percent(result.prevalence)
        notes.append(Note(f"PPV, NPV, accuracy and F1 are those for {share} positives."))
    line = Line(x=result.fpr, y=result.tpr, label="ROC curve")
    return Document(data=data, parts=(table, Figure(series=(line,)), *notes))
