"""Frames of a large table as labels, scores, weights and groups; what was left out is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt
import polars as pl

from roclab.data.table import MissingValues
from roclab.errors import InputError
from roclab.readers.columns import Columns
from roclab.readers.keys import refused_key
from roclab.readers.values import (
    Array,
    check_labels,
    missing_values,
    no_complete_row,
    numbers,
    positives,
    refused_score,
    refused_weight,
    smallest,
    whole_rows,
)

TIMES = "roclab: equal rows"  # of frames whose rows stand for several


@dataclass
class RowCounts:
    """What was read, left out and seen, in a part of a table or in all of it.

    Attributes
    ----------
    read, dropped : int
        All rows, and those that miss a value.
    missing : Counter
        Missing values by column.
    labels : list
        The smallest labels of parts without a row of the positive one that was named.
    named_label : bool
        Whether some row has the positive label that was named.
    pos, neg : int
        Complete rows of each class whose weight is not 0.
    """

    read: int = 0
    dropped: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    labels: list[Any] = field(default_factory=list)
    named_label: bool = False
    pos: int = 0
    neg: int = 0

    def add(self, other: RowCounts) -> None:
        """Add the counts of another part."""
        self.read += other.read
        self.dropped += other.dropped
        self.missing += other.missing
        if other.labels != self.labels:
            self.labels = smallest([*self.labels, *other.labels])
        self.named_label |= other.named_label
        self.pos += other.pos
        self.neg += other.neg

    def left_out(self, columns: Iterable[str]) -> MissingValues:
        """The rows that were left out, and the missing values in the order of the columns."""
        by_column = {name: self.missing[name] for name in columns if self.missing[name]}
        return MissingValues(rows_read=self.read, rows_dropped=self.dropped, by_column=by_column)


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Complete rows: one array of scores for each model, in a type of the core."""

    labels: npt.NDArray[np.uint8]
    scores: list[Array]
    weights: npt.NDArray[np.float64] | None
    groups: pl.Series | None
    counts: RowCounts
    times: npt.NDArray[np.int64] | None = None  # rows of the table that each stands for, if not 1

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def nbytes(self) -> int:
        """Memory of labels, scores and weights."""
        arrays = [self.labels, *self.scores, *(() if self.weights is None else (self.weights,))]
        groups = 0 if self.groups is None else int(self.groups.estimated_size())
        return sum(int(array.nbytes) for array in arrays) + groups

    def of_class(self, label: int) -> Rows:
        """The rows of one class."""
        chosen = self.labels == label
        return replace(
            self,
            labels=self.labels[chosen],
            scores=[scores[chosen] for scores in self.scores],
            weights=None if self.weights is None else self.weights[chosen],
            groups=None if self.groups is None else self.groups.filter(pl.Series(chosen)),
            times=None if self.times is None else self.times[chosen],
        )


