"""Groups of rows: clusters, such as patients, or strata, such as queries."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab import _core
from roclab.checks.labels_and_scores import widened
from roclab.checks.vectors import as_names
from roclab.errors import InputError, Parameter


@dataclass(frozen=True, kw_only=True, eq=False)
class Membership:
    """The cluster or stratum of every row of the input.

    Attributes
    ----------
    kind : str
        The parameter, ``"cluster"`` or ``"stratum"``.
    numbers : ndarray
        The group of every row, counted from 0 in order of first appearance.
    count : int
        Number of groups.
    """

    kind: str
    numbers: npt.NDArray[np.uint32]
    count: int

    @classmethod
    def of(cls, values: npt.ArrayLike, kind: str = "cluster") -> Membership:
        """From a name or a number for each row."""
        column = as_names(values, kind)
        if column.dtype.kind in "biu":
            return cls._of_integers(widened(column), kind)
        members = column.tolist()
        numbers = dict(zip(dict.fromkeys(members), itertools.count(), strict=False))
        found = np.fromiter(map(numbers.__getitem__, members), np.uint32, len(members))
        return cls(kind=kind, numbers=found, count=len(numbers))

    @classmethod
    def _of_integers(cls, values: npt.NDArray[Any], kind: str) -> Membership:
        threads = _core.thread_count()
        low = int(values.min()) if len(values) else 0
        span = int(values.max()) - low + 1 if len(values) else 0
        if 0 < span <= len(values):
            unsigned = values.dtype.kind != "i"  # beyond the largest signed ones, perhaps
            places = values - values.min() if unsigned else values.astype(np.int64) - low
            return cls._of_places(places.astype(np.int64), span, kind)
        order = _core.order_rows(values, threads)
        new = np.ones(len(order), np.bool_)
        new[1:] = values[order[1:]] != values[order[:-1]]
        # The sort is stable: a group begins with its first row.
        firsts = order[new]
        rank = np.empty(len(firsts), np.uint32)
        rank[_core.order_rows(firsts.astype(np.uint64), threads)] = np.arange(len(firsts))
        numbers = np.empty(len(order), np.uint32)
        numbers[order] = rank[np.cumsum(new) - 1]
        return cls(kind=kind, numbers=numbers, count=len(firsts))

    @classmethod
    def _of_places(cls, places: npt.NDArray[np.int64], span: int, kind: str) -> Membership:
        """From numbers below `span`, few enough to look each of them up."""
        first = np.full(span, len(places), np.int64)
        first[places[::-1]] = np.arange(len(places))[::-1]  # the last assignment counts
        found = np.flatnonzero(first < len(places))
        number = np.empty(span, np.uint32)
        ascending = _core.order_rows(first[found].astype(np.uint64), _core.thread_count())
        number[found[ascending]] = np.arange(len(found))
        return cls(kind=kind, numbers=number[places], count=len(found))

    def firsts(self) -> npt.NDArray[np.intp]:
        """The first row of each group."""
        firsts = np.empty(self.count, np.intp)
        firsts[self.numbers[::-1]] = np.arange(len(self.numbers))[::-1]
        return firsts

    def rows(self) -> list[npt.NDArray[Any]]:
        """The rows of each group, ascending."""
        order = _core.order_rows(self.numbers.astype(np.int64), _core.thread_count())
        sizes = np.bincount(self.numbers, minlength=self.count)
        return np.split(order, np.cumsum(sizes)[:-1]) if self.count else []

    def among(self, kept: npt.NDArray[np.intp] | None, rows: int) -> Membership:
        """The groups of the rows that a ranking includes; None for all rows.

        A group whose rows all have weight 0 is not counted.
        """
        found = len(self.numbers)
        if kept is None:
            if found != rows:
                raise self._wrong_length(f"{rows:,} rows")
            return self
        if len(kept) and found <= int(kept[-1]):
            raise self._wrong_length(f"at least {int(kept[-1]) + 1:,} rows")
        numbers = self.numbers[kept]
        firsts = replace(self, numbers=numbers).firsts()
        is_first = firsts[numbers] == np.arange(len(numbers))
        renumbered = (np.cumsum(is_first) - 1)[firsts[numbers]]
        return Membership(
            kind=self.kind,
            numbers=renumbered.astype(np.uint32),
            count=int(np.count_nonzero(is_first)),
        )

    def _wrong_length(self, rows: str) -> InputError:
        return InputError(
            found="{kind} has {values} values and there are {rows}",
            needed="one value per row is needed",
            kind=Parameter(self.kind),
            values=f"{len(self.numbers):,}",
            rows=rows,
        )
