"""Pictures of results, by matplotlib."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from roclab.checks.choices import PictureFormat
from roclab.errors import InputError, needs_extra
from roclab.formatting import listed, one_line
from roclab.report.document import figure, options_of
from roclab.report.drawing import draw, size_of
from roclab.report.figure import Figure
from roclab.report.together import combined, named, sequence_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Properties of matplotlib's lines and points that may be passed on.
_LINE_OPTIONS = (
    *("alpha", "linestyle", "ls", "linewidth", "lw", "marker", "markersize", "ms", "zorder"),
)
_DPI = 150
_MOST_PANELS = 12


def plot(
    result: Any,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    color: Any = None,
    **options: Any,
) -> Axes:
    """Draw a result, or several in one picture.

    Parameters
    ----------
    result : result, ScoreTable, Ranking, or list, tuple or dict of them
        What to draw. A `ScoreTable` is the ROC curves of its models with their AUCs, the best
        first; a `Ranking` the distribution of scores in each class; an evaluation, a comparison or
        a selection the values of its rows with their intervals; steps and alarms of a
        `StreamWatcher`, in a list, the history of its window. Several results that have the same
        axes are drawn together: the keys of a dict are their names.
    ax : matplotlib Axes, optional
        Where to draw; what is there stays. Default: a new figure.
    label : str, optional
        Name in the legend; for several results, pass a dict.
    color : matplotlib color, optional
        Color of the curve; for several results, a list of colors. Default: the next of eight that
        people with colour blindness can distinguish too.
    **options
        Properties of matplotlib's lines and points: `alpha`, `linestyle`, `linewidth`, `marker`,
        `markersize`, `zorder`. `ranking`: for a hull, the examples whose curve and concavities to
        draw with it; for a repair, the examples to draw it for, by default those it was fitted to.

    Returns
    -------
    matplotlib Axes
        Change it, or save ``.figure``, as any other.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    InputError
        It has no picture, or several results do not fit into one picture.

    Notes
    -----
    Of more than 12 models, the best 8 are named and the others are grey. Lines of more than 2,000
    points are thinned, by less than 1/2,000 of the width of the axes.

    Examples
    --------
    >>> from roclab import roc_curve
    >>> curves = {
    ...     "a": roc_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]),
    ...     "b": roc_curve([0, 1, 0, 1], [4, 3, 2, 1]),
    ... }
    >>> [text.get_text() for text in plot(curves).get_legend().get_texts()]
    ['a, AUC 0.875', 'b, AUC 0.250']
    """
    several = isinstance(result, Mapping | list | tuple)
    items = (
        list(result.values()) if isinstance(result, Mapping) else result if several else [result]
    )
    own = _own_options(items, options)
    shown = _figure(result, label, own)
    colors = _colors(color, len(items), several)
    if ax is None:
        with needs_extra("plot", "A picture", "matplotlib"):
            from matplotlib import pyplot
        ax = pyplot.subplots(figsize=size_of(shown), layout="constrained")[1]
    draw(shown, ax, colors, {name: options[name] for name in options if name not in own})
    return ax


def write_picture(
    result: Any, file: IO[bytes], format: PictureFormat, *, panels: bool = False
) -> None:
    """Write the picture of a result, or of several, to a file; no window is opened.

    With `panels` each of several has axes of its own, under its name. The same result gives the
    same bytes, if matplotlib and the fonts are the same.
    """
    if panels and len(result) > _MOST_PANELS:
        raise InputError(
            found="{count} pictures do not fit on a page",
            needed="at most {most} are drawn",
            fix="Choose models with {y_score}.",
            count=f"{len(result):,}",
            most=_MOST_PANELS,
        )
    if panels:
        shown = [replace(figure(one), title=one_line(name)) for name, one in result.items()]
    else:
        shown = [_figure(result, None, {})]
    with needs_extra("plot", "A picture", "matplotlib"):
        from matplotlib import rc_context
        from matplotlib.figure import Figure as Page
    columns = math.ceil(math.sqrt(len(shown)))
    rows = math.ceil(len(shown) / columns)
    width, height = size_of(shown[0])
    page = Page(figsize=(columns * width, rows * height), layout="constrained")
    for place, one in enumerate(shown, start=1):
        draw(one, page.add_subplot(rows, columns, place), [], {})
    dates = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with rc_context({"svg.hashsalt": "roclab"}):
        page.savefig(file, format=format, dpi=_DPI, metadata=dates[format])


def _figure(result: Any, label: str | None, own: dict[str, Any]) -> Figure:
    if not isinstance(result, Mapping | list | tuple):
        return named(figure(result, **own), "" if label is None else str(label))
    if not result:
        raise InputError(found="There is nothing in {result}", fix="Pass at least one result.")
    if label is not None:
        raise InputError(
            found="{label} is one name, and {result} holds several results",
            fix="Pass a dict of names and results.",
        )
    if isinstance(result, Mapping):
        return combined([figure(one) for one in result.values()], [str(one) for one in result])
    return sequence_figure(result[0], result)


def _own_options(items: Sequence[Any], options: dict[str, Any]) -> dict[str, Any]:
    """The options that are for the picture of the result itself."""
    known = options_of(items[0]) if len(items) == 1 else ()
    for name in options:
        if name not in (*known, *_LINE_OPTIONS):
            near = difflib.get_close_matches(name, ("label", "color", *_LINE_OPTIONS, *known), n=1)
            hint = f"Did you mean {near[0]}? " if near else ""
            raise InputError(
                found="A picture of {kind} takes no option {name}",
                fix="{hint}It takes {known}; for all else change the Axes that plot returns.",
                kind=listed(dict.fromkeys(type(one).__name__ for one in items)),
                name=name,
                hint=hint,
                known=", ".join(("ax", "label", "color", *_LINE_OPTIONS, *known)),
            )
    return {name: options[name] for name in options if name in known}


def _colors(color: Any, count: int, several: bool) -> list[Any]:
    if color is None:
        return []
    if not several:
        return [color]
    if isinstance(color, list | tuple) and len(color) == count:
        return list(color)
    raise InputError(
        found="{color} is not a list of {count} colors",
        needed="each result needs one",
        fix="Pass {color=}['black', 'tab:red', …], or leave it out.",
        count=count,
    )
