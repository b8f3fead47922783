"""The data of a picture: series, axes, bands; matplotlib and an HTML page draw the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Role = Literal["curve", "reference", "changed", "context"]


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line.

    `group` numbers what is drawn together, here and in other series: each has a colour of its own.
    Without one, the colour is that of the `role`. A `faint` line is thin and pale, behind others.
    """

    x: Floats
    y: Floats
    label: str
    role: Role = "curve"
    dashed: bool = False
    faint: bool = False
    markers: bool = False
    group: int | None = None


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A straight line from side to side: at an `x` or at a `y`."""

    x: float | None = None
    y: float | None = None
    label: str = ""
    role: Role = "context"
    group: int | None = None


@dataclass(frozen=True, kw_only=True)
class Band:
    """The area between two lines."""

    x: Floats
    low: Floats
    high: Floats
    label: str
    role: Role = "curve"
    group: int | None = None


@dataclass(frozen=True, kw_only=True)
class Points:
    """Points with error bars; those that are not `filled` are hollow, without `filled` only bars.

    Hollow points without a group are grey.

    Errors are distances from the points; two rows of them are those to the low and the high end.
    """

    x: Floats
    y: Floats
    x_error: Floats | None = None
    y_error: Floats | None = None
    filled: npt.NDArray[np.bool_] | None = None
    label: str = ""
    role: Role = "curve"
    group: int | None = None

    @classmethod
    def of_intervals(
        cls,
        ends: Sequence[tuple[float, float, float]],
        *,
        y: Floats | None = None,
        filled: Sequence[bool] | None = None,
        label: str = "",
        role: Role = "curve",
        group: int | None = None,
    ) -> Points:
        """Rows of value, low and high; the first row is on top if there is no `y`."""
        values, low, high = np.array(ends, dtype=np.float64).reshape(-1, 3).T
        count = len(values)
        return cls(
            x=values,
            y=np.arange(count, dtype=np.float64)[::-1] if y is None else y,
            # A value that is not within its interval has no bar on that side.
            x_error=np.maximum(np.stack((values - low, high - values)), 0),
            filled=np.ones(count, np.bool_) if filled is None else np.array(filled, np.bool_),
            label=label,
            role=role,
            group=group,
        )


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Horizontal bars that begin at 0."""

    x: Floats
    y: Floats
    label: str
    role: Role = "curve"
    group: int | None = None


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Vertical bars around each `x`, from `low` to `high`."""

    x: Floats
    low: Floats
    high: Floats
    width: float
    label: str = ""
    role: Role = "curve"
    group: int | None = None


@dataclass(frozen=True, kw_only=True)
class Polygon:
    """A filled area."""

    x: Floats
    y: Floats
    label: str = ""
    role: Role = "changed"
    group: int | None = None


@dataclass(frozen=True, kw_only=True)
class Words:
    """Lines of text beside a place and below it; with `before` to the left of it."""

    x: float
    y: float
    lines: tuple[str, ...]
    before: bool = False
    label: str = ""
    role: Role = "context"
    group: int | None = None


Series = Line | Rule | Band | Points | Bars | Columns | Polygon | Words


# Beyond it, the arithmetic of axes overflows: a larger score is drawn here.
LARGEST_DRAWN = 1e300


@dataclass(frozen=True, kw_only=True)
class Axes:
    """Titles of the axes, and what is at their ticks.

    Attributes
    ----------
    x, y : str
        The titles.
    names : tuple of str
        Names at the ticks of the second axis, from the lowest.
    strips : bool
        Whether each name is beside a strip of columns, one for each thing that is drawn together.
    square : bool
        Whether both axes are from 0 to 1, with a diagonal.
    deviates : bool
        Whether the values are normal deviates of rates, which stand at the ticks.
    x_range, y_range : tuple of float, optional
        Ends of the axes. Default: those of the data.
    y_scale : {"linear", "log"}
        Scale of the second axis.
    """

    x: str
    y: str
    names: tuple[str, ...] = ()
    strips: bool = False
    square: bool = False
    deviates: bool = False
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    y_scale: Literal["linear", "log"] = "linear"


ROC_SQUARE = Axes(x="false positive rate", y="true positive rate", square=True)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """The data of a picture.

    Attributes
    ----------
    series : tuple of Line, Rule, Band, Points, Bars, Columns, Polygon and Words
        They are drawn in their order, the last on top and first in the legend.
    axes : Axes
        What is drawn against what.
    title : str
        What is above it.
    below : Figure, optional
        A second picture under the first, with the same horizontal axis.
    quality : float
        A number that is higher for a better model, by which figures of one kind are ordered.
    no_interval : str
        Why the legend has a value without its interval; empty if it has all that it can have.
    """

    series: tuple[Series, ...]
    axes: Axes = ROC_SQUARE
    title: str = ""
    below: Figure | None = None
    quality: float = math.nan
    no_interval: str = ""

    @property
    def n_groups(self) -> int:
        """How many things it shows together."""
        return 1 + max((one.group or 0 for one in self.series), default=0)
