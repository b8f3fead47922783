"""Which columns of a table are its scores, judged by their types and by the first rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import narwhals as nw

from roclab.errors import InputError, Parameter, RoclabWarning
from roclab.readers.columns import SHOWN_NAMES, Columns
from roclab.readers.identifiers import likely_identifiers
from roclab.readers.values import kind_of, stray_text

HEAD_ROWS = 10_000


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The score columns, and those that were not named and are not taken as scores.

    Attributes
    ----------
    scores : tuple of str
        Score columns.
    skipped : tuple of str
        Columns that are not numeric.
    identifiers : tuple of str
        Numeric columns that look like identifiers.
    """

    scores: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()


def find_roles(
    columns: Columns, head: nw.DataFrame[Any], empty: Collection[str], decimal: str = "."
) -> Roles:
    """The score columns of a table: those that were named, else all that may be scores.

    Warns of columns that would be scores without a value that is no number.

    Parameters
    ----------
    columns : Columns
        The columns that were named.
    head : DataFrame
        The first rows of the needed columns, of which `HEAD_ROWS` are looked at.
    empty : collection of str
        Columns without any value in the whole table.
    decimal : {".", ","}
        Decimal sign of numbers in columns of text.
    """
    if columns.scores is not None:
        return Roles(scores=columns.scores)
    head = head.head(HEAD_ROWS)  # all that readers of parts have seen by now
    free = [name for name in head.columns if name not in columns.others]
    named_identifiers = likely_identifiers(head.head(1))
    stray = {
        name: found
        for name in free
        if name not in named_identifiers and (found := stray_text(head[name], decimal))
    }
    kinds = {name: "empty" if name in empty else kind_of(head[name]) for name in free}
    numeric = [name for name in free if kinds[name] == "numeric"]
    identifiers = likely_identifiers(head.select(numeric))
    scores = tuple(name for name in numeric if name not in identifiers)
    if scores:
        for name, found in stray.items():
            _warn_of_stray_text(name, found, columns)
        skipped = tuple(name for name in free if name not in numeric)
        return Roles(scores=scores, skipped=skipped, identifiers=tuple(identifiers))
    kinds |= dict.fromkeys(identifiers, "looks like an identifier")
    kinds |= {name: f"{kinds[name]}: {found}" for name, found in stray.items()}
    seen = [f"`{name}` ({kinds[name]})" for name in free[:SHOWN_NAMES]]
    raise InputError(
        found="No numeric column for the {noun}s. Columns without another role: {columns}",
        needed="a {noun} must be a number",
        fix="Convert a column, and name it with {parameter}.",
        noun=columns.noun,
        columns=", ".join(seen) or "none",
        parameter=Parameter(columns.parameter),
    )


def _warn_of_stray_text(name: str, found: str, columns: Columns) -> None:
    RoclabWarning(
        found="Column `{column}` is ignored: {value} is not a number",
        fix="Correct that value or leave it empty, or name all {noun} columns with {parameter}.",
        column=name,
        value=found,
        noun=columns.noun,
        parameter=Parameter(columns.parameter),
    ).issue()
