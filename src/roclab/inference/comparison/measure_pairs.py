"""Pairwise comparison of all models of a table by any measure."""

from __future__ import annotations

import math

from roclab.data.table import ScoreTable
from roclab.inference.comparison.all_pairs import PairTest, all_pairs
from roclab.inference.comparison.any_measure import decide_pair, pair_error, pair_method
from roclab.inference.comparison.multiplicity import simes_pvalue
from roclab.inference.comparison.omnibus import omnibus_test
from roclab.inference.comparison.results import Comparison, Omnibus
from roclab.inference.estimation.measure_estimate import MeasureEstimate, measure_estimate
from roclab.inference.estimation.resampling import Draws
from roclab.inference.intervals.half_sampling import transformed_ends
from roclab.inference.intervals.interval import Interval, containing
from roclab.measures.specification import Found
from roclab.numeric.distributions import critical_value


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

    def test(a: int, b: int) -> PairTest:
        decision = decide_pair(estimate, a, b, confidence_level=level)
        return PairTest(decision, pair_error(estimate, a, b), pair_method(estimate, a, b))

    return all_pairs(
        estimate.joint,
        test=test,
        interval=lambda model: _interval(estimate, model, level),
        omnibus=lambda pvalues: _omnibus(estimate, pvalues),
        correction=correction,
        level=level,
        cluster=cluster,
        missing=table.missing,
        better=entry.better,
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
            low, high = transformed_ends(
                value, bias, spread, estimate.bounds, numbers, critical, estimate.trials
            )
            low, high = containing(value, low, high)
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
