"""Bounds of the AUC, and the error allowed to an estimate of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from roclab.options import check_between
from roclab.result import Result


@dataclass(frozen=True, kw_only=True, repr=False)
class AUCBounds(Result):
    """Certain bounds of the AUC of the data.

    They bound the computed value of this sample, and are not a confidence interval of the
    population: for that see `auc_interval`.

    Attributes
    ----------
    low, high : float
        Lower and upper bound; nan if the AUC is undefined.
    """

    low: float
    high: float

    @property
    def middle(self) -> float:
        """The midpoint: the value with the smallest maximum error."""
        return (self.low + self.high) / 2

    def __repr__(self) -> str:
        return f"AUCBounds({self.low:.6g} to {self.high:.6g})"


def checked_eps(eps: Any) -> float:
    """Check the bound of the relative error."""
    return check_between(
        "eps",
        eps,
        0,
        math.inf,
        fix="The relative error is at most {eps} / 2: 0.1 is a good start, 0 is exact.",
        or_low=True,
    )