class RowStore:
    """Rows of many frames in arrays that grow in place, so that nothing is copied twice."""

    def __init__(self, rows: int) -> None:
        self._expected = rows
        self._used = 0
        self._arrays: list[Array] = []
        self._groups: list[pl.Series] = []
        self._weighted = False

    @property
    def nbytes(self) -> int:
        """Memory of all arrays."""
        groups = sum(int(one.estimated_size()) for one in self._groups)
        return sum(int(array.nbytes) for array in self._arrays) + groups

    def add(self, rows: Rows) -> None:
        """Append rows."""
        self._weighted = rows.weights is not None
        columns = [rows.labels, *rows.scores, *(() if rows.weights is None else (rows.weights,))]
        end = self._used + len(rows)
        if not self._arrays:
            self._arrays = [np.empty(max(self._expected, end), one.dtype) for one in columns]
        if end > len(self._arrays[0]):
            for array in self._arrays:
                array.resize(end + end // 4, refcheck=False)
        for array, column in zip(self._arrays, columns, strict=True):
            array[self._used : end] = column
        if rows.groups is not None:
            self._groups.append(rows.groups)
        self._used = end

    def whole(self) -> Rows:
        """All rows."""
        arrays = self._arrays or [np.zeros(0, np.uint8)]
        labels, *others = (array[: self._used] for array in arrays)
        return Rows(
            labels=labels,
            scores=others[: len(others) - self._weighted],
            weights=others[-1] if self._weighted else None,
            groups=pl.concat(self._groups) if self._groups else None,
            counts=RowCounts(),
        )

    def of_class(self, label: int) -> RowStore:
        """The rows of one class."""
        store = RowStore(0)
        if self._arrays:
            store.add(self.whole().of_class(label))
        return store


@dataclass(frozen=True, kw_only=True)
class RowReader:
    """The role of each column, and how a frame is read. Sent to workers, so it can be pickled.

    Attributes
    ----------
    label : str
        Label column.
    models : tuple of str
        Score columns.
    weight : str or None
        Weight column.
    by : str or None
        Group column.
    pos_label : object
        Positive label, in the type of the column; None for 0/1, -1/1 and booleans.
    also : tuple of str
        Further columns: rows that miss one of their values are left out too.
    counted : bool
        Whether frames have distinct rows only, with the number of each in the column `TIMES`.
    """

    label: str
    models: tuple[str, ...]
    weight: str | None = None
    by: str | None = None
    pos_label: Any = None
    also: tuple[str, ...] = ()
    counted: bool = False

    @property
    def columns(self) -> list[str]:
        """Every column that is read."""
        named = [name for name in (self.label, self.weight, self.by) if name is not None]
        times = (TIMES,) if self.counted else ()
        return list(dict.fromkeys([*named, *self.models, *self.also, *times]))

    def of(self, *models: str, by: str | None = None, complete: bool = False) -> RowReader:
        """The same rows, for some models only. Other columns are not read if all are `complete`."""
        also = () if complete else tuple(self.columns)
        return replace(self, models=models, by=by, also=also)

    def read(self, frame: pl.DataFrame) -> Rows:
        """The complete rows of a frame. A value that cannot be used is an error."""
        frame = frame.select(self.columns)
        counts = RowCounts(read=self._rows(frame))
        absent = {name: missing_values(_series(frame, name)) for name in self.columns}
        for name, missing in absent.items():
            if missing is not None:
                counts.missing[name] = self._rows(frame, missing.to_native())
        whole = whole_rows(absent.values())
        if whole is not None:
            kept = whole.to_native()
            counts.dropped = counts.read - self._rows(frame, kept)
            frame = frame.filter(kept)
        refused = self._refused(frame)
        if refused is not None:
            raise refused[1]
        labels, counts.labels = positives(_series(frame, self.label), self.pos_label)
        counts.named_label = self.pos_label is not None and bool(labels.any())
        weights = None
        if self.weight is not None:
            weights = numbers(_series(frame, self.weight)).astype(np.float64, copy=False)
            if not weights.all():
                present = weights > 0
                labels, weights = labels[present], weights[present]
                frame = frame.filter(pl.Series(present))
        times = frame[TIMES].cast(pl.Int64).to_numpy() if self.counted else None
        counts.pos = int(np.count_nonzero(labels) if times is None else times[labels == 1].sum())
        counts.neg = self._rows(frame) - counts.pos
        return Rows(
            labels=labels,
            scores=[numbers(_series(frame, name)) for name in self.models],
            weights=weights,
            groups=None if self.by is None else frame[self.by],
            counts=counts,
            times=times,
        )

    def first_refused(self, frame: pl.DataFrame) -> tuple[int, InputError] | None:
        """The first row of a frame with a value that cannot be used, and its error."""
        absent = [missing_values(_series(frame, name)) for name in self.columns]
        whole = whole_rows(absent)
        rows = np.arange(frame.height)
        if whole is not None:
            kept = whole.to_native()
            rows, frame = rows[kept.to_numpy()], frame.filter(kept)
        refused = self._refused(frame)
        return None if refused is None else (int(rows[refused[0]]), refused[1])

    def _refused(self, frame: pl.DataFrame) -> tuple[int, InputError] | None:
        for name in self.models:
            refused = refused_score(_series(frame, name))
            if refused is not None:
                return refused
        if self.weight is not None:
            refused = refused_weight(_series(frame, self.weight))
            if refused is not None:
                return refused
        for name in (self.label, *(() if self.by is None else (self.by,))):
            refused = refused_key(_series(frame, name))
            if refused is not None:
                return refused
        return None

    def _rows(self, frame: pl.DataFrame, chosen: pl.Series | None = None) -> int:
        """How many rows of the table a frame stands for, or the chosen ones of its rows."""
        if not self.counted:
            return frame.height if chosen is None else int(chosen.sum())
        times = frame[TIMES]
        return int((times if chosen is None else times.filter(chosen)).sum())

    def read_all(self, frames: Iterable[pl.DataFrame]) -> Rows:
        """The complete rows of several frames together."""
        if self.counted and (kept := [*frames]):
            return self.read(pl.concat(kept))
        store = RowStore(0)
        for frame in frames:
            rows = self.read(frame)
            if len(rows):
                store.add(rows)
        return store.whole()


def check_counts(counts: RowCounts, reader: RowReader) -> None:
    """Raise for what cannot be used, once for the whole table."""
    if counts.read == 0:
        raise InputError(found="The table has no rows", needed="at least one row is needed")
    rows = counts.read - counts.dropped
    if rows == 0:
        columns = Columns(label=reader.label, scores=reader.models, weight=reader.weight, groups=())
        raise no_complete_row(counts.left_out(reader.columns), columns)
    if not counts.named_label:
        check_labels(counts.labels, reader.pos_label, column=reader.label, rows=rows)


def _series(frame: pl.DataFrame, name: str) -> nw.Series[Any]:
    return nw.from_native(frame[name], series_only=True)
