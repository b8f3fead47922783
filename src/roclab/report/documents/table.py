"""Pictures of a table: the ROC curves of its models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from roclab.curves import roc_curve
from roclab.data.table import ScoreTable
from roclab.data.undefined import is_undefined
from roclab.inference import Interval, auc_interval, roc_band
from roclab.measures import auc
from roclab.report.document import Document, Note, Table, document, figure
from roclab.report.documents.rows import estimate_columns, missing_notes
from roclab.report.figure import Figure, Line, Series
from roclab.report.formats import decimals_for, interval, number, unless_undefined
from roclab.report.thinning import thinned
from roclab.report.together import MOST_NAMED, combined, model_colors, worst_last

_SHOWN = 20  # models in a notebook


@document.register
def _(result: ScoreTable) -> Document:
    shown = result.names[:_SHOWN]
    intervals = {name: auc_interval(result.ranking(name)) for name in shown}
    digits = decimals_for(one.high - one.low for one in intervals.values())
    records = tuple(
        {"model": name, "value": one.value, "low": one.low, "high": one.high}
        for name, one in intervals.items()
    )
    table = Table(
        name="models", records=records, columns=estimate_columns("AUC", "95 % interval", digits)
    )
    n_pos = int(np.count_nonzero(result.y_true))
    text = f"{len(result):,} rows, {n_pos:,} positive, {len(result) - n_pos:,} negative."
    if len(result.names) > _SHOWN:
        text += f" The first {_SHOWN} of {len(result.names):,} models are shown."
    return Document(
        data={"rows": len(result), "n_pos": n_pos, "models": list(records)},
        parts=(table, Note(text), *missing_notes(result.missing)),
    )


@figure.register
def _(result: ScoreTable) -> Figure:
    return roc_figure(result)


def roc_figure(
    table: ScoreTable,
    known: Mapping[str, Interval] | None = None,
    colors: Mapping[str, int | None] | None = None,
    *,
    band: bool = False,
) -> Figure:
    """The ROC curves of models with the intervals of their AUCs; of some, where these are known.

    `colors` are those of `model_colors`, by default those of this table. With `band` each curve has
    its simultaneous band.
    """
    lines: dict[str, Line] = {}
    bands: dict[str, tuple[Series, ...]] = {}
    intervals: dict[str, Interval] = {}
    for name in table if known is None else known:
        # Neither rankings nor whole curves are kept: those of many models need memory.
        ranking = table.ranking(name)
        curve = roc_curve(ranking)
        drawn = thinned(curve.fpr, curve.tpr)
        lines[name] = Line(x=curve.fpr[drawn], y=curve.tpr[drawn], label="")
        bands[name] = figure(roc_band(ranking, rng=0)).series[:1] if band else ()
        intervals[name] = auc_interval(ranking) if known is None else known[name]
    digits = decimals_for(one.high - one.low for one in intervals.values())
    value, ends = number(digits), unless_undefined(interval(digits))
    qualities = {name: one.value for name, one in intervals.items()}
    names = sorted(lines, key=lambda name: worst_last(qualities[name]))
    figures = []
    for name in names:
        one = intervals[name]
        label = f"AUC {value(one.value)} {ends(one.value, one.low, one.high)}".rstrip()
        line = replace(lines[name], label=label)
        figures.append(Figure(series=(*bands[name], line), quality=one.value))
    return combined(figures, names, model_colors(qualities) if colors is None else colors)


def table_colors(table: ScoreTable) -> dict[str, int | None]:
    """The number of each model's colour; of many models the AUC decides which have one."""
    qualities = dict.fromkeys(table, math.nan)
    if len(table.names) > MOST_NAMED:
        for name in table:
            ranking = table.ranking(name)
            if not is_undefined(ranking):
                qualities[name] = auc(ranking)
    return model_colors(qualities)
