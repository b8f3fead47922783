"""Several results in one figure."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from roclab.errors import InputError
from roclab.formatting import one_line
from roclab.report.document import figure, load_documents, options_of
from roclab.report.figure import Band, Columns, Figure, Line, Points, Polygon, Series
from roclab.report.look import MODELS

# Beyond this number of models only the best are named and have a colour; the others are grey.
MOST_NAMED, NAMED_OF_MANY = len(MODELS), 3


def figures_of(results: Sequence[Any], options: Mapping[str, Any]) -> list[Figure]:
    """The figures of results, with the options that each takes.

    Bands of several curves cover each other, so where they are an option they must be asked for.
    """
    options = ({"bands": False} if len(results) > 1 else {}) | dict(options)
    return [
        figure(one, **{name: options[name] for name in options if name in options_of(one)})
        for one in results
    ]


@functools.singledispatch
def sequence_figure(
    first: Any, results: Sequence[Any], options: Mapping[str, Any] | None = None
) -> Figure:
    """The figure of a list, by its first item: some lists are one thing, as steps of a stream."""
    kind = type(first)
    load_documents(kind)
    if sequence_figure.dispatch(kind) is not sequence_figure.dispatch(object):
        return sequence_figure(first, results, options)
    figures = figures_of(results, options or {})
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
        if isinstance(one, Line | Points) and one.role != "context" and not _behind(one)
    ]
    labelled = [at for at in places if shown.series[at].label] or places[-1:]
    series = list(shown.series)
    for at in labelled if name else ():
        texts = filter(None, (name, series[at].label))
        series[at] = replace(series[at], label=", ".join(texts))
    return replace(shown, series=tuple(series))


def _behind(one: Series) -> bool:
    return isinstance(one, Line) and one.faint


def model_colors(qualities: Mapping[str, float]) -> dict[str, int | None]:
    """The number of each model's colour, by its place; of more than eight only the best three.

    Every picture of the same models takes it from here, so that a model has one colour.

    Parameters
    ----------
    qualities : mapping of str to float
        The models in the order of their table, and how good they are, higher for better ones.
    """
    if len(qualities) <= MOST_NAMED:
        return {name: place for place, name in enumerate(qualities)}
    order = sorted(qualities, key=lambda name: worst_last(qualities[name]))
    best = {name: place for place, name in enumerate(order[:NAMED_OF_MANY])}
    return {name: best.get(name) for name in qualities}


def combined(
    figures: Sequence[Figure], names: Sequence[str], colors: Mapping[str, int | None] | None = None
) -> Figure:
    """Figures over each other, each with its name and colour; the first on top.

    Without `colors`, which are those of `model_colors`, they follow from the order of the figures.
    What has no colour is grey and without a name.
    """
    first = figures[0]
    for other in figures:
        same = (other.axes.x, other.axes.y) == (first.axes.x, first.axes.y)
        alone = other.below is not None and not other.below.axes.strips
        if len(figures) > 1 and (not same or other.axes.names or alone):
            raise InputError(
                found="These results have pictures that do not fit into one",
                needed="results drawn together need the same axes",
                fix="Draw each by itself: pass {ax=}axes[0], {ax=}axes[1] and so on.",
            )
    parts = [named(one, one_line(name)) for one, name in zip(figures, names, strict=True)]
    if colors is None:
        by_place = {f"{place}": one.quality for place, one in enumerate(parts)}
        numbers = list(model_colors(by_place).values())
    else:
        numbers = [colors[name] for name in names]
    shown = [(one, color) for one, color in zip(parts, numbers, strict=True) if color is not None]
    if colors is None and len(parts) > MOST_NAMED:
        shown = sorted(shown, key=lambda pair: pair[1])
    if any(one.n_groups > 1 for one in parts):  # each has several colours of its own
        starts = itertools.accumulate((one.n_groups for one, _ in shown), initial=0)
        shown = [(one, start) for (one, _), start in zip(shown, starts, strict=False)]
    grey = [
        series
        for one, color in zip(parts, numbers, strict=True)
        if color is None
        for series in _paled(one)
    ]
    others = numbers.count(None)
    label = f"{others:,} other{'s' * (others != 1)}"
    axes = replace(
        first.axes,
        x_range=_common_range([one.axes.x_range for one in figures]),
        y_range=_common_range([one.axes.y_range for one in figures]),
    )
    series = (*_with_label(grey, label), *_stacked(shown))
    below = _strips(shown) if len(figures) > 1 else first.below
    return replace(first, series=series, axes=axes, below=below)


def _paled(shown: Figure) -> list[Series]:
    """The lines and points of a figure in the background, without error bars and names."""
    found: list[Series] = []
    for one in shown.series:
        if _behind(one) or one.role == "context":
            continue
        if isinstance(one, Line):
            found.append(replace(one, role="context", label="", group=None, markers=False))
        elif isinstance(one, Points) and one.filled is not None:
            found.append(replace(one, role="context", label="", group=None))
    return found


def _strips(parts: Sequence[tuple[Figure, int]]) -> Figure | None:
    """What is below the figures, each in a strip of its colour, the first on top."""
    found = [(part.below, color) for part, color in parts if part.below is not None]
    if not found:
        return None
    series: list[Series] = []
    for place, (below, color) in enumerate(found[::-1]):
        series += [
            replace(one, low=one.low + place, high=one.high + place, group=color)
            for one in below.series
            if isinstance(one, Columns)
        ]
    names = tuple(name for below, _ in found[::-1] for name in below.axes.names)
    first, _ = found[0]
    return replace(first, series=tuple(series), axes=replace(first.axes, names=names))


def _common_range(ranges: Sequence[tuple[float, float] | None]) -> tuple[float, float] | None:
    """The range that holds all ranges, unless one follows from its data."""
    known = [one for one in ranges if one is not None]
    if len(known) < len(ranges):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _stacked(parts: Sequence[tuple[Figure, int]]) -> tuple[Series, ...]:
    """The series of all in their colours, the first on top; what several say is said last, once."""
    found: list[Series] = []
    context: list[Series] = []
    labels: set[str] = set()
    for part, group in reversed(parts):
        for one in part.series:
            again = one.label in labels
            if one.role != "context":
                label = "" if again and isinstance(one, Band | Polygon) else one.label
                found.append(replace(one, label=label, group=group + (one.group or 0)))
            elif not again or not one.label:
                context.append(one)
        labels |= {one.label for one in part.series}
    return (*context, *found)


def _with_label(series: Sequence[Series], label: str) -> list[Series]:
    return [*series[:-1], replace(series[-1], label=label)] if series else []


def worst_last(quality: float) -> float:
    """Sorts the best first, and what is undefined last."""
    return math.inf if math.isnan(quality) else -quality
