"""Counts of both classes in bins of scores: the AUC with a guaranteed error, in one pass."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.choices import Alternative
from roclab.errors import InputError
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.inference.intervals.closed_form import CLOSED_FORMS
from roclab.inference.intervals.interval import Interval, finished_interval
from roclab.numeric.distributions import critical_value
from roclab.options import check_alternative, check_level
from roclab.ranked_rows import checked_columns
from roclab.ranking import Ranking
from roclab.streaming.state import Serializable, packed, unpacked
from roclab.summary import RangeSummary
from roclab.validation import as_scores, nan_scores

Array = npt.NDArray[Any]
Counts = npt.NDArray[np.int64]


class ScoreHistogram(Serializable):
    """Numbers of positives and negatives at cut scores and between them.

    Only pairs within one bin are of unknown order, so the AUC is known up to half of them: `auc`
    counts them as ties and is at most `max_error` away from the exact value, whatever the scores
    are. Scores equal to a cut have no error, however many they are. Histograms with the same cuts
    can be added, so devices, jobs and partitions can count separately.

    Parameters
    ----------
    cuts : array-like
        Scores that separate the bins, ascending. `from_sample` chooses them.

    Examples
    --------
    >>> histogram = ScoreHistogram([0.25, 0.5])
    >>> histogram.update([0, 0, 1, 0, 1], [0.1, 0.3, 0.4, 0.5, 0.9])
    >>> histogram
    ScoreHistogram(AUC 0.750 +- 0.083, 2+ 3-, 2 cuts)
    >>> histogram.auc_bounds
    (0.6666666666666666, 0.8333333333333334)
    """

    _kind = b"SH"

    def __init__(self, cuts: npt.ArrayLike) -> None:
        numbers = as_scores(cuts, "cuts")
        self._cuts = numbers.astype(np.float64) if numbers.dtype.kind == "f" else numbers.copy()
        if not (np.isfinite(self._cuts).all() and (self._cuts[:-1] < self._cuts[1:]).all()):
            raise InputError(
                found="{cuts} do not ascend, or are not finite",
                needed="each cut must be a number above the one before",
                fix="Choose them with ScoreHistogram.from_sample.",
            )
        self._pos, self._neg = (np.zeros(2 * len(self._cuts) + 1, np.int64) for _ in range(2))

    @classmethod
    def from_sample(cls, y_score: npt.ArrayLike, *, bins: int = 10_000) -> ScoreHistogram:
        """An empty histogram with cuts at quantiles of a sample of scores.

        Parameters
        ----------
        y_score : array-like
            Some of the scores. A score that is frequent in the sample becomes a cut, and so has no
            error.
        bins : int, default 10000
            Number of bins, if the sample has enough different scores. The error of the AUC is about
            ``1 / (2 * bins)`` or less.
        """
        scores = as_scores(y_score)
        if scores.dtype.kind == "f" and np.isnan(scores).any():
            raise nan_scores(scores)
        return cls(quantile_cuts(scores, bins))

    @classmethod
    def of_counts(cls, cuts: Array, pos: Counts, neg: Counts) -> ScoreHistogram:
        """From counts of each class below the first cut, at it, above it, at the next."""
        histogram = cls(cuts)
        histogram._pos, histogram._neg = pos, neg
        return histogram

    @property
    def cuts(self) -> Array:
        """Scores that separate the bins."""
        return self._cuts.copy()

    @property
    def n_pos(self) -> int:
        """Number of positives."""
        return int(self._pos.sum())

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return int(self._neg.sum())

    def update(
        self, y_true: npt.ArrayLike, y_score: npt.ArrayLike, *, pos_label: Any = None
    ) -> None:
        """Count further rows, about O(1) each.

        Parameters
        ----------
        y_true, y_score, pos_label
            As for `Ranking`.
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
        counter = _core.slot_counter(self._cuts, _core.thread_count())
        try:
            counter.add(labels, scores.astype(self._cuts.dtype, copy=False))
        except _core.NanScore:
            raise nan_scores(scores) from None
        self._pos += counter.counts(True)
        self._neg += counter.counts(False)

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
        return self.of_counts(self._cuts, self._pos + other._pos, self._neg + other._neg)

    @property
    def auc(self) -> float:
        """The AUC with scores within a bin as ties; nan if a class is missing."""
        return self._estimate().value

    @property
    def max_error(self) -> float:
        """Most by which `auc` may differ from the exact value; nan if a class is missing."""
        pairs = self.n_pos * self.n_neg
        inside = sum((self._pos[::2].astype(object) * self._neg[::2].astype(object)).tolist())
        return float(inside) / (2 * pairs) if pairs else math.nan

    @property
    def auc_bounds(self) -> tuple[float, float]:
        """The lowest and the highest AUC that the scores can have."""
        auc, error = self.auc, self.max_error
        return max(auc - error, 0.0), min(auc + error, 1.0)

    def interval(
        self, *, confidence_level: float = 0.95, alternative: Alternative = "two-sided"
    ) -> Interval:
        """The AUC with an interval that covers both the sampling error and `max_error`.

        The variance is the largest that the counts allow: by the triangle inequality, a placement
        that is off by at most h changes a standard deviation by at most the root mean square of h.
        """
        side = check_alternative(alternative)
        level = check_level(confidence_level, side)
        estimate = self._estimate()
        largest = replace(estimate, variance=self._largest_variance(estimate.variance))
        z = critical_value(level, side)
        low, high = self.auc_bounds
        ends = [CLOSED_FORMS["auto"](replace(largest, value=value), z) for value in (low, high)]
        return finished_interval(
            estimate=largest,
            ends=(ends[0][0], ends[1][1]),
            level=level,
            method="auto",
            alternative=side,
        )

    def _estimate(self) -> Estimate:
        """The AUC and its variance with scores within a bin as ties."""
        masses = (self._pos, self._neg) * 2  # squares of counts are the counts
        summary = _core.summarize_slots(*masses, self.n_pos, self.n_neg, _core.thread_count())
        return Estimate.of(RangeSummary._of(summary), "auc")

    def _largest_variance(self, variance: float) -> float:
        n_pos, n_neg = self.n_pos, self.n_neg
        if math.isnan(variance):
            return variance
        pos, neg = self._pos[::2].astype(float), self._neg[::2].astype(float)
        # Of the placements of positives and of negatives; together not above the sum of both.
        by_pos = math.sqrt(float(np.sum(pos * (neg / (2 * n_neg)) ** 2)) / (n_pos - 1) / n_pos)
        by_neg = math.sqrt(float(np.sum(neg * (pos / (2 * n_pos)) ** 2)) / (n_neg - 1) / n_neg)
        return (math.sqrt(variance) + math.hypot(by_pos, by_neg)) ** 2

    def ranking(self) -> Ranking:
        """The counts as a `Ranking` without rows, for curves and plots.

        Points of the ROC curve at cuts are exact; between two of them the curve is a straight line,
        and the area under it is at most `max_error` away from the exact one.
        """
        counted = np.flatnonzero(self._pos + self._neg)
        return Ranking.from_groups(
            self._slot_scores()[counted], self._pos[counted], self._neg[counted]
        )

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
        used = np.flatnonzero(self._pos + self._neg)
        arrays = (self._cuts, used, self._pos[used], self._neg[used])
        return packed(self._cuts.dtype.str, [array.tobytes() for array in arrays])

    @classmethod
    def _restored(cls, content: bytes) -> ScoreHistogram:
        kind, (cuts, used, pos, neg) = unpacked(content)
        histogram = cls(np.frombuffer(cuts, np.dtype(kind)))
        slots = np.frombuffer(used, np.int64)
        histogram._pos[slots] = np.frombuffer(pos, np.int64)
        histogram._neg[slots] = np.frombuffer(neg, np.int64)
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


def quantile_cuts(sample: Array, bins: int) -> Array:
    """Finite scores that divide a sample into bins of about the same size, ascending."""
    ones = np.ones(len(sample), np.uint8)
    scores, counts, _ = _core.group_scores(ones, sample, _core.thread_count())
    if scores.dtype.kind == "f":
        finite = np.isfinite(scores)
        scores, counts = scores[finite], counts[finite]
    if len(scores) <= bins:
        return scores
    ranks = np.cumsum(counts)
    wanted = np.arange(1, bins) * (int(ranks[-1]) / bins)
    places = np.searchsorted(ranks, wanted)
    return scores[np.flatnonzero(np.bincount(places, minlength=len(scores)))]
