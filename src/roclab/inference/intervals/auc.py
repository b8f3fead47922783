"""Confidence intervals for the AUC."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy.typing as npt

from roclab.errors import InputError
from roclab.inference.estimation.clustered_estimate import clustered_estimate
from roclab.inference.estimation.resampling import Draws
from roclab.inference.intervals.bootstrap import bootstrap_interval
from roclab.inference.intervals.closed_form import CLOSED_FORMS
from roclab.inference.intervals.interval import Interval, finished_interval, warn_of_defects
from roclab.numeric.distributions import critical_value
from roclab.options import (
    Alternative,
    Progress,
    RandomState,
    check_alternative,
    check_level,
    check_method,
)
from roclab.ranking import Ranking, as_ranking
from roclab.row_groups import Membership
from roclab.summary import RangeSummary

__all__ = ["IntervalMethod", "auc_interval", "unwarned_interval"]

IntervalMethod = Literal[
    "auto", "delong", "logit", "score", "newcombe", "bootstrap", "bca", "bootstrap_t"
]
METHODS: tuple[str, ...] = get_args(IntervalMethod)


def auc_interval(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    method: IntervalMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: npt.ArrayLike | None = None,
    progress: Progress | None = None,
) -> Interval:
    """The AUC with a confidence interval.

    Parameters
    ----------
    y_true : array-like, Ranking or RangeSummary
        Labels (see `Ranking`), a ranking that holds labels and scores, or the summary of one,
        which is all that an interval without resampling needs.
    y_score : array-like
        Scores, higher for more positive.
    sample_weight : array-like, optional
        Importance weights: the interval does not change when all are scaled.
    pos_label : optional
        The value of `y_true` that is positive.
    method : str, default "auto"
        ``"auto"`` is Wilson's interval with a dispersion between DeLong's variance and what is to
        be expected of so many examples; it keeps its level in small samples and near AUC 1, and
        needs only one example of each class. ``"delong"`` is the estimate plus and minus its
        standard error times a normal quantile, cut off at 0 and 1: the interval known from other
        packages, too short for small samples and high AUC. ``"logit"`` is the same on the scale of
        the logit. ``"score"`` is the score test with the variance of Hanley and McNeil alone;
        ``"newcombe"`` is Newcombe's method 5. By resampling: ``"bootstrap"`` (percentiles of the
        replicates), ``"bca"`` (bias-corrected and accelerated), ``"bootstrap_t"`` (studentised,
        on the scale of the logit).
    confidence_level : float, default 0.95
        Between 0 and 1; of a one-sided interval above 0.5.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        ``"greater"`` gives a lower bound and leaves the upper end at 1; ``"less"`` gives an upper
        bound and leaves the lower end at 0.
    n_resamples : int, default 2000
        Bootstrap replicates.
    rng : None, int or numpy.random.Generator, optional
        Where the randomness of the bootstrap comes from: a number gives the same interval again.
    stratified : bool, default True
        Draw positives and negatives each by themselves. Otherwise rows are drawn from all, and
        replicates that lack a class are left out.
    cluster : array-like, optional
        The cluster of every row, such as a patient: the variance is then Obuchowski's, which takes
        clusters for independent and not rows, and the bootstrap draws clusters.
    progress : callable, optional
        Called as ``progress(done, n_resamples)``.

    Returns
    -------
    Interval
        With nan for what the data do not define, and an `UndefinedMeasureWarning`: everything if
        a class is missing; the ends of ``"delong"``, ``"logit"`` and ``"bootstrap_t"`` with fewer
        than two examples of a class, those of the last two also at AUC 0 and 1. An interval
        without width, as ``"delong"`` and the bootstrap have at AUC 0 and 1, is told by a
        `DegenerateIntervalWarning`: it is not certainty.

    Notes
    -----
    About O(n); O(n log n) at worst; with resampling O(n) for each replicate. With weights,
    effective numbers of examples, (sum w)^2 / sum w^2, stand in for the numbers of examples.

    With clusters the closed forms take the rows for as many examples as their variance shows them
    to be worth, and where DeLong's variance is 0, each cluster for one example of each class that
    it has. ``"auto"`` has Student's quantile, of one degree of freedom less than there are
    clusters. A variance needs two clusters with positives and two with negatives; where there is
    but one cluster ``"auto"`` goes from 0 to 1.

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988) 837-845.
    J. A. Hanley, B. J. McNeil, Radiology 143 (1982) 29-36, equations 1 and 2.
    N. A. Obuchowski, Biometrics 53 (1997) 567-578.
    R. G. Newcombe, Statistics in Medicine 25 (2006) 559-573, method 5.
    B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap*, 1993, chapters 12 to 14.

    Examples
    --------
    >>> auc_interval([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    AUC 0.875 [0.24, 0.99], 95 %, 2+ 2-
    >>> auc_interval([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], method="bootstrap", rng=0)
    AUC 0.875 [0.50, 1.00], 95 %, 2+ 2-
    """
    interval = unwarned_interval(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        draws=lambda: Draws.of(n_resamples, rng, stratified=stratified, progress=progress),
        clusters=None if cluster is None else Membership.of(cluster),
    )
    warn_of_defects(interval)
    return interval


def unwarned_interval(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    method: IntervalMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    draws: Callable[[], Draws] = lambda: Draws.of(2000, None),
    clusters: Membership | None = None,
) -> Interval:
    """`auc_interval` without its warnings, for those who tell of many intervals at once.

    `draws` is asked only by the methods that draw.
    """
    check_method(method, METHODS)
    side = check_alternative(alternative)
    level = check_level(confidence_level, side)
    if method not in CLOSED_FORMS:
        if isinstance(y_true, RangeSummary):
            raise InputError(
                f"A RangeSummary has no examples to draw from, so method={method!r} cannot be "
                f"had of it. Methods: {', '.join(CLOSED_FORMS)}."
            )
        ranking = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        drawn = replace(draws(), clusters=clusters)
        return bootstrap_interval(ranking, "auc", method, level, side, drawn)
    estimate = clustered_estimate(y_true, y_score, sample_weight, pos_label, "auc", clusters)
    df = estimate.df if method == "auto" else None
    return finished_interval(
        estimate=estimate,
        ends=CLOSED_FORMS[method](estimate, critical_value(level, side, df)),
        level=level,
        method=method,
        alternative=side,
    )
