"""Confidence intervals for sensitivity and specificity: one given the other, or both jointly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np
import numpy.typing as npt

from roclab.choices import Alternative
from roclab.curves import operating_points, roc_curve
from roclab.curves.reading import fpr_at, tpr_at
from roclab.errors import InputError, Parameter
from roclab.inference.estimation.resampling import (
    Draws,
    Resampling,
    resample_rates,
    takes_resampling,
)
from roclab.inference.intervals.bootstrap import percentile
from roclab.inference.intervals.interval import Interval, warn_of_defects
from roclab.inference.intervals.proportions import clopper_pearson_ends, wilson_ends
from roclab.numeric.distributions import critical_value, tail_levels
from roclab.options import check_interval, check_level, check_method, shown
from roclab.ranking import Ranking, as_ranking
from roclab.ranking_arguments import lacks
from roclab.result import Result
from roclab.validation import number_or_nan

RateMethod = Literal["auto", "wilson", "bootstrap"]
PointMethod = Literal["clopper_pearson", "wilson"]


@takes_resampling
def sensitivity_at(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    specificity: float,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    method: RateMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    **resampling: Unpack[Resampling],
) -> Interval:
    """Compute the sensitivity at a given specificity, with a confidence interval.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label
        As for `roc_band`.
    specificity : float
        Specificity, from 0 to 1. Its threshold is estimated from the same data.
    method : {"auto", "wilson", "bootstrap"}, default "auto"
        ``"wilson"`` (``"auto"`` is the same) is the score interval of a proportion, with the
        variance of the replicates, which includes that of the threshold. ``"bootstrap"`` takes
        percentiles of the replicates; it is too narrow near 0 and 1.
    confidence_level, alternative
        As for `auc_interval`.
    {resampling}

    Returns
    -------
    Interval
        `standard_error` is the standard deviation of the replicates. nan and warnings as for
        `auc_interval`.

    Notes
    -----
    The value is read from the ROC curve with linear interpolation; where the curve is vertical,
    it is the highest. O(n) per replicate.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.9]
    >>> sensitivity_at(y, s, specificity=0.8, rng=0)
    sensitivity_at(specificity=0.8) 0.867 [0.33, 0.99], 95 %, 3+ 3-
    """
    wanted = _RateAt("sensitivity_at", "specificity", _rate("specificity", specificity))
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    return _interval(wanted, ranking, method, confidence_level, alternative, Draws.of(**resampling))


@takes_resampling
def specificity_at(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sensitivity: float,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    method: RateMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    **resampling: Unpack[Resampling],
) -> Interval:
    """Compute the specificity at a given sensitivity, with a confidence interval.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label
        As for `roc_band`.
    sensitivity : float
        Sensitivity, from 0 to 1. Its threshold is estimated from the same data.
    method : {"auto", "wilson", "bootstrap"}, default "auto"
        As for `sensitivity_at`.
    confidence_level, alternative
        As for `auc_interval`.
    {resampling}

    Returns
    -------
    Interval
        As for `sensitivity_at`.

    Notes
    -----
    The value is read from the ROC curve with linear interpolation; where the curve is horizontal,
    it is the highest. O(n) per replicate.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.9]
    >>> specificity_at(y, s, sensitivity=0.8, rng=0)
    specificity_at(sensitivity=0.8) 0.867 [0.33, 0.99], 95 %, 3+ 3-
    """
    wanted = _RateAt("specificity_at", "sensitivity", _rate("sensitivity", sensitivity))
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    return _interval(wanted, ranking, method, confidence_level, alternative, Draws.of(**resampling))


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


@dataclass(frozen=True)
class _RateAt:
    """The rate to estimate, and the value of the other rate."""

    name: str
    given: str
    rate: float

    def value(self, ranking: Ranking) -> float:
        at = np.array([self._curve_rate])
        curve = roc_curve(ranking)
        if self.given == "specificity":
            return float(tpr_at(curve, at)[0])
        return 1 - float(fpr_at(curve, at)[0])

    def replicates(self, ranking: Ranking, draws: Draws) -> npt.NDArray[np.float64]:
        at = np.array([self._curve_rate])
        if self.given == "specificity":
            return resample_rates(ranking, draws, at, across=1.0, up=0.0)[:, 0]
        return 1 - resample_rates(ranking, draws, at, across=0.0, up=1.0)[:, 0]

    @property
    def _curve_rate(self) -> float:
        """The given rate as a coordinate of the ROC curve: FPR or TPR."""
        return 1 - self.rate if self.given == "specificity" else self.rate

    def number(self, ranking: Ranking) -> float:
        summary = ranking.summary
        return summary.effective_pos if self.given == "specificity" else summary.effective_neg


def _rate(name: str, given: Any) -> float:
    if not 0 <= number_or_nan(given) <= 1:
        raise InputError(
            found="{name=}{value} is out of range",
            needed="a rate from 0 to 1 is needed",
            fix="Pass for example {name=}0.9.",
            name=Parameter(name),
            value=shown(given),
        )
    return float(given)


def _interval(
    wanted: _RateAt,
    ranking: Ranking,
    method: Any,
    confidence_level: float,
    alternative: Alternative,
    draws: Draws,
) -> Interval:
    level, side = check_interval(confidence_level, alternative, method, RateMethod)
    chosen = "wilson" if method == "auto" else method
    value = low = high = error = math.nan
    used = 0
    if not lacks(ranking):
        draws.prepare(ranking)
        value = wanted.value(ranking)
        replicates = wanted.replicates(ranking, draws)
        replicates = replicates[~np.isnan(replicates)]
        used = len(replicates)
    if used:
        error = float(replicates.std())
        if chosen == "bootstrap":
            low, high = percentile(replicates, tail_levels(level, side))
        else:
            number = wanted.number(ranking)
            ends = wilson_ends(value, error**2, number, critical_value(level, side))
            low, high = map(float, ends)
        low = 0.0 if side == "less" else low
        high = 1.0 if side == "greater" else high
    found = Interval(
        measure=f"{wanted.name}({wanted.given}={wanted.rate:g})",
        value=value,
        low=low,
        high=high,
        standard_error=error,
        confidence_level=level,
        method=chosen,
        n_pos=ranking.n_pos,
        n_neg=ranking.n_neg,
        alternative=side,
        n_resamples=used,
    )
    warn_of_defects(found)
    return found
