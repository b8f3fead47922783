"""Checks of a single event: a label and a score."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from roclab.errors import InputError
from roclab.options import shown


def checked_event(y_true: Any, y_score: Any) -> tuple[bool, float]:
    """Return whether the event is positive, and its score."""
    return _checked_label(y_true), checked_score(y_score)


def _checked_label(y_true: Any) -> bool:
    """Return True for True and 1, False for False, 0 and -1."""
    if isinstance(y_true, bool | np.bool_):
        return bool(y_true)
    if isinstance(y_true, Real) and y_true in (-1, 0, 1):
        return y_true == 1
    raise InputError(
        found="{y_true} is {value}",
        needed="a label of a stream must be a boolean, 0/1 or -1/1",
        fix="Compare it with the positive class first: update(label == 'yes', score).",
        value=shown(y_true),
    )


def checked_score(y_score: Any) -> float:
    """Return a finite score as a double."""
    # float first: isinstance with an abstract class is ten times slower.
    if not isinstance(y_score, float | int | Real) or isinstance(y_score, bool):
        raise InputError(
            found="{y_score} is {value}", needed="a real number is needed", value=shown(y_score)
        )
    try:
        score = float(y_score)
    except OverflowError:
        score = math.inf
    if not math.isfinite(score):
        raise InputError(
            found="{y_score} is {value}",
            needed="a stream needs finite scores",
            fix="Clip infinite scores, drop missing ones.",
            value=shown(y_score),
        )
    return score
