"""Documents of bands, fitted and averaged curves."""

from __future__ import annotations

import math

import numpy as np

from roclab.inference import AverageROC, BinormalFit, ROCBand
from roclab.report.document import figure
from roclab.report.documents.curves import area_under
from roclab.report.figure import Band, Figure, Floats, Line, Points
from roclab.report.formats import number, percent

_three = number(3)


@figure.register
def _(result: ROCBand) -> Figure:
    label = f"{percent(result.confidence_level)} {result.kind} band"
    band = Band(x=result.fpr, low=result.low, high=result.high, label=label)
    fpr, tpr = _from_origin(result)
    line = Line(x=fpr, y=tpr, label=f"AUC {_three(result.auc)}")
    return Figure(series=(band, line), quality=result.auc)


@figure.register
def _(result: BinormalFit) -> Figure:
    fpr = np.linspace(0, 1, 2001) ** 3  # most rates near 0, where the curve is steep
    label = f"binormal, AUC {_three(result.auc.value)}"
    line = Line(x=fpr, y=result.tpr_at(fpr), label=label)
    return Figure(series=(line,), quality=result.auc.value)


@figure.register
def _(result: AverageROC) -> Figure:
    fpr, tpr = _from_origin(result)
    label, area = f"mean of {result.n_folds} curves", math.nan
    if fpr[0] == 0 and fpr[-1] == 1:
        area = area_under(fpr, tpr)
        label += f", AUC {_three(area)}"
    places = np.linspace(0, len(result) - 1, min(len(result), 11)).astype(int)
    places = places[(result.fpr[places] > 0) & (result.fpr[places] < 1)]
    errors = Points(
        x=result.fpr[places],
        y=result.tpr[places],
        x_error=result.fpr_error[places] if result.over == "threshold" else None,
        y_error=result.tpr_error[places],
        label="standard error",
    )
    return Figure(series=(errors, Line(x=fpr, y=tpr, label=label)), quality=area)


def _from_origin(result: ROCBand | AverageROC) -> tuple[Floats, Floats]:
    """Rates of a curve that rises at once, if it is known at a false positive rate of 0."""
    if result.fpr[0] > 0:
        return result.fpr, result.tpr
    return np.r_[0, result.fpr], np.r_[0, result.tpr]
