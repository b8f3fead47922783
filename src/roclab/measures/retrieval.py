"""Measures of the highest scores: precision, recall and lift."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import shown
from roclab.curves.precision_recall import precision_recall_gain_curve
from roclab.data.ranking import Ranking
from roclab.errors import InputError
from roclab.measures.influence import Influence
from roclab.measures.measure import defined_ranking, measure
from roclab.numeric.sums import dot


def _average_precision_influence(ranking: Ranking) -> Influence:
    """A positive counts with its precision, and changes that of all positives not above it.

    With tpr r, fpr f and share of positives q the precision is q r / (q r + (1 - q) f).
    """
    pos, neg = ranking.pos[::-1], ranking.neg[::-1]  # from the highest score
    positives, negatives = float(pos.sum()), float(neg.sum())
    tpr, fpr = np.cumsum(pos) / positives, np.cumsum(neg) / negatives
    # Not one minus the other, nor squares, which are 0 for weights of very different size.
    share, rest = positives / (positives + negatives), negatives / (positives + negatives)
    called = share * tpr + rest * fpr
    odds = pos / positives * (share / called) * (rest / called)
    of_pos = share * tpr / called + np.cumsum((odds * fpr)[::-1])[::-1]
    of_neg = -np.cumsum((odds * tpr)[::-1])[::-1]
    slope = dot(pos / positives, (tpr / called) * (fpr / called))
    return Influence(of_pos[::-1], of_neg[::-1], slope)


@measure(
    title="Average precision",
    meaning="precision at the score of each positive, averaged over the positives",
    aliases=("ap", "pr_auc", "auprc"),
    reference="Zhu, University of Waterloo Working Paper 2004-09",
    needs="positive examples",
    influence=_average_precision_influence,
)
def average_precision(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Precision at the score of each positive, averaged over the positives.

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
        Above 0, at most 1, and 1 without negatives; nan, with `UndefinedMeasureWarning`, without
        positives.

    Notes
    -----
    The area under the precision-recall curve drawn in steps, sum over thresholds of
    (R_k - R_(k-1)) P_k: scikit-learn's `average_precision_score`. Equal scores are one threshold.
    A useless ranking has about the share of positives, not one half. O(n log n).

    Examples
    --------
    >>> average_precision([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    0.8333333333333333
    """
    ranking = defined_ranking(average_precision, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    true_positives = np.cumsum(ranking.pos[::-1])
    called = true_positives + np.cumsum(ranking.neg[::-1])
    return dot(ranking.pos[::-1], true_positives / called) / float(true_positives[-1])


@measure(
    title="Average precision gain",
    meaning="area under the precision-recall-gain curve; 0 if everything is called positive",
    low=-math.inf,
    reference="Flach and Kull, NIPS 28 (2015) 838-846",
)
def average_precision_gain(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Area under the precision-recall-gain curve (AUPRG).

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
        At most 1; 0 if everything is called positive, and below 0 for worse. nan, with
        `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    Points are joined by straight lines from recall gain 0 to 1, as in the paper; see
    `precision_recall_gain_curve`. With a share pi of positives it is never below 1 - 1/pi.
    O(n log n).

    References
    ----------
    P. Flach, M. Kull, NIPS 28 (2015) 838-846.

    Examples
    --------
    >>> average_precision_gain([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    0.75
    """
    ranking = defined_ranking(average_precision_gain, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    return precision_recall_gain_curve(ranking).area()


@measure(
    title="Precision at the top",
    meaning="share of positives in the highest tenth of scores",
    reference="Manning, Raghavan and Schuetze, Introduction to Information Retrieval (2008), 8.4",
    needs="examples",
    example="share=0.05",
)
def precision_at(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    k: float | None = None,
    share: float | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Share of positives among the highest scores.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    k : int, optional
        Number of highest scores; with weights, their total weight.
    share : float, optional
        The same as a share of all examples, or of all weight; 0.1 if neither is given. A fraction
        of an example counts in proportion.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        Between 0 and 1; nan, with `UndefinedMeasureWarning`, if there are no examples. One class
        is enough.

    Notes
    -----
    If the cut falls among equal scores, the result is the mean over all their orders: they count
    in proportion. O(n log n).

    Examples
    --------
    >>> precision_at([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], k=2)
    0.75
    """
    ranking = defined_ranking(precision_at, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    size = _size_of_top(ranking, k, share)
    return min(_positives_in_top(ranking, size) / size, 1.0)


@measure(
    title="Capture at the top",
    meaning="share of all positives that are in the highest tenth of scores",
    reference="Manning, Raghavan and Schuetze, Introduction to Information Retrieval (2008), 8.4",
    example="share=0.05",
)
def capture_at(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    k: float | None = None,
    share: float | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Share of all positives that are among the highest scores: recall at k.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    k : int, optional
        Number of highest scores; with weights, their total weight.
    share : float, optional
        The same as a share of all examples, or of all weight; 0.1 if neither is given. A fraction
        of an example counts in proportion.
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
    Cuts among equal scores are treated as in `precision_at`. O(n log n).

    Examples
    --------
    >>> capture_at([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], k=2)
    0.75
    """
    ranking = defined_ranking(capture_at, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    size = _size_of_top(ranking, k, share)
    return _positives_in_top(ranking, size) / float(ranking.pos.sum())


@measure(
    title="Lift at the top",
    meaning="positives in the highest tenth of scores, over those of a random tenth",
    high=math.inf,
    reference="Ling and Li, KDD (1998) 73-79",
    example="share=0.05",
)
def lift_at(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    k: float | None = None,
    share: float | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Lift: share of positives among the highest scores, divided by their share in all examples.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    k : int, optional
        Number of highest scores; with weights, their total weight.
    share : float, optional
        The same as a share of all examples, or of all weight; 0.1 if neither is given. A fraction
        of an example counts in proportion.
    sample_weight : array-like, optional
        Sample weights; not with a ranking.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        1 for a useless ranking, at most 1 over the share of positives; nan, with
        `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    `precision_at` over the share of positives. Cuts among equal scores are treated as there.
    O(n log n).

    Examples
    --------
    >>> lift_at([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], k=2)
    1.5
    """
    ranking = defined_ranking(lift_at, y_true, y_score, sample_weight, pos_label)
    if ranking is None:
        return math.nan
    size = _size_of_top(ranking, k, share)
    positives, negatives = float(ranking.pos.sum()), float(ranking.neg.sum())
    return _positives_in_top(ranking, size) / size * ((positives + negatives) / positives)


def _size_of_top(ranking: Ranking, k: float | None, share: float | None) -> float:
    if k is not None and share is not None:
        raise InputError(
            found="{k=}{count} and {share=}{part} were both passed",
            fix="Pass one of them.",
            count=shown(k),
            part=shown(share),
        )
    total = float(ranking.pos.sum() + ranking.neg.sum())
    if k is None:
        share = 0.1 if share is None else share
        if not (isinstance(share, Real) and 0 < share <= 1):
            raise InputError(
                found="{share=}{value} is out of range",
                needed="a number above 0, at most 1, is needed",
                fix="For the highest tenth pass {share=}0.1.",
                value=shown(share),
            )
        return float(share) * total
    whole = isinstance(k, Real) and (ranking.weighted or k % 1 == 0)
    if not (whole and 0 < k <= total):
        raise InputError(
            found="{k=}{value} is out of range",
            needed="{kind} above 0, at most the total of {total}, is needed",
            fix="For a share of them pass {share}.",
            value=shown(k),
            kind="a weight" if ranking.weighted else "a whole number of examples",
            total=f"{total:,.15g}",
        )
    return float(k)


def _positives_in_top(ranking: Ranking, size: float) -> float:
    """Mass of positives in the highest `size`, averaged over all orders of equal scores."""
    pos = ranking.pos[::-1]
    mass = pos + ranking.neg[::-1]
    up_to = np.cumsum(mass)
    last = min(int(np.searchsorted(up_to, size)), len(up_to) - 1)
    before = up_to[last - 1] if last else 0
    part = min((size - before) / mass[last], 1.0)
    return float(pos[:last].sum() + part * pos[last])
