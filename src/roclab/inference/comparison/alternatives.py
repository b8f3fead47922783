"""The alternatives of a test: the interval, statistic and p-value of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from roclab.checks.options import check_alternative, number_or_nan, shown
from roclab.errors import InputError
from roclab.inference.comparison.evidence import Evidence

TestAlternative = Literal["two-sided", "less", "greater", "noninferior", "equivalent"]

WITH_MARGIN = ("noninferior", "equivalent")


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Interval, statistic and p-value of a test."""

    low: float
    high: float
    statistic: float
    pvalue: float


def checked_margin(alternative: Any, margin: Any, most: float = 1.0) -> tuple[str, float | None]:
    """The alternative, and its margin if it has one, which must be below `most`."""
    chosen = check_alternative(alternative, TestAlternative)
    if chosen not in WITH_MARGIN:
        if margin is not None:
            raise InputError(
                found="{margin=}{value} has no effect with {alternative=}{chosen}",
                fix="Leave out {margin}, or choose {alternative=}'noninferior' or 'equivalent'.",
                value=shown(margin),
                chosen=repr(chosen),
            )
        return chosen, None
    width = number_or_nan(margin)
    if not 0 < width < most:
        raise InputError(
            found="{margin=}{value} is out of range",
            needed="{alternative=}{chosen} needs a margin {between}, the largest difference that "
            "does not matter",
            fix="Pass for example {margin=}0.05.",
            value=shown(margin),
            chosen=repr(chosen),
            between="above 0" if math.isinf(most) else f"between 0 and {most:g}",
        )
    return chosen, width


def decide(
    evidence: Evidence,
    *,
    alternative: str = "two-sided",
    margin: float | None = None,
    confidence_level: float,
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> Decision:
    """Test and interval of an alternative.

    Parameters
    ----------
    evidence : Evidence
        The difference with its uncertainty.
    alternative : str
        Alternative hypothesis.
    margin : float or None
        Largest difference that does not matter.
    confidence_level : float
        Confidence level of the interval.
    bounds : tuple of float
        Range of the difference.
    """
    error = 1 - confidence_level
    bottom, top = bounds
    null = 0.0
    if alternative == "two-sided":
        pvalue = min(2 * min(evidence.above(0.0), evidence.below(0.0)), 1.0)
        low, high = evidence.low(error / 2), evidence.high(error / 2)
    elif alternative == "less":
        pvalue = evidence.below(0.0)
        low, high = bottom, evidence.high(error)
    elif alternative == "greater":
        pvalue = evidence.above(0.0)
        low, high = evidence.low(error), top
    elif alternative == "noninferior":
        null = -(margin or 0.0)
        pvalue = evidence.above(null)
        low, high = evidence.low(error), top
    else:
        width = margin or 0.0
        sides = [(evidence.above(-width), -width), (evidence.below(width), width)]
        pvalue, null = max(sides, key=lambda side: side[0])
        low, high = evidence.low(error), evidence.high(error)
    known = not math.isnan(pvalue)
    return Decision(
        low=max(low, bottom) if known else math.nan,
        high=min(high, top) if known else math.nan,
        statistic=evidence.statistic(null),
        pvalue=pvalue,
    )
