"""Certain bounds of the AUC of a sample."""

from __future__ import annotations

from dataclasses import dataclass

from roclab.result import Result


@dataclass(frozen=True, kw_only=True, repr=False)
class AUCBounds(Result):
    """Certain bounds of the AUC of a sample.

    They bound the value of this sample, and are not a confidence interval of the
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
