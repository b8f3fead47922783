"""What a stream is compared with: a sample, its summary or a known AUC."""

from __future__ import annotations

import warnings
from typing import Any

from roclab.errors import InputError
from roclab.inference.comparison.auc_tests import compare_independent_auc, compare_to_value
from roclab.inference.comparison.hypothesis import AUCComparison
from roclab.inference.intervals.auc import unwarned_interval
from roclab.ranking import Ranking
from roclab.summary import RangeSummary

__all__ = [
    "Reference",
    "checked_reference",
    "difference_to",
    "reference_auc",
    "reference_bounds",
]

Reference = Ranking | RangeSummary | float


def checked_reference(reference: Any) -> Reference:
    """What users pass as reference, if it has an AUC between 0 and 1."""
    if isinstance(reference, Ranking | RangeSummary):
        if not (reference.n_pos and reference.n_neg):
            raise InputError(
                f"The reference has {reference.n_pos:,} positive and {reference.n_neg:,} negative "
                "examples; its AUC needs both classes. Take a longer one."
            )
        return reference
    if isinstance(reference, int | float) and not isinstance(reference, bool):
        if 0 < reference < 1:
            return float(reference)
        raise InputError(f"The reference is {reference!r}, and no AUC between 0 and 1.")
    raise InputError(
        f"A {type(reference).__name__} arrived as reference; a Ranking, a RangeSummary or a known "
        "AUC is needed. Make one with Ranking(y_true, y_score)."
    )


def reference_auc(reference: Reference) -> float:
    """The AUC of a reference."""
    if isinstance(reference, float):
        return reference
    return (reference.summary if isinstance(reference, Ranking) else reference).auc


def reference_bounds(reference: Reference, error: float) -> tuple[float, float]:
    """Below and above which the true AUC of the reference lies with this probability each."""
    if isinstance(reference, float):
        return reference, reference
    low, high = (
        unwarned_interval(reference, confidence_level=1 - error, alternative=alternative)
        for alternative in ("greater", "less")
    )
    return low.low, high.high


def difference_to(reference: Reference, current: Ranking) -> AUCComparison:
    """The AUC now less that of the reference, without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if isinstance(reference, float):
            return compare_to_value(current, value=reference)
        return compare_independent_auc(current, reference)
