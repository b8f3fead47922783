"""Counts or weights of both classes in bins of scores: the AUC with a guaranteed error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.choices import Alternative
from roclab.checks.labels_and_scores import as_scores, as_weights, nan_scores
from roclab.checks.options import check_alternative, check_level
from roclab.data.bounds import AUCBounds
from roclab.data.ranked_rows import checked_columns
from roclab.data.ranking import Ranking
from roclab.data.serialization import Serializable, checked_counts, packed, unpacked
from roclab.data.summary import RangeSummary
from roclab.errors import InputError
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.intervals.closed_form import CLOSED_FORMS
from roclab.inference.intervals.interval import Interval, finished_interval
from roclab.numeric.distributions import critical_value
from roclab.scale.cuts import finer_cuts, quantile_cuts

Array = npt.NDArray[Any]
Counts = npt.NDArray[np.int64]
Masses = tuple[Array, ...]

_CUT_TYPES = ("<f8", "<i4", "<i8", "<u8")
_ROUNDING = 1e-6  # of sums of weights
_LARGEST = 1e150  # above all of these: weights are at most 1e60, and rows fewer than 2^64
# Of placements between 0 and 1, of two rows of each class.
_LARGEST_VARIANCE = 0.5


class ScoreHistogram(Serializable):
    """Numbers of positives and negatives at cut scores and between them.

    Only pairs within one bin are of unknown order, so the AUC is known up to half of them: `auc`
    counts them as ties and is at most `max_error` away from the exact value, whatever the scores
    are. Scores equal to a cut have no error, however many they are. Histograms with the same cuts
    can be added, so devices, jobs and partitions can count separately. With weights, all of this
    holds for the weighted AUC; rows that were counted without a weight have weight 1.

    Parameters
    ----------
    cuts : array-like
        Scores that separate the bins, ascending; infinite ones too. `from_sample` chooses them.

    Examples
    --------
    >>> histogram = ScoreHistogram([0.25, 0.5])
    >>> histogram.update([0, 0, 1, 0, 1], [0.1, 0.3, 0.4, 0.5, 0.9])
    >>> histogram
    ScoreHistogram(AUC 0.750 +- 0.083, 2+ 3-, 2 cuts)
    >>> histogram.auc_bounds
    AUCBounds(0.666667 to 0.833333)
    """

    _kind = b"SH"

    def __init__(self, cuts: npt.ArrayLike) -> None:
        numbers = as_scores(cuts, "cuts")
        self._cuts = numbers.astype(np.float64) if numbers.dtype.kind == "f" else numbers.copy()
        if not (self._cuts[:-1] < self._cuts[1:]).all() or (self._cuts != self._cuts).any():
            raise InputError(
                found="{cuts} do not ascend",
                needed="each cut must be a number above the one before",
                fix="Choose them with ScoreHistogram.from_sample.",
            )
        # Positives and negatives by slot: counts, or sums of weights and then of their squares.
        self._masses: Masses = tuple(np.zeros(2 * len(self._cuts) + 1, np.int64) for _ in range(2))
        self._n_pos = self._n_neg = 0

    @classmethod
    def from_sample(cls, y_score: npt.ArrayLike, *, n_bins: int = 10_000) -> ScoreHistogram:
        """An empty histogram with cuts at quantiles of a sample of scores.

        Parameters
        ----------
        y_score : array-like
            Some of the scores. A score that is frequent in the sample becomes a cut, and so has no
            error.
        n_bins : int, default 10000
            Number of bins, if the sample has enough different scores. The error of the AUC is about
            ``1 / (2 * n_bins)`` or less.
        """
        scores = as_scores(y_score)
        if scores.dtype.kind == "f" and np.isnan(scores).any():
            raise nan_scores(scores)
        return cls(quantile_cuts(scores, n_bins))

    @classmethod
    def of_counts(cls, cuts: Array, pos: Counts, neg: Counts) -> ScoreHistogram:
        """A histogram from the counts of each class at the cuts and between them.

        Parameters
        ----------
        cuts : ndarray
            Scores that separate the bins, ascending.
        pos, neg : ndarray of int
            Numbers of positives and of negatives below the first cut, at it, between it and the
            next, and so on.
        """
        return cls._of_masses(cuts, (pos, neg), int(pos.sum()), int(neg.sum()))

    @classmethod
    def _of_masses(cls, cuts: Array, masses: Masses, n_pos: int, n_neg: int) -> ScoreHistogram:
        """Build from counts, or from weight sums and squared-weight sums."""
        histogram = cls(cuts)
        histogram._masses, histogram._n_pos, histogram._n_neg = masses, n_pos, n_neg
        return histogram

    @property
    def cuts(self) -> Array:
        """Scores that separate the bins."""
        return self._cuts.copy()

    @property
    def n_pos(self) -> int:
        """Number of positives, without those of weight 0."""
        return self._n_pos

    @property
    def n_neg(self) -> int:
        """Number of negatives, without those of weight 0."""
        return self._n_neg

    def update(
        self,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
    ) -> None:
        """Count further rows, about O(1) each.

        Parameters
        ----------
        y_true : array-like
            Target labels: booleans, 0/1, -1/1, or any values with `pos_label`.
        y_score : array-like
            Scores, higher for the positive class; real numbers, infinities included.
        sample_weight : array-like, optional
            Sample weights, finite and not negative. Rows of weight 0 are excluded.
        pos_label : object, optional
            Positive class label; every other value is then negative. Not needed for booleans, 0/1
            and -1/1.
        """
        labels, scores = checked_columns(y_true, y_score, pos_label)
        if self._cuts.dtype.kind != "f" and scores.dtype != self._cuts.dtype:
            raise InputError(
                found="{y_score} is {kind} and the cuts are {cuts}",
                needed="integer cuts count integers of the same type",
                fix="Convert the scores, or make the histogram from floats.",
                kind=scores.dtype,
                cuts=self._cuts.dtype,
            )
        counter = _core.SlotCounter(self._cuts, _core.thread_count())
        rows: npt.NDArray[np.intp] | None = None
        if sample_weight is not None:
            weights = as_weights(sample_weight, len(labels))
            rows = np.flatnonzero(weights)
            labels, scores, weights = labels[rows], scores[rows], weights[rows]
        typed = scores.astype(self._cuts.dtype, copy=False)
        try:
            if rows is None:
                counter.add(labels, typed)
            else:
                counter.add_weights(labels, typed, weights)
        except _core.NanScore:
            raise nan_scores(scores, numbers=rows) from None
        counts = counter.counts(True), counter.counts(False)
        self._masses = _summed(self._masses, counts if rows is None else counter.weights())
        n_pos = int(np.count_nonzero(labels))
        self._n_pos += n_pos
        self._n_neg += len(labels) - n_pos

    def __add__(self, other: object) -> ScoreHistogram:
        if not isinstance(other, ScoreHistogram):
            return NotImplemented
        if not np.array_equal(self._cuts, other._cuts):
            raise InputError(
                found="The histograms have different cuts ({first} and {second} of them)",
                needed="only histograms with the same cuts can be added",
                fix="Make one with from_sample, and send its bytes to every worker.",
                first=f"{len(self._cuts):,}",
                second=f"{len(other._cuts):,}",
            )
        masses = _summed(self._masses, other._masses)
        rows = self.n_pos + other.n_pos, self.n_neg + other.n_neg
        return self._of_masses(self._cuts, masses, *rows)

    @property
    def auc(self) -> float:
        """The AUC with scores within a bin as ties; nan if a class is missing."""
        return self._estimate().value

    @property
    def max_error(self) -> float:
        """Largest possible error of `auc`; nan if a class is missing."""
        if not (self.n_pos and self.n_neg):
            return math.nan
        if self._is_weighted:
            pos, neg = (mass / mass.sum() for mass in self._masses[:2])
            return float(np.sum(pos[::2] * neg[::2])) / 2
        pos, neg = (mass[::2].astype(object) for mass in self._masses)
        return float(sum((pos * neg).tolist())) / (2 * self.n_pos * self.n_neg)

    @property
    def auc_bounds(self) -> AUCBounds:
        """The lowest and the highest AUC that the scores can have."""
        auc, error = self.auc, self.max_error
        return AUCBounds(low=max(auc - error, 0.0), high=min(auc + error, 1.0))

    def interval(
        self, *, confidence_level: float = 0.95, alternative: Alternative = "two-sided"
    ) -> Interval:
        """The AUC with an interval that covers both the sampling error and `max_error`.

        The variance is the largest that the counts allow: by the triangle inequality, placements
        that are off by at most h change the standard deviation of a class by at most the root of
        the sum of squares of w (h - mean of h), divided as the variance is. Subtracting the
        weighted mean is an oblique projection, so it lengthens a vector by at most the root of the
        number of rows over the effective number (not at all without weights), and it adds at most
        `max_error` times the root of the sum of squares of w.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Confidence level, between 0 and 1. A one-sided interval needs more than 0.5.
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            Two-sided or one-sided interval. ``"greater"`` gives a lower bound, ``"less"`` an upper
            bound; the other end is that of the range of the measure.
        """
        side = check_alternative(alternative)
        level = check_level(confidence_level, side)
        estimate = self._estimate()
        largest = replace(estimate, variance=self._largest_variance(estimate.variance))
        z = critical_value(level, side)
        bounds = self.auc_bounds
        ends = [
            CLOSED_FORMS["auto"](replace(largest, value=value), z)
            for value in (bounds.low, bounds.high)
        ]
        return finished_interval(
            estimate=largest,
            ends=(ends[0][0], ends[1][1]),
            level=level,
            method="auto",
            alternative=side,
        )

    def _estimate(self) -> Estimate:
        """The AUC and its variance with scores within a bin as ties."""
        summary = _core.summarize_slots(
            *with_squares(self._masses), self.n_pos, self.n_neg, _core.thread_count()
        )
        return Estimate.of(RangeSummary._of(summary), "auc")

    def _largest_variance(self, variance: float) -> float:
        if math.isnan(variance):
            return variance
        pos, neg, pos_squared, neg_squared = _as_weights(self._masses)
        # Of the placements of positives and of negatives; together not above the sum of both.
        by_pos = self._largest_shift(pos, pos_squared, neg, self.n_pos)
        by_neg = self._largest_shift(neg, neg_squared, pos, self.n_neg)
        return min((math.sqrt(variance) + math.hypot(by_pos, by_neg)) ** 2, _LARGEST_VARIANCE)

    def _largest_shift(self, mass: Array, squares: Array, other: Array, rows: int) -> float:
        """Most by which the standard deviation of one class may be off."""
        off = other[::2] / (2 * other.sum())
        root = math.sqrt(float(np.sum(squares[::2] * off**2)))
        if root == 0:
            return 0.0
        total, total_squares = float(mass.sum()), float(squares.sum())
        projected = root * math.sqrt(rows * total_squares) / total
        shifted = root + self.max_error * math.sqrt(total_squares)
        pairs = total**2 - total_squares  # 0 after rounding if one row has nearly all the weight
        return min(projected, shifted) / math.sqrt(pairs) if pairs > 0 else math.inf

    @property
    def _is_weighted(self) -> bool:
        return len(self._masses) > 2

    def ranking(self) -> Ranking:
        """The counts or weights as a `Ranking` without rows, for curves and plots.

        Points of the ROC curve at cuts are exact; between two of them the curve is a straight line,
        and the area under it is at most `max_error` away from the exact one.
        """
        return Ranking._of_masses(self._slot_scores(), self._masses, self.n_pos, self.n_neg)

    def finer_cuts(
        self, sample: Array, max_error: float, most: int
    ) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Further cuts at sampled scores, and which slots were too coarse.

        Parameters
        ----------
        sample : ndarray
            Some of the scores.
        max_error : float
            Largest error of the AUC that is allowed.
        most : int
            Maximum number of cuts.
        """
        pos, neg = (mass / mass.sum() for mass in self._masses[:2])
        return finer_cuts(self._cuts, pos, neg, sample, max_error=max_error, most=most)

    def _slot_scores(self) -> Array:
        """For each slot the lowest score that belongs to it, for thresholds."""
        cuts = self._cuts
        if not len(cuts):
            return np.zeros(1)
        if cuts.dtype.kind == "f":
            above, lowest = np.nextafter(cuts, np.inf, dtype=cuts.dtype), -np.inf
            first = np.nextafter(cuts[:1], cuts.dtype.type(lowest))
        else:
            above, first = cuts + 1, cuts[:1] - 1
        scores = np.empty(2 * len(cuts) + 1, cuts.dtype)
        scores[0], scores[1::2], scores[2::2] = first[0], cuts, above
        return scores

    def _content(self) -> bytes:
        used = np.flatnonzero(self._masses[0] + self._masses[1])
        arrays = (self._cuts, used, *(mass[used] for mass in self._masses))
        kind = self._cuts.dtype.str
        # Counts are written as they were before there were weights, and say how many rows they are.
        head = [kind, self.n_pos, self.n_neg] if self._is_weighted else kind
        return packed(head, [array.tobytes() for array in arrays])

    @classmethod
    def _restored(cls, content: bytes) -> ScoreHistogram:
        head, (cuts, used, *parts) = unpacked(content)
        kind, *rows = head if isinstance(head, list) else [head]
        if kind not in _CUT_TYPES:
            raise ValueError("its cuts have an unknown type")
        histogram = cls(np.frombuffer(cuts, kind))
        slots, size = np.frombuffer(used, np.int64), 2 * len(histogram._cuts) + 1
        if not ((slots[:-1] < slots[1:]).all() and (slots >= 0).all() and (slots < size).all()):
            raise ValueError("its slots do not ascend from 0 to the last")
        if len(parts) != (4 if rows else 2):
            raise ValueError("a part is missing")
        masses = []
        for part in parts:
            mass = np.zeros(size, np.float64 if rows else np.int64)
            values = np.frombuffer(part, mass.dtype)
            if len(values) != len(slots):
                raise ValueError("its parts do not have their lengths")
            if not ((values >= 0) & (values < _LARGEST)).all():
                raise ValueError("a count or weight is negative or not finite")
            mass[slots] = values
            masses.append(mass)
        if rows:
            _check_weights(masses, rows)
        else:
            rows = [sum(mass.tolist()) for mass in masses]
        histogram = cls._of_masses(histogram._cuts, tuple(masses), *rows)
        histogram._estimate()  # raises for more rows than a summary can have
        return histogram

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreHistogram):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"ScoreHistogram(AUC {self.auc:.3f} +- {self.max_error:.2g}, "
            f"{self.n_pos:,}+ {self.n_neg:,}-, {len(self._cuts):,} cuts)"
        )


