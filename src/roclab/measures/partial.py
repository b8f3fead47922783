"""The area under a part of the ROC curve."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import shown
from roclab.curves.roc import roc_curve
from roclab.data.ranking import Ranking
from roclab.errors import InputError, Parameter
from roclab.measures.influence import Influence
from roclab.measures.measure import defined_ranking, measure

Range = tuple[float, float]
Floats = npt.NDArray[np.float64]
_WHOLE: Range = (0.0, 1.0)
_SLACK = 1e-12  # rounding error of a rate


def _highest(
    fpr_range: Range | None = None, tpr_range: Range | None = None, standardize: bool = False
) -> float:
    if standardize:
        return 1.0
    across, up = _checked("fpr_range", fpr_range), _checked("tpr_range", tpr_range)
    return (across[1] - across[0]) * (up[1] - up[0])


def _influence(
    ranking: Ranking,
    fpr_range: Range | None = None,
    tpr_range: Range | None = None,
    standardize: bool = False,
) -> Influence:
    """A positive raises the curve, and a negative lowers it, from its score on downwards.

    Only the part of the curve inside the box counts: for a positive its width, for a negative its
    height. Along the segment of its own ties an example counts in proportion.
    """
    across, up = _checked("fpr_range", fpr_range), _checked("tpr_range", tpr_range)
    curve = roc_curve(ranking)
    first = np.zeros(len(ranking.scores))
    last, share = np.ones_like(first), np.ones_like(first)
    for rates, ends in ((curve.fpr, across), (curve.tpr, up)):
        near, far, part = _inside(rates[:-1], rates[1:], ends)
        first, last, share = np.maximum(first, near), np.minimum(last, far), share * part
    inside = share * np.maximum(last - first, 0)
    own = inside * (first + last) / 2  # mean of the place along the segment
    of_classes = []
    for rates in (curve.fpr, curve.tpr):
        steps = np.diff(rates)
        beyond = np.cumsum((steps * inside)[::-1])[::-1] - steps * inside
        of_classes.append((steps * own + beyond)[::-1])  # the curve starts at the highest score
    unit = 1.0
    if standardize:
        box, least = _box_and_diagonal(across, up)
        unit = 1 / (2 * (box - least))
    return Influence(unit * of_classes[0], -unit * of_classes[1])


def _inside(start: Floats, end: Floats, ends: Range) -> tuple[Floats, Floats, Floats]:
    """Where each segment enters and leaves a range, as shares of it; and how much of it counts.

    A segment along an end of the range counts half, since it may move to either side, except at
    rates 0 and 1.
    """
    low, high = ends
    steps = end - start
    flat = steps <= _SLACK
    widths = np.where(flat, 1.0, steps)
    near = np.where(flat, 0.0, np.clip((low - start) / widths, 0, 1))
    far = np.where(flat, 1.0, np.clip((high - start) / widths, 0, 1))
    outside = flat & ((start < low - _SLACK) | (start > high + _SLACK))
    along = np.zeros(len(start), np.bool_)
    for rate in ends:
        if 0 < rate < 1:
            along |= flat & (np.abs(start - rate) <= _SLACK)
    return near, far, np.where(outside, 0.0, np.where(along, 0.5, 1.0))


@measure(
    title="Partial AUC",
    meaning="area under the ROC curve over a range of false or true positive rates",
    reference="McClish, Medical Decision Making 9 (1989) 190-195",
    example="fpr_range=(0, 0.1)",
    highest=_highest,
    influence=_influence,
)
def partial_auc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    fpr_range: Range | None = None,
    tpr_range: Range | None = None,
    standardize: bool = False,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Area under the ROC curve inside a box of false and true positive rates.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    fpr_range : pair of float, optional
        Lowest and highest false positive rate of the box; by default 0 and 1.
    tpr_range : pair of float, optional
        Lowest and highest true positive rate of the box; by default 0 and 1.
    standardize : bool, default False
        Scale the area, after McClish, to 1 for a perfect curve and 1/2 for the diagonal.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        nan, with `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    The area is that of the points (x, y) of the box on or under the curve,

        integral over x from a to b of min(max(ROC(x) - c, 0), d - c),

    for the box with x in [a, b] and y in [c, d]; the curve is linear between its points, as ties
    require. With `fpr_range` alone it is the area under the curve between two false positive rates;
    with `tpr_range` alone, the area to the right of the curve between two true positive rates, the
    integral of the specificity over the sensitivity. Standardized, it is
    ``(1 + (area - least) / (box - least)) / 2``, where `least` is the area under the diagonal in
    the box; it is below 1/2 if the curve runs below the diagonal.

    scikit-learn's ``max_fpr=x`` is ``fpr_range=(0, x), standardize=True``. pROC's
    ``partial.auc=c(1, 0.9)`` is ``fpr_range=(0, 0.1)``; with
    ``partial.auc.focus="sensitivity"`` it is ``tpr_range=(0.9, 1)``.

    O(n log n).

    References
    ----------
    D. K. McClish, Medical Decision Making 9 (1989) 190-195.
    H. Yang et al., Two-way partial AUC and its properties, Statistical Methods in Medical Research
    28 (2019) 184-195: `fpr_range=(0, b)` with `tpr_range=(c, 1)`.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]
    >>> partial_auc(y, s, fpr_range=(0, 0.5))
    0.375
    >>> partial_auc(y, s, tpr_range=(0.5, 1))
    0.375
    >>> partial_auc(y, s, fpr_range=(0, 0.5), tpr_range=(0.5, 1))
    0.125
    """
    ranking = defined_ranking(partial_auc, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    if fpr_range is None and tpr_range is None:
        raise InputError(
            found="No range was passed",
            fix="Pass {fpr_range=}(low, high), {tpr_range=}(low, high) or both; for the whole area "
            "use auc.",
        )
    across, up = _checked("fpr_range", fpr_range), _checked("tpr_range", tpr_range)
    curve = roc_curve(ranking)
    area = _area_in_box(curve.fpr, curve.tpr, across, up)
    if not standardize:
        return area
    box, least = _box_and_diagonal(across, up)
    return (1 + (area - least) / (box - least)) / 2


def _box_and_diagonal(across: Range, up: Range) -> tuple[float, float]:
    """Area of the box, and that under the diagonal in it."""
    ends = np.array(_WHOLE)
    least = _area_in_box(ends, ends, across, up)
    box = (across[1] - across[0]) * (up[1] - up[0])
    if not least < box:
        raise InputError(
            found="The diagonal lies above the whole box {fpr_range=}{across}, {tpr_range=}{up}",
            needed="{standardize} needs a box that reaches above it",
            fix="Choose another box.",
            across=across,
            up=up,
        )
    return box, least


def _checked(name: str, given: Any) -> Range:
    if given is None:
        return _WHOLE
    try:
        low, high = (float(end) for end in given)
    except (TypeError, ValueError):
        raise InputError(
            found="{name=}{value} is not a pair",
            needed="a pair of rates (low, high) is needed",
            fix="Pass for example {name=}(0, 0.1).",
            name=Parameter(name),
            value=shown(given),
        ) from None
    if not 0 <= low < high <= 1:
        raise InputError(
            found="{name=}{value} is out of range",
            needed="rates must satisfy 0 <= low < high <= 1",
            name=Parameter(name),
            value=shown(given),
        )
    return low, high


def _area_in_box(fpr: Floats, tpr: Floats, across: Range, up: Range) -> float:
    """Area under a rising chain of points inside a box."""
    # Only segments of positive width that overlap the box.
    segments = np.flatnonzero((fpr[1:] > across[0]) & (fpr[:-1] < across[1]) & (fpr[1:] > fpr[:-1]))
    x0, x1, y0, y1 = fpr[segments], fpr[segments + 1], tpr[segments], tpr[segments + 1]
    left, right = np.maximum(x0, across[0]), np.minimum(x1, across[1])
    slope = (y1 - y0) / (x1 - x0)
    # From the nearer end, so that unclipped ends stay exact.
    bottom = np.where(left > x0, y0 + (left - x0) * slope, y0)
    top = np.where(right < x1, y0 + (right - x0) * slope, y1)
    widths = right - left
    return float(_area_above(up[0], widths, bottom, top) - _area_above(up[1], widths, bottom, top))


def _area_above(level: float, widths: Floats, bottom: Floats, top: Floats) -> Any:
    """Area between a level and those parts of rising segments that lie above it."""
    low, high = np.maximum(bottom - level, 0), np.maximum(top - level, 0)
    crossing = (bottom < level) & (top > level)
    part = np.divide(high, top - bottom, out=np.ones_like(high), where=crossing)
    return np.sum(widths * part * (low + high)) / 2
