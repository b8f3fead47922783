"""One set of labels with several columns of scores over the same rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from roclab.checks.labels_and_scores import (
    as_labels,
    as_scores,
    as_weights,
    check_same_length,
    nan_scores,
    read_only,
)
from roclab.checks.options import shown
from roclab.checks.vectors import SeveralModels, as_names
from roclab.data.ranked_rows import RankedRows
from roclab.data.ranking import Ranking
from roclab.data.row_groups import Membership
from roclab.errors import ColumnError, InputError
from roclab.result import Record, presented


@dataclass(frozen=True, kw_only=True)
class MissingValues(Record):
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
    identifiers : tuple of str
        Columns that were not named and look like identifiers or numbers of folds, so not taken as
        scores either.
    separator, decimal : str or None
        What separates the fields of a text file and the decimals of its numbers, where that was
        detected.
    """

    rows_read: int = 0
    rows_dropped: int = 0
    by_column: Mapping[str, int] = field(default_factory=dict, hash=False)
    columns_skipped: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    separator: str | None = None
    decimal: str | None = None

    def __str__(self) -> str:
        columns = ", ".join(f"{name} {count:,}" for name, count in self.by_column.items())
        return (
            f"{self.rows_dropped:,} of {self.rows_read:,} rows left out, values missing: {columns}"
        )


@dataclass(frozen=True, kw_only=True)
class UnlabelledRows:
    """Rows that have scores, but no label.

    Attributes
    ----------
    scores : mapping of str to ndarray
        One column of scores per model, as in the table.
    groups : mapping of str to ndarray
        Columns by which the rows may be split.
    """

    scores: Mapping[str, npt.NDArray[Any]]
    groups: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)

    def of_group(self, by: str, value: Any) -> UnlabelledRows:
        """The rows of one group.

        Parameters
        ----------
        by : str
            Name of a group column.
        value : object
            Group, a value of this column.
        """
        rows = self.groups[by] == value
        return UnlabelledRows(
            scores={name: one[rows] for name, one in self.scores.items()},
            groups={name: one[rows] for name, one in self.groups.items()},
        )


