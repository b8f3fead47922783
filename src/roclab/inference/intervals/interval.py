"""What an interval is, and what is said of one that is not defined or has no width."""

from __future__ import annotations

import math
import warnings
from dataclasses import asdict, dataclass
from typing import Any

from roclab.errors import DegenerateIntervalWarning, UndefinedMeasureWarning
from roclab.inference.estimation.estimate import Estimate
from roclab.options import Alternative

__all__ = [
    "TITLES",
    "Interval",
    "finished_interval",
    "lacks_ends",
    "lacks_width",
    "warn_of_defects",
]

TITLES: dict[str, str] = {
    "auc": "AUC",
    "scored_auc": "scored AUC",
    "stratified_auc": "stratified AUC",
}
_INSTEAD = 'method="auto" gives an interval here too.'


@dataclass(frozen=True, kw_only=True, repr=False, slots=True)
class Interval:
    """A measure with its confidence interval.

    Attributes
    ----------
    measure : str
        What was measured: ``"auc"``, or another measure's name.
    value : float
        Its value.
    low, high : float
        Ends of the interval; of a one-sided interval one is the end of the measure's range.
    standard_error : float
        Square root of DeLong's variance, with clusters of Obuchowski's; standard deviation of the
        replicates where a bootstrap draws clusters, and for measures that have no such variance.
        nan with fewer than two examples of a class, or clusters that have it.
    confidence_level : float
        Share of samples whose interval covers the true value, nominally.
    method : str
        How the interval was made.
    n_pos, n_neg : int
        Positive and negative examples.
    alternative : {"two-sided", "less", "greater"}
        Which ends are open: none, the lower or the upper.
    n_resamples : int or None
        Bootstrap replicates that the interval was made of; None if it needs none.
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

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values."""
        return asdict(self)

    def __repr__(self) -> str:
        reversed_scores = self.measure == "auc" and self.high < 0.5
        hint = "; below one half: are the scores reversed?" if reversed_scores else ""
        side = "" if self.alternative == "two-sided" else " one-sided"
        return (
            f"{TITLES.get(self.measure, self.measure)} {self.value:.3f} "
            f"[{self.low:.2f}, {self.high:.2f}], {100 * self.confidence_level:g} %{side}, "
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
    """The interval of an estimate from its two ends, one of which `alternative` may open."""
    low, high = ends
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
        method=method,
        n_pos=estimate.n_pos,
        n_neg=estimate.n_neg,
        alternative=alternative,
        n_resamples=n_resamples,
    )


def lacks_ends(interval: Interval) -> bool:
    """Whether the value is defined and an end is not."""
    return not math.isnan(interval.value) and math.isnan(interval.low + interval.high)


def lacks_width(interval: Interval) -> bool:
    """Whether the interval is a point, or its bound the value itself."""
    if interval.alternative == "two-sided":
        return interval.low == interval.high
    bound = interval.low if interval.alternative == "greater" else interval.high
    return bound == interval.value


def warn_of_defects(interval: Interval) -> None:
    """Say what is not defined, and that an interval without width is not certainty."""
    title = TITLES.get(interval.measure, interval.measure)
    instead = f" {_INSTEAD}" if interval.measure == "auc" else ""
    category: type[UserWarning] = UndefinedMeasureWarning
    if math.isnan(interval.value):
        message = (
            f"{title} needs both classes; there are {interval.n_pos:,} positive and "
            f"{interval.n_neg:,} negative examples. The result is nan."
        )
    elif lacks_ends(interval):
        message = (
            f"The {interval.method} interval of the {title} is not defined here: it needs two "
            "examples of each class (in clusters: two clusters with each), and a spread of their "
            f"values. Its ends are nan.{instead}"
        )
    elif lacks_width(interval):
        category = DegenerateIntervalWarning
        message = (
            f"The {interval.method} interval has no width at {title} {interval.value:g}, which is "
            f"not certainty.{instead}"
        )
    else:
        return
    warnings.warn(message, category, stacklevel=3)
