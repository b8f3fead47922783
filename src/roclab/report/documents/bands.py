"""Documents of bands, fitted and averaged curves."""

from __future__ import annotations

import numpy as np

from roclab.inference import AverageROC, BinormalFit, ROCBand
from roclab.report.document import Band, Document, Figure, Line, Points, document, with_fields


@document.register
def _(result: ROCBand) -> Document:
    label = f"{100 * result.confidence_level:g} % {result.kind} band"
    band = Band(x=result.fpr, low=result.low, high=result.high, label=label)
    figure = Figure(series=(band, _from_origin(result, "curve")))
    return with_fields(result, figure)


@document.register
def _(result: BinormalFit) -> Document:
    fpr = np.linspace(0, 1, 2001) ** 3  # most rates near 0, where the curve is steep
    label = f"binormal, AUC {result.auc.value:.3f}"
    line = Line(x=fpr, y=result.tpr_at(fpr), label=label, role="reference")
    return with_fields(result, Figure(series=(line,)))


@document.register
def _(result: AverageROC) -> Document:
    label = f"mean of {result.n_folds} curves"
    if result.fpr[0] == 0 and result.fpr[-1] == 1:
        area = np.sum(np.diff(result.fpr) * (result.tpr[1:] + result.tpr[:-1])) / 2
        label += f", AUC {area:.3f}"
    places = np.linspace(0, len(result) - 1, min(len(result), 11)).astype(int)
    places = places[(result.fpr[places] > 0) & (result.fpr[places] < 1)]
    errors = Points(
        x=result.fpr[places],
        y=result.tpr[places],
        x_error=result.fpr_error[places] if result.over == "threshold" else None,
        y_error=result.tpr_error[places],
        label="standard error",
    )
    figure = Figure(series=(errors, _from_origin(result, label)))
    return with_fields(result, figure)


def _from_origin(result: ROCBand | AverageROC, label: str) -> Line:
    """A curve that rises at once, if it is known at a false positive rate of 0."""
    fpr, tpr = result.fpr, result.tpr
    if fpr[0] == 0:
        fpr, tpr = np.r_[0, fpr], np.r_[0, tpr]
    return Line(x=fpr, y=tpr, label=label)
