"""Hypothesis test for two AUCs on the same rows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.options import Progress, RandomState, refuse_clusters
from roclab.data.ranking import Ranking
from roclab.data.row_groups import Membership
from roclab.data.table import ScoreTable
from roclab.errors import InputError
from roclab.inference.comparison.alternatives import WITH_MARGIN, TestAlternative
from roclab.inference.comparison.evidence import Agreement, Apart, Evidence
from roclab.inference.comparison.hypothesis import AUCComparison, Difference, Differences, Request
from roclab.inference.comparison.permutation import exchange_pairs
from roclab.inference.comparison.small_samples import Mover
from roclab.inference.comparison.studentized import RankExchanges
from roclab.inference.estimation.delong import joint_estimate
from roclab.inference.estimation.joint_estimate import JointEstimate
from roclab.inference.estimation.resampling import (
    Draws,
    resample_values,
)

ComparisonMethod = Literal["auto", "delong", "bootstrap", "permutation"]


def compare_auc(
    y_true: npt.ArrayLike | Ranking,
    score_a: npt.ArrayLike | Ranking,
    score_b: npt.ArrayLike | None = None,
    *,
    method: ComparisonMethod = "auto",
    confidence_level: float = 0.95,
    alternative: TestAlternative = "two-sided",
    margin: float | None = None,
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: npt.ArrayLike | None = None,
    progress: Progress | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> AUCComparison:
    """Compare the AUCs of two models on the same rows: difference, interval and test.

    Parameters
    ----------
    y_true : array-like or Ranking
        Target labels (see `Ranking`), or the ranking of the first model.
    score_a : array-like or Ranking
        Scores of the first model, higher for the positive class, or the ranking of the second
        model: two rankings of one `ScoreTable` have the same rows.
    score_b : array-like, optional
        Scores of the second model; not with rankings.
    method : {"auto", "delong", "bootstrap", "permutation"}, default "auto"
        ``"auto"`` holds its nominal level also in small samples, see the notes. ``"delong"`` is the
        test of most other packages. ``"bootstrap"`` resamples positives and negatives, and takes
        interval and p-value from the replicates of the difference. ``"permutation"`` exchanges the
        two ranks of random rows; it gives the p-value, and everything else is DeLong's.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. One-sided tests and tests with a margin need more than
        0.5.
    alternative : {"two-sided", "less", "greater", "noninferior", "equivalent"}, default "two-sided"
        Alternative hypothesis. ``"less"`` means that the first AUC is lower, ``"noninferior"`` that
        it is not lower by `margin` or more, ``"equivalent"`` that the AUCs differ by less than
        `margin`.
    margin : float, optional
        Largest difference that does not matter, for ``"noninferior"`` and ``"equivalent"``.
    n_resamples : int, default 2000
        Number of resamples, such as bootstrap replicates or permutations.
    rng : None, int or numpy.random.Generator, optional
        Random state. Pass an int for reproducible results.
    stratified : bool, default True
        Resample positives and negatives separately. Otherwise all rows are resampled together, and
        replicates that lack a class are left out.
    cluster : array-like, optional
        Cluster of each row, such as a patient. Clusters instead of rows are then assumed to be
        independent: the variance is Obuchowski's, and the bootstrap resamples clusters.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is `n_resamples`.
    sample_weight : array-like, optional
        Sample weights; not with rankings. The result does not depend on their scale.
    pos_label : object, optional
        Positive class label; not with rankings.

    Returns
    -------
    AUCComparison
        Undefined values are nan, with an `UndefinedMeasureWarning`: all of them if a class is
        missing; statistic, p-value and interval if a class has fewer than two examples, or is in
        fewer than two clusters.

    Notes
    -----
    ``"auto"`` is ``"mover"`` in the result: limits of both AUCs, which follow the skewness near AUC
    1 and shrink small variances, are combined by the method of variance estimates recovery. With n
    = 30 to 99 examples of the smaller class, at most 1.5 times as many of the other, ``t ** n <=
    0.05`` for the lower AUC t, and few ties (distinct scores for at least half of the rows, and no
    score of more than a tenth of them), it is ``"studentized_permutation"``, which has more power:
    the statistic of ``"mover"`` is compared with its values in 2,000 exchanges of the two ranks of
    random rows, or in those until 100 are as far from 0. Their seed is fixed, and the order of rows
    and models does not matter. Weights, clusters and a margin need ``"mover"``. In large samples
    both agree with DeLong's test. The interval excludes the null hypothesis if and only if the test
    rejects it; only ``"permutation"``, whose interval is DeLong's, may disagree.

    Few examples and a high AUC leave every test without power: `power_bound` of the result is the
    power against a perfect model that no test exceeds which holds its level for ROC curves of all
    shapes, ``(1 - confidence_level) / t ** n``.

    Two models that order every pair of a positive and a negative alike have difference 0,
    statistic 0 and p-value 1. Their interval excludes the differences under which such agreement is
    improbable: if the AUCs differed by d, then n pairs without a common row (or cluster), where n
    is the size of the smaller class, would all be ordered alike with probability at most
    (1 - d)^n. With a margin, this probability is the p-value.

    In other cases a variance of 0, as between a perfect and a constant model, is not certainty. The
    score intervals of the two AUCs, which need no variance, then bound the difference: each at
    half the error rate, so that both hold jointly. The p-value is the error rate at which the bound
    reaches the null hypothesis; it and the interval are conservative. Where such a bound replaces
    a variance, the statistic is nan, with a `DegenerateIntervalWarning`. ``"auto"`` needs this
    only for models that order every pair alike (``"agreement"``).

    With k clusters, ``"delong"`` uses Student's t of k - 1 degrees of freedom; ``"permutation"`` is
    not available. O(n log n), times `n_resamples` with resampling.

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988) 837-845.
    N. A. Obuchowski, Biometrics 53 (1997) 567-578.
    A. I. Bandos, H. E. Rockette, D. Gur, Statistics in Medicine 24 (2005) 2873-2893.
    J. Besag, P. Clifford, Biometrika 78 (1991) 301-304.
    M. Pauly, T. Asendorf, F. Konietschke, Biometrical Journal 58 (2016) 1319-1337.
    G. Y. Zou, A. Donner, Statistics in Medicine 27 (2008) 1693-1702.

    Examples
    --------
    >>> compare_auc([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], [0.1, 0.4, 0.8, 0.9])
    AUC 0.875 - 0.750 = 0.125 [-0.245, 0.478], 95 % MOVER, p = 0.52, 2+ 2-
    """
    refuse_clusters(cluster, method, ("permutation",), ("delong", "bootstrap"))
    draws = partial(Draws.of, n_resamples, rng, stratified, cluster, progress)
    request = Request.of(method, ComparisonMethod, alternative, margin, confidence_level, draws)
    pair = _paired_rankings(y_true, score_a, score_b, sample_weight, pos_label)
    clusters = None if cluster is None else Membership.of(cluster)
    return request.answer(**_paired(*pair, method, clusters))


def _paired_rankings(
    y_true: Any, score_a: Any, score_b: Any, sample_weight: Any, pos_label: Any
) -> tuple[Ranking, Ranking]:
    """The rankings of two models on the same rows, from arrays or as they were passed."""
    if not (isinstance(y_true, Ranking) or isinstance(score_a, Ranking)):
        if score_b is None:
            raise InputError(
                found="{score_b} is missing",
                fix="Pass {y_true}, {score_a} and {score_b}, or two rankings of one ScoreTable.",
            )
        table = ScoreTable(
            y_true,
            {"score_a": score_a, "score_b": score_b},
            sample_weight=sample_weight,
            pos_label=pos_label,
        )
        return table["score_a"], table["score_b"]
    alone = score_b is None and sample_weight is None and pos_label is None
    if not (alone and isinstance(y_true, Ranking) and isinstance(score_a, Ranking)):
        raise InputError(
            found="A Ranking was passed with other data",
            needed="rankings already have labels, scores and weights",
            fix="Pass two rankings alone, or {y_true}, {score_a} and {score_b}.",
        )
    # Equal labels are no proof of equal rows; those of one table are shared.
    if not (y_true.has_rows and score_a.has_rows and y_true.rows().labels is score_a.rows().labels):
        raise InputError(
            found="The two rankings do not share their rows",
            needed="a paired comparison needs two models of one ScoreTable",
            fix="Make ScoreTable(y_true, {...}) of both, or use compare_independent_auc for "
            "different rows.",
        )
    return y_true, score_a


def compare_rankings(first: Ranking, second: Ranking) -> AUCComparison:
    """`compare_auc` of two rankings of the same rows, by DeLong's test."""
    return Request().answer(**_paired(first, second))


