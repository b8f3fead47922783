"""A figure on the axes of matplotlib, in one style; nothing global is changed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab.report import plot_style as style
from roclab.report.figure import Band, Bars, Columns, Figure, Line, Points, Rule, Series, Words
from roclab.report.thinning import thinned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

Options = dict[str, Any]
_RATES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)  # at ticks of normal deviates
_LETTER, _LINE = 0.0145, 0.043  # of a legend, as shares of the axes' width and height
_LONG_LEGEND = 6
_HANDLE = 6  # letters that have the width of a line in a legend


@dataclass
class _Drawn:
    """What is on some axes: entries of their legend, colours used, and inches used below them."""

    entries: list[tuple[Any, str]] = field(default_factory=list)
    groups: int = 0
    below: float = 0


def size_of(figure: Figure) -> tuple[float, float]:
    """Width and height of a new figure, in inches."""
    width, height = style.WIDTH, style.PANEL
    if _is_square(figure):
        width = height = style.SQUARE
    if figure.axes.names:
        points = sum(len(one.x) for one in figure.series if isinstance(one, Points))
        height = style.MARGIN + style.ROW * max(len(figure.axes.names), 0.6 * points, 3)
    height += _height_of(figure.below) + (style.TITLE if figure.title else 0)
    height = min(height, style.HIGHEST)
    labels = _labels(figure)
    lines = [(one.x, one.y) for one in figure.series if isinstance(one, Line)]
    inside = figure.axes.square and figure.below is None and _fits_inside(lines, labels)
    rows = math.ceil(len(labels) / _columns(style.AXES_SHARE * width, labels))
    return width, height + (0 if inside else style.LEGEND_ROW * rows)


def _height_of(below: Figure | None) -> float:
    """Height of a second picture below the first, with its distance."""
    if below is None:
        return 0
    strips = style.STRIP * len(below.axes.names)
    return style.GAP + (strips if below.axes.strips else style.SECOND)


def _labels(figure: Figure | None) -> list[str]:
    if figure is None:
        return []
    return [*(one.label for one in figure.series if one.label), *_labels(figure.below)]


def draw(figure: Figure, ax: Axes, colors: Sequence[Any], options: Options) -> None:
    """Draw a figure; `colors` replace those of its groups, `options` are those of its lines."""
    drawn = _drawn_before(ax)
    if figure.axes.square and not drawn.entries:
        ax.plot([0, 1], [0, 1], color=style.PALE, lw=style.THIN, zorder=1)
    drawn.entries += _draw_all(figure, ax, drawn.groups, colors, options)
    if figure.below is not None:
        for above in (ax, *ax.child_axes):
            above.set_xlabel("")
            above.tick_params(labelbottom=False)
        drawn.below += _height_of(figure.below)
        bounds = (0, -drawn.below, 1, _height_of(figure.below) - style.GAP)
        lower = ax.inset_axes(bounds, transform=_inches_from(ax), sharex=ax)
        drawn.entries += _draw_all(figure.below, lower, drawn.groups, colors, options)
    drawn.groups += figure.n_groups
    _add_legend(figure, ax, drawn)


def _draw_all(
    figure: Figure, ax: Axes, before: int, colors: Sequence[Any], options: Options
) -> list[tuple[Any, str]]:
    """Draw the series and the axes; returns entries of the legend, what is on top first."""
    handles = []
    for series in figure.series:
        color, look = _look(series, before, colors)
        handles.append((_draw_series(series, ax, color, look, options), series.label))
    _dress(figure, ax)
    return handles[::-1]


def _drawn_before(ax: Axes) -> _Drawn:
    """What was drawn on the axes before and is still there."""
    drawn: _Drawn = vars(ax).setdefault("_roclab", _Drawn())
    drawn.entries = [entry for entry in drawn.entries if _is_there(entry[0], ax)]
    if not drawn.entries:
        drawn.groups, drawn.below = 0, 0
    return drawn


def _is_there(handle: Any, ax: Axes) -> bool:
    artist: Any = handle
    # Points with error bars are several artists in a tuple.
    parts = artist.get_children() if isinstance(handle, tuple) else [artist]
    return any(part.axes is not None and part.axes in (ax, *ax.child_axes) for part in parts)


def _look(series: Series, before: int, colors: Sequence[Any]) -> tuple[Any, style.GroupStyle]:
    """The colour of a series, and the style of its group."""
    group = before + (series.group or 0)
    look = style.style_of(group)
    if series.role != "context" and (series.group is not None or series.role == "curve"):
        own = series.group or 0
        return (colors[own] if own < len(colors) else look.color), look
    return style.ROLES[series.role], look._replace(dashes="-")


def _draw_series(
    series: Series, ax: Axes, color: Any, look: style.GroupStyle, options: Options
) -> Any:
    """Draw it; returns what the legend shows of it."""
    shade: Options = {"color": color, "alpha": style.SHADE, "lw": 0, "label": series.label}
    if isinstance(series, Line):
        return _draw_line(series, ax, color, look, options)
    if isinstance(series, Points):
        return _draw_points(series, ax, color, look, options)
    if isinstance(series, Rule):
        rule: Options = {"color": color, "lw": style.THIN, "ls": "--", "label": series.label}
        rule["zorder"] = 1
        if series.x is not None:
            return ax.axvline(series.x, **rule)
        return ax.axhline(series.y or 0.0, **rule)
    if isinstance(series, Bars):
        return ax.barh(series.y, series.x, height=0.35, color=color, label=series.label, zorder=2)
    if isinstance(series, Words):
        return _draw_words(series, ax)
    if isinstance(series, Columns):
        heights = series.high - series.low
        shade |= {"width": series.width, "alpha": style.COLUMN, "zorder": 2}
        return ax.bar(series.x, heights, bottom=series.low, **shade)
    if isinstance(series, Band):
        at = thinned(series.x, series.low, series.high)
        return ax.fill_between(series.x[at], series.low[at], series.high[at], **shade)
    return ax.fill(series.x, series.y, **shade)[0]


def _draw_line(line: Line, ax: Axes, color: Any, look: style.GroupStyle, options: Options) -> Any:
    at = thinned(line.x, line.y)
    properties: Options = {
        "color": color,
        "lw": style.LINE,
        "ls": "--" if line.dashed else look.dashes,
        "marker": "o" if line.markers else None,
        "ms": style.MARKER,
        "label": line.label,
    }
    if line.dashed or line.role == "context":
        properties |= {"lw": style.LINE - 0.4, "zorder": 1.9}
    if line.faint:
        properties |= {"lw": style.THIN, "ls": "-", "alpha": style.FAINT, "zorder": 1.8}
    elif line.role == "context":
        properties |= {"lw": style.THIN, "color": style.GREY if line.dashed else style.PALE}
    elif not line.dashed:
        properties = _overridden(properties, options)
    return ax.plot(line.x[at], line.y[at], **properties)[0]


def _draw_points(
    points: Points, ax: Axes, color: Any, look: style.GroupStyle, options: Options
) -> Any:
    bars: Options = {"elinewidth": 1.2, "lw": 1.2, "zorder": 2.5}
    if points.filled is None:
        return ax.errorbar(
            points.x,
            points.y,
            xerr=points.x_error,
            yerr=points.y_error,
            color=color,
            fmt="none",
            alpha=style.COLUMN,
            label=points.label,
            **bars,
        )
    handle = None
    for full in (False, True):
        at = np.flatnonzero(points.filled == full)
        if not len(at):
            continue
        properties: Options = {
            "color": color if full or points.group is not None else style.GREY,
            "mfc": color if full else "white",
            # Shapes are for the legend: without one, the name beside a point says what it is.
            "marker": look.marker if points.group is not None and points.label else "o",
            "ms": style.MARKER,
            "ls": "none",
            "label": points.label,
        }
        handle = ax.errorbar(
            points.x[at],
            points.y[at],
            xerr=_some(points.x_error, at),
            yerr=_some(points.y_error, at),
            **_overridden(bars | properties, options),
        )
    return ax.plot([], [])[0] if handle is None else handle


def _draw_words(words: Words, ax: Axes) -> Any:
    from matplotlib.patheffects import withStroke

    written = ax.annotate(
        "\n".join(words.lines),
        (words.x, words.y),
        xytext=(-style.BESIDE if words.before else style.BESIDE, -style.BESIDE),
        textcoords="offset points",
        ha="right" if words.before else "left",
        va="top",
        fontsize=style.SMALL,
        color=style.TEXT_COLOR,
        path_effects=[withStroke(linewidth=2, foreground="white")],  # lines pass behind it
    )
    written.set_parse_math(False)
    return written


def _some(errors: Any, at: Any) -> Any:
    return None if errors is None else errors[..., at]


_SHORT = {"ls": "linestyle", "lw": "linewidth", "ms": "markersize"}


def _overridden(properties: Options, options: Options) -> Options:
    """Properties with those that were passed, whatever they are called by."""
    passed = {_SHORT.get(name, name) for name in options}
    return {
        name: value for name, value in properties.items() if _SHORT.get(name, name) not in passed
    } | options


def _dress(figure: Figure, ax: Axes) -> None:
    axes = figure.axes
    for words in (
        ax.set_xlabel(axes.x, fontsize=style.TEXT),
        ax.set_ylabel(axes.y, fontsize=style.TEXT),
        *([ax.set_title(figure.title, fontsize=style.TEXT)] if figure.title else ()),
    ):
        words.set_parse_math(False)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=style.SMALL)
    ax.grid(True, axis="x" if axes.names else "both", **style.GRID)
    ax.set_axisbelow(True)
    if axes.names:
        ax.set_yticks(
            range(len(axes.names)),
            [style.shortened(name, style.LONGEST_NAME) for name in axes.names],
        )
        _write_literally(ax.get_yticklabels())
        ax.set_ylim(-0.6, len(axes.names) - 0.4)
    if axes.strips:
        ax.spines["left"].set_visible(False)
        ax.tick_params(left=False)
        ax.set_ylim(-0.5, len(axes.names) - 0.5)
    if axes.deviates:
        places = [NormalDist().inv_cdf(rate) for rate in _RATES]
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_ticks(places, [f"{rate:g}" for rate in _RATES])
    if axes.y_scale == "log":
        ax.set_yscale("log")
    if axes.square:
        # In the corner of its place, so that the room for a legend below is known.
        ax.set(aspect="equal", anchor="SW", xlim=(-0.015, 1.015), ylim=(-0.015, 1.015))
    if axes.x_range is not None:
        ax.set_xlim(*axes.x_range)
    if axes.y_range is not None:
        ax.set_ylim(*axes.y_range)


def _add_legend(figure: Figure, ax: Axes, drawn: _Drawn) -> None:
    entries = [entry for entry in drawn.entries if entry[1]]
    ours = {id(handle) for handle, _ in drawn.entries}
    others = zip(*ax.get_legend_handles_labels(), strict=True)
    entries += [(handle, text) for handle, text in others if id(handle) not in ours]
    if not entries:
        return
    handles = [handle for handle, _ in entries]
    texts = [style.shortened(text, style.LONGEST_LABEL) for _, text in entries]
    # Placeholders: matplotlib leaves out names that begin with an underscore.
    placeholders = [f"{number}" for number in range(len(texts))]
    common: Options = {"frameon": False, "fontsize": style.SMALL, "borderaxespad": 0.3}
    lines = [one.get_data() for one, _ in drawn.entries if hasattr(one, "get_data")]
    if figure.axes.square and not drawn.below and _fits_inside(lines, texts):
        legend = ax.legend(handles, placeholders, loc="lower right", **common)
    else:
        legend = ax.legend(
            handles,
            placeholders,
            loc="upper left",
            ncols=_columns(ax.bbox.width / ax.figure.dpi, texts),
            bbox_to_anchor=(0, -style.BELOW - drawn.below),
            bbox_transform=_inches_from(ax),
            **common,
        )
    for words, text in zip(legend.get_texts(), texts, strict=True):
        words.set_text(text)
    _write_literally(legend.get_texts())


def _inches_from(ax: Axes) -> Any:
    """Places below axes: shares of their width, and inches from their lower side."""
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    inches: Any = ax.figure.dpi_scale_trans
    across: Any = ax.transAxes
    return blended_transform_factory(across, inches + ScaledTranslation(0, 0, across))


def _write_literally(words: Sequence[Text]) -> None:
    """Dollar signs in names are no mathematics."""
    for one in words:
        one.set_parse_math(False)


def _columns(inches: float, texts: Sequence[str]) -> int:
    """How many texts of a legend fit beside each other below axes of this width."""
    longest = style.LETTER * (_HANDLE + max(map(len, texts), default=0))
    return max(1, min(len(texts), int(inches / longest)))


def _is_square(figure: Figure) -> bool:
    return figure.axes.square or figure.axes.deviates


def _fits_inside(lines: Iterable[tuple[Any, Any]], texts: Sequence[str]) -> bool:
    """Whether a legend in the lower right corner of a ROC square covers no line."""
    shown = [text for text in texts if text]
    left = 1 - 0.12 - _LETTER * max(map(len, shown), default=0)
    top = 0.03 + _LINE * len(shown)
    if len(shown) > _LONG_LEGEND or left < top:  # the diagonal is a line too
        return False
    return all(
        np.interp(left, x, y) > top
        for x, y in lines
        if len(x) and np.isfinite(x).all() and np.isfinite(y).all()
    )
