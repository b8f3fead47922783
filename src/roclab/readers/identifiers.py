"""Columns of numbers that are likely identifiers of rows or folds, not scores."""

from __future__ import annotations

import re
from typing import Any

import narwhals as nw

_IDENTIFIER = re.compile(r"(?i:(?:^|[\W_])id)$|[a-z]I[Dd]$")  # id, patient_id, patientID
_FOLD = re.compile(r"(?i:(?:^|[\W_])fold)$|[a-z]Fold$")
_ROWS = 20  # fewer integers differ by chance


def likely_identifiers(head: nw.DataFrame[Any]) -> list[str]:
    """The columns of numbers that look like identifiers in the first rows of a table.

    These are columns named as one, folds only if they are integers, and columns of integers none of
    which is missing or repeats. If nothing else is left, the latter may be scores: ranks do not
    repeat either.
    """
    whole = {name: head[name].dtype.is_integer() for name in head.columns}
    named = [name for name in whole if _IDENTIFIER.search(name)]
    named += [name for name in whole if whole[name] and _FOLD.search(name)]
    distinct = [
        name for name in whole if name not in named and whole[name] and _all_distinct(head[name])
    ]
    others = len(whole) > len(named) + len(distinct)
    found = {*named, *(distinct if others else ())}
    return [name for name in whole if name in found]


def _all_distinct(integers: nw.Series[Any]) -> bool:
    return (
        len(integers) >= _ROWS
        and not integers.null_count()
        and integers.n_unique() == len(integers)
    )
