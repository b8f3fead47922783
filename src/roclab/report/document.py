"""What a result says: typed tables, figures and notes, which every writer renders.

`document(result)`, and `figure(result)`, the picture in it, are single-dispatch functions. Those of
a room, or of a room inside it, are registered in one file, ``roclab.report.documents.<room>``,
which is loaded when a result of that room first arrives.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from roclab.errors import InputError
from roclab.report.figure import Figure
from roclab.report.formats import plain, threshold
from roclab.result import Result

_SHOWN_ROWS = 10

Record = Mapping[str, Any]
Format = Callable[..., str]


@dataclass(frozen=True)
class Column:
    """A column of a table, as people read it.

    Attributes
    ----------
    title : str
        The heading.
    keys : tuple of str
        The fields of a record that it shows.
    format : callable
        Turns the values of these fields into text.
    meaning : str
        What the column shows, in a sentence; empty if the title says it.
    kind : {"number", "name", "text"}
        Numbers are aligned to the right and never broken; names may be broken; a text, such as a
        name that is short, is not.
    """

    title: str
    keys: tuple[str, ...]
    format: Format
    meaning: str = ""
    kind: Literal["number", "name", "text"] = "number"

    def show(self, record: Record) -> str:
        """The cell of a record."""
        return self.format(*(record[key] for key in self.keys))


@dataclass(frozen=True, kw_only=True)
class Table:
    """Records with raw values, and the columns in which people read them.

    Attributes
    ----------
    name : str
        What it holds, for programs: ``"models"``.
    records : tuple of mappings
        The raw values, with every digit.
    columns : tuple of Column
        What is shown of them.
    title : str or None
        What is printed above it.
    fields : tuple of str
        The fields of the records, needed where there may be none.
    matrix : tuple of str or None
        Two fields, if a terminal may show the table as a matrix: its columns and its rows.
    shown : int or None
        How many records people see; programs get all of them.
    block : tuple of Column
        What a terminal that is too narrow for the table shows of each record: lines below each
        other, all but the first indented.
    """

    name: str
    records: tuple[Record, ...]
    columns: tuple[Column, ...]
    title: str | None = None
    fields: tuple[str, ...] = ()
    matrix: tuple[str, str] | None = None
    shown: int | None = None
    block: tuple[Column, ...] = ()

    @property
    def header(self) -> tuple[str, ...]:
        """The fields of the records."""
        return tuple(self.records[0]) if self.records else self.fields

    @property
    def visible(self) -> bool:
        """Whether people see it; some tables are for programs alone."""
        return bool(self.columns) and self.shown != 0

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """What people see."""
        return [
            tuple(c.show(record) for c in self.columns) for record in self.records[: self.shown]
        ]


@dataclass(frozen=True)
class Note:
    """A sentence. Warnings are also shown beside formats that hold numbers only."""

    text: str
    severity: Literal["information", "warning"] = "information"


@dataclass(frozen=True, kw_only=True)
class Document:
    """What a result says.

    Attributes
    ----------
    data : mapping
        The result as plain Python values, with every digit.
    parts : tuple of Table, Figure and Note
        What people read, in this order. The first table is the one that CSV holds, or the one
        named by `main`.
    main : str
        The name of the table that CSV and data frames hold; by default the first.
    """

    data: Mapping[str, Any]
    parts: tuple[Table | Figure | Note, ...]
    main: str = ""

    @property
    def tables(self) -> list[Table]:
        """The tables."""
        return [part for part in self.parts if isinstance(part, Table)]

    @property
    def main_table(self) -> Table:
        """The table that CSV and data frames hold; an empty one if there is none."""
        named = [table for table in self.tables if table.name == self.main]
        return next(iter(named or self.tables), Table(name="", records=(), columns=()))

    @property
    def figures(self) -> list[Figure]:
        """The figures."""
        return [part for part in self.parts if isinstance(part, Figure)]

    @property
    def notes(self) -> list[Note]:
        """The notes."""
        return [part for part in self.parts if isinstance(part, Note)]


@functools.singledispatch
def document(result: Any, **options: Any) -> Document:
    """What a result says.

    Parameters
    ----------
    result : Result
        Any result of roclab.
    **options
        For a `ScoreRepair`: `ranking`, the examples to show it for.

    Raises
    ------
    InputError
        It is no result of roclab.
    """
    kind = type(result)
    load_documents(kind)
    if document.dispatch(kind) is not document.dispatch(object):
        return document(result, **options)
    if isinstance(result, Result):
        drawn = figure.dispatch(kind) is not figure.dispatch(object)
        return with_fields(result, *([figure(result)] if drawn else ()), Note(repr(result)))
    raise InputError(
        found="{kind} is not a result of roclab",
        fix="Pass what a function of roclab returned, such as auc_interval or roc_curve.",
        kind=kind.__name__,
    )


@functools.singledispatch
def figure(result: Any, **options: Any) -> Figure:
    """The picture of a result; of one that has no function here, the first of its document.

    Raises
    ------
    InputError
        It is no result of roclab, or has no picture.
    """
    kind = type(result)
    load_documents(kind)
    if figure.dispatch(kind) is not figure.dispatch(object):
        return figure(result, **options)
    figures = document(result, **options).figures
    if not figures:
        raise InputError(
            found="{kind} has no picture",
            fix="Pass a table, a ranking, a curve, a band, an evaluation, a comparison, a "
            "selection, a repair, a plan or a change; print shows others.",
            kind=kind.__name__,
        )
    return figures[0]


def options_of(result: Any) -> tuple[str, ...]:
    """What `figure` takes beside a result."""
    kind = type(result)
    load_documents(kind)
    drawn = figure.dispatch(kind) is not figure.dispatch(object)
    known: Callable[..., Any] = figure.dispatch(kind) if drawn else document.dispatch(kind)
    parameters = list(inspect.signature(known).parameters.values())[1:]
    return tuple(one.name for one in parameters if one.kind is not one.VAR_KEYWORD)


def with_fields(result: Result, *parts: Figure | Note) -> Document:
    """The parts, and below them the fields of a result."""
    return Document(data=result.to_dict(), parts=(*parts, *fields_of(result)))


def fields_of(result: Any) -> list[Table]:
    """The fields of a result as tables: columns of equal length, and single values in one record.

    People see columns only: the `repr` of a result has its values.
    """
    values = {one.name: getattr(result, one.name) for one in fields(result)}
    single: dict[str, Any] = {}
    columns: dict[int, dict[str, list[Any]]] = {}  # by their length
    for field, value in values.items():
        if value is None or isinstance(value, bool | int | float | str):
            single[field] = value
        elif isinstance(value, np.ndarray) and value.ndim == 1:
            columns.setdefault(len(value), {})[field] = value.tolist()
    exact = {one.name for one in fields(result) if "exact" in one.metadata}
    found = [_columns(lists, exact) for lists in columns.values()]
    for field, value in values.items():
        if isinstance(value, tuple) and value and all(isinstance(one, Result) for one in value):
            found.append(_table(field, [one.to_dict() for one in value]))
        elif isinstance(value, Result):
            found += [replace(one, name=f"{field}.{one.name}") for one in fields_of(value)]
    return [*found, *([_table("fields", [single], shown=0)] if single else ())]


def _columns(lists: dict[str, list[Any]], exact: set[str]) -> Table:
    rows = [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
    return _table(", ".join(lists), rows, shown=_SHOWN_ROWS, exact=exact)


def _table(
    name: str, rows: list[dict[str, Any]], shown: int | None = None, exact: Collection[str] = ()
) -> Table:
    columns = [
        Column(key, (key,), threshold if key in exact else plain, kind=_kind(rows, key))
        for key in (rows[0] if rows else ())
    ]
    return Table(name=name, records=tuple(rows), columns=tuple(columns), shown=shown)


def _kind(rows: list[dict[str, Any]], key: str) -> Literal["number", "name"]:
    words = any(isinstance(row[key], str | list | tuple) for row in rows)
    return "name" if words else "number"


def load_documents(kind: type) -> None:
    """Load the file that registers the documents of a type."""
    for base in kind.__mro__:
        package, *rooms = base.__module__.split(".")
        for room in rooms if package == "roclab" else ():
            _load(room)


def _load(room: str) -> None:
    name = f"roclab.report.documents.{room}"
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
