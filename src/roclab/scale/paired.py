"""Several models on the same rows, where the rows of the rarer class fit into memory.

The placement of a row is the number of rows of the other class below it, ties counting half. A row
of the common class is looked up among the rare scores of each model. That gives its placements,
whose products are added up in integers, and counts at the rare scores and between them, which give
the placements of the rare rows at the end. No row of the common class is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from roclab import _core
from roclab.errors import InputError
from roclab.inference.estimation.delong import estimate_of_sums
from roclab.inference.estimation.joint_estimate import JointEstimate
from roclab.numeric.gram import IntegerSums
from roclab.readers.rows import RowCounts, RowReader, Rows, RowStore
from roclab.readers.values import Array
from roclab.scale.engine import Partitioned
from roclab.scale.plans import check_same, rows_of_class
from roclab.scale.tasks import Survey

Counts = npt.NDArray[np.int64]

# A score of the rarer class: its value as a row, as a cut and in a table, twice the placement at it
# and beside it, and counts of both classes there; for each thread in 32 bits once more.
_BYTES_PER_SCORE, _BYTES_PER_THREAD = 128, 16
_PLACEMENTS_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class RowsTask:
    """The rows of one class, or all of them, with the scores of all models side by side."""

    reader: RowReader
    label: int | None

    def __call__(self, frames: Iterable[pl.DataFrame]) -> Rows:
        """The rows of one part."""
        store = RowStore(0)
        for frame in frames:
            rows = self.reader.read(frame)
            if len(rows):
                store.add(rows if self.label is None else rows.of_class(self.label))
        return store.whole()


def gathered(table: Partitioned, reader: RowReader, label: int | None = None) -> Rows:
    """The rows of one class, or all of them, from all parts."""
    store = RowStore(0)
    for rows in table.map(RowsTask(reader, label)):
        if len(rows):
            store.add(rows)
    return store.whole()


class Lookup:
    """Rows of one class, looked up among the rows of the other one for each model.

    Parameters
    ----------
    cuts : sequence of ndarray
        For each model the distinct scores of the rarer class, ascending.
    others : iterable of ndarray
        For each model the number of rows of the other class by slot: below the first cut, at it,
        above it, at the next one and so on.
    threads : int
        Number of threads.
    """

    def __init__(self, cuts: Sequence[Array], others: Iterable[Counts], threads: int) -> None:
        self._counters = [_core.SlotCounter(values, threads) for values in cuts]
        self._twice = [_twice_placements(counts) for counts in others]
        self._threads = threads
        self.sums = IntegerSums.of_zeros(len(cuts), 0)

    def add(self, scores: Sequence[Array], rows: npt.NDArray[np.intp]) -> None:
        """Add the products of the placements of some rows."""
        step = max(_PLACEMENTS_AT_ONCE // len(scores), 1)
        for first in range(0, len(rows), step):
            some = rows[first : first + step]
            labels = np.zeros(len(some), np.uint8)
            placements = np.empty((len(scores), len(some)))
            for model, column in enumerate(scores):
                slots = self._counters[model].locate(labels, column[some])
                placements[model] = self._twice[model][slots]
            self.sums += IntegerSums.of(placements, self._threads)

    def slots(self) -> list[Counts]:
        """For each model the number of rows that were added, by slot."""
        return [counter.counts(False) for counter in self._counters]


def _twice_placements(counts: Counts) -> npt.NDArray[np.float64]:
    """Twice the placement at each slot, minus the number of rows, so that it is near 0."""
    twice: Counts = np.cumsum(counts)
    total = twice[-1]
    twice *= 2
    twice -= counts
    twice -= total
    return twice.astype(np.float64)


@dataclass(frozen=True)
class CutSizes:
    """The number of rows at each cut, in few bytes: a task is sent to every worker."""

    cuts: int
    sizes: Array | None

    @classmethod
    def of(cls, sizes: Counts) -> CutSizes:
        """Sizes as they are counted; none if there are no ties."""
        most = int(sizes.max(initial=0))
        return cls(len(sizes), None if most <= 1 else sizes.astype(np.min_scalar_type(most)))

    def by_slot(self) -> Counts:
        """Their number in each slot: none between cuts."""
        slots = np.zeros(2 * self.cuts + 1, np.int64)
        slots[1::2] = 1 if self.sizes is None else self.sizes
        return slots


@dataclass
class Placements:
    """What the rows of the common class add up to, in a part of a table or in all of it.

    Attributes
    ----------
    counts : RowCounts
        Rows of both classes.
    sums : IntegerSums
        Twice their placements among the rare rows, minus the number of these, for each model.
    slots : list of ndarray
        Their number by slot, for each model.
    """

    counts: RowCounts
    sums: IntegerSums
    slots: list[Counts] = field(default_factory=list)

    def merge(self, other: Placements) -> None:
        """Add the rows of another part."""
        self.counts.add(other.counts)
        self.sums += other.sums
        if not self.slots:
            self.slots = other.slots
            return
        for slots, more in zip(self.slots, other.slots, strict=True):
            slots += more

    def __reduce__(self) -> tuple[Any, ...]:
        # Without empty slots, which are most of them in a small part.
        used = [np.flatnonzero(slots) for slots in self.slots]
        packed = [
            (len(slots), places, slots[places])
            for slots, places in zip(self.slots, used, strict=True)
        ]
        return _unpacked, (self.counts, self.sums, packed)


def _unpacked(
    counts: RowCounts, sums: IntegerSums, packed: list[tuple[int, Array, Counts]]
) -> Placements:
    found = Placements(counts, sums)
    for size, places, used in packed:
        slots = np.zeros(size, np.int64)
        slots[places] = used
        found.slots.append(slots)
    return found


@dataclass(frozen=True)
class PlacementTask:
    """Looks the rows of the class `label` up among the scores of the other one."""

    reader: RowReader
    label: int
    cuts: tuple[Array, ...]
    sizes: tuple[CutSizes, ...]
    threads: int = 1

    def __call__(self, frames: Iterable[pl.DataFrame]) -> Placements:
        """The result of one part."""
        counts = RowCounts()
        lookup = Lookup(self.cuts, (one.by_slot() for one in self.sizes), self.threads)
        for frame in frames:
            rows = self.reader.read(frame)
            counts.add(rows.counts)
            chosen = np.flatnonzero(rows.labels == self.label)
            if len(chosen):
                lookup.add(rows.scores, chosen)
        return Placements(counts, lookup.sums, lookup.slots())


def rare_estimate(
    table: Partitioned, reader: RowReader, counts: RowCounts, rare: Rows
) -> JointEstimate:
    """The AUCs of all models with their covariance, by one pass over the table.

    `rare` has all rows of the rarer class, of the positives if there are as many of both.
    """
    models, n_pos, n_neg = len(reader.models), counts.pos, counts.neg
    if not len(rare):
        sums = (IntegerSums.of_zeros(models, size) for size in (n_pos, n_neg))
        return estimate_of_sums(reader.models, [0] * models, *sums)
    threads = _threads(table)
    ones = np.ones(len(rare), np.uint8)
    cuts, sizes = [], []
    for scores in rare.scores:
        distinct, at, _ = _core.group_scores(ones, scores, threads)
        cuts.append(distinct)
        sizes.append(CutSizes.of(at))
    label = rare_class(counts)
    found = Placements(RowCounts(), IntegerSums.of_zeros(models, 0))
    for part in table.map(PlacementTask(reader, 1 - label, tuple(cuts), tuple(sizes), threads)):
        found.merge(part)
    check_same(counts, found.counts)
    of_rare = Lookup(cuts, found.slots, threads)
    of_rare.add(rare.scores, np.arange(len(rare)))
    # The sums are of twice the rare rows below, minus all of them. Where these are the positives,
    # those below have lost.
    sign = -1 if label == 1 else 1
    twice_wins = [n_pos * n_neg + sign * total for total in found.sums.sums]
    pos, neg = (of_rare.sums, found.sums) if label == 1 else (found.sums, of_rare.sums)
    return estimate_of_sums(reader.models, twice_wins, pos, neg)


def rare_class(counts: RowCounts) -> int:
    """The class of the rarer rows."""
    return 1 if counts.pos <= counts.neg else 0


def rare_rows(table: Partitioned, reader: RowReader, survey: Survey) -> Rows:
    """All rows of the rarer class: those that were kept, or from a further pass."""
    label = rare_class(survey.counts)
    if survey.complete == "all":
        return survey.kept.of_class(label).whole()
    if survey.complete == label:
        return survey.kept.whole()
    return gathered(rows_of_class(table, reader, label), reader, label)


def check_rare_class(table: Partitioned, reader: RowReader, counts: RowCounts) -> None:
    """Raise unless the rarer class fits into memory."""
    rows = min(counts.pos, counts.neg)
    fit = table.broadcast_bytes // rare_row_bytes(table, reader)
    if rows <= fit:
        return
    raise InputError(
        found="The rarer class has {rows} rows with {models} scores each, and {fit} would fit into "
        "memory",
        needed="a paired comparison keeps the rows of one class, {bytes} here",
        fix="Allow more memory with {memory_limit}, name fewer columns with {y_score}, compare a "
        "sample of the rows with compare(read_scores(…)), or score independent samples with each "
        "model and use compare_independent_auc.",
        rows=f"{rows:,}",
        models=str(len(reader.models)),
        fit=f"{fit:,}",
        bytes=_as_text(rows * rare_row_bytes(table, reader)),
    )


def rare_row_bytes(table: Partitioned, reader: RowReader) -> int:
    """Memory that a row of the rarer class needs, with the counts at its scores."""
    per_score = _BYTES_PER_SCORE + _BYTES_PER_THREAD * _threads(table)
    return per_score * len(reader.models)


def _threads(table: Partitioned) -> int:
    return _core.thread_count() if table.keep_bytes else 1


def _as_text(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 10**9 else f"{size / 1e6:,.1f} MB"
