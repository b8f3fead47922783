"""A sample of scored, labelled examples, checked and sorted once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.errors import InputError, Parameter
from roclab.summary import RangeSummary
from roclab.validation import (
    as_labels,
    as_scores,
    as_weights,
    check_same_length,
    nan_scores,
    read_only,
)
from roclab.vector import as_vector, refuse_several_models


class Ranking:
    """A sample of scored, labelled examples: checked and sorted once, ties grouped.

    Every curve, measure and interval is a function of a ranking, so build it once to compute
    several things from the same scores. All its arrays are read-only.

    Parameters
    ----------
    y_true : array-like
        Target labels: booleans, 0/1, -1/1, or any values with `pos_label`.
    y_score : array-like
        Scores, higher for the positive class; real numbers, infinities included. Integers stay
        integers.
    sample_weight : array-like, optional
        Sample weights, finite and not negative. Rows of weight 0 are excluded.
    pos_label : optional
        Positive class label; every other value is then negative.

    Attributes
    ----------
    scores : ndarray
        Distinct scores, ascending, in the type of the input.
    pos, neg : ndarray
        Positive and negative mass at each distinct score: counts, or sums of weights.
    pos_squared, neg_squared : ndarray or None
        Sums of squared weights; None without weights.
    n_pos, n_neg : int
        Number of positive and negative examples, without excluded rows.

    Notes
    -----
    O(n log n) at worst, about O(n) for most data. A ranking copies labels and scores, so later
    changes to the input arrays do not affect it.

    Examples
    --------
    >>> ranking = Ranking([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> ranking
    Ranking(2 positive, 2 negative, 3 distinct scores)
    >>> ranking.pos, ranking.neg
    (array([0, 1, 1]), array([1, 1, 0]))
    """

    scores: npt.NDArray[Any]
    pos: npt.NDArray[Any]
    neg: npt.NDArray[Any]
    pos_squared: npt.NDArray[np.float64] | None
    neg_squared: npt.NDArray[np.float64] | None
    n_pos: int
    n_neg: int

    def __init__(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
    ) -> None:
        given = as_vector(y_score, "y_score")
        labels, scores = _checked(y_true, given, pos_label)
        self._rows: _Rows | None = _Rows(
            read_only(labels, y_true), read_only(scores, y_score), None, None
        )
        if sample_weight is not None:
            weights = as_weights(sample_weight, len(labels))
            kept = np.flatnonzero(weights)
            self._rows = _Rows(labels[kept], scores[kept], weights[kept], kept)
        self._group(self._rows, given.dtype)

    @classmethod
    def from_groups(cls, scores: npt.ArrayLike, pos: npt.ArrayLike, neg: npt.ArrayLike) -> Ranking:
        """A ranking from counts per distinct score, such as a snapshot or a frequency table.

        It has no rows, so `order` is not available.

        Parameters
        ----------
        scores : array-like
            Distinct scores, ascending.
        pos, neg : array-like of int
            Positive and negative examples at each score. Scores without examples are excluded.

        Examples
        --------
        >>> Ranking.from_groups([1, 2, 3], pos=[0, 5, 9], neg=[8, 6, 1])
        Ranking(14 positive, 15 negative, 3 distinct scores)
        """
        # Copies: the checked values must not change afterwards.
        values = as_scores(scores, "scores").copy()
        if not bool(np.all(values[:-1] < values[1:])) or (values != values).any():
            raise InputError(
                found="{scores} are unsorted, repeated or NaN",
                needed="distinct scores in ascending order are needed",
                fix="Sum the counts of equal scores and sort them first.",
            )
        counts = []
        for name, given in (("pos", pos), ("neg", neg)):
            column = as_scores(given, name).copy()
            check_same_length(len(values), len(column), name, first="scores")
            if column.dtype.kind == "f" or (column < 0).any():
                raise InputError(
                    found="{name} holds values that are not counts",
                    needed="integers from 0 on are needed",
                    name=Parameter(name),
                )
            if sum(column.tolist()) >= 2**63:
                raise InputError(
                    found="{name} adds up to more than 64 bits can hold",
                    fix="Divide the counts.",
                    name=Parameter(name),
                )
            counts.append(column.astype(np.int64))
        return cls._of_masses(values, counts, int(counts[0].sum()), int(counts[1].sum()))

    @classmethod
    def _of_masses(
        cls,
        scores: npt.NDArray[Any],
        masses: Sequence[npt.NDArray[Any]],
        n_pos: int,
        n_neg: int,
    ) -> Ranking:
        """From checked pos and neg; with weights also pos_squared and neg_squared."""
        present = (masses[0] > 0) | (masses[1] > 0)
        ranking = cls.__new__(cls)
        ranking.scores = _frozen(scores[present])
        ranking.pos, ranking.neg, *squared = (_frozen(mass[present]) for mass in masses)
        ranking.pos_squared, ranking.neg_squared = squared or (None, None)
        ranking.n_pos, ranking.n_neg = n_pos, n_neg
        ranking._rows = None
        return ranking

    @property
    def weighted(self) -> bool:
        """Whether the examples carry weights."""
        return self.pos_squared is not None

    @cached_property
    def summary(self) -> RangeSummary:
        """The summary for AUC, scored AUC and their variances. O(number of distinct scores)."""
        threads = _core.thread_count()
        scores = as_scores(self.scores)
        if self.pos_squared is None or self.neg_squared is None:
            return RangeSummary._of(_core.summarize(scores, self.pos, self.neg, threads))
        return RangeSummary._of(
            _core.summarize_weighted(
                scores,
                self.pos,
                self.neg,
                self.pos_squared,
                self.neg_squared,
                self.n_pos,
                self.n_neg,
                threads,
            )
        )

    @cached_property
    def order(self) -> npt.NDArray[Any]:
        """Rows of the input by ascending score; rows of equal score keep the order of the input.

        Computed on first use. Rows of weight 0 are excluded.

        Raises
        ------
        InputError
            If the ranking was made from counts and has no rows.
        """
        rows = self._kept_rows()
        order = _core.order_rows(rows.scores, _core.thread_count())
        numbers = rows.numbers
        if numbers is not None and len(numbers):
            order = numbers[order].astype(np.uint32 if numbers[-1] < 2**32 else np.uint64)
        return _frozen(order)

    @property
    def has_rows(self) -> bool:
        """Whether it was made from examples and not from counts."""
        return self._rows is not None

    def places(self, low: float, high: float) -> slice:
        """Indices of the distinct scores with ``low <= score < high``. O(log n)."""
        # Not by NumPy, which would copy all scores that are not float64, and with float64 bounds,
        # since a Python float would be rounded to the type of narrower scores.
        first = bisect_left(self.scores, np.float64(low))
        last = len(self.scores) if high == np.inf else bisect_left(self.scores, np.float64(high))
        return slice(first, max(first, last))

    def between(self, low: float, high: float) -> Ranking:
        """The examples with ``low <= score < high``, as a ranking without rows.

        Parameters
        ----------
        low, high : float
            Score limits. An infinite `high` is no limit: infinite scores are included.

        Examples
        --------
        >>> Ranking([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8]).between(0.4, 0.8)
        Ranking(1 positive, 1 negative, 1 distinct scores)
        """
        inside = self.places(low, high)
        masses = [self.pos[inside], self.neg[inside]]
        if self.pos_squared is None or self.neg_squared is None:
            n_pos, n_neg = (int(mass.sum()) for mass in masses)
        else:
            masses += [self.pos_squared[inside], self.neg_squared[inside]]
            rows = self._kept_rows()
            above, below = rows.scores >= np.float64(low), rows.scores < np.float64(high)
            chosen = rows.labels[above & (below | (high == np.inf))]
            n_pos = int(np.count_nonzero(chosen))
            n_neg = len(chosen) - n_pos
        return self._of_masses(self.scores[inside], masses, n_pos, n_neg)

    def rows(self) -> RankedRows:
        """Every example with the index of its distinct score, in the order of the input.

        Rows of weight 0 are excluded. O(n log n) at worst; computed at each call.

        Raises
        ------
        InputError
            If the ranking was made from counts and has no rows.
        """
        rows = self._kept_rows()
        order = _core.order_rows(rows.scores, _core.thread_count())
        ascending = rows.scores[order]
        steps = np.zeros(len(order), np.uint32)
        np.cumsum(ascending[1:] != ascending[:-1], dtype=np.uint32, out=steps[1:])
        groups = np.empty_like(steps)
        groups[order] = steps
        return RankedRows(rows.labels, groups, order, rows.weights, rows.numbers)

    def _kept_rows(self) -> _Rows:
        if self._rows is None:
            raise InputError(
                found="This ranking was made from counts and has no rows",
                fix="Make it from {y_true} and {y_score}.",
            )
        return self._rows

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickled arrays come back writable.
        for value in (*state.values(), *(state["_rows"] or ())):
            if isinstance(value, np.ndarray):
                _frozen(value)
        self.__dict__.update(state)

    def __len__(self) -> int:
        return self.n_pos + self.n_neg

    def __repr__(self) -> str:
        kind = ", weighted" if self.weighted else ""
        return (
            f"Ranking({self.n_pos:,} positive, {self.n_neg:,} negative, "
            f"{len(self.scores):,} distinct scores{kind})"
        )

    def _group(self, rows: _Rows, given_type: np.dtype[Any]) -> None:
        threads = _core.thread_count()
        grouped: tuple[npt.NDArray[Any], ...]
        try:
            if rows.weights is None:
                scores, *counts = _core.group_scores(rows.labels, rows.scores, threads)
                grouped = (scores, *(count.view(np.int64) for count in counts))
            else:
                grouped = _core.group_weighted(rows.labels, rows.scores, rows.weights, threads)
        except _core.NanScore:
            raise nan_scores(rows.scores, numbers=rows.numbers) from None
        self.scores = _frozen(grouped[0].astype(given_type, copy=False))
        self.pos, self.neg, *squared = map(_frozen, grouped[1:])
        self.pos_squared, self.neg_squared = squared or (None, None)
        self.n_pos = int(np.count_nonzero(rows.labels))
        self.n_neg = len(rows.labels) - self.n_pos


class _Rows(NamedTuple):
    """Copies of the rows that a ranking was made from."""

    labels: npt.NDArray[np.uint8]
    scores: npt.NDArray[Any]
    weights: npt.NDArray[np.float64] | None
    numbers: npt.NDArray[np.intp] | None  # of the rows that are included; None for all


class RankedRows(NamedTuple):
    """The examples of a ranking, each with the index of its score.

    Attributes
    ----------
    labels : ndarray of uint8
        1 for positive.
    groups : ndarray of uint32
        The index of the example's score in `Ranking.scores`.
    order : ndarray
        The examples by ascending score.
    weights : ndarray or None
        None without weights.
    numbers : ndarray or None
        Which rows of the input these are; None for all.
    """

    labels: npt.NDArray[np.uint8]
    groups: npt.NDArray[np.uint32]
    order: npt.NDArray[Any]
    weights: npt.NDArray[np.float64] | None
    numbers: npt.NDArray[np.intp] | None


def as_ranking(
    y_true: npt.ArrayLike | Ranking,
    y_score: npt.ArrayLike | None = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> Ranking:
    """The ranking that was passed, or a new one from labels and scores."""
    if isinstance(y_true, Ranking):
        if y_score is not None or sample_weight is not None or pos_label is not None:
            raise InputError(
                found="A Ranking was passed with {y_score}, {sample_weight} or {pos_label}",
                needed="a Ranking already has labels, scores and weights",
                fix="Pass the Ranking alone, or {y_true} and {y_score}.",
            )
        return y_true
    refuse_several_models(y_true)
    if isinstance(y_true, RangeSummary):
        raise InputError(
            found="A RangeSummary was passed, which has no examples",
            fix="Pass {y_true} and {y_score}, or a Ranking.",
        )
    if y_score is None:
        raise InputError(
            found="Only {y_true} was passed",
            fix="Pass {y_true} and {y_score}, or a Ranking.",
        )
    return Ranking(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)


def pair_counts(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, *, pos_label: Any = None, moments: bool
) -> _core.PairCounts:
    """Pair counts of unweighted data without sorting all of it, for AUC.

    With `moments`, also those of DeLong's variance.
    """
    labels, scores = _checked(y_true, y_score, pos_label)
    try:
        return _core.count_pairs(labels, scores, moments, _core.thread_count())
    except _core.NanScore:
        raise nan_scores(scores) from None


def scored_pairs(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, *, pos_label: Any = None
) -> _core.ScoredPairs:
    """Like `pair_counts` for the scored AUC and its variance; not finite if a score is infinite."""
    labels, scores = _checked(y_true, y_score, pos_label)
    try:
        return _core.scored_pairs(labels, scores, _core.thread_count())
    except _core.NanScore:
        raise nan_scores(scores) from None


def _checked(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, pos_label: Any
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[Any]]:
    labels, scores = as_labels(y_true, pos_label), as_scores(y_score)
    check_same_length(len(labels), len(scores), "y_score")
    return labels, scores


def _frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.flags.writeable = False
    return array
