"""What can be read off a window at any moment, whatever decides which events are in it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from roclab import _core
from roclab.curves import OperatingPoint, ROCHull, roc_hull
from roclab.errors import InputError
from roclab.inference import Interval
from roclab.inference.intervals.auc import IntervalMethod, unwarned_interval
from roclab.measures import find_measure
from roclab.numeric.distributions import critical_value
from roclab.options import Alternative, check_level
from roclab.ranking import Ranking
from roclab.summary import RangeSummary

__all__ = ["Readings"]

# At run time the core's class comes first among the bases of a window, which so answers itself
# what it can.
if TYPE_CHECKING:
    _Scores = _core.EventScores
else:
    _Scores = object


class Readings(_Scores):
    """A window as a sample, beside what the core's window says itself.

    Nothing here warns: what a class too few leaves undefined is nan.
    """

    @property
    def summary(self) -> RangeSummary:
        """All that AUC, scored AUC and their variances are read off."""
        return RangeSummary._of(self._summarize())

    @property
    def scored_auc(self) -> float:
        """Mean over pairs of how far the positive scores above the negative, if it does."""
        native = self._summarize()
        found = native.scored_auc
        # What is not finite has reasons, which a summary knows.
        return found if math.isfinite(found) else RangeSummary._of(native).scored_auc

    @property
    def scored_auc_variance(self) -> float:
        """DeLong's form of its variance; nan with fewer than two events of a class."""
        native = self._summarize()
        found = native.scored_auc_variance
        return found if math.isfinite(found) else RangeSummary._of(native).scored_auc_variance

    def interval(
        self,
        method: IntervalMethod = "auto",
        *,
        confidence_level: float = 0.95,
        alternative: Alternative = "two-sided",
    ) -> Interval:
        """The AUC with its confidence interval, as `auc_interval` makes it of a summary.

        O(log n) after an event. Methods that draw are not among those that a window has;
        `ranking()` has them.
        """
        if method == "auto" and alternative == "two-sided":
            found: Interval = self._default_interval(confidence_level)
            return found
        return unwarned_interval(
            RangeSummary._of(self._summarize()),
            method=method,
            confidence_level=confidence_level,
            alternative=alternative,
        )

    def ranking(self) -> Ranking:
        """What is there now, as a `Ranking` that no later event changes. O(distinct scores)."""
        n_pos, n_neg, scores, *masses = self._groups()
        return Ranking._of_masses(scores, masses, n_pos, n_neg)

    def point_at(self, threshold: float) -> OperatingPoint:
        """Counts and rates if who scores at the threshold or above is called positive.

        O(log n); with weights O(distinct scores).
        """
        value = float(threshold)
        if math.isnan(value):
            raise InputError("threshold is NaN; a number is needed.")
        tp, fp, tn, fn = self._confusion_at(value)
        return OperatingPoint(threshold=value, tp=tp, fp=fp, tn=tn, fn=fn)

    def kth_score(self, k: int) -> float:
        """The k-th lowest score, counted from 0; from the end for negative k. O(log n)."""
        return self._score_at(k)

    def hull(self) -> ROCHull:
        """The convex hull of the ROC curve, in one pass over the distinct scores."""
        return roc_hull(self.ranking())

    def h_measure(self, severity_ratio: float | None = None) -> float:
        """The H-measure, in one pass over the distinct scores."""
        measure, options = find_measure("h_measure", severity_ratio=severity_ratio)
        return float(measure.value_of(self.ranking(), **options))

    def __repr__(self) -> str:
        auc, n_pos, n_neg = self._reading()
        return f"{type(self).__name__}(AUC {auc:.3f}, {n_pos}+ {n_neg}-)"


def _pattern_at(confidence_level: float) -> tuple[float, Interval]:
    """The quantile of the default interval, and an interval to take its other fields from.

    The core asks for it when the level is another one than the last time.
    """
    level = check_level(confidence_level)
    pattern = Interval(
        measure="auc",
        value=math.nan,
        low=math.nan,
        high=math.nan,
        standard_error=math.nan,
        confidence_level=level,
        method="auto",
        n_pos=0,
        n_neg=0,
    )
    return critical_value(level, "two-sided"), pattern


_core.register_interval(_pattern_at, Interval)
