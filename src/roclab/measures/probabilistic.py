"""Two smooth variants of the AUC: the probabilistic AUC and the soft AUC."""

from __future__ import annotations

import math
from typing import Any

import numpy.typing as npt

from roclab.checks.options import number_or_nan, shown
from roclab.curves.score_differences import comparable_scores
from roclab.data.ranking import Ranking
from roclab.errors import InputError
from roclab.measures.measure import defined_ranking, measure
from roclab.measures.sigmoid_pairs import mean_sigmoid
from roclab.numeric.sums import dot

_SLOPES = (1e-100, 1e100)


@measure(
    title="probabilistic AUC",
    meaning="(M+ - M- + 1) / 2, with M the mean probability of each class",
    scores="probability",
    reference="Ferri, Flach, Hernandez-Orallo and Senad, ROCML 2005",
)
def probabilistic_auc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Difference of the mean probabilities of positives and negatives, scaled like an AUC.

    With M+ and M- the mean scores of the classes it is ``(M+ - M- + 1) / 2``: the mean over pairs
    of ``(y - x + 1) / 2``, where the AUC counts 0, one half or 1.

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
        Between 0 and 1; one half if the classes have the same mean. nan, with
        `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    Scores must be probabilities. On other scales the formula leaves [0, 1] and has no meaning, so
    they are refused; `scored_parts` has M+ - M- for any finite scores. It ignores ranks: it can
    decrease when the ranking improves. O(n) from the ranking.

    References
    ----------
    C. Ferri, P. Flach, J. Hernandez-Orallo and A. Senad, *Modifying ROC curves to incorporate
    predicted probabilities*, Workshop on ROC Analysis in Machine Learning, ICML 2005.

    Examples
    --------
    >>> probabilistic_auc([0, 1, 0, 1], [0.0, 0.5, 0.5, 1.0])
    0.75
    """
    ranking = defined_ranking(probabilistic_auc, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    scores = comparable_scores(ranking, "probabilistic_auc")[0]
    mean_pos = dot(ranking.pos, scores) / float(ranking.pos.sum())
    mean_neg = dot(ranking.neg, scores) / float(ranking.neg.sum())
    return (mean_pos - mean_neg + 1) / 2


@measure(
    title="soft AUC",
    meaning="mean over pairs of a sigmoid of the difference in score",
    scores="finite",
    reference="Yan et al., ICML 2003; Calders and Jaroszewicz, PKDD 2007",
    example="slope=10",
)
def soft_auc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    slope: float = 1.0,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Mean over pairs of ``1 / (1 + exp(-slope (y - x)))``, a smooth approximation of the AUC.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    slope : float, default 1
        Slope of the sigmoid, per unit of score: a difference of ``4 / slope`` counts 0.98. The
        default suits log odds; probabilities need 10 or more.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        Between 0 and 1; a tie counts one half. nan, with `UndefinedMeasureWarning`, if a class
        is missing.

    Notes
    -----
    It tends to the AUC as `slope` grows, and to ``1/2 + slope (M+ - M-) / 4`` as it falls to 0.

    The sum over all pairs is not computed one by one: where more than 20 distinct scores lie
    within ``2 / slope`` they are replaced by 20 points with the same sums of all polynomials up to
    degree 19, which changes the result by about 1e-15, and pairs further apart than ``40 / slope``
    count 0 or 1. At most O(n) sigmoids, some hundreds per example; a few hundred in total for
    small slopes.

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
    ranking = defined_ranking(soft_auc, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    given, slope = slope, number_or_nan(slope)
    if not _SLOPES[0] <= slope <= _SLOPES[1]:
        raise InputError(
            found="{slope=}{value} is out of range",
            needed=f"a number from {_SLOPES[0]:g} to {_SLOPES[1]:g} is needed",
            fix="For reversed scores pass {y_score} with the opposite sign.",
            value=shown(given),
        )
    scores, span = comparable_scores(ranking, "soft_auc")
    if span * slope > _SLOPES[1]:
        raise InputError(
            found="{slope=}{value} times the range of the scores, {span}, is too large",
            fix="Pass a smaller slope; for a very large one use auc.",
            value=f"{slope:g}",
            span=f"{span:g}",
        )
    return mean_sigmoid(scores, ranking.pos, ranking.neg, slope)