def difference_of(
    joint: JointEstimate, a: int, b: int, exchanges: RankExchanges | None = None
) -> Difference:
    """Difference of the AUCs of two models on the same rows.

    Without exchanges of their ranks, and with clusters, ``"auto"`` is MOVER.
    """
    same = joint.identical[a] == joint.identical[b]
    variance = float(joint.difference_variance[a, b])
    one, other = joint.of(a), joint.of(b)
    bound: Evidence = Apart(first=one, second=other)
    if same:
        bound = Agreement(pairs=joint.independent_pairs)

    def auto(alternative: str) -> Evidence:
        if same and variance == 0:
            return bound
        two_sided = alternative == "two-sided"
        mover = Mover(first=one, second=other, variance=variance, two_sided=two_sided)
        exchange = joint.clusters is None and variance > 0 and alternative not in WITH_MARGIN
        return exchanges.evidence(mover, a, b) if exchanges and exchange else mover

    return Difference(
        difference=float(joint.values[a] - joint.values[b]),
        variance=variance,
        df=joint.df,
        bound=bound,
        auto=auto,
    )


def lead_pvalues(joint: JointEstimate, rankings: Sequence[Ranking]) -> npt.NDArray[np.float64]:
    """One-sided p-values of `compare_auc` for all pairs of models on the same rows.

    At [a, b] that of the null hypothesis that the first model is not better than the second; 1
    where it does not lead.
    """
    exchanges = RankExchanges(rankings)
    pvalues = np.ones((len(rankings), len(rankings)))
    for a, b in itertools.permutations(range(len(rankings)), 2):
        if joint.values[a] > joint.values[b]:
            pvalues[a, b] = difference_of(joint, a, b, exchanges).auto("greater").above(0.0)
    return pvalues


def _paired(
    first: Ranking, second: Ranking, method: str = "delong", clusters: Membership | None = None
) -> dict[str, Any]:
    """Arguments of `Request.answer` for two rankings of the same rows."""
    both = joint_estimate({"a": first, "b": second}, clusters=clusters)

    def draw(draws: Draws) -> Differences:
        if method == "permutation":
            return exchange_pairs(first, second, draws)
        replicates = resample_values([first, second], draws)
        return np.asarray(replicates[:, 0] - replicates[:, 1])

    return {
        "estimate": difference_of(both, 0, 1, RankExchanges((first, second))),
        "draw": draw,
        "value_a": float(both.values[0]),
        "value_b": float(both.values[1]),
        "paired": True,
        "n_pos": both.n_pos,
        "n_neg": both.n_neg,
    }