class ScoreTable(SeveralModels):
    """Labels and named columns of scores over the same rows, so that comparisons are paired.

    Parameters
    ----------
    y_true : array-like
        Target labels (see `Ranking`).
    scores : mapping of str to array-like
        One column of scores per model.
    groups : mapping of str to array-like, optional
        Columns by which the rows may be split.
    missing : MissingValues, optional
        What the reader excluded.
    unlabelled : UnlabelledRows, optional
        Rows without a label, which `evaluate` uses for bounds of the AUC.
    positive : str, optional
        What the positive examples are, such as ``"default = 1"``, for reports. A reader takes it
        from the label column.
    sample_weight : array-like, optional
        Sample weights, finite and not negative. Rows of weight 0 are excluded.
    pos_label : object, optional
        Positive class label.

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
        groups: Mapping[str, npt.ArrayLike] | None = None,
        missing: MissingValues | None = None,
        unlabelled: UnlabelledRows | None = None,
        positive: str | None = None,
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
    ) -> None:
        if hasattr(scores, "shape"):
            raise InputError(
                found="{scores} is a {kind}",
                needed="a mapping of named columns is needed",
                fix='Pass {scores=}{"model": y_score}, or read_scores(frame, y_true="label") for a '
                "frame with labels and scores.",
                kind=type(scores).__name__,
            )
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
        weights = None if sample_weight is None else as_weights(sample_weight, rows)
        kept = None if weights is None else np.flatnonzero(weights)
        columns: dict[str, npt.NDArray[Any]] = {}
        for name, values in scores.items():
            column = as_scores(values, f"column {name!r}")
            check_same_length(rows, len(column), f"column {name!r}")
            counted = column if kept is None else column[kept]
            if column.dtype.kind == "f" and np.isnan(counted).any():
                raise nan_scores(counted, f"column {name!r}", numbers=kept)
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
            None if weights is None else read_only(weights, sample_weight)
        )
        self.groups: Mapping[str, npt.NDArray[Any]] = MappingProxyType(
            {name: _group_column(name, values, rows) for name, values in (groups or {}).items()}
        )
        self.missing = missing or MissingValues(rows_read=rows)
        self.unlabelled = unlabelled
        self.positive = positive
        self._rankings: dict[str, Ranking] = {}
        self._members: dict[str, Membership] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The score columns."""
        return tuple(self.scores)

    def __getitem__(self, name: str) -> Ranking:
        """The ranking of one score column, computed on first use and kept.

        Parameters
        ----------
        name : str
            Name of a score column.
        """
        if name not in self._rankings:
            self._rankings[name] = self.ranking(name)
        return self._rankings[name]

    def ranking(self, name: str) -> Ranking:
        """The ranking of one score column, as ``table[name]``, but not kept in memory.

        Parameters
        ----------
        name : str
            Name of a score column.
        """
        if name not in self.scores:
            near = get_close_matches(str(name), self.scores, n=1)
            raise ColumnError(
                found="No score column {name}",
                fix="Columns: {columns}." + (" Did you mean {near}?" if near else ""),
                name=shown(name),
                columns=", ".join(self.scores),
                near="".join(map(repr, near)),
            )
        if name in self._rankings:
            return self._rankings[name]
        labels, weights, numbers = self._examples
        scores = self.scores[name] if numbers is None else self.scores[name][numbers]
        return Ranking._of_rows(RankedRows(labels, scores, weights, numbers))

    @cached_property
    def _examples(
        self,
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64] | None, npt.NDArray[np.intp] | None]:
        """Labels, weights and numbers of the rows of positive weight, shared by all rankings."""
        labels = self.y_true.view(np.uint8)
        if self.sample_weight is None:
            return labels, None, None
        kept = np.flatnonzero(self.sample_weight)
        return labels[kept], self.sample_weight[kept], kept

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.y_true)

    def group_column(self, name: str) -> npt.NDArray[Any]:
        """The group of every row.

        Parameters
        ----------
        name : str
            Name of a group column.
        """
        if not isinstance(name, Hashable) or name not in self.groups:
            raise ColumnError(
                found="No group column {name}",
                fix="Group columns: {columns}. Pass them with ScoreTable(groups=...) or "
                "read_scores(by=...).",
                name=shown(name),
                columns=", ".join(self.groups) or "none",
            )
        return self.groups[name]

    def members(self, name: str) -> Membership:
        """The group of every row as a number, computed on first use and kept.

        Parameters
        ----------
        name : str
            Name of a group column.
        """
        column = self.group_column(name)
        if name not in self._members:
            self._members[name] = Membership.of(column)
        return self._members[name]

    def split(self, by: str) -> dict[Any, ScoreTable]:
        """One table per value of a group column, in order of first appearance.

        Parameters
        ----------
        by : str
            Name of a group column.
        """
        members = self.members(by)
        values = self.groups[by][members.firsts()].tolist()
        parts = {value: self.take(rows) for value, rows in zip(values, members.rows(), strict=True)}
        if self.unlabelled is not None:
            for value, part in parts.items():
                part.unlabelled = self.unlabelled.of_group(by, value)
        return parts

    def take(self, rows: npt.ArrayLike) -> ScoreTable:
        """The table of some rows.

        Parameters
        ----------
        rows : array-like
            Numbers of rows, or a boolean for each row.

        Examples
        --------
        >>> table = ScoreTable([0, 1, 0, 1], {"a": [0.1, 0.4, 0.4, 0.8]})
        >>> table.take([True, True, False, True])
        ScoreTable(3 rows, 2 positive; scores: a)
        """
        chosen = np.asarray(rows if np.size(rows) else np.empty(0, np.intp))
        mask = chosen.dtype.kind == "b" and chosen.shape == (len(self),)
        numbers = chosen.dtype.kind in "iu" and chosen.ndim == 1
        if not mask and not (numbers and ((chosen >= 0) & (chosen < len(self))).all()):
            raise InputError(
                found="{rows} is {value}",
                needed="numbers of rows, or one boolean for each of the {count} rows, are needed",
                value=shown(rows),
                count=f"{len(self):,}",
            )

        def taken(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
            part: npt.NDArray[Any] = column[chosen]
            part.flags.writeable = False
            return part

        table = ScoreTable.__new__(ScoreTable)
        table.y_true = taken(self.y_true)
        table.sample_weight = None if self.sample_weight is None else taken(self.sample_weight)
        table.scores = MappingProxyType({name: taken(one) for name, one in self.scores.items()})
        table.groups = MappingProxyType({name: taken(one) for name, one in self.groups.items()})
        table.missing = MissingValues(rows_read=len(table.y_true))
        table.unlabelled = None
        table.positive = self.positive
        table._rankings, table._members = {}, {}
        return table

    def __getstate__(self) -> dict[str, Any]:
        # Rankings are computed again when needed; a mapping proxy cannot be pickled.
        plain = {"scores": dict(self.scores), "groups": dict(self.groups)}
        state = self.__dict__ | plain | {"_rankings": {}, "_members": {}}
        state.pop("_examples", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        columns = [*state["scores"].values(), *state["groups"].values()]
        for array in (state["y_true"], state["sample_weight"], *columns):
            if array is not None:
                array.flags.writeable = False
        state["scores"] = MappingProxyType(state["scores"])
        state["groups"] = MappingProxyType(state["groups"])
        self.__dict__.update(state)

    def _repr_html_(self) -> str:
        html: str = presented("to_html", self)
        return html

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


def check_table(table: Any) -> None:
    """Refuse what is not a table."""
    if not isinstance(table, ScoreTable):
        raise InputError(
            found="{table} is a {kind}",
            needed="a ScoreTable is needed",
            fix="Make one from a file or data frame with read_scores, or from arrays with "
            "ScoreTable.",
            kind=type(table).__name__,
        )
