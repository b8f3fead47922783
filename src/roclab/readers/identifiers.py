"""Columns of numbers that are likely identifiers of rows or folds, not scores."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

_IDENTIFIER = re.compile(r"(?i:(?:^|[\W_])id)$|[a-z]I[Dd]$")  # id, patient_id, patientID
_FOLD = re.compile(r"(?i:(?:^|[\W_])fold)$|[a-z]Fold$")
_ROWS = 20  # fewer integers differ by chance
_HEAD = 1000


def likely_identifiers(
    frame: nw.DataFrame[Any], masks: Mapping[str, npt.NDArray[np.bool_]]
) -> list[str]:
    """The columns of a frame of numbers that look like identifiers.

    These are columns named as one, folds only if they are integers, and columns of integers none of
    which is missing or repeats. If nothing else is left, the latter may be scores: ranks do not
    repeat either.
    """
    whole = {name: frame[name].dtype.is_integer() for name in frame.columns}
    named = [name for name in whole if _IDENTIFIER.search(name)]
    named += [name for name in whole if whole[name] and _FOLD.search(name)]
    distinct = [
        name
        for name in whole
        if name not in named
        and whole[name]
        and not masks[name].any()
        and _all_distinct(frame[name])
    ]
    others = len(whole) > len(named) + len(distinct)
    found = {*named, *(distinct if others else ())}
    return [name for name in whole if name in found]


def _all_distinct(integers: nw.Series[Any]) -> bool:
    """Whether none of many integers repeats; mostly the first rows answer it."""
    first = integers.head(_HEAD)
    return (
        len(integers) >= _ROWS
        and first.n_unique() == len(first)
        and integers.n_unique() == len(integers)
    )
