"""Documents of decision curves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from roclab.decisions.net_benefit import DecisionCurve, DecisionCurves, NetBenefitDifference
from roclab.formatting import one_line
from roclab.report.document import Column, Document, Note, Table, document, figure, with_fields
from roclab.report.documents.rows import MODEL, size_note
from roclab.report.figure import Axes, Band, Figure, Line
from roclab.report.formats import interval, number, percent, unless_undefined
from roclab.report.together import combined

_AXES = Axes(x="threshold probability", y="net benefit")
_SHOWN = 20
_ROOM = 0.04  # above the highest curve, as a share of the prevalence


@document.register
def _(result: DecisionCurve) -> Document:
    return with_fields(result, figure(result), _prevalence_note(result))


@figure.register
def _(result: DecisionCurve, bands: bool = True) -> Figure:
    line = Line(x=result.thresholds, y=result.net_benefit, label="")
    ends = f"{percent(result.confidence_level)} interval"
    band = Band(x=result.thresholds, low=result.low, high=result.high, label=ends)
    shown = ((band,) if bands else ()) + (*_strategies(result), line)
    return Figure(
        series=shown,
        axes=replace(_AXES, y_range=_shown_range(result, bands=bands)),
        quality=float(np.mean(result.net_benefit)),
    )


@document.register
def _(result: DecisionCurves) -> Document:
    named = list(zip(result.models, result.curves, strict=True))
    first = result.curves[0]
    records = tuple(
        {"model": model, **record}
        for model, curve in named
        for record in _records(curve, ("thresholds", "net_benefit", "low", "high", "treat_all"))
    )
    shown = unless_undefined(interval(3))
    ends = Column(
        f"{percent(first.confidence_level)} interval", ("net_benefit", "low", "high"), shown
    )
    threshold = Column("threshold", ("threshold",), "{:g}".format)
    models = Table(
        name="models",
        records=records,
        columns=(
            MODEL,
            threshold,
            Column("net benefit", ("net_benefit",), number(3)),
            ends,
            Column("treat all", ("treat_all",), number(3)),
        ),
        shown=_SHOWN,
    )
    return Document(
        data=result.to_dict(),
        parts=(
            figure(result),
            models,
            *((_differences(result),) if result.differences else ()),
            _prevalence_note(first),
            size_note(first.n_pos, first.n_neg),
        ),
    )


@figure.register
def _(result: DecisionCurves, bands: bool = False) -> Figure:
    return combined([figure(curve, bands=bands) for curve in result.curves], result.models)


@document.register
def _(result: NetBenefitDifference) -> Document:
    return with_fields(result, Note(repr(result)))


def _differences(result: DecisionCurves) -> Table:
    thresholds = result.curves[0].thresholds.tolist()
    level = percent(result.curves[0].confidence_level)
    records = tuple(
        {"model_a": one.model_a, "model_b": one.model_b, "threshold": threshold, **record}
        for one in result.differences
        for threshold, record in zip(
            thresholds, _records(one, ("difference", "low", "high")), strict=True
        )
    )
    return Table(
        name="differences",
        records=records,
        columns=(
            Column("model a", ("model_a",), one_line, kind="name"),
            Column("model b", ("model_b",), one_line, kind="name"),
            Column("threshold", ("threshold",), "{:g}".format),
            Column("difference a - b", ("difference",), number(3, sign="+")),
            Column(f"{level} interval", ("low", "high"), interval(3)),
        ),
        title="Differences of net benefit",
        shown=_SHOWN,
    )


def _records(
    result: DecisionCurve | NetBenefitDifference, fields: tuple[str, ...]
) -> list[dict[str, float]]:
    columns = {name.removesuffix("s"): getattr(result, name).tolist() for name in fields}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _shown_range(result: DecisionCurve, *, bands: bool) -> tuple[float, float] | None:
    """Ends of the axis of net benefit: treating everybody falls without bound."""
    if math.isnan(result.prevalence):
        return None
    tops = (result.net_benefit, result.treat_all, *((result.high,) if bands else ()))
    highest = max(0.0, *(float(np.max(one)) for one in tops))
    return -result.prevalence / 4, highest + _ROOM * result.prevalence


def _strategies(result: DecisionCurve) -> tuple[Line, Line]:
    everybody = Line(
        x=result.thresholds,
        y=result.treat_all,
        label="treat all",
        role="context",
        dashed=True,
    )
    ends = result.thresholds[[0, -1]]
    nobody = Line(x=ends, y=np.zeros(2), label="treat none", role="context")
    return everybody, nobody


def _prevalence_note(result: DecisionCurve) -> Note:
    return Note(f"Prevalence {number(3)(result.prevalence)}; treating nobody has net benefit 0.")
