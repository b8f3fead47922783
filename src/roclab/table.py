"""One set of labels with several columns of scores over the same rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.errors import ColumnError, InputError
from roclab.options import shown
from roclab.ranking import Ranking
from roclab.validation import (
    as_labels,
    as_scores,
    as_weights,
    check_same_length,
    nan_scores,
    read_only,
)
from roclab.vector import SeveralModels, as_names


@dataclass(frozen=True, kw_only=True)
class MissingValues:
    """Rows and columns that a reader excluded.

    Attributes
    ----------
    rows_read : int
        Number of rows read.
    rows_dropped : int
        Number of rows excluded because of a missing value.
    by_column : mapping of str to int
        Missing values per column, if any.
    columns_skipped : tuple of str
        Columns that were not named and are not numeric, so not taken as scores.
    """

    rows_read: int = 0
    rows_dropped: int = 0
    by_column: Mapping[str, int] = field(default_factory=dict, hash=False)
    columns_skipped: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return {
            "rows_read": self.rows_read,
            "rows_dropped": self.rows_dropped,
            "by_column": dict(self.by_column),
            "columns_skipped": list(self.columns_skipped),
        }

    def __str__(self) -> str:
        columns = ", ".join(f"{name} {count:,}" for name, count in self.by_column.items())
        return (
            f"{self.rows_dropped:,} of {self.rows_read:,} rows left out, values missing: {columns}"
        )


class ScoreTable(SeveralModels):
    """Labels and named columns of scores over the same rows, so that comparisons are paired.

    Parameters
    ----------
    y_true : array-like
        Target labels, as for `Ranking`.
    scores : mapping of str to array-like
        One column of scores per model.
    sample_weight : array-like, optional
        Sample weights, as for `Ranking`.
    pos_label : optional
        Positive class label.
    groups : mapping of str to array-like, optional
        Columns by which the rows may be split.
    missing : MissingValues, optional
        What the reader excluded.

    Examples
    --------
    >>> table = ScoreTable([0, 1, 0, 1], {"a": [0.1, 0.4, 0.4, 0.8], "b": [4, 3, 2, 1]})
    >>> table
    ScoreTable(4 rows, 2 positive; scores: a, b)
    >>> table["a"]
    Ranking(2 positive, 2 negative, 3 distinct scores)
    """

    def __init__(
        self,
        y_true: npt.ArrayLike,
        scores: Mapping[str, npt.ArrayLike],
        *,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
        groups: Mapping[str, npt.ArrayLike] | None = None,
        missing: MissingValues | None = None,
    ) -> None:
        if not isinstance(scores, Mapping) or not scores:
            raise InputError(
                found="{scores} is {value}",
                needed="a mapping with at least one named column is needed",
                fix='Pass {scores=}{"model": y_score}.',
                value=shown(scores),
            )
        if groups is not None and not isinstance(groups, Mapping):
            raise InputError(
                found="{groups} is {value}",
                needed="a mapping of named columns is needed",
                fix='Pass {groups=}{"site": sites}.',
                value=shown(groups),
            )
        labels = as_labels(y_true, pos_label)
        rows = len(labels)
        columns: dict[str, npt.NDArray[Any]] = {}
        for name, values in scores.items():
            column = as_scores(values, f"column {name!r}")
            check_same_length(rows, len(column), f"column {name!r}")
            if column.dtype.kind == "f" and np.isnan(column).any():
                raise nan_scores(column, f"column {name!r}")
            if str(name) in columns:
                raise InputError(
                    found="Two columns are called {name}",
                    needed="names must differ",
                    name=repr(str(name)),
                )
            columns[str(name)] = read_only(column, values)
        self.y_true: npt.NDArray[np.bool_] = read_only(labels.view(np.bool_), y_true)
        self.scores: Mapping[str, npt.NDArray[Any]] = MappingProxyType(columns)
        self.sample_weight: npt.NDArray[np.float64] | None = (
            None
            if sample_weight is None
            else read_only(as_weights(sample_weight, rows), sample_weight)
        )
        self.groups: Mapping[str, npt.NDArray[Any]] = MappingProxyType(
            {name: _group_column(name, values, rows) for name, values in (groups or {}).items()}
        )
        self.missing = missing or MissingValues(rows_read=rows)
        self._rankings: dict[str, Ranking] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The score columns."""
        return tuple(self.scores)

    def __getitem__(self, name: str) -> Ranking:
        """The ranking of one score column, computed on first use."""
        if name not in self.scores:
            raise ColumnError(
                found="No score column {name}",
                fix="Columns: {columns}.",
                name=shown(name),
                columns=", ".join(self.scores),
            )
        if name not in self._rankings:
            self._rankings[name] = Ranking(
                self.y_true, self.scores[name], sample_weight=self.sample_weight
            )
        return self._rankings[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.y_true)

    def group_column(self, name: str) -> npt.NDArray[Any]:
        """The group of every row."""
        if not isinstance(name, Hashable) or name not in self.groups:
            raise ColumnError(
                found="No group column {name}",
                fix="Group columns: {columns}. Pass them with ScoreTable(groups=...) or "
                "read_scores(by=...).",
                name=shown(name),
                columns=", ".join(self.groups) or "none",
            )
        return self.groups[name]

    def split(self, by: str) -> dict[Any, ScoreTable]:
        """One table per value of a group column, in order of first appearance."""
        rows: dict[Any, list[int]] = {}
        for row, value in enumerate(self.group_column(by).tolist()):
            rows.setdefault(value, []).append(row)
        return {value: self._rows(np.array(numbers)) for value, numbers in rows.items()}

    def _rows(self, rows: npt.NDArray[Any]) -> ScoreTable:
        return ScoreTable(
            self.y_true[rows],
            {name: column[rows] for name, column in self.scores.items()},
            sample_weight=None if self.sample_weight is None else self.sample_weight[rows],
            groups={name: column[rows] for name, column in self.groups.items()},
        )

    def __getstate__(self) -> dict[str, Any]:
        # Rankings are computed again when needed; a mapping proxy cannot be pickled.
        plain = {"scores": dict(self.scores), "groups": dict(self.groups), "_rankings": {}}
        return self.__dict__ | plain

    def __setstate__(self, state: dict[str, Any]) -> None:
        columns = [*state["scores"].values(), *state["groups"].values()]
        for array in (state["y_true"], state["sample_weight"], *columns):
            if array is not None:
                array.flags.writeable = False
        state["scores"] = MappingProxyType(state["scores"])
        state["groups"] = MappingProxyType(state["groups"])
        self.__dict__.update(state)

    def __repr__(self) -> str:
        positive = int(np.count_nonzero(self.y_true))
        left_out = f"; {self.missing}" if self.missing.rows_dropped else ""
        return (
            f"ScoreTable({len(self):,} rows, {positive:,} positive; "
            f"scores: {', '.join(self.names)}{left_out})"
        )


def _group_column(name: str, values: npt.ArrayLike, rows: int) -> npt.NDArray[Any]:
    name = f"groups[{name!r}]"
    column = as_names(values, name)
    check_same_length(rows, len(column), name)
    return read_only(column, values)
