"""Frames of a large table as labels, scores, weights and groups; what was left out is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from roclab import _core
from roclab.readers.columns import MISSING
from roclab.readers.text import typed

Array = npt.NDArray[Any]

_WIDER: dict[Any, Any] = {  # types without a kernel, and the next one that holds all their values
    pl.Boolean: pl.Int32,
    pl.Int8: pl.Int32,
    pl.Int16: pl.Int32,
    pl.UInt8: pl.Int32,
    pl.UInt16: pl.Int32,
    pl.UInt32: pl.Int64,
    pl.Int128: pl.Float64,
    pl.UInt128: pl.Float64,
    pl.Decimal: pl.Float64,
    pl.Null: pl.Float64,
}
TIMES = "roclab: equal rows"  # of frames whose rows stand for several
SCORE_TYPES = (pl.Float64, pl.Float32, pl.Int32, pl.Int64, pl.UInt64, *_WIDER)
_MOST_LABELS = 20  # enough for a message


@dataclass
class RowCounts:
    """What was read, left out and seen, in a part of a table or in all of it."""

    read: int = 0
    dropped: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    labels: set[Any] = field(default_factory=set)
    pos: int = 0
    neg: int = 0

    def add(self, other: RowCounts) -> None:
        """Add the counts of another part."""
        self.read += other.read
        self.dropped += other.dropped
        self.missing += other.missing
        self.refused += other.refused
        self.labels |= other.labels
        self.pos += other.pos
        self.neg += other.neg


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
    label, weight, by : str or None
        Columns.
    models : tuple of str
        Score columns.
    pos_label : object
        Positive label; None for 0/1, -1/1 and booleans.
    text : bool
        Whether all columns are text, as in CSV files.
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
    text: bool = False
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
        """The complete rows of a frame. Refused values are counted, and their rows left out."""
        frame = frame.select(self.columns)
        counts = RowCounts(read=self._rows(frame))
        if self.text:
            frame = self._typed(frame, counts)
        incomplete: pl.Series | None = None
        for name in self.columns:
            absent = _absent(frame[name])
            if absent is not None:
                counts.missing[name] = self._rows(frame, absent)
                incomplete = absent if incomplete is None else incomplete | absent
        if incomplete is not None:
            counts.dropped = self._rows(frame, incomplete)
            frame = frame.filter(~incomplete)
        if self.weight is not None:
            frame = self._weighted(frame, self.weight, counts)
        labels = self._labels(frame[self.label], counts)
        times = _numbers(frame[TIMES].cast(pl.Int64)) if self.counted else None
        counts.pos = int(np.count_nonzero(labels) if times is None else times[labels == 1].sum())
        counts.neg = self._rows(frame) - counts.pos
        return Rows(
            labels=labels,
            scores=[_numbers(frame[name]) for name in self.models],
            weights=None if self.weight is None else _numbers(frame[self.weight].cast(pl.Float64)),
            groups=None if self.by is None else frame[self.by],
            counts=counts,
            times=times,
        )

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

    def _typed(self, frame: pl.DataFrame, counts: RowCounts) -> pl.DataFrame:
        others = {self.label, self.by}
        columns = []
        for column in frame.get_columns():
            if column.name == self.label:
                columns.append(typed(column))
                continue
            stripped = column.str.strip_chars()
            present = stripped.set(stripped.is_in(MISSING), None)
            if column.name not in others:
                values = present.cast(pl.Float64, strict=False)
                counts.refused[column.name] += values.null_count() - present.null_count()
                present = values
            columns.append(present)
        return pl.DataFrame(columns)

    def _weighted(self, frame: pl.DataFrame, weight: str, counts: RowCounts) -> pl.DataFrame:
        weights = frame[weight].cast(pl.Float64)
        # As `roclab.validation`: finite, not negative, with finite fourth powers.
        fine = weights.is_between(1e-60 / (1 + 1e-12), 1e60 * (1 + 1e-12))
        counts.refused[weight] += int((~fine & (weights != 0)).sum())
        return frame if fine.all() else frame.filter(fine)

    def _labels(self, column: pl.Series, counts: RowCounts) -> npt.NDArray[np.uint8]:
        if self.pos_label is None and (column.dtype.is_integer() or column.dtype.is_float()):
            numbers = column.cast(_WIDER.get(column.dtype.base_type(), column.dtype))
            labels, zero, minus_one, other = _core.binary_labels(_numbers(numbers))
            if not other:
                seen = {0: zero, -1: minus_one, 1: labels.any()}
                counts.labels |= {value for value, found in seen.items() if found}
                return labels
        if self.pos_label is None and column.dtype == pl.Boolean:
            counts.labels |= {value for value in (False, True) if (column == value).any()}
            truths: npt.NDArray[np.uint8] = column.to_numpy().view(np.uint8)
            return truths
        values = column.value_counts().to_series()
        counts.labels |= set(values.head(_MOST_LABELS).to_list())
        wanted = label_of(True if self.pos_label is None else self.pos_label, column.dtype)
        if wanted is None:
            return np.zeros(len(column), np.uint8)
        equal: npt.NDArray[np.uint8] = (column == wanted).to_numpy().view(np.uint8)
        return equal


def label_of(pos_label: Any, dtype: pl.DataType) -> Any:
    """The positive label in the type of the column; None if no row can have it."""
    if dtype.is_numeric():
        try:
            return float(pos_label) if isinstance(pos_label, str) else pos_label
        except ValueError:
            return None
    if dtype == pl.Boolean:
        words = {"true": True, "1": True, "false": False, "0": False}
        return words.get(str(pos_label).strip().lower())
    texts = (pl.String, pl.Categorical, pl.Enum)
    return pos_label if isinstance(pos_label, str) == (dtype.base_type() in texts) else None


def _absent(column: pl.Series) -> pl.Series | None:
    """Where a value is null or NaN; None if nowhere."""
    absent = column.is_null() if column.null_count() else None
    if column.dtype.is_float():
        nan = column.is_nan()
        if nan.any():
            nan = nan.fill_null(False)
            absent = nan if absent is None else absent | nan
    return absent


def _numbers(column: pl.Series) -> Array:
    wider = _WIDER.get(column.dtype.base_type())
    return np.require((column if wider is None else column.cast(wider)).to_numpy(), None, "C")
