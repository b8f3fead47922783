"""Two smooth relatives of the AUC: the probabilistic AUC and the soft AUC."""

from __future__ import annotations

from typing import Unpack

from roclab.errors import InputError
from roclab.measures.measure import MeasureArguments, measure
from roclab.measures.sigmoid_pairs import mean_sigmoid
from roclab.numeric.score_differences import comparable_scores
from roclab.numeric.sums import dot
from roclab.ranking import Ranking
from roclab.validation import number_or_nan

__all__ = ["probabilistic_auc", "soft_auc"]

_SLOPES = (1e-100, 1e100)


@measure(
    title="probabilistic AUC",
    meaning="(M+ - M- + 1) / 2, with M the mean probability given to each class",
    low=0,
    high=1,
    scores="probability",
    reference="Ferri, Flach, Hernandez-Orallo and Senad, ROCML 2005",
)
def probabilistic_auc(ranking: Ranking, **_: Unpack[MeasureArguments]) -> float:
    """Mean probability of the positives against that of the negatives, scaled as an AUC.

    With M+ and M- the mean scores of the classes it is ``(M+ - M- + 1) / 2``: the mean over pairs
    of ``(y - x + 1) / 2``, where the AUC counts 0, one half or 1.

    Parameters
    ----------
    {arguments}

    Returns
    -------
    float
        Between 0 and 1; one half if the classes have the same mean. nan, with
        `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    Scores must be probabilities. On other scales the formula leaves [0, 1] and says nothing, so
    they are refused; `scored_parts` has M+ - M- for any finite scores. It sees no ranks at all: it
    can fall when the ranking gets better. O(n) from the ranking.

    References
    ----------
    C. Ferri, P. Flach, J. Hernandez-Orallo and A. Senad, *Modifying ROC curves to incorporate
    predicted probabilities*, Workshop on ROC Analysis in Machine Learning, ICML 2005.

    Examples
    --------
    >>> probabilistic_auc([0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0])
    0.75
    """
    scores = comparable_scores(ranking, "probabilistic_auc")[0]
    mean_pos = dot(ranking.pos, scores) / float(ranking.pos.sum())
    mean_neg = dot(ranking.neg, scores) / float(ranking.neg.sum())
    return (mean_pos - mean_neg + 1) / 2


@measure(
    title="soft AUC",
    meaning="mean over pairs of a sigmoid of the difference in score",
    low=0,
    high=1,
    scores="finite",
    reference="Yan et al., ICML 2003; Calders and Jaroszewicz, PKDD 2007",
    example="slope=10",
)
def soft_auc(ranking: Ranking, *, slope: float = 1.0, **_: Unpack[MeasureArguments]) -> float:
    """Mean over pairs of ``1 / (1 + exp(-slope (y - x)))``, a smooth stand-in for the AUC.

    Parameters
    ----------
    {arguments}
    slope : float, default 1
        How steep the sigmoid is, per unit of score: a lead of ``4 / slope`` counts 0.98. The
        default suits scores in log odds; probabilities want 10 or more.

    Returns
    -------
    float
        Between 0 and 1; a tie counts one half. nan, with `UndefinedMeasureWarning`, if a class
        is missing.

    Notes
    -----
    Towards the AUC as `slope` grows, and towards ``1/2 + slope (M+ - M-) / 4`` as it falls to 0.

    The sum over all pairs is not carried out one by one: where more than 20 distinct scores lie
    within ``2 / slope`` they are replaced by 20 points with the same sums of all polynomials up to
    degree 19, which changes the result by about 1e-15, and pairs further apart than ``40 / slope``
    count 0 or 1. At most O(n) sigmoids, some hundreds for each example; a few hundred altogether
    for shallow slopes.

    References
    ----------
    L. Yan, R. Dodier, M. Mozer and R. Wolniewicz, *Optimizing classifier performance via an
    approximation to the Wilcoxon-Mann-Whitney statistic*, ICML 2003. T. Calders and S. Jaroszewicz,
    *Efficient AUC optimization for classification*, PKDD 2007.

    Examples
    --------
    >>> round(soft_auc([0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0], slope=10), 6)
    0.871642
    """
    given, slope = slope, number_or_nan(slope)
    if not _SLOPES[0] <= slope <= _SLOPES[1]:
        raise InputError(
            f"slope={given!r:.60}; a number from {_SLOPES[0]:g} to {_SLOPES[1]:g} is needed. A "
            "slope below 0 would reward reversed rankings: turn the scores round instead."
        )
    scores, span = comparable_scores(ranking, "soft_auc")
    if span * slope > _SLOPES[1]:
        raise InputError(
            f"slope={slope:g} times the range of the scores, {span:g}, is too large to tell pairs "
            "apart. Take a smaller slope; for a very large one use auc."
        )
    return mean_sigmoid(scores, ranking.pos, ranking.neg, slope)
