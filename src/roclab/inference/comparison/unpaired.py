"""Hypothesis tests for an AUC against a value, or against that of an independent sample."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.options import (
    Progress,
    RandomState,
    number_or_nan,
    refuse_clusters,
    seed_of,
    shown,
)
from roclab.data.ranking import Ranking, as_ranking
from roclab.data.row_groups import Membership
from roclab.data.summary import RangeSummary
from roclab.errors import InputError
from roclab.inference.comparison.alternatives import WITH_MARGIN, TestAlternative
from roclab.inference.comparison.evidence import Apart, Evidence, Score
from roclab.inference.comparison.hypothesis import AUCComparison, Difference, Differences, Request
from roclab.inference.comparison.paired import ComparisonMethod
from roclab.inference.comparison.permutation import exchange_columns, exchange_labels
from roclab.inference.comparison.small_samples import Mover, Shrunken
from roclab.inference.comparison.studentized import exchanged_samples
from roclab.inference.estimation.estimate import estimate_of
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.estimation.resampling import (
    Draws,
    resample_values,
    with_examples,
)

ValueMethod = Literal["auto", "delong", "score", "bootstrap", "permutation"]


def compare_independent_auc(
    ranking_a: Ranking | RangeSummary,
    ranking_b: Ranking | RangeSummary,
    *,
    method: ComparisonMethod = "auto",
    confidence_level: float = 0.95,
    alternative: TestAlternative = "two-sided",
    margin: float | None = None,
    n_resamples: int = 2000,
    rng: RandomState = None,
    progress: Progress | None = None,
) -> AUCComparison:
    """Compare the AUCs of two independent samples: difference, interval and test.

    Parameters
    ----------
    ranking_a, ranking_b : Ranking or RangeSummary
        The two samples. ``"delong"`` needs only their summaries, and so does ``"auto"``, which then
        is ``"mover"``.
    method : {"auto", "delong", "bootstrap", "permutation"}, default "auto"
        ``"auto"`` (``"mover"`` or ``"studentized_permutation"`` in the result, see `compare_auc`)
        holds its nominal level also in small samples. ``"delong"`` is Welch's t test with DeLong's
        variances.
        ``"bootstrap"`` resamples both samples. ``"permutation"`` reassigns the examples of each
        class to the samples at random, which needs scores on the same scale; it gives the p-value,
        and everything else is DeLong's.
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
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is `n_resamples`.

    Returns
    -------
    AUCComparison
        As for `compare_auc`.

    Notes
    -----
    With v the variance of an AUC and n its number of examples (with weights: the effective number),
    the degrees of freedom of ``"delong"`` are ``(v_a + v_b)^2 / (v_a^2 / (n_a - 1) + v_b^2 / (n_b -
    1))``. If both variances are 0, the intervals of the two AUCs bound the difference, see
    `compare_auc`.

    ``"studentized_permutation"`` reassigns ranks within each sample, so that the scores may be on
    different scales; its conditions are those of `compare_auc`, for all four numbers of examples.

    Examples
    --------
    >>> first = Ranking([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> second = Ranking([0, 1, 0, 1], [0.1, 0.4, 0.8, 0.9])
    >>> compare_independent_auc(first, second)
    AUC 0.875 - 0.750 = 0.125 [-0.529, 0.756], 95 % MOVER, p = 0.77, 2+ 2- against 2+ 2-
    """
    draws = partial(Draws.of, n_resamples, rng, progress=progress)
    request = Request.of(method, ComparisonMethod, alternative, margin, confidence_level, draws)
    a, b = (_estimate(sample, request.draws) for sample in (ranking_a, ranking_b))

    def auto(alternative: str) -> Evidence:
        two_sided = alternative == "two-sided"
        mover = Mover(first=a, second=b, variance=a.variance + b.variance, two_sided=two_sided)
        exchange = alternative not in WITH_MARGIN and mover.variance > 0
        if not (exchange and isinstance(ranking_a, Ranking) and isinstance(ranking_b, Ranking)):
            return mover
        return exchanged_samples(mover, ranking_a, ranking_b)

    estimate = Difference(
        difference=a.value - b.value,
        variance=a.variance + b.variance,
        df=_welch(a, b),
        bound=Apart(first=a, second=b),
        auto=auto,
    )

    def draw(draws: Draws) -> Differences:
        first, second = (with_examples(one, method, "delong") for one in (ranking_a, ranking_b))
        if method == "permutation":
            return exchange_columns(first, second, draws)
        once = replace(draws, progress=_half(progress, 0))
        again = replace(draws, progress=_half(progress, 1), seed=seed_of(draws.seed))
        return resample_values([first], once)[:, 0] - resample_values([second], again)[:, 0]

    return request.answer(
        estimate,
        draw,
        value_a=a.value,
        value_b=b.value,
        paired=False,
        n_pos=a.n_pos,
        n_neg=a.n_neg,
        n_pos_b=b.n_pos,
        n_neg_b=b.n_neg,
    )


def compare_to_value(
    y_true: npt.ArrayLike | Ranking | RangeSummary,
    y_score: npt.ArrayLike | None = None,
    *,
    value: float = 0.5,
    method: ValueMethod = "auto",
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
    """Compare an AUC with a given value: difference, interval and test.

    Parameters
    ----------
    y_true : array-like, Ranking or RangeSummary
        Target labels (see `Ranking`), a ranking, or the summary of one, which suffices for methods
        without resampling.
    y_score : array-like, optional
        Scores, higher for the positive class; not with a ranking.
    value : float, default 0.5
        AUC under the null hypothesis, between 0 and 1. Chance is 0.5.
    method : {"auto", "delong", "score", "bootstrap", "permutation"}, default "auto"
        ``"auto"`` (``"shrunken_variance"`` in the result) holds its nominal level also in small
        samples: its variance is between DeLong's and the one expected at this sample size, at an
        AUC between the estimate and `value`. ``"delong"`` uses DeLong's variance alone.
        ``"score"`` uses the variance of Hanley and McNeil at an AUC of `value`, which holds its
        nominal level in smaller samples than DeLong's; at 0.5 it is the Mann-Whitney test, whose
        tie correction it uses at every value. It also replaces DeLong's test where his variance is
        0, with a `DegenerateIntervalWarning`. ``"permutation"`` shuffles the labels, for the value
        0.5 only.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. One-sided tests and tests with a margin need more than
        0.5.
    alternative : {"two-sided", "less", "greater", "noninferior", "equivalent"}, default "two-sided"
        Alternative hypothesis. ``"less"`` means that the AUC is lower than `value`,
        ``"noninferior"`` that it is not lower by `margin` or more, ``"equivalent"`` that it differs
        from `value` by less than `margin`.
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
        Sample weights; not with a ranking. The result does not depend on their scale.
    pos_label : object, optional
        Positive class label; not with a ranking.

    Returns
    -------
    AUCComparison
        As for `compare_auc`, with `value` as the second AUC. ``"score"`` and the p-value of
        ``"permutation"`` need only one example of each class.

    Examples
    --------
    >>> compare_to_value([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8], value=0.5)
    AUC 0.875 - 0.500 = 0.375 [-0.267, 0.500], 95 % shrunken variance, p = 0.3, 2+ 2-
    """
    draws = partial(Draws.of, n_resamples, rng, stratified, cluster, progress)
    request = Request.of(method, ValueMethod, alternative, margin, confidence_level, draws)
    refuse_clusters(cluster, method, ("permutation",), ("delong", "bootstrap"))
    value = _checked_value(value, request)
    clusters = None if cluster is None else Membership.of(cluster)
    if request.draws is not None and not isinstance(y_true, RangeSummary):
        y_true = as_ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        request.draws.prepare(y_true)
        y_score = sample_weight = pos_label = None
    estimate_with = partial(estimate_of, y_true, y_score, sample_weight, pos_label, "auc", clusters)
    one = estimate_with(ties=method == "score")
    if one.variance == 0:  # the score test will replace DeLong's
        one = estimate_with(ties=True)
    estimate = Difference(
        difference=one.value - value,
        variance=one.variance,
        df=one.df,
        bound=Score(estimate=one, value=value),
        auto=lambda alternative: Shrunken(
            estimate=one, value=value, two_sided=alternative == "two-sided"
        ),
    )

    def draw(draws: Draws) -> Differences:
        ranking = with_examples(y_true, method, "delong")
        if method == "permutation":
            return exchange_labels(ranking, draws)
        return np.asarray(resample_values([ranking], draws)[:, 0] - value)

    return request.answer(
        estimate,
        draw,
        bounds=(-value, 1 - value),
        value_a=one.value,
        value_b=value,
        paired=False,
        n_pos=one.n_pos,
        n_neg=one.n_neg,
    )


def _estimate(sample: Any, draws: Draws | None) -> Estimate:
    if not isinstance(sample, Ranking | RangeSummary):
        raise InputError(
            found="A sample is a {kind}",
            needed="a Ranking or a RangeSummary is needed",
            fix="Pass Ranking(y_true, y_score).",
            kind=type(sample).__name__,
        )
    if draws is not None and isinstance(sample, Ranking):
        draws.prepare(sample)
    summary = sample.summary if isinstance(sample, Ranking) else sample
    return Estimate.of(summary, "auc")


def _half(progress: Progress | None, done: int) -> Progress | None:
    """Progress of the first or second of two equal parts of the work."""
    if progress is None:
        return None
    return lambda count, total: progress(done * total + count, 2 * total)


def _welch(*samples: Estimate) -> float | None:
    """Welch's degrees of freedom; None if all variances are 0."""
    total = sum(one.variance for one in samples)
    if not total > 0:
        return None
    # Shares of the variance: squares of small variances are 0.
    return 1 / sum((one.variance / total) ** 2 / (one.pos + one.neg - 1) for one in samples)


def _checked_value(value: Any, request: Request) -> float:
    number = number_or_nan(value)
    margin = request.margin or 0.0
    if not (margin < number and number + margin * (request.alternative == "equivalent") < 1):
        raise InputError(
            found="{value=}{given} is out of range",
            needed="the AUC under the null hypothesis, including any {margin}, must be between 0 "
            "and 1",
            fix="For chance pass {value=}0.5.",
            given=shown(value),
        )
    if request.method == "permutation" and number != 0.5:
        raise InputError(
            found="{method=}'permutation' tests whether the AUC is 0.5, not {given}",
            fix="Choose {method=}'delong', 'score' or 'bootstrap'.",
            given=f"{number:g}",
        )
    return number
