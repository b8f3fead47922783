"""Pictures of curves."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from roclab.curves import (
    CostCurve,
    DETCurve,
    GranularROC,
    KernelROC,
    MarginCurve,
    OperatingPoints,
    PrecisionRecallCurve,
    PrecisionRecallGainCurve,
    ROCCurve,
    ROCHull,
    roc_curve,
)
from roclab.data.ranking import Ranking
from roclab.data.undefined import is_undefined
from roclab.errors import SmallSampleWarning
from roclab.inference import interval as interval_of
from roclab.measures import average_precision
from roclab.numeric.distributions import normal_quantiles
from roclab.report.document import Column, Document, Note, Table, document, figure
from roclab.report.figure import LARGEST_DRAWN, Axes, Figure, Floats, Line, Polygon, Rule
from roclab.report.formats import (
    count,
    decimals_for,
    interval,
    number,
    percent,
    threshold,
    unless_undefined,
)

_SHOWN_POINTS = 10
_three = number(3)
# Intervals of average precision: rows beyond which they have none, replicates, and rows in all of
# them, which take about half a second.
_MOST_RESAMPLED = 200_000
_FEWEST_RESAMPLES, _MOST_RESAMPLES, _ROWS_DRAWN = 200, 2000, 20_000_000
_RATES = {"sensitivity": "sensitivity", "specificity": "specificity", "ppv": "precision"}


def area_under(x: Floats, y: Floats) -> float:
    """Area under a line; nan if it is undefined."""
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2) if len(x) > 1 else float("nan")


@figure.register
def _(result: KernelROC) -> Figure:
    label = f"smoothed, AUC {_three(result.auc)}"
    line = Line(x=result.fpr, y=result.tpr, label=label)
    return Figure(series=(line,), quality=result.auc)


@figure.register
def _(result: ROCCurve) -> Figure:
    area = area_under(result.fpr, result.tpr)
    line = Line(x=result.fpr, y=result.tpr, label=f"AUC {_three(area)}")
    return Figure(series=(line,), quality=area)


@figure.register
def _(result: ROCHull, ranking: Ranking | None = None) -> Figure:
    found = len(result.concavities)
    noun = "concavity" if found == 1 else "concavities"
    label = f"hull, AUC {_three(result.auc)}, {found:,} {noun}"
    hull = Line(x=result.fpr, y=result.tpr, label=label, markers=True)
    if ranking is None:
        return Figure(series=(hull,), quality=result.auc)
    curve = roc_curve(ranking)
    below = Polygon(
        x=np.concatenate((result.fpr, curve.fpr[::-1])),
        y=np.concatenate((result.tpr, curve.tpr[::-1])),
        label="concavities",
    )
    return Figure(
        series=(below, replace(hull, role="reference"), *figure(curve).series), quality=result.auc
    )


@figure.register
def _(result: DETCurve) -> Figure:
    x, y = normal_quantiles(result.fpr), normal_quantiles(result.fnr)
    shown = np.isfinite(x) & np.isfinite(y)  # a rate of 0 or 1 is infinitely far away
    line = Line(x=x[shown], y=y[shown], label="")
    axes = Axes(x="false positive rate", y="false negative rate", deviates=True)
    return Figure(series=(line,), axes=axes)


@figure.register
def _(result: GranularROC) -> Figure:
    low, up = result.low, result.up
    between = Polygon(
        x=np.concatenate((up.fpr, low.fpr[::-1])),
        y=np.concatenate((up.tpr, low.tpr[::-1])),
        label=f"granularity {result.granularity:g}",
        role="curve",
    )
    lines = [
        Line(
            x=one.fpr,
            y=one.tpr,
            label=f"{name}, AUC {_three(area_under(one.fpr, one.tpr))}",
            dashed=name == "lower",
        )
        for name, one in (("lower", low), ("upper", up))
    ]
    return Figure(series=(between, *lines))


@figure.register
def _(result: PrecisionRecallCurve, ranking: Ranking | None = None) -> Figure:
    # In steps: precision is not linear between points, and average precision is the area of steps.
    area = float(np.sum(np.diff(result.recall) * result.precision[1:]))
    recall = np.repeat(result.recall, 2)[:-1]
    precision = np.concatenate((result.precision[:1], np.repeat(result.precision[1:], 2)))
    label, why = (
        (f"average precision {_three(area)}", "") if ranking is None else _with_interval(ranking)
    )
    line = Line(x=recall, y=precision, label=label)
    share = float(result.precision[-1])
    rule = Rule(y=share, label=f"all called positive, {_three(share)}")
    axes = Axes(x="recall", y="precision", x_range=(-0.015, 1.015), y_range=(-0.015, 1.015))
    return Figure(series=(rule, line), axes=axes, quality=area, no_interval=why)


def _with_interval(ranking: Ranking) -> tuple[str, str]:
    """The average precision with its interval, and why it has none.

    It has one if that holds its level and is soon computed.
    """
    text, why, n_rows = "average precision", "", ranking.n_pos + ranking.n_neg
    if n_rows > _MOST_RESAMPLED:
        why = f"they are not computed for more than {_MOST_RESAMPLED:,} rows"
    elif not is_undefined(ranking):
        n_resamples = max(_FEWEST_RESAMPLES, min(_MOST_RESAMPLES, _ROWS_DRAWN // n_rows))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", SmallSampleWarning)
                found = interval_of(
                    ranking, measure="average_precision", n_resamples=n_resamples, rng=0
                )
        except SmallSampleWarning as warning:
            why = (
                f"fewer than {warning.values['enough']} negative examples score as high as the "
                "upper half of the positives"
            )
        else:
            digits = decimals_for([found.high - found.low])
            ends = unless_undefined(interval(digits))(found.value, found.low, found.high)
            return f"{text} {number(digits)(found.value)} {ends}".rstrip(), ""
    return f"{text} {_three(average_precision(ranking))}", why


@figure.register
def _(result: PrecisionRecallGainCurve) -> Figure:
    area = result.area()
    label = f"area {_three(area)}"
    line = Line(x=result.recall_gain, y=result.precision_gain, label=label)
    unit = (-0.015, 1.015)
    axes = Axes(x="recall gain", y="precision gain", x_range=unit, y_range=unit)
    return Figure(series=(line,), axes=axes, quality=area)


@figure.register
def _(result: CostCurve) -> Figure:
    area = result.area()
    ends = np.array([0.0, 0.5, 1.0])
    without = Line(
        x=ends, y=np.array([0, 0.5, 0]), label="without scores", role="context", dashed=True
    )
    line = Line(x=result.probability_cost, y=result.cost, label=f"area {_three(area)}")
    axes = Axes(
        x="probability-cost",
        y="normalized expected cost",
        x_range=(-0.015, 1.015),
        y_range=(0, 0.515),
    )
    return Figure(series=(without, line), axes=axes, quality=-area)


@figure.register
def _(result: OperatingPoints) -> Figure:
    # A rate stays the same down to the next score.
    scores = result.threshold.astype(np.float64)
    finite = np.isfinite(scores)
    drawn = np.clip(scores[finite], -LARGEST_DRAWN, LARGEST_DRAWN)
    thresholds = np.repeat(drawn, 2)[1:]
    lines = [
        Line(x=thresholds, y=np.repeat(getattr(result, rate)[finite], 2)[:-1], label=name, group=at)
        for at, (rate, name) in enumerate(_RATES.items())
    ]
    axes = Axes(x="threshold", y="rate", y_range=(-0.015, 1.015))
    return Figure(series=tuple(lines[::-1]), axes=axes)


@figure.register
def _(result: MarginCurve) -> Figure:
    margins = result.taus(points=401)
    label = f"AUC {_three(result.at(0.0))}, scored AUC {_three(result.area())}"
    line = Line(x=margins, y=result.at(margins), label=label)
    axes = Axes(
        x="margin by which positives are lowered",
        y="AUC that remains",
        y_range=(-0.015, 1.015),
    )
    return Figure(series=(Rule(x=0.0), line), axes=axes, quality=result.at(0.0))


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
            Column("threshold", ("threshold", "score_below"), threshold),
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
    return Document(data=data, parts=(table, figure(result), *notes))
