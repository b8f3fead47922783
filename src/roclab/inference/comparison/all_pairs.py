"""All pairs of models, from the test of each: adjusted p-values, letters and the joint test."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple

from roclab.data.table import MissingValues
from roclab.inference.comparison.alternatives import Decision
from roclab.inference.comparison.multiplicity import adjusted_pvalues, lettered_groups
from roclab.inference.comparison.results import Comparison, ModelPair, ModelValue, Omnibus
from roclab.inference.estimation.joint_estimate import JointEstimate
from roclab.inference.intervals.interval import Interval


class PairTest(NamedTuple):
    """The test of two models, the standard error of their difference, and the method."""

    decision: Decision
    standard_error: float
    method: str


def all_pairs(
    joint: JointEstimate,
    *,
    test: Callable[[int, int], PairTest],
    interval: Callable[[int], Interval],
    omnibus: Callable[[list[float]], Omnibus],
    correction: str,
    level: float,
    cluster: str | None,
    missing: MissingValues,
    better: str = "higher",
) -> Comparison:
    """Compare all models of a table.

    Parameters
    ----------
    joint : JointEstimate
        Their values.
    test, interval : callable
        Test of two models, and interval of one, by their numbers.
    omnibus : callable
        Joint test, given the p-values of all pairs.
    correction : {"holm", "fdr", "none"}
        Correction of the p-values for multiple testing.
    level : float
        Confidence level of the intervals.
    cluster : str or None
        Group column with the cluster of each row.
    missing : MissingValues
        What the reader of the table excluded.
    better : {"higher", "lower"}
        Which values are better.
    """
    names = joint.names
    numbers = list(itertools.combinations(range(len(names)), 2))
    tests = [test(a, b) for a, b in numbers]
    pvalues = [one.decision.pvalue for one in tests]
    adjusted = adjusted_pvalues(pvalues, correction)
    pairs = tuple(
        ModelPair(
            model_a=names[a],
            model_b=names[b],
            difference=float(joint.values[a] - joint.values[b]),
            low=decision.low,
            high=decision.high,
            standard_error=error,
            statistic=decision.statistic,
            pvalue=decision.pvalue,
            adjusted_pvalue=pvalue,
            method=method,
        )
        for (a, b), (decision, error, method), pvalue in zip(numbers, tests, adjusted, strict=True)
    )
    found = dict(zip(numbers, adjusted, strict=True))
    groups, letters = lettered_groups(names, joint.values, found, 1 - level, better)
    return Comparison(
        models=tuple(
            ModelValue(model=name, interval=interval(model), letters=letters[model])
            for model, name in enumerate(names)
        ),
        pairs=pairs,
        omnibus=omnibus(pvalues),
        groups=groups,
        measure=joint.measure,
        correction=correction,
        confidence_level=level,
        n_pos=joint.n_pos,
        n_neg=joint.n_neg,
        missing=missing,
        cluster=cluster,
    )
