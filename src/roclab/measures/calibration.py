"""Calibration error: the distance of observed shares of positives from predicted probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_choice, check_level
from roclab.data.ranking import Ranking
from roclab.measures.bins import ScoreBins, Strategy, checked_bins
from roclab.measures.measure import measure, measured_ranking
from roclab.numeric.sums import dot
from roclab.result import ReadOnlyArrays, Result

Norm = Literal["l1", "l2", "max"]
Floats = npt.NDArray[np.float64]

_ARRAYS = ("count", "weight", "mean_score", "share", "share_low", "share_high")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CalibrationError(Result, ReadOnlyArrays):
    """A calibration error, with its bins: the points of a reliability diagram.

    Attributes
    ----------
    value : float
        The error.
    norm : str
        Norm of the gaps of the bins.
    count : ndarray
        Number of examples in each bin; with weights the effective number, (sum w)^2 / sum w^2.
    weight : ndarray
        Share of each bin in all examples, or in all weight.
    mean_score : ndarray
        Mean score of each bin, ascending.
    share : ndarray
        Share of positives in each bin.
    share_low, share_high : ndarray
        Wilson's interval for each share.
    confidence_level : float
        Confidence level of each of these intervals.
    """

    value: float
    norm: str
    count: Floats
    weight: Floats
    mean_score: Floats
    share: Floats
    share_low: Floats
    share_high: Floats
    confidence_level: float

    def __float__(self) -> float:
        return self.value

    def __len__(self) -> int:
        return len(self.share)

    def __repr__(self) -> str:
        return f"CalibrationError({self.value:.3f}, {self.norm}, {len(self):,} bins)"


@measure(
    title="Calibration error",
    meaning="distance of shares of positives from predicted probabilities, over bins",
    better="lower",
    scores="probability",
    aliases=("ece",),
    reference="Naeini, Cooper and Hauskrecht, AAAI (2015) 2901-2907",
    needs="examples",
    example="n_bins=20, strategy='quantile'",
)
def calibration_error(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    n_bins: int | None = 10,
    strategy: Strategy = "uniform",
    norm: Norm = "l1",
    confidence_level: float = 0.95,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> CalibrationError:
    """Calibration error: distance between predicted probabilities and observed rates, over bins.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    n_bins : int or None, default 10
        Number of bins; empty ones are dropped. None makes one bin per distinct score, for scores
        with few levels.
    strategy : {"uniform", "quantile"}, default "uniform"
        ``"uniform"``: bins of equal width, (0, 1/n_bins], (1/n_bins, 2/n_bins], …, and 0 in the
        first, as in scikit-learn's `calibration_curve`. ``"quantile"``: bins of about equal mass.
        Equal scores always share a bin.
    norm : {"l1", "l2", "max"}, default "l1"
        Norm of the gaps between mean score and share of positives: the mean, weighted by the size
        of the bins (the expected calibration error, ECE); the root mean square; the largest.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It is that of the interval of each bin.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    CalibrationError
        With `value` and the bins; nan and no bins, with `UndefinedMeasureWarning`, if there are
        no examples.

    Notes
    -----
    O(n log n). There is no interval for the error itself: with few examples per bin it is above 0
    even for perfect probabilities, which no cheap interval takes into account.

    References
    ----------
    M. P. Naeini, G. F. Cooper, M. Hauskrecht, AAAI (2015) 2901-2907.
    E. B. Wilson, Journal of the American Statistical Association 22 (1927) 209-212.

    Examples
    --------
    >>> error = calibration_error([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> error
    CalibrationError(0.125, l1, 3 bins)
    >>> error.mean_score, error.share
    (array([0.1, 0.4, 0.8]), array([0. , 0.5, 1. ]))
    """
    ranking = measured_ranking(calibration_error, y_true, y_score, sample_weight, pos_label)
    check_choice("norm", norm, Norm)
    confidence_level = check_level(confidence_level)
    checked_bins(n_bins, strategy)
    if len(ranking) == 0:
        nothing = dict.fromkeys(_ARRAYS, np.empty(0))
        return CalibrationError(
            value=math.nan, norm=norm, confidence_level=confidence_level, **nothing
        )
    table = ScoreBins(ranking, n_bins, strategy)
    low, high = _wilson(table.share, table.count, confidence_level)
    return CalibrationError(
        value=_norm_of(np.abs(table.mean_score - table.share), table.weight, norm),
        norm=norm,
        count=table.count,
        weight=table.weight,
        mean_score=table.mean_score,
        share=table.share,
        share_low=low,
        share_high=high,
        confidence_level=confidence_level,
    )


def _norm_of(gaps: Floats, weight: Floats, norm: Norm) -> float:
    if norm == "max":
        return float(gaps.max())
    if norm == "l2":
        return math.sqrt(dot(weight, gaps**2))
    return dot(weight, gaps)


def _wilson(share: Floats, count: Floats, confidence_level: float) -> tuple[Floats, Floats]:
    """Every true share at which the observed one is not significant, by the score test."""
    z = NormalDist().inv_cdf(0.5 + confidence_level / 2)
    centre = share + z**2 / (2 * count)
    margin = z * np.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    scale = 1 + z**2 / count
    # At the ends the interval includes the share, which rounding would put just outside.
    return (
        np.where(share == 0, 0.0, (centre - margin) / scale),
        np.where(share == 1, 1.0, (centre + margin) / scale),
    )
