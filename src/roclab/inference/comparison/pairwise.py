"""Pairwise comparison of all models of a table, from one joint covariance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast, overload

import numpy as np

from roclab.checks.choices import Correction, EstimatedMeasure, PairMethod
from roclab.checks.options import Progress, RandomState, check_choice, check_level, check_method
from roclab.data.ranking import Ranking
from roclab.data.table import MissingValues, ScoreTable, check_table
from roclab.errors import DegenerateIntervalWarning, InputError, UndefinedMeasureWarning
from roclab.formatting import listed, one_line
from roclab.inference.comparison.all_pairs import PairTest, all_pairs
from roclab.inference.comparison.alternatives import decide
from roclab.inference.comparison.any_measure import decide_pair, pair_method
from roclab.inference.comparison.homogeneity import interactions
from roclab.inference.comparison.measure_pairs import compared_measure
from roclab.inference.comparison.omnibus import omnibus_test
from roclab.inference.comparison.paired import difference_of
from roclab.inference.comparison.results import Comparison, GroupedComparison, ModelPair
from roclab.inference.comparison.studentized import RankExchanges
from roclab.inference.estimation.delong import joint_estimate
from roclab.inference.estimation.draw_series import DrawSeries
from roclab.inference.estimation.joint_estimate import JointEstimate
from roclab.inference.estimation.measure_estimate import delong_estimate
from roclab.inference.intervals.closed_form import CLOSED_FORMS, wald
from roclab.inference.intervals.interval import TITLES, Interval, finished_interval, lacks_width
from roclab.measures import find_measure
from roclab.measures.specification import single_measure
from roclab.numeric.distributions import critical_value
from roclab.numeric.sums import rounding_of


@overload
def compare(
    table: ScoreTable,
    *,
    measure: str | Callable[..., Any] = "auc",
    by: None = None,
    correction: Correction = "holm",
    method: PairMethod = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RandomState = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Comparison: ...
@overload
def compare(
    table: ScoreTable,
    *,
    measure: str | Callable[..., Any] = "auc",
    by: str,
    correction: Correction = "holm",
    method: PairMethod = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RandomState = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> GroupedComparison: ...
def compare(
    table: ScoreTable,
    *,
    measure: str | Callable[..., Any] = "auc",
    by: str | None = None,
    correction: Correction = "holm",
    method: PairMethod = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RandomState = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Comparison | GroupedComparison:
    """Compare all models of a table pairwise.

    Parameters
    ----------
    table : ScoreTable
        Labels and scores, from `read_scores` or from arrays.
    measure : str or callable, default "auc"
        Measure that returns one number, such as `partial_auc`, or its specification, such as
        ``"partial_auc(fpr_range=(0, 0.1))"``.
    by : str, optional
        Group column of the table. The models are compared within each group, and tested for
        differences that depend on the group.
    correction : {"holm", "fdr", "none"}, default "holm"
        Correction of the p-values for multiple testing: Holm, Benjamini-Hochberg or none.
    method : {"auto", "delong"}, default "auto"
        Test of each pair, which `compare_auc` describes. ``"auto"`` holds its nominal level also in
        small samples; for the scored AUC both are DeLong's. Other measures have ``"auto"`` only:
        the test of `compare_measure`.
    confidence_level : float, default 0.95
        Confidence level, between 0 and 1. It holds for each interval by itself.
    n_resamples : int, default 2000
        Number of resamples, such as bootstrap replicates or permutations. Closed forms do not use
        it, and all models share the same draws.
    rng : None, int or numpy.random.Generator, optional
        Random state. Pass an int for reproducible results.
    cluster : str, optional
        Group column of the table with the cluster of each row, such as a patient. Clusters instead
        of rows are then assumed to be independent: the covariance is Obuchowski's.
    progress : callable, optional
        Called as ``progress(done, total)`` during the computation. The total is `n_resamples`.

    Returns
    -------
    Comparison or GroupedComparison
        A GroupedComparison with `by`. Undefined values are nan, with a single
        `UndefinedMeasureWarning`: all of them if a class is missing, all tests if a class has fewer
        than two examples.

    Raises
    ------
    ColumnError
        The table has no group column `by` or `cluster`.
    InputError
        The measure has several parts, or is infinite for a model.

    Notes
    -----
    One sort per model and one matrix product give the joint covariance of DeLong et al. Each pair
    is tested as in `compare_auc`, and all models jointly: by Hotelling's T-squared test of the
    differences with at least 100 examples, or clusters, of each class, and ten for each model; with
    fewer by Simes' test of the p-values of the pairs. ``"delong"`` uses the chi-square of the
    differences, which needs many more examples than models. Measures without a closed form have
    Simes' test. Where ``"auto"`` is a permutation test, its exchanges are drawn once for all pairs,
    and a pair has the same p-value as in `compare_auc`.

    Models that order every pair of examples alike have difference 0 and p-value 1, and an interval
    of the differences under which such agreement is probable; so do models that agree by another
    measure, see `compare_measure`. The interval is 0 alone for models with the same scores, and for
    the scored AUC also for those with the same ranking and score margins, as when scores differ by
    a constant. Where another difference has variance 0, bounds replace it, as in `compare_auc` (for
    other measures there are none, and the test is nan); where the covariance leaves a difference
    unexplained, the joint test is nan. In both cases, and where an interval has zero width, there
    is a `DegenerateIntervalWarning`.

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988) 837-845, equation 5.
    R. J. Simes, Biometrika 73 (1986) 751-754.
    H.-P. Piepho, Journal of Computational and Graphical Statistics 13 (2004) 456-466 (letters).

    Examples
    --------
    >>> scores = {"a": [0.1, 0.4, 0.4, 0.8], "b": [0.1, 0.4, 0.8, 0.9]}
    >>> comparison = compare(ScoreTable([0, 1, 0, 1], scores))
    >>> comparison
    Comparison(AUC: a 0.875 a, b 0.750 a; Simes p = 0.52)
    >>> [pair.adjusted_pvalue > 0.05 for pair in comparison.pairs]
    [True]
    """
    check_table(table)
    entry, options = single_measure(measure, "a comparison")
    check_choice("correction", correction, Correction)
    check_method(method, PairMethod)
    level = check_level(confidence_level)
    by_delong = entry.has_variance and not options
    if method != "auto" and not by_delong:
        raise InputError(
            found="{method=}{value} is a test of the AUC and the scored AUC",
            fix="For {measure} leave out {method}.",
            value=repr(method),
            measure=entry.name,
        )
    tables = {None: table} if by is None else table.split(by)
    draws = DrawSeries(len(tables), n_resamples, rng, progress)
    parts = {}
    for group, part in tables.items():
        if by_delong:
            name = cast("EstimatedMeasure", entry.name)
            parts[group] = _compared(part, name, correction, method, level, cluster)
        else:
            clusters = None if cluster is None else part.members(cluster)
            parts[group] = compared_measure(
                part, (entry, options), correction, level, cluster, draws(clusters)
            )
    low, high = entry.range_with(options)
    _warn_once(parts, by, TITLES.get(entry.name, entry.title), high - low)
    if by is None:
        return parts[None]
    return GroupedComparison(
        by=by,
        parts=parts,
        interactions=interactions(list(parts.values()), correction),
        missing=table.missing,
    )


def _compared(
    table: ScoreTable,
    measure: EstimatedMeasure,
    correction: Correction,
    method: PairMethod,
    level: float,
    cluster: str | None,
) -> Comparison:
    clusters = None if cluster is None else table.members(cluster)
    joint = joint_estimate(table, measure=measure, clusters=clusters)
    rankings = [table[name] for name in joint.names]
    return _assembled(joint, table.missing, correction, method, level, cluster, rankings)


def comparison_of(
    joint: JointEstimate,
    *,
    correction: Correction,
    method: PairMethod,
    level: float,
    missing: MissingValues,
) -> Comparison:
    """Compare all models of a joint estimate whose rows are not at hand.

    As `compare`, with its warnings; but ``"auto"`` does not exchange ranks.
    """
    comparison = _assembled(joint, missing, correction, method, level)
    _warn_once({None: comparison}, None, TITLES[joint.measure], 1.0)
    return comparison


def _assembled(
    joint: JointEstimate,
    missing: MissingValues,
    correction: Correction,
    method: PairMethod,
    level: float,
    cluster: str | None = None,
    rankings: Sequence[Ranking] | None = None,
) -> Comparison:
    exchanges = None if rankings is None else RankExchanges(rankings)
    scored = None
    if rankings is not None and joint.measure == "scored_auc":
        scored = delong_estimate(joint, find_measure("scored_auc")[0], rankings)

    def test(a: int, b: int) -> PairTest:
        error = math.sqrt(joint.difference_variance[a, b])
        if scored is not None:
            decision = decide_pair(scored, a, b, confidence_level=level)
            return PairTest(decision, error, pair_method(scored, a, b))
        estimate = difference_of(joint, a, b, exchanges)
        evidence = estimate.auto("two-sided") if method == "auto" else estimate.evidence()
        return PairTest(decide(evidence, confidence_level=level), error, evidence.method)

    return all_pairs(
        joint,
        test=test,
        interval=lambda model: _interval(joint, model, level),
        omnibus=lambda pvalues: omnibus_test(joint, method, pvalues),
        correction=correction,
        level=level,
        cluster=cluster,
        missing=missing,
    )


def _interval(joint: JointEstimate, model: int, level: float) -> Interval:
    estimate = joint.of(model)
    method = "auto" if joint.measure == "auc" else "delong"
    z = critical_value(level, "two-sided", joint.df if method == "auto" else None)
    low, high = CLOSED_FORMS["auto"](estimate, z) if method == "auto" else wald(estimate, z)
    ends = (0.0 if low < 0 else low), high
    return finished_interval(
        estimate=estimate, ends=ends, level=level, method=method, alternative="two-sided"
    )


def _warn_once(parts: Mapping[Any, Comparison], by: str | None, title: str, span: float) -> None:
    undefined, untested, degenerate = [], [], []
    for group, part in parts.items():
        if math.isnan(part.models[0].interval.value):
            undefined.append(group)
        elif min(part.n_pos, part.n_neg) < 2 or math.isnan(part.models[0].interval.standard_error):
            untested.append(group)
        elif (
            any(math.isnan(pair.statistic) for pair in part.pairs)
            or math.isnan(part.omnibus.pvalue)
            or any(lacks_width(model.interval) for model in part.models)
            or any(_lacks_width(pair, part, span) for pair in part.pairs)
        ):
            degenerate.append(group)
    found = []
    if undefined:
        found.append("The {title} needs both classes, and one is missing{undefined}: it is nan")
    if untested:
        found.append(
            "A test needs two examples of each class (with clusters: two clusters with each "
            "class), and there are fewer{untested}: statistics and p-values are nan"
        )
    if found:
        warning = UndefinedMeasureWarning(
            found=". ".join(found),
            title=title,
            undefined=_where(undefined, parts, by),
            untested=_where(untested, parts, by),
        )
        warning.issue()
    if degenerate:
        DegenerateIntervalWarning(
            found="Some values or differences have a variance of 0{where}, which is not certainty",
            fix="Their tests are nan, or their intervals have zero width.",
            where=_where(degenerate, parts, by),
        ).issue()


def _lacks_width(pair: ModelPair, part: Comparison, span: float) -> bool:
    """Whether models that differ have an interval of zero width, but for rounding."""
    values = [
        one.interval.value for one in part.models if one.model in (pair.model_a, pair.model_b)
    ]
    limit = rounding_of(np.array(values), (0.0, span))
    return pair.standard_error > 0 and pair.high - pair.low <= limit


def _where(found: list[Any], parts: Mapping[Any, Comparison], by: str | None) -> str:
    if by is None:
        return ""
    names = listed(one_line(group) for group in found)
    return f" in {len(found)} of {len(parts)} groups of `{one_line(by)}` ({names})"
