"""Pooling of adjacent violators: the steps of a curve merged until its slopes fall.

A curve of steps (x, y), none negative, rises from (0, 0). Two neighbouring blocks of steps whose
second is at least as steep as the first *violate* concavity and are pooled into one. In whatever
order that is done, what remains are the edges of the upper convex hull.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Blocks", "pool"]

# Sums of weights are rounded: slopes that agree to this share count as equal. Counts are exact.
_SLACK = 64 * float(np.finfo(np.float64).eps)
# A pass over all blocks pays if it finds a violator in this many. So many passes may find fewer,
# since most chains of violators are short; then a loop takes over, as for few blocks.
_RARE = 16
_PATIENCE = 16
_FEW_BLOCKS = 64


class Blocks(NamedTuple):
    """The edges of the hull, in the order of the curve.

    Attributes
    ----------
    end : ndarray of int
        How many steps lie at or before the end of each edge.
    x, y : ndarray
        Width and height of each edge.
    excess : ndarray
        Twice the area between each edge and the curve below it; 0 where the curve is straight.
    """

    end: npt.NDArray[np.intp]
    x: npt.NDArray[Any]
    y: npt.NDArray[Any]
    excess: npt.NDArray[Any]


def pool(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> Blocks:
    """The upper convex hull of the curve with steps `x` to the right and `y` up.

    Integers are compared exactly, whatever their size. Points on the line between two others are
    no corners.

    Notes
    -----
    Passes over all blocks pool disjoint pairs of violators at once, which leaves about two thirds
    of the blocks each time; where passes find too few, a plain loop finishes. O(number of steps)
    in any case: for 1e6 distinct scores 0.15 s is usual, and 1 s the worst. Pairs are added up as
    a tree, so that rounding grows with the logarithm of the number of steps only, and areas are
    sums of positive terms.
    """
    exact = x.dtype.kind != "f"
    slack = 0 if exact else _SLACK
    blocks = Blocks(np.arange(1, len(x) + 1), x, y, np.zeros_like(x))
    if exact and int(x.sum()) * int(y.sum()) >= 2**62:
        return _pool_one_by_one(blocks, slack, object)  # products do not fit into 64 bits
    patience = _PATIENCE
    while len(blocks.x) > 1:
        gain = blocks.x[:-1] * blocks.y[1:]
        loss = blocks.x[1:] * blocks.y[:-1]
        violates = gain >= (loss if exact else loss * (1 - slack))
        found = np.count_nonzero(violates)
        if found == 0:
            break
        if found * _RARE < len(blocks.x):
            patience -= 1
        if patience < 0 or len(blocks.x) < _FEW_BLOCKS:
            return _pool_one_by_one(blocks, slack, x.dtype)
        bent = gain > (loss if exact else loss * (1 + slack))
        blocks = _pool_pairs(blocks, violates, np.where(bent, gain - loss, 0))
    return blocks


def _pool_pairs(
    blocks: Blocks, violates: npt.NDArray[np.bool_], triangles: npt.NDArray[Any]
) -> Blocks:
    """Pool every second of the violating pairs in each run of them, so that no two overlap."""
    number = np.arange(len(violates))
    before_run = np.maximum.accumulate(np.where(violates, -1, number))
    first = np.flatnonzero(violates & ((number - before_run) % 2 == 1))
    kept = np.ones(len(blocks.x), dtype=np.bool_)
    kept[first + 1] = False
    end, x, y, excess = (array.copy() for array in blocks)
    end[first] = end[first + 1]
    x[first] += x[first + 1]
    y[first] += y[first + 1]
    excess[first] += excess[first + 1] + triangles[first]
    return Blocks(end[kept], x[kept], y[kept], excess[kept])


def _pool_one_by_one(blocks: Blocks, slack: float, dtype: npt.DTypeLike) -> Blocks:
    """The same, one block after the other; Python's integers do not overflow."""
    done: list[tuple[int, Any, Any, Any]] = []
    low, high = 1 - slack, 1 + slack
    for end, x, y, excess in zip(*(array.tolist() for array in blocks), strict=True):
        while done:
            _, x_before, y_before, excess_before = done[-1]
            gain, loss = x_before * y, x * y_before
            if gain < loss * low:
                break
            excess += excess_before + (gain - loss if gain > loss * high else 0)
            x += x_before
            y += y_before
            done.pop()
        done.append((end, x, y, excess))
    ends, *masses = zip(*done, strict=True)
    return Blocks(np.array(ends), *(np.array(column, dtype=dtype) for column in masses))
