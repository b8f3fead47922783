"""Pictures of a table: the ROC curves of its models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from roclab.curves import roc_curve
from roclab.data.table import ScoreTable
from roclab.inference import Interval, auc_interval
from roclab.report.document import figure
from roclab.report.figure import Figure, Line
from roclab.report.formats import decimals_for, interval, number, unless_undefined
from roclab.report.thinning import thinned
from roclab.report.together import combined, model_colors, worst_last


@figure.register
def _(result: ScoreTable) -> Figure:
    return roc_figure(result)


def roc_figure(
    table: ScoreTable,
    known: Mapping[str, Interval] | None = None,
    colors: Mapping[str, int | None] | None = None,
) -> Figure:
    """The ROC curves of models with the intervals of their AUCs; of some, where these are known."""
    lines, intervals = {}, {}
    for name in table if known is None else known:
        # Neither rankings nor whole curves are kept: those of many models need memory.
        ranking = table.ranking(name)
        curve = roc_curve(ranking)
        drawn = thinned(curve.fpr, curve.tpr)
        lines[name] = Line(x=curve.fpr[drawn], y=curve.tpr[drawn], label="")
        intervals[name] = auc_interval(ranking) if known is None else known[name]
    digits = decimals_for(one.high - one.low for one in intervals.values())
    value, ends = number(digits), unless_undefined(interval(digits))
    names = sorted(lines, key=lambda name: worst_last(intervals[name].value))
    figures = []
    for name in names:
        one = intervals[name]
        label = f"AUC {value(one.value)} {ends(one.value, one.low, one.high)}".rstrip()
        figures.append(Figure(series=(replace(lines[name], label=label),), quality=one.value))
    values = {name: one.value for name, one in intervals.items()}
    return combined(figures, names, model_colors(values) if colors is None else colors)
