"""The calibration curve: observed rates of positives beside predicted probabilities, by bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_level
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import warn_if_undefined
from roclab.inference.intervals.proportions import clopper_pearson_ends
from roclab.measures.bins import ScoreBins, Strategy, checked_bins
from roclab.measures.measure import check_scores
from roclab.result import ReadOnlyArrays, Result

Floats = npt.NDArray[np.float64]

_ARRAYS = ("mean_probability", "observed_rate", "low", "high", "count")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CalibrationCurve(Result, ReadOnlyArrays):
    """Predicted probabilities and observed rates in bins of neighbouring probabilities.

    Attributes
    ----------
    mean_probability : ndarray
        Mean predicted probability of each bin, ascending.
    observed_rate : ndarray
        Proportion of positives in each bin.
    low, high : ndarray
        Clopper-Pearson interval of each proportion.
    count : ndarray
        Number of examples in each bin; with weights the effective number, (sum w)^2 / sum w^2.
    confidence_level : float
        Confidence level of each interval.
    """

    mean_probability: Floats
    observed_rate: Floats
    low: Floats
    high: Floats
    count: Floats
    confidence_level: float

    def __len__(self) -> int:
        return len(self.observed_rate)

    def __repr__(self) -> str:
        outside = (self.mean_probability < self.low) | (self.mean_probability > self.high)
        bins = f"{len(self):,} bin{'s' * (len(self) != 1)}"
        return f"CalibrationCurve({bins}, {np.count_nonzero(outside):,} off the diagonal)"


def calibration_curve(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    n_bins: int | None = 10,
    strategy: Strategy = "uniform",
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> CalibrationCurve:
    """The calibration curve, or reliability diagram, with exact intervals.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    n_bins : int or None, default 10
        Number of bins; empty ones are dropped. None makes one bin per distinct probability.
    strategy : {"uniform", "quantile"}, default "uniform"
        ``"uniform"``: bins of equal width, (0, 1/n_bins], (1/n_bins, 2/n_bins], …, and 0 in the
        first. ``"quantile"``: bins of about equal size. Equal probabilities always share a bin.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for the interval of each bin by itself.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    CalibrationCurve
        Without bins, with `UndefinedMeasureWarning`, if there are no examples.

    Notes
    -----
    O(n log n). The points are those of scikit-learn's `calibration_curve`; with ``"quantile"``, if
    the number of examples is a multiple of `n_bins` and no probabilities tie at the end of a bin.
    scikit-learn interpolates between examples there, which would make the bins depend on whether
    two examples or one of weight 2 are given.

    Clopper and Pearson's interval has at least the nominal coverage for any proportion of
    independent examples. With weights, the effective number of examples of the bin is used.
    `calibration_error` summarizes the distances from the diagonal, and `calibration_summary` their
    direction.

    References
    ----------
    C. J. Clopper, E. S. Pearson, Biometrika 26 (1934) 404-413.

    Examples
    --------
    >>> found = calibration_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> found.mean_probability, found.observed_rate
    (array([0.1, 0.4, 0.8]), array([0. , 0.5, 1. ]))
    >>> found.low.round(3), found.high.round(3)
    (array([0.   , 0.013, 0.025]), array([0.975, 0.987, 1.   ]))
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    level = check_level(confidence_level)
    checked_bins(n_bins, strategy)
    check_scores("calibration_curve", ranking.scores, "probability")
    warn_if_undefined("A calibration curve", ranking, needs="examples", undefined="Every bin")
    if len(ranking) == 0:
        return CalibrationCurve(**dict.fromkeys(_ARRAYS, np.empty(0)), confidence_level=level)
    bins = ScoreBins(ranking, n_bins, strategy)
    low, high = clopper_pearson_ends(bins.share, bins.count, level)
    return CalibrationCurve(
        mean_probability=bins.mean_score,
        observed_rate=bins.share,
        low=low,
        high=high,
        count=bins.count,
        confidence_level=level,
    )
