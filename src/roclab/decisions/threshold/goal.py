"""What a threshold is chosen for: costs and limits, and the best of many operating points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from roclab.checks.options import number_or_nan, shown
from roclab.curves.rates import SLACK, best_place, check_costs, check_prevalence
from roclab.errors import InputError, Parameter

Rates = npt.NDArray[np.float64]
Objective = Literal["expected_cost", "tpr", "fpr"]


@dataclass(frozen=True, kw_only=True)
class Goal:
    """Costs and limits of a threshold.

    Attributes
    ----------
    false_positive_cost, false_negative_cost : float
        Costs of a false positive and of a false negative.
    prevalence : float
        Share of positives where the threshold will be used.
    max_fpr, min_tpr, capacity : float or None
        Limits of the rates, and of the share of examples that are called positive.
    objective : {"expected_cost", "tpr", "fpr"}
        What is lowest, or for ``"tpr"`` highest, among the thresholds within the limits.
    """

    false_positive_cost: float
    false_negative_cost: float
    prevalence: float
    max_fpr: float | None
    min_tpr: float | None
    capacity: float | None
    objective: Objective

    @classmethod
    def of(
        cls,
        *,
        false_positive_cost: Any,
        false_negative_cost: Any,
        prevalence: Any,
        max_fpr: Any,
        min_tpr: Any,
        capacity: Any,
        of_data: float,
    ) -> Goal:
        """Check the options; `of_data` is the prevalence of the data."""
        given = (false_positive_cost, false_negative_cost)
        costs = check_costs(*(1.0 if cost is None else cost for cost in given))
        share = of_data if prevalence is None else check_prevalence(prevalence)
        upper = [checked_share("max_fpr", max_fpr), checked_share("capacity", capacity)]
        lower = checked_share("min_tpr", min_tpr)
        objective: Objective = "expected_cost"
        if given == (None, None) and (lower is None) != (upper == [None, None]):
            objective = "tpr" if lower is None else "fpr"
        return cls(
            false_positive_cost=costs[0],
            false_negative_cost=costs[1],
            prevalence=share,
            max_fpr=upper[0],
            min_tpr=lower,
            capacity=upper[1],
            objective=objective,
        )

    def expected_cost(self, fpr: Rates, tpr: Rates) -> Rates:
        """Expected cost per example."""
        misses = self.prevalence * self.false_negative_cost * (1 - tpr)
        return misses + (1 - self.prevalence) * self.false_positive_cost * fpr

    def called_positive(self, fpr: Rates, tpr: Rates) -> Rates:
        """Share of examples that are called positive."""
        return self.prevalence * tpr + (1 - self.prevalence) * fpr

    def loss(self, fpr: Rates, tpr: Rates) -> Rates:
        """What is to be lowest, infinite outside the limits."""
        if self.objective == "tpr":
            loss = -tpr
        elif self.objective == "fpr":
            loss = fpr
        else:
            most = self.prevalence * self.false_negative_cost
            most += (1 - self.prevalence) * self.false_positive_cost
            loss = self.expected_cost(fpr, tpr) / most
        outside = np.zeros(np.shape(fpr), dtype=np.bool_)
        if self.max_fpr is not None:
            outside |= fpr > self.max_fpr + SLACK
        if self.min_tpr is not None:
            outside |= tpr < self.min_tpr - SLACK
        if self.capacity is not None:
            outside |= self.called_positive(fpr, tpr) > self.capacity + SLACK
        return np.where(outside, np.inf, loss)

    def best(self, fpr: Rates, tpr: Rates) -> npt.NDArray[np.intp]:
        """Index of the best point along the last axis; -1 where no point is within the limits."""
        return best_place(self.loss(fpr, tpr), fpr, tpr)


def checked_share(name: str, value: Any) -> float | None:
    """A share from 0 to 1, or None."""
    if value is None:
        return None
    number = number_or_nan(value)
    if 0 <= number <= 1:
        return number
    raise InputError(
        found="{parameter=}{value} is out of range",
        needed="a share from 0 to 1 is needed",
        parameter=Parameter(name),
        value=shown(value),
    )
