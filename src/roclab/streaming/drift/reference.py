"""Reference of a stream: a sample, its summary or a known AUC."""

from __future__ import annotations

import warnings
from typing import Any

from roclab.errors import InputError
from roclab.inference.comparison.hypothesis import AUCComparison
from roclab.inference.comparison.unpaired import compare_independent_auc, compare_to_value
from roclab.inference.intervals.auc import unwarned_interval
from roclab.options import check_between
from roclab.ranking import Ranking
from roclab.summary import RangeSummary

Reference = Ranking | RangeSummary | float


def checked_reference(reference: Any) -> Reference:
    """Check a reference, which needs an AUC between 0 and 1."""
    if isinstance(reference, Ranking | RangeSummary):
        if not (reference.n_pos and reference.n_neg):
            raise InputError(
                found="{reference} has {n_pos} positive and {n_neg} negative examples",
                needed="its AUC needs both classes",
                fix="Use a longer {reference}.",
                n_pos=f"{reference.n_pos:,}",
                n_neg=f"{reference.n_neg:,}",
            )
        return reference
    if isinstance(reference, int | float) and not isinstance(reference, bool):
        return check_between("reference", reference, 0, 1, fix="It is the AUC before any change.")
    raise InputError(
        found="{reference} is a {kind}",
        needed="a Ranking, a RangeSummary or a known AUC is needed",
        fix="Pass for example Ranking(y_true, y_score).",
        kind=type(reference).__name__,
    )


def reference_auc(reference: Reference) -> float:
    """Return the AUC of a reference."""
    if isinstance(reference, float):
        return reference
    return (reference.summary if isinstance(reference, Ranking) else reference).auc


def reference_bounds(reference: Reference, error: float) -> tuple[float, float]:
    """Return one-sided confidence bounds of the AUC of the reference, each with this error."""
    if isinstance(reference, float):
        return reference, reference
    low, high = (
        unwarned_interval(reference, confidence_level=1 - error, alternative=alternative)
        for alternative in ("greater", "less")
    )
    return low.low, high.high


def difference_to(reference: Reference, current: Ranking) -> AUCComparison:
    """Compare the current AUC with that of the reference, without warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if isinstance(reference, float):
            return compare_to_value(current, value=reference)
        return compare_independent_auc(current, reference)
