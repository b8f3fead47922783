"""Permutation tests of the null hypothesis that two ROC curves are equal everywhere.

Two models are compared at thresholds that call the same share of examples positive: there they
differ in their number of errors if and only if their curves differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.options import Progress, RandomState
from roclab.data.ranking import Ranking
from roclab.data.table import ScoreTable
from roclab.errors import InputError, UndefinedMeasureWarning
from roclab.formatting import method_name
from roclab.inference.comparison.hypothesis import written_pvalue
from roclab.inference.comparison.permutation import twice_midranks
from roclab.inference.estimation.resampling import Draws
from roclab.result import Result

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True, repr=False)
class ROCComparison(Result):
    """Test of the null hypothesis that two ROC curves are equal.

    Attributes
    ----------
    statistic : float
        Mean absolute difference of the error rates of the two models, over all thresholds that
        call the same share of examples positive.
    pvalue : float
        Probability of a statistic at least as large if the curves are equal.
    method : {"venkatraman_begg", "venkatraman"}
        Test for the same rows, or for two samples.
    paired : bool
        Whether both curves are from the same rows.
    n_pos, n_neg : int
        Number of positive and negative examples of the first curve.
    n_pos_b, n_neg_b : int or None
        Those of the second curve, if it is from other rows.
    n_resamples : int
        Number of permutations.
    """

    statistic: float
    pvalue: float
    method: str
    paired: bool
    n_pos: int
    n_neg: int
    n_pos_b: int | None = None
    n_neg_b: int | None = None
    n_resamples: int

    def __repr__(self) -> str:
        second = "" if self.n_pos_b is None else f" against {self.n_pos_b}+ {self.n_neg_b}-"
        return (
            f"ROCComparison(error rates differ by {self.statistic:.3f} on average, "
            f"{method_name(self.method)} {written_pvalue(self.pvalue)}, "
            f"{self.n_pos}+ {self.n_neg}-{second})"
        )


def compare_roc(
    y_true: npt.ArrayLike,
    score_a: npt.ArrayLike,
    score_b: npt.ArrayLike,
    *,
    n_resamples: int = 2000,
    rng: RandomState = None,
    progress: Progress | None = None,
    pos_label: Any = None,
) -> ROCComparison:
    """Test whether two models have the same ROC curve, on the same rows.

    Parameters
    ----------
    y_true : array-like
        Target labels (see `Ranking`).
    score_a, score_b : array-like
        Scores of the two models, higher for the positive class.
    n_resamples : int, default 2000
        Number of resamples, such as bootstrap replicates or permutations.
    rng : None, int or numpy.random.Generator, optional
        Random state. Pass an int for reproducible results.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is `n_resamples`.
    pos_label : object, optional
        Positive class label.

    Returns
    -------
    ROCComparison
        nan, with an `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    Curves that cross may have the same AUC; this test finds such differences too. For differences
    of AUC, `compare_auc` has more power.

    With n rows, the statistic is the sum, over the numbers k = 1, ..., n - 1 of rows that are
    called positive, of the absolute difference between the errors of both models, divided by n
    squared: the statistic E of Venkatraman and Begg is n squared times as large. Tied rows are
    called positive in proportion. Permutations exchange the two ranks of random rows. O(n) per
    permutation.

    References
    ----------
    E. S. Venkatraman, C. B. Begg, Biometrika 83 (1996) 835-848.

    Examples
    --------
    >>> y, a, b = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8, 0.3, 0.9], [1, 2, 3, 4, 5, 6]
    >>> compare_roc(y, a, b, rng=0)
    ROCComparison(error rates differ by 0.139 on average, Venkatraman-Begg p = 0.35, 3+ 3-)
    """
    draws = Draws.of(n_resamples, rng, progress=progress)
    table = ScoreTable(y_true, {"score_a": score_a, "score_b": score_b}, pos_label=pos_label)
    ranks = np.array([twice_midranks(table[name]) for name in table.names])
    positive = table["score_a"].rows().labels.view(np.bool_)
    n = len(positive)
    called = np.arange(1, n)

    def statistic(first: Integers, second: Integers) -> float:
        found = [_captured(one, positive, called) for one in (first, second)]
        return 2 * float(np.sum(np.abs(found[0] - found[1]))) / n**2

    def exchanged(random: np.random.Generator) -> float:
        swap = random.random(n) < 0.5
        return statistic(np.where(swap, ranks[1], ranks[0]), np.where(swap, ranks[0], ranks[1]))

    n_pos = int(np.count_nonzero(positive))
    defined = 0 < n_pos < n
    observed = statistic(ranks[0], ranks[1]) if defined else math.nan
    return _result(
        observed,
        exchanged,
        draws,
        method="venkatraman_begg",
        paired=True,
        n_pos=n_pos,
        n_neg=n - n_pos,
    )


def compare_independent_roc(
    ranking_a: Ranking,
    ranking_b: Ranking,
    *,
    n_resamples: int = 2000,
    rng: RandomState = None,
    progress: Progress | None = None,
) -> ROCComparison:
    """Test whether two independent samples have the same ROC curve.

    Parameters
    ----------
    ranking_a, ranking_b : Ranking
        The two samples, without weights. Their scores may have different scales.
    n_resamples : int, default 2000
        Number of resamples, such as bootstrap replicates or permutations.
    rng : None, int or numpy.random.Generator, optional
        Random state. Pass an int for reproducible results.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is `n_resamples`.

    Returns
    -------
    ROCComparison
        nan, with an `UndefinedMeasureWarning`, if a class is missing.

    Notes
    -----
    With q the share of positives in both samples together, a threshold is identified by the share
    ``q tpr + (1 - q) fpr`` of a population with q positives that it calls positive. This puts the
    examples of both samples on one scale, on which those of the same class are exchanged between
    the samples. The statistic is as in `compare_roc`, on a grid of as many shares as there are
    examples. O(n) per permutation.

    References
    ----------
    E. S. Venkatraman, Biometrics 56 (2000) 1134-1138.

    Examples
    --------
    >>> first = Ranking([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> second = Ranking([0, 1, 0, 1, 1], [5, 3, 4, 1, 6])
    >>> compare_independent_roc(first, second, rng=0)
    ROCComparison(error rates differ by 0.266 on average, Venkatraman p = 0.28, 2+ 2- against 3+ 2-)
    """
    draws = Draws.of(n_resamples, rng, progress=progress)
    rankings = (ranking_a, ranking_b)
    if any(ranking.weighted for ranking in rankings):
        raise InputError(
            found="A permutation test does not support {sample_weight}",
            fix="Leave out {sample_weight}, or compare AUCs with compare_independent_auc.",
        )
    counts = [(ranking.n_pos, ranking.n_neg) for ranking in rankings]
    facts = {
        "method": "venkatraman",
        "paired": False,
        **dict(zip(("n_pos", "n_neg"), counts[0], strict=True)),
        **dict(zip(("n_pos_b", "n_neg_b"), counts[1], strict=True)),
    }
    if not all(map(all, counts)):
        return _result(math.nan, None, draws, **facts)
    total = sum(map(sum, counts))
    share = sum(n_pos for n_pos, _ in counts) / total
    places, labels, samples = [], [], []
    for sample, ranking in enumerate(rankings):
        for side, mass in ((True, ranking.pos), (False, ranking.neg)):
            places.append(_places(ranking, share).repeat(mass))
            labels.append(np.full(len(places[-1]), side))
            samples.append(np.full(len(places[-1]), sample))
    positive = np.concatenate(labels)
    pooled = Ranking(positive, np.concatenate(places)).rows()
    levels, first = pooled.groups.astype(np.int64), np.concatenate(samples) == 0
    grid = np.arange(1, total) / total
    sides = [np.flatnonzero(positive == side) for side in (True, False)]

    def statistic(in_first: Bools) -> float:
        rates = [
            _tpr_along(levels[chosen], positive[chosen], share, grid)
            for chosen in (in_first, ~in_first)
        ]
        return 2 * share * float(np.sum(np.abs(rates[0] - rates[1]))) / total

    def exchanged(random: np.random.Generator) -> float:
        moved = first.copy()
        for rows in sides:
            moved[rows] = random.permutation(first[rows])
        return statistic(moved)

    return _result(statistic(first), exchanged, draws, **facts)


def _result(
    observed: float,
    exchanged: Callable[[np.random.Generator], float] | None,
    draws: Draws,
    **facts: Any,
) -> ROCComparison:
    pvalue = math.nan
    if exchanged is not None and not math.isnan(observed):
        random = np.random.default_rng(draws.seed)
        reached = 1  # the observed data are one of the permutations
        for _, count in draws.chunks(1000 * (facts["n_pos"] + facts["n_neg"])):
            for _ in range(count):
                reached += exchanged(random) >= observed - _ROUNDING
        pvalue = reached / (draws.n_resamples + 1)
    else:
        UndefinedMeasureWarning(
            found="A class is missing",
            needed="a ROC curve needs both classes",
            fix="The result is nan.",
        ).issue()
    return ROCComparison(statistic=observed, pvalue=pvalue, n_resamples=draws.n_resamples, **facts)


def _captured(levels: Integers, positive: Bools, called: Floats | Integers) -> Floats:
    """Number of positives among the highest rows, for each number of rows that are called."""
    most = int(levels.max()) + 1
    pos, rows = (
        np.concatenate(([0], np.cumsum(np.bincount(chosen, minlength=most)[::-1])))
        for chosen in (levels[positive], levels)
    )
    return np.asarray(np.interp(called, rows, pos), np.float64)


def _tpr_along(levels: Integers, positive: Bools, share: float, grid: Floats) -> Floats:
    """TPR where ``share * tpr + (1 - share) * fpr`` has each of the values of the grid."""
    most = int(levels.max()) + 1
    tpr, fpr = (
        np.concatenate(([0.0], np.cumsum(np.bincount(chosen, minlength=most)[::-1]) / len(chosen)))
        for chosen in (levels[positive], levels[~positive])
    )
    return np.asarray(np.interp(grid, share * tpr + (1 - share) * fpr, tpr), np.float64)


def _places(ranking: Ranking, share: float) -> Floats:
    """Share of a population with this share of positives that scores lower, ties half."""
    pos, neg = ranking.pos / ranking.n_pos, ranking.neg / ranking.n_neg
    mass = share * pos + (1 - share) * neg
    return np.asarray(np.cumsum(mass) - mass / 2, np.float64)
