"""Pictures of results, by matplotlib."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any

from roclab.checks.choices import PictureFormat
from roclab.errors import InputError, needs_extra
from roclab.formatting import listed
from roclab.report.document import figure, options_of
from roclab.report.drawing import draw, size_of
from roclab.report.figure import Figure
from roclab.report.together import combined, figures_of, named, sequence_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Properties of matplotlib's lines and points that may be passed on.
_LINE_OPTIONS = (
    *("alpha", "linestyle", "ls", "linewidth", "lw", "marker", "markersize", "ms", "zorder"),
)
_DPI = 150


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
        people with colour blindness can distinguish too. A model has the color of its place in its
        table, in every picture.
    **options
        Properties of matplotlib's lines and points: `alpha`, `linestyle`, `linewidth`, `marker`,
        `markersize`, `zorder`. `ranking`: for a hull, the examples whose curve and concavities to
        draw with it; for a repair, the examples to draw it for, by default those it was fitted to;
        for a calibration curve, the examples whose slope and intercept to name; for a
        precision-recall curve, those whose interval of average precision to name; for a chosen
        threshold, those whose expected cost to draw at every threshold.
        `bands`: for decision curves, whether to draw their intervals; by default those of one
        curve, not those of several.

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
    Of more than 8 models, the best 3 are named and the others are grey. Lines of more than 2,000
    points are thinned, by less than 1/2,000 of the width of the axes.

    Examples
    --------
    Examples need the extra `plot`.

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
    colors = _colors(color, len(items) if several else None, shown.n_groups)
    if ax is None:
        with needs_extra("plot", "A picture", "matplotlib"):
            from matplotlib import pyplot
        ax = pyplot.subplots(figsize=size_of(shown), layout="constrained")[1]
    draw(shown, ax, colors, {name: options[name] for name in options if name not in own})
    return ax


def write_picture(shown: Sequence[Figure], file: IO[bytes], format: PictureFormat) -> None:
    """Write figures to a file, side by side; no window is opened.

    The same figures give the same bytes, if matplotlib and the fonts are the same.
    """
    with needs_extra("plot", "A picture", "matplotlib"):
        from matplotlib import rc_context
        from matplotlib.figure import Figure as Page
    columns = math.ceil(math.sqrt(len(shown)))
    rows = math.ceil(len(shown) / columns)
    width, height = map(max, zip(*map(size_of, shown), strict=True))
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
        return combined(figures_of(list(result.values()), own), [str(one) for one in result])
    return sequence_figure(result[0], result, own)


def _own_options(items: Sequence[Any], options: dict[str, Any]) -> dict[str, Any]:
    """The options that are for the picture of the result itself."""
    known = options_of(items[0]) if items else ()
    if len(items) > 1:
        known = tuple(name for name in known if all(name in options_of(one) for one in items))
        known = tuple(name for name in known if name != "ranking")  # each has its own
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


def _colors(color: Any, count: int | None, n_groups: int) -> list[Any]:
    """The color of each group; one result, of which `count` is None, has one color."""
    if color is None:
        return []
    if count is None:
        return [color] * n_groups
    if isinstance(color, list | tuple) and len(color) == count:
        return list(color)
    raise InputError(
        found="{color} is not a list of {count} colors",
        needed="each result needs one",
        fix="Pass {color=}['black', 'tab:red', …], or leave it out.",
        count=count,
    )
