"""Confidence intervals for the AUC."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any, Literal

import numpy.typing as npt
from scipy.special import ndtri

from roclab import _core
from roclab.errors import DegenerateIntervalWarning, InputError, UndefinedMeasureWarning
from roclab.ranking import Ranking, as_ranking, pair_counts
from roclab.summary import RangeSummary

__all__ = ["AUCInterval", "auc_interval"]

IntervalMethod = Literal["auto", "delong"]


@dataclass(frozen=True, kw_only=True, repr=False)
class AUCInterval:
    """An AUC with its confidence interval.

    Attributes
    ----------
    value : float
        The AUC.
    low, high : float
        Ends of the interval.
    standard_error : float
        Square root of DeLong's variance; nan with fewer than two examples of a class.
    confidence_level : float
        Share of samples whose interval covers the true AUC, nominally.
    method : str
        How the interval was made.
    n_pos, n_neg : int
        Positive and negative examples.
    """

    value: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
    method: str
    n_pos: int
    n_neg: int

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return asdict(self)

    def __repr__(self) -> str:
        hint = "; below one half: are the scores reversed?" if self.high < 0.5 else ""
        return (
            f"AUC {self.value:.3f} [{self.low:.2f}, {self.high:.2f}], "
            f"{100 * self.confidence_level:g} %, {self.n_pos}+ {self.n_neg}-{hint}"
        )


@dataclass(frozen=True, kw_only=True)
class _Estimate:
    """What an interval is made of; windows and partitions know this much of their data."""

    auc: float
    variance: float
    effective_pos: float
    effective_neg: float


def auc_interval(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    method: IntervalMethod = "auto",
    confidence_level: float = 0.95,
) -> AUCInterval:
    """The AUC with a confidence interval.

    Parameters
    ----------
    y_true : array-like, Ranking or RangeSummary
        Labels (see `Ranking`), a ranking that holds labels and scores, or the summary of one,
        which is all that an interval needs.
    y_score : array-like
        Scores, higher for more positive.
    sample_weight : array-like, optional
        Importance weights: the interval does not change when all are scaled.
    pos_label : optional
        The value of `y_true` that is positive.
    method : {"auto", "delong"}, default "auto"
        ``"auto"`` inverts the score test with the variance of Hanley and McNeil, widened where
        DeLong's variance is larger; it keeps its level in small samples and near AUC 1, and needs
        only one example of each class. ``"delong"`` is the estimate plus and minus its standard
        error times a normal quantile, cut off at 0 and 1: the interval known from other packages,
        too short for small samples and high AUC.
    confidence_level : float, default 0.95
        Between 0 and 1.

    Returns
    -------
    AUCInterval
        With nan for what the data do not define, and an `UndefinedMeasureWarning`: everything if
        a class is missing; the ends of ``"delong"`` with fewer than two examples of a class.

    Notes
    -----
    About O(n); O(n log n) at worst. With weights, effective numbers of examples,
    (sum w)^2 / sum w^2, stand in for the numbers of examples.

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988) 837-845.
    J. A. Hanley, B. J. McNeil, Radiology 143 (1982) 29-36, equations 1 and 2.

    Examples
    --------
    >>> auc_interval([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    AUC 0.875 [0.30, 0.99], 95 %, 2+ 2-
    """
    interval = unwarned_interval(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        method=method,
        confidence_level=confidence_level,
    )
    _warn_of_defects(interval)
    return interval


def unwarned_interval(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    method: IntervalMethod = "auto",
    confidence_level: float = 0.95,
) -> AUCInterval:
    """`auc_interval` without its warnings, for those who tell of many intervals at once."""
    if not isinstance(method, str) or method not in _METHODS:
        raise InputError(f"method={method!r} is not known. Methods: {', '.join(_METHODS)}.")
    z = _quantile(confidence_level)
    if isinstance(y_true, Ranking | RangeSummary) or y_score is None or sample_weight is not None:
        summary = _summary_of(y_true, y_score, sample_weight, pos_label)
        n_pos, n_neg = summary.n_pos, summary.n_neg
        estimate = _Estimate(
            auc=summary.auc,
            variance=summary.auc_variance,
            effective_pos=summary.effective_pos,
            effective_neg=summary.effective_neg,
        )
    else:
        counts = pair_counts(y_true, y_score, pos_label=pos_label, moments=True)
        n_pos, n_neg = counts.pos, counts.neg
        estimate = _Estimate(
            auc=counts.auc, variance=counts.auc_variance, effective_pos=n_pos, effective_neg=n_neg
        )
    low, high = _METHODS[method](estimate, z)
    return AUCInterval(
        value=estimate.auc,
        low=low,
        high=high,
        standard_error=math.sqrt(estimate.variance),
        confidence_level=confidence_level,
        method=method,
        n_pos=n_pos,
        n_neg=n_neg,
    )


def _summary_of(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None,
    sample_weight: npt.ArrayLike | None,
    pos_label: Any,
) -> RangeSummary:
    if not isinstance(y_true, RangeSummary):
        ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        return ranking.summary
    if y_score is not None or sample_weight is not None or pos_label is not None:
        raise InputError("A RangeSummary holds all that an interval needs. Pass it alone.")
    return y_true


def _score(estimate: _Estimate, z: float) -> tuple[float, float]:
    return _core.score_interval(
        estimate.auc, estimate.variance, estimate.effective_pos, estimate.effective_neg, z
    )


def _delong(estimate: _Estimate, z: float) -> tuple[float, float]:
    if math.isnan(estimate.variance):
        return math.nan, math.nan
    margin = z * math.sqrt(estimate.variance)
    return max(estimate.auc - margin, 0.0), min(estimate.auc + margin, 1.0)


_METHODS: dict[str, Callable[[_Estimate, float], tuple[float, float]]] = {
    "auto": _score,
    "delong": _delong,
}


def _quantile(confidence_level: float) -> float:
    if not isinstance(confidence_level, Real) or not 0 < float(confidence_level) < 1:
        raise InputError(
            f"confidence_level={confidence_level!r} is not between 0 and 1. "
            "For 95 % pass confidence_level=0.95."
        )
    return float(ndtri(0.5 + confidence_level / 2))


def _warn_of_defects(interval: AUCInterval) -> None:
    category: type[UserWarning] = UndefinedMeasureWarning
    if math.isnan(interval.value):
        message = (
            f"An AUC needs both classes; there are {interval.n_pos:,} positive and "
            f"{interval.n_neg:,} negative examples. The result is nan."
        )
    elif math.isnan(interval.low):
        message = (
            "DeLong's interval needs two examples of each class, and one has fewer. Its ends "
            'are nan; method="auto" gives an interval here too.'
        )
    elif interval.low == interval.high:
        category = DegenerateIntervalWarning
        message = (
            f"DeLong's variance is 0 at AUC {interval.value:g}, so its interval has no width, "
            'which is not certainty. method="auto" gives an interval here too.'
        )
    else:
        return
    warnings.warn(message, category, stacklevel=3)
