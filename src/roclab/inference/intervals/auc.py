"""Confidence intervals for the AUC."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from roclab.checks.choices import Alternative, IntervalMethod
from roclab.checks.options import Progress, RandomState, check_interval
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.row_groups import Membership
from roclab.data.summary import RangeSummary
from roclab.inference.estimation.estimate import estimate_of
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.estimation.resampling import (
    Draws,
    with_examples,
)
from roclab.inference.intervals.bootstrap import bootstrap_interval
from roclab.inference.intervals.closed_form import CLOSED_FORMS
from roclab.inference.intervals.interval import Interval, finished_interval, warn_of_defects
from roclab.numeric.distributions import critical_value


def auc_interval(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None = None,
    *,
    method: IntervalMethod = "auto",
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_resamples: int = 2000,
    rng: RandomState = None,
    stratified: bool = True,
    cluster: npt.ArrayLike | None = None,
    progress: Progress | None = None,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> Interval:
    """Compute the AUC with a confidence interval.

    Parameters
    ----------
    y_true : array-like, Ranking or RangeSummary
        Target labels (see `Ranking`), a ranking, or the summary of one, which suffices for methods
        without resampling.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    method : {"auto", "delong", "logit", "score", "newcombe", "bootstrap", "bca", "bootstrap_t"}
        ``"auto"``, the default, is a Wilson-type interval (``"shrunken_wilson"`` in the result):
        its dispersion lies between DeLong's variance and the variance expected at this sample size.
        It holds its nominal level in small samples and near AUC 1, and needs only one example of
        each class. ``"delong"`` is the estimate plus and minus its standard error times a normal
        quantile, clipped to 0 and 1: the interval of most other packages, too short for small
        samples and high AUC. ``"logit"`` is the same on the logit scale. ``"score"`` inverts the
        score test with the variance of Hanley and McNeil and Mann and Whitney's tie correction;
        ``"newcombe"`` is Newcombe's method 5. By resampling: ``"bootstrap"`` (percentiles of the
        replicates), ``"bca"`` (bias-corrected and accelerated), ``"bootstrap_t"`` (studentised, on
        the logit scale).
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. A one-sided interval needs more than 0.5.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        Two-sided or one-sided interval. ``"greater"`` gives a lower bound, ``"less"`` an upper
        bound; the other end is that of the range of the measure.
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
        Sample weights; not with a ranking. The interval does not depend on their scale.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    Interval
        Undefined values are nan, with an `UndefinedMeasureWarning`: all of them if a class is
        missing; the ends of ``"delong"``, ``"logit"`` and ``"bootstrap_t"`` with fewer than two
        examples of a class, and those of ``"logit"`` and ``"bootstrap_t"`` also at AUC 0 and 1. A
        `DegenerateIntervalWarning` marks an interval of zero width, as ``"delong"`` and the
        bootstrap give at AUC 0 and 1: it does not mean certainty.

    Notes
    -----
    About O(n), O(n log n) at worst; with resampling O(n) per replicate. With weights, the effective
    sample sizes (sum w)^2 / sum w^2 replace the numbers of examples.

    With clusters, the closed forms use the effective sample sizes that the variance implies, and,
    where DeLong's variance is 0, count each cluster as one example of each class that it has.
    ``"auto"`` uses Student's quantile with k - 1 degrees of freedom for k clusters of equal size,
    and fewer for unequal ones (after Satterthwaite). A variance needs two clusters with positives
    and two with negatives; with a single cluster ``"auto"`` goes from 0 to 1.

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
    AUC 0.875 [0.23, 0.99], 95 % Wilson-type, 2+ 2-
    >>> auc_interval([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], method="bootstrap", rng=0)
    AUC 0.875 [0.50, 1.00], 95 % bootstrap, 2+ 2-
    """
    interval = unwarned_interval(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        method=method,
        confidence_level=confidence_level,
        alternative=alternative,
        draws=lambda: Draws.of(n_resamples, rng, stratified, None, progress),
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
    draws: Callable[[], Draws] = Draws.of,
    clusters: Membership | None = None,
) -> Interval:
    """`auc_interval` without warnings, for callers that warn once for many intervals.

    `draws` is called only by the methods that resample.
    """
    level, side = check_interval(confidence_level, alternative, method, IntervalMethod)
    if method not in CLOSED_FORMS:
        sample = with_examples(y_true, method, "auto")
        ranking = as_ranking(sample, y_score, sample_weight=sample_weight, pos_label=pos_label)
        drawn = replace(draws(), clusters=clusters)
        return bootstrap_interval(ranking, "auc", method, level, side, drawn)
    ties = method == "score"
    estimate = estimate_of(y_true, y_score, sample_weight, pos_label, "auc", clusters, ties=ties)
    return interval_of_estimate(estimate, method, level, side)


def interval_of_estimate(
    estimate: Estimate, method: IntervalMethod, level: float, side: Alternative
) -> Interval:
    """The interval of a closed form; the options are checked."""
    df = estimate.df if method == "auto" else None
    return finished_interval(
        estimate=estimate,
        ends=CLOSED_FORMS[method](estimate, critical_value(level, side, df)),
        level=level,
        method=method,
        alternative=side,
    )
