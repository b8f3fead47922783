"""Scored AUC and variants: how far positives score above negatives, not only how often."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from roclab.checks.options import number_or_nan, shown
from roclab.curves.margin import margin_curve
from roclab.curves.score_differences import comparable_scores
from roclab.data.ranking import Ranking, scored_pairs
from roclab.data.undefined import is_undefined
from roclab.errors import InputError
from roclab.measures.measure import defined_ranking, measure, measured_ranking
from roclab.numeric.sums import dot, running_sum
from roclab.result import Result

_REFERENCE = "Wu, Flach and Ferri, ECML 2007"
_PARTS = ("r_pos", "r_neg", "mean_pos", "mean_neg", "mean_difference", "scored_auc")


@measure(
    title="scored AUC",
    meaning="mean over pairs of how far the positive scores above the negative, if it does",
    high=math.inf,
    scores="finite",
    reference=f"{_REFERENCE}, theorem 1",
    example="normalize=True",
)
def scored_auc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    normalize: bool = False,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Mean over pairs of max(positive score - negative score, 0).

    With m positive scores y and n negative scores x it is
    ``sum over pairs of max(y - x, 0) / (m n)``, the area under the margin curve from 0 on.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    normalize : bool, default False
        Scale the scores to [0, 1] first. Otherwise any finite scores are used as they are, and
        the result is in their unit. Constant scores give 0 either way.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        Not negative; for scores between 0 and 1 at most the AUC. nan, with
        `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    Ties need no rule: a tied pair adds 0. Scores and their squares must be finite. Like `auc`, it
    sorts only the smaller class. About O(n); O(n log n) at worst.

    References
    ----------
    S. Wu, P. Flach and C. Ferri, *An improved model selection heuristic for AUC*, ECML 2007,
    theorem 1.

    Examples
    --------
    >>> scored_auc([0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0])
    0.5
    """
    if (
        y_score is not None
        and sample_weight is None
        and not normalize
        and not isinstance(y_true, Ranking)
    ):
        value = scored_pairs(y_true, y_score, pos_label=pos_label).scored_auc
        if math.isfinite(value):  # else the ranking explains why
            return value
    ranking = defined_ranking(scored_auc, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    value = ranking.summary.scored_auc
    span = comparable_scores(ranking, "scored_auc")[1] if normalize else 1.0
    return value / span if span > 0 else value


@measure(
    title="margin AUC",
    meaning="AUC after all positive scores are lowered by a margin, ties half",
    scores="finite",
    reference=f"{_REFERENCE}, equation 4",
    example="margin=0.2",
)
def margin_auc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    margin: float,
    strict: bool = False,
    normalize: bool = False,
    decimals: int | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Probability that a positive scores higher than a negative by more than a margin.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    margin : float
        By how much the positive must score higher; may be negative.
    strict : bool, default False
        Count a difference of exactly `margin` as 0, as in the paper, instead of one half.
    normalize : bool, default False
        Take `margin` as a share of the range of the scores.
    decimals : int, optional
        Number of decimals of the scores: differences are then compared as decimal numbers.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        Between 0 and 1; nan, with `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    One value of the `margin_curve`, which covers many margins. Differences are compared with the
    margin exactly: as binary numbers, or with `decimals` as decimal ones. O(n log n).

    References
    ----------
    S. Wu, P. Flach and C. Ferri, *An improved model selection heuristic for AUC*, ECML 2007,
    equation 4.

    Examples
    --------
    >>> margin_auc([0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0], margin=0.5)
    0.5
    >>> margin_auc([0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0], margin=0.5, strict=True)
    0.25
    """
    ranking = defined_ranking(margin_auc, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    curve = margin_curve(ranking, normalize=normalize, strict=strict, decimals=decimals)
    number = number_or_nan(margin)
    if math.isnan(number):
        raise InputError(
            found="{margin=}{value} is not a number",
            needed="a number of either sign is needed",
            value=shown(margin),
        )
    return curve.at(number)


@dataclass(frozen=True, kw_only=True)
class ScoredParts(Result):
    """The components of the scored AUC.

    Attributes
    ----------
    r_pos : float
        R+: mean of the positive scores, each times the share of negatives strictly below it.
    r_neg : float
        R-: mean of the negative scores, each times the share of positives strictly above it.
    mean_pos, mean_neg : float
        M+ and M-: mean score of the positives, and of the negatives.
    mean_difference : float
        M+ - M-, never above the scored AUC, and equal to it if the classes are separated.
    scored_auc : float
        R+ - R-.
    unit_interval : bool
        Whether all scores lie between 0 and 1. If not, R+ may be above M+, R- above M-, and the
        scored AUC above the AUC.
    """

    r_pos: float
    r_neg: float
    mean_pos: float
    mean_neg: float
    mean_difference: float
    scored_auc: float
    unit_interval: bool

    def __repr__(self) -> str:
        return (
            f"ScoredParts(R+ {self.r_pos:.3g} - R- {self.r_neg:.3g} = {self.scored_auc:.3g}, "
            f"M+ {self.mean_pos:.3g} - M- {self.mean_neg:.3g} = {self.mean_difference:.3g})"
        )


@measure(
    title="scored AUC, its parts",
    meaning="R+, R-, mean scores and their difference",
    low=-math.inf,
    high=math.inf,
    scores="finite",
    reference=f"{_REFERENCE}, theorem 2",
    parts=_PARTS,
    example="normalize=True",
)
def scored_parts(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    normalize: bool = False,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> ScoredParts:
    """R+ and R-, whose difference is the scored AUC, and the mean scores of the classes.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    normalize : bool, default False
        Scale the scores to [0, 1] first; constant scores become 0.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    ScoredParts
        All nan, with `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    "Below" and "above" are strict. The paper's algorithm (table 2) gives these R+ and R- only if
    negatives come before positives among equal scores; their difference is right in any order. R+
    and R- depend on the zero of the scores, their difference does not. O(n log n).

    References
    ----------
    S. Wu, P. Flach and C. Ferri, *An improved model selection heuristic for AUC*, ECML 2007,
    theorems 2 and 3.

    Examples
    --------
    >>> scored_parts([0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0])
    ScoredParts(R+ 0.625 - R- 0.125 = 0.5, M+ 0.75 - M- 0.25 = 0.5)
    """
    ranking = measured_ranking(scored_parts, y_true, y_score, sample_weight, pos_label)
    if is_undefined(ranking):
        return ScoredParts(**dict.fromkeys(_PARTS, math.nan), unit_interval=False)
    scored = scored_auc(ranking, normalize=normalize)  # raises if scores are too large
    scores, span = comparable_scores(ranking, "scored_parts")
    offsets = scores - scores[0]
    origin = float(ranking.scores[0])
    low, high = origin, float(ranking.scores[-1])
    if normalize:
        offsets, origin = offsets / (span or 1.0), 0.0
        low, high = 0.0, 1.0
    n_pos, n_neg = float(ranking.pos.sum()), float(ranking.neg.sum())
    pos, neg = ranking.pos / n_pos, ranking.neg / n_neg
    below = running_sum(ranking.neg)[:-1] / n_neg  # share of negatives strictly below
    above = running_sum(ranking.pos[::-1])[-2::-1] / n_pos  # share of positives strictly above
    mean_pos, mean_neg = dot(pos, offsets), dot(neg, offsets)
    return ScoredParts(
        r_pos=dot(pos * below, origin + offsets),
        r_neg=dot(neg * above, origin + offsets),
        mean_pos=origin + mean_pos,
        mean_neg=origin + mean_neg,
        mean_difference=mean_pos - mean_neg,
        scored_auc=scored,
        unit_interval=bool(low >= 0 and high <= 1),
    )
