"""Documents of the calibration of probabilities."""

from __future__ import annotations

import numpy as np

from roclab.data.ranking import Ranking
from roclab.data.undefined import is_undefined
from roclab.decisions import CalibrationCurve, CalibrationSummary, calibration_summary
from roclab.report.document import Column, Document, Table, document, figure
from roclab.report.documents.rows import size_note
from roclab.report.figure import Axes, Columns, Figure, Line, Points
from roclab.report.formats import interval, number, percent, unless_undefined

# Least distance of a probability from 0 and 1, where calibration is judged.
NEARLY = 1e-6
_X, _BAR, _STRIP = "mean predicted probability", 0.012, 0.8
_TITLES = {
    "calibration_intercept": "intercept",
    "calibration_slope": "slope",
    "observed_expected": "observed/expected",
}
_IDEAL = {"calibration_intercept": 0, "calibration_slope": 1, "observed_expected": 1}


@figure.register
def _(result: CalibrationCurve, ranking: Ranking | None = None) -> Figure:
    bars = Points(
        x=result.mean_probability,
        y=result.observed_rate,
        y_error=np.array([result.observed_rate - result.low, result.high - result.observed_rate]),
    )
    line = Line(
        x=result.mean_probability,
        y=result.observed_rate,
        label="" if ranking is None else _slope_and_intercept(ranking),
        markers=True,
    )
    y = f"observed rate, {percent(result.confidence_level)} interval"
    return Figure(series=(bars, line), axes=Axes(x=_X, y=y, square=True), below=_sizes(result))


def _slope_and_intercept(ranking: Ranking) -> str:
    """What the recalibration says; probabilities of 0 and 1 are taken as nearly so."""
    if is_undefined(ranking):
        return ""
    found = calibration_summary(ranking, clip=NEARLY)
    slope, shown = found.slope, number(2)
    ends = unless_undefined(interval(2))(slope.value, slope.low, slope.high)
    return (
        f"slope {shown(slope.value)} {ends}".rstrip()
        + f", intercept {shown(found.intercept.value)}"
    )


def _sizes(result: CalibrationCurve) -> Figure | None:
    """A strip with the sizes of the bins, beside which the largest is named."""
    if not len(result):
        return None
    largest = float(np.max(result.count))
    bars = Columns(
        x=result.mean_probability,
        low=np.full(len(result), -_STRIP / 2),
        high=_STRIP * (result.count / largest - 0.5),
        width=_BAR,
    )
    axes = Axes(
        x=f"{_X}; bars: examples in each bin", y="", names=(f"≤ {largest:,.6g}",), strips=True
    )
    return Figure(series=(bars,), axes=axes)


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
