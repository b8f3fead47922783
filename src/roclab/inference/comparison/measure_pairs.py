"""Pairwise comparison of all models of a table by any measure."""

from __future__ import annotations

import itertools
import math

from roclab.inference.comparison.any_measure import decide_pair, pair_error
from roclab.inference.comparison.multiplicity import (
    adjusted_pvalues,
    lettered_groups,
    simes_pvalue,
)
from roclab.inference.comparison.omnibus import omnibus_test
from roclab.inference.comparison.results import Comparison, ModelPair, ModelValue, Omnibus
from roclab.inference.estimation.measure_estimate import MeasureEstimate, measure_estimate
from roclab.inference.estimation.resampling import Draws
from roclab.inference.intervals.half_sampling import transformed_ends
from roclab.inference.intervals.interval import Interval
from roclab.measures.specification import Found
from roclab.numeric.distributions import critical_value
from roclab.table import ScoreTable


def compared_measure(
    table: ScoreTable,
    measure: Found,
    correction: str,
    level: float,
    cluster: str | None,
    draws: Draws,
) -> Comparison:
    """Compare all models; `draws` has the clusters of the rows."""
    entry, options = measure
    estimate = measure_estimate(table, entry, options, draws)
    joint = estimate.joint
    names, count = joint.names, len(joint.names)
    numbers = list(itertools.combinations(range(count), 2))
    tests = [decide_pair(estimate, a, b, confidence_level=level) for a, b in numbers]
    pvalues = [decision.pvalue for decision in tests]
    adjusted = adjusted_pvalues(pvalues, correction)
    pairs = tuple(
        ModelPair(
            model_a=names[a],
            model_b=names[b],
            difference=float(joint.values[a] - joint.values[b]),
            low=decision.low,
            high=decision.high,
            standard_error=pair_error(estimate, a, b),
            statistic=decision.statistic,
            pvalue=decision.pvalue,
            adjusted_pvalue=pvalue,
            method=estimate.method,
        )
        for (a, b), decision, pvalue in zip(numbers, tests, adjusted, strict=True)
    )
    found = dict(zip(numbers, adjusted, strict=True))
    groups, letters = lettered_groups(names, joint.values, found, 1 - level, entry.better)
    return Comparison(
        models=tuple(
            ModelValue(
                model=name, interval=_interval(estimate, model, level), letters=letters[model]
            )
            for model, name in enumerate(names)
        ),
        pairs=pairs,
        omnibus=_omnibus(estimate, pvalues),
        groups=groups,
        measure=joint.measure,
        correction=correction,
        confidence_level=level,
        n_pos=joint.n_pos,
        n_neg=joint.n_neg,
        missing=table.missing,
        cluster=cluster,
    )


def _interval(estimate: MeasureEstimate, model: int, level: float) -> Interval:
    joint = estimate.joint
    value, bias = float(joint.values[model]), float(estimate.bias[model])
    error = math.sqrt(joint.covariance[model, model])
    low = high = math.nan
    if not math.isnan(value + error):
        df = float(estimate.df[model, model])
        critical = critical_value(level, "two-sided", None if math.isinf(df) else df)
        low, high = estimate.bounds
        if math.isfinite(critical):
            numbers = joint.independent_examples
            spread = math.hypot(error, bias)
            low, high = transformed_ends(value, bias, spread, estimate.bounds, numbers, critical)
    return Interval(
        measure=joint.measure,
        value=value,
        low=low,
        high=high,
        standard_error=error,
        confidence_level=level,
        method=estimate.method,
        n_pos=joint.n_pos,
        n_neg=joint.n_neg,
        n_resamples=None if estimate.replicates is None else len(estimate.replicates),
    )


def _omnibus(estimate: MeasureEstimate, pvalues: list[float]) -> Omnibus:
    """Joint test; with halves by Simes' test, whose pairs take their bias into account."""
    if estimate.replicates is None:
        return omnibus_test(estimate.joint, "auto", pvalues)
    different = len(set(estimate.joint.identical)) - 1
    return Omnibus(statistic=math.nan, df=different, pvalue=simes_pvalue(pvalues), method="simes")
