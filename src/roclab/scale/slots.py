"""Rows of a part counted by slot: at cut scores, and in the gaps between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from roclab import _core
from roclab.data.summary import RangeSummary
from roclab.readers.rows import RowReader
from roclab.readers.values import Array
from roclab.scale.histogram import with_squares
from roclab.scale.tasks import SAMPLE_ROWS, ScoreSample, Survey, surveyed


@dataclass(frozen=True)
class SlotCounts:
    """Rows of one model by slot: below the first cut, at it, above it, at the next one and so on.

    Attributes
    ----------
    masses : tuple of ndarray
        Positives and negatives: counts, or sums of weights and then of their squares.
    distances : tuple of ndarray
        For each gap, sums of distances of its rows to the next cut, for the scored AUC; or empty.
    lowest, highest : float
        The range of all scores, if there are distances.
    """

    masses: tuple[Array, ...]
    distances: tuple[Array, ...] = ()
    lowest: float = np.inf
    highest: float = -np.inf

    def __add__(self, other: SlotCounts) -> SlotCounts:
        return SlotCounts(
            tuple(a + b for a, b in zip(self.masses, other.masses, strict=True)),
            tuple(a + b for a, b in zip(self.distances, other.distances, strict=True)),
            min(self.lowest, other.lowest),
            max(self.highest, other.highest),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Without empty slots, which are most of them in a small part.
        slots = len(self.masses[0])
        used = np.flatnonzero((self.masses[0] != 0) | (self.masses[1] != 0))
        gaps = used[used % 2 == 0] // 2
        # Steps from one used slot to the next and counts are small, so a few bytes hold both.
        steps = _narrowed(np.diff(used, prepend=0))
        masses = tuple(_narrowed(mass[used]) for mass in self.masses)
        distances = tuple(one[gaps] for one in self.distances)
        return _restored_slots, (slots, steps, masses, distances, self.lowest, self.highest)

    def summary(self, n_pos: int, n_neg: int) -> RangeSummary:
        """The summary with the rows of each slot as ties, without scored AUC.

        It is exact if no slot between two cuts has rows of both classes.
        """
        return RangeSummary._of(self._pairs(n_pos, n_neg))

    def scored_summary(self, cuts: Array, rare: int, n_pos: int, n_neg: int) -> RangeSummary:
        """The summary with scored AUC, where the cuts are all scores of the class `rare`."""
        linear, sq_linear, sq_square = self.distances
        found = _core.summarize_scored_slots(
            cuts,
            *with_squares(self.masses),
            linear,
            sq_linear,
            sq_square,
            rare == 1,
            self.lowest,
            self.highest,
            self._pairs(n_pos, n_neg),
        )
        return RangeSummary._of(found)

    def _pairs(self, n_pos: int, n_neg: int) -> _core.RangeSummary:
        return _core.summarize_slots(*with_squares(self.masses), n_pos, n_neg, _core.thread_count())


def _restored_slots(
    slots: int, steps: Array, masses: tuple[Array, ...], distances: tuple[Array, ...], *ends: float
) -> SlotCounts:
    def spread(values: Array, places: Array, size: int) -> Array:
        whole = np.zeros(size, np.float64 if values.dtype.kind == "f" else np.int64)
        whole[places] = values
        return whole

    used = np.cumsum(steps, dtype=np.int64)
    gaps = used[used % 2 == 0] // 2
    return SlotCounts(
        tuple(spread(mass, used, slots) for mass in masses),
        tuple(spread(one, gaps, (slots + 1) // 2) for one in distances),
        *ends,
    )


def _narrowed(numbers: Array) -> Array:
    if numbers.dtype.kind == "f" or not len(numbers):
        return numbers
    return numbers.astype(np.min_scalar_type(int(numbers.max())))


@dataclass(frozen=True)
class CountTask:
    """Counts the rows of all models by slot; surveys them as well.

    If the cuts are all scores of the class `rare`, distances to them are added up too, for the
    scored AUC. With `coarse`, only scores in the slots that it names are sampled.
    """

    reader: RowReader
    cuts: tuple[Array, ...]
    threads: int = 1
    rare: int | None = None
    coarse: tuple[Array, ...] = ()
    sample_rows: int = SAMPLE_ROWS

    def __call__(self, frames: Iterable[pl.DataFrame]) -> tuple[Survey, list[SlotCounts]]:
        """The result of one part."""
        survey = Survey(samples=[ScoreSample(self.sample_rows) for _ in self.cuts])
        counters = [_core.SlotCounter(cuts, self.threads) for cuts in self.cuts]
        ends = [(np.inf, -np.inf) for _ in counters]
        for rows in surveyed(self.reader, frames, survey):
            for model, scores in enumerate(rows.scores):
                counter = counters[model]
                sampled = scores
                if self.coarse:
                    slots = counter.locate(rows.labels, scores)
                    sampled = scores[self.coarse[model][slots]]
                elif rows.weights is None:
                    counter.add(rows.labels, scores)
                if rows.weights is not None:
                    counter.add_weights(rows.labels, scores, rows.weights)
                survey.samples[model].add(sampled)
                if self.rare is not None:
                    counter.add_distances(rows.labels, scores, rows.weights, self.rare == 1)
                    low, high = ends[model]
                    ends[model] = min(low, float(scores.min())), max(high, float(scores.max()))
        weighted = self.reader.weight is not None
        return survey, [
            SlotCounts(
                one.weights() if weighted else (one.counts(True), one.counts(False)),
                () if self.rare is None else one.distances(),
                *two,
            )
            for one, two in zip(counters, ends, strict=True)
        ]


Counted = tuple[Survey, list[SlotCounts]]


def merged_counts(found: Iterable[Counted]) -> Counted:
    """The survey and the counts of several parts."""
    survey, slots = Survey(), list[SlotCounts]()
    for one, counted in found:
        survey.merge(one)
        slots = counted if not slots else [a + b for a, b in zip(slots, counted, strict=True)]
    return survey, slots


def divided_counts(counted: Counted, pieces: int) -> Iterator[Counted]:
    """Some of the slots in each piece, so that workers can add them up; the survey in the first."""
    survey, slots = counted
    for piece in range(pieces):
        some = []
        for one in slots:
            # A gap and the cut above it stay together.
            gaps = len(one.masses[0]) // 2 + 1
            first, last = piece * gaps // pieces, (piece + 1) * gaps // pieces
            masses = tuple(mass[2 * first : 2 * last] for mass in one.masses)
            distances = tuple(sums[first:last] for sums in one.distances)
            some.append(SlotCounts(masses, distances, one.lowest, one.highest))
        yield (survey if piece == 0 else Survey()), some


def rejoined_counts(pieces: list[Counted]) -> Counted:
    """The counts that `divided_counts` has divided."""
    slots = []
    for model in zip(*(some for _, some in pieces), strict=True):
        masses = zip(*(one.masses for one in model), strict=True)
        distances = zip(*(one.distances for one in model), strict=True)
        slots.append(
            SlotCounts(
                tuple(map(np.concatenate, masses)),
                tuple(map(np.concatenate, distances)),
                min(one.lowest for one in model),
                max(one.highest for one in model),
            )
        )
    return pieces[0][0], slots
