"""Pairwise comparison of all models of a table, from one joint covariance."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, overload

import numpy as np
from scipy.special import chdtrc, fdtrc

from roclab.choices import Correction, EstimatedMeasure, PairMethod
from roclab.errors import DegenerateIntervalWarning, UndefinedMeasureWarning
from roclab.formatting import listed, one_line
from roclab.inference.comparison.evidence import Wald
from roclab.inference.comparison.hypothesis import Decision, decide
from roclab.inference.comparison.multiplicity import (
    adjusted_pvalues,
    group_letters,
    indistinct_groups,
    simes_pvalue,
)
from roclab.inference.comparison.paired import difference_of
from roclab.inference.comparison.results import (
    Comparison,
    GroupedComparison,
    ModelPair,
    ModelValue,
    Omnibus,
)
from roclab.inference.estimation.delong import joint_estimate
from roclab.inference.estimation.joint_estimate import JointEstimate
from roclab.inference.intervals.closed_form import CLOSED_FORMS, wald
from roclab.inference.intervals.interval import TITLES, Interval, finished_interval, lacks_width
from roclab.numeric.distributions import critical_value
from roclab.options import check_choice, check_level, check_method
from roclab.table import ScoreTable, check_table

# Eigenvalues below this fraction of the largest are rounding errors.
_RANK = 1e-10
# Chi-square with one degree of freedom that rounding cannot explain.
_UNEXPLAINED = 10.0
# Examples of the smaller class that a covariance of the differences needs, in all and per model.
_MANY, _MANY_PER_MODEL = 100, 10


@overload
def compare(
    table: ScoreTable,
    *,
    measure: EstimatedMeasure = "auc",
    by: None = None,
    correction: Correction = "holm",
    method: PairMethod = "auto",
    confidence_level: float = 0.95,
    cluster: str | None = None,
) -> Comparison: ...
@overload
def compare(
    table: ScoreTable,
    *,
    measure: EstimatedMeasure = "auc",
    by: str,
    correction: Correction = "holm",
    method: PairMethod = "auto",
    confidence_level: float = 0.95,
    cluster: str | None = None,
) -> GroupedComparison: ...
def compare(
    table: ScoreTable,
    *,
    measure: EstimatedMeasure = "auc",
    by: str | None = None,
    correction: Correction = "holm",
    method: PairMethod = "auto",
    confidence_level: float = 0.95,
    cluster: str | None = None,
) -> Comparison | GroupedComparison:
    """Compare all models of a table pairwise.

    Parameters
    ----------
    table : ScoreTable
        Labels and scores, from `read_scores` or from arrays.
    measure : {"auc", "scored_auc"}, default "auc"
        Measure to compare.
    by : str, optional
        Group column of the table. The models are compared within each group.
    correction : {"holm", "fdr", "none"}, default "holm"
        Correction of the p-values for multiple testing: Holm, Benjamini-Hochberg or none.
    method : {"auto", "delong"}, default "auto"
        Test of each pair, as for `compare_auc`. ``"auto"`` holds its nominal level also in small
        samples; for the scored AUC both are DeLong's.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    cluster : str, optional
        Group column of the table with the cluster of each row, such as a patient. The covariance is
        then Obuchowski's, as for `compare_auc`.

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

    Notes
    -----
    One sort per model and one matrix product give the joint covariance of DeLong et al. Each pair
    is tested as in `compare_auc`, and all models jointly: by Hotelling's T-squared test of the
    differences with at least 100 examples, or clusters, of each class, and ten for each model; with
    fewer by Simes' test of the p-values of the pairs. ``"delong"`` uses the chi-square of the
    differences, which needs many more examples than models.

    Models that order every pair of examples alike have difference 0 and p-value 1. For the scored
    AUC, models are identical if they give every example the same score margins, up to rounding, as
    when scores differ by a constant: the interval of their difference is 0 alone. Where another
    difference has variance 0, bounds replace it, as in `compare_auc` (for the scored AUC there are
    none, and the test is nan); where the covariance leaves a difference unexplained, the joint test
    is nan. In both cases, and where the interval of a scored AUC has zero width, there is a
    `DegenerateIntervalWarning`.

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
    Comparison(AUC: a 0.875 a, b 0.750 a; p = 0.52)
    >>> [pair.adjusted_pvalue > 0.05 for pair in comparison.pairs]
    [True]
    """
    check_table(table)
    check_choice("measure", measure, EstimatedMeasure)
    check_choice("correction", correction, Correction)
    check_method(method, PairMethod)
    level = check_level(confidence_level)
    tables = {None: table} if by is None else table.split(by)
    parts = {
        group: _compared(part, measure, correction, method, level, cluster)
        for group, part in tables.items()
    }
    _warn_once(parts, by, TITLES[measure])
    if by is None:
        return parts[None]
    return GroupedComparison(by=by, parts=parts, missing=table.missing)


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
    names, count = joint.names, len(joint.names)
    numbers = list(itertools.combinations(range(count), 2))
    tests = [_test(joint, a, b, method, level) for a, b in numbers]
    pvalues = [decision.pvalue for decision, _ in tests]
    adjusted = adjusted_pvalues(pvalues, correction)
    pairs = tuple(
        ModelPair(
            model_a=names[a],
            model_b=names[b],
            difference=float(joint.values[a] - joint.values[b]),
            low=decision.low,
            high=decision.high,
            standard_error=math.sqrt(joint.difference_variance[a, b]),
            statistic=decision.statistic,
            pvalue=decision.pvalue,
            adjusted_pvalue=pvalue,
            method=name,
        )
        for (a, b), (decision, name), pvalue in zip(numbers, tests, adjusted, strict=True)
    )
    groups, letters = _groups(joint, dict(zip(numbers, adjusted, strict=True)), 1 - level)
    models = tuple(
        ModelValue(model=name, interval=_interval(joint, model, level), letters=letters[model])
        for model, name in enumerate(names)
    )
    return Comparison(
        models=models,
        pairs=pairs,
        omnibus=omnibus_test(joint, method, pvalues),
        groups=groups,
        measure=measure,
        correction=correction,
        confidence_level=level,
        n_pos=joint.n_pos,
        n_neg=joint.n_neg,
        missing=table.missing,
        cluster=cluster,
    )


def _test(
    joint: JointEstimate, a: int, b: int, method: PairMethod, level: float
) -> tuple[Decision, str]:
    """Test of two models with the interval of their difference, and the method."""
    if joint.measure == "auc":
        estimate = difference_of(joint, a, b)
        evidence = estimate.auto(True) if method == "auto" else estimate.evidence()
        return decide(evidence, confidence_level=level), evidence.method
    if joint.identical[a] == joint.identical[b]:
        # The same score margins: usually the same scores, up to a constant.
        return Decision(low=0.0, high=0.0, statistic=0.0, pvalue=1.0), "delong"
    difference = float(joint.values[a] - joint.values[b])
    variance = float(joint.difference_variance[a, b])
    error = math.sqrt(variance) if variance > 0 else math.nan
    evidence = Wald(difference=difference, standard_error=error, df=joint.df)
    return decide(evidence, confidence_level=level, bounds=(-math.inf, math.inf)), "delong"


def _interval(joint: JointEstimate, model: int, level: float) -> Interval:
    estimate = joint.of(model)
    method = "auto" if joint.measure == "auc" else "delong"
    z = critical_value(level, "two-sided", joint.df if method == "auto" else None)
    low, high = CLOSED_FORMS["auto"](estimate, z) if method == "auto" else wald(estimate, z)
    ends = (0.0 if low < 0 else low), high
    return finished_interval(
        estimate=estimate, ends=ends, level=level, method=method, alternative="two-sided"
    )


def _groups(
    joint: JointEstimate, adjusted: Mapping[tuple[int, int], float], error: float
) -> tuple[tuple[tuple[str, ...], ...], list[str]]:
    """Groups of names, best first, and the letters of each model."""
    if np.isnan(joint.values).any():
        return (), [""] * len(joint.names)
    best_first = sorted(range(len(joint.names)), key=lambda model: -joint.values[model])
    apart = [
        [a != b and adjusted[min(a, b), max(a, b)] < error for b in best_first] for a in best_first
    ]
    groups = [[best_first[place] for place in group] for group in indistinct_groups(apart)]
    names = tuple(tuple(joint.names[model] for model in group) for group in groups)
    return names, group_letters(groups, len(joint.names))


def omnibus_test(joint: JointEstimate, method: PairMethod, pvalues: Sequence[float]) -> Omnibus:
    """Test that all models have the same value, given the p-values of all pairs."""
    statistic, df = _chi_square(joint)
    if joint.measure != "auc" or method == "delong":
        unknown = math.isnan(statistic)
        pvalue = math.nan if unknown else float(chdtrc(df, statistic)) if df else 1.0
        return Omnibus(statistic=statistic, df=df, pvalue=pvalue, method="delong")
    smaller = joint.independent_pairs
    if smaller >= max(_MANY, _MANY_PER_MODEL * (df + 1)) and df and not math.isnan(statistic):
        between = smaller - df  # of the degrees of freedom of the covariance
        scaled = statistic * between / (df * (smaller - 1))
        pvalue = float(fdtrc(df, between, scaled))
        return Omnibus(statistic=statistic, df=df, pvalue=pvalue, method="hotelling")
    return Omnibus(statistic=statistic, df=df, pvalue=simes_pvalue(pvalues), method="simes")


def _chi_square(joint: JointEstimate) -> tuple[float, int]:
    """Chi-square of the differences, in the directions with a positive variance, and its df.

    nan if undefined, or if a direction without variance leaves a difference unexplained.
    """
    distinct = [model for model, first in enumerate(joint.identical) if model == first]
    values = joint.values[distinct]
    variance = joint.difference_variance[np.ix_(distinct, distinct)]
    if np.isnan(values).any() or np.isnan(variance).any():
        return math.nan, 0
    # Covariance of the deviations from the mean, from the variances of all differences.
    deviations = values - values.mean()
    halves = variance - variance.mean(axis=0)
    covariance = -(halves - halves.mean(axis=1)[:, np.newaxis]) / 2
    eigenvalues, directions = np.linalg.eigh(covariance)
    along = directions.T @ deviations
    least = _RANK * max(float(eigenvalues[-1]), 0.0)
    kept = eigenvalues > least
    df = int(np.count_nonzero(kept))
    # The largest variance that rounding can hide.
    rounding = least + (np.finfo(np.float64).eps * float(np.abs(values).max())) ** 2
    if (along[~kept] ** 2 > _UNEXPLAINED * rounding).any():
        return math.nan, df
    return float(np.sum(along[kept] ** 2 / eigenvalues[kept])), df


def _warn_once(parts: Mapping[Any, Comparison], by: str | None, title: str) -> None:
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


def _where(found: list[Any], parts: Mapping[Any, Comparison], by: str | None) -> str:
    if by is None:
        return ""
    names = listed(one_line(group) for group in found)
    return f" in {len(found)} of {len(parts)} groups of `{one_line(by)}` ({names})"