def with_squares(masses: Masses) -> tuple[Array, Array, Array, Array]:
    """Masses of both classes, and the squared ones."""
    pos, neg, *squares = masses
    pos_squared, neg_squared = squares or (pos, neg)  # squares of counts are the counts
    return pos, neg, pos_squared, neg_squared


def _as_weights(masses: Masses) -> tuple[Array, Array, Array, Array]:
    """Counts as rows of weight 1."""
    pos, neg, pos_squared, neg_squared = (
        mass.astype(np.float64, copy=False) for mass in with_squares(masses)
    )
    return pos, neg, pos_squared, neg_squared


def _summed(one: Masses, other: Masses) -> Masses:
    if len(one) != len(other):
        one, other = _as_weights(one), _as_weights(other)
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _check_weights(masses: Sequence[Array], rows: list[Any]) -> None:
    """Raise unless some `rows` weights of each class can have these sums and squared sums."""
    if len(rows) != 2:
        raise ValueError("the numbers of rows of two classes are missing")
    for mass, squares, n in zip(masses[:2], masses[2:], checked_counts(rows), strict=True):
        used = np.count_nonzero(mass)
        total, total_squares = float(mass.sum()), float(squares.sum())
        # A sum of squares is at most the square of the sum, and at least that over the rows.
        possible = (squares <= (1 + _ROUNDING) * mass**2).all() and used <= n
        enough = total**2 <= (1 + _ROUNDING) * n * total_squares
        if not (possible and enough) or (n == 0) != (used == 0):
            raise ValueError("its weights are not those of its rows")
