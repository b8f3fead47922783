"""Documents of the calibration of probabilities."""

from __future__ import annotations

import numpy as np

from roclab.decisions import CalibrationCurve, CalibrationSummary
from roclab.report.document import Column, Document, Table, document, figure
from roclab.report.documents.rows import size_note
from roclab.report.figure import Axes, Band, Figure, Line, Points
from roclab.report.formats import interval, number, percent

_AXES = Axes(x="mean predicted probability", y="observed rate", square=True)
_HALF_BAR = 0.012
_TITLES = {
    "calibration_intercept": "intercept",
    "calibration_slope": "slope",
    "observed_expected": "observed/expected",
}
_IDEAL = {"calibration_intercept": 0, "calibration_slope": 1, "observed_expected": 1}


@figure.register
def _(result: CalibrationCurve) -> Figure:
    bars = Points(
        x=result.mean_probability,
        y=result.observed_rate,
        y_error=np.array([result.observed_rate - result.low, result.high - result.observed_rate]),
    )
    line = Line(
        x=result.mean_probability,
        y=result.observed_rate,
        label=f"{percent(result.confidence_level)} interval",
        markers=True,
    )
    sizes = [_sizes(result)] if len(result) else []
    return Figure(series=(*sizes, bars, line), axes=_AXES)


def _sizes(result: CalibrationCurve) -> Band:
    """The sizes of the bins as bars at the foot of the picture, the largest a fifth of it high."""
    largest = float(np.max(result.count))
    heights = 0.2 * result.count / largest
    left, right = result.mean_probability - _HALF_BAR, result.mean_probability + _HALF_BAR
    x = np.column_stack((left, left, right, right)).ravel()
    high = np.column_stack((heights * 0, heights, heights, heights * 0)).ravel()
    label = f"examples in each bin, at most {largest:,.6g}"
    return Band(x=x, low=np.zeros(len(x)), high=high, label=label, role="context")


@document.register
def _(result: CalibrationSummary) -> Document:
    estimates = (result.intercept, result.slope, result.observed_expected)
    records = tuple(one.to_dict() | {"ideal": _IDEAL[one.measure]} for one in estimates)
    table = Table(
        name="calibration",
        records=records,
        columns=(
            Column("calibration", ("measure",), _TITLES.__getitem__, kind="text"),
            Column("value", ("value",), number(3)),
            Column(f"{percent(result.confidence_level)} interval", ("low", "high"), interval(3)),
            Column("ideal", ("ideal",), str),
        ),
    )
    return Document(data=result.to_dict(), parts=(table, size_note(result.n_pos, result.n_neg)))
