"""Fewer points for a long line that looks the same."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from roclab.report.figure import Floats

COLUMNS = 2000


def thinned(x: Floats, *ys: Floats, columns: int = COLUMNS) -> npt.NDArray[np.intp]:
    """Which points of a line, or of several over the same `x`, to draw.

    Lines with at most as many points as `columns` keep all. Of a longer one, each stretch within
    one of the columns, which have equal width, keeps its first and last point and its lowest and
    highest: these join to a line that no point of the whole is farther from than one column, less
    than a pixel of a picture with as many. The ends of the line stay, and so do its extremes.

    Parameters
    ----------
    x : ndarray
        Where the points are along the axis; in any order, best in its own.
    *ys : ndarray
        Heights of each line.
    columns : int, default 2000
        Columns of the picture.

    Returns
    -------
    ndarray of int
        Places of the points to keep, ascending; at most four for each line and column if `x` never
        turns back.

    Notes
    -----
    O(n). Nothing is averaged: all that is drawn are points of the line.

    References
    ----------
    U. Jugel, Z. Jerzak, G. Hackenbroich, V. Markl, M4: a visualization-oriented time series data
    aggregation, Proceedings of the VLDB Endowment 7 (2014) 797-808.
    """
    n = len(x)
    if n <= columns:
        return np.arange(n)
    column = _columns(x, columns)
    starts = np.concatenate(([0], np.flatnonzero(np.diff(column)) + 1))
    lasts = np.concatenate((starts[1:], [n])) - 1
    stretch = np.repeat(np.arange(len(starts)), lasts - starts + 1)
    kept = np.zeros(n, dtype=np.bool_)
    kept[starts] = kept[lasts] = True
    for y in ys:
        kept |= np.isnan(y)  # gaps stay
        for extreme in (np.fmin, np.fmax):
            reached = np.flatnonzero(y == extreme.reduceat(y, starts)[stretch])
            first = np.ones(len(reached), dtype=np.bool_)  # of equal ones in a stretch
            first[1:] = np.diff(stretch[reached]) > 0
            kept[reached[first]] = True
    return np.flatnonzero(kept)


def _columns(x: Floats, columns: int) -> npt.NDArray[np.intp]:
    """The column of each point; -1 if it is in none."""
    column = np.full(len(x), -1, dtype=np.intp)
    finite = np.isfinite(x)
    if finite.any():
        inside = x[finite] / 2  # halves, whose differences do not overflow
        low, width = inside.min(), np.ptp(inside)
        places = (inside - low) / width if width > 0 else np.zeros(len(inside))
        column[finite] = np.minimum(places * columns, columns - 1).astype(np.intp)
    return column
