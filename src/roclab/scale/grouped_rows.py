"""Rows of many groups in memory, and the estimates of each group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import narwhals as nw
import numpy as np
import numpy.typing as npt
import polars as pl

from roclab import _core
from roclab.readers.keys import python_values
from roclab.readers.rows import RowReader, Rows, RowStore
from roclab.readers.values import Array
from roclab.scale.tasks import summary_of

Numbers = npt.NDArray[np.uint32]

_OWN_NUMBERS = 1 << 22  # integers below are found in a table, others by a join
_ROWS_PER_KEY = 4  # of a join, which reads all keys; fewer rows wait for others


@dataclass(frozen=True, kw_only=True)
class GroupEstimates:
    """Estimates of one model in many groups: an entry of each array for each key."""

    keys: list[Any]
    n_pos: Array
    n_neg: Array
    pos: Array
    neg: Array
    auc: Array
    variance: Array
    scored: Array | None = None


class GroupedRows(Protocol):
    """Rows of many groups: added as they are read, then evaluated together."""

    @property
    def nbytes(self) -> int:
        """Memory of all rows."""

    def add(self, rows: Rows, groups: pl.Series) -> None:
        """Append rows; `groups` has those of rows of weight 0 too."""

    def sizes(self) -> Iterator[tuple[Any, int]]:
        """Each group in order of first appearance, with the number of its rows.

        Rows of weight 0 do not count, but their groups appear.
        """

    def estimates(self) -> list[GroupEstimates]:
        """The estimates of every group with rows, for each model. No rows can be added later."""


def grouped_rows(reader: RowReader, scored: bool) -> GroupedRows:
    """An empty store for rows of a reader."""
    if reader.weight is not None or scored:
        return WholeRows(scored)
    return DividedScores(len(reader.models))


class DividedScores:
    """Scores without weights, divided by group and class as they are read: nothing else is kept."""

    def __init__(self, models: int) -> None:
        self._numbers = GroupNumbers()
        self._scores = [_core.GroupedScores() for _ in range(models)]
        self._waiting: list[Rows] = []

    @property
    def nbytes(self) -> int:
        """Memory of all rows."""
        divided = sum(scores.nbytes for scores in self._scores)
        return divided + sum(rows.nbytes for rows in self._waiting)

    def add(self, rows: Rows, groups: pl.Series) -> None:  # noqa: ARG002, as rows have them
        """Append rows."""
        self._waiting.append(rows)
        if sum(map(len, self._waiting)) >= _ROWS_PER_KEY * self._numbers.joined:
            self._divide()

    def sizes(self) -> Iterator[tuple[Any, int]]:
        """Each group in order of first appearance, with the number of its rows."""
        self._divide()
        numbers, rows = self._scores[0].rows()
        sizes = np.zeros(self._numbers.count, np.int64)
        sizes[numbers] = rows
        appeared = self._numbers.appeared()
        return zip(self._numbers.keys(appeared), sizes[appeared].tolist(), strict=True)

    def estimates(self) -> list[GroupEstimates]:
        """The estimates of every group, for each model."""
        self._divide()
        found = []
        while self._scores:
            scores = self._scores.pop(0)  # so that its memory is free for the next one
            numbers, pos, neg, auc, variance = scores.pairs(_core.thread_count())
            keys = self._numbers.keys(numbers)
            one = GroupEstimates(
                keys=keys, n_pos=pos, n_neg=neg, pos=pos, neg=neg, auc=auc, variance=variance
            )
            found.append(one)
        return found

    def _divide(self) -> None:
        groups = [rows.groups for rows in self._waiting if rows.groups is not None]
        if not groups:
            return
        numbers = self._numbers.of(pl.concat(groups))
        first = 0
        for rows in self._waiting:
            chosen = numbers[first : first + len(rows)]
            for one, scores in zip(self._scores, rows.scores, strict=True):
                one.add(chosen, self._numbers.count, rows.labels, scores)
            first += len(rows)
        self._waiting = []


class WholeRows:
    """Rows with weights or for the scored AUC, whose groups are evaluated one by one."""

    def __init__(self, scored: bool) -> None:
        self._store = RowStore(0)
        self._groups: list[pl.Series] = []  # distinct ones of each frame, as they appear
        self._scored = scored

    @property
    def nbytes(self) -> int:
        """Memory of all rows."""
        return self._store.nbytes

    def add(self, rows: Rows, groups: pl.Series) -> None:
        """Append rows; `groups` has those of rows of weight 0 too."""
        self._groups.append(first_of_each(groups))
        if len(rows):
            self._store.add(rows)

    def sizes(self) -> Iterator[tuple[Any, int]]:
        """Each group in order of first appearance, with the number of its rows."""
        kept = self._store.whole().groups
        sizes = {} if kept is None else dict(sizes_of_groups(kept))
        appeared = keys_of(first_of_each(pl.concat(self._groups))) if self._groups else ()
        return ((key, sizes.get(key, 0)) for key in appeared)

    def estimates(self) -> list[GroupEstimates]:
        """The estimates of every group, for each model."""
        rows = self._store.whole()
        if rows.groups is None:
            return []
        groups = GroupNumbers()
        numbers = groups.of(rows.groups)
        keys = groups.keys(np.flatnonzero(np.bincount(numbers)))
        return [self._evaluated(keys, numbers, rows, scores) for scores in rows.scores]

    def _evaluated(
        self, keys: list[Any], numbers: Numbers, rows: Rows, scores: Array
    ) -> GroupEstimates:
        names = ["n_pos", "n_neg", "effective_pos", "effective_neg", "auc", "auc_variance"]
        names += ["scored_auc"] * self._scored
        table = np.empty((len(names), len(keys)))
        for place, chosen in enumerate(_rows_by_group(numbers)):
            weights = None if rows.weights is None else rows.weights[chosen]
            summary = summary_of(rows.labels[chosen], scores[chosen], weights, scored=self._scored)
            table[:, place] = [getattr(summary, name) for name in names]
        n_pos, n_neg, pos, neg, auc, variance, *rest = table
        return GroupEstimates(
            keys=keys,
            n_pos=n_pos,
            n_neg=n_neg,
            pos=pos,
            neg=neg,
            auc=auc,
            variance=variance,
            scored=rest[0] if self._scored else None,
        )


def _rows_by_group(numbers: Numbers) -> Iterator[Array]:
    order = _core.order_rows(numbers.astype(np.int64), _core.thread_count())
    sizes = np.bincount(numbers)
    first = 0
    for last in np.cumsum(sizes[sizes > 0]).tolist():
        yield order[first:last]
        first = last


class GroupNumbers:
    """A number for each group, given as groups appear. Small integers are their own numbers."""

    def __init__(self) -> None:
        self.count = 0  # above all numbers
        self._keys: pl.Series | None = None  # by number, unless integers are their own
        self._seen = np.zeros(0, np.bool_)  # by number
        self._appeared: list[Numbers] = []

    @property
    def joined(self) -> int:
        """The number of keys that a call of `of` reads."""
        return 0 if self._keys is None else len(self._keys)

    def of(self, column: pl.Series) -> Numbers:
        """The number of the group of each row."""
        numbers = self._found(column)
        if self.count > len(self._seen):
            self._seen.resize(max(self.count, 2 * len(self._seen)), refcheck=False)
        new = numbers[~self._seen[numbers]]
        if len(new):
            self._appeared.append(first_of_each(pl.Series(new)).to_numpy())
            self._seen[new] = True
        return numbers

    def appeared(self) -> Numbers:
        """All numbers, in order of first appearance."""
        return np.concatenate(self._appeared or [np.zeros(0, np.uint32)])

    def _found(self, column: pl.Series) -> Numbers:
        if self._keys is None:
            highest = _highest_of_small(column)
            if highest is not None:
                self.count = max(self.count, highest + 1)
                return column.cast(pl.UInt32).to_numpy()
            self._keys = column.clear()
            if self.count:
                self._keys = pl.Series(np.arange(self.count)).cast(column.dtype)
        found = _places(column, self._keys)
        numbers = found.fill_null(0).to_numpy().astype(np.uint32)
        if found.null_count():
            unknown = found.is_null()
            others = column.filter(unknown)
            new = others.value_counts().to_series()
            numbers[unknown.to_numpy()] = _places(others, new).to_numpy() + len(self._keys)
            self._keys = pl.concat([self._keys.alias(new.name), new])
        self.count = len(self._keys)
        return numbers

    def keys(self, numbers: npt.NDArray[Any]) -> list[Any]:
        """The groups that have these numbers."""
        return keys_of(pl.Series(numbers) if self._keys is None else self._keys.gather(numbers))


def keys_of(groups: pl.Series) -> list[Any]:
    """Groups as they appear in results."""
    return python_values(nw.from_native(groups, series_only=True))


def sizes_of_groups(groups: pl.Series) -> Iterator[tuple[Any, int]]:
    """Each group with the number of its rows."""
    counted = groups.value_counts(name="roclab: rows")
    return zip(keys_of(counted.to_series(0)), counted.to_series(1).to_list(), strict=True)


def first_of_each(column: pl.Series) -> pl.Series:
    """The distinct values, in order of first appearance."""
    return column.filter(column.is_first_distinct())


def _highest_of_small(column: pl.Series) -> int | None:
    """The highest value if all are their own numbers."""
    if not column.dtype.is_integer():
        return None
    lowest: Any = column.min()
    highest: Any = column.max()
    return highest if 0 <= lowest <= highest < _OWN_NUMBERS else None


def _places(column: pl.Series, keys: pl.Series) -> pl.Series:
    table = pl.DataFrame([keys.alias("key")]).with_row_index("place")
    rows = pl.DataFrame([column.alias("key")])
    return rows.join(table, on="key", how="left", maintain_order="left")["place"]
