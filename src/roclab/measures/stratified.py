"""The AUC within strata, over pairs of examples of the same stratum."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.choices import StratumWeighting
from roclab.checks.options import check_choice
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.row_groups import Membership
from roclab.errors import UndefinedMeasureWarning
from roclab.numeric.sums import dot, in_whole_numbers, running_sum

Floats = npt.NDArray[np.float64]


def stratified_auc(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    stratum: npt.ArrayLike,
    weighting: StratumWeighting = "pairs",
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """The AUC over pairs of a positive and a negative of the same stratum.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or a ranking.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    stratum : array-like
        Stratum of each row, such as the query whose results are ranked.
    weighting : {"pairs", "rows", "positives", "equal"}, default "pairs"
        Weights of the strata: their numbers of pairs of a positive and a negative, of rows, of
        positives, or equal.
    sample_weight : array-like, optional
        Sample weights; not with a ranking. The weight of a pair is the product of both.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    float
        Between 0 and 1; one half for chance. Strata without both classes have no pairs and are
        excluded; `stratified_auc_interval` counts them. nan, with `UndefinedMeasureWarning`, if all
        are.

    Notes
    -----
    O(n log n) for any number of strata. In advertising this is the group AUC, GAUC, with users as
    strata: ``weighting="rows"`` weights a user by impressions, ``"positives"`` by clicks.

    References
    ----------
    H. Zhu, J. Jin, C. Tan, F. Pan, Y. Zeng, H. Li, K. Gai, Optimized cost per click in Taobao
    display advertising, KDD (2017) 2191-2200, for the GAUC.

    Examples
    --------
    >>> y, s = [0, 1, 0, 1, 1, 1], [0.1, 0.4, 0.8, 0.8, 0.9, 0.2]
    >>> stratified_auc(y, s, stratum=["a", "a", "b", "b", "b", "c"])
    0.833...
    >>> stratified_auc(y, s, stratum=["a", "a", "b", "b", "b", "c"], weighting="equal")
    0.875
    """
    ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
    aucs = stratum_aucs(ranking, Membership.of(stratum, "stratum"), weighting)
    if not len(aucs.values):
        UndefinedMeasureWarning(
            found="None of {strata} strata has both classes",
            needed="stratified_auc needs at least one such stratum",
            fix="The result is nan.",
            strata=f"{aucs.left_out:,}",
        ).issue()
    return aucs.value


@dataclass(frozen=True, kw_only=True, eq=False)
class StratumAUCs:
    """The AUCs of the strata with both classes.

    Attributes
    ----------
    values : ndarray
        The AUC of each stratum.
    shares : ndarray
        The weight of each stratum; their sum is 1.
    variances : ndarray
        DeLong's variance of each AUC; nan with fewer than two examples of a class.
    n_pos, n_neg : int
        Numbers of examples in these strata.
    left_out, rows_left_out : int
        Number of strata without both classes, and of their rows.
    """

    values: Floats
    shares: Floats
    variances: Floats
    n_pos: int
    n_neg: int
    left_out: int
    rows_left_out: int

    @property
    def value(self) -> float:
        """The weighted mean; nan if there are none."""
        if not len(self.values):
            return math.nan
        # Relative to one of them, so that the mean of equal values is exact.
        first = self.values[0]
        return float(first + dot(self.shares, self.values - first))


def stratum_aucs(
    ranking: Ranking, strata: Membership, weighting: StratumWeighting = "pairs"
) -> StratumAUCs:
    """The AUC of every stratum, in one pass over rows sorted by stratum and score."""
    check_choice("weighting", weighting, StratumWeighting)
    rows = ranking.rows()
    strata = strata.among(rows.numbers, len(rows.labels))
    numbers = strata.numbers[rows.order]
    by_stratum = _core.order_rows(numbers.astype(np.int64), _core.thread_count())
    order, numbers = rows.order[by_stratum], numbers[by_stratum]
    positive = rows.labels[order].view(np.bool_)
    weights = np.ones(len(order)) if rows.weights is None else rows.weights[order]
    # Mass of the other class, doubled so that half of a tie is an integer.
    masses = np.ones(len(order), np.int64)
    if rows.weights is not None:
        for of_class in (positive, ~positive):
            masses[of_class] = in_whole_numbers(weights[of_class])
    scores = rows.scores[order]
    new = (numbers[1:] != numbers[:-1]) | (scores[1:] != scores[:-1])
    ties = np.flatnonzero(np.concatenate(([True], new, [True][: len(order)])))
    sizes = np.diff(ties)
    begins = np.searchsorted(numbers, np.arange(strata.count + 1))
    pos, neg = (running_sum(np.where(one, masses, 0)) for one in (positive, ~positive))
    in_pos, in_neg = np.diff(pos[begins]), np.diff(neg[begins])
    of_rows = numbers.astype(np.intp)
    below = (neg[ties[:-1]] + neg[ties[1:]]).repeat(sizes) - 2 * neg[begins[of_rows]]
    above = 2 * pos[begins[of_rows + 1]] - (pos[ties[:-1]] + pos[ties[1:]]).repeat(sizes)
    used = (in_pos > 0) & (in_neg > 0)
    counted = used[of_rows]
    with np.errstate(invalid="ignore", divide="ignore"):
        placements = np.where(
            positive, below / (2 * in_neg)[of_rows], above / (2 * in_pos)[of_rows]
        )
        values, variances = _moments(placements, weights, positive, of_rows, strata.count)
    counted_by: dict[StratumWeighting, Floats] = {
        "pairs": in_pos * in_neg.astype(np.float64),
        "rows": np.bincount(of_rows, weights, strata.count).astype(np.float64),
        "positives": in_pos.astype(np.float64),
        "equal": np.ones(strata.count),
    }
    shares = counted_by[weighting][used]
    n_pos = int(np.count_nonzero(positive & counted))
    n_rows = int(np.count_nonzero(counted))
    return StratumAUCs(
        values=values[used],
        shares=shares / shares.sum() if len(shares) else shares,
        variances=variances[used],
        n_pos=n_pos,
        n_neg=n_rows - n_pos,
        left_out=int(np.count_nonzero(~used & (np.diff(begins) > 0))),
        rows_left_out=len(order) - n_rows,
    )


def _moments(
    placements: Floats,
    weights: Floats,
    positive: npt.NDArray[np.bool_],
    strata: npt.NDArray[np.intp],
    count: int,
) -> tuple[Floats, Floats]:
    """Mean placement of the positives in each stratum, and DeLong's variance of it."""
    variance = np.zeros(count)
    values = np.zeros(count)
    for of_class in (positive, ~positive):
        where, w, placed = strata[of_class], weights[of_class], placements[of_class]
        total = np.bincount(where, w, count)
        means = np.bincount(where, w * placed, count) / total
        values = means if of_class is positive else values
        deviations = w * (placed - means[where])
        squares = np.bincount(where, w**2, count)
        rows = np.bincount(where, minlength=count)
        # n / (n - 1) for the effective number n = total^2 / squares, over total^2
        between = np.where(rows > 1, total**2 - squares, np.nan)
        variance += np.bincount(where, deviations**2, count) / between
    return values, variance
