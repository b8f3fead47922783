"""Scored AUC and variants: how far positives score above negatives, not only how often."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Unpack

from roclab.checks.options import shown
from roclab.checks.validation import number_or_nan
from roclab.curves.margin import margin_curve
from roclab.curves.score_differences import comparable_scores
from roclab.data.ranking import Ranking, scored_pairs
from roclab.errors import InputError
from roclab.measures.measure import MeasureArguments, measure
from roclab.numeric.sums import dot, running_sum
from roclab.ranking_arguments import lacks
from roclab.result import Result

_REFERENCE = "Wu, Flach and Ferri, ECML 2007"
_PARTS = ("r_pos", "r_neg", "mean_pos", "mean_neg", "mean_difference", "scored_auc")


def _scored_of_pairs(
    y_true: Any, y_score: Any, pos_label: Any, *, normalize: bool = False
) -> float | None:
    if normalize:
        return None
    value = scored_pairs(y_true, y_score, pos_label=pos_label).scored_auc
    return value if math.isfinite(value) else None  # the ranking explains why


@measure(
    title="scored AUC",
    meaning="mean over pairs of how far the positive scores above the negative, if it does",
    high=math.inf,
    scores="finite",
    reference=f"{_REFERENCE}, theorem 1",
    unsorted=_scored_of_pairs,
    example="normalize=True",
)
def scored_auc(
    ranking: Ranking, *, normalize: bool = False, **_: Unpack[MeasureArguments]
) -> float:
    """Mean over pairs of how far the positive scores above the negative, if it does.

    With m positive scores y and n negative scores x it is
    ``sum over pairs of max(y - x, 0) / (m n)``, the area under the margin curve from 0 on.

    Parameters
    ----------
    {arguments}
    normalize : bool, default False
        Scale the scores to [0, 1] first. Otherwise any finite scores are used as they are, and
        the result is in their unit. Constant scores give 0 either way.

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
    ranking: Ranking,
    *,
    margin: float,
    strict: bool = False,
    normalize: bool = False,
    decimals: int | None = None,
    **_: Unpack[MeasureArguments],
) -> float:
    """Probability that a positive scores higher than a negative by more than a margin.

    Parameters
    ----------
    {arguments}
    margin : float
        By how much the positive must score higher; may be negative.
    strict : bool, default False
        Count a difference of exactly `margin` as 0, as in the paper, instead of one half.
    normalize : bool, default False
        Take `margin` as a share of the range of the scores.
    decimals : int, optional
        Number of decimals of the scores: differences are then compared as decimal numbers.

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
    ranking: Ranking, *, normalize: bool = False, **_: Unpack[MeasureArguments]
) -> ScoredParts:
    """R+ and R-, whose difference is the scored AUC, and the mean scores of the classes.

    Parameters
    ----------
    {arguments}
    normalize : bool, default False
        Scale the scores to [0, 1] first; constant scores become 0.

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
    if lacks(ranking):
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
