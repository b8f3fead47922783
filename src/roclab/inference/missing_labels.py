"""Bounds of the AUC over all values of missing labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.labels_and_scores import (
    as_labels,
    as_scores,
    check_same_length,
    nan_scores,
)
from roclab.checks.options import check_level, number_or_nan, shown
from roclab.checks.vectors import split_missing
from roclab.data.bounds import AUCBounds
from roclab.data.ranking import Ranking
from roclab.data.table import ScoreTable
from roclab.errors import InputError
from roclab.inference.intervals.auc import unwarned_interval


@dataclass(frozen=True, kw_only=True, repr=False)
class MissingLabelBounds(AUCBounds):
    """The lowest and the highest AUC that missing labels allow, the result of `auc_bounds`.

    Attributes
    ----------
    low, high : float
        Bounds of the AUC of all rows; nan if no labelling has both classes.
    labelled_auc : float
        AUC of the rows that have a label; nan if they lack a class.
    low_positives, high_positives : int
        Number of positives among the missing labels at which the bounds are attained.
    n_pos, n_neg, n_missing : int
        Number of positive, negative and missing labels.
    interval_low, interval_high : float
        Lower end of the confidence interval at the lowest labelling and upper end at the highest:
        missing labels and sampling error together. nan without `confidence_level`.
    confidence_level : float or None
        Confidence level of that interval.
    """

    labelled_auc: float
    low_positives: int
    high_positives: int
    n_pos: int
    n_neg: int
    n_missing: int
    interval_low: float = math.nan
    interval_high: float = math.nan
    confidence_level: float | None = None

    def __repr__(self) -> str:
        labels = f"{self.n_missing:,} missing label{'s' * (self.n_missing != 1)}"
        return (
            f"AUC from {self.low:.3f} to {self.high:.3f}, {labels}, "
            f"{self.n_pos}+ {self.n_neg}- known"
        )


def auc_bounds(
    y_true: npt.ArrayLike,
    y_score: npt.ArrayLike,
    *,
    positive_rate: float | tuple[float, float] | None = None,
    confidence_level: float | None = None,
    pos_label: Any = None,
) -> MissingLabelBounds:
    """Bound the AUC over all values that missing labels may have.

    Parameters
    ----------
    y_true : array-like
        Target labels. None, NaN and the missing values of pandas, polars and NumPy's masked arrays
        are missing labels.
    y_score : array-like
        Scores of all rows, also of those without a label.
    positive_rate : float or pair of floats, optional
        Proportion of positives among the missing labels, or its lowest and highest value. The
        narrower it is, the narrower are the bounds. By default anything from 0 to 1. Numbers of
        positives are rounded outwards.
    confidence_level : float, optional
        Confidence level, between 0 and 1. With it, the result has an interval that also covers
        sampling error; by default it has none.
    pos_label : object, optional
        Positive class label.

    Returns
    -------
    MissingLabelBounds
        Both bounds are attained by some labelling: no narrower ones exist without more knowledge.

    Raises
    ------
    InputError
        `positive_rate` is not a proportion. Scores are NaN, or as many as the labels.

    Notes
    -----
    If j missing labels are positive, the AUC is highest if these rows have the j highest scores
    among the unlabelled ones, and lowest if they have the lowest: exchanging a positive with a
    negative that scores higher never reduces the number of pairs ranked correctly. The bounds are
    the extremes over j. O(n) after sorting. Weights are not supported.

    The AUC of the labelled rows alone is an estimate only if labels are missing at random. These
    bounds assume nothing about why they are missing. They are bounds of the AUC of these rows; the
    interval adds the sampling error of the two extreme labellings.

    Examples
    --------
    >>> y_true, y_score = [0, None, 1, 0, None, 1], [0.1, 0.3, 0.4, 0.6, 0.7, 0.8]
    >>> auc_bounds(y_true, y_score)
    AUC from 0.556 to 0.889, 2 missing labels, 2+ 2- known
    >>> auc_bounds(y_true, y_score, positive_rate=0).low
    0.75
    """
    known, missing = split_missing(y_true, "y_true")
    labels = as_labels(known, pos_label)
    scores = as_scores(y_score)
    check_same_length(len(missing), len(scores), "y_score")
    level = None if confidence_level is None else check_level(confidence_level)
    try:
        return _bounds(labels, scores[~missing], scores[missing], positive_rate, level)
    except _core.NanScore:
        raise nan_scores(scores) from None


def table_bounds(table: ScoreTable, model: str, positive_rate: Any) -> MissingLabelBounds:
    """`auc_bounds` of a model of a table with unlabelled rows."""
    unlabelled = table.unlabelled
    if unlabelled is None or table.sample_weight is not None:
        raise InputError(
            found="The table has weights",
            needed="bounds over missing labels are those of unweighted rows",
            fix="Leave out {sample_weight}, or {missing_labels=}'bounds'.",
        )
    labels, scores = table.y_true.view(np.uint8), table.scores[model]
    others = as_scores(unlabelled.scores[model], f"column {model!r}")
    return _bounds(labels, scores, others, positive_rate, None)


def _bounds(
    labels: npt.NDArray[np.uint8],
    scores: npt.NDArray[Any],
    unlabelled: npt.NDArray[Any],
    positive_rate: Any,
    level: float | None,
) -> MissingLabelBounds:
    n_missing = len(unlabelled)
    if scores.dtype != unlabelled.dtype:
        both = as_scores(np.concatenate([scores, unlabelled]))
        scores, unlabelled = both[: len(scores)], both[len(scores) :]
    least, most = _possible_positives(positive_rate, n_missing)
    threads = _core.thread_count()
    groups = _core.group_scores(labels, scores, threads)
    distinct, _, counts = _core.group_scores(np.zeros(n_missing, np.uint8), unlabelled, threads)
    low, low_positives, high, high_positives = _core.auc_bounds(
        *groups, distinct, counts, least, most
    )
    labelled, *_ = _core.auc_bounds(*groups, distinct[:0], counts[:0], 0, 0)
    n_pos = int(np.count_nonzero(labels))
    ends: dict[str, float] = {}
    if level is not None:
        ascending = unlabelled[_core.order_rows(unlabelled, threads)]
        all_scores = np.concatenate([scores, ascending])
        rows = np.arange(n_missing)
        lowest, highest = (
            unwarned_interval(
                Ranking(np.append(labels, filled), all_scores), confidence_level=level
            )
            for filled in (rows < low_positives, rows >= n_missing - high_positives)
        )
        ends = {
            "interval_low": lowest.low,
            "interval_high": highest.high,
            "confidence_level": level,
        }
    return MissingLabelBounds(
        low=low,
        high=high,
        labelled_auc=labelled,
        low_positives=low_positives,
        high_positives=high_positives,
        n_pos=n_pos,
        n_neg=len(labels) - n_pos,
        n_missing=n_missing,
        **ends,
    )


def _possible_positives(positive_rate: Any, n_missing: int) -> tuple[int, int]:
    if positive_rate is None:
        return 0, n_missing
    pair = positive_rate if isinstance(positive_rate, Sequence) else (positive_rate, positive_rate)
    rates = [number_or_nan(rate) for rate in pair] if len(pair) == 2 else [math.nan]
    if not (0 <= rates[0] <= rates[-1] <= 1):
        raise InputError(
            found="{positive_rate=}{value} is not a proportion",
            needed="a number from 0 to 1, or the lowest and the highest, is needed",
            fix="For 10 to 20 % positives pass {positive_rate=}(0.1, 0.2).",
            value=shown(positive_rate),
        )
    # The product of a rate such as 0.1 may be just above the whole number that is meant.
    slack = 1e-9 * n_missing
    low, high = rates[0] * n_missing, rates[1] * n_missing
    return max(0, math.floor(low + slack)), min(n_missing, math.ceil(high - slack))
