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
from roclab.report.together import combined, worst_last


@figure.register
def _(result: ScoreTable) -> Figure:
    return roc_figure(result, {})


def roc_figure(table: ScoreTable, known: Mapping[str, Interval]) -> Figure:
    """The ROC curves of all models, with the intervals of their AUCs, of which some are known."""
    lines, intervals = {}, {}
    for name in table:
        # Neither rankings nor whole curves are kept: those of many models need memory.
        ranking = table.ranking(name)
        curve = roc_curve(ranking)
        drawn = thinned(curve.fpr, curve.tpr)
        lines[name] = Line(x=curve.fpr[drawn], y=curve.tpr[drawn], label="")
        intervals[name] = known[name] if name in known else auc_interval(ranking)
    digits = decimals_for(one.high - one.low for one in intervals.values())
    value, ends = number(digits), unless_undefined(interval(digits))
    names = sorted(lines, key=lambda name: worst_last(intervals[name].value))
    figures = []
    for name in names:
        one = intervals[name]
        label = f"AUC {value(one.value)} {ends(one.value, one.low, one.high)}".rstrip()
        figures.append(Figure(series=(replace(lines[name], label=label),), quality=one.value))
    return combined(figures, names)
