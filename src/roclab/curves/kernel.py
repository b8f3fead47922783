"""The ROC curve of scores that are smoothed by a kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_between
from roclab.curves.score_differences import comparable_scores
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.undefined import warn_if_undefined
from roclab.errors import InputError
from roclab.numeric.distributions import normal_cdfs
from roclab.numeric.sums import dot
from roclab.result import ReadOnlyArrays, Result

Floats = npt.NDArray[np.float64]

_POINTS = 500
# The curve ends that many bandwidths beyond the last scores.
_BEYOND = 5
# Interquartile range of the standard normal distribution.
_NORMAL_QUARTILES = 1.3489795003921634


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class KernelROC(Result, ReadOnlyArrays):
    """A smooth ROC curve, from the strictest to the most lenient threshold.

    Attributes
    ----------
    fpr, tpr : ndarray
        Share of the smoothed negatives, and positives, above the threshold.
    thresholds : ndarray of float
        Decreasing; the first and the last are infinite.
    auc : float
        Area under the curve.
    bandwidth_pos, bandwidth_neg : float
        Standard deviations of the kernels of positives and of negatives.
    """

    fpr: Floats
    tpr: Floats
    thresholds: Floats
    auc: float
    bandwidth_pos: float
    bandwidth_neg: float

    def __len__(self) -> int:
        return len(self.fpr)

    def __repr__(self) -> str:
        widths = f"{self.bandwidth_pos:.3g} and {self.bandwidth_neg:.3g}"
        return f"KernelROC(AUC {self.auc:.3f}, bandwidths {widths})"


def kernel_roc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    bandwidth: float | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> KernelROC:
    """The ROC curve of the two score densities, estimated by a normal kernel.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    bandwidth : float, optional
        Standard deviation of the kernel, on the scale of the scores, for both classes. By default
        Silverman's rule for each class: ``0.9 min(sd, IQR / 1.349) n ** -0.2``.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    KernelROC
        If a class is missing, its rate is nan, with `UndefinedMeasureWarning`.

    Raises
    ------
    InputError
        Some scores are infinite; or a class has equal scores only, and no bandwidth was passed.

    Notes
    -----
    The rate of a class at threshold t is the mean of ``Phi((score - t) / bandwidth)``, at about
    1000 thresholds: O(1000 n). Unlike the ROC curve, it depends on the scale of the scores.
    Smoothing pulls the AUC towards one half; for inference use the scores themselves.

    References
    ----------
    C. J. Lloyd, Journal of the American Statistical Association 93 (1998) 1356-1364.
    B. W. Silverman, Density Estimation, Chapman and Hall 1986, equation 3.31.

    Examples
    --------
    >>> kernel_roc([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    KernelROC(AUC 0.820, bandwidths 0.222 and 0.166)
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    scores, span = comparable_scores(ranking, "a kernel ROC curve")
    # In units of a power of two about their range: squares of huge scores overflow.
    unit = math.ldexp(1.0, math.frexp(span)[1] - 1) if span else 1.0
    origin = float(ranking.scores[0]) - scores[0] if len(scores) else 0.0
    scores = scores / unit
    if bandwidth is not None:
        fix = "Pass a positive number on the scale of the scores."
        bandwidth = check_between("bandwidth", bandwidth, 0, math.inf, fix=fix) / unit
    warn_if_undefined("A smoothed ROC curve", ranking)
    shares = [
        mass / mass.sum() if mass.any() else mass * math.nan for mass in (ranking.pos, ranking.neg)
    ]
    squares = (ranking.pos_squared, ranking.neg_squared)
    widths = []
    for mass, share, squared in zip((ranking.pos, ranking.neg), shares, squares, strict=True):
        number = float(mass.sum())
        if squared is not None and number:
            number = number**2 / float(squared.sum())
        widths.append(_silverman(scores, share, number) if bandwidth is None else bandwidth)
    reach = _BEYOND * max((width for width in widths if not math.isnan(width)), default=0.0)
    thresholds = _thresholds(scores, ranking.pos + ranking.neg, reach)
    tpr, fpr = (
        _above(scores, share, width, thresholds)
        for share, width in zip(shares, widths, strict=True)
    )
    return KernelROC(
        fpr=fpr,
        tpr=tpr,
        thresholds=origin + _times(thresholds, unit),
        auc=dot(np.diff(fpr), (tpr[1:] + tpr[:-1]) / 2),
        bandwidth_pos=widths[0] * unit,
        bandwidth_neg=widths[1] * unit,
    )


def _times(thresholds: Floats, unit: float) -> Floats:
    with np.errstate(over="ignore"):  # beyond the largest scores
        return thresholds * unit


def _thresholds(scores: Floats, mass: npt.NDArray[Any], reach: float) -> Floats:
    """From infinity down: evenly spaced, and at quantiles, since a far score may be alone."""
    if not len(scores):
        return np.array([np.inf, -np.inf])
    even = np.linspace(scores[0] - reach, scores[-1] + reach, _POINTS)
    places = (np.cumsum(mass) - mass / 2) / mass.sum()
    quantiles = np.interp(np.linspace(0, 1, _POINTS), places, scores)
    ascending = np.insert(even, np.searchsorted(even, quantiles), quantiles)
    return np.concatenate(([np.inf], ascending[::-1], [-np.inf]))


def _above(scores: Floats, share: Floats, width: float, thresholds: Floats) -> Floats:
    """Share above each threshold."""
    if np.isnan(share).any() or math.isnan(width):
        return np.full(len(thresholds), np.nan)
    kept: Any = share > 0
    return np.array([dot(share[kept], normal_cdfs((scores[kept] - t) / width)) for t in thresholds])


def _silverman(scores: Floats, share: Floats, number: float) -> float:
    """Silverman's rule of thumb; nan without examples."""
    if np.isnan(share).any() or not len(scores):
        return math.nan
    mean = dot(share, scores)
    variance = dot(share, (scores - mean) ** 2) * (number / (number - 1) if number > 1 else 1)
    kept: Any = share > 0
    places = (np.cumsum(share) - share / 2)[kept]
    quartiles = np.interp([0.25, 0.75], places, scores[kept])
    spreads = (math.sqrt(variance), float(quartiles[1] - quartiles[0]) / _NORMAL_QUARTILES)
    # Half of the scores may tie: the quartiles are then the same.
    positive = [spread for spread in spreads if spread > 0]
    if not positive:
        raise InputError(
            found="All scores of a class are equal",
            needed="the bandwidth of its kernel is then unknown",
            fix="Pass {bandwidth}.",
        )
    return float(0.9 * min(positive) * number**-0.2)
