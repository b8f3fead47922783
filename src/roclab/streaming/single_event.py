"""One event of a stream, as users pass it: a label and a score."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np

from roclab.errors import InputError

__all__ = ["checked_count", "checked_event", "checked_label", "checked_score"]


def checked_event(y_true: Any, y_score: Any) -> tuple[bool, float]:
    """Whether the event is positive, and its score."""
    return checked_label(y_true), checked_score(y_score)


def checked_label(y_true: Any) -> bool:
    """Whether a label is the positive one: True or 1, not False, 0 or -1."""
    if isinstance(y_true, bool | np.bool_):
        return bool(y_true)
    if isinstance(y_true, Real) and y_true in (-1, 0, 1):
        return y_true == 1
    raise InputError(
        f"y_true is {y_true!r:.60}; a label of a stream is a boolean, 0/1 or -1/1. Compare it with "
        "the positive value first: update(label == 'yes', score)."
    )


def checked_score(y_score: Any, name: str = "y_score") -> float:
    """A real number that has a place in a ranking, as a double."""
    # float first: isinstance with an abstract class takes ten times as long.
    if not isinstance(y_score, float | int | Real) or isinstance(y_score, bool):
        raise InputError(f"{name} is {y_score!r:.60}; a real number is needed.")
    score = float(y_score)
    if score != score:
        raise InputError(
            f"{name} is NaN, which has no place in a ranking. Leave the event out, or give it a "
            "score that says where it belongs."
        )
    return score


def checked_count(value: Any, name: str, least: int = 1) -> int:
    """A whole number from `least` on."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise InputError(f"{name}={value!r} is not a whole number from {least} on.")
    return int(value)
