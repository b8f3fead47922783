"""One event of a stream, as users pass it: a label and a score."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from roclab.errors import InputError

__all__ = ["checked_event", "checked_score"]


def checked_event(y_true: Any, y_score: Any) -> tuple[bool, float]:
    """Whether the event is positive, and its score."""
    return _checked_label(y_true), checked_score(y_score)


def _checked_label(y_true: Any) -> bool:
    """Whether a label is the positive one: True or 1, not False, 0 or -1."""
    if isinstance(y_true, bool | np.bool_):
        return bool(y_true)
    if isinstance(y_true, Real) and y_true in (-1, 0, 1):
        return y_true == 1
    raise InputError(
        f"y_true is {y_true!r:.60}; a label of a stream is a boolean, 0/1 or -1/1. Compare it with "
        "the positive value first: update(label == 'yes', score)."
    )


def checked_score(y_score: Any) -> float:
    """A finite number, as a double."""
    # float first: isinstance with an abstract class takes ten times as long.
    if not isinstance(y_score, float | int | Real) or isinstance(y_score, bool):
        raise InputError(f"y_score is {y_score!r:.60}; a real number is needed.")
    try:
        score = float(y_score)
    except OverflowError:
        score = math.inf
    if not math.isfinite(score):
        raise InputError(
            f"y_score is {y_score!r:.60}; a stream needs finite scores. Clip infinite ones, leave "
            "out missing ones."
        )
    return score
