"""Where the AUC is for certain, and the error that is allowed to an estimate of it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from roclab.errors import InputError
from roclab.validation import number_or_nan

__all__ = ["AUCBounds", "checked_eps"]


@dataclass(frozen=True, kw_only=True, repr=False)
class AUCBounds:
    """Two values that the AUC of the data lies between, for certain.

    These are bounds of what was computed, not of what the data say about other data: for that see
    `auc_interval`.

    Attributes
    ----------
    low, high : float
        The AUC is no less and no more; nan if it is not defined.
    """

    low: float
    high: float

    @property
    def middle(self) -> float:
        """Half way: the value whose largest possible error is smallest."""
        return (self.low + self.high) / 2

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return asdict(self)

    def __repr__(self) -> str:
        return f"AUCBounds({self.low:.6g} to {self.high:.6g})"


def checked_eps(eps: Any) -> float:
    """A finite number that is not negative."""
    value = number_or_nan(eps)
    if not 0 <= value < math.inf:
        raise InputError(
            f"eps is {eps!r:.60}; it bounds the relative error (eps / 2), so a finite number that "
            "is not negative is needed. 0.1 is a good start; 0 gives the exact value."
        )
    return value
