"""Several results in one figure."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from roclab.errors import InputError
from roclab.formatting import one_line
from roclab.report.document import figure, load_documents
from roclab.report.figure import Band, Figure, Line, Points, Polygon, Series

# Beyond this number only the best are named; the others are grey.
MOST_NAMED, NAMED_OF_MANY = 12, 8


@functools.singledispatch
def sequence_figure(first: Any, results: Sequence[Any]) -> Figure:
    """The figure of a list, by its first item: some lists are one thing, as steps of a stream."""
    kind = type(first)
    load_documents(kind)
    if sequence_figure.dispatch(kind) is not sequence_figure.dispatch(object):
        return sequence_figure(first, results)
    figures = [figure(one) for one in results]
    kinds = [type(one) for one in results]
    return combined(
        figures,
        [
            f"{number}" if kinds.count(kind) > 1 else ""
            for number, kind in enumerate(kinds, start=1)
        ],
    )


def named(shown: Figure, name: str) -> Figure:
    """The figure, with a name before what its legend says of lines and points."""
    places = [
        at
        for at, one in enumerate(shown.series)
        if isinstance(one, Line | Points) and one.role != "context"
    ]
    labelled = [at for at in places if shown.series[at].label] or places[-1:]
    series = list(shown.series)
    for at in labelled if name else ():
        texts = filter(None, (name, series[at].label))
        series[at] = replace(series[at], label=", ".join(texts))
    return replace(shown, series=tuple(series))


def combined(figures: Sequence[Figure], names: Sequence[str]) -> Figure:
    """Figures over each other, each with its name and colour; the first on top.

    Of more than 12 the best 8 are named, or the first 8 if they have no quality, and the others are
    grey.
    """
    first = figures[0]
    for other in figures:
        same = (other.axes.x, other.axes.y) == (first.axes.x, first.axes.y)
        if len(figures) > 1 and (not same or other.axes.names or other.below is not None):
            raise InputError(
                found="These results have pictures that do not fit into one",
                needed="results drawn together need the same axes",
                fix="Draw each by itself: pass {ax=}axes[0], {ax=}axes[1] and so on.",
            )
    parts = [named(one, one_line(name)) for one, name in zip(figures, names, strict=True)]
    if len(parts) <= MOST_NAMED:
        return replace(first, series=_stacked(parts))
    order = sorted(range(len(parts)), key=lambda at: worst_last(parts[at].quality))
    best = [parts[at] for at in order[:NAMED_OF_MANY]]
    others = [one for at in order[NAMED_OF_MANY:] for one in parts[at].series]
    grey = [
        replace(one, role="context", label="", group=None)
        for one in others
        if isinstance(one, Line | Points)
    ]
    label = f"{len(parts) - NAMED_OF_MANY:,} others"
    return replace(first, series=(*_with_label(grey, label), *_stacked(best)))


def _stacked(parts: Sequence[Figure]) -> tuple[Series, ...]:
    """The series of all, the first on top; what is said of several is said once."""
    found: list[Series] = []
    context: list[Series] = []
    labels: set[str] = set()
    group = 0
    for part in parts:
        series: list[Series] = []
        for one in part.series:
            again = one.label in labels
            if one.role != "context":
                label = "" if again and isinstance(one, Band | Polygon) else one.label
                series.append(replace(one, label=label, group=group + (one.group or 0)))
            elif not again or not one.label:
                context.append(one)
        labels |= {one.label for one in part.series}
        group += part.n_groups
        found = [*series, *found]
    return (*context, *found)


def _with_label(series: Sequence[Series], label: str) -> list[Series]:
    return [*series[:-1], replace(series[-1], label=label)] if series else []


def worst_last(quality: float) -> float:
    """Sorts the best first, and what is undefined last."""
    return math.inf if math.isnan(quality) else -quality
