"""The area under a part of the ROC curve."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from roclab.curves.roc import roc_curve
from roclab.errors import InputError, Parameter
from roclab.measures.measure import MeasureArguments, measure
from roclab.options import shown
from roclab.ranking import Ranking

Range = tuple[float, float]
_WHOLE: Range = (0.0, 1.0)


def _highest(
    fpr_range: Range | None = None, tpr_range: Range | None = None, standardize: bool = False
) -> float:
    if standardize:
        return 1.0
    across, up = _checked("fpr_range", fpr_range), _checked("tpr_range", tpr_range)
    return (across[1] - across[0]) * (up[1] - up[0])


@measure(
    title="Partial AUC",
    meaning="area under the ROC curve over a range of false or true positive rates",
    reference="McClish, Medical Decision Making 9 (1989) 190-195",
    example="fpr_range=(0, 0.1)",
    highest=_highest,
)
def partial_auc(
    ranking: Ranking,
    *,
    fpr_range: Range | None = None,
    tpr_range: Range | None = None,
    standardize: bool = False,
    **_: Unpack[MeasureArguments],
) -> float:
    """Area under the ROC curve inside a box of false and true positive rates.

    Parameters
    ----------
    {arguments}
    fpr_range : pair of float, optional
        Lowest and highest false positive rate of the box; by default 0 and 1.
    tpr_range : pair of float, optional
        Lowest and highest true positive rate of the box; by default 0 and 1.
    standardize : bool, default False
        Scale the area, after McClish, to 1 for a perfect curve and 1/2 for the diagonal.

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
    return (1 + (area - least) / (box - least)) / 2


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


def _area_in_box(
    fpr: npt.NDArray[np.float64], tpr: npt.NDArray[np.float64], across: Range, up: Range
) -> float:
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


def _area_above(
    level: float,
    widths: npt.NDArray[np.float64],
    bottom: npt.NDArray[np.float64],
    top: npt.NDArray[np.float64],
) -> Any:
    """Area between a level and those parts of rising segments that lie above it."""
    low, high = np.maximum(bottom - level, 0), np.maximum(top - level, 0)
    crossing = (bottom < level) & (top > level)
    part = np.divide(high, top - bottom, out=np.ones_like(high), where=crossing)
    return np.sum(widths * part * (low + high)) / 2
