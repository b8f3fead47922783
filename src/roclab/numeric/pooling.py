"""Pool adjacent violators: merge the steps of a curve until its slopes decrease.

A curve of non-negative steps (x, y) rises from (0, 0). Two neighbouring blocks of steps whose
second is at least as steep as the first *violate* concavity and are pooled into one. In any order,
the result is the edges of the upper convex hull.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from roclab import _core


class Blocks(NamedTuple):
    """Edges of the hull, in the order of the curve.

    Attributes
    ----------
    end : ndarray of int
        Number of steps up to the end of each edge.
    x, y : ndarray
        Width and height of each edge.
    excess : ndarray
        Twice the area between each edge and the curve; 0 where the curve is straight.
    """

    end: npt.NDArray[np.intp]
    x: npt.NDArray[Any]
    y: npt.NDArray[Any]
    excess: npt.NDArray[Any]


def pool(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> Blocks:
    """Upper convex hull of the curve with steps `x` to the right and `y` up.

    Integers of any size are compared exactly. Points on the line between two others are not
    corners.

    Notes
    -----
    O(number of steps). Sums of weights are kept in double-double precision, and slopes that agree
    to 64 units of rounding count as equal.
    """
    if x.dtype.kind != "f" and int(x.sum()) * int(y.sum()) >= 2**62:
        return _pool_large(x, y)
    dtype = np.float64 if x.dtype.kind == "f" else np.int64
    x, y = (np.ascontiguousarray(steps, dtype) for steps in (x, y))
    return Blocks(*_core.pool(x, y))


def _pool_large(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> Blocks:
    """`pool` in Python integers, for products that do not fit into 64 bits."""
    done: list[tuple[int, int, int, int]] = []
    for end, (across, up) in enumerate(zip(x.tolist(), y.tolist(), strict=True), start=1):
        excess = 0
        while done:
            _, x_before, y_before, excess_before = done[-1]
            gain, loss = x_before * up, across * y_before
            if gain < loss:
                break
            excess += excess_before + gain - loss
            across += x_before
            up += y_before
            done.pop()
        done.append((end, across, up, excess))
    ends, *masses = zip(*done, strict=True)
    return Blocks(np.array(ends), *(np.array(column, dtype=object) for column in masses))
