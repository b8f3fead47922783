"""Documents of bands, fitted and averaged curves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from roclab.inference import AverageROC, BinormalFit, ROCBand
from roclab.report.document import figure
from roclab.report.documents.curves import area_under
from roclab.report.figure import Band, Figure, Floats, Line, Polygon
from roclab.report.formats import number, percent

_three = number(3)
_MOST_FOLDS = 50  # more curves would be an area


@figure.register
def _(result: ROCBand) -> Figure:
    label = f"{percent(result.confidence_level)} {result.kind} band"
    band = _to_corners(Band(x=result.fpr, low=result.low, high=result.high, label=label))
    fpr, tpr = _from_origin(result.fpr, result.tpr)
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
    fpr, tpr = _from_origin(result.fpr, result.tpr)
    label, area = f"mean of {result.n_folds} curves", math.nan
    if fpr[0] == 0 and fpr[-1] == 1:
        area = area_under(fpr, tpr)
        label += f", AUC {_three(area)}"
    mean = Line(x=fpr, y=tpr, label=label)
    return Figure(series=(*_folds(result), _errors(result), mean), quality=area)


def _folds(result: AverageROC) -> list[Line]:
    """The curves of the folds."""
    count = min(result.n_folds, _MOST_FOLDS)
    shared = [result.fpr] * count
    fprs = shared if result.fold_fpr is None else list(result.fold_fpr[:count])
    curves = map(_from_origin, fprs, result.fold_tpr[:count])
    return [Line(x=fpr, y=tpr, label="", faint=True) for fpr, tpr in curves]


def _errors(result: AverageROC) -> Band | Polygon:
    """The mean with its standard error, upwards and downwards or in both rates."""
    low, high = (np.clip(result.tpr + sign * result.tpr_error, 0, 1) for sign in (-1, 1))
    if result.over == "fpr":
        band = Band(x=result.fpr, low=low, high=high, label="mean ± standard error")
        return _to_corners(band)
    left, right = (np.clip(result.fpr + sign * result.fpr_error, 0, 1) for sign in (-1, 1))
    return Polygon(
        x=np.concatenate((left, right[::-1])),
        y=np.concatenate((high, low[::-1])),
        label="mean ± standard error of both rates",
        role="curve",
    )


def _from_origin(fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
    """Rates of a curve that rises at once, if it is known at a false positive rate of 0."""
    return (fpr, tpr) if fpr[0] > 0 else (np.r_[0, fpr], np.r_[0, tpr])


def _to_corners(band: Band) -> Band:
    """A band that ends in the corners of the ROC square, where all curves begin and end.

    At a false positive rate of 0 a curve rises from the corner. At 1 it can only have arrived.
    """
    x, low = _from_origin(band.x, band.low)
    x, high = _from_origin(band.x, band.high)
    if x[-1] == 1 and not math.isnan(low[-1]):
        low, high = np.r_[low[:-1], 1], np.r_[high[:-1], 1]
    return replace(band, x=x, low=low, high=high)
