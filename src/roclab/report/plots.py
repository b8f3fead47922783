"""The figures of a document, drawn by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from roclab.errors import InputError, needs_extra
from roclab.report.document import Band, Bars, Figure, Line, Points, Polygon, document

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLORS = {"curve": "black", "reference": "#1b6ca8", "changed": "#c8553d"}
_BAND = "#1b6ca8"


def plot(result: Any, *, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw a result.

    Parameters
    ----------
    result : ROCCurve, ROCBand, BinormalFit, KernelROC, AverageROC, ROCHull, OperatingPoints, \
OperatingPointInterval, ScoreRepair, ModelSelection or AUCChange
        What to draw. The interval of an operating point is drawn as its joint region; an average
        with standard errors at some points; a selection as the values of all models with two
        standard errors to either side, contenders filled; a repair as the ROC curve before and
        after it, the hull, and the repaired sections.
    ax : matplotlib Axes, optional
        Where to draw. Default: a new figure.
    **options
        For a repair: `ranking`, the examples to draw it for. Default: those it was fitted to.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.

    Examples
    --------
    >>> from roclab import repair_section
    >>> repair = repair_section([1, 0, 0, 1, 1, 0], [0.9, 0.7, 0.7, 0.4, 0.4, 0.2])
    >>> plot(repair).get_legend().get_texts()[0].get_text()
    'before, AUC 0.556'
    """
    try:
        figures = document(result, **options).figures
    except TypeError:
        raise InputError(
            found="{kind} takes no option {options} when it is drawn",
            fix="Change the Axes that plot returns.",
            kind=type(result).__name__,
            options=", ".join(options),
        ) from None
    if not figures:
        raise InputError(
            found="{kind} has no picture",
            fix="Pass a curve, a band, a fit, a hull, a repair, a selection or a change; print "
            "shows others.",
            kind=type(result).__name__,
        )
    if ax is None:
        with needs_extra("plot", "A picture", "matplotlib"):
            from matplotlib import pyplot
        ax = pyplot.subplots(figsize=(4.5, 4.5), layout="constrained")[1]
    _draw(figures[0], ax)
    return ax


def _draw(figure: Figure, ax: Axes) -> None:
    handles = [(_draw_series(series, ax), series.label) for series in figure.series]
    axes = figure.axes
    ax.set(xlabel=axes.x, ylabel=axes.y, title=figure.title)
    ax.spines[["top", "right"]].set_visible(False)
    if axes.names:
        ax.set_yticks(range(len(axes.names)), axes.names)
    if axes.square:
        ax.plot([0, 1], [0, 1], color="lightgrey", lw=0.8, zorder=0)
        ax.set(aspect="equal")
    named = list(zip(*[one for one in reversed(handles) if one[1]], strict=True))
    if named and axes.square:
        ax.legend(*named, frameon=False, loc="lower right")
    elif named:
        below = (0.5, -0.12)  # bars may be anywhere
        ax.legend(*named, frameon=False, ncols=2, loc="upper center", bbox_to_anchor=below)


def _draw_series(series: Line | Band | Points | Bars | Polygon, ax: Axes) -> Any:
    """Draw it; returns what the legend shows of it."""
    if isinstance(series, Points):
        return _draw_points(series, ax)
    if isinstance(series, Bars):
        color = _COLORS[series.role]
        return ax.barh(series.y, series.x, height=0.35, color=color, label=series.label)
    if isinstance(series, Band):
        ends = (series.x, series.low, series.high)
        return ax.fill_between(*ends, color=_BAND, alpha=0.25, lw=0, label=series.label)
    if isinstance(series, Polygon):
        color = _COLORS["changed"]
        return ax.fill(series.x, series.y, color=color, alpha=0.25, lw=0, label=series.label)[0]
    return ax.plot(
        series.x,
        series.y,
        color=_COLORS[series.role],
        lw=1 if series.dashed else 1.5,
        ls="--" if series.dashed else "-",
        marker="o" if series.markers else None,
        ms=4,
        label=series.label,
    )[0]


def _draw_points(points: Points, ax: Axes) -> Any:
    if points.filled is None:
        return ax.errorbar(
            points.x,
            points.y,
            xerr=points.x_error,
            yerr=points.y_error,
            color=_BAND,
            fmt="none",
            capsize=2,
            label=points.label,
        )
    for place, full in enumerate(points.filled):
        color = _COLORS["reference"] if full else "grey"
        ax.errorbar(
            points.x[place],
            points.y[place],
            xerr=None if points.x_error is None else points.x_error[place],
            color=color,
            fmt="o",
            mfc=color if full else "white",
            ms=5,
            lw=1,
        )
