"""A sample of scored, labelled examples, checked and sorted once."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.labels_and_scores import as_scores, check_same_length, nan_scores, widened
from roclab.checks.vectors import as_vector, refuse_several_models
from roclab.data.ranked_rows import RankedRows, checked_columns, frozen
from roclab.data.summary import RangeSummary
from roclab.errors import InputError, Parameter
from roclab.lazy import computed_once


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
    pos_label : object, optional
        Positive class label; every other value is then negative. Not needed for booleans, 0/1 and
        -1/1.

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
    A ranking is sorted on first use: O(n log n) at worst, about O(n) for most data. It copies
    labels and scores, so later changes to the input arrays do not affect it.

    Examples
    --------
    >>> ranking = Ranking([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> ranking
    Ranking(2 positive, 2 negative, 3 distinct scores)
    >>> ranking.pos, ranking.neg
    (array([0, 1, 1]), array([1, 1, 0]))
    """

    n_pos: int
    n_neg: int
    _rows: RankedRows | None

    def __init__(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
    ) -> None:
        given = as_vector(y_score, "y_score")
        rows = RankedRows.checked(y_true, given, sample_weight, pos_label)
        # Types that the core lacks were converted.
        self._keep(rows, rows.scores.dtype if given.dtype.char in "Og" else given.dtype)

    def _keep(self, rows: RankedRows, score_type: np.dtype[Any]) -> None:
        self._rows, self._score_type = rows, score_type
        self.n_pos = int(np.count_nonzero(rows.labels))
        self.n_neg = len(rows.labels) - self.n_pos

    @classmethod
    def _of_rows(cls, rows: RankedRows) -> Ranking:
        """From checked rows of positive weight."""
        ranking = cls.__new__(cls)
        ranking._keep(rows, rows.scores.dtype)
        return ranking

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
                    needed="non-negative integers are needed",
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
        ranking._groups = tuple(frozen(column[present]) for column in (scores, *masses))
        ranking.n_pos, ranking.n_neg = n_pos, n_neg
        ranking._rows = None
        return ranking

    @computed_once
    def _groups(self) -> tuple[npt.NDArray[Any], ...]:
        """Distinct scores, positive and negative mass, and with weights the squared masses."""
        scores, *masses = self.rows().grouped()
        scores = scores.astype(self._score_type, copy=False)
        return tuple(map(frozen, (scores, *masses)))

    @property
    def is_sorted(self) -> bool:
        """Whether it has been sorted already."""
        return "_groups" in vars(self) or self.rows().is_sorted

    def prepare(self, *, rows: bool = False) -> Ranking:
        """Sort now instead of on first use, and return the ranking.

        Parameters
        ----------
        rows : bool, default False
            Whether `order` will be needed. The same sort then gives it and everything else.
        """
        _ = self.rows().order if rows else self._groups
        return self

    @property
    def scores(self) -> npt.NDArray[Any]:
        """Distinct scores, ascending."""
        return self._groups[0]

    @property
    def pos(self) -> npt.NDArray[Any]:
        """Positive mass at each distinct score."""
        return self._groups[1]

    @property
    def neg(self) -> npt.NDArray[Any]:
        """Negative mass at each distinct score."""
        return self._groups[2]

    @property
    def pos_squared(self) -> npt.NDArray[np.float64] | None:
        """Sums of squared weights of positives; None without weights."""
        return self._groups[3] if self.weighted else None

    @property
    def neg_squared(self) -> npt.NDArray[np.float64] | None:
        """Sums of squared weights of negatives; None without weights."""
        return self._groups[4] if self.weighted else None

    @property
    def weighted(self) -> bool:
        """Whether the examples carry weights."""
        return len(self._groups) > 3 if self._rows is None else self._rows.weights is not None

    @computed_once
    def summary(self) -> RangeSummary:
        """The summary for AUC, scored AUC and their variances. O(number of distinct scores)."""
        scores, *masses = self._groups
        return RangeSummary._of_groups(widened(scores), masses, self.n_pos, self.n_neg)

    @computed_once
    def order(self) -> npt.NDArray[Any]:
        """Rows of the input by ascending score; rows of equal score keep the order of the input.

        Computed on first use. Rows of weight 0 are excluded.

        Raises
        ------
        InputError
            If the ranking was made from counts and has no rows.
        """
        rows = self.rows()
        if rows.numbers is None or not len(rows.numbers):
            return rows.order
        narrow = np.uint32 if rows.numbers[-1] < 2**32 else np.uint64
        return frozen(rows.numbers[rows.order].astype(narrow))

    @property
    def has_rows(self) -> bool:
        """Whether it was made from examples and not from counts."""
        return self._rows is not None

    def places(self, low: float, high: float) -> slice:
        """Indices of the distinct scores with ``low <= score < high``. O(log n).

        Parameters
        ----------
        low, high : float
            Score limits. An infinite `high` is no limit: infinite scores are included.
        """
        # Not by NumPy, which would copy all scores that are not float64.
        first = bisect_left(self.scores, self._bound(low))
        last = len(self.scores) if high == np.inf else bisect_left(self.scores, self._bound(high))
        return slice(first, max(first, last))

    def _bound(self, limit: float) -> Any:
        """A lower or upper limit as a number that comparison with scores does not round."""
        if self.scores.dtype.kind in "iu" and math.isfinite(limit):
            return math.ceil(limit)
        # A Python float would be rounded to the type of narrower scores.
        return np.float64(limit)

    def _limit(self, limit: float) -> Any:
        """The same for an array of scores: numpy 1 rounds a scalar of float64, but no array."""
        bound = self._bound(limit)
        return np.array([bound]) if isinstance(bound, np.float64) else bound

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
            rows = self.rows()
            above = rows.scores >= self._limit(low)
            below = rows.scores < self._limit(high)
            chosen = rows.labels[above & (below | (high == np.inf))]
            n_pos = int(np.count_nonzero(chosen))
            n_neg = len(chosen) - n_pos
        return self._of_masses(self.scores[inside], masses, n_pos, n_neg)

    def rows(self) -> RankedRows:
        """The examples in the order of the input, without rows of weight 0.

        Raises
        ------
        InputError
            If the ranking was made from counts and has no rows.
        """
        if self._rows is None:
            raise InputError(
                found="This ranking was made from counts and has no rows",
                fix="Make it from {y_true} and {y_score}.",
            )
        return self._rows

    def consecutive(self, sizes: npt.NDArray[np.intp]) -> list[Ranking]:
        """Rankings of the first rows, of the next ones and so on, sorted together with this one.

        Parameters
        ----------
        sizes : array-like of int
            Number of rows of each part, in the order of the input.
        """
        return [Ranking._of_rows(rows) for rows in self.rows().consecutive(sizes)]

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickled arrays come back writable.
        for value in (*state.values(), *state.get("_groups", ())):
            if isinstance(value, np.ndarray):
                frozen(value)
        self.__dict__.update(state)

    def __len__(self) -> int:
        return self.n_pos + self.n_neg

    def __repr__(self) -> str:
        kind = ", weighted" if self.weighted else ""
        return (
            f"Ranking({self.n_pos:,} positive, {self.n_neg:,} negative, "
            f"{len(self.scores):,} distinct scores{kind})"
        )


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
    labels, scores = checked_columns(y_true, y_score, pos_label)
    try:
        return _core.count_pairs(labels, scores, moments, _core.thread_count())
    except _core.NanScore:
        raise nan_scores(scores) from None


def pair_counts_of_rows(rows: RankedRows) -> _core.PairCounts:
    """Pair counts of checked rows without weights, with the moments, without sorting all rows."""
    return _core.count_pairs(rows.labels, rows.scores, True, _core.thread_count())


def scored_pairs(
    y_true: npt.ArrayLike, y_score: npt.ArrayLike, *, pos_label: Any = None
) -> _core.ScoredPairs:
    """Like `pair_counts` for the scored AUC and its variance; not finite if a score is infinite."""
    labels, scores = checked_columns(y_true, y_score, pos_label)
    try:
        return _core.scored_pairs(labels, scores, _core.thread_count())
    except _core.NanScore:
        raise nan_scores(scores) from None
