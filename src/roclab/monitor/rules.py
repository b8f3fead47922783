"""Condition rules: what they look at, and their states over time."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, Literal

from roclab.errors import InputError
from roclab.formatting import listed

State = Literal["ok", "pending", "firing", "no data"]

CHANGE = "change"  # name of the change rules, which are not conditions

# What a rule can look at, with its words; durations are in seconds.
COHORT_QUANTITIES = {
    "auc": "AUC of the latest mature cohort",
    "auc.low": "lower end of the interval of the AUC",
    "auc.high": "upper end of the interval of the AUC",
    "coverage": "share of labels of the latest mature cohort",
    "volume": "predictions of the latest complete cohort",
    "positive_rate": "share of positives of the latest mature cohort",
    "mean_score": "mean score of the latest complete cohort",
    "psi": "population stability index of the latest complete cohort",
    "psi.pvalue": "p-value of the population stability index",
}
NOW_QUANTITIES = {
    "now.auc": "AUC of the window",
    "now.auc.low": "lower end of the interval of the AUC of the window",
    "silence": "time since the last prediction",
    "label_silence": "time since the last label",
    "label_delay": "time within which 95 % of labels come",
}
_DURATIONS = {"silence", "label_silence", "label_delay"}
_OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_CONDITION = re.compile(
    r"\s*([a-z_.]+)\s*(<=|>=|<|>)\s*(-?(?:\d+(?:\.\d+)?|\.\d+))\s*([smhdw]?)\s*"
)


@dataclass(frozen=True)
class Condition:
    """A quantity compared with a level."""

    quantity: str
    comparison: str
    level: float

    @property
    def at_any_time(self) -> bool:
        """Whether the quantity is one of the present, not of a cohort."""
        return self.quantity in NOW_QUANTITIES

    def holds(self, value: float) -> bool:
        """Whether a value meets the condition."""
        return bool(_OPERATORS[self.comparison](value, self.level))

    def shown(self, value: float) -> str:
        """A value of the quantity, in its unit."""
        if self.quantity in _DURATIONS:
            return _shown_duration(value)
        if self.quantity == "volume":
            return f"{value:,.0f}"
        return f"{value:.2g}" if self.quantity == "psi.pvalue" else f"{value:.3f}"

    def __str__(self) -> str:
        level = _duration(self.level) if self.quantity in _DURATIONS else _plain(self.level)
        return f"{self.quantity} {self.comparison} {level}"


def parse_condition(text: str) -> Condition:
    """A condition such as ``"auc.low < 0.70"`` or ``"silence > 2h"``."""
    known = [*COHORT_QUANTITIES, *NOW_QUANTITIES]
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise InputError(
            found="{text} is no condition",
            needed='a condition such as "auc.low < 0.70" or "silence > 2h"',
            text=repr(text),
        )
    quantity, comparison, number, unit = found.groups()
    if quantity not in known:
        near = get_close_matches(quantity, known, n=1)
        raise InputError(
            found="There is no quantity {quantity}",
            needed=f"a condition on {listed(known)}"
            + (f" (did you mean {near[0]}?)" if near else ""),
            quantity=repr(quantity),
        )
    timed = quantity in _DURATIONS
    if timed is not bool(unit):
        raise InputError(
            found="{text} has the wrong unit",
            needed=f"{quantity} with " + ('a duration such as "2h"' if timed else "a plain number"),
            text=repr(text),
        )
    level = float(number) * _UNITS.get(unit, 1)
    if not math.isfinite(level):
        raise InputError(
            found="{text} has a level that is too large",
            needed="a number below 1e308",
            fix="Write a smaller one.",
            text=repr(text[:60]),
        )
    return Condition(quantity, comparison, level)


def _plain(level: float) -> str:
    """A level without an exponent, which conditions do not have; rounded only if that is exact."""
    text = f"{level:g}"
    exact = "e" not in text and float(text) == level
    return text if exact else f"{Decimal(repr(level)):f}".removesuffix(".0")


def _duration(seconds: float) -> str:
    """A duration that means these seconds: as it is shown, or in a unit without rounding."""
    text = _shown_duration(seconds)
    given = [text, *(f"{_plain(seconds / size)}{unit}" for unit, size in reversed(_UNITS.items()))]
    exact = [t for t in given if "e" not in t and float(t[:-1]) * _UNITS[t[-1]] == seconds]
    return text if text in exact else min(exact, key=len)


def _shown_duration(seconds: float) -> str:
    for unit in ("w", "d", "h", "m"):
        if seconds >= 2 * _UNITS[unit] or (seconds and seconds % _UNITS[unit] == 0):
            return f"{seconds / _UNITS[unit]:.3g}{unit}"
    return f"{seconds:.3g}s"


@dataclass(frozen=True)
class RuleState:
    """State of a rule on a stream.

    `since` is when the condition began to hold, `cleared` when it ceased to while the rule fires,
    both in microseconds since 1970; the counts are those of the cohorts since then.
    """

    state: State = "no data"
    since: int | None = None
    cohorts: int = 0
    cleared: int | None = None
    clear_cohorts: int = 0
    value: float | None = None

    def without_value(self) -> RuleState:
        """The state without the value that was looked at."""
        return replace(self, value=None)


def next_state(
    before: RuleState,
    condition: Condition,
    value: float | None,
    *,
    now: int,
    cohort: bool,
    lasting: timedelta | int,
    keep_firing_for: timedelta | int,
) -> RuleState:
    """The state after the quantity was looked at.

    Parameters
    ----------
    before : RuleState
        State before.
    condition : Condition
        What is looked at.
    value : float or None
        Value of the quantity; None if there is none.
    now : int
        Time, in microseconds since 1970.
    cohort : bool
        Whether a new cohort was looked at: counts of cohorts then go up.
    lasting, keep_firing_for : timedelta or int
        How long the condition must hold before the rule fires, and how long it fires on after.
    """
    if value is None:
        # Missing data neither proves nor refutes: what fires goes on, what waits begins anew.
        return before if before.state == "firing" else RuleState(state="no data")
    if condition.holds(value):
        since = now if before.since is None else before.since
        cohorts = before.cohorts + cohort
        fires = before.state == "firing" or _lasted(lasting, now - since, cohorts)
        return RuleState(
            state="firing" if fires else "pending", since=since, cohorts=cohorts, value=value
        )
    if before.state == "firing":
        cleared = now if before.cleared is None else before.cleared
        clear_cohorts = before.clear_cohorts + cohort
        if not _lasted(keep_firing_for, now - cleared, clear_cohorts):
            return RuleState(
                state="firing",
                since=before.since,
                cohorts=before.cohorts,
                cleared=cleared,
                clear_cohorts=clear_cohorts,
                value=value,
            )
    return RuleState(state="ok", value=value)


def _lasted(needed: timedelta | int, microseconds: int, cohorts: int) -> bool:
    if isinstance(needed, int):
        return cohorts >= needed
    return microseconds >= needed / timedelta(microseconds=1)


def as_json(state: RuleState) -> dict[str, Any]:
    """The state for the store."""
    return dict(vars(state))
