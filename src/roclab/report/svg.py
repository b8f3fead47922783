"""A figure as SVG, for pages and notebooks: no script is needed to see it.

Colours are CSS variables with a fallback, so that a page can replace them in the dark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from roclab.report import plot_style as style
from roclab.report.figure import (
    Band,
    Bars,
    Columns,
    Figure,
    Floats,
    Line,
    Points,
    Polygon,
    Rule,
    Series,
    Words,
)
from roclab.report.look import COLORS
from roclab.report.thinning import thinned

_WIDTH, _HEIGHT = 440, 300
_COLUMNS = 2 * _WIDTH  # of lines, for screens with two dots for each pixel
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 12.0, 10.0, 42.0
_LETTER, _LINE_HEIGHT, _ROW = 7.0, 15.0, 24.0  # of letters, lines and rows with a name
_LONGEST_NAME = 32
_LEGEND_STYLE = "list-style:none;margin:0;padding:0;font:13px system-ui,sans-serif"
_FARTHEST = 1e4  # widths of an axis that something outside it is drawn away
_NARROWEST = 1e-290  # room around values that are closer cannot be divided into steps
_RATES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
# The colours of roles, among those of the look.
_ROLES = {"curve": "data", "reference": "text", "changed": "alarm", "context": "reference"}
DASHES = {"-": "", "--": "6 3", ":": "2 3", "-.": "7 3 2 3"}


@dataclass(frozen=True, kw_only=True)
class _Scale:
    """From the values of an axis to places on the page."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, values: npt.ArrayLike) -> Floats:
        found = np.asarray(values, dtype=np.float64)
        low, high = self.low, self.high
        if self.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                found, low, high = np.log10(found), math.log10(low), math.log10(high)
        share = np.clip((found - low) / (high - low), -_FARTHEST, _FARTHEST)
        return np.asarray(self.start + share * (self.end - self.start))

    @property
    def ticks(self) -> list[float]:
        """Round numbers within the axis."""
        if self.log:
            first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
            step = max(1, math.ceil((last - first) / 5))
            return [10.0**power for power in range(first, last + 1, step)]
        width = _round_step((self.high - self.low) / 6)
        first, last = math.ceil(self.low / width - 1e-9), math.floor(self.high / width + 1e-9)
        return [number * width for number in range(first, last + 1)]


def to_svg(
    figure: Figure, description: str = "", *, legend: bool = True, width: float = _WIDTH
) -> str:
    """The picture and its legend, as an HTML ``figure``; narrow ones are square."""
    panels = [figure] if figure.below is None else [figure, figure.below]
    left = max(map(_left, panels))
    across = _across(figure)
    pictures = "".join(
        _picture(one, description, (left, width), across, shared=one is not panels[-1])
        for one in panels
    )
    entries = [_legend_entry(series) for one in panels for series in reversed(one.series)]
    listed = "".join(filter(None, entries)) if legend else ""
    # Notebooks have no style sheet of roclab, and bullets of their own.
    below = f'<ul class="roclab-legend" style="{_LEGEND_STYLE}">{listed}</ul>' if listed else ""
    title = f"<figcaption>{escape(figure.title)}</figcaption>" if figure.title else ""
    return f'<figure class="roclab-figure" style="margin:0">{title}{pictures}{below}</figure>'


def thinned_figure(figure: Figure) -> Figure:
    """The figure with as many points of its lines as are drawn, for those who keep it."""
    series: list[Series] = []
    for one in figure.series:
        if isinstance(one, Line):
            at = thinned(one.x, one.y, columns=_COLUMNS)
            series.append(replace(one, x=one.x[at], y=one.y[at]))
        else:
            series.append(one)
    return replace(figure, series=tuple(series))


def _left(figure: Figure) -> float:
    """Room for what is at the ticks of the second axis."""
    names = figure.axes.names
    if not names or figure.axes.strips:
        return _LEFT
    return 16 + _LETTER * min(max(map(len, names)), _LONGEST_NAME)


def _across(figure: Figure) -> tuple[float, float]:
    """Ends of the first axis, which a second picture below shares."""
    axes = figure.axes
    return axes.x_range or ((0.0, 1.0) if axes.square else _range(figure.series, "x"))


