"""Scores as numbers whose differences are accurate."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from roclab.data.ranking import Ranking
from roclab.errors import InputError

Floats = npt.NDArray[np.float64]


def comparable_scores(ranking: Ranking, name: str) -> tuple[Floats, float]:
    """Distinct scores of a ranking as float64, up to a common shift, and their range.

    Integers are counted from the lowest, which keeps their differences exact up to 2**53.
    `name` is the measure that needs finite scores, for the message.
    """
    scores = ranking.scores
    if len(scores) == 0:
        return np.empty(0), 0.0
    if scores.dtype.kind in "biu":
        wide = scores.astype(np.uint64 if scores.dtype.kind == "u" else np.int64)
        numbers = (wide - wide[0]).view(np.uint64).astype(np.float64)
    else:
        numbers = scores.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        span = float(numbers[-1] - numbers[0])
    if not math.isfinite(span):
        raise InputError(
            found="The scores range from {low} to {high}",
            needed="{measure} needs finite scores with a finite range",
            fix="Clip or rescale them first.",
            low=f"{numbers[0]:g}",
            high=f"{numbers[-1]:g}",
            measure=name,
        )
    return numbers, span
