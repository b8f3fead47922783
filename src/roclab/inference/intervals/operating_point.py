"""Confidence intervals for sensitivity and specificity at a threshold, jointly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy.typing as npt

from roclab.curves import operating_points
from roclab.errors import InputError
from roclab.inference.intervals.interval import Interval
from roclab.inference.intervals.proportions import clopper_pearson_ends, wilson_ends
from roclab.numeric.distributions import critical_value
from roclab.options import check_level, check_method, shown
from roclab.ranking import Ranking, as_ranking
from roclab.result import Result
from roclab.validation import number_or_nan

PointMethod = Literal["clopper_pearson", "wilson"]


@dataclass(frozen=True, kw_only=True, repr=False)
class OperatingPointInterval(Result):
    """Sensitivity and specificity at a threshold, with joint confidence intervals.

    Attributes
    ----------
    threshold : float
        Decision threshold: scores at or above it are predicted positive.
    sensitivity, specificity : Interval
        Each at the level sqrt(confidence_level), so that both hold at `confidence_level`.
    confidence_level : float
        Nominal joint confidence level.
    method : {"clopper_pearson", "wilson"}
        Method of the intervals.
    n_pos, n_neg : int
        Number of positive and negative examples.
    """

    threshold: float
    sensitivity: Interval
    specificity: Interval
    confidence_level: float
    method: str
    n_pos: int
    n_neg: int

    def __repr__(self) -> str:
        rates = ", ".join(
            f"{one.measure} {one.value:.3f} [{one.low:.2f}, {one.high:.2f}]"
            for one in (self.sensitivity, self.specificity)
        )
        level = f"{100 * self.confidence_level:g} % for both"
        return f"threshold {self.threshold:g}: {rates}, {level}, {self.n_pos}+ {self.n_neg}-"


def operating_point_interval(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    threshold: float,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    method: PointMethod = "clopper_pearson",
    confidence_level: float = 0.95,
) -> OperatingPointInterval:
    """Compute sensitivity and specificity at a threshold, with joint confidence intervals.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label
        As for `roc_band`.
    threshold : float
        Decision threshold: scores at or above it are predicted positive. It must not be chosen on
        the same data.
    method : {"clopper_pearson", "wilson"}, default "clopper_pearson"
        The coverage of ``"clopper_pearson"`` is at least nominal for all rates; that of
        ``"wilson"`` is nominal on average, with narrower intervals.
    confidence_level : float, default 0.95
        Joint confidence level. The classes are independent, so each interval has the square root of
        this level.

    Returns
    -------
    OperatingPointInterval
        The rate of a missing class is nan, with an `UndefinedMeasureWarning`.

    Notes
    -----
    O(n log n). With weights, the effective sample sizes (sum w)^2 / sum w^2 replace the numbers of
    examples.

    References
    ----------
    C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413.

    Examples
    --------
    >>> operating_point_interval([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], threshold=0.4)
    threshold 0.4: sensitivity 1.000 [0.11, 1.00], specificity 0.500 [0.01, 0.99], 95 % for both, \
2+ 2-
    """
    check_method(method, PointMethod)
    level = check_level(confidence_level)
    each = math.sqrt(level)
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    cut = number_or_nan(threshold)
    if math.isnan(cut):
        raise InputError(
            found="{threshold=}{value} is not a number",
            fix="Pass a number, such as {threshold=}0.5.",
            value=shown(threshold),
        )
    point = operating_points(ranking).at(threshold=cut)  # warns of a missing class
    intervals = []
    for name, number in (
        ("sensitivity", ranking.summary.effective_pos),
        ("specificity", ranking.summary.effective_neg),
    ):
        value = getattr(point, name)
        low = high = math.nan
        if not math.isnan(value) and method == "wilson":
            ends = wilson_ends(value, 0.0, number, critical_value(each, "two-sided"))
            low, high = map(float, ends)
        elif not math.isnan(value):
            low, high = clopper_pearson_ends(value, number, each)
        intervals.append(
            Interval(
                measure=name,
                value=value,
                low=low,
                high=high,
                standard_error=math.sqrt(value * (1 - value) / number) if number else math.nan,
                confidence_level=each,
                method=method,
                n_pos=ranking.n_pos,
                n_neg=ranking.n_neg,
            )
        )
    return OperatingPointInterval(
        threshold=cut,
        sensitivity=intervals[0],
        specificity=intervals[1],
        confidence_level=level,
        method=method,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
    )
