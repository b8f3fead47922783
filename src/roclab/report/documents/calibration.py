"""Documents of the calibration of probabilities."""

from __future__ import annotations

import numpy as np

from roclab.inference import CalibrationCurve, CalibrationSummary
from roclab.report.document import Column, Document, Table, document, figure
from roclab.report.documents.rows import size_note
from roclab.report.figure import Axes, Figure, Line, Points
from roclab.report.formats import interval, number, percent

_AXES = Axes(x="mean predicted probability", y="observed rate", square=True)
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
    return Figure(series=(bars, line), axes=_AXES)


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
