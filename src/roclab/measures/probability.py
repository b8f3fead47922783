"""Measures of probabilities: Brier score and its parts, logarithmic loss, accuracy."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import check_between
from roclab.data.ranking import Ranking
from roclab.measures.bins import ScoreBins, Strategy, checked_bins
from roclab.measures.influence import Influence, row_mean
from roclab.measures.measure import defined_ranking, measure, measured_ranking
from roclab.numeric.sums import dot
from roclab.result import Result

Floats = npt.NDArray[np.float64]


def _brier_influence(ranking: Ranking) -> Influence:
    return row_mean(ranking, *_squares(ranking))


@measure(
    title="Brier score",
    meaning="mean squared difference between probability and outcome",
    better="lower",
    scores="probability",
    aliases=("brier",),
    reference="Brier, Monthly Weather Review 78 (1950) 1-3",
    needs="examples",
    influence=_brier_influence,
    row_mean=True,
)
def brier_score(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Mean squared difference between the probability and the outcome, 0 or 1.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        Between 0 and 1, lower is better; nan, with `UndefinedMeasureWarning`, if there are no
        examples. One class is enough.

    Notes
    -----
    O(n log n). This is the mean over examples; Brier's original sum over both classes is twice it.

    References
    ----------
    G. W. Brier, Monthly Weather Review 78 (1950) 1-3.

    Examples
    --------
    >>> round(brier_score([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]), 4)
    0.1425
    """
    ranking = defined_ranking(brier_score, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    return _mean_squares(ranking)


def _log_loss_influence(ranking: Ranking, clip: float = 0.0) -> Influence:
    return row_mean(ranking, *_surprise(ranking, clip))


@measure(
    title="Log loss",
    meaning="mean negative logarithm of the probability of the observed outcome",
    high=math.inf,
    better="lower",
    scores="probability",
    aliases=("logloss",),
    reference="Good, Journal of the Royal Statistical Society B 14 (1952) 107-114",
    needs="examples",
    example="clip=1e-15",
    influence=_log_loss_influence,
    row_mean=True,
)
def log_loss(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    clip: float = 0.0,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Mean negative natural logarithm of the probability of the observed outcome.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    clip : float, default 0
        Probabilities are first clipped to [clip, 1 - clip]. Without it, an outcome of probability
        0 makes the loss infinite. scikit-learn clips at the spacing of the scores' type,
        ``numpy.finfo(y_score.dtype).eps``, and so reports 36.04 for a single such outcome.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        0 or more, lower is better; nan, with `UndefinedMeasureWarning`, if there are no examples.
        One class is enough.

    Notes
    -----
    O(n log n).

    References
    ----------
    I. J. Good, Journal of the Royal Statistical Society B 14 (1952) 107-114.

    Examples
    --------
    >>> round(log_loss([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]), 4)
    0.4389
    >>> log_loss([0, 1], [0.5, 0.0])
    inf
    """
    ranking = defined_ranking(log_loss, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    total = sum(
        dot(mass[mass > 0], cost[mass > 0])
        for mass, cost in zip((ranking.pos, ranking.neg), _surprise(ranking, clip), strict=True)
    )
    return total / float(ranking.pos.sum() + ranking.neg.sum())


@dataclass(frozen=True, kw_only=True, repr=False)
class BrierParts(Result):
    """The decomposition of a Brier score.

    ``score = reliability - resolution + uncertainty + within_variance - within_covariance``

    Attributes
    ----------
    score : float
        The Brier score.
    reliability : float
        Mean squared distance of mean score and share of positives, over bins: 0 is best.
    resolution : float
        Mean squared distance of a bin's share of positives from the overall share: higher is
        better.
    uncertainty : float
        Variance of the outcome, whatever the forecast.
    within_variance, within_covariance : float
        Variance of the scores within bins, and twice the covariance of scores and outcomes within
        bins. Both are 0 if each distinct score is a bin.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within_variance: float
    within_covariance: float

    def __repr__(self) -> str:
        return (
            f"BrierParts(score {self.score:.4f}, reliability {self.reliability:.4f}, "
            f"resolution {self.resolution:.4f}, uncertainty {self.uncertainty:.4f})"
        )


@measure(
    title="Brier parts",
    meaning="reliability, resolution and uncertainty, the components of the Brier score",
    low=-1,
    scores="probability",
    reference="Murphy, Journal of Applied Meteorology 12 (1973) 595-600",
    needs="examples",
    parts=tuple(field.name for field in fields(BrierParts)),
    example="n_bins=10",
)
def brier_parts(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    n_bins: int | None = None,
    strategy: Strategy = "uniform",
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> BrierParts:
    """Decomposition of the Brier score into reliability, resolution and uncertainty.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    n_bins : int or None, default None
        None makes each distinct score a bin: Murphy's decomposition into three components. A
        number of bins adds two components for the variation within bins; the sum stays exact.
    strategy : {"uniform", "quantile"}, default "uniform"
        ``"uniform"``: bins of equal width. ``"quantile"``: bins of about equal mass. Equal scores
        always share a bin.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    BrierParts
        All nan, with `UndefinedMeasureWarning`, if there are no examples. One class is enough.

    Notes
    -----
    O(n log n). With few examples per bin, resolution and reliability are both too large, by the
    same amount: if all scores differ and ``n_bins=None``, every share is 0 or 1, resolution equals
    uncertainty and reliability equals the score.

    References
    ----------
    A. H. Murphy, Journal of Applied Meteorology 12 (1973) 595-600.
    D. B. Stephenson, C. A. S. Coelho, I. T. Jolliffe, Weather and Forecasting 23 (2008) 752-757,
    for the parts within bins.

    Examples
    --------
    >>> parts = brier_parts([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> parts
    BrierParts(score 0.1425, reliability 0.0175, resolution 0.1250, uncertainty 0.2500)
    """
    ranking = measured_ranking(brier_parts, y_true, y_score, sample_weight, pos_label)
    checked_bins(n_bins, strategy)
    if len(ranking) == 0:
        return BrierParts(**{field.name: math.nan for field in fields(BrierParts)})
    table = ScoreBins(ranking, n_bins, strategy)
    scores, mass = ranking.scores.astype(np.float64), ranking.pos + ranking.neg
    total = float(mass.sum())
    base = float(ranking.pos.sum()) / total
    off_mean = scores - table.per_group(table.mean_score)
    outcome = ranking.pos - table.per_group(table.share) * mass
    return BrierParts(
        score=_mean_squares(ranking),
        reliability=dot(table.weight, (table.mean_score - table.share) ** 2),
        resolution=dot(table.weight, (table.share - base) ** 2),
        uncertainty=base * (1 - base),
        within_variance=dot(mass, off_mean**2) / total,
        within_covariance=2 * dot(outcome, off_mean) / total,
    )


def _mean_squares(ranking: Ranking) -> float:
    of_pos, of_neg = _squares(ranking)
    total = dot(ranking.pos, of_pos) + dot(ranking.neg, of_neg)
    return float(total / (ranking.pos.sum() + ranking.neg.sum()))


def _squares(ranking: Ranking) -> tuple[Floats, Floats]:
    """Squared error of a positive, and of a negative, at each score."""
    scores = ranking.scores.astype(np.float64)
    return (1 - scores) ** 2, scores**2


def _surprise(ranking: Ranking, clip: float) -> tuple[Floats, Floats]:
    """Log loss of a positive, and of a negative, at each score."""
    clip = check_between(
        "clip", clip, 0, 0.5, or_low=True, fix="Pass a probability such as {clip=}1e-15."
    )
    scores = ranking.scores.astype(np.float64)
    with np.errstate(divide="ignore"):
        of_pos, of_neg = -np.log(scores), -np.log1p(-scores)
    if clip:  # in the losses: 1 - clip would be rounded
        ends = -math.log1p(-clip), -math.log(clip)
        of_pos, of_neg = of_pos.clip(*ends), of_neg.clip(*ends)
    return of_pos, of_neg