def _picture(
    figure: Figure,
    description: str,
    sides: tuple[float, float],
    across: tuple[float, float],
    *,
    shared: bool,
) -> str:
    """One picture from left to right; the first axis of a `shared` one is named below the next."""
    names, width = figure.axes.names, sides[1]
    even = figure.axes.square or width < _WIDTH
    height = width - _LEFT - _RIGHT + _TOP + _BOTTOM if even else _HEIGHT
    if names:
        height = _TOP + _BOTTOM + _ROW * (len(names) if figure.axes.strips else max(len(names), 2))
    x, y = _scales(figure, sides, height, across)
    height -= (_BOTTOM - _TOP) * shared
    kind = f"{figure.axes.y} against {figure.axes.x}"
    parts = [
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" class="roclab-plot" '
        f'style="width:100%;max-width:{width:g}px;height:auto;font:12px system-ui,sans-serif" '
        f'data-axes="{x.low:.6g} {x.high:.6g} {y.low:.6g} {y.high:.6g} {int(y.log)}" '
        f'data-area="{x.start:g} {x.end:g} {y.start:g} {y.end:g}">'
        f"<title>{escape(': '.join(filter(None, (description, kind))))}</title>",
        *_grid(figure, x, y, shared=shared),
        *(_within(series, x, y) for series in figure.series),
        "</svg>",
    ]
    return "".join(parts)


def _scales(
    figure: Figure, sides: tuple[float, float], height: float, across: tuple[float, float]
) -> tuple[_Scale, _Scale]:
    axes = figure.axes
    log = axes.y_scale == "log"
    up = axes.y_range or ((0.0, 1.0) if axes.square else _range(figure.series, "y", log=log))
    if axes.names and axes.y_range is None:
        up = (-0.6, len(axes.names) - 0.4)
    return (
        _Scale(low=across[0], high=across[1], start=sides[0], end=sides[1] - _RIGHT),
        _Scale(low=up[0], high=up[1], start=height - _BOTTOM, end=_TOP, log=log),
    )


def _values(series: Sequence[Series], axis: str, *, log: bool = False) -> Floats:
    """All finite values along an axis, with the ends of their errors."""
    found: list[npt.ArrayLike] = []
    for one in series:
        value = getattr(one, axis, None)
        found += [] if value is None else [np.atleast_1d(value)]
        if isinstance(one, Band | Columns) and axis == "y":
            found += [one.low, one.high]
        error = getattr(one, f"{axis}_error", None)
        if error is not None and value is not None:
            below, above = (error[0], error[1]) if np.ndim(error) > 1 else (error, error)
            found += [value - below, value + above]
        if isinstance(one, Bars) and axis == "x":
            found.append(np.zeros(1))
    values = np.concatenate([np.ravel(one) for one in found]) if found else np.zeros(0)
    return np.asarray(values[np.isfinite(values) & ((values > 0) | (not log))])


def _range(series: Sequence[Series], axis: str, *, log: bool = False) -> tuple[float, float]:
    """Ends of an axis: those of all finite values."""
    values = _values(series, axis, log=log)
    if not len(values):
        return (1.0, 10.0) if log else (0.0, 1.0)
    low, high = float(values.min()), float(values.max())
    if log:
        return (low / 1.5, high * 1.5)
    room = 0.04 * (high - low)
    if room < _NARROWEST:
        room = max(0.5, 4 * math.ulp(high))
    # An axis of counts or rates begins at 0, without room below it.
    return (0.0 if 0 <= low <= room else low - room), high + room


def _grid(figure: Figure, x: _Scale, y: _Scale, *, shared: bool) -> list[str]:
    axes = figure.axes
    grid = f'stroke="{_token("grid")}"'
    found = []
    for place, text in _marks(figure, x, across=True):
        found.append(_rule(place, place, y.start, y.end, grid))
        found += [] if shared else [_text(place, y.start + 16, text, "middle")]
    for place, text in _marks(figure, y, across=False):
        found += [] if axes.strips else [_rule(x.start, x.end, place, place, grid)]
        found.append(_text(x.start - 6, place + 4, text, "end"))
    if axes.square:
        found.append(_rule(x.start, x.end, y.start, y.end, f'stroke="{_token("pale")}"'))
    if not shared:
        found.append(_text((x.start + x.end) / 2, y.start + 34, axes.x, "middle"))
    if axes.y and not axes.names:
        middle = (y.start + y.end) / 2
        turned = f'transform="rotate(-90 13 {middle:g})"'
        found.append(_text(13, middle, axes.y, "middle", turned))
    return found


