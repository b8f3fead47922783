"""A measure with its confidence interval, and the warnings for undefined and degenerate ones."""

from __future__ import annotations

import math
from dataclasses import dataclass

from roclab.checks.choices import Alternative
from roclab.errors import DegenerateIntervalWarning, UndefinedMeasureWarning
from roclab.formatting import level_and_method, with_interval
from roclab.inference.estimation.joint_estimate import Estimate
from roclab.numeric.sums import ROUNDING
from roclab.result import Result

TITLES: dict[str, str] = {
    "auc": "AUC",
    "scored_auc": "scored AUC",
    "stratified_auc": "stratified AUC",
}
# What `method="auto"` of the AUC is called in results, so that it can be cited.
DEFAULT_METHOD = "shrunken_wilson"


@dataclass(frozen=True, kw_only=True, repr=False, slots=True)
class Interval(Result):
    """A measure with its confidence interval.

    Attributes
    ----------
    measure : str
        Name of the measure, such as ``"auc"``.
    value : float
        Value of the measure.
    low, high : float
        Ends of the interval. One end of a one-sided interval is the end of the measure's range.
    standard_error : float
        Square root of DeLong's variance, or of Obuchowski's with clusters; standard deviation of
        the replicates where the bootstrap resamples clusters, and for measures without a
        closed-form variance. nan if a class has fewer than two examples, or is in fewer than two
        clusters.
    confidence_level : float
        Nominal confidence level.
    method : str
        Method of the interval; ``"shrunken_wilson"`` for ``method="auto"`` of the AUC.
    n_pos, n_neg : int
        Number of positive and negative examples.
    alternative : {"two-sided", "less", "greater"}
        Which end is open: none, the lower or the upper.
    n_resamples : int or None
        Number of bootstrap replicates used; None for methods without resampling.
    """

    measure: str
    value: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
    method: str
    n_pos: int
    n_neg: int
    alternative: Alternative = "two-sided"
    n_resamples: int | None = None

    def __repr__(self) -> str:
        reversed_scores = self.measure == "auc" and self.high < 0.5
        hint = "; below one half: are the scores reversed?" if reversed_scores else ""
        side = "" if self.alternative == "two-sided" else "one-sided "
        return (
            f"{TITLES.get(self.measure, self.measure)} "
            f"{with_interval(self.value, self.low, self.high)}, "
            f"{level_and_method(self.confidence_level, self.method, side)}, "
            f"{self.n_pos}+ {self.n_neg}-{hint}"
        )


def finished_interval(
    *,
    estimate: Estimate,
    ends: tuple[float, float],
    level: float,
    method: str,
    alternative: Alternative,
    n_resamples: int | None = None,
) -> Interval:
    """Build the interval of an estimate from its two ends, opening one if `alternative` asks so."""
    low, high = containing(estimate.value, *ends)
    if alternative == "less" and not math.isnan(estimate.value):
        low = 0.0
    if alternative == "greater" and not math.isnan(estimate.value):
        high = 1.0 if estimate.measure == "auc" else math.inf
    return Interval(
        measure=estimate.measure,
        value=estimate.value,
        low=low,
        high=high,
        standard_error=math.sqrt(estimate.variance),
        confidence_level=level,
        method=DEFAULT_METHOD if method == "auto" else method,
        n_pos=estimate.n_pos,
        n_neg=estimate.n_neg,
        alternative=alternative,
        n_resamples=n_resamples,
    )


def containing(value: float, low: float, high: float) -> tuple[float, float]:
    """The ends, moved to the value if they exclude it; nan remains nan.

    Percentiles of replicates, corrections of bias and rounding can exclude it.
    """
    return min(low, value), max(high, value)


def lacks_ends(interval: Interval) -> bool:
    """Whether the value is defined but an end is nan."""
    return not math.isnan(interval.value) and math.isnan(interval.low + interval.high)


def lacks_width(interval: Interval) -> bool:
    """Whether the interval has zero width, or its bound equals the value, but for rounding."""
    near, far = interval.low, interval.high
    if interval.alternative != "two-sided":
        near, far = interval.value, near if interval.alternative == "greater" else far
    if not math.isfinite(far - near):
        return near == far
    # A mean of equal AUCs may differ from them by rounding.
    size = 1.0 if interval.measure == "auc" else max(abs(near), abs(far))
    return abs(far - near) <= ROUNDING * size


def warn_of_defects(interval: Interval) -> None:
    """Warn of undefined values, and of an interval of zero width."""
    title = TITLES.get(interval.measure, interval.measure)
    instead = " Choose {method=}'auto' for an interval." if interval.measure == "auc" else ""
    warning: UndefinedMeasureWarning | DegenerateIntervalWarning
    if math.isnan(interval.value):
        warning = UndefinedMeasureWarning(
            found="There are {n_pos} positive and {n_neg} negative examples",
            needed="{title} needs both classes",
            fix="The result is nan.",
            n_pos=f"{interval.n_pos:,}",
            n_neg=f"{interval.n_neg:,}",
            title=title,
        )
    elif lacks_ends(interval):
        warning = UndefinedMeasureWarning(
            found="The {kind} interval of the {title} is undefined",
            needed="it needs two examples of each class (with clusters: two clusters with each "
            "class) and scores that vary",
            fix="Its ends are nan." + instead,
            kind=interval.method,
            title=title,
        )
    elif lacks_width(interval):
        warning = DegenerateIntervalWarning(
            found="The {kind} interval has zero width at {title} {value}, which is not certainty",
            fix=instead.lstrip(),
            kind=interval.method,
            title=title,
            value=f"{interval.value:g}",
        )
    else:
        return
    warning.issue()