def _marks(figure: Figure, scale: _Scale, *, across: bool) -> list[tuple[float, str]]:
    """Places and texts of the ticks."""
    if figure.axes.names and not across:
        shown = [style.shortened(name, _LONGEST_NAME) for name in figure.axes.names]
        return list(zip(scale(np.arange(len(shown))).tolist(), shown, strict=True))
    if figure.axes.deviates:
        deviates = [NormalDist().inv_cdf(rate) for rate in _RATES]
        pairs = zip(deviates, (f"{100 * rate:g} %" for rate in _RATES), strict=True)
        inside = [(at, text) for at, text in pairs if scale.low <= at <= scale.high]
        return [(float(scale(at)), text) for at, text in inside]
    return [(float(scale(tick)), f"{tick:.6g}") for tick in scale.ticks]


def _within(series: Series, x: _Scale, y: _Scale) -> str:
    """A series, cut off at the frame if it goes beyond it."""
    drawn = _series(series, x, y)
    heights = _values([series], "y", log=y.log)
    inside = (y.low <= heights) & (heights <= y.high)
    if inside.all() or not isinstance(series, Line | Band):
        return drawn
    left, top, width, height = x.start, y.end, x.end - x.start, y.start - y.end
    # An inner svg cuts off what is outside, and needs no name that other pictures could have.
    return (
        f'<svg x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" '
        f'viewBox="{left:g} {top:g} {width:g} {height:g}">{drawn}</svg>'
    )


def _series(series: Series, x: _Scale, y: _Scale) -> str:
    color = _color(series)
    label = escape(series.label, quote=True)
    if isinstance(series, Line):
        at = thinned(series.x, series.y, columns=_COLUMNS)
        look = style.style_of(series.group or 0)
        dashes = DASHES["--" if series.dashed else look.dashes if series.group else "-"]
        width = 1 if series.role == "context" or series.faint else 1.8
        paleness = f'stroke-opacity="{style.FAINT}" ' * series.faint
        marks = ""
        if series.markers:
            marks = _circles(x(series.x), y(series.y), color, color)
        path = _path(x(series.x[at]), y(series.y[at]))
        return (
            f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}" {paleness}'
            f'stroke-dasharray="{dashes}" stroke-linejoin="round" data-label="{label}"/>{marks}'
        )
    if isinstance(series, Rule):
        stroke = f'class="rule" stroke="{color}" stroke-dasharray="5 3"'
        if series.x is not None:
            at_x = float(x(series.x))
            return _rule(at_x, at_x, y.start, y.end, stroke)
        at_y = float(y(series.y or 0.0))
        return _rule(x.start, x.end, at_y, at_y, stroke)
    if isinstance(series, Points):
        return _points(series, x, y, color)
    if isinstance(series, Bars):
        return _bars(series, x, y, color)
    if isinstance(series, Words):
        return _words(series, x, y)
    if isinstance(series, Columns):
        return _columns(series, x, y, color)
    if isinstance(series, Band):
        at = thinned(series.x, series.low, series.high, columns=_COLUMNS)
        across = np.concatenate((series.x[at], series.x[at][::-1]))
        path = _path(x(across), y(np.concatenate((series.high[at], series.low[at][::-1]))))
    else:
        path = _path(x(series.x), y(series.y))
    return f'<path d="{path}Z" fill="{color}" fill-opacity="{style.SHADE}" stroke="none"/>'


def _points(points: Points, x: _Scale, y: _Scale, color: str) -> str:
    found = []
    at_x, at_y = x(points.x), y(points.y)
    hollow = color if points.group is not None else _token("reference")
    full_ones = np.ones(len(points.x), np.bool_) if points.filled is None else points.filled
    paleness = f' stroke-opacity="{style.COLUMN}"' * (points.filled is None)
    inks = [color if full else hollow for full in full_ones.tolist()]
    for error, along_x in ((points.x_error, True), (points.y_error, False)):
        if error is None:
            continue
        below, above = (error[0], error[1]) if np.ndim(error) > 1 else (error, error)
        value, scale = (points.x, x) if along_x else (points.y, y)
        lows, highs = scale(value - below), scale(value + above)
        for place, (low, high) in enumerate(zip(lows.tolist(), highs.tolist(), strict=True)):
            ends = (low, high, at_y[place], at_y[place])
            if not along_x:
                ends = (at_x[place], at_x[place], low, high)
            if math.isfinite(sum(ends)):
                found.append(_rule(*ends, f'stroke="{inks[place]}" stroke-width="1.4"{paleness}'))
    if points.filled is not None:
        for full in (False, True):
            chosen = points.filled == full
            ink, fill = (color, color) if full else (hollow, _token("ground"))
            found.append(_circles(at_x[chosen], at_y[chosen], ink, fill))
    return "".join(found)


def _bars(bars: Bars, x: _Scale, y: _Scale, color: str) -> str:
    zero = float(x(0.0))
    height = abs(float(y(0.35) - y(0.0)))
    return "".join(
        f'<rect x="{min(zero, end):.1f}" y="{at - height / 2:.1f}" width="{abs(end - zero):.1f}" '
        f'height="{height:.1f}" fill="{color}"/>'
        for end, at in zip(x(bars.x).tolist(), y(bars.y).tolist(), strict=True)
    )


def _columns(columns: Columns, x: _Scale, y: _Scale, color: str) -> str:
    width = abs(float(x(columns.width) - x(0.0)))
    places = zip(
        x(columns.x).tolist(), y(columns.low).tolist(), y(columns.high).tolist(), strict=True
    )
    return "".join(
        f'<rect x="{at - width / 2:.1f}" y="{high:.1f}" width="{width:.1f}" '
        f'height="{low - high:.1f}" fill="{color}" fill-opacity="{style.COLUMN}"/>'
        for at, low, high in places
    )


def _words(words: Words, x: _Scale, y: _Scale) -> str:
    """Lines of text below a place, behind which lines are not seen."""
    at_x = float(x(words.x)) + (-style.BESIDE if words.before else style.BESIDE)
    first = float(y(words.y)) + style.BESIDE + _LINE_HEIGHT / 2
    anchor = "end" if words.before else "start"
    ground = f'stroke="{_token("ground")}" stroke-width="3" paint-order="stroke"'
    return "".join(
        _text(at_x, first + _LINE_HEIGHT * place, line, anchor, ground)
        for place, line in enumerate(words.lines)
    )


def _circles(at_x: Floats, at_y: Floats, color: str, fill: str) -> str:
    return "".join(
        f'<circle cx="{one:.1f}" cy="{other:.1f}" r="3.5" fill="{fill}" stroke="{color}"/>'
        for one, other in zip(at_x.tolist(), at_y.tolist(), strict=True)
        if math.isfinite(one + other)
    )


def _path(at_x: Floats, at_y: Floats) -> str:
    """Points joined by lines; what is not finite leaves a gap."""
    found, pen = [], "M"
    for one, other in zip(at_x.tolist(), at_y.tolist(), strict=True):
        if not math.isfinite(one + other):
            pen = "M"
            continue
        found.append(f"{pen}{one:.1f} {other:.1f}")
        pen = "L"
    return "".join(found)


def _legend_entry(series: Series) -> str:
    if not series.label:
        return ""
    opacity = 2 * style.SHADE if isinstance(series, Band | Polygon) else 1
    swatch = f'style="color:{_color(series)};opacity:{opacity:g}"'
    return f'<li><span {swatch} aria-hidden="true">■</span> {escape(series.label)}</li>'


def _color(series: Series) -> str:
    if series.role != "context" and (series.group is not None or series.role == "curve"):
        group = (series.group or 0) % len(style.STYLES)
        return f"var(--model-{group}, {style.style_of(group).color})"
    in_background = isinstance(series, Line) and series.role == "context" and not series.dashed
    return _token("pale" if in_background else _ROLES[series.role])


def _token(name: str) -> str:
    """A colour of the look, which a page may replace in the dark."""
    return f"var(--{name}, {COLORS[name].light})"


def _rule(x1: float, x2: float, y1: float, y2: float, stroke: str) -> str:
    return f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}" {stroke}/>'


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    fill = 'fill="currentColor"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {fill} {more}>{escape(text)}</text>'
    )


def _round_step(step: float) -> float:
    """The next of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return power * next(times for times in (1, 2, 5, 10) if times * power >= step * (1 - 1e-9))
